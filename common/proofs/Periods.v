(** The misère Guy–Smith theorem: from finitely many values to all heaps.

    The moves of a code leave at most [k] heaps and take at most [d] beans. Let the values of the
    heaps to [n] be right, and let the value of heap [r + p] be that of heap [r] for all [r] from
    [r0 >= 1] on with [r + p <= n]. If [k * r0 + k * p + d <= n + 1], this goes on for ever, and the
    misère quotient of the heaps to [n] is the misère quotient of all heaps.

    An option of heap [r + p] beyond [n] has a heap of at least [r0 + p] beans, which can be
    exchanged for one with [p] beans less: an option of heap [r] with the same value. The converse
    is similar. So heap [r + p] has the option values of heap [r]. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops Monoid Needs Pairs Heaps Images Finite.
Import ListNotations.

(** Whether the values repeat with [period] from [preperiod] on, as far as the theorem asks. *)
Definition repeats_ok (c : code) (H : heaps) (period preperiod : nat) : bool :=
  let n := last_heap H in
  let start := Nat.max 1 preperiod in
  let k := Nat.max 2 (most_parts c) in
  (1 <=? period) && (k * start + k * period + length c <=? n + 2) &&
  all_from preperiod (n + 1 - period - preperiod) (fun r => phi H (r + period) =? phi H r).

(** Whether [f] fails somewhere from [a] on, [n] times. *)
Definition fails_from (a n : nat) (f : nat -> bool) : bool := negb (all_from a n f).

(** Whether no smaller period and no smaller preperiod would do. *)
Definition least_ok (H : heaps) (period preperiod : nat) : bool :=
  (match preperiod with
   | 0 => true
   | S r => negb (phi H (r + period) =? phi H r)
   end) &&
  all_from 1 (period - 1) (fun q =>
    fails_from preperiod period (fun r => phi H (r + q) =? phi H r)).

Definition period_ok (c : code) (H : heaps) (period preperiod : nat) : bool :=
  repeats_ok c H period preperiod && least_ok H period preperiod.

(** ** The extended pretending function *)

Fixpoint shifted (n p : nat) (f : nat -> nat) (fuel h : nat) : nat :=
  match fuel with
  | 0 => f h
  | S l => if h <=? n then f h else shifted n p f l (h - p)
  end.

(** The values to [n], repeated with period [p] beyond. *)
Definition extended (n p : nat) (f : nat -> nat) (h : nat) : nat := shifted n p f h h.

Lemma shifted_step n p f l h :
  shifted n p f (S l) h = if h <=? n then f h else shifted n p f l (h - p).
Proof. reflexivity. Qed.

Lemma shifted_enough n p f : 1 <= p -> forall h l, h <= l -> shifted n p f l h = extended n p f h.
Proof.
  intros Lp. unfold extended. induction h as [h IH] using lt_wf_ind. intros l L.
  destruct l as [|l]; [now replace h with 0 by lia|].
  destruct h as [|h].
  - rewrite shifted_step. now destruct (Nat.leb_spec 0 n); [|lia].
  - rewrite !shifted_step. destruct (Nat.leb_spec (S h) n); [reflexivity|].
    rewrite (IH (S h - p)) by lia. symmetry. apply IH; lia.
Qed.

Lemma extended_to n p f h : h <= n -> extended n p f h = f h.
Proof.
  intros L. unfold extended. destruct h as [|h]; [reflexivity|]. rewrite shifted_step.
  destruct (Nat.leb_spec (S h) n); [reflexivity|lia].
Qed.

Lemma extended_beyond n p f h : 1 <= p -> n < h -> extended n p f h = extended n p f (h - p).
Proof.
  intros Lp L. unfold extended at 1. destruct h as [|h]; [lia|]. rewrite shifted_step.
  destruct (Nat.leb_spec (S h) n); [lia|]. apply shifted_enough; lia.
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
  unfold repeats_ok in R_ok. cbv zeta in R_ok. rewrite !andb_split in R_ok.
  destruct R_ok as [[A B] E]. read_check. rewrite all_from_spec in E.
  repeat split; auto. intros r L M. apply Nat.eqb_eq, E; lia.
Qed.

Lemma start_before_end : 2 * start + 2 * p <= n + 2.
Proof.
  destruct repeats_parts as (A & B & _).
  assert (2 * start <= k * start) by (apply Nat.mul_le_mono_r; lia).
  assert (2 * p <= k * p) by (apply Nat.mul_le_mono_r; lia). lia.
Qed.

Theorem phi_all_repeats r : r0 <= r -> phi_all (r + p) = phi_all r.
Proof.
  destruct repeats_parts as (A & B & E). pose proof start_before_end. intros L. unfold phi_all.
  destruct (le_lt_dec (r + p) n) as [Le|Lt].
  - rewrite !extended_to by lia. auto.
  - rewrite extended_beyond by lia. f_equal. lia.
Qed.

Lemma phi_all_to h : h <= n -> phi_all h = phi H h.
Proof. apply extended_to. Qed.

Lemma number_exchange A g g' B : phi_all g = phi_all g' ->
  number T phi_all (A ++ g :: B) = number T phi_all (A ++ g' :: B).
Proof. intros E. induction A as [|a A IH]; simpl; [now rewrite E|now rewrite IH]. Qed.

Lemma parts_exchange a r A g g' B : parts a r (A ++ g :: B) -> 0 < g' ->
  parts a (r - g + g') (A ++ g' :: B).
Proof.
  unfold parts. rewrite !app_length, !list_sum_app, !Forall_app. simpl.
  intros (L & [FA FB] & E) Pos. inversion FB; subst. repeat split; auto; lia.
Qed.

Lemma numbers_repeat r e : k * start + (k - 1) * p + length c <= r + 1 ->
  (numbers T G phi_all (r + p) e <-> numbers T G phi_all r e).
Proof.
  destruct repeats_parts as (Lp & _ & _). intros Lr.
  assert (K2 : 2 <= k) by apply Nat.le_max_l. assert (Km : most_parts c <= k) by apply Nat.le_max_r.
  assert (S1 : 1 <= start) by apply Nat.le_max_l. assert (Sr : r0 <= start) by apply Nat.le_max_r.
  revert Lr K2 Km S1 Sr. generalize k as K, start as s. intros K s Lr K2 Km S1 Sr.
  assert (Kp : K * p = (K - 1) * p + p).
  { replace K with (S (K - 1)) at 1 by lia. simpl. lia. }
  unfold numbers. split; intros (o & I & <-);
    apply code_options_spec in I as (j & a & Lj & Al & P);
    destruct (allows_bound c j a Al) as [La Ld];
    pose proof P as (Lo & F & Sum).
  - assert (X : exists g, In g o /\ s + p <= g).
    { apply (some_part_at_least o K); rewrite ?Nat.mul_add_distr_l; lia. }
    destruct X as (g & Ig & Lg). apply in_split in Ig as (A & B & ->).
    pose proof (part_at_most (A ++ g :: B) g (in_elt g A B)) as Most.
    exists (A ++ (g - p) :: B). split.
    + apply code_options_spec. exists j, a. repeat split; auto; [lia| | |].
      all: pose proof (parts_exchange a _ A g (g - p) B P ltac:(lia)) as (P1 & P2 & P3);
        auto; lia.
    + apply number_exchange. rewrite <- (phi_all_repeats (g - p)) by lia. f_equal. lia.
  - assert (X : exists g, In g o /\ s <= g) by (apply (some_part_at_least o K); lia).
    destruct X as (g & Ig & Lg). apply in_split in Ig as (A & B & ->).
    pose proof (part_at_most (A ++ g :: B) g (in_elt g A B)) as Most.
    exists (A ++ (g + p) :: B). split.
    + apply code_options_spec. exists j, a. repeat split; auto; [lia| | |].
      all: pose proof (parts_exchange a _ A g (g + p) B P ltac:(lia)) as (P1 & P2 & P3);
        auto; lia.
    + apply number_exchange. apply phi_all_repeats. lia.
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
  destruct repeats_parts as (Lp & B & _).
  assert (Kp : k * p = (k - 1) * p + p).
  { replace k with (S (k - 1)) at 1 by lia. simpl. lia. }
  induction h as [h IH] using lt_wf_ind. destruct (le_lt_dec h n) as [Le|Lt].
  - rewrite phi_all_to by auto.
    apply good_pair_same with (E := numbers T G (phi H) h).
    + intros e. symmetry. now apply numbers_to.
    + now apply (pairs_good c C C_ok).
  - pose proof start_before_end. specialize (IH (h - p) ltac:(lia)).
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

Lemma phi_all_times t r : r0 <= r -> phi_all (r + t * p) = phi_all r.
Proof.
  intros L. induction t as [|t IH]; [f_equal; lia|].
  rewrite <- IH, <- (phi_all_repeats (r + t * p)) by lia. f_equal. lia.
Qed.

(** No smaller period and no smaller preperiod would do. *)
Theorem period_least q r : 1 <= q -> (forall h, r <= h -> phi_all (h + q) = phi_all h) ->
  p <= q /\ r0 <= r.
Proof.
  intros Lq E. destruct repeats_parts as (Lp & B & _). pose proof start_before_end as SB.
  unfold least_ok in L_ok. apply andb_split in L_ok as [Pre Per].
  assert (Etimes : forall t h, r <= h -> phi_all (h + t * q) = phi_all h).
  { intros t h L. induction t as [|t IH]; [f_equal; lia|].
    rewrite <- IH, <- (E (h + t * q)) by lia. f_equal. lia. }
  split.
  - destruct (le_lt_dec p q) as [Le|Lt]; auto. exfalso.
    rewrite all_from_spec in Per. specialize (Per q ltac:(lia) ltac:(lia)).
    unfold fails_from in Per. apply negb_true_iff in Per.
    assert (all_from r0 p (fun h => phi H (h + q) =? phi H h) = true); [|congruence].
    apply all_from_spec. intros h L1 L2. apply Nat.eqb_eq.
    rewrite <- !phi_all_to by lia.
    rewrite <- (phi_all_times r (h + q)), <- (phi_all_times r h) by lia.
    rewrite <- (E (h + r * p)); [f_equal; lia|].
    assert (r <= r * p) by (rewrite <- (Nat.mul_1_r r) at 1; apply Nat.mul_le_mono_l; lia). lia.
  - destruct (le_lt_dec r0 r) as [Le|Lt]; auto. exfalso.
    destruct r0 as [|u] eqn:Eu; [lia|]. apply negb_true_iff, Nat.eqb_neq in Pre. apply Pre.
    rewrite <- !phi_all_to by lia.
    rewrite <- (Etimes p u), <- (Etimes p (u + p)) by lia.
    assert (1 <= p * q).
    { replace 1 with (1 * 1) by auto. now apply Nat.mul_le_mono. }
    replace (u + p + p * q) with (u + p * q + p) by lia.
    rewrite <- Eu in *. apply phi_all_repeats. lia.
Qed.

End Periods.
