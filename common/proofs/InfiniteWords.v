(** May a heap be played as its word? (T3 of docs/infinite.md, decided)

    There is one configuration for each heap with a word and each company of it: counts of the
    letters with cycles such that something may be claimed of the company and the word together. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteSearch
  InfiniteReading InfiniteMoves.
Import ListNotations.

Fixpoint remove_one (a : nat) (w : list nat) : list nat :=
  match w with
  | [] => []
  | x :: w => if x =? a then w else x :: remove_one a w
  end.

(** What is left of a word by a move in one of its letters. *)
Definition calls (c : code) (E : evidence) (w : list nat) : list counts :=
  once (flat_map (fun a => map (fun o => counts_of E (reading (word_of E) o ++ remove_one a w))
    (code_options c a)) w).

(** The counts that are read as [v] if [k] is added to them. *)
Definition candidates (a : cycle) (k v : nat) : list nat :=
  filter (fun x => read_count a (x + k) =? v)
    (seq 0 (if period a =? 0 then S v else index a + period a)).

Fixpoint companies (U : list cycle) (ks vs : list nat) : list (list nat) :=
  match U, ks, vs with
  | a :: U, k :: ks, v :: vs =>
    let rest := companies U ks vs in
    flat_map (fun x => map (cons x) rest) (candidates a k v)
  | _, _, _ => [[]]
  end.

Definition word_configuration (E : evidence) (w : counts) (M K : list counts) (v : list nat) :
    configuration :=
  Configuration (place_plus E v w) false false
    (map (fun d => Comparison Plain (place_plus E v d)) M ++
     map (fun d => Comparison Call (place_plus E v d)) K).

(** H9 and H10 for one heap. *)
Definition word_ok (c : code) (E : evidence) (F : search) (h : nat) : bool :=
  let w := word_of E h in
  let W := counts_of E w in
  let M := moves c E h in
  let K := calls c E w in
  (negb (length w =? 0) || existsb (fun d => said_eqb (claimed E d) SaysP) M) &&
  all_below (columns E) (fun i =>
    forallb (fun v => listed F (word_configuration E W M K v))
      (companies (cycles E) (of_cycles W) (column_at E i))).

Definition words_ok (c : code) (E : evidence) (F : search) : bool :=
  forallb (fun e => word_ok c E F (fst e)) (words E).

(** ** Facts *)

Lemma remove_one_permutation a (w : list nat) : In a w -> Permutation w (a :: remove_one a w).
Proof.
  induction w as [|x w IH]; simpl; [tauto|]. destruct (Nat.eqb_spec x a) as [->|N]; auto.
  intros [|I]; [congruence|]. etransitivity; [apply perm_skip, IH, I|]. constructor.
Qed.

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

Local Notation said_plus := (InfiniteMoves.said_plus E).
Local Notation map_digits_good := (InfiniteMoves.map_digits_good c n E E_ok).
Local Notation V_in_column := (InfiniteMoves.V_in_column c n E E_ok A_ok F F_ok sink_silent).

Lemma word_configuration_good w M K v :
  (forall d, In d M \/ In d K -> exists y, d = counts_of E y) ->
  good_configuration A (word_configuration E (counts_of E w) M K v).
Proof.
  intros H. split; simpl; [apply map_digits_good|].
  apply Forall_app. split; apply Forall_forall; intros k I; apply in_map_iff in I as (d & <- & Id);
    destruct (H d) as (y & ->); auto; simpl; apply map_digits_good.
Qed.

(** ** T3 *)

Hypothesis W_ok : words_ok c E F = true.

Lemma companies_in z w : In (column_of E z)
  (companies U (of_cycles (counts_of E w)) (column_of E (w ++ z))).
Proof.
  unfold column_of, counts_of, cycle_heaps. simpl. rewrite map_map.
  induction U as [|a L IH]; simpl; auto. apply in_flat_map.
  exists (read_count a (count (cycle_heap a) z)). split; [|now apply in_map].
  unfold candidates. apply filter_In. split.
  - apply in_seq. split; [lia|]. rewrite count_app.
    destruct (Nat.eqb_spec (period a) 0) as [Zp|Np].
    + destruct (read_count_cases a (count (cycle_heap a) z)) as [->|(j & _ & P & _)]; [|lia].
      destruct (read_count_cases a (count (cycle_heap a) w + count (cycle_heap a) z))
        as [->|(j & _ & P & _)]; lia.
    + destruct (read_count_cases a (count (cycle_heap a) z)) as [Q|(j & _ & _ & B & _)]; [|lia].
      unfold read_count in *. destruct (Nat.ltb_spec (count (cycle_heap a) z) (index a + period a));
        [lia|]. destruct (Nat.eqb_spec (period a) 0); [lia|].
      pose proof (Nat.mod_upper_bound (count (cycle_heap a) z - index a) (period a) Np). lia.
  - rewrite read_count_add, count_app. apply Nat.eqb_eq. f_equal. lia.
Qed.

Lemma word_listed h : spoken E h -> ~ letter E h -> word_ok c E F h = true.
Proof.
  intros S N. unfold spoken in S. apply in_app_iff in S as [S|S]; [contradiction|].
  apply in_map_iff in S as (e & <- & I). unfold words_ok in W_ok.
  rewrite forallb_forall in W_ok. auto.
Qed.

Lemma calls_in w a w' o : Permutation w (a :: w') -> In o (opts G a) ->
  exists y, Permutation y (read_as o ++ w') /\ In (counts_of E y) (calls c E w).
Proof.
  intros Pm Io. assert (Ia : In a w) by (eapply Permutation_in; [symmetry; exact Pm|now left]).
  exists (read_as o ++ remove_one a w). split.
  - apply Permutation_app_head. apply (Permutation_cons_inv (a := a)).
    now rewrite <- remove_one_permutation.
  - unfold calls. apply once_in, in_flat_map. exists a. split; auto. apply in_map_iff. eauto.
Qed.

Lemma word_states h z : spoken E h -> ~ letter E h -> V E (word_of E h ++ z) <> Nothing ->
  let v := column_of E z in
  judge false false (Some (V E (word_of E h ++ z)))
    (map (fun k => (role_of k, said_of A (digits_of E z) (place_of k)))
      (map (fun d => Comparison Plain (place_plus E v d)) (moves c E h) ++
       map (fun d => Comparison Call (place_plus E v d)) (calls c E (word_of E h)))) = true.
Proof.
  intros S N Q. cbv zeta. destruct (V_in_column _ Q) as (i & Li & Ei & _).
  pose proof (word_listed h S N) as C. unfold word_ok in C. cbv zeta in C.
  apply andb_split in C as [_ C]. rewrite all_below_spec in C. specialize (C i Li).
  rewrite forallb_forall in C. specialize (C (column_of E z)). rewrite Ei in C.
  specialize (C (companies_in z (word_of E h))).
  apply (listed_holds A A_ok F F_ok) with (m := digits_of E z) in C.
  - unfold states_of in C. cbn [end_free called compared question word_configuration] in C.
    rewrite said_plus, andb_false_l in C. exact C.
  - apply word_configuration_good. intros d [Id|Id].
    + apply moves_in in Id as (o & _ & <-). eauto.
    + unfold calls in Id. apply once_in, in_flat_map in Id as (a & _ & Id).
      apply in_map_iff in Id as (o & <- & _). eauto.
  - apply (digits_of_length c n E E_ok).
Qed.

Lemma option_of_word o h z : In o (opts G h) ->
  In (Plain, Some (V E (read_as o ++ z)))
    (map (fun k => (role_of k, said_of A (digits_of E z) (place_of k)))
      (map (fun d => Comparison Plain (place_plus E (column_of E z) d)) (moves c E h) ++
       map (fun d => Comparison Call (place_plus E (column_of E z) d)) (calls c E (word_of E h)))).
Proof.
  intros Io. apply in_map_iff.
  exists (Comparison Plain (place_plus E (column_of E z) (counts_of E (read_as o)))). split.
  - simpl. now rewrite said_plus.
  - apply in_app_iff. left. apply in_map_iff. eexists. split; [reflexivity|]. apply moves_in. eauto.
Qed.

(** H9, (S). *)
Theorem words_S_holds h z : spoken E h -> ~ letter E h -> V E (word_of E h ++ z) = SaysP ->
  forall o, In o (opts G h) -> V E (read_as o ++ z) = SaysN.
Proof.
  intros S N Q o Io. pose proof (word_states h z S N ltac:(congruence)) as J. cbv zeta in J.
  rewrite Q in J. unfold judge in J. rewrite forallb_forall in J.
  specialize (J _ (option_of_word o h z Io)). simpl in J.
  destruct (V E (read_as o ++ z)); auto; discriminate.
Qed.

(** H9, (C). *)
Theorem words_C_holds h z a w o : spoken E h -> ~ letter E h -> V E (word_of E h ++ z) = SaysN ->
  Permutation (word_of E h) (a :: w) -> In o (opts G a) -> V E (read_as o ++ w ++ z) = SaysP ->
  exists o', In o' (opts G h) /\ V E (read_as o' ++ z) = SaysP.
Proof.
  intros S N Q Pm Io P. pose proof (word_states h z S N ltac:(congruence)) as J. cbv zeta in J.
  rewrite Q in J. unfold judge in J. rewrite orb_false_l in J. apply orb_prop in J as [J|J].
  - unfold some_option_P in J. apply existsb_exists in J as ((r & s) & I & Pr).
    apply andb_split in Pr as [Ps R]. simpl in Ps, R.
    apply in_map_iff in I as (k & [= Er Es] & Ik). subst r s.
    apply in_app_iff in Ik as [Ik|Ik]; apply in_map_iff in Ik as (d & <- & Id); simpl in Ps, R;
      [|discriminate].
    apply moves_in in Id as (o' & Io' & <-). exists o'. split; auto.
    rewrite said_plus in Ps. destruct (V E (read_as o' ++ z)); auto; discriminate.
  - exfalso. simpl in J. apply negb_true_iff in J.
    assert (T : existsb (fun e => is_call (fst e) && is_P (snd e))
      (map (fun k => (role_of k, said_of A (digits_of E z) (place_of k)))
      (map (fun d => Comparison Plain (place_plus E (column_of E z) d)) (moves c E h) ++
       map (fun d => Comparison Call (place_plus E (column_of E z) d))
         (calls c E (word_of E h)))) = true); [|congruence].
    destruct (calls_in (word_of E h) a w o Pm Io) as (y & Py & Iy).
    apply existsb_exists. exists (Call, Some SaysP). split; auto. apply in_map_iff.
    exists (Comparison Call (place_plus E (column_of E z) (counts_of E y))). split.
    + simpl. rewrite said_plus. do 2 f_equal. rewrite <- P. apply V_permutation.
      rewrite app_assoc. now apply Permutation_app_tail.
    + apply in_app_iff. right. apply in_map_iff. eauto.
Qed.

(** H10, (E). *)
Theorem words_E_holds h : spoken E h -> ~ letter E h -> word_of E h = [] ->
  exists o, In o (opts G h) /\ V E (read_as o) = SaysP.
Proof.
  intros S N W. pose proof (word_listed h S N) as C. unfold word_ok in C. cbv zeta in C.
  apply andb_split in C as [C _]. rewrite W in C. simpl in C.
  apply existsb_exists in C as (d & Id & Q). apply said_eqb_eq in Q.
  apply moves_in in Id as (o & Io & <-). exists o. auto.
Qed.


End Moves.
