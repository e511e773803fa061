(** Do the outcomes claimed follow from one another? (T2 and T3 of docs/infinite.md, decided)

    One configuration for each column says that the claims on positions of letters follow; and one for
    each heap with a word and each company of it says that the heap may be played as its word. A count
    at the index of a cycle stands for greater counts too. With one copy less it is read otherwise than
    they are. So a move in such a letter is looked at twice, once for each kind of count. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteSearch
  InfiniteReading.
Import ListNotations.

Definition equal_counts (v v' : counts) : bool :=
  equal_lists (of_cycles v) (of_cycles v') && equal_lists (of_digits v) (of_digits v').

(** Without those that come again. *)
Fixpoint once (L : list counts) : list counts :=
  match L with
  | [] => []
  | v :: L => if existsb (equal_counts v) L then once L else v :: once L
  end.

(** What the options of a heap are read as. *)
Definition moves (c : code) (E : evidence) (h : nat) : list counts :=
  once (map (fun o => counts_of E (reading (word_of E) o)) (code_options c h)).

Definition place_at (E : evidence) (v d : list nat) : place :=
  Place (start E (read_counts (cycles E) v)) d.

(** ** Positions of letters *)

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

(** ** Heaps with words *)

Definition place_plus (E : evidence) (v : list nat) (d : counts) : place :=
  place_at E (sums v (of_cycles d)) (map S (of_digits d)).

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

(** ** What a displaced position is *)

Lemma equal_counts_eq v v' : equal_counts v v' = true -> v = v'.
Proof.
  destruct v, v'. unfold equal_counts. simpl. rewrite andb_split, !equal_lists_eq.
  intros [-> ->]. reflexivity.
Qed.

Lemma once_in L v : In v (once L) <-> In v L.
Proof.
  induction L as [|x L IH]; simpl; [tauto|].
  destruct (existsb (equal_counts x) L) eqn:X; simpl; rewrite IH; [|tauto].
  apply existsb_exists in X as (y & I & Q). apply equal_counts_eq in Q. subst y.
  split; auto. intros [->|]; auto.
Qed.

Lemma moves_in c E h v : In v (moves c E h) <->
  exists o, In o (code_options c h) /\ counts_of E (reading (word_of E) o) = v.
Proof.
  unfold moves. rewrite once_in, in_map_iff. split; intros (o & I & Q); exists o; auto.
Qed.

Lemma combine_maps {B C D} (f : B -> C) (g : B -> D) L :
  combine (map f L) (map g L) = map (fun a => (f a, g a)) L.
Proof. induction L as [|a L IH]; simpl; congruence. Qed.

Lemma replace_at_map {B} (heap : B -> nat) f L x y :
  replace_at (map heap L) x y (map f L) = map (fun a => if heap a =? x then y else f a) L.
Proof. unfold replace_at. rewrite combine_maps, map_map. reflexivity. Qed.

Lemma remove_one_permutation a (w : list nat) : In a w -> Permutation w (a :: remove_one a w).
Proof.
  induction w as [|x w IH]; simpl; [tauto|]. destruct (Nat.eqb_spec x a) as [->|N]; auto.
  intros [|I]; [congruence|]. etransitivity; [apply perm_skip, IH, I|]. constructor.
Qed.

Lemma no_zero (f : nat -> nat) L :
  existsb (fun x => x =? 0) (map f L) = false <-> forall h, In h L -> 1 <= f h.
Proof.
  induction L as [|h L IH]; simpl; [split; [intros _ g []|auto]|].
  rewrite orb_false_iff, IH, Nat.eqb_neq. split.
  - intros [N A] g [<-|I]; auto. lia.
  - intros A. split; [|auto]. specialize (A h (or_introl eq_refl)). lia.
Qed.

Lemma all_different_nodup L : all_different L = true -> NoDup L.
Proof.
  induction L as [|x L IH]; simpl; [constructor|]. rewrite andb_split, negb_true_iff.
  intros [N D]. constructor; auto. intros I. apply has_in in I. congruence.
Qed.

Lemma nodup_map_injective {B} (f : B -> nat) L a b : NoDup (map f L) ->
  In a L -> In b L -> f a = f b -> a = b.
Proof.
  induction L as [|x L IH]; simpl; [tauto|]. intros N. inversion N as [|? ? Nx NL]; subst.
  intros [->|Ia] [->|Ib] Q; auto.
  - exfalso. apply Nx. rewrite Q. now apply in_map.
  - exfalso. apply Nx. rewrite <- Q. now apply in_map.
Qed.

Lemma nodup_app_left (K L : list nat) : NoDup (K ++ L) -> NoDup K.
Proof.
  induction K as [|y K IH]; simpl; [constructor|]. intros N. inversion N as [|? ? Ny NK]; subst.
  constructor; auto. intros I. apply Ny, in_app_iff. auto.
Qed.

Lemma nodup_app_disjoint (K L : list nat) x : NoDup (K ++ L) -> In x K -> In x L -> False.
Proof.
  induction K as [|y K IH]; simpl; [tauto|]. intros N. inversion N as [|? ? Ny NK]; subst.
  intros [->|I] J; [|auto]. apply Ny, in_app_iff. auto.
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

Lemma letters_nodup : NoDup (cycle_heaps E ++ D).
Proof. apply all_different_nodup. apply (evidence_parts c n E E_ok). Qed.

Lemma cycle_letter a : In a U -> letter E (cycle_heap a).
Proof. intros I. apply in_app_iff. left. now apply in_map. Qed.

Lemma digit_letter h : In h D -> letter E h.
Proof. intros I. apply in_app_iff. now right. Qed.

Lemma not_both a h : In a U -> In h D -> cycle_heap a <> h.
Proof.
  intros Ia Ih <-. apply (nodup_app_disjoint _ _ (cycle_heap a) letters_nodup); auto.
  unfold cycle_heaps. now apply in_map.
Qed.

Lemma cycle_by_heap a b : In a U -> In b U -> cycle_heap a = cycle_heap b -> a = b.
Proof.
  intros Ia Ib. apply (nodup_map_injective cycle_heap U); auto.
  exact (nodup_app_left _ _ letters_nodup).
Qed.

(** What is said at a place, if its carries are known. *)
Lemma said_at z q f : (forall h, In h D -> 1 <= count h z + f h) ->
  said_of A (digits_of E z) (Place q (map f D)) =
  Some (read_from A q (map (fun h => Nat.pred (count h z + f h)) D)).
Proof.
  intros P. unfold said_of, digits_of. cbv zeta. simpl. rewrite sums_map.
  rewrite (proj2 (no_zero _ _)) by exact P. now rewrite map_map.
Qed.

Lemma said_only_if z q f s : said_of A (digits_of E z) (Place q (map f D)) = Some s ->
  forall h, In h D -> 1 <= count h z + f h.
Proof.
  unfold said_of, digits_of. cbv zeta. simpl. rewrite sums_map.
  destruct (existsb _ _) eqn:X; [discriminate|]. intros _. now apply no_zero.
Qed.

(** Where a place is that of the letters [y]. *)
Lemma said_of_letters z y g f :
  (forall a, In a U -> read_count a (g a) = read_count a (count (cycle_heap a) y)) ->
  (forall h, In h D -> count h z + f h = S (count h y)) ->
  said_of A (digits_of E z) (place_at E (map g U) (map f D)) = Some (V E y).
Proof.
  intros Hg Hf. unfold place_at. rewrite said_at.
  - rewrite V_column. do 3 f_equal.
    + rewrite read_counts_map. unfold column_of. now apply map_ext_in.
    + unfold digits_of. apply map_ext_in. intros h I. now rewrite Hf.
  - intros h I. rewrite Hf by auto. lia.
Qed.

(** A position with more letters. *)
Lemma said_plus z w :
  said_of A (digits_of E z) (place_plus E (column_of E z) (counts_of E w)) = Some (V E (w ++ z)).
Proof.
  unfold place_plus, counts_of, column_of, cycle_heaps. simpl. rewrite map_map, sums_map, map_map.
  apply said_of_letters.
  - intros a _. rewrite read_count_add, count_app. f_equal. lia.
  - intros h _. rewrite count_app. lia.
Qed.

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
    pose proof (not_both a h Ia Ih). destruct (Nat.eqb_spec (cycle_heap a) h); [contradiction|]. lia.
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

(** ** Configurations are good *)

Lemma place_at_good v d : length d = digits A -> good_place A (place_at E v d).
Proof. split; simpl; auto. apply (start_below c n E E_ok). Qed.

Lemma map_digits_good {B} v (f : nat -> B) (g : B -> nat) :
  good_place A (place_at E v (map g (map f D))).
Proof. apply place_at_good. rewrite !map_length. apply (evidence_parts c n E E_ok). Qed.

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
  - apply Forall_app. split; apply Forall_forall; intros k I; apply in_flat_map in I as (e & Ie & I).
    + destruct e as [[a M] x]. apply in_combine_l in Ie. now apply (cycle_comparison_good v a M x).
    + destruct e as [h M]. unfold with_moves in Ie. apply in_map_iff in Ie as (g & [= -> <-] & Ig).
      simpl in I. apply in_map_iff in I as (d & <- & Id). apply moves_in in Id as (o & Io & <-).
      simpl. rewrite sums_map. apply place_at_good. rewrite map_length.
      apply (evidence_parts c n E E_ok).
Qed.

Lemma word_configuration_good w M K v : (forall d, In d M \/ In d K -> exists y, d = counts_of E y) ->
  good_configuration A (word_configuration E (counts_of E w) M K v).
Proof.
  intros H. split; simpl; [apply map_digits_good|].
  apply Forall_app. split; apply Forall_forall; intros k I; apply in_map_iff in I as (d & <- & Id);
    destruct (H d) as (y & ->); auto; simpl; apply map_digits_good.
Qed.

Lemma silent_V z : start E (column_of E z) = sink E -> V E z = Nothing.
Proof.
  intros Q. rewrite V_column, Q. apply (lasting_said A A_ok (silent F)).
  - apply (search_parts A F F_ok).
  - apply (digits_of_length c n E E_ok).
  - apply (evidence_parts c n E E_ok).
  - exact sink_silent.
Qed.

Lemma V_in_column z : V E z <> Nothing ->
  exists i, i < columns E /\ column_at E i = column_of E z /\
    start E (column_of E z) = column_state E i.
Proof.
  intros N. destruct (start_cases E (column_of E z)) as [Q|H]; auto.
  exfalso. now apply N, silent_V.
Qed.

(** ** T2: positions of letters *)

Section OfLetters.

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
  In ((a, moves c E (cycle_heap a)), read_count a (count (cycle_heap a) z)) (combine CM (column_of E z)).
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
  specialize (J _ I). simpl in J. rewrite Cr in J. destruct (V E (read_as o ++ z)); auto; discriminate.
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
      destruct Cases as [Cq|(_ & _ & Cq)]; [now apply cycle_option with (a := a) (y := x) (o := o)|].
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

End OfLetters.

(** ** T3: heaps with words *)

Section OfWords.

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

End OfWords.

End Moves.
