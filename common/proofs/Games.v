(** Heap games, misère outcomes and misère quotients, by definition.

    In Kayles a heap of 3 can become a heap of 2, a heap of 1, or two heaps of 1. So
    [opts kayles 3] lists [2], [1] and [1; 1]. A position is a list of heaps, whose order does not
    matter; a move replaces one heap by one of its options.

    A reader who trusts no one has to read the definitions of this file and of [Codes]: they say
    what the theorems of all other files are about. *)

From Coq Require Import List Arith Lia Permutation Relations Wellfounded.
Import ListNotations.

(** ** Games and positions *)

(** A heap game: each heap has finitely many options, and each option is a sum of smaller heaps. *)
Record heap_game := HeapGame {
  opts : nat -> list (list nat);
  opts_smaller : forall h o g, In o (opts h) -> In g o -> g < h }.

(** A position: the heaps of a sum. *)
Definition position := list nat.

(** [move G X Y]: some move leads from [X] to [Y]. *)
Definition move (G : heap_game) (X Y : position) : Prop :=
  exists A h B o, X = A ++ h :: B /\ In o (opts G h) /\ Y = A ++ o ++ B.

(** The outcome in misère play. A position without a move is an N-position: the player to move
    has won. Any other position is an N-position if some option is a P-position, and a P-position
    if every option is an N-position. *)
Inductive Ppos (G : heap_game) (X : position) : Prop :=
| P_by_options : (exists Y, move G X Y) -> (forall Y, move G X Y -> Npos G Y) -> Ppos G X
with Npos (G : heap_game) (X : position) : Prop :=
| N_at_the_end : (forall Y, ~ move G X Y) -> Npos G X
| N_by_option : forall Y, move G X Y -> Ppos G Y -> Npos G X.

(** ** Misère quotients *)

(** Indistinguishable positions: equal outcomes in the company of every position of the heaps
    in [S]. *)
Definition indistinguishable (G : heap_game) (S : nat -> Prop) (X Y : position) : Prop :=
  forall Z, Forall S Z -> (Ppos G (X ++ Z) <-> Ppos G (Y ++ Z)).

(** The heaps [0, …, n]. *)
Definition heaps_to (n : nat) (h : nat) : Prop := h <= n.

(** All heaps. *)
Definition all_heaps (h : nat) : Prop := True.

(** A bipartite monoid: a commutative monoid with a subset, the P-portion. *)
Record bipartite_monoid := BipartiteMonoid {
  element :> Type;
  one : element;
  times : element -> element -> element;
  in_P : element -> Prop;
  times_assoc : forall x y z, times x (times y z) = times (times x y) z;
  times_comm : forall x y, times x y = times y x;
  times_one : forall x, times one x = x }.

(** The value of a position: the product of the values of its heaps. *)
Definition value (Q : bipartite_monoid) (phi : nat -> Q) (X : position) : Q :=
  fold_right (fun h x => times Q (phi h) x) (one Q) X.

(** [(Q, P)] with the pretending function [phi] is the misère quotient of the heaps in [S]: every
    element is a value, the values tell the outcomes, and two positions have equal values if and
    only if they are indistinguishable. *)
Record is_misere_quotient (G : heap_game) (S : nat -> Prop)
    (Q : bipartite_monoid) (phi : nat -> Q) : Prop := {
  quotient_onto : forall q : Q, exists X, Forall S X /\ value Q phi X = q;
  quotient_outcome : forall X, Forall S X -> (Ppos G X <-> in_P Q (value Q phi X));
  quotient_classes : forall X Y, Forall S X -> Forall S Y ->
    (value Q phi X = value Q phi Y <-> indistinguishable G S X Y) }.

(** A bipartite monoid is reduced if any two different elements are told apart by a third one. *)
Definition reduced (Q : bipartite_monoid) : Prop :=
  forall x y : Q, (forall z, in_P Q (times Q x z) <-> in_P Q (times Q y z)) -> x = y.

(** ** Moves *)

Lemma move_of_heap G h Y : move G [h] Y <-> In Y (opts G h).
Proof.
  split.
  - intros (A & g & B & o & E & I & ->).
    destruct A as [|a [|b A]]; simpl in E; inversion E; subst; clear E.
    now rewrite app_nil_r.
  - intros I. exists [], h, [], Y. repeat split; auto. now rewrite app_nil_r.
Qed.

Lemma move_app G X Y Z : move G (X ++ Y) Z <->
  (exists X', move G X X' /\ Z = X' ++ Y) \/ (exists Y', move G Y Y' /\ Z = X ++ Y').
Proof.
  split.
  - intros (A & h & B & o & E & I & ->).
    apply app_eq_app in E as (l & [[-> E]|[-> E]]).
    + destruct l as [|k l]; simpl in E.
      * right. exists (o ++ B). split; [|now rewrite app_nil_r].
        exists [], h, B, o. repeat split; auto.
      * inversion E; subst. left. exists (A ++ o ++ l). split.
        -- exists A, k, l, o. auto.
        -- now rewrite <- !app_assoc.
    + right. exists (l ++ o ++ B). split.
      * exists l, h, B, o. auto.
      * now rewrite <- app_assoc.
  - intros [(X' & (A & h & B & o & -> & I & ->) & ->)|(Y' & (A & h & B & o & -> & I & ->) & ->)].
    + exists A, h, (B ++ Y), o. repeat split; auto; now rewrite <- ?app_assoc.
    + exists (X ++ A), h, B, o. repeat split; auto; now rewrite <- ?app_assoc.
Qed.

Lemma move_cons G h Y Z : move G (h :: Y) Z <->
  (exists o, In o (opts G h) /\ Z = o ++ Y) \/ (exists Y', move G Y Y' /\ Z = h :: Y').
Proof.
  change (h :: Y) with ([h] ++ Y). rewrite move_app.
  split; intros [(X' & H & ->)|H]; [left|right|left|right]; auto;
    exists X'; split; auto; now apply move_of_heap.
Qed.

Lemma no_move_nil G Y : ~ move G [] Y.
Proof. intros (A & h & B & o & E & _). destruct A; discriminate. Qed.

Lemma move_smaller_heaps G n X Y :
  Forall (heaps_to n) X -> move G X Y -> Forall (heaps_to n) Y.
Proof.
  intros F (A & h & B & o & -> & I & ->).
  apply Forall_app in F as [FA F]. inversion F as [|? ? Fh FB]; subst.
  rewrite !Forall_app. repeat split; auto.
  apply Forall_forall. intros g Ig. pose proof (opts_smaller G h o g I Ig).
  unfold heaps_to in *. lia.
Qed.

(** ** Every play ends *)

Definition option_of (G : heap_game) (Y X : position) : Prop := move G X Y.

Lemma Acc_app G X : Acc (option_of G) X -> forall Y, Acc (option_of G) Y ->
  Acc (option_of G) (X ++ Y).
Proof.
  induction 1 as [X HX IHX]. induction 1 as [Y HY IHY]. constructor. intros Z M.
  apply move_app in M as [(X' & M & ->)|(Y' & M & ->)].
  - apply IHX; [exact M|]. now constructor.
  - now apply IHY.
Qed.

Lemma Acc_heaps G X : Forall (fun h => Acc (option_of G) [h]) X -> Acc (option_of G) X.
Proof.
  induction 1 as [|h X A _ IH].
  - constructor. intros Y M. now apply no_move_nil in M.
  - change (h :: X) with ([h] ++ X). now apply Acc_app.
Qed.

Lemma Acc_heap G h : Acc (option_of G) [h].
Proof.
  induction h as [h IH] using lt_wf_ind. constructor. intros Y M.
  apply move_of_heap in M. apply Acc_heaps, Forall_forall. intros g I.
  apply IH. eapply opts_smaller; eauto.
Qed.

Theorem plays_end G : well_founded (option_of G).
Proof. intros X. apply Acc_heaps, Forall_forall. intros h _. apply Acc_heap. Qed.

(** ** Outcomes are decided, and exclude each other *)

Lemma Ppos_iff G X :
  Ppos G X <-> (exists Y, move G X Y) /\ (forall Y, move G X Y -> Npos G Y).
Proof. split; [intros []; auto|intros []; now constructor]. Qed.

Lemma Npos_iff G X :
  Npos G X <-> (forall Y, ~ move G X Y) \/ (exists Y, move G X Y /\ Ppos G Y).
Proof.
  split; [intros []; eauto|intros [?|(Y & ? & ?)]; [now constructor 1|econstructor 2; eauto]].
Qed.

Theorem outcomes_exclusive G X : Ppos G X -> Npos G X -> False.
Proof.
  induction X as [X IH] using (well_founded_ind (plays_end G)). intros P N.
  apply Ppos_iff in P as [[Y M] A]. apply Npos_iff in N as [N|(Z & MZ & PZ)].
  - exact (N Y M).
  - exact (IH Z MZ PZ (A Z MZ)).
Qed.

(** The options of a position, listed. *)
Fixpoint options (G : heap_game) (X : position) : list position :=
  match X with
  | [] => []
  | h :: Y => map (fun o => o ++ Y) (opts G h) ++ map (cons h) (options G Y)
  end.

Lemma options_spec G X Y : In Y (options G X) <-> move G X Y.
Proof.
  revert Y. induction X as [|h X IH]; intros Y; simpl.
  - split; [tauto|apply no_move_nil].
  - rewrite in_app_iff, !in_map_iff, move_cons.
    split; intros [(o & A & B)|(Z & A & B)]; subst.
    + left. eauto.
    + right. exists Z. split; auto. now apply IH.
    + left. exists o. auto.
    + right. exists Z. split; auto. now apply IH.
Qed.

Theorem outcomes_decided G X : {Ppos G X} + {Npos G X}.
Proof.
  induction X as [X IH] using (well_founded_induction (plays_end G)).
  assert (D : forall L, (forall Y, In Y L -> move G X Y) ->
    {forall Y, In Y L -> Npos G Y} + {exists Y, In Y L /\ Ppos G Y}).
  { induction L as [|Y L IHL]; intros H.
    - left. intros Y [].
    - destruct (IH Y (H Y (or_introl eq_refl))) as [P|N].
      + right. exists Y. simpl. auto.
      + destruct IHL as [A|E].
        * intros Z I. apply H. now right.
        * left. intros Z [<-|I]; auto.
        * right. destruct E as (Z & I & P). exists Z. simpl. auto. }
  destruct (options G X) as [|Y L] eqn:E.
  - right. constructor 1. intros Y M. apply options_spec in M. now rewrite E in M.
  - destruct (D (options G X)) as [A|B].
    + intros Z. apply options_spec.
    + left. apply Ppos_iff. split.
      * exists Y. apply options_spec. rewrite E. now left.
      * intros Z M. apply A. now apply options_spec.
    + right. destruct B as (Z & I & P). econstructor 2; [|exact P]. now apply options_spec.
Qed.

Lemma Npos_not_Ppos G X : Npos G X <-> ~ Ppos G X.
Proof.
  split.
  - intros N P. eapply outcomes_exclusive; eauto.
  - destruct (outcomes_decided G X); tauto.
Qed.

Lemma Ppos_step G X :
  Ppos G X <-> (exists Y, move G X Y) /\ (forall Y, move G X Y -> ~ Ppos G Y).
Proof.
  rewrite Ppos_iff. split; intros [E A]; split; auto; intros Y M; now apply Npos_not_Ppos, A.
Qed.

(** ** The order of heaps does not matter *)

Lemma move_permutation G X X' Y : Permutation X X' -> move G X Y ->
  exists Y', move G X' Y' /\ Permutation Y Y'.
Proof.
  intros Pm (A & h & B & o & -> & I & ->).
  destruct (in_split h X') as (A' & B' & ->).
  { eapply Permutation_in; [exact Pm|]. apply in_elt. }
  apply Permutation_app_inv in Pm.
  exists (A' ++ o ++ B'). split.
  - exists A', h, B', o. auto.
  - rewrite (Permutation_app_comm o B), (Permutation_app_comm o B'), !app_assoc.
    now apply Permutation_app_tail.
Qed.

Theorem Ppos_permutation G (X X' : position) : Permutation X X' -> (Ppos G X <-> Ppos G X').
Proof.
  revert X'. induction X as [X IH] using (well_founded_ind (plays_end G)). intros X' Pm.
  rewrite !Ppos_step. split; intros [[Y M] A]; split.
  - destruct (move_permutation G X X' Y Pm M) as (Y' & M' & _). eauto.
  - intros Y' M'. destruct (move_permutation G X' X Y' (Permutation_sym Pm) M') as (Z & MZ & PZ).
    rewrite <- (IH Z MZ Y' (Permutation_sym PZ)). now apply A.
  - destruct (move_permutation G X' X Y (Permutation_sym Pm) M) as (Y' & M' & _). eauto.
  - intros Z MZ. destruct (move_permutation G X X' Z Pm MZ) as (Y' & M' & PZ).
    rewrite (IH Z MZ Y' PZ). now apply A.
Qed.

Theorem Npos_permutation G (X X' : position) : Permutation X X' -> (Npos G X <-> Npos G X').
Proof. intros Pm. now rewrite !Npos_not_Ppos, (Ppos_permutation G X X' Pm). Qed.

(** ** Dead heaps do not matter *)

Lemma move_dead G D X Y : Forall (fun h => opts G h = []) D ->
  (move G (D ++ X) Y <-> exists X', move G X X' /\ Y = D ++ X').
Proof.
  intros F. rewrite move_app. split.
  - intros [(D' & (A & h & B & o & -> & I & ->) & _)|H]; auto.
    apply Forall_app in F as [_ F]. inversion F as [|? ? E _]; subst. now rewrite E in I.
  - intros (X' & M & ->). right. eauto.
Qed.

Theorem Ppos_dead G (D X : position) :
  Forall (fun h => opts G h = []) D -> (Ppos G (D ++ X) <-> Ppos G X).
Proof.
  intros F. induction X as [X IH] using (well_founded_ind (plays_end G)).
  rewrite !Ppos_step. split; intros [[Y M] A]; split.
  - apply move_dead in M as (X' & M & _); eauto.
  - intros X' MX. rewrite <- (IH X' MX). apply A, move_dead; eauto.
  - exists (D ++ Y). apply move_dead; eauto.
  - intros Z MZ. apply move_dead in MZ as (X' & M' & ->); auto.
    rewrite (IH X' M'). now apply A.
Qed.

(** ** Facts on quotients *)

Lemma value_app (Q : bipartite_monoid) phi X Y :
  value Q phi (X ++ Y) = times Q (value Q phi X) (value Q phi Y).
Proof.
  induction X as [|h X IH]; simpl.
  - now rewrite times_one.
  - now rewrite IH, times_assoc.
Qed.

(** A reduced bipartite monoid that the values of heaps generate, and that predicts the outcomes,
    is the misère quotient. *)
Theorem predicting_is_quotient G S (Q : bipartite_monoid) phi :
  (forall q : Q, exists X, Forall S X /\ value Q phi X = q) ->
  (forall X, Forall S X -> (Ppos G X <-> in_P Q (value Q phi X))) ->
  reduced Q -> is_misere_quotient G S Q phi.
Proof.
  intros Onto Out Red. constructor; auto. intros X Y FX FY. split.
  - intros E Z FZ. rewrite !Out by (now apply Forall_app). now rewrite !value_app, E.
  - intros I. apply Red. intros z. destruct (Onto z) as (Z & FZ & <-).
    rewrite <- !value_app, <- !Out by (now apply Forall_app). now apply I.
Qed.

(** Two misère quotients of the same heaps are isomorphic: having a common position is a one-to-one
    relation between all elements of both, which respects products, the identity and P. *)
Definition same_position (S : nat -> Prop) (Q Q' : bipartite_monoid) phi phi'
    (q : Q) (q' : Q') : Prop :=
  exists X, Forall S X /\ value Q phi X = q /\ value Q' phi' X = q'.

Theorem quotients_isomorphic G S (Q : bipartite_monoid) phi (Q' : bipartite_monoid) phi' :
  is_misere_quotient G S Q phi -> is_misere_quotient G S Q' phi' ->
  let iso := same_position S Q Q' phi phi' in
  (forall q, exists q', iso q q') /\ (forall q', exists q, iso q q') /\
  (forall q1 q1' q2 q2', iso q1 q1' -> iso q2 q2' -> (q1 = q2 <-> q1' = q2')) /\
  (forall q1 q1' q2 q2', iso q1 q1' -> iso q2 q2' -> iso (times Q q1 q2) (times Q' q1' q2')) /\
  iso (one Q) (one Q') /\
  (forall q q', iso q q' -> (in_P Q q <-> in_P Q' q')) /\
  (forall h, S h -> iso (phi h) (phi' h)).
Proof.
  intros H H' iso. repeat split.
  - intros q. destruct (quotient_onto _ _ _ _ H q) as (X & F & E).
    exists (value Q' phi' X), X. auto.
  - intros q'. destruct (quotient_onto _ _ _ _ H' q') as (X & F & E).
    exists (value Q phi X), X. auto.
  - destruct H0 as (X & FX & <- & <-), H1 as (Y & FY & <- & <-). intros E.
    apply (quotient_classes _ _ _ _ H'); auto. now apply (quotient_classes _ _ _ _ H).
  - destruct H0 as (X & FX & <- & <-), H1 as (Y & FY & <- & <-). intros E.
    apply (quotient_classes _ _ _ _ H); auto. now apply (quotient_classes _ _ _ _ H').
  - intros q1 q1' q2 q2' (X & FX & <- & <-) (Y & FY & <- & <-).
    exists (X ++ Y). rewrite !value_app. repeat split; auto. now apply Forall_app.
  - exists []. simpl. auto.
  - destruct H0 as (X & FX & <- & <-). intros P.
    apply (quotient_outcome _ _ _ _ H'); auto. now apply (quotient_outcome _ _ _ _ H).
  - destruct H0 as (X & FX & <- & <-). intros P.
    apply (quotient_outcome _ _ _ _ H); auto. now apply (quotient_outcome _ _ _ _ H').
  - intros h Sh. exists [h]. simpl. repeat split; auto;
      rewrite times_comm; apply times_one.
Qed.

Lemma quotient_reduced G S (Q : bipartite_monoid) phi : is_misere_quotient G S Q phi -> reduced Q.
Proof.
  intros H x y A.
  destruct (quotient_onto _ _ _ _ H x) as (X & FX & <-).
  destruct (quotient_onto _ _ _ _ H y) as (Y & FY & <-).
  apply (quotient_classes _ _ _ _ H); auto. intros Z FZ.
  rewrite !(quotient_outcome _ _ _ _ H) by (now apply Forall_app).
  rewrite !value_app. apply A.
Qed.
