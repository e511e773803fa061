(** The hypothesis D6 of docs/automata.md: an automaton shows that the misère quotient is
    infinite. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops Automata AutomatonReplies SolvedByAutomaton.
Import ListNotations.

(** Heaps and steps that an automaton reads: the numbers of heaps at the present size and at the
    following ones. *)
Fixpoint read_on (A : automaton) (s : nat) (counts : list nat) : nat :=
  match counts with
  | [] => s
  | k :: counts => read_on A (after_step A (Nat.iter k (after_heap A) s)) counts
  end.

(** What a search names: the size [first_heap], the period of the states of the empty position,
    how often this period may be added until the states repeat, and from where they do; and heaps
    that tell the states apart. *)
Record infinite_claim := InfiniteClaim {
  first_heap : nat;
  heap_period : nat;
  last_repeat : nat;
  repeat_from : nat;
  tell_apart : nat -> list nat }.

(** The state after [k] periods of steps. *)
Definition periods_later (A : automaton) (p k s : nat) : nat :=
  Nat.iter (k * p) (after_step A) s.

(** D6. *)
Definition automaton_infinite_ok (A : automaton) (I : infinite_claim) : bool :=
  let p := heap_period I in
  let q := Nat.iter (first_heap I - 1) (after_step A) 0 in
  let x := after_heap A q in
  let later k := periods_later A p k x in
  (1 <=? first_heap I) && (1 <=? p) && (periods_later A p 1 q =? q) &&
  (1 <=? repeat_from I) && (repeat_from I <? last_repeat I) &&
  (later (repeat_from I) =? later (last_repeat I)) &&
  all_from 1 (last_repeat I) (fun k =>
    xorb (is_P_state A (read_on A x (tell_apart I k)))
      (is_P_state A (read_on A (later k) (tell_apart I k)))).

(** A quotient in which infinitely many heaps are pairwise different has no list of all its
    elements. *)
Theorem distinct_heaps_infinite G (heap : nat -> nat) :
  (forall i j, i <> j -> ~ indistinguishable G all_heaps [heap i] [heap j]) ->
  forall (Q : bipartite_monoid) phi, is_misere_quotient G all_heaps Q phi ->
    ~ exists E : list Q, forall q, In q E.
Proof.
  intros Df Q phi H [E All].
  assert (F : forall X, Forall all_heaps X).
  { intros X. apply Forall_forall. intros h _. exact Logic.I. }
  set (f := fun i => value Q phi [heap i]).
  assert (Inj : forall i j, f i = f j -> i = j).
  { intros i j Eq. destruct (Nat.eq_dec i j) as [|N]; auto. exfalso. apply (Df i j N).
    now apply (quotient_classes _ _ _ _ H). }
  assert (Nd : NoDup (map f (seq 0 (S (length E))))).
  { apply FinFun.Injective_map_NoDup; [exact Inj|apply seq_NoDup]. }
  assert (I : incl (map f (seq 0 (S (length E)))) E) by (intros q _; apply All).
  pose proof (NoDup_incl_length Nd I) as Len. rewrite map_length, seq_length in Len. lia.
Qed.

(** The heaps that are read, from the size [n + 1] on. *)
Fixpoint heaps_read (n : nat) (counts : list nat) : position :=
  match counts with
  | [] => []
  | k :: counts => repeat (S n) k ++ heaps_read (S n) counts
  end.

Lemma heaps_read_sizes counts : forall n,
  Forall (fun h => S n <= h <= n + length counts) (heaps_read n counts).
Proof.
  induction counts as [|k counts IH]; intros n; cbn [heaps_read length]; [constructor|].
  apply Forall_app. split.
  - apply Forall_forall. intros h I. apply repeat_spec in I. lia.
  - specialize (IH (S n)). revert IH. apply Forall_impl. lia.
Qed.

Lemma read_copies heap step X n k :
  read heap step (repeat (S n) k ++ X) n = Nat.iter k heap (read heap step X n).
Proof. induction k as [|k IH]; [reflexivity|]. cbn [repeat app]. now rewrite read_heap, IH. Qed.

Lemma read_counts A counts : forall n X, up_to n X ->
  read (after_heap A) (after_step A) (X ++ heaps_read n counts) (n + length counts) =
  read_on A (read (after_heap A) (after_step A) X n) counts.
Proof.
  induction counts as [|k counts IH]; intros n X U; cbn [heaps_read length read_on].
  - now rewrite app_nil_r, Nat.add_0_r.
  - set (Y := repeat (S n) k ++ X). assert (UY : up_to n Y).
    { apply Forall_app. split; [|exact U]. apply Forall_forall. intros h I.
      apply repeat_spec in I. lia. }
    rewrite (read_permutation _ _ _ (Y ++ heaps_read (S n) counts)).
    2:{ unfold Y. rewrite app_assoc. apply Permutation_app_tail, Permutation_app_comm. }
    replace (n + S (length counts)) with (S n + length counts) by lia.
    rewrite IH by (apply (up_to_later n); [lia|exact UY]).
    rewrite read_step by exact UY. unfold Y. now rewrite read_copies.
Qed.

Section Infinite.

Variable c : code.
Variable C : automaton_claim.
Hypothesis ok : automaton_ok c C = true.

Local Notation G := (game_of_code c).
Local Notation A := (claim_automaton C).
Local Notation state := (read (after_heap A) (after_step A)).

Variable I : infinite_claim.
Hypothesis shown : automaton_infinite_ok A I = true.

Local Notation m := (first_heap I).
Local Notation p := (heap_period I).
Local Notation q := (Nat.iter (first_heap I - 1) (after_step A) 0).
Local Notation x := (after_heap A q).
Local Notation later k := (periods_later A p k x).

Lemma shown_parts : 1 <= m /\ 1 <= p /\ periods_later A p 1 q = q /\
  1 <= repeat_from I /\ repeat_from I < last_repeat I /\
  later (repeat_from I) = later (last_repeat I) /\
  forall k, 1 <= k <= last_repeat I ->
    is_P_state A (read_on A x (tell_apart I k)) <>
    is_P_state A (read_on A (later k) (tell_apart I k)).
Proof.
  pose proof shown as H. unfold automaton_infinite_ok in H. cbv zeta in H.
  rewrite !andb_split in H. destruct H as [[[[[[M P] Q] F] L] E] All]. read_check.
  repeat split; auto. intros k Lk. rewrite all_from_spec in All.
  specialize (All k ltac:(lia) ltac:(lia)). intros Eq. rewrite Eq, xorb_nilpotent in All.
  discriminate.
Qed.

Lemma later_add k l s : periods_later A p (k + l) s = periods_later A p k (periods_later A p l s).
Proof. unfold periods_later. rewrite Nat.mul_add_distr_r. apply iter_add. Qed.

(** All later states are among the first ones. *)
Lemma later_early k : 1 <= k -> exists k', 1 <= k' <= last_repeat I /\ later k = later k'.
Proof.
  destruct shown_parts as (_ & _ & _ & F & L & E & _).
  induction k as [k IH] using lt_wf_ind. intros Lk.
  destruct (Nat.le_gt_cases k (last_repeat I)) as [Le|Gt]; [exists k; auto|].
  set (d := last_repeat I - repeat_from I). destruct (IH (k - d)) as (k' & Lk' & E'); [lia|lia|].
  exists k'. split; [exact Lk'|]. rewrite <- E'.
  replace k with ((k - last_repeat I) + last_repeat I) by lia.
  replace (k - last_repeat I + last_repeat I - d) with ((k - last_repeat I) + repeat_from I) by lia.
  now rewrite !later_add, E.
Qed.

(** At each size [m + i·p] the empty position is in the same state. *)
Lemma empty_state i : state [] (m - 1 + i * p) = q.
Proof.
  destruct shown_parts as (M & _ & Q & _).
  assert (E0 : forall n, state [] n = Nat.iter n (after_step A) 0).
  { induction n as [|n IH]; [reflexivity|]. rewrite read_step by constructor. now rewrite IH. }
  rewrite E0. induction i as [|i IH]; [now rewrite Nat.add_0_r|].
  replace (m - 1 + S i * p) with (p + (m - 1 + i * p)) by (simpl; lia).
  rewrite iter_add, IH. unfold periods_later in Q. now rewrite Nat.mul_1_l in Q.
Qed.

Lemma heap_state i : state [m + i * p] (m - 1 + i * p) = x.
Proof.
  destruct shown_parts as (M & _). replace (m + i * p) with (S (m - 1 + i * p)) by lia.
  now rewrite read_heap, empty_state.
Qed.

Lemma heaps_apart i j : i < j -> ~ indistinguishable G all_heaps [m + i * p] [m + j * p].
Proof.
  intros Lij In. destruct shown_parts as (M & P & _ & _ & _ & _ & All).
  destruct (later_early (j - i) ltac:(lia)) as (k & Lk & Ek).
  set (n := m - 1 + j * p). set (Z := heaps_read n (tell_apart I k)).
  assert (Lm : i * p + (j - i) * p = j * p) by (rewrite <- Nat.mul_add_distr_r; f_equal; lia).
  assert (Ui : up_to n [m + i * p]) by (unfold n; constructor; [lia|constructor]).
  assert (Uj : up_to n [m + j * p]) by (unfold n; constructor; [lia|constructor]).
  set (n' := n + length (tell_apart I k)).
  assert (UZ : forall h, up_to n [h] -> up_to n' ([h] ++ Z)).
  { intros h U. apply Forall_app. split; [apply (up_to_later n); [unfold n'; lia|exact U]|].
    pose proof (heaps_read_sizes (tell_apart I k) n) as F. revert F. apply Forall_impl.
    unfold n'. lia. }
  assert (Says : forall h, up_to n [h] -> (Ppos G ([h] ++ Z) <->
    is_P_state A (read_on A (state [h] n) (tell_apart I k)) = true)).
  { intros h U. rewrite (automaton_decides c C ok).
    rewrite (says_later A (steps_kept c C ok) _ n' (UZ h U)).
    unfold Z, n'. now rewrite read_counts. }
  specialize (In Z ltac:(apply Forall_forall; intros; exact Logic.I)).
  rewrite (Says _ Ui), (Says _ Uj) in In.
  replace (state [m + j * p] n) with x in In by (symmetry; apply heap_state).
  assert (Ei : state [m + i * p] n = later (j - i)).
  { unfold n. replace (m - 1 + j * p) with ((j - i) * p + (m - 1 + i * p)) by lia.
    rewrite read_steps by (constructor; [lia|constructor]). now rewrite heap_state. }
  rewrite Ei, Ek in In. apply (All k Lk).
  destruct (is_P_state A (read_on A x (tell_apart I k))),
    (is_P_state A (read_on A (later k) (tell_apart I k))); intuition congruence.
Qed.

(** The heaps [m], [m + p], [m + 2p], … are pairwise distinguishable, *)
Theorem automaton_heaps_differ i j : i <> j ->
  ~ indistinguishable G all_heaps [m + i * p] [m + j * p].
Proof.
  intros N. destruct (lt_eq_lt_dec i j) as [[L|E]|L]; [now apply heaps_apart|congruence|].
  intros In. apply (heaps_apart j i L). intros Z F. symmetry. now apply In.
Qed.

(** and the misère quotient of the game is infinite: no list has all elements of it. *)
Theorem automaton_quotient_infinite (Q : bipartite_monoid) phi :
  is_misere_quotient G all_heaps Q phi -> ~ exists E : list Q, forall q, In q E.
Proof. apply (distinct_heaps_infinite G (fun i => m + i * p)). exact automaton_heaps_differ. Qed.

End Infinite.
