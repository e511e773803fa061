(** The finite checker: what it accepts is the misère quotient of the heaps [0, …, n] of a code.

    This covers every verdict, and it is all that is proved of the verdicts "diverges", "exhausted"
    and "grows". *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops Monoid Needs Pairs Heaps Images.
Import ListNotations.

(** A claim, with everything that an untrusted search adds to it. *)
Record claim := Claim {
  claim_tables : tables;
  claim_tests : tests;
  claim_needs : needs;
  claim_heaps : heaps;
  claim_splits : splits }.

(** The greatest heap whose value is claimed. *)
Definition greatest (C : claim) : nat := last_heap (claim_heaps C).

Definition finite_ok (c : code) (C : claim) : bool :=
  let T := claim_tables C in
  monoid_ok T && reduced_ok T (claim_tests C) && images_ok T c (claim_splits C) (claim_heaps C) &&
  needs_ok T (claim_needs C) && heaps_ok T (claim_needs C) (claim_heaps C).

Lemma finite_ok_parts c C : finite_ok c C = true ->
  monoid_ok (claim_tables C) = true /\ reduced_ok (claim_tables C) (claim_tests C) = true /\
  images_ok (claim_tables C) c (claim_splits C) (claim_heaps C) = true /\
  needs_ok (claim_tables C) (claim_needs C) = true /\
  heaps_ok (claim_tables C) (claim_needs C) (claim_heaps C) = true.
Proof. unfold finite_ok. cbv zeta. rewrite !andb_split. tauto. Qed.

Section Finite.

Variable c : code.
Variable C : claim.
Hypothesis C_ok : finite_ok c C = true.

Local Notation T := (claim_tables C).
Local Notation N := (claim_needs C).
Local Notation H := (claim_heaps C).
Local Notation G := (game_of_code c).

Lemma T_ok : monoid_ok T = true.
Proof. apply (finite_ok_parts c C C_ok). Qed.

Lemma N_ok : needs_ok T N = true.
Proof. apply (finite_ok_parts c C C_ok). Qed.

Lemma H_ok : heaps_ok T N H = true.
Proof. apply (finite_ok_parts c C C_ok). Qed.

Lemma values_below h : h <= last_heap H -> phi H h < order T.
Proof. intros L. exact (good_value _ _ _ _ (heaps_good T N T_ok N_ok H H_ok h L)). Qed.

Lemma pairs_good h : h <= last_heap H -> good_pair T N (phi H h) (numbers T G (phi H) h).
Proof.
  intros L. apply good_pair_same with (E := listing_has (image_of H h)).
  - intros e. apply (image_listed T T_ok c (claim_splits C) H values_below); auto.
    apply (finite_ok_parts c C C_ok).
  - exact (heaps_good T N T_ok N_ok H H_ok h L).
Qed.

Lemma heaps_closed n h o g : heaps_to n h -> In o (opts G h) -> In g o -> heaps_to n g.
Proof. unfold heaps_to. intros L I J. pose proof (opts_smaller G h o g I J). lia. Qed.

(** The outcome of every position of the heaps claimed. *)
Theorem finite_outcomes X : Forall (heaps_to (greatest C)) X ->
  (Ppos G X <-> portion T (number T (phi H) X) = true).
Proof.
  intros F. rewrite (outcomes_predicted T N T_ok N_ok G (heaps_to (greatest C))
    (heaps_closed _) (phi H) values_below pairs_good X F).
  now rewrite (raw_value T T_ok (heaps_to (greatest C)) (phi H) values_below X F).
Qed.

(** The tables and the values are the misère quotient of the heaps claimed. *)
Theorem finite_quotient :
  is_misere_quotient G (heaps_to (greatest C)) (monoid_of_tables T T_ok)
    (pretending T T_ok (phi H)).
Proof.
  apply (tables_are_quotient T N T_ok N_ok G) with (t := claim_tests C).
  - apply heaps_closed.
  - exact values_below.
  - exact pairs_good.
  - intros g L. destruct (heaps_generate T N H H_ok g L) as (h & Lh & E). eauto.
  - apply (finite_ok_parts c C C_ok).
Qed.

End Finite.
