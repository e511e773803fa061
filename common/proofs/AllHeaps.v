(** How are all heaps decided by letters? (T9 of docs/beyond.md)

    In 0.31011 the misère quotient of the heaps 1 to 5 is infinite. Still every position of the game
    is decided: the heaps 6, 8, 10, … count for nothing, and the heaps 7, 9, 11, … count as a heap
    of 1. So the heaps 1 to 5 are letters, each greater heap has a word, and the words repeat with
    period 2 from heap 6 on.

    Let the words of the heaps to [n] be good: the conditions of T3 hold of them. A heap [h] beyond
    [n] has the word of heap [h - p], and by [Repetition] its options are read as those of heap
    [h - p]. So the conditions hold of it too, and T3 speaks of all heaps. *)

From Coq Require Import List Arith Lia Permutation Bool.
From Misere Require Import Games Codes Loops Images InfiniteLetters Repetition.
Import ListNotations.

(** All positions of a game are decided by those of the letters, which are heaps to [n]. The word
    of each heap is a sum of letters, and the words repeat with the period [p] from [r] on: no
    smaller period would do, and no smaller preperiod. *)
Record decides_all_heaps (G : heap_game) (n p r : nat) (word : nat -> list nat)
    (V : list nat -> said) : Prop := {
  decided_P : forall X, Ppos G X <-> V (reading word X) = SaysP;
  decided_N : forall X, Npos G X <-> V (reading word X) = SaysN;
  like_its_letters : forall X, indistinguishable G all_heaps X (reading word X);
  letters_are_low : forall X, Forall (heaps_to n) (reading word X);
  letters_of_letters : forall X, reading word (reading word X) = reading word X;
  words_repeat : forall h, r <= h -> Permutation (word (h + p)) (word h);
  words_least : forall q s, 1 <= q ->
    (forall h, s <= h -> Permutation (word (h + q)) (word h)) -> p <= q /\ r <= s }.

(** ** What it means for quotients *)

Section Decided.

Variable G : heap_game.
Variables n p r : nat.
Variable word : nat -> list nat.
Variable V : list nat -> said.
Hypothesis D : decides_all_heaps G n p r word V.

(** The heaps beyond [n] tell no more positions apart. *)
Theorem low_heaps_distinguish X Y :
  indistinguishable G (heaps_to n) X Y -> indistinguishable G all_heaps X Y.
Proof.
  intros I Z _. pose proof (like_its_letters _ _ _ _ _ _ D Z) as L.
  assert (A : forall W, Ppos G (W ++ Z) <-> Ppos G (W ++ reading word Z)).
  { intros W. rewrite (Ppos_permutation G (W ++ Z) (Z ++ W)) by apply Permutation_app_comm.
    rewrite (L W) by (apply Forall_forall; intros; exact Logic.I).
    apply Ppos_permutation, Permutation_app_comm. }
  rewrite !A. apply I. exact (letters_are_low _ _ _ _ _ _ D Z).
Qed.

(** The misère quotient of the whole game is the quotient of the heaps to [n]. *)
Theorem quotient_is_of_low_heaps (Q : bipartite_monoid) phi :
  is_misere_quotient G all_heaps Q phi -> is_misere_quotient G (heaps_to n) Q phi.
Proof.
  assert (All : forall X, Forall all_heaps X) by (intros; apply Forall_forall; intros; exact I).
  intros H. constructor.
  - intros q. destruct (quotient_onto _ _ _ _ H q) as (X & _ & <-).
    exists (reading word X). split; [exact (letters_are_low _ _ _ _ _ _ D X)|].
    apply (quotient_classes _ _ _ _ H); auto. intros Z FZ. symmetry.
    now apply (like_its_letters _ _ _ _ _ _ D X).
  - intros X _. now apply (quotient_outcome _ _ _ _ H).
  - intros X Y _ _. rewrite (quotient_classes _ _ _ _ H) by auto. split.
    + intros I Z _. now apply I.
    + apply low_heaps_distinguish.
Qed.

Lemma value_by_words (Q : bipartite_monoid) phi X :
  value Q (fun h => value Q phi (word h)) X = value Q phi (reading word X).
Proof. induction X as [|h X IH]; simpl; auto. now rewrite value_app, IH. Qed.

(** Conversely, the misère quotient of the heaps to [n] is the quotient of the whole game: a greater
    heap has the value of its word. *)
Theorem low_quotient_is_of_all_heaps (Q : bipartite_monoid) phi :
  is_misere_quotient G (heaps_to n) Q phi ->
  is_misere_quotient G all_heaps Q (fun h => value Q phi (word h)).
Proof.
  assert (All : forall X, Forall all_heaps X) by (intros; apply Forall_forall; intros; exact I).
  pose proof (letters_are_low _ _ _ _ _ _ D) as Low.
  pose proof (like_its_letters _ _ _ _ _ _ D) as Like.
  intros H. constructor.
  - intros q. destruct (quotient_onto _ _ _ _ H q) as (X & FX & <-).
    exists X. split; auto. rewrite value_by_words.
    apply (quotient_classes _ _ _ _ H); auto. intros Z _. symmetry. now apply Like.
  - intros X _. rewrite value_by_words, <- (quotient_outcome _ _ _ _ H) by auto.
    pose proof (Like X [] (All [])) as E. now rewrite !app_nil_r in E.
  - intros X Y _ _. rewrite !value_by_words, (quotient_classes _ _ _ _ H) by auto. split.
    + intros E Z F. rewrite (Like X Z F), (Like Y Z F). now apply low_heaps_distinguish.
    + intros E Z _. rewrite <- (Like X Z (All Z)), <- (Like Y Z (All Z)). now apply E.
Qed.

(** If all multiples of a letter differ, the misère quotient of the heaps to [n] is infinite, and so
    is the quotient of any heaps that include these, such as all heaps. *)
Theorem low_multiples_differ g : (forall k l, k <> l ->
    ~ indistinguishable G all_heaps (repeat g k) (repeat g l)) ->
  forall S : nat -> Prop, (forall h, h <= n -> S h) ->
  forall k l, k <> l -> ~ indistinguishable G S (repeat g k) (repeat g l).
Proof.
  intros Diff S Sub k l N I. apply (Diff k l N), low_heaps_distinguish.
  intros Z F. apply I. eapply Forall_impl; [exact Sub|exact F].
Qed.

End Decided.

(** ** Why it is so *)

Section AllHeaps.

Variable c : code.
Variables n p r0 : nat.

Local Notation G := (game_of_code c).

(** The letters, the words of the heaps to [n], and what is claimed. *)
Variable letter : nat -> Prop.
Variable word : nat -> list nat.
Variable V : list nat -> said.
Variable rank : nat -> nat.

(** The word of every heap. *)
Definition word_of_all : nat -> list nat := extended n p word.

(** What T1 and T3 ask of the heaps to [n]. *)
Hypothesis V_order : forall z z', Permutation z z' -> V z = V z'.
Hypothesis letter_to_n : forall a, letter a -> a <= n.
Hypothesis letter_word : forall a, letter a -> word a = [a].
Hypothesis letter_or_not : forall h, letter h \/ ~ letter h.
Hypothesis word_letters : forall h, h <= n -> letters_only letter (word h).
Hypothesis word_dead : forall h, h <= n -> opts G h = [] -> word h = [].
Hypothesis V_end : V [] = SaysN.
Hypothesis letters_P : forall a z, letter a -> letters_only letter z -> V (a :: z) = SaysP ->
  forall o, In o (opts G a) -> V (reading word o ++ z) = SaysN.
Hypothesis letters_N : forall z, letters_only letter z -> z <> [] -> V z = SaysN ->
  exists a z' o, Permutation z (a :: z') /\ letter a /\ In o (opts G a) /\
    V (reading word o ++ z') = SaysP.
Hypothesis words_S : forall h z, h <= n -> opts G h <> [] -> ~ letter h ->
  V (word h ++ z) = SaysP -> forall o, In o (opts G h) -> V (reading word o ++ z) = SaysN.
Hypothesis words_C : forall h z a w o, h <= n -> opts G h <> [] -> ~ letter h ->
  V (word h ++ z) = SaysN ->
  Permutation (word h) (a :: w) -> In o (opts G a) -> V (reading word o ++ w ++ z) = SaysP ->
  (exists o', In o' (opts G h) /\ V (reading word o' ++ z) = SaysP) \/
  (exists b z' o', Permutation (word h ++ z) (b :: z') /\ letter b /\ rank b < rank a /\
    In o' (opts G b) /\ V (reading word o' ++ z') = SaysP).
Hypothesis words_E : forall h, h <= n -> opts G h <> [] -> ~ letter h -> word h = [] ->
  exists o, In o (opts G h) /\ V (reading word o) = SaysP.

(** B7: an outcome is claimed of every sum of letters. *)
Hypothesis V_speaks : forall z, letters_only letter z -> V z <> Nothing.

(** B4 and B5: the words repeat. *)
Hypothesis period_positive : 1 <= p.
Hypothesis far_enough :
  Nat.max 2 (most_parts c) * Nat.max 1 r0 + Nat.max 2 (most_parts c) * p + length c <= n + 2.
Hypothesis words_repeat_to_n : forall h, r0 <= h -> h + p <= n ->
  Permutation (word (h + p)) (word h).

Local Notation read_all := (reading word_of_all).

Lemma word_to h : h <= n -> word_of_all h = word h.
Proof. apply extended_to. Qed.

Lemma word_beyond h : n < h -> word_of_all h = word_of_all (h - p).
Proof. now apply extended_beyond. Qed.

Lemma words_go_on h : r0 <= h -> Permutation (word_of_all (h + p)) (word_of_all h).
Proof.
  pose proof (start_before_end c n p r0 period_positive far_enough) as Start. intros L.
  destruct (le_lt_dec (h + p) n) as [Le|Lt].
  - rewrite !word_to by lia. auto.
  - rewrite word_beyond by lia. now replace (h + p - p) with h by lia.
Qed.

Lemma reading_to o : (forall g, In g o -> g <= n) -> read_all o = reading word o.
Proof.
  intros L. induction o as [|g o IH]; simpl; auto. rewrite IH, word_to; auto.
  - apply L. now left.
  - intros x Ix. apply L. now right.
Qed.

Lemma option_reading h o : h <= n -> In o (opts G h) -> read_all o = reading word o.
Proof.
  intros L I. apply reading_to. intros g Ig. pose proof (opts_smaller G h o g I Ig). lia.
Qed.

Lemma letter_option_reading a o : letter a -> In o (opts G a) -> read_all o = reading word o.
Proof. intros La. apply option_reading. auto. Qed.

Lemma reading_exchange A g g' B : Permutation (word_of_all g) (word_of_all g') ->
  Permutation (read_all (A ++ g :: B)) (read_all (A ++ g' :: B)).
Proof.
  intros Pm. rewrite !reading_app. apply Permutation_app_head. simpl.
  now apply Permutation_app_tail.
Qed.

(** Heap [h + p] has the options of heap [h], as far as words go. *)
Lemma options_below h o : large c p r0 <= h -> In o (opts G (h + p)) ->
  exists o', In o' (opts G h) /\ Permutation (read_all o) (read_all o').
Proof.
  intros L I.
  destruct (option_below c n p r0 period_positive far_enough h o L I) as (A & g & B & -> & Lg & I').
  exists (A ++ g :: B). split; auto. now apply reading_exchange, words_go_on.
Qed.

Lemma options_above h o : large c p r0 <= h -> In o (opts G h) ->
  exists o', In o' (opts G (h + p)) /\ Permutation (read_all o) (read_all o').
Proof.
  intros L I.
  destruct (option_above c n p r0 period_positive far_enough h o L I) as (A & g & B & -> & Lg & I').
  exists (A ++ g + p :: B). split; auto. symmetry. now apply reading_exchange, words_go_on.
Qed.

(** What T3 asks of a heap. *)
Record good_heap (h : nat) : Prop := {
  good_letters : letters_only letter (word_of_all h);
  good_dead : opts G h = [] -> word_of_all h = [];
  good_S : forall z, letters_only letter z -> V (word_of_all h ++ z) = SaysP ->
    forall o, In o (opts G h) -> V (read_all o ++ z) = SaysN;
  good_C : forall z a w o, letters_only letter z -> V (word_of_all h ++ z) = SaysN ->
    Permutation (word_of_all h) (a :: w) -> In o (opts G a) ->
    V (read_all o ++ w ++ z) = SaysP ->
    (exists o', In o' (opts G h) /\ V (read_all o' ++ z) = SaysP) \/
    (exists b z' o', Permutation (word_of_all h ++ z) (b :: z') /\ letter b /\ rank b < rank a /\
      In o' (opts G b) /\ V (read_all o' ++ z') = SaysP);
  good_E : opts G h <> [] -> word_of_all h = [] ->
    exists o, In o (opts G h) /\ V (read_all o) = SaysP }.

Lemma letter_good a : letter a -> good_heap a.
Proof.
  intros La. pose proof (letter_to_n a La) as Ln.
  assert (W : word_of_all a = [a]) by (rewrite word_to; auto).
  constructor; rewrite ?W.
  - constructor; [auto|constructor].
  - intros D. rewrite <- (letter_word a La). auto.
  - intros z Lz E o I. rewrite (letter_option_reading a o La I). now apply letters_P with a.
  - intros z b w o Lz E Pm I P. left. apply Permutation_length_1_inv in Pm.
    injection Pm as -> ->. exists o. auto.
  - discriminate.
Qed.

Lemma low_heap_good h : h <= n -> good_heap h.
Proof.
  intros L. destruct (letter_or_not h) as [Lh|Nh]; [now apply letter_good|].
  assert (W : word_of_all h = word h) by now apply word_to.
  constructor; rewrite ?W; auto.
  - intros z Lz E o I. rewrite (option_reading h o L I). apply words_S with h; auto.
    intros D. now rewrite D in I.
  - intros z a w o Lz E Pm I P.
    assert (La : letter a).
    { pose proof (word_letters h L) as F. unfold letters_only in F. rewrite Forall_forall in F.
      apply F. eapply Permutation_in; [symmetry; exact Pm|now left]. }
    assert (Live : opts G h <> []).
    { intros D. rewrite (word_dead h L D) in Pm. now apply Permutation_nil in Pm. }
    rewrite (letter_option_reading a o La I) in P.
    destruct (words_C h z a w o L Live Nh E Pm I P) as
      [(o' & I' & E')|(b & z' & o' & Pb & Lb & Rb & Ib & E')].
    + left. exists o'. now rewrite (option_reading h o' L I').
    + right. exists b, z', o'. rewrite (letter_option_reading b o' Lb Ib). auto.
  - intros Live E. destruct (words_E h L Live Nh E) as (o & I & P).
    exists o. now rewrite (option_reading h o L I).
Qed.

Lemma heap_good h : good_heap h.
Proof.
  pose proof (large_before_end c n p r0 period_positive far_enough) as Large.
  pose proof (start_before_end c n p r0 period_positive far_enough) as Start.
  induction h as [h IH] using lt_wf_ind. destruct (le_lt_dec h n) as [Le|Lt].
  { now apply low_heap_good. }
  specialize (IH (h - p) ltac:(lia)). destruct IH as [GL GD GS GC GE].
  pose proof (word_beyond h Lt) as W.
  assert (Below : forall o, In o (opts G h) ->
    exists o', In o' (opts G (h - p)) /\ Permutation (read_all o) (read_all o')).
  { intros o I. apply options_below; [lia|]. now replace (h - p + p) with h by lia. }
  assert (Above : forall o, In o (opts G (h - p)) ->
    exists o', In o' (opts G h) /\ Permutation (read_all o) (read_all o')).
  { intros o I. replace h with (h - p + p) by lia. apply options_above; [lia|]. auto. }
  constructor; rewrite ?W; auto.
  - intros D. apply GD. destruct (opts G (h - p)) as [|o L] eqn:O; auto. exfalso.
    destruct (Above o (or_introl eq_refl)) as (o' & I' & _). now rewrite D in I'.
  - intros z Lz E o I. destruct (Below o I) as (o' & I' & Pm).
    rewrite <- (GS z Lz E o' I'). now apply V_order, Permutation_app_tail.
  - intros z a w o Lz E Pm I P.
    destruct (GC z a w o Lz E Pm I P) as [(o' & I' & E')|R]; [left|now right].
    destruct (Above o' I') as (o'' & I'' & Pm'). exists o''. split; auto.
    rewrite <- E'. symmetry. now apply V_order, Permutation_app_tail.
  - intros Live E. destruct GE as (o & I & P); auto.
    + intros D. apply Live. destruct (opts G h) as [|o L]; auto. exfalso.
      destruct (Below o (or_introl eq_refl)) as (o' & I' & _). now rewrite D in I'.
    + destruct (Above o I) as (o' & I' & Pm). exists o'. split; auto.
      rewrite <- P. symmetry. now apply V_order.
Qed.

Lemma reading_of_letters z : letters_only letter z -> read_all z = z.
Proof.
  induction 1 as [|a z La F IH]; simpl; auto.
  rewrite IH, word_to, letter_word; auto.
Qed.

Lemma reading_is_letters X : letters_only letter (read_all X).
Proof.
  induction X as [|h X IH]; simpl; [constructor|]. apply Forall_app. split; auto.
  apply good_letters, heap_good.
Qed.

(** What is claimed of a position of any heaps is its outcome. *)
Theorem all_claims_hold (X : position) :
  (V (read_all X) = SaysP -> Ppos G X) /\ (V (read_all X) = SaysN -> Npos G X).
Proof.
  apply claims_hold with (spoken := fun _ => True) (letter := letter) (rank := rank); auto.
  - intros a La. rewrite word_to; auto.
  - intros h _. apply good_letters, heap_good.
  - intros h D. now apply good_dead; [apply heap_good|].
  - intros a z La Lz E o I. rewrite (letter_option_reading a o La I). now apply letters_P with a.
  - intros z Lz Nz E. destruct (letters_N z Lz Nz E) as (a & z' & o & Pm & La & I & P).
    exists a, z', o. rewrite (letter_option_reading a o La I). auto.
  - intros h z _ _ Lz E o I. now apply (good_S h (heap_good h)).
  - intros h z a w o _ _ Lz E Pm I P. now apply (good_C h (heap_good h) z a w o).
  - intros h _ _ Live E. now apply (good_E h (heap_good h)).
  - apply Forall_forall. intros h _. now left.
Qed.

Lemma claimed (X : position) :
  (Ppos G X <-> V (read_all X) = SaysP) /\ (Npos G X <-> V (read_all X) = SaysN).
Proof.
  destruct (all_claims_hold X) as [HP HN].
  pose proof (V_speaks (read_all X) (reading_is_letters X)) as Sp.
  pose proof (outcomes_exclusive G X) as Ex.
  destruct (V (read_all X)); [congruence| |]; split; split; auto; intros H; exfalso; auto;
    discriminate.
Qed.

Lemma indistinguishable_from_letters X : indistinguishable G all_heaps X (read_all X).
Proof.
  intros Z _. rewrite (proj1 (claimed (X ++ Z))), (proj1 (claimed (read_all X ++ Z))).
  rewrite !reading_app. rewrite (reading_of_letters (read_all X)); [reflexivity|].
  apply reading_is_letters.
Qed.

(** B6: no smaller period and no smaller preperiod would do. *)
Hypothesis least_to_n : forall q s, 1 <= q ->
  (forall h, s <= h -> Permutation (word_of_all (h + q)) (word_of_all h)) -> p <= q /\ r0 <= s.

(** T9. *)
Theorem letters_decide_all_heaps m : (forall a, letter a -> a <= m) ->
  decides_all_heaps G m p r0 word_of_all V.
Proof.
  intros Lm. constructor.
  - intros X. apply claimed.
  - intros X. apply claimed.
  - exact indistinguishable_from_letters.
  - intros X. eapply Forall_impl; [exact Lm|apply reading_is_letters].
  - intros X. apply reading_of_letters, reading_is_letters.
  - exact words_go_on.
  - exact least_to_n.
Qed.

End AllHeaps.
