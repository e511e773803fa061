(** When do outcomes that are claimed of infinitely many positions hold, and when do they make a
    misère quotient infinite? (T1, T3 and the frame of T4 of docs/infinite.md)

    In 0.005 a heap of 11 counts as a heap of 3 and a heap of 7. The heaps 3 and 7 are _letters_,
    and 3 + 7 is the _word_ of heap 11. A position is read as the letters of the words of its heaps.
    The order of the letters does not matter; so a list of letters represents the vector of their
    counts.

    A move in a letter is written as a move in a list that begins with the letter. So nothing is
    said here of a move in a heap that is not there, and the hypothesis H3 on words is not needed
    yet. It is needed to decide the conditions by counts; see [InfiniteColumns]. *)

From Coq Require Import List Arith Lia Permutation Bool FinFun.
From Misere Require Import Games.
Import ListNotations.

(** What is claimed of a position. *)
Inductive said := Nothing | SaysN | SaysP.

Section Letters.

Variable G : heap_game.

(** The heaps spoken of, those among them that are letters, and what each heap is read as. *)
Variable spoken : nat -> Prop.
Variable letter : nat -> Prop.
Variable word : nat -> list nat.

(** What is claimed of a list of letters. *)
Variable V : list nat -> said.

Definition dead (h : nat) : Prop := opts G h = [].

(** What a position is read as. *)
Definition reading (X : position) : list nat := flat_map word X.

Definition letters_only (z : list nat) : Prop := Forall letter z.

(** The order of letters does not matter. *)
Hypothesis V_order : forall z z', Permutation z z' -> V z = V z'.

(** H1: letters are spoken of, and are read as themselves. Words consist of letters, and a heap
    without a move is read as nothing. *)
Hypothesis letter_spoken : forall a, letter a -> spoken a.
Hypothesis letter_word : forall a, letter a -> word a = [a].
Hypothesis letter_or_not : forall h, letter h \/ ~ letter h.
Hypothesis word_letters : forall h, spoken h -> letters_only (word h).
Hypothesis word_dead : forall h, dead h -> word h = [].

(** H2: what a move in a heap spoken of leaves is spoken of, or dead. *)
Hypothesis closed : forall h o g, spoken h -> In o (opts G h) -> In g o -> spoken g \/ dead g.

(** H7: the end is an N-position. *)
Hypothesis V_end : V [] = SaysN.

(** H8: (P) and (N) of T1, for every list of letters. *)
Hypothesis letters_P : forall a z, letter a -> letters_only z -> V (a :: z) = SaysP ->
  forall o, In o (opts G a) -> V (reading o ++ z) = SaysN.
Hypothesis letters_N : forall z, letters_only z -> z <> [] -> V z = SaysN ->
  exists a z' o, Permutation z (a :: z') /\ letter a /\ In o (opts G a) /\
    V (reading o ++ z') = SaysP.

(** An order of letters: those of smaller rank come before. *)
Variable rank : nat -> nat.

(** H9 or H18: (S) and (C') of T3, for every heap with a word. (C) is the first case of (C'). *)
Hypothesis words_S : forall h z, spoken h -> ~ letter h -> letters_only z ->
  V (word h ++ z) = SaysP -> forall o, In o (opts G h) -> V (reading o ++ z) = SaysN.
Hypothesis words_C : forall h z a w o, spoken h -> ~ letter h -> letters_only z ->
  V (word h ++ z) = SaysN ->
  Permutation (word h) (a :: w) -> In o (opts G a) -> V (reading o ++ w ++ z) = SaysP ->
  (exists o', In o' (opts G h) /\ V (reading o' ++ z) = SaysP) \/
  (exists b z' o', Permutation (word h ++ z) (b :: z') /\ letter b /\ rank b < rank a /\
    In o' (opts G b) /\ V (reading o' ++ z') = SaysP).

(** H10 or H19: (E) of T3, for every heap with an empty word. *)
Hypothesis words_E : forall h, spoken h -> ~ letter h -> opts G h <> [] -> word h = [] ->
  exists o, In o (opts G h) /\ V (reading o) = SaysP.

Definition spoken_or_dead (h : nat) : Prop := spoken h \/ dead h.

Lemma reading_app X Y : reading (X ++ Y) = reading X ++ reading Y.
Proof. apply flat_map_app. Qed.

Lemma reading_letters X : Forall spoken_or_dead X -> letters_only (reading X).
Proof.
  induction 1 as [|h X [S|D] F IH]; simpl; [constructor| |].
  - apply Forall_app. split; auto. now apply word_letters.
  - rewrite word_dead; auto.
Qed.

Lemma move_spoken X Y : Forall spoken_or_dead X -> move G X Y -> Forall spoken_or_dead Y.
Proof.
  intros F (A & h & B & o & -> & I & ->). apply Forall_app in F as [FA F].
  inversion F as [|? ? [S|D] FB]; subst; [|unfold dead in D; now rewrite D in I].
  rewrite !Forall_app. repeat split; auto. apply Forall_forall.
  intros g Ig. exact (closed h o g S I Ig).
Qed.

Lemma reading_around A o B : Permutation (reading (A ++ o ++ B)) (reading o ++ reading (A ++ B)).
Proof.
  rewrite !reading_app, !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.

Lemma reading_heap A h B : Permutation (reading (A ++ h :: B)) (word h ++ reading (A ++ B)).
Proof.
  change (h :: B) with ([h] ++ B). etransitivity; [apply reading_around|].
  simpl. now rewrite app_nil_r.
Qed.

Lemma option_claimed_N A h B o : Forall spoken_or_dead (A ++ h :: B) -> In o (opts G h) ->
  V (reading (A ++ h :: B)) = SaysP -> V (reading (A ++ o ++ B)) = SaysN.
Proof.
  intros F I E. rewrite (V_order _ _ (reading_around A o B)).
  rewrite (V_order _ _ (reading_heap A h B)) in E.
  apply Forall_app in F as [FA F]. inversion F as [|? ? [S|D] FB]; subst.
  - assert (L : letters_only (reading (A ++ B))) by (apply reading_letters, Forall_app; auto).
    destruct (letter_or_not h) as [Lh|Nh].
    + rewrite letter_word in E by auto. now apply letters_P with (a := h).
    + now apply words_S with (h := h).
  - unfold dead in D. now rewrite D in I.
Qed.

Lemma claimed_P_moves X : V (reading X) = SaysP -> exists Y, move G X Y.
Proof.
  intros E. destruct (options G X) as [|Y L] eqn:O.
  - exfalso. assert (R : reading X = []); [|rewrite R, V_end in E; discriminate].
    clear E. induction X as [|h X IH]; auto. simpl in *.
    apply app_eq_nil in O as [O1 O2]. apply map_eq_nil in O1, O2.
    rewrite word_dead by exact O1. auto.
  - exists Y. apply options_spec. rewrite O. now left.
Qed.

(** A move in a letter that is read leads to a move in the position. The letter may lie in the word
    of a heap; then (C') gives a move in the heap, or one in a letter that comes before. *)
Lemma letter_move_is_move X : Forall spoken_or_dead X -> V (reading X) = SaysN ->
  forall r a z' o, rank a = r -> Permutation (reading X) (a :: z') -> letter a ->
    In o (opts G a) -> V (reading o ++ z') = SaysP ->
    exists Y, move G X Y /\ V (reading Y) = SaysP.
Proof.
  intros F E r. induction r as [r IH] using lt_wf_ind. intros a z' o Ra Pm La I E'.
  assert (Ia : In a (reading X)) by (eapply Permutation_in; [symmetry; exact Pm|now left]).
  unfold reading in Ia. apply in_flat_map in Ia as (h & Ih & Iw).
  apply in_split in Ih as (A & B & ->). pose proof (reading_heap A h B) as Rh.
  assert (FAB : letters_only (reading (A ++ B))).
  { apply reading_letters. apply Forall_app in F as [FA F]. inversion F; subst.
    now apply Forall_app. }
  assert (S : spoken h).
  { apply Forall_app in F as [_ F]. inversion F as [|? ? [S|D] _]; subst; auto.
    rewrite word_dead in Iw by auto. destruct Iw. }
  destruct (letter_or_not h) as [Lh|Nh].
  - rewrite letter_word in * by auto. destruct Iw as [->|[]].
    exists (A ++ o ++ B). split; [exists A, a, B, o; auto|].
    rewrite (V_order _ _ (reading_around A o B)). rewrite <- E'. apply V_order.
    apply Permutation_app_head. rewrite Pm in Rh. simpl in Rh.
    apply Permutation_cons_inv in Rh. now symmetry.
  - apply in_split in Iw as (w1 & w2 & Ew).
    assert (Pw : Permutation (word h) (a :: w1 ++ w2)).
    { rewrite Ew. symmetry. apply Permutation_middle. }
    destruct (words_C h (reading (A ++ B)) a (w1 ++ w2) o) as
      [(o' & I' & E'')|(b & z'' & o' & Pb & Lb & Rb & Ib & E'')]; auto.
    + now rewrite <- (V_order _ _ Rh).
    + rewrite <- E'. apply V_order, Permutation_app_head.
      apply (Permutation_cons_inv (a := a)). rewrite <- Pm, Rh, Pw. reflexivity.
    + exists (A ++ o' ++ B). split; [exists A, h, B, o'; auto|].
      now rewrite (V_order _ _ (reading_around A o' B)).
    + apply (IH (rank b)) with (a := b) (z' := z'') (o := o'); auto.
      * now rewrite <- Ra.
      * now rewrite Rh.
Qed.

Lemma some_option_claimed_P X : Forall spoken_or_dead X -> V (reading X) = SaysN ->
  (exists Y, move G X Y) -> exists Y, move G X Y /\ V (reading Y) = SaysP.
Proof.
  intros F E [Y0 M0]. destruct (reading X) as [|b z] eqn:R.
  - destruct M0 as (A & h & B & o & -> & I & _).
    pose proof (reading_heap A h B) as Pm. rewrite R in Pm. apply Permutation_nil in Pm.
    apply app_eq_nil in Pm as [W Rest].
    assert (S : spoken h).
    { apply Forall_app in F as [_ F]. inversion F as [|? ? [S|D] _]; subst; auto.
      unfold dead in D. now rewrite D in I. }
    destruct (words_E h S) as (o' & I' & E'); auto.
    + intros Lh. rewrite letter_word in W by auto. discriminate.
    + intros O. now rewrite O in I.
    + exists (A ++ o' ++ B). split; [exists A, h, B, o'; auto|].
      rewrite (V_order _ _ (reading_around A o' B)), Rest, app_nil_r. exact E'.
  - assert (L : letters_only (b :: z)) by (rewrite <- R; now apply reading_letters).
    destruct (letters_N (b :: z) L ltac:(discriminate) E) as (a & z' & o & Pm & La & I & E').
    apply (letter_move_is_move X F) with (r := rank a) (a := a) (z' := z') (o := o); auto;
      rewrite R; auto.
Qed.

(** T3: what is claimed of a position of the heaps spoken of is its outcome. *)
Theorem claims_hold (X : position) : Forall spoken_or_dead X ->
  (V (reading X) = SaysP -> Ppos G X) /\ (V (reading X) = SaysN -> Npos G X).
Proof.
  induction X as [X IH] using (well_founded_ind (plays_end G)). intros F. split; intros E.
  - apply Ppos_iff. split; [now apply claimed_P_moves|].
    intros Y M. apply (IH Y M); [now apply move_spoken with X|].
    destruct M as (A & h & B & o & -> & I & ->). now apply option_claimed_N with h.
  - apply Npos_iff. destruct (options G X) as [|Y0 L] eqn:O.
    + left. intros Y M. apply options_spec in M. now rewrite O in M.
    + right. destruct (some_option_claimed_P X F E) as (Y & M & EY).
      * exists Y0. apply options_spec. rewrite O. now left.
      * exists Y. split; auto. apply (IH Y M); auto. now apply move_spoken with X.
Qed.

(** Two claims that contradict each other. *)
Definition opposite (v v' : said) : Prop :=
  (v = SaysP /\ v' = SaysN) \/ (v = SaysN /\ v' = SaysP).

Lemma opposite_outcomes X Y : Forall spoken_or_dead X -> Forall spoken_or_dead Y ->
  opposite (V (reading X)) (V (reading Y)) -> ~ (Ppos G X <-> Ppos G Y).
Proof.
  intros FX FY [[EX EY]|[EX EY]] I.
  - apply (outcomes_exclusive G Y); [apply I|]; now apply claims_hold.
  - apply (outcomes_exclusive G X); [apply I|]; now apply claims_hold.
Qed.

Lemma letters_spoken z : letters_only z -> Forall spoken_or_dead z /\ reading z = z.
Proof.
  induction 1 as [|a z La F [S R]]; simpl; auto. split.
  - constructor; auto. left. auto.
  - now rewrite letter_word, R.
Qed.

(** T4, its frame: positions of letters that some letters tell apart have different values. *)
Theorem letters_told_apart (heaps : nat -> Prop) (X Y z : list nat) :
  (forall a, letter a -> heaps a) ->
  letters_only X -> letters_only Y -> letters_only z ->
  opposite (V (X ++ z)) (V (Y ++ z)) -> ~ indistinguishable G heaps X Y.
Proof.
  intros In_heaps LX LY Lz Op I.
  assert (A : forall W, letters_only W -> Forall spoken_or_dead (W ++ z) /\
    reading (W ++ z) = W ++ z).
  { intros W LW. apply letters_spoken, Forall_app. auto. }
  destruct (A X LX) as [FX RX], (A Y LY) as [FY RY].
  apply (opposite_outcomes (X ++ z) (Y ++ z) FX FY); [now rewrite RX, RY|].
  apply I. eapply Forall_impl; [exact In_heaps|exact Lz].
Qed.

End Letters.

(** T1: the case in which every heap spoken of is a letter. *)
Theorem letters_hold (G : heap_game) (letter : nat -> Prop) (V : list nat -> said) :
  let live := filter (fun h => negb (length (opts G h) =? 0)) in
  (forall z z', Permutation z z' -> V z = V z') ->
  (forall h, letter h \/ ~ letter h) ->
  (forall a, letter a -> opts G a <> []) ->
  (forall a o g, letter a -> In o (opts G a) -> In g o -> letter g \/ opts G g = []) ->
  V [] = SaysN ->
  (forall a z, letter a -> Forall letter z -> V (a :: z) = SaysP ->
    forall o, In o (opts G a) -> V (live o ++ z) = SaysN) ->
  (forall z, Forall letter z -> z <> [] -> V z = SaysN ->
    exists a z' o, Permutation z (a :: z') /\ letter a /\ In o (opts G a) /\
      V (live o ++ z') = SaysP) ->
  forall X, Forall letter X -> (V X = SaysP -> Ppos G X) /\ (V X = SaysN -> Npos G X).
Proof.
  intros live V_order dec alive closed V_end HP HN X FX.
  set (word := fun h => if length (opts G h) =? 0 then [] else [h]).
  assert (R : forall o, reading word o = live o).
  { unfold reading, live, word. induction o as [|h o IH]; simpl; auto.
    destruct (length (opts G h) =? 0); simpl; now rewrite IH. }
  assert (W : forall a, letter a -> word a = [a]).
  { intros a La. unfold word. destruct (opts G a) eqn:O; auto. now apply alive in La. }
  assert (RX : reading word X = X).
  { induction FX as [|a X La FX IH]; simpl; auto. now rewrite W, IH. }
  rewrite <- RX at 1 3.
  apply claims_hold with (spoken := letter) (letter := letter) (rank := fun _ => 0); auto.
  - intros h Lh. rewrite W by auto. constructor; [auto|constructor].
  - unfold word, dead. intros h ->. reflexivity.
  - intros a z La Lz E o I. rewrite R. now apply HP with a.
  - intros z Lz Nz E. destruct (HN z Lz Nz E) as (a & z' & o & Pm & La & I & E').
    exists a, z', o. now rewrite R.
  - tauto.
  - tauto.
  - intros h Lh Nh. tauto.
  - eapply Forall_impl; [|exact FX]. intros a La. now left.
Qed.

(** A misère quotient in which all multiples of a heap are different is infinite: no list has all
    elements. *)
Theorem distinct_multiples_infinite G (S : nat -> Prop) g : S g ->
  (forall k l, k <> l -> ~ indistinguishable G S (repeat g k) (repeat g l)) ->
  forall (Q : bipartite_monoid) phi, is_misere_quotient G S Q phi ->
    ~ exists L : list Q, forall q, In q L.
Proof.
  intros Sg D Q phi H [L All].
  assert (F : forall k, Forall S (repeat g k)).
  { intros k. apply Forall_forall. intros x I. apply repeat_spec in I. now subst. }
  set (f := fun k => value Q phi (repeat g k)).
  assert (Inj : forall k l, f k = f l -> k = l).
  { intros k l E. destruct (Nat.eq_dec k l) as [|N]; auto. exfalso. apply (D k l N).
    now apply (quotient_classes _ _ _ _ H). }
  assert (Nd : NoDup (map f (seq 0 (Datatypes.S (length L))))).
  { apply FinFun.Injective_map_NoDup; [exact Inj|apply seq_NoDup]. }
  assert (I : incl (map f (seq 0 (Datatypes.S (length L)))) L) by (intros q _; apply All).
  pose proof (NoDup_incl_length Nd I) as Len. rewrite map_length, seq_length in Len. lia.
Qed.
