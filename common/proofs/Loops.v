(** Bounded loops that can be run, with what they mean. *)

From Coq Require Import Arith Bool Lia List.
Import ListNotations.

(** Whether [f] holds below [n]. *)
Fixpoint all_below (n : nat) (f : nat -> bool) : bool :=
  match n with
  | 0 => true
  | S k => if f k then all_below k f else false
  end.

Lemma all_below_spec n f : all_below n f = true <-> forall i, i < n -> f i = true.
Proof.
  induction n as [|n IH]; simpl.
  - split; [intros _ i L; lia|auto].
  - destruct (f n) eqn:E.
    + rewrite IH. split; intros H i L; [|apply H; lia].
      destruct (Nat.eq_dec i n) as [->|N]; [auto|]. apply H. lia.
    + split; [discriminate|]. intros H. rewrite <- E. apply H. lia.
Qed.

(** Whether [f] holds from [a] on, [n] times. *)
Fixpoint all_from (a n : nat) (f : nat -> bool) : bool :=
  match n with
  | 0 => true
  | S k => if f a then all_from (S a) k f else false
  end.

Lemma all_from_spec n : forall a f,
  all_from a n f = true <-> forall i, a <= i -> i < a + n -> f i = true.
Proof.
  induction n as [|n IH]; simpl; intros a f.
  - split; [intros _ i L M; lia|auto].
  - destruct (f a) eqn:E.
    + rewrite IH. split; intros H i L M.
      * destruct (Nat.eq_dec i a) as [->|N]; [auto|]. apply H; lia.
      * apply H; lia.
    + split; [discriminate|]. intros H. rewrite <- E. apply H; lia.
Qed.

Lemma andb_split a b : a && b = true <-> a = true /\ b = true.
Proof. apply andb_true_iff. Qed.

(** Reads a checked condition as a proposition. *)
Ltac read_check :=
  repeat match goal with
  | H : _ && _ = true |- _ => apply andb_split in H; destruct H
  | H : (_ =? _) = true |- _ => apply Nat.eqb_eq in H
  | H : (_ <? _) = true |- _ => apply Nat.ltb_lt in H
  | H : (_ <=? _) = true |- _ => apply Nat.leb_le in H
  | H : negb _ = true |- _ => apply negb_true_iff in H
  | H : (_ =? _) = false |- _ => apply Nat.eqb_neq in H
  end.
