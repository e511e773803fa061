(** Are the pairs of the heaps good? The check, and what it means.

    Each heap comes with a listing of the values of its options, which other files prove to be
    complete, and with a word of kinds that covers it. A heap with the pair of a smaller heap is
    not examined again. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Loops Monoid Needs Pairs.
Import ListNotations.

(** A list of numbers, with the place of each. *)
Record listing := Listing {
  count : nat;
  elem : nat -> nat;
  place : nat -> nat }.

Definition listing_has (L : listing) (e : nat) : Prop := exists i, i < count L /\ elem L i = e.

Definition member (L : listing) (e : nat) : bool :=
  let i := place L e in (i <? count L) && (elem L i =? e).

Lemma member_has L e : member L e = true -> listing_has L e.
Proof. unfold member. intros H. read_check. exists (place L e). auto. Qed.

(** The claim about heaps [0, …, last_heap]. *)
Record heaps := Heaps {
  last_heap : nat;
  phi : nat -> nat;
  image_of : nat -> listing;
  same_as : nat -> nat;
  word_of : nat -> list nat;
  heap_of : nat -> nat }.

(** Each letter of a word with the product of [a] and the other letters. *)
Fixpoint others (T : tables) (N : needs) (a : nat) (w : list nat) : list (nat * nat) :=
  match w with
  | [] => []
  | k :: B => (k, mul T a (kinds_product T N B)) :: others T N (mul T a (kind_val N k)) B
  end.

Definition pair_ok (T : tables) (N : needs) (v : nat) (L : listing) (w : list nat) : bool :=
  let m := order T in
  let n := count L in
  (v <? m) && (if n =? 0 then v =? 0 else true) && all_below n (fun i => elem L i <? m) &&
  forallb (fun k => k <? kinds N) w &&
  (match w with [] => true | _ => kinds_product T N w =? v end) &&
  let letters := others T N 0 w in
  if n =? 0 then true else all_below m (fun z =>
    let lost := all_below n (fun i => negb (portion T (mul T (elem L i) z))) in
    if portion T (mul T v z) then lost
    else if lost then
      match letters with
      | [] => false
      | _ => forallb (fun l => need N (fst l) (mul T z (snd l))) letters
      end
    else true).

Definition same_listing (L M : listing) : bool :=
  (count L =? count M) && all_below (count L) (fun i => elem L i =? elem M i).

Definition heap_ok (T : tables) (N : needs) (H : heaps) (h : nat) : bool :=
  let g := same_as H h in
  if g <? h then (phi H h =? phi H g) && same_listing (image_of H h) (image_of H g)
  else pair_ok T N (phi H h) (image_of H h) (word_of H h).

Definition generators_ok (T : tables) (H : heaps) : bool :=
  all_below (generators T) (fun g =>
    (heap_of H g <=? last_heap H) && (phi H (heap_of H g) =? row T g 0)).

Definition heaps_ok (T : tables) (N : needs) (H : heaps) : bool :=
  all_from 0 (S (last_heap H)) (heap_ok T N H) && generators_ok T H.

Section Heaps.

Variable T : tables.
Variable N : needs.
Hypothesis T_ok : monoid_ok T = true.
Hypothesis N_ok : needs_ok T N = true.

Local Notation m := (order T).

Lemma others_spec A k B : forall a, a < m -> kinds_of N (A ++ k :: B) ->
  In (k, mul T a (kinds_product T N (A ++ B))) (others T N a (A ++ k :: B)).
Proof.
  induction A as [|j A IH]; intros a La K; simpl.
  - now left.
  - right. inversion K as [|? ? Lj K']; subst.
    pose proof (proj1 (proj2 (low_parts T N N_ok)) j Lj) as Lv.
    assert (KAB : kinds_of N (A ++ B)).
    { unfold kinds_of in *. rewrite Forall_app in *. destruct K' as [KA KB].
      split; auto. now inversion KB. }
    pose proof (kinds_product_below T N T_ok N_ok _ KAB) as Lp.
    rewrite (mul_assoc T T_ok) by auto. apply IH; auto. now apply mul_below.
Qed.

Theorem pair_ok_good v L w : pair_ok T N v L w = true -> good_pair T N v (listing_has L).
Proof.
  unfold pair_ok. cbv zeta. rewrite !andb_split. intros [[[[[Lv D] E] K] W] Z].
  read_check. rewrite all_below_spec in E.
  assert (Below : forall e, listing_has L e -> e < m).
  { intros e (i & Li & <-). specialize (E i Li). now read_check. }
  assert (Comm : forall e z, e < m -> z < m -> mul T e z = mul T z e).
  { intros. now apply (mul_comm T T_ok). }
  assert (Lost : forall z, all_below (count L)
      (fun i => negb (portion T (mul T (elem L i) z))) = true <->
      forall e, listing_has L e -> portion T (mul T e z) = false).
  { intros z. rewrite all_below_spec. split.
    - intros A e (i & Li & <-). specialize (A i Li). now read_check.
    - intros A i Li. apply negb_true_iff. apply A. exists i. auto. }
  destruct (Nat.eqb_spec (count L) 0) as [C|C].
  { assert (None : forall e, ~ listing_has L e) by (intros e (i & Li & _); lia).
    constructor; [auto|now read_check| |].
    - intros z e _ _ He. now apply None in He.
    - intros (e & He). now apply None in He. }
  rewrite all_below_spec in Z.
  constructor; auto.
  - intros None. exfalso. apply (None (elem L 0)). exists 0. split; [lia|auto].
  - intros z e Lz Pz He. specialize (Z z Lz). rewrite Pz in Z.
    rewrite Lost in Z. auto.
  - intros _.
    assert (Failing : forall z, z < m -> pair_fails T v (listing_has L) z ->
      others T N 0 w <> [] /\
      forallb (fun l => need N (fst l) (mul T z (snd l))) (others T N 0 w) = true).
    { intros z Lz [A B]. specialize (Z z Lz). rewrite A in Z.
      rewrite (proj2 (Lost z)) in Z by auto.
      destruct (others T N 0 w); [discriminate|]. split; [discriminate|auto]. }
    destruct w as [|k0 w0] eqn:Ew.
    + left. intros z Lz F. now apply (Failing z Lz F).
    + right. exists w. subst w. repeat split; [discriminate| | |].
      * apply Forall_forall. rewrite forallb_forall in K. intros k I. now apply Nat.ltb_lt, K.
      * now apply Nat.eqb_eq.
      * intros z A k B Lz F Eq. destruct (Failing z Lz F) as [_ H].
        rewrite forallb_forall in H.
        assert (KK : kinds_of N (A ++ k :: B)).
        { rewrite <- Eq. apply Forall_forall. rewrite forallb_forall in K.
          intros j I. now apply Nat.ltb_lt, K. }
        pose proof (others_spec A k B 0 (order_positive T T_ok) KK) as I.
        rewrite <- Eq in I. specialize (H _ I). simpl in H. rewrite <- H. do 2 f_equal.
        symmetry. apply (mul_one T T_ok). apply kinds_product_below; auto.
        unfold kinds_of in *. rewrite Forall_app in *. destruct KK as [KA KB].
        split; auto. now inversion KB.
Qed.

Lemma same_listing_has L M : same_listing L M = true ->
  forall e, listing_has M e <-> listing_has L e.
Proof.
  unfold same_listing. intros H. read_check. rewrite all_below_spec in H0.
  intros e. split; intros (i & Li & <-); exists i.
  - rewrite <- H in Li. split; [auto|]. specialize (H0 i Li). now read_check.
  - split; [lia|]. specialize (H0 i Li). now read_check.
Qed.

Variable H : heaps.
Hypothesis H_ok : heaps_ok T N H = true.

Theorem heaps_good h : h <= last_heap H -> good_pair T N (phi H h) (listing_has (image_of H h)).
Proof.
  unfold heaps_ok in H_ok. apply andb_split in H_ok as [A _]. rewrite all_from_spec in A.
  induction h as [h IH] using lt_wf_ind. intros L.
  assert (B : heap_ok T N H h = true) by (apply A; lia).
  unfold heap_ok in B. cbv zeta in B. destruct (Nat.ltb_spec (same_as H h) h) as [Lt|Ge].
  - apply andb_split in B as [B C]. read_check. rewrite B.
    eapply good_pair_same; [|apply (IH _ Lt); lia]. now apply same_listing_has.
  - now apply pair_ok_good with (word_of H h).
Qed.

Lemma heaps_generate g : g < generators T ->
  exists h, h <= last_heap H /\ phi H h = row T g 0.
Proof.
  unfold heaps_ok in H_ok. apply andb_split in H_ok as [_ A]. unfold generators_ok in A.
  rewrite all_below_spec in A. intros L. specialize (A g L). read_check.
  exists (heap_of H g). auto.
Qed.

End Heaps.
