(** Do no counts meet some demands on displaced positions? (T2 for diagrams of docs/infinite.md)

    A _runner_ is a place of a diagram and what is to be added to the counts still to be read. A
    _case_ has runners of which something is demanded, and runners that are options, of which it is
    demanded that none becomes a P-position. A statement such as "if a position is N, some option is
    P" is broken by counts that meet all demands of a case: so the case has to be _refuted_. An
    untrusted search lists cases. What is proved here is: if each case that arises from one of the
    list by one more count, or by one more bit of every digit, is refuted by a case of the list
    with no other demands, every case of the list is refuted.

    As in [InfiniteSearch] displacements are written with 1 added to them. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Loops SortedLists InfiniteLetters InfiniteAutomaton InfiniteSearch
  InfiniteReading InfiniteDiagram.
Import ListNotations.

(** What may be demanded of a runner. A runner whose counts become negative is no position, and
    meets none of these. *)
Inductive demand := BeP | BeN | NotBeN.

Definition meets (D : demand) (v : option said) : bool :=
  match D with
  | BeP => is_P v
  | BeN => match v with Some SaysN => true | _ => false end
  | NotBeN => not_N v
  end.

(** [ahead]: how many ordinary letters are still to be read. [positive]: whether it is demanded that
    some count still to be read is not zero. *)
Record case := Case {
  ahead : nat;
  positive : bool;
  demands : list (demand * place);
  answers : list place }.

Section Said.

Variable d : diagram.
Local Notation A := (diagram_reader d).

(** The runner after a count of the next letter, of the level [l]; none if a count is negative. *)
Definition step_count (l x : nat) (p : place) : option place :=
  match carry p with
  | [] => None
  | y :: rest =>
    if x + y =? 0 then None
    else Some (Place (follow d l (state p) (Nat.pred (x + y))) rest)
  end.

(** What is claimed of a runner, by the counts of the [k] letters ahead and of the digits. *)
Fixpoint said_ahead (k : nat) (m : list nat) (p : place) : option said :=
  match k with
  | 0 => said_of A m p
  | S k =>
    match m with
    | [] => None
    | x :: m =>
      match step_count (levels d - S k) x p with
      | None => None
      | Some p => said_ahead k m p
      end
    end
  end.

Definition said_if (k : nat) (m : list nat) (p : option place) : option said :=
  match p with None => None | Some p => said_ahead k m p end.

(** Whether the counts [m] meet all demands. *)
Definition met (m : list nat) (c : case) : bool :=
  negb (positive c && all_zero m) &&
  forallb (fun e => meets (fst e) (said_ahead (ahead c) m (snd e))) (demands c) &&
  forallb (fun p => negb (is_P (said_ahead (ahead c) m p))) (answers c).

End Said.

(** A list of cases, with the way to one that refutes a case; for each case a number of counts that
    is a common multiple of all cycles in question; and the places from which no P, no N, and
    nothing but N is reached. *)
Record refutations := Refutations {
  case_count : nat;
  case_at : nat -> case;
  case_for : case -> nat;
  turn : nat -> nat;
  without_P : nat -> bool;
  without_N : nat -> bool;
  always_N : nat -> bool }.

(** ** What may be forgotten *)

(** Whether the demand cannot be met any more. *)
Definition hopeless (F : refutations) (D : demand) (q : nat) : bool :=
  match D with
  | BeP => without_P F q
  | BeN => without_N F q
  | NotBeN => always_N F q
  end.

(** Counts of letters before the next node matter only as far as they become negative. *)
Fixpoint shorten (n : nat) (u : list nat) : list nat :=
  match n, u with
  | S n, x :: u => Nat.min x 1 :: shorten n u
  | _, _ => u
  end.

Definition short (d : diagram) (k : nat) (p : place) : place :=
  Place (state p) (shorten (level_of d (state p) - (levels d - k)) (carry p)).

(** The demands, if each can still be met. *)
Fixpoint demanded (d : diagram) (F : refutations) (k : nat) (L : list (demand * option place)) :
    option (list (demand * place)) :=
  match L with
  | [] => Some []
  | (_, None) :: _ => None
  | (D, Some p) :: L =>
    if hopeless F D (state p) then None
    else match demanded d F k L with
      | None => None
      | Some L => Some ((D, short d k p) :: L)
      end
  end.

(** The options that may become a P-position. *)
Fixpoint answering (d : diagram) (F : refutations) (k : nat) (L : list (option place)) :
    list place :=
  match L with
  | [] => []
  | None :: L => answering d F k L
  | Some p :: L =>
    if without_P F (state p) then answering d F k L else short d k p :: answering d F k L
  end.

(** A case without what makes no difference; none if it is refuted already. *)
Definition settle (d : diagram) (F : refutations) (k : nat) (more : bool)
    (L : list (demand * option place)) (O : list (option place)) : option case :=
  match demanded d F k L with
  | None => None
  | Some L => let O := answering d F k O in
    Some (Case k more L (sort compare_places (length O) O))
  end.

(** ** The next cases *)

Definition after_count (d : diagram) (F : refutations) (c : case) (x : nat) : option case :=
  let k := Nat.pred (ahead c) in
  let step := step_count d (levels d - ahead c) x in
  settle d F k (positive c && (x =? 0))
    (map (fun e => (fst e, step (snd e))) (demands c)) (map step (answers c)).

Definition after_bits (d : diagram) (F : refutations) (c : case) (b : list nat) : option case :=
  let step p := Some (step_place (diagram_reader d) b p) in
  settle d F 0 (positive c && all_zero b)
    (map (fun e => (fst e, step (snd e))) (demands c)) (map step (answers c)).

Definition demand_code (D : demand) : nat := match D with BeP => 0 | BeN => 1 | NotBeN => 2 end.

Fixpoint equal_demands (K L : list (demand * place)) : bool :=
  match K, L with
  | [], [] => true
  | (D, p) :: K, (D', p') :: L =>
    (demand_code D =? demand_code D') && is_equal (compare_places p p') && equal_demands K L
  | _, _ => false
  end.

(** Whether the first case has no demand that the second has not. *)
Definition refutes (c c' : case) : bool :=
  (ahead c =? ahead c') && implb (positive c) (positive c') &&
  equal_demands (demands c) (demands c') && within compare_places (answers c) (answers c').

(** A case is refuted already, or by one that is listed. *)
Definition refuted_by (F : refutations) (c : option case) : bool :=
  match c with
  | None => true
  | Some c => let i := case_for F c in (i <? case_count F) && refutes (case_at F i) c
  end.

(** From which count of the letter of the level [l] on the counts are read through the cycle. *)
Definition reach_of (d : diagram) (l : nat) (p : place) : nat :=
  match carry p with
  | [] => 0
  | y :: _ =>
    (if level_of d (state p) =? l then S (index (cycle_at d (state p))) else 1) - y
  end.

Definition reach (d : diagram) (l : nat) (c : case) : nat :=
  let runners := map snd (demands c) ++ answers c in
  fold_right (fun p n => Nat.max (reach_of d l p) n) (if positive c then 1 else 0) runners.

Definition turns (d : diagram) (l t : nat) (p : place) : bool :=
  negb (level_of d (state p) =? l) || (t mod period (cycle_at d (state p)) =? 0).

Definition case_ok (d : diagram) (F : refutations) (B : list (list nat)) (i : nat) : bool :=
  let c := case_at F i in
  match ahead c with
  | 0 => negb (met d (nothing_more (diagram_reader d)) c) &&
    forallb (fun b => refuted_by F (after_bits d F c b)) B
  | S k => let l := levels d - ahead c in let t := turn F i in
    (1 <=? t) && forallb (fun e => turns d l t (snd e)) (demands c) &&
    forallb (turns d l t) (answers c) &&
    all_below (reach d l c + t) (fun x => refuted_by F (after_count d F c x))
  end.

(** A property of places that all places have to which reading leads from one with it; and what is
    said in the end has the property [f]. *)
Definition kept (d : diagram) (f : nat -> bool) (g : said -> bool) : bool :=
  let A := diagram_reader d in
  all_below (places d) (fun p => negb (f p) ||
    if p <? states A then g (says A p) && all_below (2 ^ digits A) (fun b => f (next A p b))
    else all_below (children d p) (fun i => f (child d p i))).

Definition is_not_P (v : said) : bool := match v with SaysP => false | _ => true end.
Definition is_not_N (v : said) : bool := match v with SaysN => false | _ => true end.
Definition is_N (v : said) : bool := match v with SaysN => true | _ => false end.

(** The list is closed. *)
Definition refutations_ok (d : diagram) (F : refutations) : bool :=
  kept d (without_P F) is_not_P && kept d (without_N F) is_not_N && kept d (always_N F) is_N &&
  (let B := choices (digits (diagram_reader d)) in all_below (case_count F) (case_ok d F B)).

(** ** Facts *)

Lemma equal_demands_eq K : forall L, equal_demands K L = true -> K = L.
Proof.
  induction K as [|[D p] K IH]; intros [|[D' p'] L]; simpl; try discriminate; auto.
  rewrite !andb_split. intros [[E P] R]. apply Nat.eqb_eq in E.
  destruct (compare_places p p') eqn:C; try discriminate. apply compare_places_eq in C.
  rewrite (IH L R), C. do 2 f_equal. destruct D, D'; auto; discriminate.
Qed.

Section Closed.

Variable d : diagram.
Hypothesis d_ok : diagram_ok d = true.
Local Notation A := (diagram_reader d).
Hypothesis A_ok : automaton_ok A = true.
Variable F : refutations.
Hypothesis F_ok : refutations_ok d F = true.

Lemma refutes_met c c' m : refutes c c' = true -> met d m c' = true -> met d m c = true.
Proof.
  unfold refutes, met. rewrite !andb_split. intros [[[K Po] D] W] [[P' D'] O'].
  apply Nat.eqb_eq in K. apply equal_demands_eq in D. rewrite K, D.
  repeat split; auto.
  - destruct (positive c), (positive c'); simpl in *; auto. discriminate.
  - rewrite forallb_forall in *. intros p I. apply O'.
    exact (within_in compare_places compare_places_eq _ _ W p I).
Qed.

(** A runner that has come so far that [k] ordinary letters are ahead. *)
Definition good_runner (k : nat) (p : place) : Prop :=
  k <= levels d /\ arrived d (levels d - k) (state p) /\ length (carry p) = k + digits A.

Definition good_if (k : nat) (p : option place) : Prop :=
  match p with None => True | Some p => good_runner k p end.

Definition good_case (c : case) : Prop :=
  Forall (fun e => good_runner (ahead c) (snd e)) (demands c) /\
  Forall (good_runner (ahead c)) (answers c).

Lemma good_at_the_end p : good_runner 0 p -> good_place A p.
Proof.
  intros (_ & Ar & L). rewrite Nat.sub_0_r in Ar. split; [|auto].
  now apply (arrived_at_state d d_ok).
Qed.

Lemma step_count_good k x p : good_runner (S k) p ->
  good_if k (step_count d (levels d - S k) x p).
Proof.
  intros (Lk & Ar & L). unfold step_count. destruct (carry p) as [|y rest]; simpl; auto.
  destruct (x + y =? 0); simpl; auto. split; [lia|]. split.
  - simpl. replace (levels d - k) with (S (levels d - S k)) by lia.
    apply (follow_arrived d d_ok); auto. lia.
  - simpl in *. lia.
Qed.

Lemma step_bits_good b p : length b = digits A -> good_runner 0 p ->
  good_runner 0 (step_place A b p).
Proof.
  intros Lb G. pose proof (good_at_the_end p G) as Gp.
  destruct (step_place_good A A_ok b p Lb Gp) as [S1 S2].
  split; [lia|]. split; [|auto]. rewrite Nat.sub_0_r. split.
  - destruct (diagram_parts d d_ok) as (Q & _). lia.
  - unfold level_of. destruct (Nat.ltb_spec (state (step_place A b p)) (states A)); lia.
Qed.

(** *** Places from which some outcomes are not reached *)

Lemma kept_at_states f g : kept d f g = true -> forall v q, length v = digits A -> q < states A ->
  f q = true -> g (read_from A q v) = true.
Proof.
  unfold kept. cbv zeta. rewrite all_below_spec. intros K v.
  remember (list_sum v) as n eqn:En. revert v En.
  induction n as [n IH] using lt_wf_ind. intros v -> q Len L Fq.
  destruct (diagram_parts d d_ok) as (Q & _).
  pose proof (K q ltac:(lia)) as Kq. rewrite Fq in Kq.
  destruct (Nat.ltb_spec q (states A)); [|lia]. simpl in Kq. apply andb_split in Kq as [Gq N].
  rewrite all_below_spec in N. destruct (all_zero v) eqn:Z.
  - unfold read_from. now rewrite read_zero.
  - rewrite read_step by auto. apply IH with (m := list_sum (halves v)); auto.
    + now apply halves_less.
    + unfold halves. now rewrite map_length.
    + now apply next_bits_below.
    + apply N. rewrite <- Len. apply bits_below.
Qed.

Lemma kept_follow f g l p x : kept d f g = true -> l < levels d -> arrived d l p ->
  f p = true -> f (follow d l p x) = true.
Proof.
  unfold kept. cbv zeta. rewrite all_below_spec. intros K Ll [Lp Q] Fp. unfold follow.
  destruct (Nat.eqb_spec (level_of d p) l) as [El|Nl]; auto.
  pose proof (node_of_level d l p Ll El) as Np. specialize (K p Lp). rewrite Fp in K.
  destruct (Nat.ltb_spec p (states A)); [lia|]. simpl in K. rewrite all_below_spec in K. apply K.
  destruct (diagram_parts d d_ok) as (_ & _ & N). destruct (N p Lp Np) as (_ & P1 & _).
  now apply read_count_below.
Qed.

Lemma kept_said f g s : kept d f g = true -> forall k m p, length m = k + digits A ->
  good_runner k p -> f (state p) = true -> said_ahead d k m p = Some s -> g s = true.
Proof.
  intros K. induction k as [|k IH]; intros m p Lm G Fp.
  - simpl. unfold said_of. cbv zeta. destruct (good_at_the_end p G) as [Lq Lc].
    destruct (existsb _ _); [discriminate|]. intros [= <-].
    apply (kept_at_states f g K); auto. rewrite map_length, sums_length; simpl in *; congruence.
  - destruct m as [|x m]; [discriminate|]. simpl.
    pose proof (step_count_good k x p G) as G'.
    destruct (step_count d (levels d - S k) x p) as [p'|] eqn:E; [|discriminate].
    apply IH; [simpl in Lm; lia|exact G'|]. unfold step_count in E.
    destruct (carry p) as [|y rest]; [discriminate|]. destruct (x + y =? 0); [discriminate|].
    injection E as <-. simpl. destruct G as (Lk & Ar & _).
    apply (kept_follow f g); auto. lia.
Qed.

Lemma refutations_parts : kept d (without_P F) is_not_P = true /\
  kept d (without_N F) is_not_N = true /\ kept d (always_N F) is_N = true /\
  forall i, i < case_count F -> case_ok d F (choices (digits A)) i = true.
Proof.
  unfold refutations_ok in F_ok. cbv zeta in F_ok. rewrite !andb_split in F_ok.
  destruct F_ok as [[[P N] O] C]. rewrite all_below_spec in C. auto.
Qed.

Lemma hopeless_unmet D k m p : length m = k + digits A -> good_runner k p ->
  hopeless F D (state p) = true -> meets D (said_ahead d k m p) = false.
Proof.
  intros Lm G H. destruct refutations_parts as (HP & HN & HO & _).
  destruct (said_ahead d k m p) as [s|] eqn:E; [|now destruct D].
  destruct D; simpl in H;
    [pose proof (kept_said _ _ s HP k m p Lm G H E) as Q
    |pose proof (kept_said _ _ s HN k m p Lm G H E) as Q
    |pose proof (kept_said _ _ s HO k m p Lm G H E) as Q]; destruct s; simpl in *; auto; discriminate.
Qed.

(** *** What is shortened *)

Lemma said_shortened q : q < places d -> forall k n m u, k <= levels d ->
  n <= level_of d q - (levels d - k) ->
  said_ahead d k m (Place q (shorten n u)) = said_ahead d k m (Place q u).
Proof.
  intros Lq. pose proof (level_bound d d_ok q Lq) as B.
  induction k as [|k IH]; intros [|n] m u Lk Ln; [auto| |auto|].
  - lia.
  - destruct u as [|y u]; [auto|]. destruct m as [|x m]; [auto|]. simpl. unfold step_count. simpl.
    assert (Z : (x + Nat.min y 1 =? 0) = (x + y =? 0)).
    { destruct (Nat.eqb_spec (x + Nat.min y 1) 0), (Nat.eqb_spec (x + y) 0); auto; lia. }
    rewrite Z. destruct (x + y =? 0); [auto|]. unfold follow.
    destruct (Nat.eqb_spec (level_of d q) (levels d - S k)); [lia|]. apply IH; lia.
Qed.

Lemma shorten_length n : forall u, length (shorten n u) = length u.
Proof. induction n as [|n IH]; intros [|x u]; simpl; auto. Qed.

Lemma short_said k m p : good_runner k p -> said_ahead d k m (short d k p) = said_ahead d k m p.
Proof.
  intros (Lk & [Lp _] & _). destruct p as [q u]. unfold short. simpl in *.
  now apply said_shortened.
Qed.

Lemma short_good k p : good_runner k p -> good_runner k (short d k p).
Proof.
  intros (Lk & Ar & L). split; [auto|]. split; [exact Ar|].
  unfold short. cbn [carry]. now rewrite shorten_length.
Qed.

(** *** What is left out makes no difference *)

(** Whether all demands are met, of runners some of which may be no positions. *)
Definition met_if (k : nat) (m : list nat) (more : bool) (L : list (demand * option place))
    (O : list (option place)) : bool :=
  negb (more && all_zero m) &&
  forallb (fun e => meets (fst e) (said_if d k m (snd e))) L &&
  forallb (fun p => negb (is_P (said_if d k m p))) O.

Lemma demanded_met k m L : length m = k + digits A ->
  Forall (fun e => good_if k (snd e)) L ->
  forallb (fun e => meets (fst e) (said_if d k m (snd e))) L = true ->
  exists L', demanded d F k L = Some L' /\ Forall (fun e => good_runner k (snd e)) L' /\
    forallb (fun e => meets (fst e) (said_ahead d k m (snd e))) L' = true.
Proof.
  intros Lm. induction 1 as [|[D [p|]] L G _ IH]; simpl in *.
  - intros _. exists []. auto.
  - rewrite andb_split. intros [M R]. destruct (hopeless F D (state p)) eqn:H.
    + now rewrite (hopeless_unmet D k m p Lm G H) in M.
    + destruct (IH R) as (L' & -> & G' & R'). exists ((D, short d k p) :: L').
      repeat split; auto.
      * constructor; auto. now apply short_good.
      * simpl. now rewrite short_said, M, R'.
  - destruct D; discriminate.
Qed.

Lemma answering_met k m O : Forall (good_if k) O ->
  forallb (fun p => negb (is_P (said_if d k m p))) O = true ->
  Forall (good_runner k) (answering d F k O) /\
  forallb (fun p => negb (is_P (said_ahead d k m p))) (answering d F k O) = true.
Proof.
  induction 1 as [|[p|] O G _ IH]; simpl in *; auto.
  rewrite andb_split. intros [M R]. destruct (IH R) as [G' R'].
  destruct (without_P F (state p)); auto. split; [constructor; auto using short_good|].
  simpl. now rewrite short_said, M, R'.
Qed.

Lemma sort_forall (P : place -> Prop) n L : Forall P L -> Forall P (sort compare_places n L).
Proof.
  rewrite !Forall_forall. intros H x I. now apply H, (sort_in compare_places compare_places_eq n).
Qed.

(** If all demands are met, they are met in the case that is settled. *)
Lemma settle_met k m more L O : length m = k + digits A ->
  Forall (fun e => good_if k (snd e)) L -> Forall (good_if k) O ->
  met_if k m more L O = true ->
  exists c, settle d F k more L O = Some c /\ ahead c = k /\ good_case c /\ met d m c = true.
Proof.
  intros Lm GL GO. unfold met_if. rewrite !andb_split. intros [[Po ML] MO].
  destruct (demanded_met k m L Lm GL ML) as (L' & E & GL' & ML').
  destruct (answering_met k m O GO MO) as [GO' MO'].
  unfold settle. rewrite E. cbv zeta. eexists. split; [reflexivity|]. split; [reflexivity|]. split.
  - split; simpl; auto. now apply sort_forall.
  - unfold met. simpl. rewrite Po, ML'. simpl. apply forallb_forall. intros p I.
    rewrite forallb_forall in MO'. apply MO'. now apply sort_in in I; [|apply compare_places_eq].
Qed.

(** *** The cycles *)

Lemma reach_below l c p : In p (map snd (demands c) ++ answers c) -> reach_of d l p <= reach d l c.
Proof.
  unfold reach. cbv zeta. generalize (if positive c then 1 else 0).
  induction (map snd (demands c) ++ answers c) as [|q R IH]; simpl; [tauto|].
  intros b [->|I]; [lia|]. specialize (IH b I). lia.
Qed.

Lemma reach_positive l c : positive c = true -> 1 <= reach d l c.
Proof.
  unfold reach. cbv zeta. intros ->.
  induction (map snd (demands c) ++ answers c) as [|q R IH]; simpl; lia.
Qed.

Lemma step_count_turn l t x p : turns d l t p = true -> reach_of d l p <= x ->
  l < levels d -> state p < places d -> step_count d l (x + t) p = step_count d l x p.
Proof.
  unfold turns, reach_of, step_count. intros T R Ll Lp. destruct (carry p) as [|y rest]; auto.
  assert (Pos : 1 <= x + y) by (destruct (level_of d (state p) =? l); lia).
  destruct (Nat.eqb_spec (x + t + y) 0); [lia|]. destruct (Nat.eqb_spec (x + y) 0); [lia|].
  do 2 f_equal. unfold follow. destruct (Nat.eqb_spec (level_of d (state p)) l) as [El|]; [|auto].
  rewrite orb_false_l in T. apply Nat.eqb_eq in T. unfold child_for. f_equal.
  pose proof (node_of_level d l _ Ll El) as Np.
  destruct (diagram_parts d d_ok) as (_ & _ & N). destruct (N _ Lp Np) as (_ & P1 & _).
  set (a := cycle_at d (state p)) in *.
  apply Nat.mod_divides in T as [j T]; [|lia].
  replace (Nat.pred (x + t + y)) with (Nat.pred (x + y) + j * period a) by lia.
  apply read_count_period. lia.
Qed.

(** *** A closed list refutes its cases *)

Lemma refuted_by_entries k m : length m = k + digits A ->
  (forall i, i < case_count F -> ahead (case_at F i) = k -> good_case (case_at F i) ->
    met d m (case_at F i) = false) ->
  forall more L O, refuted_by F (settle d F k more L O) = true ->
  Forall (fun e => good_if k (snd e)) L -> Forall (good_if k) O -> met_if k m more L O = false.
Proof.
  intros Lm H more L O R GL GO. destruct (met_if k m more L O) eqn:M; auto. exfalso.
  destruct (settle_met k m more L O Lm GL GO M) as (c & E & Ka & [Gd Ga] & Mc).
  rewrite E in R. simpl in R. apply andb_split in R as [Li R]. apply Nat.ltb_lt in Li.
  pose proof (refutes_met _ _ m R Mc) as Me.
  unfold refutes in R. rewrite !andb_split in R. destruct R as [[[K _] D] W].
  apply Nat.eqb_eq in K. apply equal_demands_eq in D.
  rewrite H in Me; [discriminate|exact Li|congruence|]. split.
  - now rewrite D, K.
  - rewrite K. rewrite Forall_forall in *. intros p I. apply Ga.
    exact (within_in compare_places compare_places_eq _ _ W p I).
Qed.

Lemma met_after_count k x m c : ahead c = S k -> met d (x :: m) c =
  met_if k m (positive c && (x =? 0))
    (map (fun e => (fst e, step_count d (levels d - S k) x (snd e))) (demands c))
    (map (step_count d (levels d - S k) x) (answers c)).
Proof.
  intros E. unfold met, met_if. rewrite E. simpl.
  assert (FM : forall {B C} (f : B -> C) g L, forallb g (map f L) = forallb (fun b => g (f b)) L).
  { intros B C f g L. induction L; simpl; congruence. }
  rewrite !FM, andb_assoc. simpl. unfold said_if.
  reflexivity.
Qed.

Lemma met_after_bits m c : ahead c = 0 -> length m = digits A -> good_case c -> met d m c =
  met_if 0 (halves m) (positive c && all_zero (lows m))
    (map (fun e => (fst e, Some (step_place A (lows m) (snd e)))) (demands c))
    (map (fun p => Some (step_place A (lows m) p)) (answers c)).
Proof.
  intros E Lm [Gd Ga]. unfold met, met_if. rewrite E in *. simpl.
  rewrite (all_zero_halves m), andb_assoc. f_equal; [f_equal|].
  - induction Gd as [|e L G _ IH]; simpl; auto. rewrite IH. f_equal. f_equal.
    apply (said_step A A_ok); auto. now apply good_at_the_end.
  - induction Ga as [|e L G _ IH]; simpl; auto. rewrite IH. do 3 f_equal.
    apply (said_step A A_ok); auto. now apply good_at_the_end.
Qed.

Lemma entry_refuted : forall k m, length m = k + digits A -> forall i, i < case_count F ->
  ahead (case_at F i) = k -> good_case (case_at F i) -> met d m (case_at F i) = false.
Proof.
  destruct refutations_parts as (_ & _ & _ & C).
  induction k as [|k IH]; intros m.
  - remember (list_sum m) as s eqn:Es. revert m Es.
    induction s as [s IHs] using lt_wf_ind. intros m -> Lm i Li Ea G. simpl in Lm.
    pose proof (C i Li) as Ci. unfold case_ok in Ci. cbv zeta in Ci. rewrite Ea in Ci.
    apply andb_split in Ci as [Z B]. apply negb_true_iff in Z. rewrite forallb_forall in B.
    destruct (all_zero m) eqn:Zm.
    + replace m with (nothing_more A); auto. unfold nothing_more. rewrite <- Lm. clear - Zm.
      unfold all_zero in Zm. induction m as [|x m IHm]; simpl in *; auto.
      apply andb_split in Zm as [Ex Z]. apply Nat.eqb_eq in Ex. subst. now rewrite IHm.
    + rewrite met_after_bits by auto.
      assert (Lh : length (halves m) = 0 + digits A) by (unfold halves; now rewrite map_length).
      assert (Ll : length (lows m) = digits A) by (unfold lows; now rewrite map_length).
      apply refuted_by_entries; auto.
      * intros j Lj Ej Gj. apply (IHs (list_sum (halves m))); auto. now apply halves_less.
      * apply B. rewrite <- Lm. apply lows_choice.
      * destruct G as [Gd _]. rewrite Ea in Gd. apply Forall_map.
        eapply Forall_impl; [|exact Gd]. intros e Ge. now apply step_bits_good.
      * destruct G as [_ Ga]. rewrite Ea in Ga. apply Forall_map.
        eapply Forall_impl; [|exact Ga]. intros p Gp. now apply step_bits_good.
  - destruct m as [|x m]; [discriminate|]. intros Lm i Li Ea G.
    assert (Lm' : length m = k + digits A) by (simpl in Lm; lia). clear Lm.
    pose proof (C i Li) as Ci. unfold case_ok in Ci. cbv zeta in Ci. rewrite Ea in Ci.
    rewrite !andb_split in Ci. destruct Ci as [[[T1 Td] Ta] Cx]. apply Nat.leb_le in T1.
    set (c := case_at F i) in *. set (l := levels d - S k) in *. set (t := turn F i) in *.
    destruct G as [Gd Ga]. rewrite Ea in Gd, Ga.
    induction x as [x IHx] using lt_wf_ind.
    destruct (Nat.lt_ge_cases x (reach d l c + t)) as [Lx|Lx].
    + rewrite (met_after_count k) by auto. rewrite all_below_spec in Cx. specialize (Cx x Lx).
      unfold after_count in Cx. cbv zeta in Cx. rewrite Ea in Cx. simpl Nat.pred in Cx.
      apply refuted_by_entries; auto; apply Forall_map.
      * eapply Forall_impl; [|exact Gd]. intros e Ge. now apply step_count_good.
      * eapply Forall_impl; [|exact Ga]. intros p Gp. now apply step_count_good.
    + rewrite <- (IHx (x - t) ltac:(lia)). rewrite !(met_after_count k) by auto. fold l.
      rewrite forallb_forall in Td, Ta.
      assert (Same : forall p, In p (map snd (demands c) ++ answers c) ->
        step_count d l x p = step_count d l (x - t) p).
      { intros p I. pose proof (reach_below l c p I) as R.
        replace x with (x - t + t) at 1 by lia.
        assert (Gp : turns d l t p = true /\ good_runner (S k) p).
        { apply in_app_iff in I as [I|I].
          - apply in_map_iff in I as (e & <- & I). split; auto.
            rewrite Forall_forall in Gd. exact (Gd e I).
          - split; auto. rewrite Forall_forall in Ga. auto. }
        destruct Gp as [Tp (Lk & [Lp _] & _)]. apply step_count_turn; auto; subst l; lia. }
      assert (Po : positive c && (x =? 0) = positive c && (x - t =? 0)).
      { destruct (positive c) eqn:P; auto. pose proof (reach_positive l c P).
        destruct (Nat.eqb_spec x 0), (Nat.eqb_spec (x - t) 0); auto; lia. }
      rewrite Po. f_equal; apply map_ext_in.
      * intros e I. f_equal. apply Same, in_app_iff. left. now apply in_map.
      * intros p I. apply Same, in_app_iff. now right.
Qed.

(** T2 for diagrams: no counts meet the demands of a case that is settled and refuted by the list. *)
Theorem settled_unmet k m more L O : length m = k + digits A ->
  refuted_by F (settle d F k more L O) = true ->
  Forall (fun e => good_if k (snd e)) L -> Forall (good_if k) O -> met_if k m more L O = false.
Proof. intros Lm. apply refuted_by_entries; auto. now apply entry_refuted. Qed.

End Closed.
