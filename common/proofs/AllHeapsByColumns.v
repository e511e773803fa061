(** The checker of words of all heaps, with evidence by columns: what it accepts decides every
    position of the game. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteSearch
  InfiniteReading InfiniteMoves InfiniteColumns InfiniteWords InfiniteMultiples InfiniteDiagram
  Infinite AllHeaps AllHeapsWords.
Import ListNotations.

(** Whether [f] holds of all counts that are read through cycles. *)
Fixpoint all_read_counts (U : list cycle) (f : list nat -> bool) : bool :=
  match U with
  | [] => f []
  | a :: U => (1 <=? period a) &&
    all_below (index a + period a) (fun x => all_read_counts U (fun v => f (x :: v)))
  end.

(** The claim is one about evidence with all words. The hypotheses are B2 to B7: H1 to H3 of B2, and
    B3, are a part of [infinite_ok], and B7 is that no counts lead to where nothing is said. *)
Definition columns_of_all_heaps_ok (c : code) (n : nat) (C : infinite_claim) (R : repetition) :
    bool :=
  let E := claim_evidence C in
  infinite_ok c (last_word R) C && repetition_ok c n E R && talks_ok (reader E) (talks R) &&
  all_read_counts (cycles E) (fun v => talks R (start E v)).

(** The word of every heap. *)
Definition column_word (C : infinite_claim) (R : repetition) : nat -> list nat :=
  word_of_all (last_word R) (word_period R) (word_of (claim_evidence C)).

Lemma all_read_counts_spec (g : cycle -> nat) U : forall f, all_read_counts U f = true ->
  f (map (fun a => read_count a (g a)) U) = true.
Proof.
  induction U as [|a U IH]; intros f H; [exact H|]. apply andb_split in H as [P H].
  apply Nat.leb_le in P. rewrite all_below_spec in H.
  exact (IH _ (H (read_count a (g a)) (read_count_below a (g a) P))).
Qed.

Section AllHeaps.

Variable c : code.
Variable n : nat.
Variable C : infinite_claim.
Variable R : repetition.
Hypothesis R_ok : columns_of_all_heaps_ok c n C R = true.

Local Notation G := (game_of_code c).
Local Notation E := (claim_evidence C).
Local Notation F := (claim_search C).
Local Notation N := (last_word R).

Lemma columns_of_all_heaps_parts : infinite_ok c N C = true /\ repetition_ok c n E R = true /\
  talks_ok (reader E) (talks R) = true /\
  all_read_counts (cycles E) (fun v => talks R (start E v)) = true.
Proof.
  unfold columns_of_all_heaps_ok in R_ok. cbv zeta in R_ok. rewrite !andb_split in R_ok. tauto.
Qed.

Lemma columns_talk z : V E z <> Nothing.
Proof.
  destruct columns_of_all_heaps_parts as (C_ok & _ & T & A).
  destruct (claim_parts c N C C_ok) as (HE & HA & _).
  rewrite V_column. apply (talks_said (reader E) (talks R)); auto.
  - apply (digits_of_length c N E HE).
  - apply (start_below c N E HE).
  - exact (all_read_counts_spec (fun a => count (cycle_heap a) z) _ _ A).
Qed.

(** Every position of the game is decided by the columns. *)
Theorem columns_decide_all_heaps :
  decides_all_heaps G n (word_period R) (word_preperiod R) (column_word C R) (V E).
Proof.
  destruct columns_of_all_heaps_parts as (C_ok & P & _).
  destruct (claim_parts c N C C_ok) as (HE & HA & HF & HS & HL & HW & _).
  destruct (repetition_parts c n E R P) as (Low & Sp & Lp & Far & _).
  assert (Spoken : forall h, h <= N -> opts G h <> [] -> spoken E h) by (intros; auto).
  apply letters_decide_all_heaps with (c := c) (letter := letter E) (rank := fun _ => 0); auto.
  - exact (V_permutation E).
  - exact (letter_to_last c E R HE).
  - exact (word_of_letter E).
  - exact (letter_decided E).
  - exact (word_to_letters c n E R P HE).
  - intros h _. exact (word_of_dead c N E HE h).
  - exact (end_is_N c E F HL).
  - exact (letters_P_holds c N E HE HA F HF HS HL).
  - exact (letters_N_holds c N E HE HA F HF HS HL).
  - intros h z Lh Live Nh. apply (words_S_holds c N E HE HA F HF HS HW); auto.
  - intros h z a w o Lh Live Nh Q Pm I W. left.
    now apply (words_C_holds c N E HE HA F HF HS HW h z a w o); auto.
  - intros h Lh Live Nh. apply (words_E_holds c E F HW); auto.
  - intros z _. apply columns_talk.
  - exact (listed_words_repeat c n E R P HE).
  - exact (listed_words_least c n E R P).
Qed.

(** No two multiples of a heap listed have the same value, in the heaps to [n] and in any heaps that
    include these. *)
Theorem columns_multiples (S : nat -> Prop) g M : (forall h, h <= n -> S h) ->
  In (g, M) (claim_distinct C) ->
  forall k l, k <> l -> ~ indistinguishable G S (repeat g k) (repeat g l).
Proof.
  intros Sub I. destruct columns_of_all_heaps_parts as (C_ok & _).
  apply (low_multiples_differ _ _ _ _ _ _ columns_decide_all_heaps g); auto.
  apply (infinite_multiples c N C C_ok all_heaps g M); auto. intros; exact Logic.I.
Qed.

(** The misère quotient of the heaps [0, …, n] is infinite. *)
Theorem columns_to_n (Q : bipartite_monoid) phi : is_misere_quotient G (heaps_to n) Q phi ->
  ~ exists L : list Q, forall q, In q L.
Proof.
  destruct columns_of_all_heaps_parts as (C_ok & P & _).
  destruct (claim_parts c N C C_ok) as (_ & _ & _ & _ & _ & _ & Ne & HT).
  destruct (claim_distinct C) as [|[g M] T] eqn:Dc; [congruence|].
  apply (distinct_multiples_infinite G (heaps_to n) g).
  - apply (repetition_parts c n E R P).
    destruct (telling_parts E g M (column_start E) (HT g M (or_introl eq_refl))) as (Ig & _).
    now apply digit_letter.
  - apply columns_multiples with M; auto. rewrite Dc. now left.
Qed.

End AllHeaps.
