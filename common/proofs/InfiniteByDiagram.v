(** The checker of diagrams: what it accepts makes the misère quotient of the heaps [0, …, n] of a
    code infinite, and so the quotient of any heaps that include these. The theorems are those of
    [Infinite], for evidence of the other form. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteReading
  InfiniteMoves InfiniteMultiples InfiniteDiagram InfiniteRunners InfiniteCases
  InfiniteDiagramMoves.
Import ListNotations.

(** A diagram and the heaps whose multiples are said to be distinct, with everything that an
    untrusted search adds: lists of cases, one for the letters and one for each word, and sets of
    pairs for each heap whose multiples are distinct. *)
Record diagram_claim := DiagramClaim {
  claim_diagram : diagram;
  letter_cases : refutations;
  word_cases : nat -> refutations;
  distinct_heaps : list nat;
  pairs_for : nat -> telling }.

(** Where the automaton begins, by counts. *)
Definition diagram_start (d : diagram) (v : list nat) : nat := walk d 0 (root d) v.

Definition infinite_by_diagram_ok (c : code) (n : nat) (C : diagram_claim) : bool :=
  let d := claim_diagram C in
  let E := letters_of d in
  let F := letter_cases C in
  evidence_ok c n E && diagram_ok d && automaton_ok (diagram_reader d) && refutations_ok d F &&
  diagram_letters_ok c d F && diagram_words_ok c d (word_cases C) &&
  negb (length (distinct_heaps C) =? 0) &&
  forallb (fun g => telling_ok E (diagram_start d) g (pairs_for C g)) (distinct_heaps C).

Section Infinite.

Variable c : code.
Variable n : nat.
Variable C : diagram_claim.
Hypothesis C_ok : infinite_by_diagram_ok c n C = true.

Local Notation G := (game_of_code c).
Local Notation d := (claim_diagram C).
Local Notation E := (letters_of d).
Local Notation F := (letter_cases C).
Local Notation W := (word_cases C).

Lemma diagram_claim_parts : evidence_ok c n E = true /\ diagram_ok d = true /\
  automaton_ok (diagram_reader d) = true /\ refutations_ok d F = true /\
  diagram_letters_ok c d F = true /\ diagram_words_ok c d W = true /\ distinct_heaps C <> [] /\
  forall g, In g (distinct_heaps C) -> telling_ok E (diagram_start d) g (pairs_for C g) = true.
Proof.
  unfold infinite_by_diagram_ok in C_ok. cbv zeta in C_ok. rewrite !andb_split in C_ok.
  destruct C_ok as [[[[[[[? ?] ?] ?] ?] ?] N] T]. repeat split; auto.
  - intros Z. now rewrite Z in N.
  - intros g I. rewrite forallb_forall in T. exact (T _ I).
Qed.

(** The hypotheses of the theorems of [InfiniteLetters], all of them. *)
Ltac hypotheses :=
  destruct diagram_claim_parts as (HE & Hd & HA & HF & HL & HW & _ & _);
  first
  [ exact (claims_permutation d)
  | exact (letter_is_spoken E)
  | exact (word_of_letter E)
  | exact (letter_decided E)
  | exact (word_of_letters c n E HE)
  | exact (word_of_dead c n E HE)
  | exact (fun h o g Sh => proj2 (proj2 (proj2 (heap_parts c n E HE h Sh))) o g)
  | exact (proj1 (letters_parts c d F HL))
  | exact (diagram_letters_P c n d HE Hd HA F HF HL)
  | exact (diagram_letters_N c n d HE Hd HA F HF HL)
  | exact (fun h z Sh Nh _ => diagram_words_S c n d HE Hd HA W HW h z Sh Nh)
  | exact (fun h z a w o Sh Nh _ => diagram_words_C c n d HE Hd HA W HW h z a w o Sh Nh)
  | exact (fun h Sh Nh _ => diagram_words_E c d W HW h Sh Nh) ].

(** What the diagram claims of a position of the heaps it speaks of is its outcome. *)
Theorem diagram_outcomes (X : position) : Forall (spoken_or_dead G (spoken E)) X ->
  (claims d (reading (word_of E) X) = SaysP -> Ppos G X) /\
  (claims d (reading (word_of E) X) = SaysN -> Npos G X).
Proof. apply claims_hold with (letter := letter E) (rank := rank_of d); hypotheses. Qed.

Lemma diagram_letters_to_n a : letter E a -> a <= n.
Proof.
  intros L. destruct diagram_claim_parts as (HE & _).
  apply (heap_parts c n E HE a). now apply letter_is_spoken.
Qed.

Lemma diagram_start_below v : length v = length (cycles E) ->
  diagram_start d v < states (diagram_reader d).
Proof.
  intros L. destruct diagram_claim_parts as (_ & Hd & _). apply walk_state; auto.
  rewrite L. simpl. apply map_length.
Qed.

(** No two multiples of a heap listed have the same value: in no quotient whose heaps include those
    to [n]. *)
Theorem diagram_multiples (S : nat -> Prop) g : (forall h, h <= n -> S h) ->
  In g (distinct_heaps C) ->
  forall k l, k <> l -> ~ indistinguishable G S (repeat g k) (repeat g l).
Proof.
  intros Sub I k l N. pose proof diagram_claim_parts as (E_ok & _ & A_ok & _ & _ & _ & _ & HT).
  specialize (HT g I).
  destruct (multiples_told_apart c n E E_ok A_ok g _ (diagram_start d) HT (claims d)
    diagram_start_below (fun _ => eq_refl) k l N) as (z & Lz & O).
  assert (Lg : letter E g).
  { destruct (telling_parts E g _ (diagram_start d) HT) as (Ig & _). now apply digit_letter. }
  assert (Lr : forall j, letters_only (letter E) (repeat g j)).
  { intros j. apply Forall_forall. intros x Ix. apply repeat_spec in Ix. now subst. }
  apply letters_told_apart with (spoken := spoken E) (letter := letter E) (word := word_of E)
    (V := claims d) (rank := rank_of d) (z := z); try hypotheses; auto.
  intros a La. apply Sub. now apply diagram_letters_to_n.
Qed.

(** The misère quotient of the heaps [0, …, n], or of any heaps that include these, is infinite: no
    list has all elements of it. *)
Theorem diagram_quotient (S : nat -> Prop) : (forall h, h <= n -> S h) ->
  forall (Q : bipartite_monoid) phi, is_misere_quotient G S Q phi ->
    ~ exists L : list Q, forall q, In q L.
Proof.
  intros Sub Q phi H. pose proof diagram_claim_parts as (_ & _ & _ & _ & _ & _ & Ne & HT).
  destruct (distinct_heaps C) as [|g T] eqn:Dc; [congruence|].
  assert (I : In g (distinct_heaps C)) by (rewrite Dc; now left).
  apply (distinct_multiples_infinite G S g) with (phi := phi); auto.
  - apply Sub, diagram_letters_to_n.
    destruct (telling_parts E g _ (diagram_start d) (HT g (or_introl eq_refl))) as (Ig & _).
    now apply digit_letter.
  - intros k l. now apply (diagram_multiples S g Sub I).
Qed.

(** The misère quotient of the heaps [0, …, n] itself. *)
Corollary diagram_to_n (Q : bipartite_monoid) phi : is_misere_quotient G (heaps_to n) Q phi ->
  ~ exists L : list Q, forall q, In q L.
Proof. apply diagram_quotient. auto. Qed.

End Infinite.
