(** Do the outcomes claimed of positions of letters follow from one another? (T2 of
    docs/infinite.md)

    There is one configuration for each column. A count at the index of a cycle represents greater
    counts too. With one copy less it is read otherwise than they are. So a move in such a letter is
    examined twice, once for each kind of count. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteSearch
  InfiniteReading InfiniteMoves.
Import ListNotations.

Definition replace_at (H : list nat) (x y : nat) (v : list nat) : list nat :=
  map (fun e => if fst e =? x then y else snd e) (combine H v).

(** The moves in a letter with a cycle, in a column in which it has the count [x]. *)
Definition cycle_moves (E : evidence) (v : list nat) (e : cycle * list counts * nat) :
    list comparison_with :=
  let '(a, M, x) := e in
  let h := cycle_heap a in
  let from r y := map (fun d => Comparison r (place_at E
    (sums (replace_at (cycle_heaps E) h (y - 1) v) (of_cycles d)) (map S (of_digits d)))) M in
  if x =? 0 then []
  else if (x =? index a) && (0 <? period a) then from (Early h) x ++ from (Late h) (x + period a)
  else from Plain x.

(** The moves in a digit. By H3 what is left has no copy of it. *)
Definition digit_moves (E : evidence) (v : list nat) (e : nat * list counts) :
    list comparison_with :=
  let '(h, M) := e in
  let taken := map (fun g => if g =? h then 0 else 1) (digit_heaps E) in
  map (fun d => Comparison Plain (place_at E (sums v (of_cycles d)) (sums taken (of_digits d)))) M.

Definition column_configuration (E : evidence) (CM : list (cycle * list counts))
    (DM : list (nat * list counts)) (v : list nat) (q : nat) : configuration :=
  Configuration (Place q (map (fun _ => 1) (digit_heaps E))) (all_zero v) true
    (flat_map (cycle_moves E v) (combine CM v) ++ flat_map (digit_moves E v) DM).

Definition with_moves {B} (c : code) (E : evidence) (heap : B -> nat) (L : list B) :
    list (B * list counts) := map (fun a => (a, moves c E (heap a))) L.

(** H7 and H8. *)
Definition letters_ok (c : code) (E : evidence) (F : search) : bool :=
  said_eqb (V E []) SaysN &&
  (let CM := with_moves c E cycle_heap (cycles E) in
   let DM := with_moves c E (fun h => h) (digit_heaps E) in
   all_below (columns E) (fun i =>
     listed F (column_configuration E CM DM (column_at E i) (column_state E i)))).

(** ** Facts *)

Lemma replace_at_map {B} (heap : B -> nat) f L x y :
  replace_at (map heap L) x y (map f L) = map (fun a => if heap a =? x then y else f a) L.
Proof. unfold replace_at. rewrite combine_maps, map_map. reflexivity. Qed.

Section Moves.

Variable c : code.
Variable n : nat.
Variable E : evidence.
Hypothesis E_ok : evidence_ok c n E = true.
Hypothesis A_ok : automaton_ok (reader E) = true.
Variable F : search.
Hypothesis F_ok : search_ok (reader E) F = true.
Hypothesis sink_silent : silent F (sink E) = true.

Local Notation G := (game_of_code c).
Local Notation A := (reader E).
Local Notation U := (cycles E).
Local Notation D := (digit_heaps E).
Local Notation read_as := (reading (word_of E)).

Local Notation cycle_letter := (InfiniteMoves.cycle_letter E).
Local Notation digit_letter := (InfiniteMoves.digit_letter E).
Local Notation not_both := (InfiniteMoves.not_both c n E E_ok).
Local Notation cycle_by_heap := (InfiniteMoves.cycle_by_heap c n E E_ok).
Local Notation said_at := (InfiniteMoves.said_at E).
Local Notation said_only_if := (InfiniteMoves.said_only_if E).
Local Notation said_of_letters := (InfiniteMoves.said_of_letters E).
Local Notation place_at_good := (InfiniteMoves.place_at_good c n E E_ok).
Local Notation map_digits_good := (InfiniteMoves.map_digits_good c n E E_ok).
Local Notation V_in_column := (InfiniteMoves.V_in_column c n E E_ok A_ok F F_ok sink_silent).

(** A move in a letter with a cycle: what is left, if the count is [y] or read like it. *)
Lemma said_cycle_move a z z' o y : In a U -> Permutation z (cycle_heap a :: z') ->
  In o (opts G (cycle_heap a)) ->
  read_count a (count (cycle_heap a) z - 1 + 0) = read_count a (y - 1 + 0) ->
  let w := counts_of E (read_as o) in
  said_of A (digits_of E z) (place_at E
    (sums (replace_at (cycle_heaps E) (cycle_heap a) (y - 1) (column_of E z)) (of_cycles w))
    (map S (of_digits w))) = Some (V E (read_as o ++ z')).
Proof.
  intros Ia Pm Io Hy. cbv zeta. unfold counts_of, column_of, cycle_heaps. simpl.
  rewrite replace_at_map, !map_map, sums_map.
  assert (Gone : count (cycle_heap a) (read_as o) = 0).
  { apply (own_letter_gone c n E E_ok); auto. now apply cycle_letter. }
  apply said_of_letters.
  - intros b Ib. rewrite count_app.
    destruct (Nat.eqb_spec (cycle_heap b) (cycle_heap a)) as [Q|N].
    + apply cycle_by_heap in Q; auto. subst b. rewrite Gone.
      rewrite <- Hy, (count_permutation _ _ _ Pm). simpl. rewrite Nat.eqb_refl. f_equal. lia.
    + rewrite read_count_add, (count_permutation _ _ _ Pm). simpl.
      destruct (Nat.eqb_spec (cycle_heap a) (cycle_heap b)); [congruence|]. f_equal. lia.
  - intros h Ih. rewrite count_app, (count_permutation _ _ _ Pm). simpl.
    pose proof (not_both a h Ia Ih).
    destruct (Nat.eqb_spec (cycle_heap a) h); [contradiction|]. lia.
Qed.

Local Notation taken x := (map (fun g => if g =? x then 0 else 1) D).

(** A move in a digit. *)
Lemma said_digit_move x z z' o : In x D -> Permutation z (x :: z') -> In o (opts G x) ->
  let w := counts_of E (read_as o) in
  said_of A (digits_of E z) (place_at E (sums (column_of E z) (of_cycles w))
    (sums (taken x) (of_digits w))) = Some (V E (read_as o ++ z')).
Proof.
  intros Ix Pm Io. cbv zeta. unfold counts_of, column_of, cycle_heaps. simpl.
  rewrite !map_map, !sums_map.
  apply said_of_letters.
  - intros b Ib. rewrite read_count_add, count_app, (count_permutation _ _ _ Pm). simpl.
    pose proof (not_both b x Ib Ix). destruct (Nat.eqb_spec x (cycle_heap b)); [congruence|].
    f_equal. lia.
  - intros h Ih. rewrite count_app, (count_permutation _ _ _ Pm). simpl.
    rewrite (Nat.eqb_sym x h). destruct (Nat.eqb_spec h x); lia.
Qed.

(** H3 at work: a digit that is not there cannot be moved in. *)
Lemma digit_is_there x z o s : In x D -> In o (opts G x) ->
  let w := counts_of E (read_as o) in
  said_of A (digits_of E z) (place_at E (sums (column_of E z) (of_cycles w))
    (sums (taken x) (of_digits w))) = Some s -> In x z.
Proof.
  intros Ix Io. cbv zeta. unfold counts_of, place_at. simpl. rewrite sums_map. intros Q.
  pose proof (said_only_if _ _ _ _ Q x Ix) as P. simpl in P. rewrite Nat.eqb_refl in P.
  rewrite (own_letter_gone c n E E_ok x o) in P; auto using digit_letter.
  apply count_positive. lia.
Qed.

Local Notation CM := (with_moves c E cycle_heap U).
Local Notation DM := (with_moves c E (fun h => h) D).

Lemma cycle_comparison_good v a M x k : In (a, M) CM -> In k (cycle_moves E v (a, M, x)) ->
  good_place A (place_of k).
Proof.
  intros IM. unfold with_moves in IM. apply in_map_iff in IM as (b & [= -> <-] & Ib).
  assert (R : forall r y, In k (map (fun d => Comparison r (place_at E
    (sums (replace_at (cycle_heaps E) (cycle_heap a) (y - 1) v) (of_cycles d))
    (map S (of_digits d)))) (moves c E (cycle_heap a))) -> good_place A (place_of k)).
  { intros r y I. apply in_map_iff in I as (d & <- & Id).
    apply moves_in in Id as (o & Io & <-). simpl. apply map_digits_good. }
  unfold cycle_moves. cbv zeta. destruct (x =? 0); [intros []|].
  destruct ((x =? index a) && (0 <? period a)); [rewrite in_app_iff; intros [I|I]|intros I]; eauto.
Qed.

Lemma column_configuration_good v q : q < states A ->
  good_configuration A (column_configuration E CM DM v q).
Proof.
  intros Lq. split; simpl.
  - split; simpl; auto. rewrite map_length. apply (evidence_parts c n E E_ok).
  - apply Forall_app. split; apply Forall_forall; intros k I;
      apply in_flat_map in I as (e & Ie & I).
    + destruct e as [[a M] x]. apply in_combine_l in Ie. now apply (cycle_comparison_good v a M x).
    + destruct e as [h M]. unfold with_moves in Ie. apply in_map_iff in Ie as (g & [= -> <-] & Ig).
      simpl in I. apply in_map_iff in I as (d & <- & Id). apply moves_in in Id as (o & Io & <-).
      simpl. rewrite sums_map. apply place_at_good. rewrite map_length.
      apply (evidence_parts c n E E_ok).
Qed.

(** ** T2 *)

Hypothesis L_ok : letters_ok c E F = true.

Lemma end_is_N : V E [] = SaysN.
Proof. unfold letters_ok in L_ok. apply andb_split in L_ok as [Q _]. now apply said_eqb_eq. Qed.

Lemma column_states z : V E z <> Nothing ->
  let v := column_of E z in
  judge (all_zero v && all_zero (digits_of E z)) true (Some (V E z))
    (map (fun k => (role_of k, said_of A (digits_of E z) (place_of k)))
      (flat_map (cycle_moves E v) (combine CM v) ++ flat_map (digit_moves E v) DM)) = true.
Proof.
  intros N. cbv zeta. destruct (V_in_column z N) as (i & Li & Ei & Si).
  unfold letters_ok in L_ok. cbv zeta in L_ok. apply andb_split in L_ok as [_ C].
  rewrite all_below_spec in C. specialize (C i Li).
  apply (listed_holds A A_ok F F_ok) with (m := digits_of E z) in C.
  - unfold states_of in C. simpl in C. rewrite said_at in C by (intros; lia).
    replace (map (fun h => Nat.pred (count h z + 1)) D) with (digits_of E z) in C.
    + rewrite <- Si, <- V_column, Ei in C. exact C.
    + apply map_ext. intros h. lia.
  - apply column_configuration_good. now apply (evidence_parts c n E E_ok).
  - apply (digits_of_length c n E E_ok).
Qed.

Lemma in_cycle_table a z : In a U ->
  In ((a, moves c E (cycle_heap a)), read_count a (count (cycle_heap a) z))
    (combine CM (column_of E z)).
Proof.
  intros Ia. unfold with_moves, column_of. rewrite combine_maps. apply in_map_iff. eauto.
Qed.

(** Each option of a position of letters is among the comparisons of its column. *)
Lemma option_compared x z z' o : letter E x -> Permutation z (x :: z') -> In o (opts G x) ->
  exists r, is_call r = false /\
    let v := column_of E z in
    In (r, Some (V E (read_as o ++ z')))
      (map (fun k => (role_of k, said_of A (digits_of E z) (place_of k)))
        (flat_map (cycle_moves E v) (combine CM v) ++ flat_map (digit_moves E v) DM)).
Proof.
  intros Lx Pm Io. cbv zeta. set (w := counts_of E (read_as o)).
  apply in_app_iff in Lx as [Ix|Ix].
  - apply in_map_iff in Ix as (a & <- & Ia).
    assert (Im : In w (moves c E (cycle_heap a))) by (apply moves_in; eauto).
    pose proof (in_cycle_table a z Ia) as It.
    assert (Found : forall r y, is_call r = false ->
      read_count a (count (cycle_heap a) z - 1 + 0) = read_count a (y - 1 + 0) ->
      (forall k, In k (map (fun d => Comparison r (place_at E
        (sums (replace_at (cycle_heaps E) (cycle_heap a) (y - 1) (column_of E z)) (of_cycles d))
        (map S (of_digits d)))) (moves c E (cycle_heap a))) ->
        In k (cycle_moves E (column_of E z)
          (a, moves c E (cycle_heap a), read_count a (count (cycle_heap a) z)))) ->
      exists r, is_call r = false /\ In (r, Some (V E (read_as o ++ z')))
      (map (fun k => (role_of k, said_of A (digits_of E z) (place_of k)))
        (flat_map (cycle_moves E (column_of E z)) (combine CM (column_of E z)) ++
         flat_map (digit_moves E (column_of E z)) DM))).
    { intros r y Cr Ry Sub. exists r. split; auto. apply in_map_iff.
      exists (Comparison r (place_at E
        (sums (replace_at (cycle_heaps E) (cycle_heap a) (y - 1) (column_of E z)) (of_cycles w))
        (map S (of_digits w)))). split.
      - simpl. f_equal. now apply said_cycle_move with (z := z).
      - apply in_app_iff. left. apply in_flat_map. eexists. split; [exact It|].
        apply Sub. apply in_map_iff. eauto. }
    assert (C1 : 1 <= count (cycle_heap a) z).
    { apply count_positive. eapply Permutation_in; [symmetry; exact Pm|now left]. }
    assert (R1 : 1 <= index a) by now apply (evidence_parts c n E E_ok).
    destruct (read_count_less a (count (cycle_heap a) z) 0 C1 R1) as [V1 Cases].
    set (x := read_count a (count (cycle_heap a) z)) in *.
    unfold cycle_moves in Found. cbv zeta in Found.
    destruct (Nat.eqb_spec x 0) as [Z|_]; [lia|].
    destruct ((x =? index a) && (0 <? period a)) eqn:Ei.
    + destruct Cases as [Q|(_ & _ & Q)].
      * apply (Found (Early (cycle_heap a)) x); auto. intros k I. apply in_app_iff. auto.
      * apply (Found (Late (cycle_heap a)) (x + period a)); auto.
        intros k I. apply in_app_iff. auto.
    + destruct Cases as [Q|(Q1 & Q2 & _)].
      * apply (Found Plain x); auto.
      * exfalso. rewrite Q1, Nat.eqb_refl in Ei. apply Nat.ltb_lt in Q2. now rewrite Q2 in Ei.
  - exists Plain. split; auto. apply in_map_iff.
    exists (Comparison Plain (place_at E (sums (column_of E z) (of_cycles w))
      (sums (taken x) (of_digits w)))). split.
    + simpl. f_equal. now apply said_digit_move.
    + apply in_app_iff. right. apply in_flat_map. exists (x, moves c E x). split.
      * unfold with_moves. apply in_map_iff. eauto.
      * unfold digit_moves. apply in_map_iff. exists w. split; auto. apply moves_in. eauto.
Qed.

(** H8, (P). *)
Theorem letters_P_holds a z : letter E a -> letters_only (letter E) z -> V E (a :: z) = SaysP ->
  forall o, In o (opts G a) -> V E (read_as o ++ z) = SaysN.
Proof.
  intros La Lz Q o Io. pose proof (column_states (a :: z) ltac:(congruence)) as J.
  cbv zeta in J. rewrite Q in J. unfold judge in J. rewrite forallb_forall in J.
  destruct (option_compared a (a :: z) z o La (Permutation_refl _) Io) as (r & Cr & I).
  specialize (J _ I). simpl in J. rewrite Cr in J.
  destruct (V E (read_as o ++ z)); auto; discriminate.
Qed.

Lemma all_counts_zero z : letters_only (letter E) z ->
  all_zero (column_of E z) && all_zero (digits_of E z) = true -> z = [].
Proof.
  intros Lz Z. apply andb_split in Z as [Zc Zd]. unfold all_zero in Zc, Zd.
  rewrite forallb_forall in Zc, Zd. destruct z as [|x z]; auto. exfalso.
  assert (C : 1 <= count x (x :: z)) by (apply count_positive; now left).
  inversion Lz as [|? ? Lx _]; subst. apply in_app_iff in Lx as [Ix|Ix].
  - apply in_map_iff in Ix as (a & <- & Ia).
    assert (R : read_count a (count (cycle_heap a) (cycle_heap a :: z)) = 0).
    { apply Nat.eqb_eq, Zc. unfold column_of. apply in_map_iff. eauto. }
    apply read_count_zero in R; [lia|]. now apply (evidence_parts c n E E_ok).
  - assert (count x (x :: z) = 0); [|lia].
    apply Nat.eqb_eq, Zd. unfold digits_of. apply in_map_iff. eauto.
Qed.

(** Some comparison of a letter with a cycle that is in a position is the option. *)
Lemma cycle_option a z o y : In a U -> 1 <= count (cycle_heap a) z ->
  In o (opts G (cycle_heap a)) ->
  read_count a (count (cycle_heap a) z - 1 + 0) = read_count a (y - 1 + 0) ->
  let w := counts_of E (read_as o) in
  is_P (said_of A (digits_of E z) (place_at E
    (sums (replace_at (cycle_heaps E) (cycle_heap a) (y - 1) (column_of E z)) (of_cycles w))
    (map S (of_digits w)))) = true ->
  exists x z' o, Permutation z (x :: z') /\ letter E x /\ In o (opts G x) /\
    V E (read_as o ++ z') = SaysP.
Proof.
  intros Ia C Io R w P. apply count_positive in C. apply in_front in C as (z' & Pm).
  exists (cycle_heap a), z', o. repeat split; auto using cycle_letter.
  subst w. rewrite said_cycle_move with (z' := z') in P by auto.
  destruct (V E (read_as o ++ z')); auto; discriminate.
Qed.

(** H8, (N). *)
Theorem letters_N_holds z : letters_only (letter E) z -> z <> [] -> V E z = SaysN ->
  exists a z' o, Permutation z (a :: z') /\ letter E a /\ In o (opts G a) /\
    V E (read_as o ++ z') = SaysP.
Proof.
  intros Lz Nz Q. pose proof (column_states z ltac:(congruence)) as J.
  cbv zeta in J. rewrite Q in J. unfold judge in J.
  destruct (all_zero (column_of E z) && all_zero (digits_of E z)) eqn:Z.
  { exfalso. now apply Nz, all_counts_zero. }
  rewrite orb_false_l, orb_false_r in J. unfold some_option_P in J.
  apply existsb_exists in J as ((r & s) & I & Pr). apply andb_split in Pr as [P R].
  simpl in P, R. apply in_map_iff in I as (k & [= Er Es] & Ik). subst r s.
  apply in_app_iff in Ik as [Ik|Ik]; apply in_flat_map in Ik as (e & Ie & Ik).
  - destruct e as [[a M] x]. unfold with_moves, column_of in Ie. rewrite combine_maps in Ie.
    apply in_map_iff in Ie as (b & [= -> <- Ex] & Ia).
    assert (R1 : 1 <= index a) by now apply (evidence_parts c n E E_ok).
    unfold cycle_moves in Ik. cbv zeta in Ik.
    destruct (Nat.eqb_spec x 0) as [Zx|Nx]; [destruct Ik|].
    assert (C1 : 1 <= count (cycle_heap a) z).
    { destruct (count (cycle_heap a) z) eqn:Cz; [|lia]. exfalso. apply Nx. rewrite <- Ex.
      unfold read_count. destruct (Nat.ltb_spec 0 (index a + period a)); lia. }
    destruct (read_count_less a (count (cycle_heap a) z) 0 C1 R1) as [V1 Cases].
    rewrite Ex in Cases, V1. destruct ((x =? index a) && (0 <? period a)) eqn:Ei.
    + apply in_app_iff in Ik as [Ik|Ik]; apply in_map_iff in Ik as (d & <- & Id); simpl in P, R;
        [|discriminate].
      apply moves_in in Id as (o & Io & <-).
      destruct Cases as [Cq|(_ & _ & Cq)];
        [now apply cycle_option with (a := a) (y := x) (o := o)|].
      apply existsb_exists in R as ((r' & s') & I' & Pr'). apply andb_split in Pr' as [Lr' P'].
      simpl in Lr', P'. destruct r' as [| | |h]; try discriminate. simpl in Lr'.
      apply Nat.eqb_eq in Lr'. subst h. apply in_map_iff in I' as (k' & [= Er' Es'] & Ik').
      subst s'.
      apply in_app_iff in Ik' as [Ik'|Ik']; apply in_flat_map in Ik' as (e' & Ie' & Ik').
      * destruct e' as [[a' M'] x']. unfold with_moves, column_of in Ie'.
        rewrite combine_maps in Ie'. apply in_map_iff in Ie' as (b' & [= -> <- Ex'] & Ia').
        unfold cycle_moves in Ik'. cbv zeta in Ik'.
        destruct (x' =? 0); [destruct Ik'|].
        destruct ((x' =? index a') && (0 <? period a')).
        -- apply in_app_iff in Ik' as [Ik'|Ik']; apply in_map_iff in Ik' as (d' & <- & Id');
             simpl in Er', P'; [discriminate|]. injection Er' as Eh.
           apply cycle_by_heap in Eh; auto. subst a'. apply moves_in in Id' as (o' & Io' & <-).
           rewrite <- Ex', Ex in P'.
           now apply cycle_option with (a := a) (y := x + period a) (o := o').
        -- apply in_map_iff in Ik' as (d' & <- & Id'). discriminate Er'.
      * destruct e' as [h' M']. unfold digit_moves in Ik'. apply in_map_iff in Ik' as (d' & <- & _).
        discriminate Er'.
    + apply in_map_iff in Ik as (d & <- & Id). simpl in P.
      apply moves_in in Id as (o & Io & <-).
      destruct Cases as [Cq|(Q1 & Q2 & _)].
      * now apply cycle_option with (a := a) (y := x) (o := o).
      * exfalso. rewrite Q1, Nat.eqb_refl in Ei. apply Nat.ltb_lt in Q2. now rewrite Q2 in Ei.
  - destruct e as [x M]. unfold with_moves in Ie. apply in_map_iff in Ie as (h & [= -> <-] & Ix).
    unfold digit_moves in Ik. apply in_map_iff in Ik as (d & <- & Id). simpl in P.
    apply moves_in in Id as (o & Io & <-).
    destruct (said_of A (digits_of E z) _) as [s|] eqn:S in P; [|discriminate].
    pose proof (digit_is_there x z o s Ix Io S) as Iz. apply in_front in Iz as (z' & Pm).
    exists x, z', o. repeat split; auto using digit_letter.
    rewrite (said_digit_move x z z' o Ix Pm Io) in S. injection S as <-.
    destruct (V E (read_as o ++ z')); auto; discriminate.
Qed.


End Moves.
