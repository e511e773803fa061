(** What does a diagram claim of a position?

    In 0.024 the heaps 5 and 14 are digits, whose exact counts are read by an automaton. The counts
    of the other letters lead through a _diagram_: from its root, a node that belongs to the letter
    17, the count of 17 leads to another node, which belongs to a smaller letter; and so on, until a
    state of the automaton is reached. Each node reads the count of its letter through a cycle of
    its own. (docs/infinite.md, "Diagrams")

    The letters and words of a diagram are those of evidence that lists no columns, so that all that
    is proved of letters and words in [InfiniteReading] holds here too. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteReading.
Import ListNotations.

(** A _place_ is a state of the automaton, or a greater number: a node. A node reads the letter
    that has the place [level] among [ordinary]; a count of it that is read through [cycle_at] as
    [x] leads to the child [x]. [rank] is an order of the letters. *)
Record diagram := Diagram {
  ordinary : list nat;
  counted : list nat;
  diagram_words : list (nat * list nat);
  diagram_reader : automaton;
  places : nat;
  level : nat -> nat;
  cycle_at : nat -> cycle;
  child : nat -> nat -> nat;
  root : nat;
  rank_of : nat -> nat }.

Definition letters_of (d : diagram) : evidence :=
  Evidence (map (fun a => Cycle a 1 0) (ordinary d)) (counted d) (diagram_words d)
    (diagram_reader d) 0 0 (fun _ => []) (fun _ => 0) (fun _ => 0).

Definition levels (d : diagram) : nat := length (ordinary d).

(** The level of a state comes after all others. *)
Definition level_of (d : diagram) (p : nat) : nat :=
  if p <? states (diagram_reader d) then levels d else level d p.

Definition child_for (d : diagram) (p x : nat) : nat := child d p (read_count (cycle_at d p) x).

(** Where reading goes on after a count of the letter of the level [l]. *)
Definition follow (d : diagram) (l p x : nat) : nat :=
  if level_of d p =? l then child_for d p x else p.

(** Where the counts of the letters from the level [l] on lead to. *)
Fixpoint walk (d : diagram) (l p : nat) (v : list nat) : nat :=
  match v with
  | [] => p
  | x :: v => walk d (S l) (follow d l p x) v
  end.

(** What is claimed of some counts, those of the ordinary letters first. *)
Definition claimed_of (d : diagram) (v : counts) : said :=
  read_from (diagram_reader d) (walk d 0 (root d) (of_cycles v)) (of_digits v).

(** What is claimed of some letters: the function V of docs/infinite.md. *)
Definition claims (d : diagram) (z : list nat) : said := claimed_of d (counts_of (letters_of d) z).

(** ** Is the diagram well formed? *)

(** How many children a node has. *)
Definition children (d : diagram) (p : nat) : nat := index (cycle_at d p) + period (cycle_at d p).

(** H15: every node belongs to an ordinary letter, has a child for each count that is read, and its
    children are states or nodes of later letters; the root is a place. *)
Definition diagram_ok (d : diagram) : bool :=
  let Q := states (diagram_reader d) in
  (Q <=? places d) && (root d <? places d) &&
  all_below (places d) (fun p => (p <? Q) ||
    (level d p <? levels d) && (1 <=? period (cycle_at d p)) &&
    all_below (children d p) (fun i =>
      let q := child d p i in (q <? places d) && (level d p <? level_of d q))).

(** ** Facts *)

Lemma ordinary_heaps d : cycle_heaps (letters_of d) = ordinary d.
Proof. unfold cycle_heaps. simpl. rewrite map_map. apply map_id. Qed.

Lemma claims_permutation d z z' : Permutation z z' -> claims d z = claims d z'.
Proof.
  intros P. unfold claims, counts_of. f_equal. f_equal; apply map_ext; intros h;
    now apply count_permutation.
Qed.

Lemma read_count_below a x : 1 <= period a -> read_count a x < index a + period a.
Proof.
  intros P. destruct (read_count_cases a x) as [E|(j & _ & _ & L & _)]; [|lia].
  unfold read_count in *. destruct (Nat.ltb_spec x (index a + period a)); [lia|].
  destruct (Nat.eqb_spec (period a) 0); [lia|].
  pose proof (Nat.mod_upper_bound (x - index a) (period a) n). lia.
Qed.

Section Diagram.

Variable d : diagram.
Hypothesis d_ok : diagram_ok d = true.

Local Notation A := (diagram_reader d).

Lemma diagram_parts : states A <= places d /\ root d < places d /\
  forall p, p < places d -> states A <= p -> level d p < levels d /\ 1 <= period (cycle_at d p) /\
    forall i, i < children d p -> child d p i < places d /\ level d p < level_of d (child d p i).
Proof.
  unfold diagram_ok in d_ok. cbv zeta in d_ok. rewrite !andb_split in d_ok.
  destruct d_ok as [[S R] N]. apply Nat.leb_le in S. apply Nat.ltb_lt in R.
  split; [auto|]. split; [auto|]. intros p L Q. rewrite all_below_spec in N. specialize (N p L).
  destruct (Nat.ltb_spec p (states A)); [lia|]. rewrite orb_false_l, !andb_split in N.
  destruct N as [[N1 N2] N3]. apply Nat.ltb_lt in N1. apply Nat.leb_le in N2.
  split; [auto|]. split; [auto|]. intros i Li. rewrite all_below_spec in N3. specialize (N3 i Li).
  apply andb_split in N3 as [N3 N4]. apply Nat.ltb_lt in N3, N4. auto.
Qed.

(** A place at which reading may have arrived before the level [l] is read. *)
Definition arrived (l p : nat) : Prop := p < places d /\ l <= level_of d p.

Lemma level_bound p : p < places d -> level_of d p <= levels d.
Proof.
  intros L. unfold level_of. destruct (Nat.ltb_spec p (states A)); auto.
  destruct diagram_parts as (_ & _ & N). destruct (N p L) as (B & _); auto. lia.
Qed.

Lemma arrived_at_state p : arrived (levels d) p -> p < states A.
Proof.
  intros [L Q]. unfold level_of in Q. destruct (Nat.ltb_spec p (states A)); auto.
  destruct diagram_parts as (_ & _ & N). destruct (N p L) as (B & _); auto. lia.
Qed.

Lemma node_of_level l p : l < levels d -> level_of d p = l -> states A <= p.
Proof. unfold level_of. destruct (Nat.ltb_spec p (states A)); lia. Qed.

Lemma follow_arrived l p x : l < levels d -> arrived l p -> arrived (S l) (follow d l p x).
Proof.
  intros Ll [Lp Q]. unfold follow. destruct (Nat.eqb_spec (level_of d p) l) as [El|Nl].
  - pose proof (node_of_level l p Ll El) as Np.
    destruct diagram_parts as (_ & _ & N). destruct (N p Lp Np) as (_ & P1 & C).
    assert (Lv : level d p = l).
    { unfold level_of in El. destruct (Nat.ltb_spec p (states A)); [lia|auto]. }
    destruct (C (read_count (cycle_at d p) x)) as [C1 C2]; [now apply read_count_below|].
    unfold child_for. split; [auto|]. rewrite Lv in C2. lia.
  - split; [auto|]. lia.
Qed.

Lemma walk_arrived v : forall l p, l + length v <= levels d -> arrived l p ->
  arrived (l + length v) (walk d l p v).
Proof.
  induction v as [|x v IH]; simpl; intros l p L Ap; [now rewrite Nat.add_0_r|].
  rewrite <- Nat.add_succ_comm. apply IH; [lia|]. apply follow_arrived; auto. lia.
Qed.

Lemma root_arrived : arrived 0 (root d).
Proof. split; [apply diagram_parts|lia]. Qed.

Lemma walk_state v : length v = levels d -> walk d 0 (root d) v < states A.
Proof.
  intros L. apply arrived_at_state. rewrite <- L. apply (walk_arrived v 0); [simpl; lia|].
  apply root_arrived.
Qed.

End Diagram.
