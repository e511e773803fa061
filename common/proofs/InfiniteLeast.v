(** Is a company in which two positions differ the least one? (Claim 1 of docs/presentations.md)

    All lesser sums of letters are tried, in the order of words by degree; so this is for companies
    of few letters. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteSearch
  InfiniteReading InfiniteMoves InfiniteMultiples InfiniteDiagram Words InfiniteEquality
  InfinitePresentation.
Import ListNotations.

(** The word of a sum of letters. *)
Definition word_in (W : whole) (L : list nat) (Z : list (nat * nat)) : list nat :=
  map (fun a => count_in (evidence_of W) a Z) L.

(** The two positions have the same claim in the company of a word. *)
Definition same_with (W : whole) (L : list nat) (X Y : list (nat * nat)) (v : list nat) : bool :=
  let E := evidence_of W in
  let z := counts_of E (spread L v) in
  said_eqb (claimed_of (diagram_of W) (plus (counts_in E X) z))
    (claimed_of (diagram_of W) (plus (counts_in E Y) z)).

(** [Z] is a sum of the letters [L], and [X] and [Y] have the same outcome with every lesser one. *)
Definition least_ok (W : whole) (L : list nat) (X Y Z : list (nat * nat)) : bool :=
  let all := letters (evidence_of W) in
  let z := word_in W L Z in
  forallb (has all) L && forallb (fun e => has L (fst e)) Z && all_in W X && all_in W Y &&
  forallb (fun v => negb (less v z) || same_with W L X Y v) (words_to (length L) (degree z) []).

Section Least.

Variable c : code.
Variable W : whole.
Hypothesis W_ok : whole_ok c W = true.

Local Notation G := (game_of_code c).
Local Notation d := (diagram_of W).
Local Notation E := (evidence_of W).

(** No lesser sum of letters tells the positions apart. *)
Theorem least_accepted L X Y Z : least_ok W L X Y Z = true ->
  Forall (letter E) (position_of Z) /\
  word_in W L Z = map (fun a => count a (position_of Z)) L /\
  forall v, length v = length L -> less v (word_in W L Z) = true ->
    (Ppos G (position_of X ++ spread L v) <-> Ppos G (position_of Y ++ spread L v)).
Proof.
  unfold least_ok. cbv zeta. rewrite !andb_split, !forallb_forall.
  intros [[[[In_L In_Z] AX] AY] A]. apply (all_in_heaps W) in AX, AY.
  assert (LL : forall v, letters_only (letter E) (spread L v)).
  { intros v. apply Forall_forall. intros h I. apply spread_in in I. now apply has_in, In_L. }
  assert (LZ : Forall (letter E) (position_of Z)).
  { apply Forall_forall. intros h I. unfold position_of in I. apply in_flat_map in I as (e & Ie & I).
    apply repeat_spec in I. subst h. apply has_in, In_L, has_in. exact (In_Z e Ie). }
  split; [exact LZ|]. split.
  - unfold word_in. apply map_ext. intros a. rewrite <- count_position.
    now rewrite (reading_of_letters W) by exact LZ.
  - intros v Lv Less. specialize (A v). rewrite Less in A. simpl in A.
    assert (Q : same_with W L X Y v = true).
    { apply A. apply words_to_spec; [simpl; tauto|]. split; auto. split; [|simpl; tauto].
      now apply less_degree. }
    unfold same_with in Q. cbv zeta in Q. apply said_eqb_eq in Q.
    assert (FS : forall V, Forall (heaps_of W) V -> Forall (heaps_of W) (V ++ spread L v)).
    { intros V FV. apply Forall_app. split; auto. apply (letters_heaps c W W_ok), LL. }
    rewrite (proj1 (whole_outcomes c W W_ok _ (FS _ AX))).
    rewrite (proj1 (whole_outcomes c W W_ok _ (FS _ AY))).
    rewrite !reading_app, !(reading_of_letters W (spread L v)), !claims_app, !counts_position
      by apply LL.
    now rewrite Q.
Qed.

End Least.
