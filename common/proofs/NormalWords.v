(** Are the normal words listed, and counted by their degrees? (Claim 5 of docs/presentations.md) *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Loops InfiniteSearch InfiniteReading Words.
Import ListNotations.

(** The numbers [h] of normal words of the degrees 0, 1, 2, … The words are made once. *)
Fixpoint degrees_counted (all : list (list nat)) (k : nat) (h : list nat) : bool :=
  match h with
  | [] => true
  | m :: h => (length (filter (fun v => degree v =? k) all) =? m) && degrees_counted all (S k) h
  end.

Definition hilbert_ok (n : nat) (R : list relation) (h : list nat) : bool :=
  relations_ok n R && degrees_counted (words_to n (Nat.pred (length h)) (map left R)) 0 h.

Fixpoint ascending_words (M : list (list nat)) : bool :=
  match M with
  | v :: M => match M with [] => true | w :: _ => less v w end && ascending_words M
  | [] => true
  end.

(** The words [M] are the normal words of degree at most [k], in their order. *)
Definition normal_words_ok (n : nat) (R : list relation) (k : nat) (M : list (list nat)) : bool :=
  relations_ok n R && ascending_words M &&
  forallb (fun v => (length v =? n) && (degree v <=? k) &&
    negb (existsb (fun r => divides (left r) v) R)) M &&
  (length M =? length (words_to n k (map left R))).

(** ** Facts *)

Section Normal.

Variable n : nat.
Variable R : list relation.
Hypothesis R_ok : relations_ok n R = true.

Lemma left_lengths l : In l (map left R) -> length l = n.
Proof. intros I. apply in_map_iff in I as (r & <- & I). now apply (relation_parts n R R_ok r). Qed.

Lemma words_to_normal k v : In v (words_to n k (map left R)) <->
  length v = n /\ degree v <= k /\ normal R v.
Proof.
  rewrite (words_to_spec n k _ left_lengths v). unfold normal. split; intros (L & D & N).
  - repeat split; auto. intros r I. now apply N, in_map.
  - repeat split; auto. intros l I. apply in_map_iff in I as (r & <- & I). auto.
Qed.

Lemma filter_once (f : list nat -> bool) M : NoDup M -> NoDup (filter f M).
Proof.
  induction 1 as [|v M N Nd IH]; simpl; [constructor|]. destruct (f v); auto. constructor; auto.
  rewrite filter_In. tauto.
Qed.

Lemma degrees_counted_spec all h : forall k, degrees_counted all k h = true ->
  forall i, i < length h -> length (filter (fun v => degree v =? k + i) all) = nth i h 0.
Proof.
  induction h as [|m h IH]; simpl; intros k D i L; [lia|].
  apply andb_split in D as [D1 D2]. apply Nat.eqb_eq in D1. destruct i as [|i].
  - now rewrite Nat.add_0_r.
  - rewrite <- Nat.add_succ_comm. apply IH; auto. lia.
Qed.

End Normal.

(** The numbers by degree: for each degree there is a list of all normal words of this degree, each
    once, which has the length that is claimed. *)
Theorem hilbert_accepted n R h : hilbert_ok n R h = true -> forall k, k < length h ->
  exists M, NoDup M /\ length M = nth k h 0 /\
    forall v, In v M <-> length v = n /\ degree v = k /\ normal R v.
Proof.
  unfold hilbert_ok. rewrite andb_split. intros [R_ok D] k L.
  set (all := words_to n (Nat.pred (length h)) (map left R)) in *.
  exists (filter (fun v => degree v =? k) all). split; [|split].
  - apply filter_once, words_to_once.
  - now apply (degrees_counted_spec all h 0 D).
  - intros v. rewrite filter_In, Nat.eqb_eq. unfold all. rewrite words_to_normal by auto.
    split; [tauto|]. intros (Lv & Dv & N). repeat split; auto. lia.
Qed.

Lemma ascending_words_less v M : ascending_words (v :: M) = true ->
  forall w, In w M -> less v w = true.
Proof.
  revert v. induction M as [|w M IH]; intros v A x I; [destruct I|].
  simpl in A. apply andb_split in A as [A1 A2]. destruct I as [<-|I]; auto.
  apply less_transitive with w; auto.
Qed.

Lemma ascending_words_once M : ascending_words M = true -> NoDup M.
Proof.
  induction M as [|v M IH]; intros A; constructor.
  - intros I. pose proof (ascending_words_less v M A v I) as Z. now rewrite less_irreflexive in Z.
  - apply IH. simpl in A. now apply andb_split in A.
Qed.

(** The list of normal words. *)
Theorem normal_words_accepted n R k M : normal_words_ok n R k M = true ->
  NoDup M /\ forall v, In v M <-> length v = n /\ degree v <= k /\ normal R v.
Proof.
  unfold normal_words_ok. rewrite !andb_split. intros [[[R_ok A] F] Len].
  apply Nat.eqb_eq in Len. pose proof (ascending_words_once M A) as Nd. split; auto.
  rewrite forallb_forall in F.
  assert (Incl : incl M (words_to n k (map left R))).
  { intros v I. specialize (F v I). rewrite !andb_split, Nat.eqb_eq, Nat.leb_le in F.
    destruct F as [[F1 F2] F3]. apply words_to_normal; auto. repeat split; auto.
    intros r Ir. apply negb_true_iff in F3. destruct (divides (left r) v) eqn:D; auto.
    rewrite <- F3. symmetry. apply existsb_exists. eauto. }
  intros v. rewrite <- (words_to_normal n R R_ok k v). split; [apply Incl|].
  apply NoDup_length_incl; auto. lia.
Qed.

(** The relations are reduced (W5): no left side divides the right side of its own relation, or a side
    of another one. *)
Theorem reduced_accepted R : forall before, reduced_from before R = true -> forall A r B,
  R = A ++ r :: B ->
  divides (left r) (right r) = false /\
  forall s, In s (before ++ A ++ B) ->
    divides (left s) (left r) = false /\ divides (left s) (right r) = false.
Proof.
  induction R as [|r R IH]; simpl; intros before D A r' B Q; [destruct A; discriminate|].
  rewrite !andb_split, !negb_true_iff in D. destruct D as [[D1 D2] D3].
  apply orb_false_elim in D2 as [D2 D2'].
  assert (No : forall (f : relation -> bool) K, existsb f K = false -> forall x, In x K ->
    f x = false).
  { intros f K X x Ix. destruct (f x) eqn:Y; auto. rewrite <- X. symmetry.
    apply existsb_exists. eauto. }
  destruct A as [|a A]; simpl in Q; injection Q as <- ->.
  - split; auto. intros s I. simpl in I. split; [exact (No _ _ D1 s I)|exact (No _ _ D2' s I)].
  - destruct (IH (r :: before) D3 A r' B eq_refl) as [O1 O2]. split; auto.
    intros s I. apply O2. simpl. rewrite !in_app_iff in *. simpl in I. tauto.
Qed.
