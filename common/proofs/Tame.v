(** Tame relative to a heap: from some heap on misère play is no harder than normal play.

    In 0.776 every heap from 11 on has a value in an ideal of the quotient, and there an element is
    in P if and only if its nim-value is 0. Moves leave at most [k] heaps and take at most [d]
    beans. If the values are right to heap [m >= k * n0 + d - 1], then every move in a larger heap
    leaves some heap of at least [n0] beans. So a position with a heap of at least [n0] beans is a
    P-position in misère play if and only if it is one in normal play.

    This is what Theorem 3.9 of Siegel (Structure and classification) says about outcomes. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops Monoid Needs Pairs Heaps Images Finite Repetition
  Periods Normal.
Import ListNotations.

(** What is claimed: the heap [n0], an ideal, the nim-values of elements, for each heap and each
    smaller nim-value the place of an option with it, and a move for all large heaps. *)
Record tameness := Tameness {
  first_heap : nat;
  ideal : nat -> bool;
  nim_of : nat -> nat;
  option_with : nat -> nat -> nat;
  move_taken : nat;
  move_parts : nat }.

(** The ideal is one, and P lies in it as nim-values say. *)
Definition ideal_ok (T : tables) (E : tameness) : bool :=
  all_below (order T) (fun x => if ideal E x then
    Bool.eqb (portion T x) (nim_of E x =? 0) &&
    all_below (generators T) (fun g => ideal E (row T g x)) else true).

(** Nim-values add up. *)
Definition nim_ok (T : tables) (E : tameness) : bool :=
  (nim_of E 0 =? 0) && all_below (generators T) (fun g => let v := nim_of E (row T g 0) in
    all_below (order T) (fun x => nim_of E (row T g x) =? Nat.lxor (nim_of E x) v)).

(** The nim-value of a heap is the mex of those of its options. *)
Definition mex_ok (H : heaps) (E : tameness) (h : nat) : bool :=
  let L := image_of H h in let v := nim_of E (phi H h) in
  all_below (count L) (fun i => negb (nim_of E (elem L i) =? v)) &&
  all_below v (fun b => let i := option_with E h b in
    (i <? count L) && (nim_of E (elem L i) =? b)).

Definition tame_ok (c : code) (T : tables) (H : heaps) (E : tameness) : bool :=
  let m := last_heap H in
  (1 <=? first_heap E) &&
  (Nat.max 2 (most_parts c) * first_heap E + length c <=? m + 2) &&
  ideal_ok T E && nim_ok T E &&
  all_from 0 (m + 1) (mex_ok H E) &&
  all_from (first_heap E) (m + 1 - first_heap E) (fun h => ideal E (phi H h)) &&
  allows c (move_taken E) (move_parts E) && (1 <=? move_parts E) &&
  (move_taken E + move_parts E <=? m + 1).

Section Tame.

Variable c : code.
Variable C : claim.
Hypothesis C_ok : finite_ok c C = true.
Variable E : tameness.

Local Notation T := (claim_tables C).
Local Notation H := (claim_heaps C).
Local Notation G := (game_of_code c).
Local Notation m := (last_heap H).
Local Notation n0 := (first_heap E).
Local Notation ok := (T_ok c C C_ok).
Local Notation num := (number T (phi H)).

Hypothesis E_ok : tame_ok c T H E = true.

Lemma tame_parts : 1 <= n0 /\ Nat.max 2 (most_parts c) * n0 + length c <= m + 2 /\
  ideal_ok T E = true /\ nim_ok T E = true /\
  (forall h, h <= m -> mex_ok H E h = true) /\
  (forall h, n0 <= h -> h <= m -> ideal E (phi H h) = true) /\
  allows c (move_taken E) (move_parts E) = true /\ 1 <= move_parts E /\
  move_taken E + move_parts E <= m + 1.
Proof.
  unfold tame_ok in E_ok. cbv zeta in E_ok. rewrite !andb_split in E_ok.
  destruct E_ok as [[[[[[[[A1 A2] A3] A4] A5] A6] A7] A8] A9]. read_check.
  rewrite all_from_spec in A5, A6. repeat split; auto.
  - intros h L. apply A5; lia.
  - intros h L1 L2. apply A6; lia.
Qed.

Lemma ideal_acts w x : word T w -> x < order T -> ideal E x = true -> ideal E (acts T w x) = true.
Proof.
  destruct tame_parts as (_ & _ & I & _). unfold ideal_ok in I. rewrite all_below_spec in I.
  intros W Lx Ix. induction W as [|g w Lg W IH]; simpl; auto.
  specialize (I _ (acts_below T ok w x W Lx)). rewrite IH in I. apply andb_split in I as [_ I].
  rewrite all_below_spec in I. auto.
Qed.

Lemma ideal_mul x y : x < order T -> y < order T -> ideal E x = true -> ideal E (mul T x y) = true.
Proof.
  intros Lx Ly I. destruct (product_word T ok y Ly) as (w & W & _ & M). rewrite M by auto.
  now apply ideal_acts.
Qed.

Lemma ideal_P x : x < order T -> ideal E x = true -> (portion T x = true <-> nim_of E x = 0).
Proof.
  destruct tame_parts as (_ & _ & I & _). unfold ideal_ok in I. rewrite all_below_spec in I.
  intros Lx Ix. specialize (I x Lx). rewrite Ix in I. apply andb_split in I as [I _].
  apply eqb_prop in I. rewrite I. apply Nat.eqb_eq.
Qed.

Lemma nim_acts w x : word T w -> x < order T ->
  nim_of E (acts T w x) = Nat.lxor (nim_of E x) (nim_of E (acts T w 0)).
Proof.
  destruct tame_parts as (_ & _ & _ & N & _). unfold nim_ok in N.
  apply andb_split in N as [N0 N]. read_check. rewrite all_below_spec in N.
  pose proof (order_positive T ok) as Pos. intros W Lx.
  assert (Step : forall g y, g < generators T -> y < order T ->
    nim_of E (row T g y) = Nat.lxor (nim_of E y) (nim_of E (row T g 0))).
  { intros g y Lg Ly. specialize (N g Lg). cbv zeta in N. rewrite all_below_spec in N.
    apply Nat.eqb_eq. auto. }
  induction W as [|g w Lg W IH]; simpl.
  - now rewrite N0, Nat.lxor_0_r.
  - assert (Bx : acts T w x < order T) by now apply (acts_below T ok).
    assert (B0 : acts T w 0 < order T) by now apply (acts_below T ok).
    rewrite (Step g (acts T w x)), (Step g (acts T w 0)) by auto. rewrite IH.
    now rewrite Nat.lxor_assoc.
Qed.

Lemma nim_mul x y : x < order T -> y < order T ->
  nim_of E (mul T x y) = Nat.lxor (nim_of E x) (nim_of E y).
Proof.
  intros Lx Ly. destruct (product_word T ok y Ly) as (w & W & W0 & M).
  rewrite M, nim_acts by auto. now rewrite W0.
Qed.

Local Notation low_heaps := (heaps_to (greatest C)).

Lemma num_below X : Forall low_heaps X -> num X < order T.
Proof.
  induction 1 as [|h X L F IH]; simpl; [apply (order_positive T ok)|].
  apply (mul_below T ok); auto. apply (values_below c C C_ok). exact L.
Qed.

Lemma nim_num X : Forall low_heaps X -> nim_of E (num X) = nim_sum (fun h => nim_of E (phi H h)) X.
Proof.
  induction 1 as [|h X L F IH].
  - destruct tame_parts as (_ & _ & _ & N & _). unfold nim_ok in N. now read_check.
  - change (num (h :: X)) with (mul T (phi H h) (num X)).
    rewrite nim_mul; [|apply (values_below c C C_ok); exact L|now apply num_below].
    rewrite IH. reflexivity.
Qed.

Lemma ideal_num X : Forall low_heaps X -> Exists (fun h => n0 <= h) X -> ideal E (num X) = true.
Proof.
  intros F. induction 1 as [h X L|h X Ex IH]; inversion F; subst;
    change (num (h :: X)) with (mul T (phi H h) (num X)).
  - apply ideal_mul; auto using num_below.
    + now apply (values_below c C C_ok).
    + now apply tame_parts.
  - rewrite (mul_comm T ok); auto using num_below; [|now apply (values_below c C C_ok)].
    apply ideal_mul; auto using num_below. now apply (values_below c C C_ok).
Qed.

(** To heap [m] the nim-values are right. *)
Lemma normal_to_m X : Forall low_heaps X -> (normal_P G X <-> nim_of E (num X) = 0).
Proof.
  intros F. rewrite nim_num by auto.
  destruct tame_parts as (_ & _ & _ & _ & Mex & _).
  assert (Img : forall h e, h <= m -> (listing_has (image_of H h) e <-> numbers T G (phi H) h e)).
  { intros h e L. apply (image_listed T ok c (claim_splits C) H (values_below c C C_ok)); auto.
    apply (finite_ok_parts c C C_ok). }
  apply (nim_sum_zero G low_heaps (heaps_closed c _)); auto.
  - intros h o L I. specialize (Mex h L). unfold mex_ok in Mex. cbv zeta in Mex.
    apply andb_split in Mex as [A _]. rewrite all_below_spec in A.
    assert (B : listing_has (image_of H h) (num o)) by (apply Img; [exact L|exists o; auto]).
    destruct B as (i & Li & Ei). specialize (A i Li). read_check. rewrite Ei in A.
    rewrite <- nim_num; auto. apply Forall_forall. intros g Ig.
    eapply heaps_closed; eauto.
  - intros h b L Lb. specialize (Mex h L). unfold mex_ok in Mex. cbv zeta in Mex.
    apply andb_split in Mex as [_ A]. rewrite all_below_spec in A. specialize (A b Lb).
    apply andb_split in A as [A1 A2]. apply Nat.ltb_lt in A1. apply Nat.eqb_eq in A2.
    assert (B : numbers T G (phi H) h (elem (image_of H h) (option_with E h b))).
    { apply Img; [exact L|]. eexists. split; [exact A1|reflexivity]. }
    destruct B as (o & I & Eo). exists o. split; auto. rewrite <- nim_num.
    + now rewrite Eo.
    + apply Forall_forall. intros g Ig. eapply heaps_closed; eauto.
Qed.

(** A move in a heap beyond [m] leaves a heap of at least [n0] beans, and there is one. *)
Lemma large_option h o : m < h -> In o (opts G h) -> Exists (fun g => n0 <= g) o.
Proof.
  destruct tame_parts as (P1 & P2 & _). intros L I.
  apply code_options_spec in I as (j & a & Lj & Al & Lo & F & Sum).
  destruct (allows_bound c j a Al) as [La Ld]. apply Exists_exists.
  apply (some_part_at_least o (Nat.max 2 (most_parts c))); lia.
Qed.

Lemma sum_of_ones a : list_sum (repeat 1 a) = a.
Proof. induction a; simpl; auto. Qed.

Lemma large_move h : m < h -> exists o, In o (opts G h).
Proof.
  destruct tame_parts as (_ & _ & _ & _ & _ & _ & Al & P1 & P2). intros L.
  exists ((h - move_taken E - (move_parts E - 1)) :: repeat 1 (move_parts E - 1)).
  apply code_options_spec. exists (move_taken E), (move_parts E).
  repeat split; auto; [lia| | |].
  - simpl. rewrite repeat_length. lia.
  - constructor; [lia|]. apply Forall_forall. intros g I. apply repeat_spec in I. lia.
  - simpl. rewrite sum_of_ones. lia.
Qed.

Lemma low_or_large (X : position) : Forall low_heaps X \/ exists h, In h X /\ m < h.
Proof.
  induction X as [|h X [F|(g & I & L)]]; [left; constructor| |].
  - destruct (le_lt_dec h m); [left; constructor; auto|right; exists h; simpl; auto].
  - right. exists g. simpl. auto.
Qed.

(** With a heap of at least [n0] beans, misère play and normal play have equal P-positions. *)
Theorem tame_outcomes (X : position) : Exists (fun h => n0 <= h) X ->
  (Ppos G X <-> normal_P G X).
Proof.
  induction X as [X IH] using (well_founded_ind (plays_end G)). intros Ex.
  destruct (low_or_large X) as [F|(h & I & L)].
  - rewrite (finite_outcomes c C C_ok X F), (normal_to_m X F).
    apply ideal_P; [now apply num_below|now apply ideal_num].
  - assert (Next : forall Y, move G X Y -> Exists (fun g => n0 <= g) Y).
    { intros Y (A & g & B & o & -> & Io & ->).
      destruct (Nat.eq_dec g h) as [->|D].
      - apply Exists_exists. pose proof (large_option h o L Io) as Lo.
        apply Exists_exists in Lo as (a & Ia & La). exists a. split; auto.
        rewrite !in_app_iff. auto.
      - apply Exists_exists. exists h. split.
        + rewrite !in_app_iff in *. destruct I as [I|[I|I]]; auto. congruence.
        + destruct tame_parts as (P1 & P2 & _). nia. }
    rewrite Ppos_step, normal_step. split.
    + intros [_ A] Y M. rewrite <- (IH Y M (Next Y M)). auto.
    + intros A. split.
      * destruct (large_move h L) as (o & Io). apply in_split in I as (A1 & B1 & ->).
        exists (A1 ++ o ++ B1), A1, h, B1, o. auto.
      * intros Y M. rewrite (IH Y M (Next Y M)). auto.
Qed.

End Tame.
