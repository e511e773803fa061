(** Words, relations between them, and normal words. (Claims 2 to 5 and T6 of docs/presentations.md)

    A word in [n] letters is the list of its [n] exponents: in the letters a, b, c the word [b^2c] is
    [0; 2; 1]. The function [sums] multiplies two words. Nothing is said here of games. *)

From Coq Require Import List Arith Bool Lia Wellfounded.
From Misere Require Import Loops InfiniteSearch InfiniteReading.
Import ListNotations.

(** A relation between two words. *)
Record relation := Relation { left : list nat; right : list nat }.

(** The equalities of words of [n] letters that follow from relations: the least congruence that
    has the relations. *)
Inductive follows (n : nat) (R : list relation) : list nat -> list nat -> Prop :=
| follows_relation : forall r z, In r R -> length z = n ->
    follows n R (sums (left r) z) (sums (right r) z)
| follows_itself : forall v, length v = n -> follows n R v v
| follows_back : forall v w, follows n R v w -> follows n R w v
| follows_on : forall v w x, follows n R v w -> follows n R w x -> follows n R v x.

(** A word divides another one. *)
Fixpoint divides (v w : list nat) : bool :=
  match v, w with
  | x :: v, y :: w => (x <=? y) && divides v w
  | _, _ => true
  end.

(** No left side of a relation divides a normal word. *)
Definition normal (R : list relation) (v : list nat) : Prop :=
  forall r, In r R -> divides (left r) v = false.

Definition degree (v : list nat) : nat := list_sum v.

(** Fewer copies of the last letter whose numbers differ. *)
Fixpoint last_less (v w : list nat) : bool :=
  match v, w with
  | x :: v, y :: w => last_less v w || equal_lists v w && (x <? y)
  | _, _ => false
  end.

(** The degree-lexicographic order of words. *)
Definition less (v w : list nat) : bool :=
  (degree v <? degree w) || (degree v =? degree w) && last_less v w.

(** W3 and W5: both sides of a relation have [n] exponents, the right side is less, and the sides
    cannot be shortened, the left side by no other relation. *)
Definition relation_ok (n : nat) (r : relation) : bool :=
  (length (left r) =? n) && (length (right r) =? n) && less (right r) (left r).

Definition relations_ok (n : nat) (R : list relation) : bool := forallb (relation_ok n) R.

Fixpoint reduced_from (before R : list relation) : bool :=
  match R with
  | [] => true
  | r :: R =>
    let others := before ++ R in
    negb (existsb (fun s => divides (left s) (left r)) others) &&
    negb (existsb (fun s => divides (left s) (right r)) (r :: others)) &&
    reduced_from (r :: before) R
  end.

(** A family of words: those that arise from its least word by more copies of the letters that have
    the number 1 in [free]. *)
Record family := Family { least : list nat; free : list nat }.

Definition allowed (f k : list nat) : Prop := Forall2 (fun b x => b = 0 -> x = 0) f k.

Definition in_family (F : family) (v : list nat) : Prop :=
  exists k, allowed (free F) k /\ v = sums (least F) k.

(** What is left of the left sides that may still divide, after a letter with this exponent. *)
Definition still (x : nat) (L : list (list nat)) : list (list nat) :=
  map (@tl nat) (filter (fun l => hd 0 l <=? x) L).

Definition greatest (L : list (list nat)) : nat := list_max (map (hd 0) L).

(** The families of the words of [n] letters that no word of [L] divides. *)
Fixpoint families (n : nat) (L : list (list nat)) : list family :=
  if existsb (forallb (fun x => x =? 0)) L then []
  else match n with
    | 0 => [Family [] []]
    | S n =>
      let g := greatest L in
      flat_map (fun x =>
        map (fun F => Family (x :: least F) ((if x =? g then 1 else 0) :: free F))
          (families n (still x L)))
        (seq 0 (S g))
    end.

(** The words of [n] letters and of degree at most [d] that no word of [L] divides. *)
Fixpoint words_to (n d : nat) (L : list (list nat)) : list (list nat) :=
  if existsb (forallb (fun x => x =? 0)) L then []
  else match n with
    | 0 => [[]]
    | S n => flat_map (fun x => map (cons x) (words_to n (d - x) (still x L))) (seq 0 (S d))
    end.

(** ** Sums *)

Lemma sums_comm v : forall w, sums v w = sums w v.
Proof. induction v as [|x v IH]; intros [|y w]; simpl; auto. now rewrite IH, Nat.add_comm. Qed.

Lemma sums_assoc v : forall w x, sums v (sums w x) = sums (sums v w) x.
Proof.
  induction v as [|a v IH]; intros [|b w] [|c x]; simpl; auto. now rewrite IH, Nat.add_assoc.
Qed.

Lemma sums_with_zeros v : sums v (repeat 0 (length v)) = v.
Proof. induction v as [|x v IH]; simpl; auto. now rewrite IH, Nat.add_0_r. Qed.

Lemma length_sums v w n : length v = n -> length w = n -> length (sums v w) = n.
Proof. intros. rewrite sums_length; congruence. Qed.

Lemma degree_sums v : forall w, length v = length w -> degree (sums v w) = degree v + degree w.
Proof.
  unfold degree. induction v as [|x v IH]; intros [|y w]; simpl; intros L; try discriminate; auto.
  rewrite IH by lia. lia.
Qed.

Lemma sums_injective k : forall v w, length v = length k -> length w = length k ->
  sums k v = sums k w -> v = w.
Proof.
  induction k as [|x k IH]; intros [|a v] [|b w]; simpl; intros Lv Lw E; try discriminate; auto.
  inversion E as [[E1 E2]]. f_equal; [lia|]. apply IH; lia || auto.
Qed.

Lemma divides_sums v : forall w, length v = length w -> divides v w = true ->
  exists z, length z = length w /\ w = sums v z.
Proof.
  induction v as [|x v IH]; intros [|y w]; simpl; intros L D; try discriminate.
  - now exists [].
  - apply andb_split in D as [D1 D2]. apply Nat.leb_le in D1.
    destruct (IH w) as (z & Lz & ->); auto. exists (y - x :: z). simpl. split; [lia|].
    f_equal. lia.
Qed.

(** ** The order of words *)

Lemma last_less_irreflexive v : last_less v v = false.
Proof.
  induction v as [|x v IH]; simpl; auto. rewrite IH, Nat.ltb_irrefl. simpl. apply andb_false_r.
Qed.

Lemma last_less_transitive v : forall w x, last_less v w = true -> last_less w x = true ->
  last_less v x = true.
Proof.
  induction v as [|a v IH]; intros [|b w] [|c x]; simpl; auto; try discriminate.
  rewrite !orb_true_iff, !andb_true_iff, !equal_lists_eq, !Nat.ltb_lt.
  intros [V|[-> V]] [W|[<- W]]; auto.
  - left. eauto.
  - right. split; auto. lia.
Qed.

Lemma last_less_total v : forall w, length v = length w ->
  v = w \/ last_less v w = true \/ last_less w v = true.
Proof.
  induction v as [|a v IH]; intros [|b w]; simpl; intros L; try discriminate; auto.
  rewrite !orb_true_iff, !andb_true_iff, !equal_lists_eq, !Nat.ltb_lt.
  destruct (IH w) as [->|[H|H]]; auto.
  destruct (Nat.lt_trichotomy a b) as [H|[->|H]]; auto.
Qed.

Lemma last_less_sums z : forall v w, length v = length w -> length w = length z ->
  last_less v w = true -> last_less (sums v z) (sums w z) = true.
Proof.
  induction z as [|c z IH]; intros [|a v] [|b w]; simpl; intros Lv Lw; try discriminate; auto.
  rewrite !orb_true_iff, !andb_true_iff, !equal_lists_eq, !Nat.ltb_lt.
  intros [H|[-> H]]; [left; apply IH; auto|right; split; auto; lia].
Qed.

Lemma last_less_wf n : forall v, length v = n ->
  Acc (fun v w => length v = length w /\ last_less v w = true) v.
Proof.
  induction n as [|n IH]; intros v L.
  - constructor. intros w [Lw H]. destruct w, v; simpl in *; discriminate.
  - destruct v as [|x v]; [discriminate|]. injection L as L.
    pose proof (IH v L) as A. revert x. induction A as [v _ IHv].
    intros x. induction x as [x IHx] using lt_wf_ind.
    constructor. intros [|y w] [Lw H]; [discriminate|]. simpl in Lw, H. injection Lw as Lw.
    rewrite orb_true_iff, andb_true_iff, equal_lists_eq, Nat.ltb_lt in H.
    destruct H as [H|[-> H]]; [|auto]. apply IHv; [auto|congruence].
Qed.

Lemma less_wf v : Acc (fun v w => length v = length w /\ less v w = true) v.
Proof.
  remember (degree v) as d eqn:Ed. revert v Ed. induction d as [d IH] using lt_wf_ind.
  intros v Ed. pose proof (last_less_wf _ v eq_refl) as A. induction A as [v _ IHv].
  constructor. intros w [Lw H]. unfold less in H.
  rewrite orb_true_iff, andb_true_iff, Nat.ltb_lt, Nat.eqb_eq in H.
  destruct H as [H|[H H']]; [apply (IH (degree w)); lia|]. apply IHv; auto. lia.
Qed.

Lemma less_transitive v w x : less v w = true -> less w x = true -> less v x = true.
Proof.
  unfold less. rewrite !orb_true_iff, !andb_true_iff, !Nat.ltb_lt, !Nat.eqb_eq.
  intros [H|[H H']] [K|[K K']]; try (left; lia). right. split; [lia|].
  eapply last_less_transitive; eauto.
Qed.

Lemma less_irreflexive v : less v v = false.
Proof.
  unfold less. rewrite last_less_irreflexive, Nat.ltb_irrefl, andb_false_r. reflexivity.
Qed.

Lemma less_total v w : length v = length w -> v = w \/ less v w = true \/ less w v = true.
Proof.
  intros L. unfold less. rewrite !orb_true_iff, !andb_true_iff, !Nat.ltb_lt, !Nat.eqb_eq.
  destruct (Nat.lt_trichotomy (degree v) (degree w)) as [|[E|]]; auto.
  destruct (last_less_total v w L) as [|[|]]; auto.
Qed.

Lemma less_degree v w : less v w = true -> degree v <= degree w.
Proof. unfold less. rewrite orb_true_iff, andb_true_iff, Nat.ltb_lt, Nat.eqb_eq. lia. Qed.

Lemma less_sums v w z : length v = length w -> length w = length z -> less v w = true ->
  less (sums v z) (sums w z) = true.
Proof.
  intros Lv Lw. unfold less. rewrite !orb_true_iff, !andb_true_iff, !Nat.ltb_lt, !Nat.eqb_eq.
  rewrite !degree_sums by congruence. intros [H|[H H']]; [left; lia|right]. split; [lia|].
  now apply last_less_sums.
Qed.

(** ** Every word leads to a normal word *)

Section Relations.

Variable n : nat.
Variable R : list relation.
Hypothesis R_ok : relations_ok n R = true.

Lemma relation_parts r : In r R ->
  length (left r) = n /\ length (right r) = n /\ less (right r) (left r) = true.
Proof.
  intros I. unfold relations_ok in R_ok. rewrite forallb_forall in R_ok. specialize (R_ok r I).
  unfold relation_ok in R_ok. rewrite !andb_split, !Nat.eqb_eq in R_ok. tauto.
Qed.

Lemma follows_length v w : follows n R v w -> length v = n /\ length w = n.
Proof.
  induction 1 as [r z I Lz| | |]; try tauto.
  destruct (relation_parts r I) as (? & ? & _). split; now apply length_sums.
Qed.

Lemma follows_sums v w z : length z = n -> follows n R v w -> follows n R (sums v z) (sums w z).
Proof.
  intros Lz. induction 1 as [r y I Ly|v Lv|v w _ IH|v w x _ IH1 _ IH2].
  - rewrite <- !sums_assoc. apply follows_relation; auto. now apply length_sums.
  - apply follows_itself. now apply length_sums.
  - now apply follows_back.
  - eapply follows_on; eauto.
Qed.

Lemma normal_or_not v : normal R v \/ exists r, In r R /\ divides (left r) v = true.
Proof.
  destruct (existsb (fun r => divides (left r) v) R) eqn:X.
  - right. apply existsb_exists in X. exact X.
  - left. intros r I. destruct (divides (left r) v) eqn:Y; auto. exfalso.
    assert (existsb (fun r => divides (left r) v) R = true); [|congruence].
    apply existsb_exists. eauto.
Qed.

Theorem normal_form v : length v = n ->
  exists w, normal R w /\ length w = n /\ follows n R v w /\ (w = v \/ less w v = true).
Proof.
  intros L. pose proof (less_wf v) as A. induction A as [v _ IH].
  destruct (normal_or_not v) as [N|(r & I & D)].
  - exists v. repeat split; auto. now apply follows_itself.
  - destruct (relation_parts r I) as (Ll & Lr & H).
    destruct (divides_sums (left r) v) as (z & Lz & E); [congruence|auto|].
    assert (Lz' : length z = n) by congruence.
    assert (Lw : length (sums (right r) z) = n) by now apply length_sums.
    assert (Less : less (sums (right r) z) v = true).
    { rewrite E. apply less_sums; congruence. }
    destruct (IH (sums (right r) z)) as (w & Nw & Lw' & Fw & Ow); auto.
    + split; [congruence|auto].
    + exists w. repeat split; auto.
      * eapply follows_on; [|exact Fw]. rewrite E. now apply follows_relation.
      * right. destruct Ow as [->|Ow]; auto. eapply less_transitive; eauto.
Qed.

End Relations.

(** ** The families have all normal words *)

Lemma all_zeros_divide l : forall v, forallb (fun x => x =? 0) l = true -> divides l v = true.
Proof.
  induction l as [|x l IH]; intros [|y v]; simpl; auto. rewrite andb_split.
  intros [Z H]. apply Nat.eqb_eq in Z. subst x. simpl. auto.
Qed.

Lemma not_divided_head L v : (forall l, In l L -> divides l v = false) ->
  existsb (forallb (fun x => x =? 0)) L = false.
Proof.
  intros N. destruct (existsb _ L) eqn:X; auto. apply existsb_exists in X as (l & I & Z).
  rewrite <- (N l I). symmetry. now apply all_zeros_divide.
Qed.

Lemma not_divided_still L x y v n : (forall l, In l L -> length l = S n) ->
  (forall l, In l L -> hd 0 l <= y -> hd 0 l <= x) -> y <= x ->
  (forall l, In l L -> divides l (x :: v) = false) ->
  (forall l, In l (still y L) -> length l = n) /\
  forall l, In l (still y L) -> divides l v = false.
Proof.
  intros Ln Hyx Lyx N. unfold still.
  split; intros l I; apply in_map_iff in I as (m & <- & I); apply filter_In in I as [I H];
    pose proof (Ln m I) as Lm; destruct m as [|a m]; simpl in *; try discriminate; [lia|].
  specialize (N _ I). simpl in N. apply Nat.leb_le in H.
  rewrite (proj2 (Nat.leb_le a x)) in N by lia. exact N.
Qed.

(** The families of the words with an exponent of the first letter. *)
Definition families_with (n : nat) (L : list (list nat)) (x : nat) : list family :=
  map (fun F => Family (x :: least F) ((if x =? greatest L then 1 else 0) :: free F))
    (families n (still x L)).

Lemma families_step n L : families (S n) L =
  if existsb (forallb (fun x => x =? 0)) L then []
  else flat_map (families_with n L) (seq 0 (S (greatest L))).
Proof. reflexivity. Qed.

Lemma families_cover n : forall L v, (forall l, In l L -> length l = n) -> length v = n ->
  (forall l, In l L -> divides l v = false) -> exists F, In F (families n L) /\ in_family F v.
Proof.
  induction n as [|n IH]; intros L v Ln Lv N.
  - simpl. rewrite (not_divided_head L v N). destruct v; [|discriminate].
    exists (Family [] []). split; [now left|]. exists []. now split; [constructor|].
  - rewrite families_step, (not_divided_head L v N).
    destruct v as [|x v]; [discriminate|]. injection Lv as Lv.
    set (g := greatest L). set (y := min x g).
    assert (Hg : forall l, In l L -> hd 0 l <= g).
    { intros l I. assert (Q : list_max (map (hd 0) L) <= g) by (unfold g, greatest; lia).
      rewrite list_max_le, Forall_forall in Q. apply Q. now apply in_map. }
    destruct (not_divided_still L x y v n) as [S1 S2]; auto; [|unfold y; lia|].
    { intros l I. specialize (Hg l I). unfold y. lia. }
    destruct (IH (still y L) v S1 Lv S2) as (F & IF & k & Ak & Ek).
    exists (Family (y :: least F) ((if y =? g then 1 else 0) :: free F)). split.
    + apply in_flat_map. exists y. split; [apply in_seq; unfold y; lia|].
      apply in_map_iff. exists F. split; auto.
    + exists (x - y :: k). split.
      * constructor; auto. destruct (Nat.eqb_spec y g); [discriminate|]. intros _. unfold y in *.
        lia.
      * simpl. f_equal; [unfold y; lia|exact Ek].
Qed.

Lemma families_length n : forall L F, In F (families n L) ->
  length (least F) = n /\ length (free F) = n.
Proof.
  induction n as [|n IH]; intros L F.
  - simpl. destruct (existsb _ L); simpl; [tauto|]. intros [<-|[]]. auto.
  - rewrite families_step. destruct (existsb _ L); [simpl; tauto|].
    intros I. apply in_flat_map in I as (x & _ & I). apply in_map_iff in I as (F' & <- & I).
    simpl. destruct (IH _ _ I). split; lia.
Qed.

(** The words of a degree at most *)

Definition words_with (n d : nat) (L : list (list nat)) (x : nat) : list (list nat) :=
  map (cons x) (words_to n (d - x) (still x L)).

Lemma words_step n d L : words_to (S n) d L =
  if existsb (forallb (fun x => x =? 0)) L then []
  else flat_map (words_with n d L) (seq 0 (S d)).
Proof. reflexivity. Qed.

Lemma divided_still L x v n : (forall l, In l L -> length l = S n) ->
  (forall l, In l (still x L) -> divides l v = false) ->
  forall l, In l L -> divides l (x :: v) = false.
Proof.
  intros Ln N l I. pose proof (Ln l I) as Q. destruct l as [|a l]; [discriminate|]. simpl.
  destruct (Nat.leb_spec a x) as [H|H]; auto. simpl. apply N. unfold still. apply in_map_iff.
  exists (a :: l). split; auto. apply filter_In. split; auto. simpl. now apply Nat.leb_le.
Qed.

(** They are those that no word of the list divides, each once. *)
Theorem words_to_spec n : forall d L, (forall l, In l L -> length l = n) -> forall v,
  In v (words_to n d L) <->
  length v = n /\ degree v <= d /\ forall l, In l L -> divides l v = false.
Proof.
  induction n as [|n IH]; intros d L Ln v.
  - simpl. split.
    + destruct (existsb _ L) eqn:X; [simpl; tauto|]. intros [<-|[]]. repeat split; [simpl; lia|].
      intros l I. exfalso. assert (existsb (forallb (fun x => x =? 0)) L = true); [|congruence].
      apply existsb_exists. exists l. split; auto. specialize (Ln l I).
      destruct l; [reflexivity|discriminate].
    + intros (Lv & _ & N). rewrite (not_divided_head L v N).
      destruct v; [now left|discriminate].
  - rewrite words_step. split.
    + destruct (existsb _ L) eqn:X; [simpl; tauto|]. intros I.
      apply in_flat_map in I as (x & Ix & I). apply in_seq in Ix.
      apply in_map_iff in I as (w & <- & I).
      assert (Ls : forall l, In l (still x L) -> length l = n).
      { intros l J. unfold still in J. apply in_map_iff in J as (m & <- & J).
        apply filter_In in J as [J _]. specialize (Ln m J). destruct m; simpl in *; lia. }
      apply (IH _ _ Ls) in I as (Lw & Dw & Nw). unfold degree in *. simpl.
      split; [lia|]. split; [lia|]. now apply (divided_still L x w n).
    + intros (Lv & Dv & N). rewrite (not_divided_head L v N).
      destruct v as [|x v]; [discriminate|]. injection Lv as Lv. unfold degree in Dv. simpl in Dv.
      apply in_flat_map. exists x. split; [apply in_seq; lia|]. apply in_map.
      destruct (not_divided_still L x x v n) as [S1 S2]; auto.
      apply IH; auto. unfold degree. repeat split; auto. lia.
Qed.

Theorem words_to_once n : forall d L, NoDup (words_to n d L).
Proof.
  induction n as [|n IH]; intros d L.
  - simpl. destruct (existsb _ L); repeat constructor. simpl. tauto.
  - rewrite words_step. destruct (existsb _ L); [constructor|].
    generalize (seq_NoDup (S d) 0). induction (seq 0 (S d)) as [|x K IHK]; intros Nd;
      [constructor|]. inversion Nd as [|? ? Nx NK]; subst. simpl.
    assert (App : forall (A B : list (list nat)), NoDup A -> NoDup B ->
      (forall v, In v A -> In v B -> False) -> NoDup (A ++ B)).
    { clear. induction A as [|v A IA]; simpl; intros B NA NB Dis; auto.
      inversion NA; subst. constructor.
      - rewrite in_app_iff. intros [|]; [tauto|]. eapply Dis; eauto.
      - apply IA; auto. intros w IA' IB'. eapply Dis; eauto. }
    apply App; auto.
    + unfold words_with. apply FinFun.Injective_map_NoDup; [intros v w [= ->]; reflexivity|auto].
    + intros v Ia Ib. unfold words_with in Ia. apply in_map_iff in Ia as (w & <- & _).
      apply in_flat_map in Ib as (y & Iy & Ib). unfold words_with in Ib.
      apply in_map_iff in Ib as (w' & E & _). injection E as <- _. now apply Nx.
Qed.
