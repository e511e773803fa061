(** The checker of a law that solves a game: what it accepts decides every position of all heaps.

    The theorems at the end are all that has to be read besides the definitions of [Games], of
    [Codes] and of the first part of [Laws]. They speak of the law only, and not of what an
    untrusted search has added. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops LawCases Laws LawSymbols LawMoves LawReplies.
Import ListNotations.

(** A law with everything that an untrusted search adds to it: a bound on units; the heap from which
    on heaps count as periods beyond a slot, for A5 and for A6; a bound on the smaller part of a
    reply; a difference of weights and thresholds; the sets of sums for a slot of the greatest heap,
    a residue of the weight and a unit of the rest; and covers, one of them named for each
    statement. *)
Record law_claim := LawClaim {
  claim_law : law;
  claim_units : nat;
  base_of_moves : nat;
  base_of_replies : nat;
  smaller_part : nat;
  claim_gap : nat;
  claim_sums : nat -> nat -> nat -> sum_sets;
  claim_covers : nat;
  cover_number : nat -> cover;
  cover_for : nat -> statement -> nat }.

(** Whether a statement holds for all tuples of [n] numbers. *)
Definition law_check (C : law_claim) (n : nat) (e : statement) : bool :=
  match e with
  | Constant b => b
  | _ =>
    let k := cover_for C n e in
    (k <? claim_covers C) && settled (law_slope (claim_law C)) n (cover_number C k) e
  end.

Definition covers_ok (C : law_claim) : bool :=
  all_below (claim_covers C) (fun k => cover_ok (cover_number C k)).

(** A1, as far as the proof needs it. *)
Definition law_form_ok (c : code) (C : law_claim) : bool :=
  form_ok c (claim_law C) (claim_units C) (base_of_moves C) &&
  form_ok c (claim_law C) (claim_units C) (base_of_replies C).

(** A2. *)
Definition law_thresholds_ok (C : law_claim) : bool := thresholds_ok (claim_law C).

(** A3. *)
Definition law_dead_ok (c : code) (C : law_claim) : bool :=
  dead_ok c (claim_law C) (base_of_replies C) (smaller_part C).

(** A4. *)
Definition law_end_ok (C : law_claim) : bool := negb (law_says_P (claim_law C) []).

(** A5. *)
Definition law_moves_ok (c : code) (C : law_claim) : bool :=
  moves_ok c (claim_law C) (claim_units C) (base_of_moves C) (law_check C 4).

(** A6. *)
Definition law_replies_ok (c : code) (C : law_claim) : bool :=
  gap_ok (claim_law C) (claim_gap C) &&
  replies_ok c (claim_law C) (claim_units C) (base_of_replies C) (smaller_part C) (claim_gap C)
    (claim_sums C) (law_check C 3).

Definition law_ok (c : code) (C : law_claim) : bool :=
  law_form_ok c C && law_thresholds_ok C && law_dead_ok c C && law_end_ok C && covers_ok C &&
  law_moves_ok c C && law_replies_ok c C.

Section Solved.

Variable c : code.
Variable C : law_claim.
Hypothesis ok : law_ok c C = true.

Local Notation G := (game_of_code c).
Local Notation L := (claim_law C).

Lemma law_parts : law_form_ok c C = true /\ law_thresholds_ok C = true /\
  law_dead_ok c C = true /\ law_end_ok C = true /\ covers_ok C = true /\
  law_moves_ok c C = true /\ law_replies_ok c C = true.
Proof. unfold law_ok in ok. rewrite !andb_split in ok. tauto. Qed.

Lemma law_checked n e : law_check C n e = true ->
  forall x, length x = n -> holds (law_slope L) e x = true.
Proof.
  destruct law_parts as (_ & _ & _ & _ & Co & _). intros H x Len.
  assert (S : e = Constant true \/ exists k, k < claim_covers C /\
    settled (law_slope L) n (cover_number C k) e = true).
  { unfold law_check in H. destruct e as [b|t t'|e yes no]; [subst b; auto| |]; right;
      eexists; apply andb_split in H as [Lk S]; apply Nat.ltb_lt in Lk; eauto. }
  destruct S as [->|(k & Lk & S)]; [reflexivity|].
  unfold covers_ok in Co. rewrite all_below_spec in Co.
  exact (settled_holds _ n (cover_number C k) e (Co k Lk) S x Len).
Qed.

(** A position is a P-position of misère play if and only if the law says so: every position, with
    heaps of any size. *)
Theorem law_decides (X : position) : Ppos G X <-> law_says_P L X = true.
Proof.
  destruct law_parts as (Fo & Th & De & En & _ & Mo & Re).
  unfold law_form_ok in Fo. apply andb_split in Fo as [Fm Fr].
  unfold law_replies_ok in Re. apply andb_split in Re as [Ga Re].
  induction X as [X IH] using (well_founded_ind (plays_end G)). rewrite Ppos_step. split.
  - intros [Mv N]. apply not_false_iff_true. intros NX.
    destruct (N_has_P c L (claim_units C) (base_of_replies C) (smaller_part C) (claim_gap C)
      (claim_sums C) Fr Th De Ga (law_check C 3) (law_checked 3) Re X Mv NX) as (Y & M & P).
    apply (N Y M). now apply (IH Y M).
  - intros P. split.
    + destruct (options G X) as [|Y l] eqn:E.
      * exfalso. unfold law_end_ok in En. apply negb_true_iff in En.
        assert (Z : law_says_P L X = law_says_P L []); [|congruence].
        apply (judged_dead c L (claim_units C) (base_of_replies C) (smaller_part C) Fr Th De).
        apply Forall_forall. intros h I. destruct (code_options c h) as [|o l] eqn:Eo; [auto|].
        exfalso. apply in_split in I as (A & B & ->).
        assert (M : move G (A ++ h :: B) (A ++ o ++ B)).
        { exists A, h, B, o. repeat split; auto. simpl. rewrite Eo. now left. }
        apply options_spec in M. rewrite E in M. destruct M.
      * exists Y. apply options_spec. rewrite E. now left.
    + intros Y M PY. apply (IH Y M) in PY.
      exact (no_P_to_P c L (claim_units C) (base_of_moves C) Fm Th (law_check C 4)
        (law_checked 4) Mo X Y M P PY).
Qed.

(** The same in the words of docs/laws.md. A heap is free if the others weigh less than its
    threshold. With a free heap the unit of the others decides; *)
Theorem law_decides_free (x : nat) (Y : position) :
  weight_sum (map (fact L) Y) < threshold_of (fact L x) ->
  (Ppos G (x :: Y) <->
    has_unit (alone_set L (fact L x) (threshold_of (fact L x) - weight_sum (map (fact L) Y)))
      (unit_sum (map (fact L) Y)) = true).
Proof.
  intros Lt. rewrite law_decides, law_when_free; [reflexivity| |exact Lt].
  intros h. destruct law_parts as (_ & Th & _). now apply thresholds_bounded.
Qed.

(** and without one it is the unit of all heaps. *)
Theorem law_decides_not_free (X : position) :
  (forall h A B, X = A ++ h :: B ->
    threshold_of (fact L h) <= weight_sum (map (fact L) (A ++ B))) ->
  (Ppos G X <->
    has_unit (total_set L (weight_sum (map (fact L) X))) (unit_sum (map (fact L) X)) = true).
Proof. intros N. now rewrite law_decides, law_when_not_free. Qed.

End Solved.
