(** Do the words that are listed reach far enough, and do they repeat? (B2, B4 to B6 and a part of
    B7 of docs/beyond.md, decided)

    The words of all heaps are words like those of the evidence itself. So they are added to it, and
    what is said here is about evidence with all words. Words are compared by the counts of their
    letters, since the order of letters does not matter. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops Images Repetition InfiniteLetters InfiniteAutomaton
  InfiniteReading InfiniteMoves AllHeaps.
Import ListNotations.

(** What is said of the words: the greatest heap with a word, or a greater letter, and how the words
    repeat. An untrusted search adds a set of states and nodes that are never silent. *)
Record repetition := Repetition {
  last_word : nat;
  word_period : nat;
  word_preperiod : nat;
  talks : nat -> bool }.

Definition same_words (E : evidence) (h g : nat) : bool :=
  equal_counts (counts_of E (word_of E h)) (counts_of E (word_of E g)).

(** Every heap with an option is a letter or has a word. *)
Definition all_spoken (c : code) (n : nat) (E : evidence) : bool :=
  let all := letters E ++ map fst (words E) in
  all_from 0 (n + 1) (fun h => has all h || (length (code_options c h) =? 0)).

(** B2, B4, B5 and B6. The letters are heaps to [n]. *)
Definition repetition_ok (c : code) (n : nat) (E : evidence) (R : repetition) : bool :=
  forallb (fun a => a <=? n) (letters E) &&
  all_spoken c (last_word R) E &&
  repeats_to c (last_word R) (same_words E) (word_period R) (word_preperiod R) &&
  least_repetition (same_words E) (word_period R) (word_preperiod R).

(** Something is said in every state with the property [f], and the states after it have it. *)
Definition talks_ok (A : automaton) (f : nat -> bool) : bool :=
  all_below (states A) (fun q => if f q then negb (said_eqb (says A q) Nothing) &&
    all_below (2 ^ digits A) (fun b => f (next A q b)) else true).

(** ** Facts *)

Lemma talks_said A f : automaton_ok A = true -> talks_ok A f = true ->
  forall v q, length v = digits A -> q < states A -> f q = true -> read_from A q v <> Nothing.
Proof.
  intros A_ok T v. unfold talks_ok in T. rewrite all_below_spec in T.
  remember (list_sum v) as n eqn:En. revert v En.
  induction n as [n IH] using lt_wf_ind. intros v -> q Len L F.
  pose proof (T q L) as Tq. rewrite F in Tq. apply andb_split in Tq as [S N].
  rewrite all_below_spec in N. destruct (all_zero v) eqn:Z.
  - unfold read_from. rewrite read_zero by auto. intros Q. now rewrite Q in S.
  - rewrite read_step by auto. apply IH with (m := list_sum (halves v)); auto.
    + now apply halves_less.
    + unfold halves. now rewrite map_length.
    + now apply next_bits_below.
    + apply N. rewrite <- Len. apply bits_below.
Qed.

Lemma equal_counts_iff v v' : equal_counts v v' = true <-> v = v'.
Proof.
  split; [apply equal_counts_eq|]. intros <-. unfold equal_counts.
  now rewrite !(proj2 (equal_lists_eq _ _) eq_refl).
Qed.

Lemma same_words_iff E h g : same_words E h g = true <->
  counts_of E (word_of E h) = counts_of E (word_of E g).
Proof. apply equal_counts_iff. Qed.

Lemma counts_of_permutation E (z z' : list nat) : Permutation z z' ->
  counts_of E z = counts_of E z'.
Proof.
  intros Pm. unfold counts_of. f_equal; apply map_ext; intros h; now apply count_permutation.
Qed.

Lemma equal_maps {B} (f g : nat -> B) L : map f L = map g L -> forall h, In h L -> f h = g h.
Proof.
  induction L as [|x L IH]; simpl; [tauto|]. intros [= E M] h [<-|I]; auto.
Qed.

(** Sums of letters with equal counts are the same but for the order. *)
Lemma counts_permutation E w w' : Forall (letter E) w -> Forall (letter E) w' ->
  counts_of E w = counts_of E w' -> Permutation w w'.
Proof.
  intros F F' [= Ec Ed]. apply (Permutation_count_occ Nat.eq_dec). intros x.
  assert (Q : forall z, count_occ Nat.eq_dec z x = count x z).
  { induction z as [|y z IH]; simpl; auto.
    destruct (Nat.eq_dec y x), (Nat.eqb_spec y x); congruence. }
  rewrite !Q. destruct (letter_decided E x) as [L|N].
  - unfold letter, letters in L. apply in_app_iff in L as [I|I].
    + now apply (equal_maps _ _ _ Ec).
    + now apply (equal_maps _ _ _ Ed).
  - assert (Z : forall z, Forall (letter E) z -> count x z = 0).
    { intros z Fz. destruct (count x z) eqn:C; auto. exfalso. apply N.
      rewrite Forall_forall in Fz. apply Fz, count_positive. lia. }
    now rewrite !Z.
Qed.

Section Words.

Variable c : code.
Variable n : nat.
Variable E : evidence.
Variable R : repetition.
Hypothesis R_ok : repetition_ok c n E R = true.

Local Notation G := (game_of_code c).
Local Notation N := (last_word R).
Local Notation p := (word_period R).
Local Notation r0 := (word_preperiod R).

Hypothesis E_ok : evidence_ok c N E = true.

Lemma repetition_parts : (forall a, letter E a -> a <= n) /\
  (forall h, h <= N -> opts G h <> [] -> spoken E h) /\ 1 <= p /\
  Nat.max 2 (most_parts c) * Nat.max 1 r0 + Nat.max 2 (most_parts c) * p + length c <= N + 2 /\
  (forall h, r0 <= h -> h + p <= N ->
    counts_of E (word_of E (h + p)) = counts_of E (word_of E h)) /\
  least_repetition (same_words E) p r0 = true.
Proof.
  unfold repetition_ok in R_ok. rewrite !andb_split in R_ok. destruct R_ok as [[[L A] P] M].
  unfold repeats_to in P. cbv zeta in P. rewrite !andb_split in P. destruct P as [[P Far] Rep].
  apply Nat.leb_le in P, Far. rewrite all_from_spec in Rep. rewrite forallb_forall in L.
  split; [|split; [|split; [|split; [|split]]]]; auto.
  - intros a La. now apply Nat.leb_le, L.
  - intros h Lh Live. unfold all_spoken in A. cbv zeta in A. rewrite all_from_spec in A.
    specialize (A h ltac:(lia) ltac:(lia)). apply orb_prop in A as [A|A].
    + now apply has_in in A.
    + apply Nat.eqb_eq, length_zero_iff_nil in A. contradiction.
  - intros h L1 L2. apply same_words_iff, Rep; lia.
Qed.

Lemma word_to_letters h : h <= N -> letters_only (letter E) (word_of E h).
Proof.
  intros L. destruct (opts G h) eqn:O.
  - rewrite (word_of_dead c N E E_ok h O). constructor.
  - apply (word_of_letters c N E E_ok). apply repetition_parts; auto. rewrite O. discriminate.
Qed.

Lemma letter_to_last a : letter E a -> a <= N.
Proof. intros L. apply (heap_parts c N E E_ok a). now apply letter_is_spoken. Qed.

Lemma listed_words_repeat h : r0 <= h -> h + p <= N ->
  Permutation (word_of E (h + p)) (word_of E h).
Proof.
  intros L1 L2. apply (counts_permutation E); try (apply word_to_letters; lia).
  now apply repetition_parts.
Qed.

Local Notation word := (word_of_all N p (word_of E)).

Lemma listed_words_least q s : 1 <= q ->
  (forall h, s <= h -> Permutation (word (h + q)) (word h)) -> p <= q /\ r0 <= s.
Proof.
  destruct repetition_parts as (_ & _ & Lp & Far & Rep & Least). intros Lq H.
  apply (repetition_least c N p r0 Lp Far (fun h => counts_of E (word_of E h)) Rep (same_words E));
    auto.
  - intros h g. apply same_words_iff.
  - intros h L. rewrite !(extended_map N p (word_of E) (counts_of E)) by auto.
    now apply counts_of_permutation, H.
Qed.

End Words.
