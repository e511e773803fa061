(** The hypothesis A7 of docs/laws.md: a law shows that the misère quotient is infinite. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops LawCases Laws LawSymbols LawMoves SolvedByLaw
  InfiniteLetters.
Import ListNotations.

(** A7 for a heap [x] that repeats and a sum [D] of heaps: beside [D] and others of great weight
    the outcome depends on whether [x] is free. *)
Definition tells_apart (L : law) (x : nat) (D : list nat) : bool :=
  let f := fact L x in
  let v := unit_sum (map (fact L) D) in
  let e := weight_sum (map (fact L) D) in
  xorb (has_unit (nth (lacking L e (threshold_of f)) (alone_of f) 0) v)
    (has_unit (nth (lacking L (length (first_totals L)) (weight_of f + e)) (totals L) 0)
      (Nat.lxor v (unit_of f))).

(** Whether [x] and [D] show that all multiples of the heap [y] differ. *)
Definition law_infinite_ok (L : law) (x : nat) (D : list nat) (y : nat) : bool :=
  repeats L x && negb (threshold_of (fact L x) =? 0) && negb (weight_of (fact L y) =? 0) &&
  tells_apart L x D.

Section Infinite.

Variable c : code.
Variable C : law_claim.
Hypothesis ok : law_ok c C = true.

Local Notation G := (game_of_code c).
Local Notation L := (claim_law C).
Local Notation s := (law_slope L).
Local Notation p := (law_period L).
Local Notation m := (modulus L).

Variables x y : nat.
Variable D : list nat.
Hypothesis shown : law_infinite_ok L x D y = true.

Local Notation f := (fact L x).
Local Notation w := (weight_of (fact L y)).
Local Notation v := (unit_sum (map (fact L) D)).
Local Notation e := (weight_sum (map (fact L) D)).

Lemma shown_parts : repeats L x = true /\ threshold_of f <> 0 /\ w <> 0 /\ tells_apart L x D = true.
Proof. pose proof shown as H. unfold law_infinite_ok in H. read_check. auto. Qed.

Lemma form_holds : 1 <= p /\ 1 <= m /\ 1 <= s /\ s mod m = 0.
Proof.
  destruct (law_parts c C ok) as (Fo & _). unfold law_form_ok in Fo.
  apply andb_split in Fo as [Fm _]. destruct (form_parts _ _ _ _ Fm) as (? & ? & ? & ? & _). auto.
Qed.

Lemma bounded h : threshold_of (fact L h) <= weight_of (fact L h).
Proof. destruct (law_parts c C ok) as (_ & Th & _). now apply thresholds_bounded. Qed.

Lemma copies_weight k : weight_sum (map (fact L) (repeat y k)) = k * w.
Proof. unfold weight_sum. induction k as [|k IH]; simpl; [auto|]. now rewrite IH. Qed.

Lemma copies_unit k : unit_sum (map (fact L) (repeat y (k + k))) = 0.
Proof.
  rewrite repeat_app, map_app, unit_sum_app. apply Nat.lxor_nilpotent.
Qed.

(** [x] after [t] periods. *)
Lemma later t : fact L (x + p * t) = grown_times s t f.
Proof.
  destruct form_holds as (? & ? & ? & ?). destruct shown_parts as (R & _).
  now apply fact_periods.
Qed.

Definition many (i : nat) : nat := s * i + s * i.

(** The outcomes of a heap that repeats [x], of [D], and of a great number of copies of [y]. *)
Lemma outcomes_differ i j : length (first_totals L) + threshold_of f <= i -> i < j ->
  exists X, ~ (Ppos G (X :: D ++ repeat y (many i)) <-> Ppos G (X :: D ++ repeat y (many j))).
Proof.
  intros Li Lij. destruct form_holds as (Per & Mod & Sl & Res).
  destruct shown_parts as (Rx & Tx & Wy & Ap).
  destruct (slope_multiple L Per Mod Res) as (q & Eq).
  set (W := many i * w). set (V := many j * w).
  assert (Wi : i <= W).
  { unfold W, many. assert (s * i * 1 <= s * i * w) by (apply Nat.mul_le_mono_l; lia).
    assert (1 * i <= s * i) by (apply Nat.mul_le_mono_r; lia).
    rewrite Nat.mul_add_distr_r. lia. }
  assert (WV : W + s <= V).
  { unfold W, V. assert (many i + s <= many j).
    { unfold many. assert (s * (i + 1) <= s * j) by (apply Nat.mul_le_mono_l; lia).
      rewrite Nat.mul_add_distr_l in *. lia. }
    apply Nat.le_trans with ((many i + s) * w); [|now apply Nat.mul_le_mono_r].
    rewrite Nat.mul_add_distr_r. assert (s * 1 <= s * w) by (apply Nat.mul_le_mono_l; lia). lia. }
  set (t := (W + e - threshold_of f) / s + 1).
  assert (St : W + e < threshold_of f + s * t /\ threshold_of f + s * t <= W + e + s).
  { unfold t. pose proof (Nat.div_mod (W + e - threshold_of f) s ltac:(lia)).
    pose proof (Nat.mod_upper_bound (W + e - threshold_of f) s ltac:(lia)).
    rewrite Nat.mul_add_distr_l. lia. }
  destruct St as [S1 S2]. exists (x + p * t).
  assert (Fx : fact L (x + p * t) = HeapFact (unit_of f) (weight_of f + s * t)
    (threshold_of f + s * t) (alone_of f)).
  { rewrite later. unfold grown_times. destruct (Nat.eqb_spec (threshold_of f) 0); congruence. }
  assert (Wd : forall k, weight_sum (map (fact L) (D ++ repeat y (many k))) = many k * w + e).
  { intros k. rewrite map_app, weight_sum_app, copies_weight. lia. }
  assert (Ud : forall k, unit_sum (map (fact L) (D ++ repeat y (many k))) = v).
  { intros k. rewrite map_app, unit_sum_app. unfold many. rewrite copies_unit.
    apply Nat.lxor_0_r. }
  assert (Free : Ppos G ((x + p * t) :: D ++ repeat y (many i)) <->
    has_unit (nth (lacking L e (threshold_of f)) (alone_of f) 0) v = true).
  { rewrite (law_decides_free c C ok) by (rewrite Wd, Fx; fold W; simpl threshold_of; lia).
    rewrite Wd, Ud, Fx. fold W. unfold alone_set. simpl threshold_of. simpl alone_of.
    rewrite (lacking_right L Per Mod Res e (threshold_of f) _ (q * (i + i) * w) (q * t));
      [reflexivity|].
    assert (EW : m * (q * (i + i) * w) = W).
    { unfold W, many. rewrite !Nat.mul_assoc, <- Eq. rewrite !Nat.mul_add_distr_l. reflexivity. }
    assert (Et : m * (q * t) = s * t) by (now rewrite Nat.mul_assoc, <- Eq).
    rewrite EW, Et. lia. }
  assert (Bound : Ppos G ((x + p * t) :: D ++ repeat y (many j)) <->
    has_unit (nth (lacking L (length (first_totals L)) (weight_of f + e)) (totals L) 0)
      (Nat.lxor v (unit_of f)) = true).
  { rewrite (law_decides_not_free c C ok).
    - cbn [map]. set (F := map (fact L) (D ++ repeat y (many j))).
      change (weight_sum (fact L (x + p * t) :: F))
        with (weight_of (fact L (x + p * t)) + weight_sum F).
      change (unit_sum (fact L (x + p * t) :: F))
        with (Nat.lxor (unit_of (fact L (x + p * t))) (unit_sum F)).
      unfold F. rewrite Wd, Ud, Fx. simpl weight_of. simpl unit_of.
      rewrite (Nat.lxor_comm (unit_of f)). unfold total_set, by_total. fold V.
      destruct (Nat.ltb_spec (weight_of f + s * t + (V + e)) (length (first_totals L))); [lia|].
      rewrite (lacking_right L Per Mod Res (length (first_totals L)) (weight_of f + e) _ 0
        (q * t + q * (j + j) * w)); [reflexivity|].
      assert (EV : m * (q * (j + j) * w) = V).
      { unfold V, many. rewrite !Nat.mul_assoc, <- Eq. rewrite !Nat.mul_add_distr_l. reflexivity. }
      assert (Et : m * (q * t) = s * t) by (now rewrite Nat.mul_assoc, <- Eq).
      rewrite Nat.mul_add_distr_l, EV, Et. lia.
    - intros h A B E. destruct A as [|a A]; simpl in E; inversion E as [[E1 E2]].
      + simpl app. rewrite Wd, Fx. fold V. simpl threshold_of. lia.
      + cbn [app map].
        change (weight_sum (fact L (x + p * t) :: map (fact L) (A ++ B)))
          with (weight_of (fact L (x + p * t)) + weight_sum (map (fact L) (A ++ B))).
        pose proof (bounded x) as Bx. rewrite Fx. simpl weight_of.
        assert (Ih : In h (D ++ repeat y (many j))) by (rewrite E2; apply in_elt).
        pose proof (bounded h) as Bh. apply in_app_or in Ih as [Ih|Ih].
        * pose proof (weight_in _ _ (in_map (fact L) D h Ih)). lia.
        * apply repeat_spec in Ih. subst h.
          assert (w <= W); [|lia]. unfold W.
          assert (1 * w <= many i * w); [|lia]. apply Nat.mul_le_mono_r.
          assert (1 * 1 <= s * i); [|unfold many; lia]. apply Nat.mul_le_mono; lia. }
  rewrite Free, Bound. clear Free Bound. unfold tells_apart in Ap. cbv zeta in Ap.
  destruct (has_unit (nth (lacking L e (threshold_of f)) (alone_of f) 0) v);
    destruct (has_unit (nth (lacking L (length (first_totals L)) (weight_of f + e)) (totals L) 0)
      (Nat.lxor v (unit_of f))); try discriminate; intros [H H']; intuition discriminate.
Qed.

(** No two multiples of [y] are indistinguishable. *)
Lemma multiples_apart k l : k < l ->
  ~ indistinguishable G all_heaps (repeat y k) (repeat y l).
Proof.
  intros Lt I. destruct form_holds as (_ & _ & Sl & _).
  assert (More : forall n Z, Ppos G (repeat y k ++ Z) <->
    Ppos G (repeat y (k + n * (l - k)) ++ Z)).
  { induction n as [|n IH]; intros Z; [now rewrite Nat.add_0_r|].
    rewrite (IH Z). replace (k + S n * (l - k)) with (l + n * (l - k)) by lia.
    rewrite (repeat_app y k), (repeat_app y l), <- !app_assoc. apply I.
    apply Forall_forall. intros ? _. exact Logic.I. }
  set (i := length (first_totals L) + threshold_of f + k).
  destruct (outcomes_differ i (i + (l - k))) as (X & N); [unfold i; lia|lia|]. apply N.
  assert (Lk : k <= many i).
  { assert (1 * i <= s * i) by (apply Nat.mul_le_mono_r; lia). unfold many. unfold i in *. lia. }
  assert (Pm : forall n, Permutation (X :: D ++ repeat y n) (repeat y n ++ (X :: D))).
  { intros n. apply (Permutation_app_comm (X :: D)). }
  rewrite (Ppos_permutation _ _ _ (Pm (many i))).
  rewrite (Ppos_permutation _ _ _ (Pm (many (i + (l - k))))).
  replace (many i) with (k + (many i - k)) by lia.
  replace (many (i + (l - k))) with ((k + (s + s) * (l - k)) + (many i - k)) by
    (unfold many in *; rewrite !Nat.mul_add_distr_l, !Nat.mul_add_distr_r; lia).
  rewrite (repeat_app y k), (repeat_app y (k + _)), <- !app_assoc. apply More.
Qed.

Theorem law_multiples k l : k <> l ->
  ~ indistinguishable G all_heaps (repeat y k) (repeat y l).
Proof.
  intros N. destruct (lt_eq_lt_dec k l) as [[Lt|E]|Lt]; [now apply multiples_apart|congruence|].
  intros I. apply (multiples_apart l k Lt). intros Z F. symmetry. now apply I.
Qed.

(** The misère quotient of the game is infinite: no list has all elements of it. *)
Theorem law_quotient_infinite (Q : bipartite_monoid) phi : is_misere_quotient G all_heaps Q phi ->
  ~ exists E : list Q, forall q, In q E.
Proof. apply (distinct_multiples_infinite G all_heaps y); [exact Logic.I|exact law_multiples]. Qed.

End Infinite.
