(** What has to be true of single heaps, so that the tables are the misère quotient?

    Only the value of a heap and the set of the values of its options matter. So the condition is
    one on pairs, and heaps with equal pairs are treated once. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Prediction Loops Monoid Needs.
Import ListNotations.

Section Pairs.

Variable T : tables.
Variable N : needs.
Hypothesis T_ok : monoid_ok T = true.
Hypothesis N_ok : needs_ok T N = true.

Local Notation m := (order T).
Local Notation Q := (monoid_of_tables T T_ok).
Local Notation P := (portion T).

(** A heap with the value [v] and the values [E] of options fails in company [z]. *)
Definition pair_fails (v : nat) (E : nat -> Prop) (z : nat) : Prop :=
  P (mul T v z) = false /\ forall e, E e -> P (mul T e z) = false.

Definition pair_covered (v : nat) (E : nat -> Prop) (w : list nat) : Prop :=
  w <> [] /\ kinds_of N w /\ kinds_product T N w = v /\
  forall z A k B, z < m -> pair_fails v E z -> w = A ++ k :: B ->
    need N k (mul T z (kinds_product T N (A ++ B))) = true.

Record good_pair (v : nat) (E : nat -> Prop) : Prop := {
  good_value : v < m;
  good_dead : (forall e, ~ E e) -> v = 0;
  good_P : forall z e, z < m -> P (mul T v z) = true -> E e -> P (mul T e z) = false;
  good_N : (exists e, E e) ->
    (forall z, z < m -> ~ pair_fails v E z) \/ exists w, pair_covered v E w }.

Lemma good_pair_same v E F : (forall e, E e <-> F e) -> good_pair v E -> good_pair v F.
Proof.
  intros H [V D GP GN].
  assert (FE : forall z, pair_fails v F z <-> pair_fails v E z).
  { intros z. unfold pair_fails. split; intros [A B]; split; auto; intros e Ee; apply B, H, Ee. }
  constructor; auto.
  - intros A. apply D. intros e Ee. apply (A e), H, Ee.
  - intros z e L Pz Ee. apply GP; auto. now apply H.
  - intros (e & Ee). destruct GN as [A|(w & W1 & W2 & W3 & W4)]; [|left|right].
    + exists e. now apply H.
    + intros z L. rewrite FE. auto.
    + exists w. repeat split; auto. intros z A k B L Fz Eq. apply W4; auto. now apply FE.
Qed.

(** The element of a number; 1 for numbers that are none. *)
Definition element_of (x : nat) : Q :=
  match lt_dec x m with
  | left L => elt_of T x L
  | right _ => elt_of T 0 (order_positive T T_ok)
  end.

Lemma raw_element x : x < m -> raw T (element_of x) = x.
Proof. intros L. unfold element_of. now destruct (lt_dec x m). Qed.

Lemma element_raw (q : Q) : element_of (raw T q) = q.
Proof. apply raw_inj. apply raw_element, raw_below. Qed.

Lemma raw_times (x y : Q) : raw T (times Q x y) = mul T (raw T x) (raw T y).
Proof. reflexivity. Qed.

Variable G : heap_game.
Variable S : nat -> Prop.
Hypothesis S_closed : forall h o g, S h -> In o (opts G h) -> In g o -> S g.
Variable phi : nat -> nat.
Hypothesis phi_below : forall h, S h -> phi h < m.

(** The value of a position, as a number. *)
Definition number (X : position) : nat := fold_right (fun h x => mul T (phi h) x) 0 X.

(** The values of the options of a heap, as numbers. *)
Definition numbers (h : nat) (e : nat) : Prop := exists o, In o (opts G h) /\ number o = e.

(** The pretending function. *)
Definition pretending (h : nat) : Q := element_of (phi h).

Lemma raw_value X : Forall S X -> raw T (value Q pretending X) = number X.
Proof.
  induction 1 as [|h X Sh F IH]; [reflexivity|].
  change (value Q pretending (h :: X)) with
    (times Q (pretending h) (value Q pretending X)).
  rewrite raw_times, IH. unfold pretending. rewrite raw_element; auto.
Qed.

Hypothesis good : forall h, S h -> good_pair (phi h) (numbers h).

Lemma raw_product L : kinds_of N L ->
  raw T (product Q (fun k => element_of (kind_val N k)) L) = kinds_product T N L.
Proof.
  induction 1 as [|k L Lk K IH]; [reflexivity|].
  change (product Q (fun k => element_of (kind_val N k)) (k :: L)) with
    (times Q (element_of (kind_val N k)) (product Q (fun k => element_of (kind_val N k)) L)).
  rewrite raw_times, IH. rewrite raw_element; auto. now apply (low_parts T N N_ok).
Qed.

Lemma image_numbers h e : S h -> (image G Q pretending h e <-> numbers h (raw T e)).
Proof.
  intros Sh. unfold image, numbers.
  split; intros (o & I & E); exists o; (split; [auto|]).
  - rewrite <- E. symmetry. apply raw_value. apply Forall_forall. eauto.
  - apply raw_inj. rewrite <- E. apply raw_value. apply Forall_forall. eauto.
Qed.

Lemma raw_mul_comm (x y : Q) : mul T (raw T x) (raw T y) = mul T (raw T y) (raw T x).
Proof. apply (mul_comm T T_ok); apply raw_below. Qed.

Lemma fails_pair h r : S h ->
  fails G Q pretending (fun q => P (raw T q)) h r -> pair_fails (phi h) (numbers h) (raw T r).
Proof.
  intros Sh [A B]. split.
  - rewrite raw_times, raw_mul_comm in A. unfold pretending in A.
    rewrite raw_element in A; auto.
  - intros e He. pose proof He as (o & I & E).
    assert (Le : e < m).
    { rewrite <- E, <- raw_value; [apply raw_below|]. apply Forall_forall. eauto. }
    specialize (B (element_of e)). rewrite raw_times, raw_mul_comm in B.
    rewrite raw_element in B by auto. apply B. apply image_numbers; auto.
    now rewrite raw_element.
Qed.

(** The tables predict the outcome of every position of the heaps in [S]. *)
Theorem outcomes_predicted X : Forall S X ->
  (Ppos G X <-> P (raw T (value Q pretending X)) = true).
Proof.
  apply (predicts G S S_closed Q pretending (fun q => P (raw T q)) (fun q => iff_refl _)).
  - exact (zero_not_in_portion T T_ok).
  - intros h Sh O. apply raw_inj. unfold pretending. rewrite raw_element by auto.
    apply (good_dead _ _ (good h Sh)). intros e (o & I & _). now rewrite O in I.
  - intros h Sh z e Ie Pz.
    rewrite raw_times, raw_mul_comm in *.
    apply (good_P _ _ (good h Sh)); [apply raw_below| |now apply image_numbers].
    unfold pretending in Pz. rewrite raw_element in Pz; auto.
  - apply (no_mutual_need_no_violation G S Q pretending (fun q => P (raw T q)))
      with (kinds := kinds N) (kind_value := fun k => element_of (kind_val N k))
           (need := fun k q => need N k (raw T q)).
    + exact (zero_not_in_portion T T_ok).
    + intros h Sh O. apply raw_inj. unfold pretending. rewrite raw_element by auto.
      apply (good_dead _ _ (good h Sh)). intros e (o & I & _). now rewrite O in I.
    + intros h Sh Live. destruct (good_N _ _ (good h Sh)) as [A|(w & W1 & W2 & W3 & W4)].
      { destruct (opts G h) as [|o O] eqn:Eo; [tauto|]. exists (number o), o.
        rewrite Eo. simpl. auto. }
      * left. intros r Fr. exact (A _ (raw_below T r) (fails_pair h r Sh Fr)).
      * right. exists w. repeat split; auto.
        -- apply raw_inj. rewrite raw_product by auto. unfold pretending.
           now rewrite raw_element by auto.
        -- intros r A k B Fr Eq. rewrite raw_times, raw_product.
           ++ apply W4; auto; [apply raw_below|now apply fails_pair].
           ++ rewrite Eq in W2. unfold kinds_of in *. rewrite Forall_app in *.
              destruct W2 as [WA WB]. inversion WB; auto.
    + intros L (Nil & K & Nd). apply (no_mutual_need T N T_ok N_ok L); auto.
      intros k M Pm. rewrite <- (Nd k M Pm). f_equal. symmetry. apply raw_product.
      assert (K' : kinds_of N (k :: M)) by (unfold kinds_of; now rewrite <- Pm).
      now inversion K'.
Qed.

Hypothesis generated : forall g, g < generators T -> exists h, S h /\ phi h = row T g 0.

Lemma elements_are_values (q : Q) : exists X, Forall S X /\ value Q pretending X = q.
Proof.
  destruct (product_word T T_ok (raw T q) (raw_below T q)) as (w & W & E & _).
  assert (H : exists X, Forall S X /\ number X = acts T w 0).
  { clear E. induction W as [|g w Lg W (X & F & IH)]; [exists []; simpl; auto|].
    destruct (generated g Lg) as (h & Sh & Eh). exists (h :: X). split; [auto|]. simpl.
    rewrite IH, Eh. symmetry. apply row_mul; auto. apply acts_below; auto.
    now apply order_positive. }
  destruct H as (X & F & H). exists X. split; [auto|]. apply raw_inj.
  rewrite raw_value by auto. congruence.
Qed.

(** The tables are the misère quotient of the heaps in [S]. *)
Theorem tables_are_quotient t : reduced_ok T t = true -> is_misere_quotient G S Q pretending.
Proof.
  intros R. apply predicting_is_quotient.
  - exact elements_are_values.
  - exact outcomes_predicted.
  - now apply reduced_of_tables with t.
Qed.

End Pairs.
