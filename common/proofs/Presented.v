(** What acceptance of a presentation of an infinite quotient implies, in one place.

    [heaps_of W] are the heaps 0 to the greatest one without those that the claim lists as silent. A
    word [v] in the generators [L] represents the position [spread L v], which has as many copies of
    each generator as the word says. Relations, normal words, the order [less] of words, and what
    [follows] from relations are defined in the first hundred lines of [Words]. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes InfiniteReading InfiniteMultiples InfiniteByDiagram Words
  InfiniteEquality InfiniteApart InfinitePresentation InfinitePortion InfiniteLeast.
Import ListNotations.

(** Relations [R] between the generators [L] present the misère quotient of the heaps in [S], among
    the words within [extent]. *)
Record presented (G : heap_game) (S : nat -> Prop) (L : list nat) (R : list relation)
    (extent : option nat) : Prop := {
  generators_once : NoDup L;
  generators_in : forall a, In a L -> S a;
  every_position : forall X, Forall S X ->
    exists v, length v = length L /\ indistinguishable G S X (spread L v);
  equal_if_follows : forall v w, length v = length L -> length w = length L ->
    follows (length L) R v w -> indistinguishable G S (spread L v) (spread L w);
  follows_if_equal : forall v w, length v = length L -> length w = length L ->
    within extent v -> within extent w ->
    indistinguishable G S (spread L v) (spread L w) -> follows (length L) R v w;
  one_normal : forall v, length v = length L -> within extent v ->
    exists w, length w = length L /\ normal R w /\ within extent w /\
      indistinguishable G S (spread L v) (spread L w) /\
      (forall x, length x = length L -> within extent x -> normal R x ->
        indistinguishable G S (spread L v) (spread L x) -> x = w) /\
      (forall x, length x = length L -> indistinguishable G S (spread L v) (spread L x) ->
        x = w \/ less w x = true) }.

(** T6: a presentation that is accepted presents the quotient. *)
Theorem accepted_presentation (c : code) (W : whole) (P : presentation) :
  whole_ok c W = true -> presentation_ok W P = true ->
  presented (game_of_code c) (heaps_of W) (generators P) (relations P) (extent P).
Proof.
  intros W_ok P_ok. constructor.
  - now apply (presentation_parts W P P_ok).
  - intros a I. apply (letters_in_heaps c W W_ok). now apply (presentation_parts W P P_ok).
  - intros X F. destruct (position_is_its_word c W W_ok P P_ok X F) as [Lw Q]. eauto.
  - intros v w _ _ Fo. now apply (relations_sound c W W_ok P P_ok).
  - intros v w Lv Lw Wv Ww Q. now apply (relations_present c W W_ok P P_ok v w).
  - intros v Lv Wv. exact (one_normal_word c W W_ok P P_ok v Lv Wv).
Qed.

(** So every element of the quotient is the value of a word, and two words have equal values if and
    only if their equality follows from the relations. *)
Theorem presented_quotient G S L R : presented G S L R None ->
  forall (Q : bipartite_monoid) phi, is_misere_quotient G S Q phi ->
    (forall q, exists v, length v = length L /\ value Q phi (spread L v) = q) /\
    forall v w, length v = length L -> length w = length L ->
      (value Q phi (spread L v) = value Q phi (spread L w) <-> follows (length L) R v w).
Proof.
  intros Pr Q phi H.
  assert (Sp : forall v, Forall S (spread L v)).
  { intros v. apply Forall_forall. intros h I. apply spread_in in I.
    now apply (generators_in _ _ _ _ _ Pr). }
  split.
  - intros q. destruct (quotient_onto _ _ _ _ H q) as (X & FX & <-).
    destruct (every_position _ _ _ _ _ Pr X FX) as (v & Lv & I). exists v. split; auto.
    apply (quotient_classes _ _ _ _ H); auto. intros Z FZ. symmetry. now apply I.
  - intros v w Lv Lw. rewrite (quotient_classes _ _ _ _ H) by auto. split.
    + apply (follows_if_equal _ _ _ _ _ Pr); auto; exact I.
    + now apply (equal_if_follows _ _ _ _ _ Pr).
Qed.

(** The P-portion: a position is a P-position if and only if it is equal to a word that the portion
    describes. *)
Theorem accepted_portion (c : code) (W : whole) (P : presentation) (p : portion)
    (S : portion_search) :
  whole_ok c W = true -> presentation_ok W P = true -> portion_ok W P p S = true ->
  forall X, Forall (heaps_of W) X ->
    (Ppos (game_of_code c) X <->
     exists v, in_portion p v /\
       indistinguishable (game_of_code c) (heaps_of W) X (spread (generators P) v)).
Proof. intros W_ok P_ok p_ok. exact (portion_of_positions c W W_ok P P_ok p S p_ok). Qed.

(** The quotient is infinite. *)
Theorem accepted_infinite (c : code) (W : whole) : whole_ok c W = true ->
  (forall g, In g (distinct_heaps (whole_claim W)) -> forall k l, k <> l ->
    ~ indistinguishable (game_of_code c) (heaps_of W) (repeat g k) (repeat g l)) /\
  forall (Q : bipartite_monoid) phi, is_misere_quotient (game_of_code c) (heaps_of W) Q phi ->
    ~ exists K : list Q, forall q, In q K.
Proof.
  intros W_ok. split.
  - intros g I. now apply (whole_multiples c W W_ok).
  - exact (whole_quotient c W W_ok).
Qed.

(** T5: positions that are accepted as equal are equal, and those that are accepted as different
    have different outcomes in the company named. *)
Theorem accepted_equal (c : code) (W : whole) X Y T : whole_ok c W = true ->
  equal_ok W X Y T = true ->
  indistinguishable (game_of_code c) (heaps_of W) (position_of X) (position_of Y).
Proof. intros W_ok H. now apply (equal_accepted c W W_ok X Y T). Qed.

Theorem accepted_different (c : code) (W : whole) X Y Z : whole_ok c W = true ->
  different_ok W X Y Z = true ->
  Forall (heaps_of W) (position_of Z) /\
  ~ (Ppos (game_of_code c) (position_of X ++ position_of Z) <->
     Ppos (game_of_code c) (position_of Y ++ position_of Z)).
Proof. intros W_ok H. destruct (different_accepted c W W_ok X Y Z H) as (_ & _ & ? & ?). auto. Qed.

(** The company named is the least sum of the letters [L] that tells the positions apart. *)
Theorem accepted_least (c : code) (W : whole) L X Y Z : whole_ok c W = true ->
  least_ok W L X Y Z = true ->
  forall v, length v = length L ->
    less v (map (fun a => count a (position_of Z)) L) = true ->
    (Ppos (game_of_code c) (position_of X ++ spread L v) <->
     Ppos (game_of_code c) (position_of Y ++ spread L v)).
Proof.
  intros W_ok H. destruct (least_accepted c W W_ok L X Y Z H) as (_ & E & A). now rewrite <- E.
Qed.
