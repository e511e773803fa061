(** Are these tables a reduced bipartite monoid?

    Claimed are a row for each generator, with the elements [0, …, m - 1] and the identity 0. Rows
    that commute, and by which every element is reached from 0, are the multiplications of one
    commutative monoid by its generators. The tree by which elements are reached, the rows of
    products that are kept and the tests that tell elements apart come from an untrusted search. *)

From Coq Require Import List Arith Bool Lia Eqdep_dec.
From Misere Require Import Games Loops.
Import ListNotations.

(** Tables, and what an untrusted search adds to them: the element before each element but 0, the
    generator that leads on from there, the length of the way, and the products of some elements,
    whose rows are kept, with all others. *)
Record tables := Tables {
  order : nat;
  generators : nat;
  row : nat -> nat -> nat;
  portion : nat -> bool;
  before : nat -> nat;
  step : nat -> nat;
  depth : nat -> nat;
  kept : nat -> bool;
  kept_row : nat -> nat -> nat }.

Definition rows_ok (T : tables) : bool :=
  all_below (generators T) (fun g => all_below (order T) (fun x => row T g x <? order T)).

Definition commute_ok (T : tables) : bool :=
  all_below (generators T) (fun g => all_below g (fun h => all_below (order T) (fun x =>
    row T g (row T h x) =? row T h (row T g x)))).

Definition tree_ok (T : tables) : bool :=
  all_below (order T) (fun y => if y =? 0 then true else
    (step T y <? generators T) && (before T y <? order T) &&
    (depth T (before T y) <? depth T y) && (row T (step T y) (before T y) =? y)).

Definition products_ok (T : tables) : bool :=
  all_below (order T) (fun x => if kept T x then (kept_row T x 0 =? x) &&
    all_below (order T) (fun y => if y =? 0 then true else
      kept_row T x y =? row T (step T y) (kept_row T x (before T y))) else true).

(** The product of [x] with [y], one generator of [y] after the other. *)
Fixpoint walk (T : tables) (length x y : nat) : nat :=
  match length with
  | 0 => x
  | S l => if y =? 0 then x else row T (step T y) (walk T l x (before T y))
  end.

(** The product of two elements: at once if the row of one of them is kept. *)
Definition mul (T : tables) (x y : nat) : nat :=
  if kept T x then kept_row T x y
  else if kept T y then kept_row T y x
  else walk T (depth T y) x y.

Definition monoid_ok (T : tables) : bool :=
  (0 <? order T) && negb (portion T 0) &&
  rows_ok T && tree_ok T && commute_ok T && products_ok T.

(** Tests that tell elements apart: [Test z a b] asks whether [x * z] is in P. *)
Inductive tests :=
| Found (x : nat)
| Test (z : nat) (inside outside : tests).

Fixpoint find (T : tables) (t : tests) (x : nat) : nat :=
  match t with
  | Found y => y
  | Test z inside outside => find T (if portion T (mul T x z) then inside else outside) x
  end.

Fixpoint tests_below (n : nat) (t : tests) : bool :=
  match t with
  | Found _ => true
  | Test z inside outside => (z <? n) && tests_below n inside && tests_below n outside
  end.

Definition reduced_ok (T : tables) (t : tests) : bool :=
  tests_below (order T) t && all_below (order T) (fun x => find T t x =? x).

Section Monoid.

Variable T : tables.
Hypothesis ok : monoid_ok T = true.

Local Notation m := (order T).

Lemma ok_parts : 0 < m /\ portion T 0 = false /\
  (forall g x, g < generators T -> x < m -> row T g x < m) /\
  (forall y, y < m -> y <> 0 -> step T y < generators T /\ before T y < m /\
    depth T (before T y) < depth T y /\ row T (step T y) (before T y) = y) /\
  (forall g h x, g < generators T -> h < g -> x < m ->
    row T g (row T h x) = row T h (row T g x)) /\
  (forall x, x < m -> kept T x = true -> kept_row T x 0 = x) /\
  (forall x y, x < m -> kept T x = true -> y < m -> y <> 0 ->
    kept_row T x y = row T (step T y) (kept_row T x (before T y))).
Proof.
  unfold monoid_ok in ok. rewrite !andb_split in ok.
  destruct ok as [[[[[L P0] R] Tr] C] Pr]. clear ok. read_check.
  split; [auto|]. split; [auto|]. repeat split.
  - unfold rows_ok in R. rewrite all_below_spec in R. intros g x Lg Lx. specialize (R g Lg).
    rewrite all_below_spec in R. specialize (R x Lx). now read_check.
  - unfold tree_ok in Tr. rewrite all_below_spec in Tr. specialize (Tr y H).
    destruct (Nat.eqb_spec y 0); [tauto|]. now read_check.
  - unfold tree_ok in Tr. rewrite all_below_spec in Tr. specialize (Tr y H).
    destruct (Nat.eqb_spec y 0); [tauto|]. now read_check.
  - unfold tree_ok in Tr. rewrite all_below_spec in Tr. specialize (Tr y H).
    destruct (Nat.eqb_spec y 0); [tauto|]. now read_check.
  - unfold tree_ok in Tr. rewrite all_below_spec in Tr. specialize (Tr y H).
    destruct (Nat.eqb_spec y 0); [tauto|]. now read_check.
  - unfold commute_ok in C. intros g h x Lg Lh Lx. rewrite all_below_spec in C.
    specialize (C g Lg). rewrite all_below_spec in C. specialize (C h Lh).
    rewrite all_below_spec in C. specialize (C x Lx). now read_check.
  - unfold products_ok in Pr. intros x Lx Kx. rewrite all_below_spec in Pr.
    specialize (Pr x Lx). rewrite Kx in Pr. now read_check.
  - unfold products_ok in Pr. intros x y Lx Kx Ly N. rewrite all_below_spec in Pr.
    specialize (Pr x Lx). rewrite Kx in Pr. apply andb_split in Pr as [_ Pr].
    rewrite all_below_spec in Pr.
    specialize (Pr y Ly). destruct (Nat.eqb_spec y 0); [tauto|]. now read_check.
Qed.

Lemma order_positive : 0 < m.
Proof. apply ok_parts. Qed.

Lemma zero_not_in_portion : portion T 0 = false.
Proof. apply ok_parts. Qed.

Lemma row_below g x : g < generators T -> x < m -> row T g x < m.
Proof. apply ok_parts. Qed.

Lemma rows_commute g h x : g < generators T -> h < generators T -> x < m ->
  row T g (row T h x) = row T h (row T g x).
Proof.
  destruct ok_parts as (_ & _ & _ & _ & C & _). intros Lg Lh Lx.
  destruct (Nat.lt_trichotomy g h) as [L|[->|L]]; auto. symmetry. auto.
Qed.

Lemma tree y : y < m -> y <> 0 -> step T y < generators T /\ before T y < m /\
  depth T (before T y) < depth T y /\ row T (step T y) (before T y) = y.
Proof. apply ok_parts. Qed.

Lemma row_one x : x < m -> kept T x = true -> kept_row T x 0 = x.
Proof. apply ok_parts. Qed.

Lemma row_step x y : x < m -> kept T x = true -> y < m -> y <> 0 ->
  kept_row T x y = row T (step T y) (kept_row T x (before T y)).
Proof. apply ok_parts. Qed.

(** One generator after the other. *)
Definition acts (w : list nat) (x : nat) : nat := fold_right (row T) x w.

Definition word (w : list nat) : Prop := Forall (fun g => g < generators T) w.

Lemma acts_below w x : word w -> x < m -> acts w x < m.
Proof. induction 1; simpl; auto. intros L. apply row_below; auto. Qed.

Lemma acts_row w g x : word w -> g < generators T -> x < m ->
  acts w (row T g x) = row T g (acts w x).
Proof.
  induction 1 as [|h w Lh W IH]; simpl; auto. intros Lg Lx. rewrite IH by auto.
  apply rows_commute; auto. now apply acts_below.
Qed.

Lemma acts_commute v w x : word v -> word w -> x < m -> acts v (acts w x) = acts w (acts v x).
Proof.
  induction 1 as [|g v Lg V IH]; simpl; auto. intros W Lx. rewrite IH by auto.
  rewrite acts_row; auto. now apply acts_below.
Qed.

Lemma way_to y : y < m -> exists w, word w /\ acts w 0 = y /\
  (forall x, x < m -> kept T x = true -> kept_row T x y = acts w x) /\
  (forall x l, depth T y <= l -> walk T l x y = acts w x).
Proof.
  remember (depth T y) as d. revert y Heqd.
  induction d as [d IH] using lt_wf_ind. intros y -> L.
  destruct (Nat.eq_dec y 0) as [->|N].
  - exists []. repeat split; [constructor| |].
    + intros. now apply row_one.
    + intros x [|l] _; reflexivity.
  - destruct (tree y L N) as (Lg & Lb & D & E).
    destruct (IH _ D (before T y) eq_refl Lb) as (w & W & E0 & Ew & Ww).
    exists (step T y :: w). repeat split.
    + now constructor.
    + simpl. now rewrite E0.
    + intros x Lx Kx. rewrite row_step, Ew by auto. reflexivity.
    + intros x [|l] Ll; [lia|]. simpl. destruct (Nat.eqb_spec y 0); [tauto|].
      rewrite Ww by lia. reflexivity.
Qed.

Lemma product_word y : y < m ->
  exists w, word w /\ acts w 0 = y /\ forall x, x < m -> mul T x y = acts w x.
Proof.
  intros Ly. pose proof order_positive as Pos.
  destruct (way_to y Ly) as (w & W & E & K & Wk). exists w. repeat split; auto.
  intros x Lx. unfold mul. destruct (kept T x) eqn:Kx; [auto|].
  destruct (kept T y) eqn:Ky; [|auto].
  destruct (way_to x Lx) as (v & V & Ev & Kv & _). rewrite Kv by auto.
  rewrite <- E at 1. rewrite acts_commute by auto. now rewrite Ev.
Qed.

Lemma product_one x : x < m -> mul T x 0 = x.
Proof.
  intros Lx. pose proof order_positive as Pos.
  unfold mul. destruct (kept T x) eqn:Kx; [now apply row_one|].
  destruct (kept T 0) eqn:K0.
  - destruct (way_to x Lx) as (v & V & Ev & Kv & _). now rewrite Kv.
  - destruct (depth T 0); reflexivity.
Qed.

Lemma mul_below x y : x < m -> y < m -> mul T x y < m.
Proof.
  intros Lx Ly. destruct (product_word y Ly) as (w & W & _ & E). rewrite E by auto.
  now apply acts_below.
Qed.

Lemma mul_comm x y : x < m -> y < m -> mul T x y = mul T y x.
Proof.
  intros Lx Ly. pose proof order_positive.
  destruct (product_word x Lx) as (v & V & Ev & Mv), (product_word y Ly) as (w & W & Ew & Mw).
  rewrite Mv, Mw by auto. rewrite <- Ev at 1. rewrite acts_commute by auto. now rewrite Ew.
Qed.

Lemma mul_assoc x y z : x < m -> y < m -> z < m -> mul T x (mul T y z) = mul T (mul T x y) z.
Proof.
  intros Lx Ly Lz. rewrite (mul_comm x) by (auto using mul_below).
  rewrite (mul_comm x y) by auto.
  destruct (product_word x Lx) as (v & V & _ & Mv), (product_word z Lz) as (w & W & _ & Mw).
  rewrite !Mw by (auto using mul_below).
  rewrite !Mv by (auto using acts_below). rewrite acts_commute; auto.
Qed.

Lemma mul_one x : x < m -> mul T 0 x = x.
Proof. intros L. rewrite mul_comm by (auto using order_positive). now apply product_one. Qed.

Lemma row_mul g x : g < generators T -> x < m -> row T g x = mul T (row T g 0) x.
Proof.
  intros Lg Lx. pose proof order_positive. destruct (product_word x Lx) as (w & W & E & M).
  rewrite M by (now apply row_below). rewrite acts_row by auto. now rewrite E.
Qed.

(** ** The bipartite monoid *)

Definition elt : Type := { x : nat | (x <? m) = true }.

Definition raw (x : elt) : nat := proj1_sig x.

Definition elt_of (x : nat) (L : x < m) : elt := exist _ x (proj2 (Nat.ltb_lt x m) L).

Lemma raw_below x : raw x < m.
Proof. destruct x as [x L]. now apply Nat.ltb_lt. Qed.

Lemma raw_inj x y : raw x = raw y -> x = y.
Proof.
  destruct x as [x A], y as [y B]. simpl. intros ->. f_equal.
  apply UIP_dec, bool_dec.
Qed.

Definition elt_mul (x y : elt) : elt :=
  elt_of (mul T (raw x) (raw y)) (mul_below _ _ (raw_below x) (raw_below y)).

Definition monoid_of_tables : bipartite_monoid.
Proof.
  refine (BipartiteMonoid elt (elt_of 0 order_positive) elt_mul
    (fun x => portion T (raw x) = true) _ _ _).
  - intros x y z. apply raw_inj. apply mul_assoc; apply raw_below.
  - intros x y. apply raw_inj. apply mul_comm; apply raw_below.
  - intros x. apply raw_inj. apply mul_one, raw_below.
Defined.

Lemma tests_tell t x y : tests_below m t = true -> x < m -> y < m ->
  (forall z, z < m -> portion T (mul T x z) = portion T (mul T y z)) -> find T t x = find T t y.
Proof.
  intros B Lx Ly H. induction t as [u|z t1 IH1 t2 IH2]; simpl in *; auto. read_check.
  rewrite (H z) by auto. destruct (portion T (mul T y z)); auto.
Qed.

Theorem reduced_of_tables t : reduced_ok T t = true -> reduced monoid_of_tables.
Proof.
  unfold reduced_ok. intros R. apply andb_split in R as [B R]. rewrite all_below_spec in R.
  intros x y E. apply raw_inj.
  assert (Fx := R (raw x) (raw_below x)). assert (Fy := R (raw y) (raw_below y)).
  read_check. rewrite <- Fx, <- Fy. apply tests_tell; auto using raw_below.
  intros z L. apply eq_true_iff_eq. exact (E (elt_of z L)).
Qed.

End Monoid.
