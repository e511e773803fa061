(** What does an automaton say of a vector of counts?

    It reads the counts in binary, the least significant bits first, and one bit of every count at a
    time. The counts (5, 2) are read as the bits (1, 0), (0, 1), (1, 0). *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Loops InfiniteLetters.
Import ListNotations.

(** An automaton that reads [digits] counts. The bits of all counts are the bits of one number. *)
Record automaton := Automaton {
  digits : nat;
  states : nat;
  next : nat -> nat -> nat;
  says : nat -> said }.

Definition said_eqb (v v' : said) : bool :=
  match v, v' with
  | Nothing, Nothing | SaysN, SaysN | SaysP, SaysP => true
  | _, _ => false
  end.

Lemma said_eqb_eq v v' : said_eqb v v' = true <-> v = v'.
Proof. destruct v, v'; simpl; split; congruence. Qed.

(** The lowest bits of some counts, as one number. *)
Fixpoint bits (v : list nat) : nat :=
  match v with
  | [] => 0
  | x :: v => let rest := bits v in (if Nat.odd x then 1 else 0) + (rest + rest)
  end.

Definition halves (v : list nat) : list nat := map Nat.div2 v.

Definition all_zero (v : list nat) : bool := forallb (fun x => x =? 0) v.

(** What is said after [n] steps at most. *)
Fixpoint read (A : automaton) (n q : nat) (v : list nat) : said :=
  if all_zero v then says A q
  else match n with
    | 0 => says A q
    | S n => read A n (next A q (bits v)) (halves v)
    end.

(** What is said of the counts [v] from the state [q] on. *)
Definition read_from (A : automaton) (q : nat) (v : list nat) : said := read A (list_sum v) q v.

(** H5: every state has a next state for each choice of bits, and says the same after one more zero
    of all counts. *)
Definition automaton_ok (A : automaton) : bool :=
  all_below (states A) (fun q =>
    all_below (2 ^ digits A) (fun b => next A q b <? states A) &&
    said_eqb (says A (next A q 0)) (says A q)).

(** A property that every next state of a state with it has. *)
Definition lasting (A : automaton) (f : nat -> bool) (v : said) : bool :=
  all_below (states A) (fun q => if f q then said_eqb (says A q) v &&
    all_below (2 ^ digits A) (fun b => f (next A q b)) else true).

(** ** Facts *)

Lemma all_zero_sum v : all_zero v = true <-> list_sum v = 0.
Proof.
  unfold all_zero. induction v as [|x v IH]; simpl; [tauto|].
  rewrite andb_split, Nat.eqb_eq, IH. lia.
Qed.

Lemma half x : x = (if Nat.odd x then 1 else 0) + 2 * Nat.div2 x.
Proof. rewrite (Nat.div2_odd x) at 1. unfold Nat.b2n. lia. Qed.

Lemma halves_sum v : list_sum (halves v) <= list_sum v.
Proof.
  induction v as [|x v IH]; simpl; auto.
  assert (Nat.div2 x <= x) by (pose proof (half x); destruct (Nat.odd x); lia). lia.
Qed.

Lemma halves_less v : all_zero v = false -> list_sum (halves v) < list_sum v.
Proof.
  induction v as [|x v IH]; simpl; [discriminate|]. intros E.
  pose proof (half x) as Hx. pose proof (halves_sum v).
  destruct x as [|x]; simpl in E.
  - apply IH in E. simpl. lia.
  - destruct (Nat.odd (S x)); lia.
Qed.

Lemma halves_zero v : all_zero v = true -> halves v = v.
Proof.
  unfold all_zero. induction v as [|x v IH]; simpl; auto.
  rewrite andb_split, Nat.eqb_eq. intros [-> E]. simpl. now rewrite IH.
Qed.

Lemma bits_zero v : all_zero v = true -> bits v = 0.
Proof.
  unfold all_zero. induction v as [|x v IH]; simpl; auto.
  rewrite andb_split, Nat.eqb_eq. intros [-> E]. rewrite IH; auto.
Qed.

Lemma bits_below v : bits v < 2 ^ length v.
Proof. induction v as [|x v IH]; simpl; [lia|]. destruct (Nat.odd x); lia. Qed.

Section Automaton.

Variable A : automaton.
Hypothesis A_ok : automaton_ok A = true.

Lemma next_below q b : q < states A -> b < 2 ^ digits A -> next A q b < states A.
Proof.
  intros L. unfold automaton_ok in A_ok. rewrite all_below_spec in A_ok.
  specialize (A_ok q L). apply andb_split in A_ok as [N _]. rewrite all_below_spec in N.
  intros Lb. specialize (N b Lb). now apply Nat.ltb_lt.
Qed.

Lemma next_bits_below q v : q < states A -> length v = digits A -> next A q (bits v) < states A.
Proof. intros L E. apply next_below; auto. rewrite <- E. apply bits_below. Qed.

Lemma says_zero q : q < states A -> says A (next A q 0) = says A q.
Proof.
  intros L. unfold automaton_ok in A_ok. rewrite all_below_spec in A_ok.
  specialize (A_ok q L). apply andb_split in A_ok as [_ Z]. now apply said_eqb_eq.
Qed.

Lemma read_zero n q v : all_zero v = true -> read A n q v = says A q.
Proof. intros E. destruct n; simpl; now rewrite E. Qed.

Lemma read_enough n : forall k q v, list_sum v <= n -> list_sum v <= k ->
  read A n q v = read A k q v.
Proof.
  induction n as [|n IH]; intros k q v Ln Lk.
  - assert (Z : all_zero v = true) by (apply all_zero_sum; lia). now rewrite !read_zero.
  - destruct (all_zero v) eqn:Z; [now rewrite !read_zero|].
    destruct k as [|k].
    + assert (all_zero v = true) by (apply all_zero_sum; lia). congruence.
    + simpl. rewrite Z. pose proof (halves_less v Z). apply IH; lia.
Qed.

(** One bit of every count more. *)
Lemma read_step q v : q < states A ->
  read_from A q v = read_from A (next A q (bits v)) (halves v).
Proof.
  intros L. unfold read_from. destruct (all_zero v) eqn:Z.
  - rewrite halves_zero, bits_zero, !read_zero by auto. symmetry. now apply says_zero.
  - pose proof (halves_less v Z) as Less. destruct (list_sum v) as [|n] eqn:E; [lia|].
    simpl. rewrite Z. apply read_enough; lia.
Qed.

(** What lasts is said of all counts. *)
Lemma lasting_said f s : lasting A f s = true -> forall v q, length v = digits A -> q < states A ->
  f q = true -> read_from A q v = s.
Proof.
  unfold lasting. intros La v. rewrite all_below_spec in La.
  remember (list_sum v) as n eqn:En. revert v En.
  induction n as [n IH] using lt_wf_ind. intros v -> q Len L F.
  pose proof (La q L) as Lq. rewrite F in Lq. apply andb_split in Lq as [S N].
  apply said_eqb_eq in S. rewrite all_below_spec in N.
  destruct (all_zero v) eqn:Z.
  - unfold read_from. now rewrite read_zero.
  - rewrite read_step by auto. apply IH with (m := list_sum (halves v)); auto.
    + now apply halves_less.
    + unfold halves. now rewrite map_length.
    + now apply next_bits_below.
    + apply N. rewrite <- Len. apply bits_below.
Qed.

End Automaton.
