(** What is proved of a claim that the reader accepts.

    The theorems of this file are all that has to be read besides the definitions of [Games],
    [Codes] and [Lists] (and [normal_P] of [Normal]). They speak of the tables of the claim only,
    and not of what an untrusted search has added. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops Monoid Needs Pairs Heaps Images Finite Periods Lists
  Normal Tame Partials.
Import ListNotations.

(** The tables [T] present [Q]: its elements are numbered [0, …, order - 1], 1 has the number 0, P
    is the P-portion, and each row is the multiplication by some element. *)
Record presents (T : tables) (Q : bipartite_monoid) (number : Q -> nat) : Prop := {
  number_below : forall x, number x < order T;
  number_different : forall x y, number x = number y -> x = y;
  number_onto : forall i, i < order T -> exists x, number x = i;
  number_one : number (one Q) = 0;
  number_P : forall x, in_P Q x <-> portion T (number x) = true;
  number_row : forall g, g < generators T ->
    exists y, forall x, number (times Q x y) = row T g (number x) }.

(** The heap [h] has the value that is listed, for all heaps [h] to [n]. *)
Definition has_values (n : nat) (f : nat -> nat) (Q : bipartite_monoid) (number : Q -> nat)
    (phi : nat -> Q) : Prop :=
  forall h, h <= n -> number (phi h) = f h.

Lemma tables_present T (ok : monoid_ok T = true) : presents T (monoid_of_tables T ok) (raw T).
Proof.
  constructor.
  - intros x. exact (raw_below T x).
  - intros x y. exact (raw_inj T x y).
  - intros i L. exists (elt_of T i L). reflexivity.
  - reflexivity.
  - intros x. reflexivity.
  - intros g Lg. exists (elt_of T (row T g 0) (row_below T ok g 0 Lg (order_positive T ok))).
    intros x. rewrite (row_mul T ok g (raw T x) Lg (raw_below T x)).
    apply (mul_comm T ok); [exact (raw_below T x)|].
    exact (row_below T ok g 0 Lg (order_positive T ok)).
Qed.

(** Every verdict: the claim is the misère quotient of the heaps listed. *)
Theorem accepted_to_heap c C : finite_ok c C = true ->
  exists (Q : bipartite_monoid) phi number,
    is_misere_quotient (game_of_code c) (heaps_to (greatest C)) Q phi /\
    presents (claim_tables C) Q number /\
    has_values (greatest C) (Heaps.phi (claim_heaps C)) Q number phi.
Proof.
  intros ok. eexists. eexists. eexists. split; [exact (finite_quotient c C ok)|].
  split; [apply tables_present|]. intros h L. apply raw_element.
  now apply (values_below c C ok).
Qed.

(** The partial quotients: each stage of the list, the last one first, is the misère quotient of the
    heaps [0, …, h] for every [h] from its base to its end. The stages follow one another, the first
    one begins at heap 0, and the orders grow; so these are all partial quotients that occur. *)
Theorem accepted_partials c C L : finite_ok c C = true ->
  stages_ok (claim_tables C) (Heaps.phi (claim_heaps C)) (greatest C) L = true ->
  (forall i E, nth_error L i = Some E ->
    stage_base E <= stage_end (greatest C) L i /\
    exists (Q : bipartite_monoid) phi number,
      presents (stage_tables E) Q number /\
      has_values (stage_end (greatest C) L i) (stage_phi E) Q number phi /\
      forall h, stage_base E <= h -> h <= stage_end (greatest C) L i ->
        is_misere_quotient (game_of_code c) (heaps_to h) Q phi) /\
  (forall i E F, nth_error L i = Some E -> nth_error L (S i) = Some F ->
    order (stage_tables F) < order (stage_tables E) /\
    stage_end (greatest C) L (S i) + 1 = stage_base E) /\
  (forall E, nth_error L (length L - 1) = Some E -> stage_base E = 0).
Proof.
  intros ok St. split; [|split].
  - intros i E Ei.
    destruct (stages_are_partial_quotients (game_of_code c) L (claim_tables C) (T_ok c C ok)
      (Heaps.phi (claim_heaps C)) (greatest C) (values_below c C ok) (finite_outcomes c C ok) St
      i E Ei) as (Lb & okE & V & MQ).
    split; [auto|]. eexists. eexists. eexists. split; [apply (tables_present _ okE)|].
    split; [|exact MQ]. intros h Lh. apply raw_element. auto.
  - exact (stages_grow _ _ _ L St).
  - exact (stages_begin L _ _ _ St).
Qed.

(** The verdict "solved": the claim is the misère quotient of the whole game, the values repeat for
    ever, and no smaller period or preperiod would do. *)
Theorem accepted_solved c C period preperiod :
  finite_ok c C = true -> period_ok c (claim_heaps C) period preperiod = true ->
  exists (Q : bipartite_monoid) phi number,
    is_misere_quotient (game_of_code c) all_heaps Q phi /\
    presents (claim_tables C) Q number /\
    has_values (greatest C) (Heaps.phi (claim_heaps C)) Q number phi /\
    (forall h, preperiod <= h -> phi (h + period) = phi h) /\
    (forall p r, 1 <= p -> (forall h, r <= h -> phi (h + p) = phi h) ->
      period <= p /\ preperiod <= r).
Proof.
  intros ok Per. unfold period_ok in Per. apply andb_split in Per as [R L].
  eexists. eexists. eexists. split; [exact (solved_quotient c C ok period preperiod R)|].
  assert (V : forall h, phi_all C period h < order (claim_tables C)).
  { intros h. exact (good_value _ _ _ _ (all_pairs_good c C ok period preperiod R h)). }
  split; [apply tables_present|]. split; [|split].
  - intros h Lh. unfold pretending. rewrite raw_element by apply V. now apply phi_all_to.
  - intros h Lh. unfold pretending. f_equal. now apply (phi_all_repeats c C period preperiod R).
  - intros p r Lp E. apply (period_least c C period preperiod R L p r Lp).
    intros h Lh. rewrite <- (raw_element _ (T_ok c C ok) _ (V (h + p))).
    rewrite <- (raw_element _ (T_ok c C ok) _ (V h)). f_equal. exact (E h Lh).
Qed.

(** The verdict "tame relative to a heap": with a heap that is not smaller, the P-positions of
    misère play are those of normal play. With smaller heaps only, [accepted_to_heap] says the
    outcome. *)
Theorem accepted_tame c C E :
  finite_ok c C = true -> tame_ok c (claim_tables C) (claim_heaps C) E = true ->
  first_heap E <= greatest C + 1 /\
  forall X : position, Exists (fun h => first_heap E <= h) X ->
    (Ppos (game_of_code c) X <-> normal_P (game_of_code c) X).
Proof.
  intros ok Tm. split.
  - destruct (tame_parts c C E Tm) as (A & B & _). unfold greatest.
    assert (2 * first_heap E <= Nat.max 2 (most_parts c) * first_heap E)
      by (apply Nat.mul_le_mono_r; lia).
    lia.
  - intros X. exact (tame_outcomes c C ok E Tm X).
Qed.

(** A construction: the claim is the misère quotient of its games, which are exactly those listed,
    and generator [g] is the value of game [g + 1] if its heap says so. *)
Theorem accepted_construction L C : construction_ok L C = true ->
  exists (Q : bipartite_monoid) phi number,
    is_misere_quotient (game_of_list L) (heaps_to (length L)) Q phi /\
    presents (made_tables C) Q number /\
    has_values (length L) (Heaps.phi (made_heaps C)) Q number phi /\
    (forall i, i < length L -> opts (game_of_list L) (S i) = nth i L []) /\
    opts (game_of_list L) 0 = [].
Proof.
  intros ok. eexists. eexists. eexists. split; [exact (construction_quotient L C ok)|].
  split; [apply tables_present|]. split; [|split; [|reflexivity]].
  - intros h Lh. apply raw_element.
    destruct (construction_parts L C ok) as (_ & _ & _ & Len & _ & Nd & Hp).
    rewrite <- Len in Lh.
    exact (good_value _ _ _ _ (heaps_good _ _ (made_ok L C ok) Nd _ Hp h Lh)).
  - exact (construction_games L C ok).
Qed.
