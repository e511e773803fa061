(** Comparisons of linear terms, decided for all tuples of numbers by finitely many tuples.

    A statement on a tuple may depend on it only by linear forms, and on each form only as far as a
    bound: all values beyond the bound are alike. Then finitely many tuples represent all. The proof
    reads the binary digits of all numbers at once, the highest digits first. A form with the value
    [v] so far has the value [2v + d] after the next digits, where [d] is the form of these digits;
    a value beyond the bound stays beyond it. So the values, cut off at the bound, are the states of
    a finite automaton. An untrusted search lists a tuple for each state. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Loops.
Import ListNotations.

(** ** Vectors; those that are shorter are continued by zeros *)

Fixpoint dot (u x : list nat) : nat :=
  match u, x with
  | a :: u', b :: x' => a * b + dot u' x'
  | _, _ => 0
  end.

Fixpoint vadd (u v : list nat) : list nat :=
  match u, v with
  | [], _ => v
  | _, [] => u
  | a :: u', b :: v' => (a + b) :: vadd u' v'
  end.

Definition double (x : list nat) : list nat := map (fun a => a + a) x.

Fixpoint same_list (u v : list nat) : bool :=
  match u, v with
  | [], [] => true
  | a :: u', b :: v' => (a =? b) && same_list u' v'
  | _, _ => false
  end.

Definition is_zero (u : list nat) : bool := forallb (fun a => a =? 0) u.

Lemma same_list_spec u v : same_list u v = true -> u = v.
Proof.
  revert v. induction u as [|a u IH]; intros [|b v]; simpl; try discriminate; auto.
  intros H. apply andb_split in H as [E H]. apply Nat.eqb_eq in E. f_equal; auto.
Qed.

Lemma dot_nil u : dot u [] = 0.
Proof. now destruct u. Qed.

Lemma dot_vadd_left u v x : dot (vadd u v) x = dot u x + dot v x.
Proof.
  revert v x. induction u as [|a u IH]; intros v x; [reflexivity|].
  destruct v as [|b v]; [simpl; lia|]. destruct x as [|k x]; [reflexivity|].
  simpl. rewrite IH. lia.
Qed.

Lemma dot_vadd_right u x y : dot u (vadd x y) = dot u x + dot u y.
Proof.
  revert x y. induction u as [|a u IH]; intros x y; [reflexivity|].
  destruct x as [|b x]; [reflexivity|]. destruct y as [|k y]; [simpl; lia|].
  simpl. rewrite IH. lia.
Qed.

Lemma dot_double u x : dot u (double x) = 2 * dot u x.
Proof.
  revert x. induction u as [|a u IH]; intros [|b x]; simpl; auto.
  unfold double in IH. rewrite IH. lia.
Qed.

Lemma dot_zero u x : is_zero u = true -> dot u x = 0.
Proof.
  revert x. induction u as [|a u IH]; intros [|b x]; simpl; auto.
  intros H. apply andb_split in H as [E H]. apply Nat.eqb_eq in E. now rewrite E, IH.
Qed.

Lemma dot_zeros u n : dot u (repeat 0 n) = 0.
Proof.
  revert n. induction u as [|a u IH]; intros [|n]; simpl; auto. rewrite IH. lia.
Qed.

(** ** Binary digits *)

(** All tuples of [n] binary digits. *)
Fixpoint binary_digits (n : nat) : list (list nat) :=
  match n with
  | 0 => [[]]
  | S l => map (cons 0) (binary_digits l) ++ map (cons 1) (binary_digits l)
  end.

Lemma lowest_digits x : exists y d, x = vadd (double y) d /\ In d (binary_digits (length x)) /\
  length y = length x /\ (list_sum x <> 0 -> list_sum y < list_sum x) /\
  list_sum y <= list_sum x.
Proof.
  induction x as [|a x (y & d & E & I & Len & Less & Le)].
  - exists [], []. simpl. repeat split; auto; lia.
  - pose proof (Nat.div2_odd a) as H.
    exists (Nat.div2 a :: y), ((if Nat.odd a then 1 else 0) :: d). simpl length.
    split; [|split; [|split; [now rewrite Len|]]].
    + simpl. f_equal; [|exact E]. destruct (Nat.odd a); simpl in H; lia.
    + simpl. rewrite in_app_iff, !in_map_iff.
      destruct (Nat.odd a); [right|left]; exists d; auto.
    + simpl list_sum. revert Less Le. generalize (list_sum x) as m, (list_sum y) as k.
      intros m k Less Le. destruct (Nat.odd a); simpl in H; lia.
Qed.

Lemma sum_zero x : list_sum x = 0 -> x = repeat 0 (length x).
Proof.
  induction x as [|a x IH]; simpl; [auto|]. intros H. f_equal; [lia|]. apply IH. lia.
Qed.

(** ** Tuples that represent all *)

(** A form is the difference of two vectors with natural coefficients. *)
Definition form : Type := list nat * list nat.

(** The value of a form, cut off at the bound, and greater by the bound. *)
Definition cut_value (B p q : nat) : nat := Nat.min (2 * B) (B + p - q).

Definition cut (F : list form) (B : nat) (x : list nat) : list nat :=
  map (fun f => cut_value B (dot (fst f) x) (dot (snd f) x)) F.

(** Tuples that represent all tuples of [width] numbers, as far as the forms tell them apart up to
    the bound. The search names the tuple that follows when a digit of each number is read. *)
Record cover := Cover {
  width : nat;
  forms : list form;
  bound : nat;
  cover_size : nat;
  tuple : nat -> list nat;
  following : nat -> list nat -> nat }.

Definition step_bounded (B : nat) (f : form) (d : list nat) : bool :=
  let p := dot (fst f) d in
  let q := dot (snd f) d in
  (p <=? B + q) && (q <=? B + p).

Definition cover_ok (C : cover) : bool :=
  let D := binary_digits (width C) in
  let cut_off := cut (forms C) (bound C) in
  forallb (fun f => forallb (step_bounded (bound C) f) D) (forms C) &&
  (0 <? cover_size C) && same_list (cut_off (tuple C 0)) (cut_off (repeat 0 (width C))) &&
  all_below (cover_size C) (fun i =>
    let twice := double (tuple C i) in
    forallb (fun d =>
      let j := following C i d in
      (j <? cover_size C) && same_list (cut_off (vadd twice d)) (cut_off (tuple C j))) D).

Lemma cut_value_step B p q p' q' dp dq : dp <= B + dq -> dq <= B + dp ->
  cut_value B p q = cut_value B p' q' ->
  cut_value B (2 * p + dp) (2 * q + dq) = cut_value B (2 * p' + dp) (2 * q' + dq).
Proof. unfold cut_value. lia. Qed.

Lemma cut_step F B D x y d : forallb (fun f => forallb (step_bounded B f) D) F = true ->
  In d D -> cut F B x = cut F B y ->
  cut F B (vadd (double x) d) = cut F B (vadd (double y) d).
Proof.
  intros St I. unfold cut. induction F as [|f F IH]; simpl; [auto|].
  simpl in St. apply andb_split in St as [Sf St]. intros E. inversion E as [[E1 E2]].
  f_equal; [|now apply IH]. rewrite !dot_vadd_right, !dot_double.
  rewrite forallb_forall in Sf. specialize (Sf d I). unfold step_bounded in Sf.
  read_check. now apply cut_value_step.
Qed.

Theorem cover_has_all C : cover_ok C = true -> forall x, length x = width C ->
  exists i, i < cover_size C /\ cut (forms C) (bound C) (tuple C i) = cut (forms C) (bound C) x.
Proof.
  unfold cover_ok. cbv zeta. rewrite !andb_split. intros [[[St Pos] Zero] Next] x.
  apply Nat.ltb_lt in Pos. apply same_list_spec in Zero. rewrite all_below_spec in Next.
  remember (list_sum x) as n eqn:En. revert x En.
  induction n as [n IH] using lt_wf_ind. intros x En Len.
  destruct (Nat.eq_dec (list_sum x) 0) as [Z|N].
  - exists 0. split; [exact Pos|]. rewrite Zero, (sum_zero x Z), Len. reflexivity.
  - destruct (lowest_digits x) as (y & d & E & I & Ly & Less & _).
    destruct (IH (list_sum y) ltac:(subst n; auto) y eq_refl ltac:(congruence)) as (i & Li & Ei).
    specialize (Next i Li). rewrite forallb_forall in Next. rewrite Len in I.
    specialize (Next d I). apply andb_split in Next as [Lj Ej].
    apply Nat.ltb_lt in Lj. apply same_list_spec in Ej.
    exists (following C i d). split; [exact Lj|]. rewrite <- Ej, E.
    now apply (cut_step _ _ (binary_digits (width C))).
Qed.

(** ** Terms, and statements on them *)

(** A number, and a multiple of the slope that depends on the tuple. *)
Record term := Term { constant : nat; along : list nat }.

Definition tadd (t t' : term) : term :=
  Term (constant t + constant t') (vadd (along t) (along t')).

Definition constant_term (n : nat) : term := Term n [].

(** A statement on tuples, built of comparisons. *)
Inductive statement :=
| Constant (b : bool)
| Less (t t' : term)
| If (e yes no : statement).

Section Statements.

Variable slope : nat.

Definition term_value (t : term) (x : list nat) : nat := constant t + slope * dot (along t) x.

Fixpoint holds (e : statement) (x : list nat) : bool :=
  match e with
  | Constant b => b
  | Less t t' => term_value t x <? term_value t' x
  | If e yes no => if holds e x then holds yes x else holds no x
  end.

Lemma term_value_add t t' x : term_value (tadd t t') x = term_value t x + term_value t' x.
Proof. unfold term_value. simpl. rewrite dot_vadd_left, Nat.mul_add_distr_l. lia. Qed.

Lemma term_value_constant n x : term_value (constant_term n) x = n.
Proof. unfold term_value. simpl. lia. Qed.

(** [t < t'], decided at once if the constants tell. *)
Definition less (t t' : term) : statement :=
  if is_zero (along t') && (constant t' <=? constant t) then Constant false
  else if is_zero (along t) && (constant t <? constant t') then Constant true
  else Less t t'.

Lemma holds_less t t' x : holds (less t t') x = (term_value t x <? term_value t' x).
Proof.
  unfold less. destruct (is_zero (along t') && _) eqn:E.
  - apply andb_split in E as [Z L]. apply Nat.leb_le in L. simpl. symmetry. apply Nat.ltb_ge.
    unfold term_value. rewrite (dot_zero _ x Z). lia.
  - destruct (is_zero (along t) && _) eqn:E'; [|reflexivity].
    apply andb_split in E' as [Z L]. apply Nat.ltb_lt in L. simpl. symmetry. apply Nat.ltb_lt.
    unfold term_value. rewrite (dot_zero _ x Z). lia.
Qed.

(** Whether the forms of a cover tell all comparisons of a statement. *)
Fixpoint told (C : cover) (e : statement) : bool :=
  match e with
  | Constant _ => true
  | Less t t' =>
    (constant t <? constant t' + slope * bound C) &&
    (constant t' <=? constant t + slope * bound C) &&
    existsb (fun f => same_list (vadd (along t') (snd f)) (vadd (along t) (fst f))) (forms C)
  | If e yes no => told C e && told C yes && told C no
  end.

Lemma compared k k' p q p' q' B : k < k' + slope * B -> k' <= k + slope * B ->
  cut_value B p q = cut_value B p' q' ->
  k + slope * q < k' + slope * p -> k + slope * q' < k' + slope * p'.
Proof.
  unfold cut_value. intros L L' E H.
  assert (D : p + q' = p' + q \/ (q + B <= p /\ q' + B <= p') \/ (p + B <= q /\ p' + B <= q'))
    by lia.
  destruct D as [D|[[D D']|[D D']]].
  - apply (f_equal (Nat.mul slope)) in D. rewrite !Nat.mul_add_distr_l in D. lia.
  - apply (Nat.mul_le_mono_l _ _ slope) in D'. rewrite Nat.mul_add_distr_l in D'. lia.
  - apply (Nat.mul_le_mono_l _ _ slope) in D. rewrite Nat.mul_add_distr_l in D. lia.
Qed.

Lemma told_alike C e : told C e = true -> forall x y,
  cut (forms C) (bound C) x = cut (forms C) (bound C) y -> holds e x = holds e y.
Proof.
  induction e as [b|t t'|e IHe yes IHy no IHn]; intros T x y E; simpl in *; [auto| |].
  - rewrite !andb_split in T. destruct T as [[L L'] I].
    apply Nat.ltb_lt in L. apply Nat.leb_le in L'.
    apply existsb_exists in I as (f & If & Ef). apply same_list_spec in Ef.
    assert (V : cut_value (bound C) (dot (fst f) x) (dot (snd f) x) =
      cut_value (bound C) (dot (fst f) y) (dot (snd f) y)).
    { unfold cut in E. revert E If. generalize (forms C) as F. induction F as [|g F IH]; simpl.
      - tauto.
      - intros E [->|If]; inversion E; auto. }
    assert (X : forall x, (term_value t x < term_value t' x <->
      constant t + slope * dot (snd f) x < constant t' + slope * dot (fst f) x)).
    { intros z. assert (Z : dot (along t') z + dot (snd f) z = dot (along t) z + dot (fst f) z)
        by (rewrite <- !dot_vadd_left; now rewrite Ef).
      apply (f_equal (Nat.mul slope)) in Z. rewrite !Nat.mul_add_distr_l in Z.
      unfold term_value. lia. }
    apply eq_true_iff_eq. rewrite !Nat.ltb_lt, !X. split; intros H.
    + exact (compared _ _ _ _ _ _ _ L L' V H).
    + exact (compared _ _ _ _ _ _ _ L L' (eq_sym V) H).
  - rewrite !andb_split in T. destruct T as [[Te Ty] Tn].
    rewrite (IHe Te x y E), (IHy Ty x y E), (IHn Tn x y E). reflexivity.
Qed.

Definition settled (n : nat) (C : cover) (e : statement) : bool :=
  (width C =? n) && told C e && all_below (cover_size C) (fun i => holds e (tuple C i)).

(** What holds of the tuples of a cover holds of all. *)
Theorem settled_holds n C e : cover_ok C = true -> settled n C e = true ->
  forall x, length x = n -> holds e x = true.
Proof.
  unfold settled. rewrite !andb_split. intros ok [[W T] A] x Len. apply Nat.eqb_eq in W.
  rewrite all_below_spec in A.
  destruct (cover_has_all C ok x) as (i & Li & Ei); [congruence|].
  rewrite <- (told_alike C e T _ _ Ei). now apply A.
Qed.

End Statements.
