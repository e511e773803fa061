(** The checker of words of all heaps, with a diagram: what it accepts decides every position of the
    game. The theorems are those of [AllHeapsByColumns]. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteReading
  InfiniteMoves InfiniteMultiples InfiniteDiagram InfiniteRunners InfiniteCases
  InfiniteDiagramMoves InfiniteByDiagram AllHeaps AllHeapsWords.
Import ListNotations.

(** All children of a node with the property [f] have it. *)
Definition nodes_talk (d : diagram) (f : nat -> bool) : bool :=
  all_below (places d) (fun p => if f p && (states (diagram_reader d) <=? p)
    then all_below (children d p) (fun i => f (child d p i)) else true).

(** The claim is one about a diagram with all words. H1 to H3 of B2, and B3, are a part of
    [infinite_by_diagram_ok]. *)
Definition diagram_of_all_heaps_ok (c : code) (n : nat) (C : diagram_claim) (R : repetition) :
    bool :=
  let d := claim_diagram C in
  infinite_by_diagram_ok c (last_word R) C && repetition_ok c n (letters_of d) R &&
  talks_ok (diagram_reader d) (talks R) && nodes_talk d (talks R) && talks R (root d).

(** The word of every heap. *)
Definition diagram_word (C : diagram_claim) (R : repetition) : nat -> list nat :=
  word_of_all (last_word R) (word_period R) (word_of (letters_of (claim_diagram C))).

Lemma walk_talks d f v : diagram_ok d = true -> nodes_talk d f = true ->
  forall l p, l + length v <= levels d -> arrived d l p -> f p = true -> f (walk d l p v) = true.
Proof.
  intros Hd T. unfold nodes_talk in T. rewrite all_below_spec in T.
  induction v as [|x v IH]; simpl; intros l p L A F; auto.
  apply IH; [lia|apply follow_arrived; auto; lia|].
  unfold follow. destruct (Nat.eqb_spec (level_of d p) l) as [Q|_]; auto.
  pose proof (node_of_level d l p ltac:(lia) Q) as Np. destruct A as [Lp _].
  specialize (T p Lp). rewrite F in T. simpl in T.
  rewrite (proj2 (Nat.leb_le _ _) Np), all_below_spec in T.
  destruct (diagram_parts d Hd) as (_ & _ & P). destruct (P p Lp Np) as (_ & P1 & _).
  apply T. now apply read_count_below.
Qed.

Section AllHeaps.

Variable c : code.
Variable n : nat.
Variable C : diagram_claim.
Variable R : repetition.
Hypothesis R_ok : diagram_of_all_heaps_ok c n C R = true.

Local Notation G := (game_of_code c).
Local Notation d := (claim_diagram C).
Local Notation E := (letters_of d).
Local Notation W := (word_cases C).
Local Notation N := (last_word R).

Lemma diagram_of_all_heaps_parts : infinite_by_diagram_ok c N C = true /\
  repetition_ok c n E R = true /\ talks_ok (diagram_reader d) (talks R) = true /\
  nodes_talk d (talks R) = true /\ talks R (root d) = true.
Proof.
  unfold diagram_of_all_heaps_ok in R_ok. cbv zeta in R_ok. rewrite !andb_split in R_ok. tauto.
Qed.

Lemma diagram_talks z : claims d z <> Nothing.
Proof.
  destruct diagram_of_all_heaps_parts as (C_ok & _ & T & Nd & Rt).
  destruct (diagram_claim_parts c N C C_ok) as (HE & Hd & HA & _).
  assert (L : length (of_cycles (counts_of E z)) = levels d).
  { unfold counts_of. simpl. now rewrite map_length, ordinary_heaps. }
  unfold claims, claimed_of. apply (talks_said (diagram_reader d) (talks R)); auto.
  - unfold counts_of. simpl. rewrite map_length. apply (counted_length c N d HE).
  - now apply walk_state.
  - apply walk_talks; auto; [now rewrite L|]. now apply root_arrived.
Qed.

(** Every position of the game is decided by the diagram. *)
Theorem diagram_decides_all_heaps :
  decides_all_heaps G n (word_period R) (word_preperiod R) (diagram_word C R) (claims d).
Proof.
  destruct diagram_of_all_heaps_parts as (C_ok & P & _).
  destruct (diagram_claim_parts c N C C_ok) as (HE & Hd & HA & HF & HL & HW & _).
  destruct (repetition_parts c n E R P) as (Low & Sp & Lp & Far & _).
  apply letters_decide_all_heaps with (c := c) (letter := letter E) (rank := rank_of d); auto.
  - exact (claims_permutation d).
  - exact (letter_to_last c E R HE).
  - exact (word_of_letter E).
  - exact (letter_decided E).
  - exact (word_to_letters c n E R P HE).
  - intros h _. exact (word_of_dead c N E HE h).
  - exact (proj1 (letters_parts c d _ HL)).
  - exact (diagram_letters_P c N d HE Hd HA _ HF HL).
  - exact (diagram_letters_N c N d HE Hd HA _ HF HL).
  - intros h z Lh Live Nh. apply (diagram_words_S c N d HE Hd HA W HW); auto.
  - intros h z a w o Lh Live Nh. apply (diagram_words_C c N d HE Hd HA W HW); auto.
  - intros h Lh Live Nh. apply (diagram_words_E c d W HW); auto.
  - intros z _. apply diagram_talks.
  - exact (listed_words_repeat c n E R P HE).
  - exact (listed_words_least c n E R P).
Qed.

(** No two multiples of a heap listed have the same value, in the heaps to [n] and in any heaps that
    include these. *)
Theorem diagram_multiples_to_n (S : nat -> Prop) g : (forall h, h <= n -> S h) ->
  In g (distinct_heaps C) ->
  forall k l, k <> l -> ~ indistinguishable G S (repeat g k) (repeat g l).
Proof.
  intros Sub I. destruct diagram_of_all_heaps_parts as (C_ok & _).
  apply (low_multiples_differ _ _ _ _ _ _ diagram_decides_all_heaps g); auto.
  apply (diagram_multiples c N C C_ok all_heaps g); auto. intros; exact Logic.I.
Qed.

(** The misère quotient of the heaps [0, …, n] is infinite. *)
Theorem diagram_to_low_heap (Q : bipartite_monoid) phi : is_misere_quotient G (heaps_to n) Q phi ->
  ~ exists L : list Q, forall q, In q L.
Proof.
  destruct diagram_of_all_heaps_parts as (C_ok & P & _).
  destruct (diagram_claim_parts c N C C_ok) as (_ & _ & _ & _ & _ & _ & Ne & HT).
  destruct (distinct_heaps C) as [|g T] eqn:Dc; [congruence|].
  apply (distinct_multiples_infinite G (heaps_to n) g).
  - apply (repetition_parts c n E R P).
    destruct (telling_parts E g _ (diagram_start d) (HT g (or_introl eq_refl))) as (Ig & _).
    now apply digit_letter.
  - apply diagram_multiples_to_n; auto. rewrite Dc. now left.
Qed.

End AllHeaps.
