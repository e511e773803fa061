(** The misère Guy–Smith theorem: from finitely many values to all heaps.

    The moves of a code leave at most [k] heaps and take at most [d] beans. Let the values of the
    heaps to [n] be right, and let the heaps [r + p] and [r] have one value for all [r] from
    [r0 >= 1] on with [r + p <= n]. If [k * r0 + k * p + d <= n + 1], this goes on for ever, and the
    misère quotient of the heaps to [n] is the misère quotient of all heaps.

    By [Repetition] heap [r + p], if it is beyond [n], has the option values of heap [r]. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops Monoid Needs Pairs Heaps Images Finite Repetition.
Import ListNotations.

(** Whether heaps have equal values, and repeat with [period] from [preperiod] on, as far as the
    theorem of [Repetition] asks. *)
Definition equal_values (H : heaps) (h g : nat) : bool := phi H h =? phi H g.

Definition repeats_ok (c : code) (H : heaps) (period preperiod : nat) : bool :=
  repeats_to c (last_heap H) (equal_values H) period preperiod.

(** Whether no smaller period and no smaller preperiod would do. *)
Definition least_ok (H : heaps) (period preperiod : nat) : bool :=
  least_repetition (equal_values H) period preperiod.

Definition period_ok (c : code) (H : heaps) (period preperiod : nat) : bool :=
  repeats_ok c H period preperiod && least_ok H period preperiod.

Section Periods.

Variable c : code.
Variable C : claim.
Hypothesis C_ok : finite_ok c C = true.
Variables p r0 : nat.

Local Notation T := (claim_tables C).
Local Notation N := (claim_needs C).
Local Notation H := (claim_heaps C).
Local Notation G := (game_of_code c).
Local Notation n := (last_heap H).

Hypothesis R_ok : repeats_ok c H p r0 = true.

(** The pretending function of all heaps. *)
Definition phi_all : nat -> nat := extended n p (phi H).

Local Notation start := (Nat.max 1 r0).
Local Notation k := (Nat.max 2 (most_parts c)).

Lemma repeats_parts : 1 <= p /\ k * start + k * p + length c <= n + 2 /\
  forall r, r0 <= r -> r + p <= n -> phi H (r + p) = phi H r.
Proof.
  unfold repeats_ok, repeats_to in R_ok. cbv zeta in R_ok. rewrite !andb_split in R_ok.
  destruct R_ok as [[A B] E]. read_check. rewrite all_from_spec in E.
  repeat split; auto. intros r L M. apply Nat.eqb_eq, E; lia.
Qed.

Theorem phi_all_repeats r : r0 <= r -> phi_all (r + p) = phi_all r.
Proof.
  destruct repeats_parts as (Lp & Far & E).
  exact (extended_repeats c n p r0 Lp Far (phi H) E r).
Qed.

Lemma phi_all_to h : h <= n -> phi_all h = phi H h.
Proof. apply extended_to. Qed.

Lemma number_exchange A g g' B : phi_all g = phi_all g' ->
  number T phi_all (A ++ g :: B) = number T phi_all (A ++ g' :: B).
Proof. intros E. induction A as [|a A IH]; simpl; [now rewrite E|now rewrite IH]. Qed.

Lemma numbers_repeat h e : large c p r0 <= h ->
  (numbers T G phi_all (h + p) e <-> numbers T G phi_all h e).
Proof.
  destruct repeats_parts as (Lp & Far & _). intros L. unfold numbers. split; intros (o & I & <-).
  - destruct (option_below c n p r0 Lp Far h o L I) as (A & g & B & -> & Lg & I').
    exists (A ++ g :: B). split; auto. apply number_exchange. now rewrite phi_all_repeats.
  - destruct (option_above c n p r0 Lp Far h o L I) as (A & g & B & -> & Lg & I').
    exists (A ++ g + p :: B). split; auto. apply number_exchange. now apply phi_all_repeats.
Qed.

Lemma numbers_to h e : h <= n ->
  (numbers T G phi_all h e <-> numbers T G (phi H) h e).
Proof.
  intros L. assert (E : forall o, In o (opts G h) -> number T phi_all o = number T (phi H) o).
  { intros o I. assert (F : forall g, In g o -> g <= n).
    { intros g Ig. pose proof (opts_smaller G h o g I Ig). lia. }
    clear I. induction o as [|g o IH]; simpl; auto. rewrite IH, phi_all_to; auto.
    - apply F. now left.
    - intros x Ix. apply F. now right. }
  unfold numbers. split; intros (o & I & V); exists o; split; auto; rewrite <- V; auto.
  symmetry. auto.
Qed.

Lemma all_pairs_good h : good_pair T N (phi_all h) (numbers T G phi_all h).
Proof.
  destruct repeats_parts as (Lp & Far & _).
  pose proof (large_before_end c n p r0 Lp Far) as Large.
  pose proof (start_before_end c n p r0 Lp Far) as Start.
  induction h as [h IH] using lt_wf_ind. destruct (le_lt_dec h n) as [Le|Lt].
  - rewrite phi_all_to by auto.
    apply good_pair_same with (E := numbers T G (phi H) h).
    + intros e. symmetry. now apply numbers_to.
    + now apply (pairs_good c C C_ok).
  - specialize (IH (h - p) ltac:(lia)).
    replace (phi_all h) with (phi_all (h - p)).
    + apply good_pair_same with (2 := IH). intros e.
      rewrite <- numbers_repeat by lia. now replace (h - p + p) with h by lia.
    + symmetry. replace h with (h - p + p) at 1 by lia. apply phi_all_repeats. lia.
Qed.

(** The tables and the extended values are the misère quotient of the whole game. *)
Theorem solved_quotient :
  is_misere_quotient G all_heaps (monoid_of_tables T (T_ok c C C_ok))
    (pretending T (T_ok c C C_ok) phi_all).
Proof.
  apply (tables_are_quotient T N (T_ok c C C_ok) (N_ok c C C_ok) G) with (t := claim_tests C).
  - intros. exact I.
  - intros h _. exact (good_value _ _ _ _ (all_pairs_good h)).
  - intros h _. apply all_pairs_good.
  - intros g L. destruct (heaps_generate T N H (H_ok c C C_ok) g L) as (h & Lh & E).
    exists h. split; [exact I|]. now rewrite phi_all_to.
  - apply (finite_ok_parts c C C_ok).
Qed.

(** The outcome of every position of the game. *)
Theorem solved_outcomes X : Ppos G X <-> portion T (number T phi_all X) = true.
Proof.
  assert (F : Forall all_heaps X) by (apply Forall_forall; intros; exact I).
  assert (V : forall h, all_heaps h -> phi_all h < order T).
  { intros h _. exact (good_value _ _ _ _ (all_pairs_good h)). }
  rewrite (outcomes_predicted T N (T_ok c C C_ok) (N_ok c C C_ok) G all_heaps
    (fun _ _ _ _ _ _ => I) phi_all V (fun h _ => all_pairs_good h) X F).
  now rewrite (raw_value T (T_ok c C C_ok) all_heaps phi_all V X F).
Qed.

Hypothesis L_ok : least_ok H p r0 = true.

(** No smaller period and no smaller preperiod would do. *)
Theorem period_least q r : 1 <= q -> (forall h, r <= h -> phi_all (h + q) = phi_all h) ->
  p <= q /\ r0 <= r.
Proof.
  destruct repeats_parts as (Lp & Far & E).
  apply (repetition_least c n p r0 Lp Far (phi H) E (equal_values H)); [|exact L_ok].
  intros h g. apply Nat.eqb_eq.
Qed.

End Periods.
