(** The checker of presentations of infinite quotients: what it accepts says which positions are
    equal, and which relations present the quotient. (T5 and T6 of docs/presentations.md) *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteSearch
  InfiniteReading InfiniteMoves InfiniteMultiples InfiniteDiagram InfiniteRunners InfiniteCases
  InfiniteDiagramMoves InfiniteByDiagram AllHeaps AllHeapsWords AllHeapsByDiagram Words
  InfiniteEquality InfiniteApart.
Import ListNotations.

(** ** Diagrams that claim something of every position *)

(** A diagram that proves a quotient to be infinite, the greatest heap, and the heaps without
    a claim. An untrusted search adds a set of states and nodes that are never silent. *)
Record whole := Whole {
  whole_claim : diagram_claim;
  last_heap : nat;
  silent_heaps : list nat;
  talking : nat -> bool }.

Definition diagram_of (W : whole) : diagram := claim_diagram (whole_claim W).
Definition evidence_of (W : whole) : evidence := letters_of (diagram_of W).

(** The heaps whose quotient is spoken of. *)
Definition heaps_of (W : whole) (h : nat) : Prop := h <= last_heap W /\ ~ In h (silent_heaps W).

Definition heap_in (W : whole) (h : nat) : bool :=
  (h <=? last_heap W) && negb (has (silent_heaps W) h).

Definition heaps_known (c : code) (W : whole) : bool :=
  let all := letters (evidence_of W) ++ map fst (words (evidence_of W)) in
  all_from 0 (last_heap W + 1) (fun h =>
    if has (silent_heaps W) h then negb (has all h)
    else has all h || (length (code_options c h) =? 0)).

(** W1, W2 and W7. *)
Definition whole_ok (c : code) (W : whole) : bool :=
  let d := diagram_of W in
  infinite_by_diagram_ok c (last_heap W) (whole_claim W) && heaps_known c W &&
  talks_ok (diagram_reader d) (talking W) && nodes_talk d (talking W) && talking W (root d).

(** ** Two positions compared *)

(** A position, written as heaps with their numbers of copies. *)
Definition position_of (X : list (nat * nat)) : position :=
  flat_map (fun e => repeat (fst e) (snd e)) X.

(** The number [k] for each letter [a] in a word. *)
Fixpoint for_each (a k : nat) (w : list nat) : nat :=
  match w with
  | [] => 0
  | x :: w => if x =? a then k + for_each a k w else for_each a k w
  end.

Fixpoint count_in (E : evidence) (a : nat) (X : list (nat * nat)) : nat :=
  match X with
  | [] => 0
  | e :: X => for_each a (snd e) (word_of E (fst e)) + count_in E a X
  end.

Definition counts_in (E : evidence) (X : list (nat * nat)) : counts :=
  Counts (map (fun a => count_in E a X) (cycle_heaps E))
    (map (fun a => count_in E a X) (digit_heaps E)).

Definition all_in (W : whole) (X : list (nat * nat)) : bool :=
  forallb (fun e => heap_in W (fst e)) X.

(** T5: the positions are equal. *)
Definition equal_ok (W : whole) (X Y : list (nat * nat)) (T : alike) : bool :=
  all_in W X && all_in W Y &&
  alike_ok (diagram_of W) (counts_in (evidence_of W) X) (counts_in (evidence_of W) Y) T.

(** The positions differ, since they have different outcomes in the company of [Z]. *)
Definition different_ok (W : whole) (X Y Z : list (nat * nat)) : bool :=
  let outcome X := claimed_of (diagram_of W) (counts_in (evidence_of W) (X ++ Z)) in
  all_in W X && all_in W Y && all_in W Z && opposite_claims (outcome X) (outcome Y).

(** ** Presentations *)

(** The words among which all equalities are said to follow from the relations: all words, or those
    to a degree. *)
Definition within (extent : option nat) (v : list nat) : Prop :=
  match extent with None => True | Some k => degree v <= k end.

(** Relations between the letters [generators]. An untrusted search adds what shows that the
    relations hold, and what tells normal words apart. *)
Record presentation := Presentation {
  generators : list nat;
  relations : list relation;
  extent : option nat;
  alike_sides : nat -> alike;
  telling_normal : telling_words }.

(** Words as counts of letters. *)
Definition word_of_counts (W : whole) (P : presentation) (v : list nat) : counts :=
  counts_of (evidence_of W) (spread (generators P) v).

(** A normal word or a family of them. *)
Definition normal_families (P : presentation) : list family :=
  let n := length (generators P) in
  let L := map left (relations P) in
  match extent P with
  | None => families n L
  | Some k => map (fun v => Family v (repeat 0 n)) (words_to n k L)
  end.

Definition count_family (W : whole) (P : presentation) (i : nat) (F : family) : counted_family :=
  CountedFamily i (word_of_counts W P (least F)) (of_digits (word_of_counts W P (free F))).

Fixpoint all_counted (W : whole) (P : presentation) (i : nat) (L : list family) :
    list counted_family :=
  match L with
  | [] => []
  | F :: L => count_family W P i F :: all_counted W P (S i) L
  end.

Fixpoint relations_hold (W : whole) (P : presentation) (i : nat) (R : list relation) : bool :=
  match R with
  | [] => true
  | r :: R =>
    alike_ok (diagram_of W) (word_of_counts W P (left r)) (word_of_counts W P (right r))
      (alike_sides P i) &&
    relations_hold W P (S i) R
  end.

(** Only digits may be repeated. *)
Definition free_digits (W : whole) (P : presentation) (F : family) : bool :=
  all_zero (of_cycles (word_of_counts W P (free F))).

(** W3, W4 and W6, and the generators are the letters. *)
Definition presentation_ok (W : whole) (P : presentation) : bool :=
  let all := letters (evidence_of W) in
  let L := normal_families P in
  all_different (generators P) && forallb (has all) (generators P) &&
  forallb (has (generators P)) all &&
  relations_ok (length (generators P)) (relations P) &&
  relations_hold W P 0 (relations P) &&
  forallb (free_digits W P) L &&
  words_apart (diagram_of W) (telling_normal P) (all_counted W P 0 L).

(** ** Facts *)

Lemma for_each_step a k w : for_each a (S k) w = count a w + for_each a k w.
Proof. induction w as [|x w IH]; simpl; auto. destruct (x =? a); lia. Qed.

Lemma for_each_zero a w : for_each a 0 w = 0.
Proof. induction w as [|x w IH]; simpl; auto. destruct (x =? a); auto. Qed.

Lemma count_copies E a h k : count a (reading (word_of E) (repeat h k)) = for_each a k (word_of E h).
Proof.
  induction k as [|k IH]; [simpl; now rewrite for_each_zero|].
  change (reading (word_of E) (repeat h (S k))) with
    (word_of E h ++ reading (word_of E) (repeat h k)).
  now rewrite count_app, IH, for_each_step.
Qed.

Lemma count_position E a X : count a (reading (word_of E) (position_of X)) = count_in E a X.
Proof.
  unfold position_of. induction X as [|e X IH]; auto. simpl flat_map.
  rewrite reading_app, count_app, count_copies, IH. reflexivity.
Qed.

Lemma counts_position E X : counts_of E (reading (word_of E) (position_of X)) = counts_in E X.
Proof.
  unfold counts_of, counts_in. f_equal; apply map_ext; intros a; apply count_position.
Qed.

Lemma counts_of_app E y z : counts_of E (y ++ z) = plus (counts_of E y) (counts_of E z).
Proof.
  unfold counts_of, plus. simpl. rewrite !sums_map. f_equal; apply map_ext; intros; apply count_app.
Qed.

Lemma position_app X Y : position_of (X ++ Y) = position_of X ++ position_of Y.
Proof. apply flat_map_app. Qed.

Lemma spread_sums L : forall v w, length v = length L -> length w = length L ->
  forall a, count a (spread L (sums v w)) = count a (spread L v) + count a (spread L w).
Proof.
  induction L as [|x L IH]; intros [|y v] [|z w] Lv Lw a; try discriminate; auto.
  simpl in Lv, Lw. unfold spread. simpl. fold (spread L (sums v w)) (spread L v) (spread L w).
  rewrite !count_app, !count_repeat, IH by lia. destruct (x =? a); lia.
Qed.

Section Whole.

Variable c : code.
Variable W : whole.
Hypothesis W_ok : whole_ok c W = true.

Local Notation G := (game_of_code c).
Local Notation d := (diagram_of W).
Local Notation E := (evidence_of W).
Local Notation H := (heaps_of W).
Local Notation read_as := (reading (word_of E)).

Lemma whole_parts : infinite_by_diagram_ok c (last_heap W) (whole_claim W) = true /\
  heaps_known c W = true /\ talks_ok (diagram_reader d) (talking W) = true /\
  nodes_talk d (talking W) = true /\ talking W (root d) = true.
Proof. unfold whole_ok in W_ok. cbv zeta in W_ok. rewrite !andb_split in W_ok. tauto. Qed.

Lemma evidence_whole : evidence_ok c (last_heap W) E = true /\ diagram_ok d = true /\
  automaton_ok (diagram_reader d) = true.
Proof.
  destruct whole_parts as (C & _).
  destruct (diagram_claim_parts c (last_heap W) (whole_claim W) C) as (HE & Hd & HA & _). auto.
Qed.

Lemma heap_in_spec h : heap_in W h = true <-> H h.
Proof.
  unfold heap_in, heaps_of. rewrite andb_split, Nat.leb_le, negb_true_iff, <- not_true_iff_false,
    has_in. tauto.
Qed.

Lemma heaps_spoken h : H h -> spoken_or_dead G (spoken E) h.
Proof.
  intros [L N]. destruct whole_parts as (_ & K & _). unfold heaps_known in K. cbv zeta in K.
  rewrite all_from_spec in K. specialize (K h ltac:(lia) ltac:(lia)).
  destruct (has (silent_heaps W) h) eqn:Q; [apply has_in in Q; tauto|].
  apply orb_prop in K as [K|K]; [left; now apply has_in|right].
  apply Nat.eqb_eq, length_zero_iff_nil in K. exact K.
Qed.

Lemma letters_in_heaps a : letter E a -> H a.
Proof.
  intros La. destruct evidence_whole as (HE & _). pose proof (letter_is_spoken E a La) as S.
  destruct (heap_parts c _ E HE a S) as (L & _). split; auto. intros I.
  destruct whole_parts as (_ & K & _). unfold heaps_known in K. cbv zeta in K.
  rewrite all_from_spec in K. specialize (K a ltac:(lia) ltac:(lia)).
  rewrite (proj2 (has_in _ _) I) in K. apply negb_true_iff, not_true_iff_false in K.
  apply K, has_in. exact S.
Qed.

Lemma whole_talks z : claims d z <> Nothing.
Proof.
  destruct evidence_whole as (HE & Hd & HA). destruct whole_parts as (_ & _ & T & Nd & Rt).
  assert (L : length (of_cycles (counts_of E z)) = levels d).
  { unfold counts_of. simpl. unfold evidence_of. now rewrite map_length, ordinary_heaps. }
  unfold claims, claimed_of. apply (talks_said (diagram_reader d) (talking W)); auto.
  - unfold counts_of. simpl. rewrite map_length. apply (counted_length c _ d HE).
  - now apply walk_state.
  - apply walk_talks; auto; [unfold evidence_of in L; now rewrite L|]. now apply root_arrived.
Qed.

(** The outcome of every position of these heaps is the one that the diagram claims. *)
Theorem whole_outcomes X : Forall H X ->
  (Ppos G X <-> claims d (read_as X) = SaysP) /\ (Npos G X <-> claims d (read_as X) = SaysN).
Proof.
  intros F. destruct whole_parts as (C & _).
  assert (S : Forall (spoken_or_dead G (spoken E)) X).
  { eapply Forall_impl; [exact heaps_spoken|exact F]. }
  destruct (diagram_outcomes c (last_heap W) (whole_claim W) C X S) as [HP HN].
  fold d in HP, HN. fold E in HP, HN. pose proof (whole_talks (read_as X)) as T.
  pose proof (outcomes_exclusive G X) as Ex.
  destruct (claims d (read_as X)); [congruence| |].
  - specialize (HN eq_refl). split; split; auto; intros; exfalso; try discriminate. tauto.
  - specialize (HP eq_refl). split; split; auto; intros; exfalso; try discriminate. tauto.
Qed.

Lemma letters_heaps z : letters_only (letter E) z -> Forall H z.
Proof. intros L. eapply Forall_impl; [exact letters_in_heaps|exact L]. Qed.

Lemma reading_of_letters z : letters_only (letter E) z -> read_as z = z.
Proof.
  intros L. induction L as [|a z La L IH]; simpl; auto. now rewrite IH, word_of_letter.
Qed.

Lemma reading_heaps X : Forall H X -> letters_only (letter E) (read_as X).
Proof.
  intros F. destruct evidence_whole as (HE & _).
  apply (reading_letters G (spoken E) (letter E)).
  - exact (word_of_letters c _ E HE).
  - exact (word_of_dead c _ E HE).
  - eapply Forall_impl; [exact heaps_spoken|exact F].
Qed.

(** T5: two positions are equal if and only if the diagram claims the same of both in every
    company. *)
Theorem equal_iff X Y : Forall H X -> Forall H Y ->
  (indistinguishable G H X Y <->
   forall z, letters_only (letter E) z ->
     claims d (read_as X ++ z) = claims d (read_as Y ++ z)).
Proof.
  intros FX FY. split.
  - intros I z Lz. pose proof (letters_heaps z Lz) as Fz.
    assert (R : forall V, read_as V ++ z = read_as (V ++ z)).
    { intros V. now rewrite reading_app, (reading_of_letters z). }
    rewrite !R. destruct (whole_outcomes (X ++ z)) as [P1 N1]; [now apply Forall_app|].
    destruct (whole_outcomes (Y ++ z)) as [P2 N2]; [now apply Forall_app|].
    specialize (I z Fz). pose proof (whole_talks (read_as (X ++ z))) as T1.
    pose proof (whole_talks (read_as (Y ++ z))) as T2.
    destruct (claims d (read_as (X ++ z))) eqn:C1, (claims d (read_as (Y ++ z))) eqn:C2;
      try congruence; exfalso.
    + assert (SaysN = SaysP) by (apply P1, I, P2; reflexivity). discriminate.
    + assert (SaysN = SaysP) by (apply P2, I, P1; reflexivity). discriminate.
  - intros A Z FZ. rewrite (proj1 (whole_outcomes (X ++ Z) ltac:(now apply Forall_app))).
    rewrite (proj1 (whole_outcomes (Y ++ Z) ltac:(now apply Forall_app))).
    rewrite !reading_app, A by now apply reading_heaps. reflexivity.
Qed.

(** A position is equal to the letters as which it is read. *)
Theorem position_is_its_letters X : Forall H X -> indistinguishable G H X (read_as X).
Proof.
  intros F. pose proof (reading_heaps X F) as L. apply equal_iff; auto.
  - now apply letters_heaps.
  - intros z _. now rewrite (reading_of_letters (read_as X)).
Qed.

Lemma counts_good z : counts_for d (counts_of E z).
Proof.
  destruct evidence_whole as (HE & _). split; unfold counts_of; simpl; rewrite map_length.
  - unfold evidence_of. now rewrite ordinary_heaps.
  - apply (counted_length c _ d HE).
Qed.

Lemma claims_app y z :
  claims d (y ++ z) = claimed_of d (plus (counts_of E y) (counts_of E z)).
Proof. unfold claims. fold E. now rewrite counts_of_app. Qed.

(** T4 for these heaps: no two multiples of a heap listed are equal. *)
Theorem whole_multiples g : In g (distinct_heaps (whole_claim W)) -> H g /\
  forall k l, k <> l -> ~ indistinguishable G H (repeat g k) (repeat g l).
Proof.
  intros I. destruct whole_parts as (C & _). destruct evidence_whole as (HE & Hd & HA).
  destruct (diagram_claim_parts c (last_heap W) (whole_claim W) C) as (_ & _ & _ & _ & _ & _ & _ & T).
  specialize (T g I). fold d in T. fold E in T.
  assert (Lg : letter E g).
  { destruct (telling_parts E g _ (diagram_start d) T) as (Ig & _). now apply digit_letter. }
  split; [now apply letters_in_heaps|]. intros k l N Q.
  destruct (multiples_told_apart c (last_heap W) E HE HA g _ (diagram_start d) T (claims d)
    (diagram_start_below c (last_heap W) (whole_claim W) C) (fun _ => eq_refl) k l N)
    as (z & Lz & O).
  assert (Lr : forall j, letters_only (letter E) (repeat g j)).
  { intros j. apply Forall_forall. intros x Ix. apply repeat_spec in Ix. now subst. }
  pose proof (proj1 (equal_iff (repeat g k) (repeat g l) (letters_heaps _ (Lr k))
    (letters_heaps _ (Lr l))) Q z Lz) as Same.
  rewrite !reading_of_letters in Same by apply Lr. rewrite Same in O.
  destruct O as [[O1 O2]|[O1 O2]]; congruence.
Qed.

(** The misère quotient of these heaps is infinite. *)
Theorem whole_quotient (Q : bipartite_monoid) phi : is_misere_quotient G H Q phi ->
  ~ exists K : list Q, forall q, In q K.
Proof.
  destruct whole_parts as (C & _).
  destruct (diagram_claim_parts c (last_heap W) (whole_claim W) C) as (_ & _ & _ & _ & _ & _ & Ne & _).
  destruct (distinct_heaps (whole_claim W)) as [|g K] eqn:Dc; [congruence|].
  assert (I : In g (distinct_heaps (whole_claim W))) by (rewrite Dc; now left).
  destruct (whole_multiples g I) as [Hg Dif].
  now apply (distinct_multiples_infinite G H g Hg).
Qed.

Lemma all_in_heaps X : all_in W X = true -> Forall H (position_of X).
Proof.
  unfold all_in, position_of. rewrite forallb_forall. intros A. apply Forall_forall. intros h I.
  apply in_flat_map in I as (e & Ie & I). apply repeat_spec in I. subst h.
  now apply heap_in_spec, A.
Qed.

(** Two positions that are accepted as equal are equal. *)
Theorem equal_accepted X Y T : equal_ok W X Y T = true ->
  Forall H (position_of X) /\ Forall H (position_of Y) /\
  indistinguishable G H (position_of X) (position_of Y).
Proof.
  unfold equal_ok. rewrite !andb_split. intros [[AX AY] A].
  apply all_in_heaps in AX, AY. split; [auto|]. split; [auto|]. apply equal_iff; auto.
  destruct evidence_whole as (_ & Hd & HA).
  intros z _. rewrite !claims_app, !counts_position.
  apply (alike_claims d Hd HA _ _ T A); rewrite <- ?counts_position; apply counts_good.
Qed.

(** Two positions that are accepted as different have different outcomes in the company named. *)
Theorem different_accepted X Y Z : different_ok W X Y Z = true ->
  Forall H (position_of X) /\ Forall H (position_of Y) /\ Forall H (position_of Z) /\
  ~ (Ppos G (position_of X ++ position_of Z) <-> Ppos G (position_of Y ++ position_of Z)).
Proof.
  unfold different_ok. cbv zeta. rewrite !andb_split. intros [[[AX AY] AZ] O].
  apply all_in_heaps in AX, AY, AZ. repeat split; auto. intros I.
  rewrite <- !counts_position, !position_app in O.
  destruct (whole_outcomes (position_of X ++ position_of Z)) as [P1 _]; [now apply Forall_app|].
  destruct (whole_outcomes (position_of Y ++ position_of Z)) as [P2 _]; [now apply Forall_app|].
  unfold claims in P1, P2. fold E in P1, P2.
  apply opposite_claims_opposite in O as [[O1 O2]|[O1 O2]]; rewrite O1 in P1; rewrite O2 in P2.
  - assert (SaysN = SaysP) by (apply P2, I, P1; reflexivity). discriminate.
  - assert (SaysN = SaysP) by (apply P1, I, P2; reflexivity). discriminate.
Qed.

Corollary different_distinguished X Y Z : different_ok W X Y Z = true ->
  ~ indistinguishable G H (position_of X) (position_of Y).
Proof.
  intros D I. destruct (different_accepted X Y Z D) as (_ & _ & FZ & N). now apply N, I.
Qed.

(** ** Presentations *)

Variable P : presentation.
Hypothesis P_ok : presentation_ok W P = true.

Local Notation L := (generators P).
Local Notation R := (relations P).
Local Notation n := (length (generators P)).

Lemma presentation_parts : NoDup L /\ (forall a, In a L <-> letter E a) /\
  relations_ok n R = true /\ relations_hold W P 0 R = true /\
  (forall F, In F (normal_families P) -> free_digits W P F = true) /\
  words_apart d (telling_normal P) (all_counted W P 0 (normal_families P)) = true.
Proof.
  unfold presentation_ok in P_ok. cbv zeta in P_ok. rewrite !andb_split, !forallb_forall in P_ok.
  destruct P_ok as [[[[[[D1 D2] D3] D4] D5] D6] D7].
  split; [now apply all_different_nodup|]. split; [|auto].
  intros a. split; intros I; [now apply has_in, D2|now apply has_in, D3].
Qed.

Lemma spread_letters v : letters_only (letter E) (spread L v).
Proof.
  apply Forall_forall. intros h I. apply spread_in in I. now apply presentation_parts.
Qed.

Lemma spread_heaps v : Forall H (spread L v).
Proof. apply letters_heaps, spread_letters. Qed.

(** The words of equal value. *)
Definition equal_words (v w : list nat) : Prop :=
  indistinguishable G H (spread L v) (spread L w).

Lemma equal_words_iff v w : equal_words v w <-> forall z, letters_only (letter E) z ->
  claims d (spread L v ++ z) = claims d (spread L w ++ z).
Proof.
  unfold equal_words. rewrite equal_iff by apply spread_heaps.
  now rewrite !reading_of_letters by apply spread_letters.
Qed.

Lemma counts_of_sums v w : length v = n -> length w = n ->
  counts_of E (spread L (sums v w)) = plus (counts_of E (spread L v)) (counts_of E (spread L w)).
Proof.
  intros Lv Lw. unfold counts_of, plus. simpl. rewrite !sums_map.
  f_equal; apply map_ext; intros; now apply spread_sums.
Qed.

Lemma claims_sums v w z : length v = n -> length w = n ->
  claims d (spread L (sums v w) ++ z) = claims d (spread L v ++ spread L w ++ z).
Proof.
  intros Lv Lw. unfold claims. fold E. rewrite !counts_of_app, counts_of_sums by auto.
  unfold plus. simpl. now rewrite !sums_assoc.
Qed.

Lemma equal_words_sums v w z : length v = n -> length w = n -> length z = n ->
  equal_words v w -> equal_words (sums v z) (sums w z).
Proof.
  intros Lv Lw Lz. rewrite !equal_words_iff. intros Q y Ly. rewrite !claims_sums by auto.
  apply Q, Forall_app. split; auto. apply spread_letters.
Qed.

Lemma relation_holds i R' : relations_hold W P i R' = true -> forall r, In r R' ->
  equal_words (left r) (right r).
Proof.
  revert i. induction R' as [|r R' IH]; simpl; intros i Hr s I; [tauto|].
  apply andb_split in Hr as [H1 H2]. destruct I as [<-|I]; [|now apply (IH (S i))].
  destruct evidence_whole as (_ & Hd & HA). apply equal_words_iff. intros z _.
  rewrite !claims_app.
  apply (alike_claims d Hd HA _ _ _ H1); apply counts_good.
Qed.

(** W4: what follows from the relations holds. *)
Theorem relations_sound v w : follows n R v w -> equal_words v w.
Proof.
  destruct presentation_parts as (_ & _ & Ro & Rh & _).
  induction 1 as [r z I Lz|v Lv|v w _ IH|v w x _ IH1 _ IH2].
  - destruct (relation_parts n R Ro r I) as (L1 & L2 & _).
    apply equal_words_sums; auto. now apply (relation_holds 0 R).
  - intros Z _. reflexivity.
  - intros Z F. symmetry. now apply IH.
  - intros Z F. rewrite (IH1 Z F). now apply IH2.
Qed.

Lemma families_within v : length v = n -> normal R v -> within (extent P) v ->
  exists F, In F (normal_families P) /\ in_family F v.
Proof.
  intros Lv N Wi. destruct presentation_parts as (_ & _ & Ro & _).
  assert (Ll : forall l, In l (map left R) -> length l = n).
  { intros l I. apply in_map_iff in I as (r & <- & I). now apply (relation_parts n R Ro r). }
  assert (Nl : forall l, In l (map left R) -> divides l v = false).
  { intros l I. apply in_map_iff in I as (r & <- & I). now apply N. }
  unfold normal_families. cbv zeta. destruct (extent P) as [k|]; simpl in Wi.
  - exists (Family v (repeat 0 n)). split.
    + apply in_map_iff. exists v. split; auto. apply words_to_spec; auto.
    + exists (repeat 0 n). simpl. split.
      * pose proof (zeros_allowed (repeat 0 n)) as Z. now rewrite repeat_length in Z.
      * rewrite <- Lv. now rewrite sums_with_zeros.
  - now apply families_cover.
Qed.

Lemma families_sized F : In F (normal_families P) -> length (least F) = n /\ length (free F) = n.
Proof.
  destruct presentation_parts as (_ & _ & Ro & _).
  unfold normal_families. cbv zeta. destruct (extent P) as [k|].
  - intros I. apply in_map_iff in I as (v & <- & I). apply words_to_spec in I as (Lv & _).
    + split; simpl; [exact Lv|apply repeat_length].
    + intros l J. apply in_map_iff in J as (r & <- & J). now apply (relation_parts n R Ro r).
  - apply families_length.
Qed.

Lemma all_counted_in i M F : In F M -> exists j, In (count_family W P j F) (all_counted W P i M).
Proof.
  revert i. induction M as [|F' M IH]; simpl; intros i I; [tauto|].
  destruct I as [->|I]; [exists i; now left|]. destruct (IH (S i) I) as (j & J). eauto.
Qed.

Lemma all_counted_numbers i M : map number (all_counted W P i M) = seq i (length M).
Proof. revert i. induction M as [|F M IH]; simpl; intros i; auto. now rewrite IH. Qed.

(** An exponent is allowed where the count of the letter is. *)
Lemma allowed_count f k : allowed f k -> length f = n -> forall a,
  count a (spread L f) = 0 -> count a (spread L k) = 0.
Proof.
  unfold allowed. generalize L. intros K A. revert K.
  induction A as [|b x f k Hb A IH]; intros [|h K] Lf a; simpl in Lf; try discriminate; auto.
  unfold spread. simpl. fold (spread K f) (spread K k). rewrite !count_app, !count_repeat.
  intros Z. rewrite (IH K) by lia. destruct (h =? a); [|reflexivity]. rewrite Hb by lia. reflexivity.
Qed.

Lemma allowed_map f k M : allowed f k -> length f = n ->
  allowed (map (fun a => count a (spread L f)) M) (map (fun a => count a (spread L k)) M).
Proof.
  intros A Lf. unfold allowed. induction M as [|a M IH]; simpl; constructor; auto.
  now apply allowed_count.
Qed.

(** Only digits are repeated in a family. *)
Lemma free_cycles_zero F k : In F (normal_families P) -> allowed (free F) k ->
  all_zero (of_cycles (counts_of E (spread L k))) = true.
Proof.
  intros I A. destruct (families_sized F I) as [_ L2].
  destruct presentation_parts as (_ & _ & _ & _ & Fd & _). specialize (Fd F I).
  unfold free_digits, word_of_counts, counts_of in Fd. simpl in Fd. unfold counts_of. simpl.
  unfold all_zero in *. rewrite forallb_forall in *. intros x Ix.
  apply in_map_iff in Ix as (a & <- & Ia). apply Nat.eqb_eq.
  apply (allowed_count (free F)); auto. apply Nat.eqb_eq, Fd. apply in_map_iff. eauto.
Qed.

(** The counts of a word of a family. *)
Lemma family_word_counts F k i : In F (normal_families P) -> allowed (free F) k ->
  let more_of := of_digits (counts_of E (spread L k)) in
  counts_of E (spread L (sums (least F) k)) = word_counts (count_family W P i F) more_of /\
  allowed (more (count_family W P i F)) more_of.
Proof.
  intros I A. cbv zeta. destruct (families_sized F I) as [L1 L2].
  pose proof (allowed_length _ _ A) as Lk. split.
  - rewrite counts_of_sums by congruence. unfold word_counts, plus, count_family, word_of_counts. simpl.
    f_equal. rewrite sums_comm. apply zeros_sum; [|now rewrite !map_length].
    exact (free_cycles_zero F k I A).
  - unfold count_family, word_of_counts, counts_of. simpl. now apply allowed_map.
Qed.

Lemma counts_determine v w : length v = n -> length w = n ->
  counts_of E (spread L v) = counts_of E (spread L w) -> v = w.
Proof.
  intros Lv Lw Q. destruct presentation_parts as (Nd & In_L & _).
  rewrite <- (count_spread L Nd v Lv), <- (count_spread L Nd w Lw). apply map_ext_in.
  intros a Ia. apply In_L in Ia. unfold letter, letters in Ia.
  unfold counts_of in Q. injection Q as Q1 Q2. apply in_app_iff in Ia as [Ia|Ia].
  - apply (equal_maps _ _ _ Q1 a Ia).
  - apply (equal_maps _ _ _ Q2 a Ia).
Qed.

(** Letters with given counts. *)
Lemma letters_with z : counts_for d z -> exists y, letters_only (letter E) y /\ counts_of E y = z.
Proof.
  intros [Lc Ld]. destruct evidence_whole as (HE & _).
  exists (spread (letters E) (of_cycles z ++ of_digits z)). split.
  - apply Forall_forall. intros h I. apply spread_in in I. exact I.
  - pose proof (counted_length c _ d HE) as Cl. unfold evidence_of in *.
    assert (Lo : length (cycle_heaps (letters_of d)) = levels d) by now rewrite ordinary_heaps.
    set (y := spread (letters (letters_of d)) (of_cycles z ++ of_digits z)).
    assert (Cn : map (fun h => count h y) (letters (letters_of d)) =
      of_cycles z ++ of_digits z).
    { apply count_spread; [apply all_different_nodup, (evidence_parts c _ _ HE)|].
      unfold letters. rewrite !app_length. simpl in *. lia. }
    unfold letters in Cn. rewrite map_app in Cn.
    assert (Q : forall (A B A' B' : list nat), length A = length A' -> A ++ B = A' ++ B' ->
      A = A' /\ B = B').
    { clear. induction A as [|x A IH]; intros B [|y A'] B' L Q; simpl in *; try discriminate; auto.
      injection Q as <- Q. destruct (IH B A' B' ltac:(lia) Q). split; congruence. }
    apply Q in Cn as [Q1 Q2]; [|rewrite map_length; congruence]. unfold counts_of.
    rewrite Q1, Q2. destruct z; reflexivity.
Qed.

(** W6: different normal words have different values. *)
Theorem normal_words_differ v w : length v = n -> length w = n -> normal R v -> normal R w ->
  within (extent P) v -> within (extent P) w -> equal_words v w -> v = w.
Proof.
  intros Lv Lw Nv Nw Wv Ww Q.
  destruct (families_within v Lv Nv Wv) as (F & IF & k & Ak & Ev).
  destruct (families_within w Lw Nw Ww) as (F' & IF' & l & Al & Ew).
  destruct presentation_parts as (_ & _ & _ & _ & _ & T). destruct evidence_whole as (_ & Hd & HA).
  destruct (all_counted_in 0 _ F IF) as (i & Ii). destruct (all_counted_in 0 _ F' IF') as (j & Ij).
  destruct (family_word_counts F k i IF Ak) as [C1 A1].
  destruct (family_word_counts F' l j IF' Al) as [C2 A2]. rewrite <- Ev in C1. rewrite <- Ew in C2.
  set (k' := of_digits (counts_of E (spread L k))) in *.
  set (l' := of_digits (counts_of E (spread L l))) in *.
  assert (Nd : NoDup (map number (all_counted W P 0 (normal_families P)))).
  { rewrite all_counted_numbers. apply seq_NoDup. }
  assert (Same : count_family W P i F = count_family W P j F' \/ i <> j).
  { destruct (Nat.eq_dec i j) as [E1|]; auto. left.
    apply (nodup_map_injective number _ _ _ Nd Ii Ij). exact E1. }
  destruct (list_eq_dec Nat.eq_dec v w) as [|Nvw]; auto. exfalso.
  assert (Dif : number (count_family W P i F) <> number (count_family W P j F') \/ k' <> l').
  { destruct Same as [Same|]; [|now left]. right. intros Ekl. apply Nvw.
    apply counts_determine; auto. rewrite C1, C2, Same, Ekl. reflexivity. }
  destruct (families_apart d Hd HA (telling_normal P) _ T _ _ k' l' Nd Ii Ij A1 A2 Dif Same)
    as (z & Cz & O).
  destruct (letters_with z Cz) as (y & Ly & <-). rewrite <- C1, <- C2, <- !claims_app in O.
  rewrite (proj1 (equal_words_iff v w) Q y Ly) in O.
  destruct O as [[O1 O2]|[O1 O2]]; congruence.
Qed.

(** T6: among the words within reach, the equal ones are those whose equality follows from the
    relations. *)
Theorem relations_present v w : length v = n -> length w = n ->
  within (extent P) v -> within (extent P) w -> (equal_words v w <-> follows n R v w).
Proof.
  intros Lv Lw Wv Ww. split; [|apply relations_sound]. intros Q.
  destruct presentation_parts as (_ & _ & Ro & _).
  destruct (normal_form n R Ro v Lv) as (v' & Nv & Lv' & Fv & Ov).
  destruct (normal_form n R Ro w Lw) as (w' & Nw & Lw' & Fw & Ow).
  assert (Down : forall x y, y = x \/ less y x = true -> within (extent P) x -> within (extent P) y).
  { intros x y [->|O] Wx; auto. unfold within in *. destruct (extent P); auto.
    apply less_degree in O. lia. }
  assert (E : v' = w').
  { apply normal_words_differ; eauto. intros Z FZ.
    rewrite <- (relations_sound _ _ Fv Z FZ), <- (relations_sound _ _ Fw Z FZ). now apply Q. }
  subst w'. eapply follows_on; [exact Fv|]. now apply follows_back.
Qed.

(** Every word within reach is equal to exactly one normal word within reach, and this is the least
    of all words that are equal to it. *)
Theorem one_normal_word v : length v = n -> within (extent P) v ->
  exists w, length w = n /\ normal R w /\ within (extent P) w /\ equal_words v w /\
    (forall x, length x = n -> within (extent P) x -> normal R x -> equal_words v x -> x = w) /\
    (forall x, length x = n -> equal_words v x -> x = w \/ less w x = true).
Proof.
  intros Lv Wv. destruct presentation_parts as (_ & _ & Ro & _).
  assert (Down : forall x y, y = x \/ less y x = true -> within (extent P) x -> within (extent P) y).
  { intros x y [->|O] Wx; auto. unfold within in *. destruct (extent P); auto.
    apply less_degree in O. lia. }
  destruct (normal_form n R Ro v Lv) as (w & Nw & Lw & Fw & Ow).
  assert (Uniq : forall x, length x = n -> within (extent P) x -> normal R x -> equal_words v x ->
    x = w).
  { intros x Lx Wx Nx Q. apply normal_words_differ; eauto. intros Z FZ.
    rewrite <- (relations_sound _ _ Fw Z FZ). symmetry. now apply Q. }
  exists w. split; [exact Lw|]. split; [exact Nw|]. split; [eauto|].
  split; [exact (relations_sound _ _ Fw)|]. split; [exact Uniq|].
  intros x Lx Q. destruct (less_total w x) as [E|[O|O]]; [congruence|auto|auto|].
  destruct (normal_form n R Ro x Lx) as (x' & Nx & Lx' & Fx & Ox).
  assert (x' = w).
  { apply Uniq; auto.
    - apply Down with w; [|eauto]. destruct Ox as [->|Ox]; auto. right.
      eapply less_transitive; eauto.
    - intros Z FZ. rewrite <- (relations_sound _ _ Fx Z FZ). now apply Q. }
  subst x'. destruct Ox as [->|Ox]; auto.
Qed.

(** The word of a position. *)
Definition word_of_position (X : position) : list nat := map (fun a => count a (read_as X)) L.

(** Every position is equal to its word. *)
Theorem position_is_its_word X : Forall H X ->
  length (word_of_position X) = n /\ indistinguishable G H X (spread L (word_of_position X)).
Proof.
  intros F. split; [apply map_length|].
  destruct presentation_parts as (Nd & In_L & _).
  pose proof (spread_heaps (word_of_position X)) as FS. apply equal_iff; auto.
  intros z _. rewrite (reading_of_letters (spread L _)) by apply spread_letters.
  assert (Q : counts_of E (read_as X) = counts_of E (spread L (word_of_position X))).
  { pose proof (count_spread L Nd (word_of_position X) (map_length _ _)) as Cn.
    unfold word_of_position in Cn at 2. unfold counts_of.
    pose proof (equal_maps _ _ _ Cn) as Each. cbv beta in Each.
    f_equal; apply map_ext_in; intros a Ia; symmetry; apply Each, In_L; unfold letter, letters;
      apply in_app_iff; auto. }
  now rewrite !claims_app, Q.
Qed.

End Whole.
