(** The checker of evidence that a quotient is infinite: what it accepts makes the misère quotient
    of the heaps [0, …, n] of a code infinite, and so the quotient of any heaps that include these.
    Here [n] bounds the heaps of the evidence and nothing else. The reader passes the heap M of
    docs/infinite.md: the greatest letter, or the heap at which the game is said to diverge. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteSearch
  InfiniteReading InfiniteMoves InfiniteColumns InfiniteWords InfiniteMultiples.
Import ListNotations.

(** Evidence with everything that an untrusted search adds to it: the list of configurations, and
    sets of pairs for each heap whose multiples are said to be distinct. *)
Record infinite_claim := InfiniteClaim {
  claim_evidence : evidence;
  claim_search : search;
  claim_distinct : list (nat * telling) }.

(** Where the automaton begins, by counts. *)
Definition column_start (E : evidence) (v : list nat) : nat :=
  start E (read_counts (cycles E) v).

Definition infinite_ok (c : code) (n : nat) (C : infinite_claim) : bool :=
  let E := claim_evidence C in
  let F := claim_search C in
  evidence_ok c n E && automaton_ok (reader E) && search_ok (reader E) F && silent F (sink E) &&
  letters_ok c E F && words_ok c E F && negb (length (claim_distinct C) =? 0) &&
  forallb (fun e => telling_ok E (column_start E) (fst e) (snd e)) (claim_distinct C).

Section Infinite.

Variable c : code.
Variable n : nat.
Variable C : infinite_claim.
Hypothesis C_ok : infinite_ok c n C = true.

Local Notation G := (game_of_code c).
Local Notation E := (claim_evidence C).
Local Notation F := (claim_search C).

Lemma claim_parts : evidence_ok c n E = true /\ automaton_ok (reader E) = true /\
  search_ok (reader E) F = true /\ silent F (sink E) = true /\
  letters_ok c E F = true /\ words_ok c E F = true /\ claim_distinct C <> [] /\
  forall g M, In (g, M) (claim_distinct C) -> telling_ok E (column_start E) g M = true.
Proof.
  unfold infinite_ok in C_ok. cbv zeta in C_ok. rewrite !andb_split in C_ok.
  destruct C_ok as [[[[[[[? ?] ?] ?] ?] ?] N] T]. repeat split; auto.
  - intros Z. now rewrite Z in N.
  - intros g M I. rewrite forallb_forall in T. exact (T _ I).
Qed.

(** The hypotheses of the theorems of [InfiniteLetters], all of them. *)
Ltac hypotheses :=
  destruct claim_parts as (HE & HA & HF & HS & HL & HW & _ & _);
  first
  [ exact (V_permutation E)
  | exact (letter_is_spoken E)
  | exact (word_of_letter E)
  | exact (letter_decided E)
  | exact (word_of_letters c n E HE)
  | exact (word_of_dead c n E HE)
  | exact (fun h o g Sh => proj2 (proj2 (proj2 (heap_parts c n E HE h Sh))) o g)
  | exact (end_is_N c E F HL)
  | exact (letters_P_holds c n E HE HA F HF HS HL)
  | exact (letters_N_holds c n E HE HA F HF HS HL)
  | exact (fun h z Sh Nh _ => words_S_holds c n E HE HA F HF HS HW h z Sh Nh)
  | exact (fun h z a w o Sh Nh _ Q Pm Io P =>
      or_introl (words_C_holds c n E HE HA F HF HS HW h z a w o Sh Nh Q Pm Io P))
  | exact (fun h Sh Nh _ => words_E_holds c E F HW h Sh Nh) ].

(** What the evidence claims of a position of the heaps it speaks of is its outcome. *)
Theorem infinite_outcomes (X : position) : Forall (spoken_or_dead G (spoken E)) X ->
  (V E (reading (word_of E) X) = SaysP -> Ppos G X) /\
  (V E (reading (word_of E) X) = SaysN -> Npos G X).
Proof. apply claims_hold with (letter := letter E) (rank := fun _ => 0); hypotheses. Qed.

Lemma letters_to_n a : letter E a -> a <= n.
Proof.
  intros L. destruct claim_parts as (HE & _).
  apply (heap_parts c n E HE a). now apply letter_is_spoken.
Qed.

(** No two multiples of a heap listed have the same value: in no quotient whose heaps include those
    to [n]. *)
Theorem infinite_multiples (S : nat -> Prop) g M : (forall h, h <= n -> S h) ->
  In (g, M) (claim_distinct C) ->
  forall k l, k <> l -> ~ indistinguishable G S (repeat g k) (repeat g l).
Proof.
  intros Sub I k l N. pose proof claim_parts as (E_ok & A_ok & _ & _ & _ & _ & _ & HT).
  specialize (HT g M I).
  destruct (multiples_told_apart c n E E_ok A_ok g M (column_start E) HT (V E)
    (fun v _ => start_below c n E E_ok _) (fun _ => eq_refl) k l N) as (z & Lz & O).
  assert (Lg : letter E g).
  { destruct (telling_parts E g M (column_start E) HT) as (Ig & _). now apply digit_letter. }
  assert (Lr : forall j, letters_only (letter E) (repeat g j)).
  { intros j. apply Forall_forall. intros x Ix. apply repeat_spec in Ix. now subst. }
  apply letters_told_apart with (spoken := spoken E) (letter := letter E) (word := word_of E)
    (V := V E) (rank := fun _ => 0) (z := z); try hypotheses; auto.
  intros a La. apply Sub. now apply letters_to_n.
Qed.

(** The misère quotient of the heaps [0, …, n], or of any heaps that include these, is infinite: no
    list has all elements of it. *)
Theorem infinite_quotient (S : nat -> Prop) : (forall h, h <= n -> S h) ->
  forall (Q : bipartite_monoid) phi, is_misere_quotient G S Q phi ->
    ~ exists L : list Q, forall q, In q L.
Proof.
  intros Sub Q phi H. pose proof claim_parts as (_ & _ & _ & _ & _ & _ & Ne & HT).
  destruct (claim_distinct C) as [|[g M] T] eqn:Dc; [congruence|].
  assert (I : In (g, M) (claim_distinct C)) by (rewrite Dc; now left).
  apply (distinct_multiples_infinite G S g) with (phi := phi); auto.
  - apply Sub, letters_to_n.
    destruct (telling_parts E g M (column_start E) (HT g M (or_introl eq_refl))) as (Ig & _).
    now apply digit_letter.
  - intros k l. now apply (infinite_multiples S g M Sub I).
Qed.

(** The misère quotient of the heaps [0, …, n] itself. *)
Corollary infinite_to_n (Q : bipartite_monoid) phi : is_misere_quotient G (heaps_to n) Q phi ->
  ~ exists L : list Q, forall q, In q L.
Proof. apply infinite_quotient. auto. Qed.

End Infinite.
