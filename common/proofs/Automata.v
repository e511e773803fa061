(** Automata that read a position in the order of its sizes (docs/automata.md).

    An automaton begins in state 0, at size 1, and reads two kinds of signs: a heap of the present
    size, and a step to the next size. The position 1 + 1 + 3 is read as heap, heap, step, step,
    heap. A reader who trusts no one has to read the definitions of this file, up to
    [automaton_says_P]. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops.
Import ListNotations.

(** What follows a state after a heap of the present size, and after a step to the next size; and
    the states of P-positions. *)
Record automaton := Automaton {
  after_heap : nat -> nat;
  after_step : nat -> nat;
  is_P_state : nat -> bool }.

(** The number of heaps of a size. *)
Definition heaps_of_size (X : position) (s : nat) : nat := count_occ Nat.eq_dec X s.

(** The state after the heaps of the sizes 1 to [n + 1], and the [n] steps between these sizes. *)
Fixpoint read (heap step : nat -> nat) (X : position) (n : nat) : nat :=
  match n with
  | 0 => Nat.iter (heaps_of_size X 1) heap 0
  | S m => Nat.iter (heaps_of_size X (S n)) heap (step (read heap step X m))
  end.

(** The outcome of a position by the automaton: the outcome of the last state, at the size of the
    greatest heap. *)
Definition automaton_says_P (A : automaton) (X : position) : bool :=
  is_P_state A (read (after_heap A) (after_step A) X (pred (list_max X))).

(** ** Reading *)

(** All heaps have sizes from 1 to [n + 1]. *)
Definition up_to (n : nat) (X : position) : Prop := Forall (fun h => 1 <= h <= S n) X.

Lemma up_to_later n m X : n <= m -> up_to n X -> up_to m X.
Proof. intros L. apply Forall_impl. intros h ?. lia. Qed.

Lemma up_to_permutation n X Y : Permutation X Y -> up_to n X -> up_to n Y.
Proof. intros Pm. now apply Permutation_Forall. Qed.

Lemma none_beyond n X s : up_to n X -> S n < s -> heaps_of_size X s = 0.
Proof.
  intros U L. apply count_occ_not_In. intros I. unfold up_to in U.
  rewrite Forall_forall in U. specialize (U s I). lia.
Qed.

Lemma size_permutation X Y s : Permutation X Y -> heaps_of_size X s = heaps_of_size Y s.
Proof. intros Pm. unfold heaps_of_size. now apply Permutation_count_occ. Qed.

Lemma size_cons_same X s : heaps_of_size (s :: X) s = S (heaps_of_size X s).
Proof. unfold heaps_of_size. simpl. destruct (Nat.eq_dec s s); congruence. Qed.

Lemma size_cons_other X h s : h <> s -> heaps_of_size (h :: X) s = heaps_of_size X s.
Proof. intros N. unfold heaps_of_size. simpl. destruct (Nat.eq_dec h s); congruence. Qed.

Lemma iter_S (f : nat -> nat) n x : Nat.iter (S n) f x = f (Nat.iter n f x).
Proof. reflexivity. Qed.

Lemma iter_add (f : nat -> nat) n m x : Nat.iter (n + m) f x = Nat.iter n f (Nat.iter m f x).
Proof. induction n as [|n IH]; simpl; congruence. Qed.

Section Reading.

Variables heap step : nat -> nat.

Local Notation reading := (read heap step).

Lemma read_same X Y n : (forall s, 1 <= s <= S n -> heaps_of_size X s = heaps_of_size Y s) ->
  reading X n = reading Y n.
Proof.
  induction n as [|n IH]; intros E; cbn [read].
  - now rewrite (E 1) by lia.
  - rewrite (E (S (S n))) by lia. f_equal. f_equal. apply IH. intros s L. apply E. lia.
Qed.

Lemma read_permutation X Y n : Permutation X Y -> reading X n = reading Y n.
Proof. intros Pm. apply read_same. intros s _. now apply size_permutation. Qed.

(** A heap of the present size more. *)
Lemma read_heap X n : reading (S n :: X) n = heap (reading X n).
Proof.
  destruct n as [|n]; cbn [read]; rewrite size_cons_same; [reflexivity|].
  rewrite iter_S. f_equal. f_equal. f_equal. apply read_same. intros s L.
  apply size_cons_other. lia.
Qed.

(** A heap that comes later does not matter. *)
Lemma read_later_heap X h n : S n < h \/ h = 0 -> reading (h :: X) n = reading X n.
Proof. intros L. apply read_same. intros s Ls. apply size_cons_other. lia. Qed.

Lemma read_step X n : up_to n X -> reading X (S n) = step (reading X n).
Proof. intros U. cbn [read]. now rewrite (none_beyond n) by (auto; lia). Qed.

Lemma read_steps X n k : up_to n X -> reading X (k + n) = Nat.iter k step (reading X n).
Proof.
  intros U. induction k as [|k IH]; [reflexivity|].
  cbn [plus]. rewrite read_step by (apply (up_to_later n); [lia|auto]). now rewrite IH.
Qed.

(** What is closed under heaps and steps holds of all that is read. *)
Lemma read_closed (I : nat -> nat -> Prop) (X : position) : I 0 0 ->
  (forall n x, I n x -> I n (heap x)) -> (forall n x, I n x -> I (S n) (step x)) ->
  forall n, I n (reading X n).
Proof.
  intros Z H St. assert (It : forall k n x, I n x -> I n (Nat.iter k heap x)).
  { induction k as [|k IH]; simpl; auto. }
  induction n as [|n IH]; cbn [read]; auto.
Qed.

(** Every position arises from the empty one by heaps of the present size and by steps. *)
Lemma reading_induction (I : nat -> position -> Prop) :
  (forall n X Y, Permutation X Y -> I n X -> I n Y) -> I 0 [] ->
  (forall n X, up_to n X -> I n X -> I n (S n :: X)) ->
  (forall n X, up_to n X -> I n X -> I (S n) X) ->
  forall n X, up_to n X -> I n X.
Proof.
  intros Pm Z H St. assert (A : forall n, (forall X, up_to n X -> ~ In (S n) X -> I n X) ->
    forall k X, length X <= k -> up_to n X -> I n X).
  { intros n B. induction k as [|k IH]; intros X L U.
    - destruct X; [|simpl in L; lia]. apply B; auto.
    - destruct (in_dec Nat.eq_dec (S n) X) as [Is|Is]; [|auto].
      apply in_split in Is as (X1 & X2 & ->).
      apply (Pm n (S n :: X1 ++ X2)); [apply Permutation_middle|].
      assert (U' : up_to n (X1 ++ X2)).
      { apply (up_to_permutation n) with (Y := S n :: X1 ++ X2) in U;
          [|symmetry; apply Permutation_middle]. now inversion U. }
      apply H; [exact U'|]. apply IH; [|exact U']. rewrite app_length in *. simpl in L. lia. }
  induction n as [|n IH]; intros X U.
  - apply (A 0) with (k := length X); [|lia|auto]. intros Y UY N. destruct Y as [|h Y]; [auto|].
    exfalso. apply N. inversion UY; subst. left. lia.
  - apply (A (S n)) with (k := length X); [|lia|auto]. intros Y UY N.
    assert (U' : up_to n Y).
    { apply Forall_forall. intros h Ih. unfold up_to in UY. rewrite Forall_forall in UY.
      specialize (UY h Ih). assert (h <> S (S n)) by congruence. lia. }
    auto.
Qed.

End Reading.

(** Two readers of two positions that have the same heaps from some size on. *)
Lemma read_pair (heap step heap' step' : nat -> nat) (I : nat -> nat -> nat -> Prop) X Y n :
  (forall m x y, I m x y -> I m (heap x) (heap' y)) ->
  (forall m x y, I m x y -> I (S m) (step x) (step' y)) ->
  (forall s, S n < s -> heaps_of_size X s = heaps_of_size Y s) ->
  I n (read heap step X n) (read heap' step' Y n) ->
  forall m, n <= m -> I m (read heap step X m) (read heap' step' Y m).
Proof.
  intros H St E B. assert (It : forall k m x y, I m x y ->
    I m (Nat.iter k heap x) (Nat.iter k heap' y)).
  { induction k as [|k IH]; simpl; auto. }
  induction m as [|m IH]; intros L.
  - replace n with 0 in B by lia. exact B.
  - destruct (Nat.eq_dec n (S m)) as [->|N]; [exact B|].
    cbn [read]. rewrite (E (S (S m))) by lia. apply It, St, IH. lia.
Qed.

(** ** What an automaton says *)

(** D2, as far as the proof needs it: a step does not change the outcome. *)
Definition steps_keep (A : automaton) : Prop :=
  forall X n, let s := read (after_heap A) (after_step A) X n in
    is_P_state A (after_step A s) = is_P_state A s.

Section Saying.

Variable A : automaton.
Hypothesis keep : steps_keep A.

Local Notation state := (read (after_heap A) (after_step A)).

Lemma up_to_greatest X : Forall (fun h => 0 < h) X -> up_to (pred (list_max X)) X.
Proof.
  intros Po. pose proof (proj1 (list_max_le X (list_max X)) (le_n _)) as Mx.
  unfold up_to. rewrite Forall_forall in *. intros h I.
  specialize (Po h I). specialize (Mx h I). lia.
Qed.

Lemma says_later X n : up_to n X -> automaton_says_P A X = is_P_state A (state X n).
Proof.
  intros U. assert (L : pred (list_max X) <= n).
  { assert (list_max X <= S n); [|lia]. apply list_max_le. revert U. apply Forall_impl. lia. }
  assert (U' : up_to (pred (list_max X)) X).
  { apply up_to_greatest. revert U. apply Forall_impl. lia. }
  unfold automaton_says_P. replace n with ((n - pred (list_max X)) + pred (list_max X)) by lia.
  induction (n - pred (list_max X)) as [|k IH]; [reflexivity|].
  cbn [plus]. rewrite read_step by (apply (up_to_later (pred (list_max X))); [lia|exact U']).
  now rewrite keep.
Qed.

Lemma says_permutation X Y : Permutation X Y -> automaton_says_P A X = automaton_says_P A Y.
Proof.
  intros Pm. unfold automaton_says_P. rewrite (read_permutation _ _ X Y) by exact Pm.
  replace (list_max X) with (list_max Y); [reflexivity|].
  apply Nat.le_antisymm; apply list_max_le; [apply (Permutation_Forall Pm)|
    apply (Permutation_Forall (Permutation_sym Pm))]; now apply list_max_le.
Qed.

Lemma says_zeros k X : automaton_says_P A (repeat 0 k ++ X) = automaton_says_P A X.
Proof.
  induction k as [|k IH]; [reflexivity|]. rewrite <- IH. unfold automaton_says_P.
  cbn [repeat app list_max fold_right]. f_equal. cbn [Nat.max].
  apply read_later_heap. now right.
Qed.

End Saying.

(** ** Moves of codes *)

Definition positive (X : position) : Prop := Forall (fun h => 0 < h) X.

Lemma code_move_positive c X Y : move (game_of_code c) X Y -> positive X -> positive Y.
Proof.
  intros (B & h & C & o & -> & I & ->) F.
  apply code_options_spec in I as (j & k & _ & _ & _ & Fo & _).
  unfold positive in *. rewrite !Forall_app in *. inversion F as [FB FC]. inversion FC; subst.
  repeat split; auto.
Qed.

Lemma no_options_zero c : code_options c 0 = [].
Proof.
  destruct (code_options c 0) as [|o l] eqn:E; [reflexivity|]. exfalso.
  assert (I : In o (code_options c 0)) by (rewrite E; now left).
  apply code_options_spec in I as (j & k & Lj & A & P). replace (0 - j) with 0 in P by lia.
  apply parts_length in P. assert (j = 0) by lia. assert (k = 0) by lia. subst.
  unfold allows in A. simpl in A. rewrite andb_false_r in A. discriminate.
Qed.

(** Every position is one without empty heaps, and empty heaps. *)
Lemma without_zeros (X : position) : exists k Y, positive Y /\ Permutation X (repeat 0 k ++ Y).
Proof.
  induction X as [|h X (k & Y & Po & Pm)].
  - exists 0, []. split; [constructor|reflexivity].
  - destruct h as [|h].
    + exists (S k), Y. split; [exact Po|]. now constructor.
    + exists k, (S h :: Y). split; [constructor; [lia|exact Po]|].
      rewrite Pm. apply Permutation_middle.
Qed.

(** ** The theorem of docs/automata.md *)

(** D3: no position without a move is called P. *)
Definition no_terminal_P (c : code) (A : automaton) : Prop :=
  forall X, positive X -> (forall Y, ~ move (game_of_code c) X Y) -> automaton_says_P A X = false.

(** D4: no position called P has an option called P. *)
Definition no_P_to_P_by (c : code) (A : automaton) : Prop :=
  forall X Y, positive X -> move (game_of_code c) X Y ->
    automaton_says_P A X = true -> automaton_says_P A Y = false.

(** D5: every position with a move that is called N has an option called P. *)
Definition N_has_P_by (c : code) (A : automaton) : Prop :=
  forall X, positive X -> (exists Y, move (game_of_code c) X Y) -> automaton_says_P A X = false ->
    exists Y, move (game_of_code c) X Y /\ automaton_says_P A Y = true.

Theorem D3_to_D5_decide c A : no_terminal_P c A -> no_P_to_P_by c A -> N_has_P_by c A ->
  forall X, Ppos (game_of_code c) X <-> automaton_says_P A X = true.
Proof.
  intros D3 D4 D5. assert (Main : forall X, positive X ->
    (Ppos (game_of_code c) X <-> automaton_says_P A X = true)).
  { intros X. induction X as [X IH] using (well_founded_ind (plays_end (game_of_code c))).
    intros Po. rewrite Ppos_step. split.
    - intros [Mv N]. apply not_false_iff_true. intros NX.
      destruct (D5 X Po Mv NX) as (Y & M & P). apply (N Y M).
      apply (IH Y M); [exact (code_move_positive c X Y M Po)|exact P].
    - intros P. split.
      + destruct (options (game_of_code c) X) as [|Y l] eqn:E.
        * exfalso. rewrite D3 in P; [discriminate|exact Po|].
          intros Y M. apply options_spec in M. rewrite E in M. destruct M.
        * exists Y. apply options_spec. rewrite E. now left.
      + intros Y M PY. apply (IH Y M) in PY; [|exact (code_move_positive c X Y M Po)].
        rewrite (D4 X Y Po M P) in PY. discriminate. }
  intros X. destruct (without_zeros X) as (k & Y & Po & Pm).
  rewrite (Ppos_permutation _ _ _ Pm), (says_permutation A _ _ Pm), says_zeros.
  rewrite Ppos_dead; [now apply Main|]. apply Forall_forall. intros h I.
  apply repeat_spec in I. subst h. apply no_options_zero.
Qed.
