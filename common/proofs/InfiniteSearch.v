(** Does a statement on displaced counts hold for all counts? (T2 of docs/infinite.md)

    A position with the counts [m] of the digits is compared with positions whose counts are [m + u]
    for finitely many displacements [u]. The bits of [m] are read, and every comparison goes on with
    its state and with what it carries. So there are finitely many _configurations_. An untrusted
    search lists them, and what is proved here is: if the list is closed, and each configuration of
    it is right where no further bit of [m] is set, the statement holds for all [m].

    A displacement may be -1, where a heap is taken away. So displacements are written with 1 added
    to them. A comparison is with no position at all if some count is negative. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Loops SortedLists InfiniteLetters InfiniteAutomaton.
Import ListNotations.

(** What a position that is compared has to do with the one in question. [Plain]: it is an option.
    [Early a], [Late a]: it is an option if the least of the counts of the letter [a] is meant that
    are read as this one is, or if a greater one is meant. [Call]: if it is a P-position, some
    option has to be one. *)
Inductive role := Plain | Call | Early (a : nat) | Late (a : nat).

(** A state of the automaton, and the displacements still to be added, each with 1 added to it. *)
Record place := Place { state : nat; carry : list nat }.

Record comparison_with := Comparison { role_of : role; place_of : place }.

(** The position in question; whether it is exempt if all further counts are zero; whether an
    N-position has to have an option that is a P-position even if nothing calls for it; and the
    comparisons. *)
Record configuration := Configuration {
  question : place;
  end_free : bool;
  called : bool;
  compared : list comparison_with }.

(** ** What a configuration states *)

Fixpoint sums (m u : list nat) : list nat :=
  match m, u with
  | x :: m, y :: u => x + y :: sums m u
  | _, _ => []
  end.

(** What is said of a displaced position, if there is one. *)
Definition said_of (A : automaton) (m : list nat) (p : place) : option said :=
  let t := sums m (carry p) in
  if existsb (fun x => x =? 0) t then None
  else Some (read_from A (state p) (map Nat.pred t)).

Definition is_call (r : role) : bool := match r with Call => true | _ => false end.
Definition is_P (v : option said) : bool := match v with Some SaysP => true | _ => false end.
Definition not_N (v : option said) : bool :=
  match v with Some SaysP | Some Nothing => true | _ => false end.
Definition is_late (a : nat) (r : role) : bool := match r with Late b => b =? a | _ => false end.

(** Whether some option is claimed to be a P-position, whichever counts are meant. *)
Definition some_option_P (L : list (role * option said)) : bool :=
  existsb (fun e => is_P (snd e) && match fst e with
    | Plain => true
    | Early a => existsb (fun e' => is_late a (fst e') && is_P (snd e')) L
    | _ => false
    end) L.

(** The statement, where it is known what is said. *)
Definition judge (free call : bool) (v : option said) (L : list (role * option said)) : bool :=
  match v with
  | Some SaysP => forallb (fun e => is_call (fst e) || negb (not_N (snd e))) L
  | Some SaysN => free || some_option_P L ||
      (negb call && negb (existsb (fun e => is_call (fst e) && is_P (snd e)) L))
  | _ => true
  end.

(** The statement for the counts [m]. *)
Definition states_of (A : automaton) (m : list nat) (c : configuration) : bool :=
  judge (end_free c && all_zero m) (called c) (said_of A m (question c))
    (map (fun k => (role_of k, said_of A m (place_of k))) (compared c)).

(** ** The next configuration *)

(** What is read and what is carried, for one more bit [b] of every count. *)
Fixpoint sums_and_one (b u : list nat) : list nat :=
  match b, u with
  | x :: b, y :: u => S (x + y) :: sums_and_one b u
  | _, _ => []
  end.

Definition step_place (A : automaton) (b : list nat) (p : place) : place :=
  let s := sums_and_one b (carry p) in
  Place (next A (state p) (bits s)) (halves s).

Definition step (A : automaton) (b : list nat) (c : configuration) : configuration :=
  Configuration (step_place A b (question c)) (end_free c && all_zero b) (called c)
    (map (fun k => Comparison (role_of k) (step_place A b (place_of k))) (compared c)).

(** All choices of one bit for each of [d] counts. *)
Fixpoint choices (d : nat) : list (list nat) :=
  match d with
  | 0 => [[]]
  | S d => flat_map (fun b => [0 :: b; 1 :: b]) (choices d)
  end.

(** ** An order of comparisons, so that equal sets of them are equal lists *)

Definition role_code (r : role) : nat :=
  match r with
  | Plain => 0
  | Call => 1
  | Early a => S (S (a + a))
  | Late a => S (S (S (a + a)))
  end.

Definition compare_places (p p' : place) : comparison :=
  let q := state p in let q' := state p' in
  if q =? q' then compare_lists (carry p) (carry p') else if q <? q' then Lt else Gt.

Definition compare_two (k k' : comparison_with) : comparison :=
  let r := role_code (role_of k) in let r' := role_code (role_of k') in
  if r =? r' then compare_places (place_of k) (place_of k') else if r <? r' then Lt else Gt.

(** A list of configurations, with the way to find one; and the states from which only "nothing" is
    said, and from which only "N" is said. *)
Record search := Search {
  size : nat;
  configuration_at : nat -> configuration;
  find : configuration -> nat;
  silent : nat -> bool;
  only_N : nat -> bool }.

(** A configuration without the comparisons that make no difference. *)
Definition normal (F : search) (c : configuration) : configuration :=
  let L := filter (fun k => negb (only_N F (state (place_of k)))) (compared c) in
  Configuration (question c) (end_free c) (called c) (sort compare_two (length L) L).

Fixpoint equal_compared (K L : list comparison_with) : bool :=
  match K, L with
  | [], [] => true
  | k :: K, l :: L => is_equal (compare_two k l) && equal_compared K L
  | _, _ => false
  end.

Definition equal_configurations (c c' : configuration) : bool :=
  is_equal (compare_places (question c) (question c')) &&
  Bool.eqb (end_free c) (end_free c') && Bool.eqb (called c) (called c') &&
  equal_compared (compared c) (compared c').

(** Nothing is said in a configuration, or it is listed. *)
Definition listed (F : search) (c : configuration) : bool :=
  silent F (state (question c)) ||
  let c := normal F c in
  let i := find F c in
  (i <? size F) && equal_configurations c (configuration_at F i).

Definition nothing_more (A : automaton) : list nat := repeat 0 (digits A).

(** The list is closed, and right where no further bit is set. *)
Definition search_ok (A : automaton) (F : search) : bool :=
  lasting A (silent F) Nothing && lasting A (only_N F) SaysN &&
  (let B := choices (digits A) in
   let O := nothing_more A in
   all_below (size F) (fun i => let c := configuration_at F i in
     states_of A O c && forallb (fun b => listed F (step A b c)) B)).

(** ** What is equal in the order is the same *)

Lemma role_code_eq r r' : role_code r = role_code r' -> r = r'.
Proof. destruct r, r'; simpl; intros E; try (f_equal; lia); auto; lia. Qed.

Lemma compare_places_eq p p' : compare_places p p' = Eq -> p = p'.
Proof.
  unfold compare_places. cbv zeta. destruct p as [q u], p' as [q' u']; simpl.
  destruct (Nat.eqb_spec q q') as [->|N].
  - intros E. now rewrite (compare_lists_eq u u').
  - destruct (q <? q'); discriminate.
Qed.

Lemma compare_two_eq k k' : compare_two k k' = Eq -> k = k'.
Proof.
  unfold compare_two. cbv zeta. destruct k as [r p], k' as [r' p']; simpl.
  destruct (Nat.eqb_spec (role_code r) (role_code r')) as [E|N].
  - intros Ep. now rewrite (role_code_eq r r' E), (compare_places_eq p p' Ep).
  - destruct (role_code r <? role_code r'); discriminate.
Qed.

Lemma equal_compared_eq K : forall L, equal_compared K L = true -> K = L.
Proof.
  induction K as [|k K IH]; intros [|l L]; simpl; try discriminate; auto.
  rewrite andb_split. intros [E F]. destruct (compare_two k l) eqn:C; try discriminate.
  f_equal; auto. now apply compare_two_eq.
Qed.

Lemma equal_configurations_eq c c' : equal_configurations c c' = true -> c = c'.
Proof.
  unfold equal_configurations. destruct c as [p f d L], c' as [p' f' d' L']; simpl.
  rewrite !andb_split. intros [[[E F] D] K].
  destruct (compare_places p p') eqn:C; try discriminate.
  apply compare_places_eq in C. apply eqb_prop in F, D. apply equal_compared_eq in K.
  congruence.
Qed.

(** ** What is judged depends on the set of what is said, but for the options that are N *)

Definition matters (e : role * option said) : bool := not_N (snd e).

Definition same_where_it_matters (L L' : list (role * option said)) : Prop :=
  forall e, matters e = true -> (In e L <-> In e L').

Lemma is_P_not_N v : is_P v = true -> not_N v = true.
Proof. destruct v as [[]|]; simpl; congruence. Qed.

Lemma existsb_same (f : role * option said -> bool) L L' : same_where_it_matters L L' ->
  (forall e, f e = true -> matters e = true) -> existsb f L = existsb f L'.
Proof.
  intros S M. apply eq_iff_eq_true. rewrite !existsb_exists.
  split; intros (e & I & E); exists e; (split; [apply (S e (M e E)); auto|auto]).
Qed.

Lemma existsb_eq {A} (f g : A -> bool) L : (forall e, f e = g e) -> existsb f L = existsb g L.
Proof. intros E. induction L as [|x L IH]; simpl; congruence. Qed.

Lemma judge_same free call v L L' : same_where_it_matters L L' ->
  judge free call v L = judge free call v L'.
Proof.
  intros S. destruct v as [[]|]; simpl; auto.
  - assert (P : some_option_P L = some_option_P L').
    { unfold some_option_P. erewrite existsb_same; [|exact S|].
      - apply existsb_eq. intros [r v]. simpl. f_equal. destruct r; auto.
        apply existsb_same; auto. intros e. rewrite andb_split. intros [_ E].
        now apply is_P_not_N.
      - intros e. rewrite andb_split. intros [E _]. now apply is_P_not_N. }
    rewrite P. do 3 f_equal. apply existsb_same; auto.
    intros e. rewrite andb_split. intros [_ E]. now apply is_P_not_N.
  - apply eq_iff_eq_true. rewrite !forallb_forall.
    split; intros A e I; destruct (matters e) eqn:M; unfold matters in M;
      try (rewrite M, orb_true_r; reflexivity); apply A, S; auto.
Qed.

(** ** A closed list is right *)

Definition lows (m : list nat) : list nat := map (fun x => if Nat.odd x then 1 else 0) m.

Lemma lows_choice m : In (lows m) (choices (length m)).
Proof.
  induction m as [|x m IH]; simpl; auto. apply in_flat_map. exists (lows m). split; auto.
  destruct (Nat.odd x); simpl; auto.
Qed.

Lemma all_zero_halves m : all_zero m = all_zero (lows m) && all_zero (halves m).
Proof.
  unfold all_zero. induction m as [|x m IH]; simpl; auto. rewrite IH.
  pose proof (half x) as Hx. destruct (Nat.odd x); simpl.
  - destruct (Nat.eqb_spec x 0); [lia|reflexivity].
  - destruct (Nat.eqb_spec x 0), (Nat.eqb_spec (Nat.div2 x) 0); simpl;
      rewrite ?andb_false_r; auto; lia.
Qed.

Lemma halved_sum x y (s := S ((if Nat.odd x then 1 else 0) + y)) (t := Nat.div2 x + Nat.div2 s) :
  (x + y =? 0) = (t =? 0) /\
  (x + y <> 0 -> Nat.odd (Nat.pred (x + y)) = Nat.odd s /\
    Nat.div2 (Nat.pred (x + y)) = Nat.pred t).
Proof.
  pose proof (half x) as Hx. pose proof (half s) as Hs.
  pose proof (half (Nat.pred (x + y))) as Hp. subst t.
  set (l := if Nat.odd x then 1 else 0) in *.
  assert (l <= 1) by (subst l; destruct (Nat.odd x); lia). subst s.
  split.
  - destruct (Nat.eqb_spec (x + y) 0), (Nat.eqb_spec (Nat.div2 x + Nat.div2 (S (l + y))) 0);
      try reflexivity; exfalso; destruct (Nat.odd (S (l + y))), (Nat.odd x); lia.
  - intros N. destruct (Nat.odd (S (l + y))), (Nat.odd (Nat.pred (x + y))); split; auto; lia.
Qed.

Section Closed.

Variable A : automaton.
Hypothesis A_ok : automaton_ok A = true.
Variable F : search.
Hypothesis F_ok : search_ok A F = true.

Definition good_place (p : place) : Prop := state p < states A /\ length (carry p) = digits A.

Definition good_configuration (c : configuration) : Prop :=
  good_place (question c) /\ Forall (fun k => good_place (place_of k)) (compared c).

Lemma sums_length m : forall u, length m = length u -> length (sums m u) = length u.
Proof. induction m; intros [|y u]; simpl; intros E; auto; discriminate || (f_equal; auto). Qed.

Lemma sums_and_one_length m :
  forall u, length m = length u -> length (sums_and_one m u) = length u.
Proof. induction m; intros [|y u]; simpl; intros E; auto; discriminate || (f_equal; auto). Qed.

Lemma step_place_good b p : length b = digits A -> good_place p -> good_place (step_place A b p).
Proof.
  intros Lb [S L]. unfold step_place, good_place. cbv zeta. simpl.
  assert (E : length (sums_and_one b (carry p)) = digits A) by (rewrite sums_and_one_length; lia).
  split; [now apply next_bits_below|]. unfold halves. now rewrite map_length.
Qed.

Lemma said_step m p : length m = digits A -> good_place p ->
  said_of A m p = said_of A (halves m) (step_place A (lows m) p).
Proof.
  destruct p as [q u]. unfold good_place, said_of, step_place. cbv zeta. simpl. intros Lm [Lq Lu].
  set (s := sums_and_one (lows m) u).
  assert (E : existsb (fun x => x =? 0) (sums m u) =
              existsb (fun x => x =? 0) (sums (halves m) (halves s)) /\
    (existsb (fun x => x =? 0) (sums m u) = false ->
      bits (map Nat.pred (sums m u)) = bits s /\
      halves (map Nat.pred (sums m u)) = map Nat.pred (sums (halves m) (halves s)))).
  { assert (L : length m = length u) by congruence. subst s. clear - L.
    revert u L. induction m as [|x m IH]; intros [|y u]; simpl; intros L; try discriminate; auto.
    destruct (IH u ltac:(lia)) as [E1 E2]. destruct (halved_sum x y) as [H1 H2].
    cbv zeta in H1, H2. split.
    - f_equal; auto.
    - intros O. apply orb_false_elim in O as [O1 O2]. destruct (E2 O2) as [E3 E4].
      apply Nat.eqb_neq in O1. destruct (H2 O1) as [H3 H4].
      rewrite E3, E4, H3, H4. auto. }
  destruct E as [E1 E2]. rewrite <- E1.
  destruct (existsb (fun x => x =? 0) (sums m u)); auto. f_equal.
  destruct (E2 eq_refl) as [E3 E4]. rewrite read_step, E3, E4; auto.
Qed.

Lemma states_step m c : length m = digits A -> good_configuration c ->
  states_of A m c = states_of A (halves m) (step A (lows m) c).
Proof.
  intros L [Q K]. unfold states_of, step. simpl.
  rewrite <- said_step, (all_zero_halves m), andb_assoc, map_map by auto. f_equal.
  apply map_ext_in. intros k I. simpl. rewrite Forall_forall in K. now rewrite <- said_step by auto.
Qed.

Lemma step_good m c : length m = digits A -> good_configuration c ->
  good_configuration (step A (lows m) c).
Proof.
  intros L [Q K]. assert (E : length (lows m) = digits A) by (unfold lows; now rewrite map_length).
  split; simpl; [now apply step_place_good|].
  apply Forall_map. eapply Forall_impl; [|exact K]. intros k. simpl. now apply step_place_good.
Qed.

Lemma search_parts : lasting A (silent F) Nothing = true /\ lasting A (only_N F) SaysN = true /\
  forall i, i < size F -> let c := configuration_at F i in
    states_of A (nothing_more A) c = true /\
    forall b, In b (choices (digits A)) -> listed F (step A b c) = true.
Proof.
  unfold search_ok in F_ok. cbv zeta in F_ok. rewrite !andb_split in F_ok.
  destruct F_ok as [[S O] C]. repeat split; auto; rewrite all_below_spec in C;
    specialize (C i H); apply andb_split in C as [E B]; auto.
  rewrite forallb_forall in B. auto.
Qed.

Lemma said_lasting f s m p : lasting A f s = true -> length m = digits A -> good_place p ->
  f (state p) = true -> said_of A m p = None \/ said_of A m p = Some s.
Proof.
  intros La Lm [S L] Ef. unfold said_of. cbv zeta.
  destruct (existsb _ _); [now left|right]. f_equal.
  apply (lasting_said A A_ok f s La); auto. rewrite map_length, sums_length; congruence.
Qed.

Lemma normal_states m c : length m = digits A -> good_configuration c ->
  states_of A m c = states_of A m (normal F c).
Proof.
  intros L [Q K]. unfold states_of, normal. cbv zeta. simpl. apply judge_same.
  intros [r v] M. rewrite !in_map_iff.
  split; intros (k & E & I); exists k; (split; [exact E|]).
  - apply (sort_in compare_two compare_two_eq), filter_In. split; auto.
    destruct (only_N F (state (place_of k))) eqn:O; auto.
    exfalso. rewrite Forall_forall in K.
    destruct (said_lasting (only_N F) SaysN m (place_of k)) as [S|S]; auto;
      try apply search_parts; inversion E; subst; unfold matters in M; simpl in M;
      rewrite S in M; discriminate.
  - apply (sort_in compare_two compare_two_eq), filter_In in I as [I _]. auto.
Qed.

Lemma normal_good c : good_configuration c -> good_configuration (normal F c).
Proof.
  intros [Q K]. split; auto. unfold normal. cbv zeta. simpl. apply Forall_forall. intros k I.
  apply (sort_in compare_two compare_two_eq), filter_In in I as [I _].
  rewrite Forall_forall in K. auto.
Qed.

(** T2: a configuration that is listed holds for all counts. *)
Theorem listed_holds c m : good_configuration c -> listed F c = true -> length m = digits A ->
  states_of A m c = true.
Proof.
  remember (list_sum m) as n eqn:En. revert c m En.
  induction n as [n IH] using lt_wf_ind. intros c m -> Gc Lc Lm.
  unfold listed in Lc. apply orb_prop in Lc as [S|Lc].
  - unfold states_of. destruct (said_lasting (silent F) Nothing m (question c)) as [E|E];
      try apply search_parts; auto; try apply Gc; rewrite E; reflexivity.
  - cbv zeta in Lc. apply andb_split in Lc as [Li E]. apply Nat.ltb_lt in Li.
    apply equal_configurations_eq in E.
    destruct search_parts as (_ & _ & C). destruct (C _ Li) as [Now Next].
    rewrite <- E in Now, Next.
    rewrite normal_states by auto. pose proof (normal_good c Gc) as Gn.
    destruct (all_zero m) eqn:Z.
    + replace m with (nothing_more A); auto. unfold nothing_more. rewrite <- Lm. clear - Z.
      unfold all_zero in Z. induction m as [|x m IHm]; simpl in *; auto.
      apply andb_split in Z as [Ex Z]. apply Nat.eqb_eq in Ex. subst. now rewrite IHm.
    + rewrite states_step by auto. apply IH with (m := list_sum (halves m)); auto.
      * now apply halves_less.
      * now apply step_good.
      * apply Next. rewrite <- Lm. apply lows_choice.
      * unfold halves. now rewrite map_length.
Qed.

End Closed.
