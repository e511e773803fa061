(** Do no counts meet some demands on displaced positions? (T2 for diagrams of docs/infinite.md)

    A _case_ has runners with demands, and runners that are options, with the demand that none of
    them becomes a P-position. A statement such as "if a position is N, some option
    is P" is broken by counts that meet all demands of a case: so the case has to be _refuted_. An
    untrusted search lists cases. What is proved here is: if each case that arises from one of the
    list by one more count, or by one more bit of every digit, is refuted by a case of the list
    with no other demands, every case of the list is refuted. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Loops SortedLists InfiniteLetters InfiniteAutomaton InfiniteSearch
  InfiniteReading InfiniteDiagram InfiniteRunners.
Import ListNotations.

(** What may be demanded of a runner. A runner whose counts become negative is not a position, and
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

(** Whether the counts [m] meet all demands. *)
Definition met (d : diagram) (m : list nat) (c : case) : bool :=
  negb (positive c && all_zero m) &&
  forallb (fun e => meets (fst e) (said_ahead d (ahead c) m (snd e))) (demands c) &&
  forallb (fun p => negb (is_P (said_ahead d (ahead c) m p))) (answers c).

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

(** A count from which on all runners read the counts of the letter of the level [l] through their
    cycles. *)
Definition reach (d : diagram) (l : nat) (c : case) : nat :=
  let runners := map snd (demands c) ++ answers c in
  fold_right (fun p n => Nat.max (reach_of d l p) n) (if positive c then 1 else 0) runners.

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

Local Notation good_runner := (good_runner d).
Local Notation good_if := (good_if d).
Local Notation step_count_good := (step_count_good d d_ok).
Local Notation step_bits_good := (step_bits_good d d_ok A_ok).
Local Notation good_at_the_end := (good_at_the_end d d_ok).
Local Notation kept_said := (kept_said d d_ok A_ok).
Local Notation short_said := (short_said d d_ok).
Local Notation short_good := (short_good d).
Local Notation step_count_turn := (step_count_turn d d_ok).

Lemma refutes_met c c' m : refutes c c' = true -> met d m c' = true -> met d m c = true.
Proof.
  unfold refutes, met. rewrite !andb_split. intros [[[K Po] D] W] [[P' D'] O'].
  apply Nat.eqb_eq in K. apply equal_demands_eq in D. rewrite K, D.
  repeat split; auto.
  - destruct (positive c), (positive c'); simpl in *; auto. discriminate.
  - rewrite forallb_forall in *. intros p I. apply O'.
    exact (within_in compare_places compare_places_eq _ _ W p I).
Qed.

Definition good_case (c : case) : Prop :=
  Forall (fun e => good_runner (ahead c) (snd e)) (demands c) /\
  Forall (good_runner (ahead c)) (answers c).

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
    |pose proof (kept_said _ _ s HO k m p Lm G H E) as Q];
    destruct s; simpl in *; auto; discriminate.
Qed.

(** *** What is left out makes no difference *)

(** Whether all demands are met, of runners; some of these may not be positions. *)
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

(** T2 for diagrams: no counts meet the demands of a case that the list refutes. *)
Theorem settled_unmet k m more L O : length m = k + digits A ->
  refuted_by F (settle d F k more L O) = true ->
  Forall (fun e => good_if k (snd e)) L -> Forall (good_if k) O -> met_if k m more L O = false.
Proof. intros Lm. apply refuted_by_entries; auto. now apply entry_refuted. Qed.

End Closed.
