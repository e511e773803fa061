(** Normal play, where the player who makes the last move wins, and nim-values. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games.
Import ListNotations.

(** The outcome in normal play. A position is a P-position if every option is an N-position, and an
    N-position if some option is a P-position. *)
Inductive normal_P (G : heap_game) (X : position) : Prop :=
| normal_P_by_options : (forall Y, move G X Y -> normal_N G Y) -> normal_P G X
with normal_N (G : heap_game) (X : position) : Prop :=
| normal_N_by_option : forall Y, move G X Y -> normal_P G Y -> normal_N G X.

Lemma normal_P_iff G X : normal_P G X <-> forall Y, move G X Y -> normal_N G Y.
Proof. split; [intros []; auto|now constructor]. Qed.

Lemma normal_N_iff G X : normal_N G X <-> exists Y, move G X Y /\ normal_P G Y.
Proof. split; [intros []; eauto|intros (Y & M & P); econstructor; eauto]. Qed.

Theorem normal_exclusive G X : normal_P G X -> normal_N G X -> False.
Proof.
  induction X as [X IH] using (well_founded_ind (plays_end G)). intros P N.
  rewrite normal_P_iff in P. apply normal_N_iff in N as (Y & M & PY). exact (IH Y M PY (P Y M)).
Qed.

Theorem normal_decided G X : {normal_P G X} + {normal_N G X}.
Proof.
  induction X as [X IH] using (well_founded_induction (plays_end G)).
  assert (D : forall L, (forall Y, In Y L -> move G X Y) ->
    {forall Y, In Y L -> normal_N G Y} + {exists Y, In Y L /\ normal_P G Y}).
  { induction L as [|Y L IHL]; intros H.
    - left. intros Y [].
    - destruct (IH Y (H Y (or_introl eq_refl))) as [P|N].
      + right. exists Y. simpl. auto.
      + destruct IHL as [A|E].
        * intros Z I. apply H. now right.
        * left. intros Z [<-|I]; auto.
        * right. destruct E as (Z & I & P). exists Z. simpl. auto. }
  destruct (D (options G X)) as [A|E].
  - intros Z. apply options_spec.
  - left. apply normal_P_iff. intros Y M. apply A. now apply options_spec.
  - right. apply normal_N_iff. destruct E as (Z & I & P). exists Z. split; auto.
    now apply options_spec.
Qed.

Lemma normal_step G X : normal_P G X <-> forall Y, move G X Y -> ~ normal_P G Y.
Proof.
  rewrite normal_P_iff. split; intros A Y M.
  - intros P. exact (normal_exclusive G Y P (A Y M)).
  - destruct (normal_decided G Y) as [P|]; auto. now apply A in P.
Qed.

(** ** Nim-values *)

Lemma lxor_one_odd q : Nat.lxor (2 * q + 1) 1 = 2 * q.
Proof.
  apply Nat.bits_inj. intros i. rewrite Nat.lxor_spec. destruct i as [|i].
  - rewrite Nat.testbit_odd_0, Nat.testbit_even_0. reflexivity.
  - rewrite Nat.testbit_odd_succ, Nat.testbit_even_succ by lia.
    replace (Nat.testbit 1 (S i)) with false; [apply xorb_false_r|].
    change 1 with (2 * 0 + 1). rewrite Nat.testbit_odd_succ by lia. now rewrite Nat.bits_0.
Qed.

Lemma lxor_smaller a s : s <> 0 -> Nat.testbit a (Nat.log2 s) = true -> Nat.lxor a s < a.
Proof.
  intros S0 B. set (b := Nat.log2 s) in *.
  destruct (Nat.log2_spec s) as [L1 L2]; [lia|]. fold b in L1, L2.
  assert (Pw : 2 ^ b <> 0) by (apply Nat.pow_nonzero; lia).
  assert (S1 : s / 2 ^ b = 1).
  { rewrite Nat.pow_succ_r' in L2. symmetry. apply Nat.div_unique with (s - 2 ^ b); lia. }
  apply Nat.testbit_true in B.
  destruct (le_lt_dec a (Nat.lxor a s)) as [Le|Lt]; auto. exfalso.
  apply (Nat.div_le_mono _ _ (2 ^ b) Pw) in Le. rewrite <- !Nat.shiftr_div_pow2 in *.
  rewrite Nat.shiftr_lxor, S1 in Le.
  rewrite (Nat.div_mod_eq (Nat.shiftr a b) 2), B in Le. rewrite lxor_one_odd in Le. lia.
Qed.

Section NimValues.

Variable G : heap_game.
Variable S : nat -> Prop.
Hypothesis S_closed : forall h o g, S h -> In o (opts G h) -> In g o -> S g.
Variable nim : nat -> nat.

(** The nim-sum of a position. *)
Definition nim_sum (X : position) : nat := fold_right (fun h s => Nat.lxor (nim h) s) 0 X.

(** The nim-value of a heap is the mex of the nim-sums of its options. *)
Hypothesis not_an_option : forall h o, S h -> In o (opts G h) -> nim_sum o <> nim h.
Hypothesis all_smaller : forall h b, S h -> b < nim h -> exists o, In o (opts G h) /\ nim_sum o = b.

Lemma nim_sum_app X Y : nim_sum (X ++ Y) = Nat.lxor (nim_sum X) (nim_sum Y).
Proof. induction X as [|h X IH]; cbn [nim_sum fold_right app].
  - now rewrite Nat.lxor_0_l.
  - fold (nim_sum (X ++ Y)) (nim_sum X). now rewrite IH, Nat.lxor_assoc. Qed.

Lemma nim_sum_exchange A h B o :
  nim_sum (A ++ o ++ B) = Nat.lxor (nim_sum (A ++ h :: B)) (Nat.lxor (nim h) (nim_sum o)).
Proof.
  rewrite !nim_sum_app. change (nim_sum (h :: B)) with (Nat.lxor (nim h) (nim_sum B)).
  rewrite (Nat.lxor_comm (nim h) (nim_sum B)).
  rewrite (Nat.lxor_assoc (nim_sum A)). f_equal.
  rewrite (Nat.lxor_assoc (nim_sum B)).
  rewrite <- (Nat.lxor_assoc (nim h) (nim h)), Nat.lxor_nilpotent, Nat.lxor_0_l.
  apply Nat.lxor_comm.
Qed.

Lemma some_heap_has_bit X b : Nat.testbit (nim_sum X) b = true ->
  exists A h B, X = A ++ h :: B /\ Nat.testbit (nim h) b = true.
Proof.
  induction X as [|h X IH]; simpl.
  - now rewrite Nat.bits_0.
  - rewrite Nat.lxor_spec. destruct (Nat.testbit (nim h) b) eqn:E.
    + intros _. exists [], h, X. auto.
    + rewrite xorb_false_l. intros H. destruct (IH H) as (A & g & B & -> & Eg).
      exists (h :: A), g, B. auto.
Qed.

Theorem nim_sum_zero (X : position) : Forall S X -> (normal_P G X <-> nim_sum X = 0).
Proof.
  assert (Moves : forall X Y, Forall S X -> move G X Y -> Forall S Y).
  { intros X0 Y F (A & h & B & o & -> & I & ->). apply Forall_app in F as [FA F].
    inversion F; subst. rewrite !Forall_app. repeat split; auto. apply Forall_forall. eauto. }
  induction X as [X IH] using (well_founded_ind (plays_end G)). intros F. split.
  - intros P. rewrite normal_P_iff in P.
    destruct (Nat.eq_dec (nim_sum X) 0) as [E|E]; auto. exfalso.
    destruct (some_heap_has_bit X (Nat.log2 (nim_sum X)) (Nat.bit_log2 _ E)) as
      (A & h & B & -> & Bit).
    assert (Sh : S h) by (apply Forall_app in F as [_ F]; now inversion F).
    destruct (all_smaller h _ Sh (lxor_smaller _ _ E Bit)) as (o & I & Eo).
    assert (M : move G (A ++ h :: B) (A ++ o ++ B)) by (exists A, h, B, o; auto).
    apply (normal_exclusive G (A ++ o ++ B)); [|now apply P].
    apply (IH _ M (Moves _ _ F M)). rewrite (nim_sum_exchange A h B o), Eo.
    rewrite <- (Nat.lxor_assoc (nim h) (nim h)), Nat.lxor_nilpotent, Nat.lxor_0_l.
    apply Nat.lxor_nilpotent.
  - intros E. rewrite normal_P_iff. intros Y M. pose proof (Moves _ _ F M) as FY.
    assert (N : nim_sum Y <> 0).
    { destruct M as (A & h & B & o & -> & I & ->). rewrite (nim_sum_exchange A h B o), E.
      rewrite Nat.lxor_0_l. intros Z. apply Nat.lxor_eq in Z.
      assert (Sh : S h) by (apply Forall_app in F as [_ F]; now inversion F).
      now apply (not_an_option h o Sh I). }
    destruct (normal_decided G Y) as [P|]; auto. exfalso. apply N.
    now apply (IH Y M FY).
Qed.

End NimValues.
