(** What repeats with a period, as far as a theorem of Guy and Smith asks, repeats for ever.

    The moves of a code leave at most [k] heaps and take at most [d] beans. Let something be known
    of the heaps to [n], such as their values, and let it be the same for heap [r + p] as for heap
    [r], for all [r] from [r0] on with [r + p <= n]. If [k * max (r0, 1) + k * p + d <= n + 1], a move in
    a heap beyond [n] leaves a heap that can be exchanged for one with [p] beans less: a move in a
    heap with [p] beans less. The converse is similar. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops Images.
Import ListNotations.

(** Whether heaps that are the same repeat with [period] from [preperiod] on, as far as the theorem
    asks. *)
Definition repeats_to (c : code) (n : nat) (same : nat -> nat -> bool) (period preperiod : nat) :
    bool :=
  let start := Nat.max 1 preperiod in
  let k := Nat.max 2 (most_parts c) in
  (1 <=? period) && (k * start + k * period + length c <=? n + 2) &&
  all_from preperiod (n + 1 - period - preperiod) (fun r => same (r + period) r).

(** Whether [f] fails somewhere from [a] on, [n] times. *)
Definition fails_from (a n : nat) (f : nat -> bool) : bool := negb (all_from a n f).

(** Whether no smaller period and no smaller preperiod would do. *)
Definition least_repetition (same : nat -> nat -> bool) (period preperiod : nat) : bool :=
  (match preperiod with
   | 0 => true
   | S r => negb (same (r + period) r)
   end) &&
  all_from 1 (period - 1) (fun q =>
    fails_from preperiod period (fun r => same (r + q) r)).

(** ** What goes on for ever *)

Fixpoint shifted {B} (n p : nat) (f : nat -> B) (fuel h : nat) : B :=
  match fuel with
  | 0 => f h
  | S l => if h <=? n then f h else shifted n p f l (h - p)
  end.

(** What [f] is to [n], repeated with period [p] beyond. *)
Definition extended {B} (n p : nat) (f : nat -> B) (h : nat) : B := shifted n p f h h.

Lemma shifted_step {B} n p (f : nat -> B) l h :
  shifted n p f (S l) h = if h <=? n then f h else shifted n p f l (h - p).
Proof. reflexivity. Qed.

Lemma shifted_enough {B} n p (f : nat -> B) : 1 <= p ->
  forall h l, h <= l -> shifted n p f l h = extended n p f h.
Proof.
  intros Lp. unfold extended. induction h as [h IH] using lt_wf_ind. intros l L.
  destruct l as [|l]; [now replace h with 0 by lia|].
  destruct h as [|h].
  - rewrite shifted_step. now destruct (Nat.leb_spec 0 n); [|lia].
  - rewrite !shifted_step. destruct (Nat.leb_spec (S h) n); [reflexivity|].
    rewrite (IH (S h - p)) by lia. symmetry. apply IH; lia.
Qed.

Lemma extended_to {B} n p (f : nat -> B) h : h <= n -> extended n p f h = f h.
Proof.
  intros L. unfold extended. destruct h as [|h]; [reflexivity|]. rewrite shifted_step.
  destruct (Nat.leb_spec (S h) n); [reflexivity|lia].
Qed.

Lemma extended_beyond {B} n p (f : nat -> B) h : 1 <= p -> n < h ->
  extended n p f h = extended n p f (h - p).
Proof.
  intros Lp L. unfold extended at 1. destruct h as [|h]; [lia|]. rewrite shifted_step.
  destruct (Nat.leb_spec (S h) n); [lia|]. apply shifted_enough; lia.
Qed.

Lemma extended_map {B D} n p (f : nat -> B) (g : B -> D) h : 1 <= p ->
  extended n p (fun h => g (f h)) h = g (extended n p f h).
Proof.
  intros Lp. induction h as [h IH] using lt_wf_ind. destruct (le_lt_dec h n) as [L|L].
  - rewrite (extended_to n p f), (extended_to n p (fun h => g (f h))); auto.
  - rewrite !(extended_beyond n p _ h) by auto. apply IH. lia.
Qed.

Lemma some_part_at_least (o : list nat) (k x : nat) :
  length o <= k -> 1 <= k -> k * x <= list_sum o -> 1 <= x -> exists g, In g o /\ x <= g.
Proof.
  intros L K Sum X. destruct (existsb (fun g => x <=? g) o) eqn:E.
  - apply existsb_exists in E as (g & I & Le). apply Nat.leb_le in Le. eauto.
  - exfalso. assert (F : Forall (fun g => g <= x - 1) o).
    { apply Forall_forall. intros g I. destruct (le_lt_dec g (x - 1)) as [Le|Lt]; auto.
      assert (existsb (fun g => x <=? g) o = true); [|congruence].
      apply existsb_exists. exists g. split; auto. apply Nat.leb_le. lia. }
    assert (B : list_sum o <= length o * (x - 1)).
    { clear - F. induction F as [|g o Lg F IH]; simpl; lia. }
    assert (length o * (x - 1) <= k * (x - 1)) by (apply Nat.mul_le_mono_r; lia).
    replace (k * x) with (k * (x - 1) + k) in Sum; [lia|].
    replace x with (S (x - 1)) at 2 by lia. rewrite Nat.mul_succ_r. lia.
Qed.

Lemma parts_exchange a r A g g' B : parts a r (A ++ g :: B) -> 0 < g' ->
  parts a (r - g + g') (A ++ g' :: B).
Proof.
  unfold parts. rewrite !app_length, !list_sum_app, !Forall_app. simpl.
  intros (L & [FA FB] & E) Pos. inversion FB; subst. repeat split; auto; lia.
Qed.

Section Repetition.

Variable c : code.
Variables n p r0 : nat.

Local Notation start := (Nat.max 1 r0).
Local Notation k := (Nat.max 2 (most_parts c)).

Hypothesis period_positive : 1 <= p.
Hypothesis far_enough : k * start + k * p + length c <= n + 2.

Lemma start_before_end : 2 * start + 2 * p <= n + 2.
Proof.
  assert (2 * start <= k * start) by (apply Nat.mul_le_mono_r; lia).
  assert (2 * p <= k * p) by (apply Nat.mul_le_mono_r; lia). lia.
Qed.

(** From the heap [large + p] on, options can be exchanged. *)
Definition large : nat := k * start + (k - 1) * p + length c - 1.

Lemma large_before_end : large + p <= n + 1.
Proof.
  pose proof (Nat.le_max_l 2 (most_parts c)) as K2. pose proof far_enough as Far. unfold large.
  revert K2 Far. generalize k as K, start as s. intros K s K2 Far.
  assert (Kp : K * p = (K - 1) * p + p).
  { replace K with (S (K - 1)) at 1 by lia. simpl. lia. }
  lia.
Qed.

Lemma option_below h o : large <= h -> In o (code_options c (h + p)) ->
  exists A g B, o = A ++ g + p :: B /\ r0 <= g /\ In (A ++ g :: B) (code_options c h).
Proof.
  pose proof (Nat.le_max_l 2 (most_parts c)) as K2.
  pose proof (Nat.le_max_r 2 (most_parts c)) as Km.
  pose proof (Nat.le_max_l 1 r0) as S1. pose proof (Nat.le_max_r 1 r0) as Sr. unfold large.
  revert K2 Km S1 Sr. generalize k as K, start as s. intros K s K2 Km S1 Sr Lr I.
  assert (Kp : K * p = (K - 1) * p + p).
  { replace K with (S (K - 1)) at 1 by lia. simpl. lia. }
  apply code_options_spec in I as (j & a & Lj & Al & P).
  destruct (allows_bound c j a Al) as [La Ld]. pose proof P as (Lo & F & Sum).
  assert (X : exists g, In g o /\ s + p <= g).
  { apply (some_part_at_least o K); rewrite ?Nat.mul_add_distr_l; lia. }
  destruct X as (g & Ig & Lg). apply in_split in Ig as (A & B & ->).
  pose proof (part_at_most (A ++ g :: B) g (in_elt g A B)) as Most.
  exists A, (g - p), B. replace (g - p + p) with g by lia. split; [auto|]. split; [lia|].
  apply code_options_spec. exists j, a. repeat split; auto; [lia| | |].
  all: pose proof (parts_exchange a _ A g (g - p) B P ltac:(lia)) as (P1 & P2 & P3); auto; lia.
Qed.

Lemma option_above h o : large <= h -> In o (code_options c h) ->
  exists A g B, o = A ++ g :: B /\ r0 <= g /\ In (A ++ g + p :: B) (code_options c (h + p)).
Proof.
  pose proof (Nat.le_max_l 2 (most_parts c)) as K2.
  pose proof (Nat.le_max_r 2 (most_parts c)) as Km.
  pose proof (Nat.le_max_l 1 r0) as S1. pose proof (Nat.le_max_r 1 r0) as Sr. unfold large.
  revert K2 Km S1 Sr. generalize k as K, start as s. intros K s K2 Km S1 Sr Lr I.
  apply code_options_spec in I as (j & a & Lj & Al & P).
  destruct (allows_bound c j a Al) as [La Ld]. pose proof P as (Lo & F & Sum).
  assert (X : exists g, In g o /\ s <= g) by (apply (some_part_at_least o K); lia).
  destruct X as (g & Ig & Lg). apply in_split in Ig as (A & B & ->).
  pose proof (part_at_most (A ++ g :: B) g (in_elt g A B)) as Most.
  exists A, g, B. split; [auto|]. split; [lia|].
  apply code_options_spec. exists j, a. repeat split; auto; [lia| | |].
  all: pose proof (parts_exchange a _ A g (g + p) B P ltac:(lia)) as (P1 & P2 & P3); auto; lia.
Qed.

Context {B : Type}.
Variable f : nat -> B.
Hypothesis repeats : forall r, r0 <= r -> r + p <= n -> f (r + p) = f r.

Theorem extended_repeats r : r0 <= r -> extended n p f (r + p) = extended n p f r.
Proof.
  pose proof start_before_end. intros L. destruct (le_lt_dec (r + p) n) as [Le|Lt].
  - rewrite !extended_to by lia. auto.
  - rewrite extended_beyond by lia. f_equal. lia.
Qed.

Lemma extended_times t r : r0 <= r -> extended n p f (r + t * p) = extended n p f r.
Proof.
  intros L. induction t as [|t IH]; [f_equal; lia|].
  rewrite <- IH, <- (extended_repeats (r + t * p)) by lia. f_equal. lia.
Qed.

Variable same : nat -> nat -> bool.
Hypothesis same_iff : forall h g, same h g = true <-> f h = f g.
Hypothesis least : least_repetition same p r0 = true.

(** No smaller period and no smaller preperiod would do. *)
Theorem repetition_least q r : 1 <= q ->
  (forall h, r <= h -> extended n p f (h + q) = extended n p f h) -> p <= q /\ r0 <= r.
Proof.
  intros Lq E. pose proof start_before_end as SB.
  unfold least_repetition in least. apply andb_split in least as [Pre Per].
  assert (Etimes : forall t h, r <= h -> extended n p f (h + t * q) = extended n p f h).
  { intros t h L. induction t as [|t IH]; [f_equal; lia|].
    rewrite <- IH, <- (E (h + t * q)) by lia. f_equal. lia. }
  split.
  - destruct (le_lt_dec p q) as [Le|Lt]; auto. exfalso.
    rewrite all_from_spec in Per. specialize (Per q ltac:(lia) ltac:(lia)).
    unfold fails_from in Per. apply negb_true_iff in Per.
    assert (all_from r0 p (fun h => same (h + q) h) = true); [|congruence].
    apply all_from_spec. intros h L1 L2. apply same_iff.
    rewrite <- (extended_to n p f (h + q)), <- (extended_to n p f h) by lia.
    rewrite <- (extended_times r (h + q)), <- (extended_times r h) by lia.
    rewrite <- (E (h + r * p)); [f_equal; lia|].
    assert (r <= r * p) by (rewrite <- (Nat.mul_1_r r) at 1; apply Nat.mul_le_mono_l; lia). lia.
  - destruct (le_lt_dec r0 r) as [Le|Lt]; auto. exfalso.
    destruct r0 as [|u] eqn:Eu; [lia|]. apply negb_true_iff in Pre.
    assert (f (u + p) = f u) as Q; [|apply same_iff in Q; congruence].
    rewrite <- (extended_to n p f (u + p)), <- (extended_to n p f u) by lia.
    rewrite <- (Etimes p u), <- (Etimes p (u + p)) by lia.
    assert (1 <= p * q).
    { replace 1 with (1 * 1) by auto. now apply Nat.mul_le_mono. }
    replace (u + p + p * q) with (u + p * q + p) by lia.
    rewrite <- Eu in *. apply extended_repeats. lia.
Qed.

End Repetition.
