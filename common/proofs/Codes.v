(** Take-and-break codes, as Guy and Smith define them.

    Kayles is 0.77. Its digits are d_0 = 0, d_1 = 7, d_2 = 7, and 7 = 1 + 2 + 4: bits 0, 1 and 2
    are set. So a player may take one bean or two beans of a heap, and leave nothing of it, or one
    heap, or two heaps.

    Here a code is the list of its digits d_0, d_1, d_2, … *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games.
Import ListNotations.

Definition code := list nat.

(** The digit [d_j]; 0 beyond the last one. *)
Definition digit (c : code) (j : nat) : nat := nth j c 0.

(** Whether bit [k] of the digit [d_j] allows to take [j] beans of a heap and to leave exactly [k]
    heaps, none of them empty. A move that takes nothing has to split the heap; hence [d_0] needs
    [k >= 2]. *)
Definition allows (c : code) (j k : nat) : bool :=
  Nat.testbit (digit c j) k && (negb (j =? 0) || (2 <=? k)).

(** Parts: [k] heaps that are not empty and have [r] beans together, in some order. *)
Definition parts (k r : nat) (o : list nat) : Prop :=
  length o = k /\ Forall (fun g => 0 < g) o /\ list_sum o = r.

(** The definition of Guy and Smith: [o] is what some move leaves of a heap of [h] beans. *)
Definition is_option (c : code) (h : nat) (o : list nat) : Prop :=
  exists j k, j <= h /\ allows c j k = true /\ parts k (h - j) o.

(** All ways to write [r] as a sum of [k] positive numbers. *)
Fixpoint compositions (k r : nat) : list (list nat) :=
  match k with
  | 0 => if r =? 0 then [[]] else []
  | S k' => flat_map (fun s => map (cons s) (compositions k' (r - s))) (seq 1 r)
  end.

(** The options of a heap, listed. *)
Definition code_options (c : code) (h : nat) : list (list nat) :=
  flat_map (fun j => flat_map (fun k => if allows c j k then compositions k (h - j) else [])
    (seq 0 (S (h - j)))) (seq 0 (S h)).

(** ** What is listed is what the definition says *)

Lemma compositions_spec k : forall r o, In o (compositions k r) <-> parts k r o.
Proof.
  unfold parts. induction k as [|k IH]; intros r o; simpl.
  - destruct (Nat.eqb_spec r 0) as [->|N]; simpl.
    + split.
      * intros [<-|[]]. repeat split. constructor.
      * intros (L & _ & _). destruct o; [auto|discriminate].
    + split; [tauto|]. intros (L & _ & E). destruct o; [simpl in E; lia|discriminate].
  - rewrite in_flat_map. split.
    + intros (s & Is & Io). apply in_seq in Is. apply in_map_iff in Io as (o' & <- & Io).
      apply IH in Io as (L & F & E). simpl. repeat split; [lia| |lia]. constructor; [lia|auto].
    + intros (L & F & E). destruct o as [|s o]; [discriminate|]. simpl in *.
      inversion F; subst. exists s. split; [apply in_seq; lia|].
      apply in_map. apply IH. repeat split; auto; lia.
Qed.

Lemma parts_length k r o : parts k r o -> k <= r.
Proof.
  intros (<- & F & <-). induction F as [|g o ? F IH]; simpl; lia.
Qed.

Theorem code_options_spec c h o : In o (code_options c h) <-> is_option c h o.
Proof.
  unfold code_options, is_option. rewrite in_flat_map. split.
  - intros (j & Ij & I). apply in_flat_map in I as (k & Ik & I).
    apply in_seq in Ij. exists j, k. destruct (allows c j k); [|destruct I].
    apply compositions_spec in I. repeat split; try apply I. lia.
  - intros (j & k & L & A & P). exists j. split; [apply in_seq; lia|].
    apply in_flat_map. exists k. pose proof (parts_length _ _ _ P).
    split; [apply in_seq; lia|]. rewrite A. now apply compositions_spec.
Qed.

(** ** Codes are heap games *)

Lemma part_at_most o g : In g o -> g <= list_sum o.
Proof.
  induction o as [|a o IH]; simpl; [tauto|]. intros [->|I]; [lia|]. specialize (IH I). lia.
Qed.

Lemma part_smaller o g : Forall (fun g => 0 < g) o -> In g o -> 2 <= length o -> g < list_sum o.
Proof.
  intros F I L. destruct o as [|a [|b o]]; simpl in L; try lia.
  inversion F as [|? ? Fa F']; subst. inversion F' as [|? ? Fb _]; subst. simpl.
  destruct I as [->|[->|I]]; [lia|lia|]. apply part_at_most in I. lia.
Qed.

Lemma code_options_smaller c h o g : In o (code_options c h) -> In g o -> g < h.
Proof.
  intros I Ig. apply code_options_spec in I as (j & k & L & A & Lo & F & E).
  unfold allows in A. apply andb_prop in A as [_ A]. apply orb_prop in A as [A|A].
  - apply negb_true_iff, Nat.eqb_neq in A.
    assert (0 < g) by (rewrite Forall_forall in F; auto).
    apply part_at_most in Ig. lia.
  - apply Nat.leb_le in A. apply (part_smaller o g F) in Ig; lia.
Qed.

(** The heap game of a code. *)
Definition game_of_code (c : code) : heap_game :=
  HeapGame (code_options c) (code_options_smaller c).

(** In Kayles a heap of 3 becomes 1 + 1, 2 or 1. *)
Example kayles_three : code_options [0; 7; 7] 3 = [[2]; [1; 1]; [1]].
Proof. reflexivity. Qed.

(** In 4.7 the heap of 2 becomes 1 + 1 without a bean being taken, or 1, and the heap of 1 can
    only be taken. *)
Example taking_nothing : code_options [4; 7] 2 = [[1; 1]; [1]] /\ code_options [4; 7] 1 = [[]].
Proof. split; reflexivity. Qed.
