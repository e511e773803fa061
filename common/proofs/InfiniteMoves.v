(** What is a position with other letters than the one in question?

    A configuration compares a position with those that differ from it by some letters. Here is
    shown what the automaton says of them: it is what is claimed of the position with these letters.
    *)

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

(** A position with more letters. *)
Definition place_plus (E : evidence) (v : list nat) (d : counts) : place :=
  place_at E (sums v (of_cycles d)) (map S (of_digits d)).

(** ** Facts *)

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

(** Where a place is the place of the letters [y]. *)
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

Lemma place_at_good v d : length d = digits A -> good_place A (place_at E v d).
Proof. split; simpl; auto. apply (start_below c n E E_ok). Qed.

Lemma map_digits_good {B} v (f : nat -> B) (g : B -> nat) :
  good_place A (place_at E v (map g (map f D))).
Proof. apply place_at_good. rewrite !map_length. apply (evidence_parts c n E E_ok). Qed.

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

End Moves.
