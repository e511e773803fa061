(** Which partial quotients occur?

    The n-th partial quotient is the misère quotient of the heaps [0, …, n]. In Kayles it changes at
    the heaps 1, 2, 5, 9, 12, 25 and 27. A _stage_ is a partial quotient with the heaps at which it
    is the partial quotient: from its base on until the next stage begins. The stages come with the
    last one first, and each is a quotient of a submonoid of the one before it in the list. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Loops Monoid Pairs.
Import ListNotations.

(** A stage: tables, tests that tell their elements apart, the first heap, the values of heaps, a
    heap for each generator; and which elements of the stage before in the list are values of the
    heaps of this one, with the element that each becomes. *)
Record stage := Stage {
  stage_tables : tables;
  stage_tests : tests;
  stage_base : nat;
  stage_phi : nat -> nat;
  stage_heap_of : nat -> nat;
  stage_inside : nat -> bool;
  stage_map : nat -> nat }.

(** Whether a stage, for heaps to [u], is a quotient of values in the tables [T]. *)
Definition stage_ok (T : tables) (phi : nat -> nat) (u : nat) (E : stage) : bool :=
  let T' := stage_tables E in let phi' := stage_phi E in let f := stage_map E in
  monoid_ok T' && reduced_ok T' (stage_tests E) && (stage_base E <=? u) &&
  stage_inside E 0 && (f 0 =? 0) &&
  all_from 0 (u + 1) (fun h => phi' h <? order T') &&
  all_below (order T) (fun x => if stage_inside E x then
    Bool.eqb (portion T' (f x)) (portion T x) &&
    (let y := f x in all_from 0 (u + 1) (fun h => let z := mul T x (phi h) in
      stage_inside E z && (f z =? mul T' y (phi' h)))) else true) &&
  all_below (generators T') (fun g => (stage_heap_of E g <=? stage_base E) &&
    (phi' (stage_heap_of E g) =? row T' g 0)).

Fixpoint stages_ok (T : tables) (phi : nat -> nat) (u : nat) (L : list stage) : bool :=
  match L with
  | [] => true
  | E :: L' => stage_ok T phi u E && match L' with
    | [] => stage_base E =? 0
    | _ => (1 <=? stage_base E) && (order (stage_tables (hd E L')) <? order (stage_tables E)) &&
           stages_ok (stage_tables E) (stage_phi E) (stage_base E - 1) L'
    end
  end.

(** The last heap of stage [i]. *)
Fixpoint stage_end (u : nat) (L : list stage) (i : nat) : nat :=
  match i, L with
  | S j, E :: L' => stage_end (stage_base E - 1) L' j
  | _, _ => u
  end.

Section Stage.

Variable G : heap_game.
Variable T : tables.
Hypothesis T_ok : monoid_ok T = true.
Variable phi : nat -> nat.
Variable u : nat.
Hypothesis phi_below : forall h, h <= u -> phi h < order T.
Hypothesis outcomes : forall X, Forall (heaps_to u) X ->
  (Ppos G X <-> portion T (number T phi X) = true).
Variable E : stage.
Hypothesis E_ok : stage_ok T phi u E = true.

Local Notation T' := (stage_tables E).
Local Notation phi' := (stage_phi E).
Local Notation f := (stage_map E).

Lemma stage_parts : monoid_ok T' = true /\ reduced_ok T' (stage_tests E) = true /\
  stage_base E <= u /\ stage_inside E 0 = true /\ f 0 = 0 /\
  (forall h, h <= u -> phi' h < order T') /\
  (forall x, x < order T -> stage_inside E x = true ->
    portion T' (f x) = portion T x /\
    forall h, h <= u -> stage_inside E (mul T x (phi h)) = true /\
      f (mul T x (phi h)) = mul T' (f x) (phi' h)) /\
  (forall g, g < generators T' -> stage_heap_of E g <= stage_base E /\
    phi' (stage_heap_of E g) = row T' g 0).
Proof.
  unfold stage_ok in E_ok. cbv zeta in E_ok. rewrite !andb_split in E_ok.
  destruct E_ok as [[[[[[[A1 A2] A3] A4] A5] A6] A7] A8].
  rewrite all_from_spec in A6. rewrite all_below_spec in A7, A8.
  apply Nat.leb_le in A3. apply Nat.eqb_eq in A5.
  split; [auto|]. split; [auto|]. split; [auto|]. split; [auto|]. split; [auto|].
  split; [|split].
  - intros h L. apply Nat.ltb_lt, A6; lia.
  - intros x Lx I. specialize (A7 x Lx). rewrite I in A7. apply andb_split in A7 as [B1 B2].
    split; [now apply eqb_prop|]. rewrite all_from_spec in B2. intros h L.
    specialize (B2 h ltac:(lia) ltac:(lia)). apply andb_split in B2 as [B2 B3].
    split; [auto|]. now apply Nat.eqb_eq.
  - intros g L. specialize (A8 g L). apply andb_split in A8 as [B1 B2].
    split; [now apply Nat.leb_le|now apply Nat.eqb_eq].
Qed.

Lemma stage_ok_tables : monoid_ok T' = true.
Proof. apply stage_parts. Qed.

Lemma stage_phi_below h : h <= u -> phi' h < order T'.
Proof. apply stage_parts. Qed.

Lemma stage_number X : Forall (heaps_to u) X -> number T phi X < order T /\
  number T' phi' X < order T' /\
  stage_inside E (number T phi X) = true /\ f (number T phi X) = number T' phi' X.
Proof.
  destruct stage_parts as (Ok' & _ & _ & I0 & F0 & V & Hom & _).
  induction 1 as [|h X L F (Lx & Lx' & IX & FX)].
  - simpl. repeat split; auto using order_positive.
  - change (number T phi (h :: X)) with (mul T (phi h) (number T phi X)).
    change (number T' phi' (h :: X)) with (mul T' (phi' h) (number T' phi' X)).
    pose proof (phi_below h L) as Lp. pose proof (V h L) as Lp'.
    rewrite (mul_comm T T_ok (phi h)), (mul_comm T' Ok' (phi' h)) by auto.
    destruct (Hom _ Lx IX) as [_ S]. specialize (S h L) as [S1 S2].
    repeat split; auto.
    + now apply mul_below.
    + now apply mul_below.
    + now rewrite S2, FX.
Qed.

Theorem stage_outcomes X : Forall (heaps_to u) X ->
  (Ppos G X <-> portion T' (number T' phi' X) = true).
Proof.
  intros F. rewrite (outcomes X F). destruct (stage_number X F) as (Lx & _ & I & <-).
  destruct stage_parts as (_ & _ & _ & _ & _ & _ & Hom & _). now rewrite (proj1 (Hom _ Lx I)).
Qed.

(** The stage is the misère quotient of the heaps [0, …, h], for each [h] from its base to [u]. *)
Theorem stage_quotient h : stage_base E <= h -> h <= u ->
  is_misere_quotient G (heaps_to h) (monoid_of_tables T' stage_ok_tables)
    (pretending T' stage_ok_tables phi').
Proof.
  destruct stage_parts as (_ & R & _ & _ & _ & _ & _ & Gen). intros Lb Lu.
  assert (V : forall g, heaps_to h g -> phi' g < order T').
  { intros g L. apply stage_phi_below. unfold heaps_to in L. lia. }
  apply predicting_is_quotient.
  - apply (elements_are_values T' stage_ok_tables (heaps_to h) phi' V).
    intros g Lg. destruct (Gen g Lg) as [A B]. exists (stage_heap_of E g).
    split; [unfold heaps_to; lia|auto].
  - intros X F. rewrite (stage_outcomes X).
    + rewrite <- (raw_value T' stage_ok_tables (heaps_to h) phi' V X F). reflexivity.
    + eapply Forall_impl; [|exact F]. unfold heaps_to. lia.
  - now apply reduced_of_tables with (stage_tests E).
Qed.

End Stage.

(** Every stage of the list is the partial quotient from its base to its end. *)
Theorem stages_are_partial_quotients G : forall L T (T_ok : monoid_ok T = true) phi u,
  (forall h, h <= u -> phi h < order T) ->
  (forall X, Forall (heaps_to u) X -> (Ppos G X <-> portion T (number T phi X) = true)) ->
  stages_ok T phi u L = true ->
  forall i E, nth_error L i = Some E ->
  stage_base E <= stage_end u L i /\
  exists ok : monoid_ok (stage_tables E) = true,
    (forall h, h <= stage_end u L i -> stage_phi E h < order (stage_tables E)) /\
    forall h, stage_base E <= h -> h <= stage_end u L i ->
    is_misere_quotient G (heaps_to h) (monoid_of_tables (stage_tables E) ok)
      (pretending (stage_tables E) ok (stage_phi E)).
Proof.
  induction L as [|E0 L IH]; intros T T_ok phi u V Out Ok i E Ei; [destruct i; discriminate|].
  simpl in Ok. apply andb_split in Ok as [Ok0 Ok].
  destruct i as [|i].
  - inversion Ei; subst. split; [apply (stage_parts T phi u E Ok0)|].
    exists (stage_ok_tables T phi u E Ok0). split.
    + apply (stage_phi_below T phi u E Ok0).
    + apply (stage_quotient G T T_ok phi u V Out E Ok0).
  - simpl in Ei. destruct L as [|E1 L]; [destruct i; discriminate|].
    rewrite !andb_split in Ok. destruct Ok as [[B _] Ok].
    assert (B1 : 1 <= stage_base E0) by (destruct (stage_base E0); [discriminate|lia]).
    pose proof (stage_parts T phi u E0 Ok0) as (_ & _ & Lb & _).
    apply (IH (stage_tables E0) (stage_ok_tables T phi u E0 Ok0) (stage_phi E0)
      (stage_base E0 - 1)); auto.
    + intros h Lh. apply (stage_phi_below T phi u E0 Ok0). lia.
    + intros X F. apply (stage_outcomes G T T_ok phi u V Out E0 Ok0).
      eapply Forall_impl; [|exact F]. unfold heaps_to. lia.
Qed.

(** The orders grow from stage to stage, so that no two stages are isomorphic. *)
Theorem stages_grow T phi u L : stages_ok T phi u L = true -> forall i E F,
  nth_error L i = Some E -> nth_error L (S i) = Some F ->
  order (stage_tables F) < order (stage_tables E) /\ stage_end u L (S i) + 1 = stage_base E.
Proof.
  revert T phi u. induction L as [|E0 L IH]; intros T phi u Ok i E F Ei Fi;
    [destruct i; discriminate|].
  simpl in Ok. apply andb_split in Ok as [_ Ok]. destruct L as [|E1 L]; [destruct i; discriminate|].
  rewrite !andb_split in Ok. destruct Ok as [[B O] Ok].
  assert (B1 : 1 <= stage_base E0) by (destruct (stage_base E0); [discriminate|lia]).
  apply Nat.ltb_lt in O. destruct i as [|i].
  - inversion Ei; subst. inversion Fi; subst. simpl in O. split; [auto|]. simpl. lia.
  - simpl in Ei, Fi. exact (IH _ _ _ Ok i E F Ei Fi).
Qed.

(** The first stage, the last one of the list, begins at heap 0. *)
Theorem stages_begin L : forall T phi u, stages_ok T phi u L = true -> forall E,
  nth_error L (length L - 1) = Some E -> stage_base E = 0.
Proof.
  induction L as [|E0 L IH]; intros T phi u Ok E Ei; [discriminate|].
  simpl in Ok. apply andb_split in Ok as [_ Ok]. destruct L as [|E1 L].
  - inversion Ei; subst. now apply Nat.eqb_eq.
  - rewrite !andb_split in Ok. destruct Ok as [_ Ok]. apply (IH _ _ _ Ok E).
    rewrite <- Ei. simpl length. rewrite !Nat.sub_succ, !Nat.sub_0_r. reflexivity.
Qed.
