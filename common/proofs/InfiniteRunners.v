(** How is a position with more or fewer letters read? (T2 for diagrams of docs/infinite.md)

    A _runner_ is a place of a diagram and what is to be added to the counts still to be read: first
    those of the ordinary letters ahead, then those of the digits. Here is shown what of a runner
    makes no difference, and that finitely many counts of a letter represent all. As in
    [InfiniteSearch] displacements are written with 1 added to them. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Loops InfiniteLetters InfiniteAutomaton InfiniteSearch InfiniteReading
  InfiniteDiagram.
Import ListNotations.

Section Said.

Variable d : diagram.
Local Notation A := (diagram_reader d).

(** The runner after a count of the next letter, of the level [l]; none if a count is negative. *)
Definition step_count (l x : nat) (p : place) : option place :=
  match carry p with
  | [] => None
  | y :: rest =>
    if x + y =? 0 then None
    else Some (Place (follow d l (state p) (Nat.pred (x + y))) rest)
  end.

(** What is claimed of a runner, by the counts of the [k] letters ahead and of the digits. *)
Fixpoint said_ahead (k : nat) (m : list nat) (p : place) : option said :=
  match k with
  | 0 => said_of A m p
  | S k =>
    match m with
    | [] => None
    | x :: m =>
      match step_count (levels d - S k) x p with
      | None => None
      | Some p => said_ahead k m p
      end
    end
  end.

Definition said_if (k : nat) (m : list nat) (p : option place) : option said :=
  match p with None => None | Some p => said_ahead k m p end.

End Said.

(** Counts of letters before the next node matter only as far as they become negative. *)
Fixpoint shorten (n : nat) (u : list nat) : list nat :=
  match n, u with
  | S n, x :: u => Nat.min x 1 :: shorten n u
  | _, _ => u
  end.

Definition short (d : diagram) (k : nat) (p : place) : place :=
  Place (state p) (shorten (level_of d (state p) - (levels d - k)) (carry p)).

(** From which count of the letter of the level [l] on the counts are read through the cycle. *)
Definition reach_of (d : diagram) (l : nat) (p : place) : nat :=
  match carry p with
  | [] => 0
  | y :: _ =>
    (if level_of d (state p) =? l then S (index (cycle_at d (state p))) else 1) - y
  end.

(** Whether counts from there on that differ by [t] are read alike. *)
Definition turns (d : diagram) (l t : nat) (p : place) : bool :=
  negb (level_of d (state p) =? l) || (t mod period (cycle_at d (state p)) =? 0).

(** Whether every place to which reading leads from a place with the property [f] has this property,
    and what is said in the end has the property [g]. *)
Definition kept (d : diagram) (f : nat -> bool) (g : said -> bool) : bool :=
  let A := diagram_reader d in
  all_below (places d) (fun p => negb (f p) ||
    if p <? states A then g (says A p) && all_below (2 ^ digits A) (fun b => f (next A p b))
    else all_below (children d p) (fun i => f (child d p i))).

(** ** Facts *)

Section Runners.

Variable d : diagram.
Hypothesis d_ok : diagram_ok d = true.
Local Notation A := (diagram_reader d).
Hypothesis A_ok : automaton_ok A = true.

(** A runner that has come so far that [k] ordinary letters are ahead. *)
Definition good_runner (k : nat) (p : place) : Prop :=
  k <= levels d /\ arrived d (levels d - k) (state p) /\ length (carry p) = k + digits A.

Definition good_if (k : nat) (p : option place) : Prop :=
  match p with None => True | Some p => good_runner k p end.

Lemma good_at_the_end p : good_runner 0 p -> good_place A p.
Proof.
  intros (_ & Ar & L). rewrite Nat.sub_0_r in Ar. split; [|auto].
  now apply (arrived_at_state d d_ok).
Qed.

Lemma step_count_good k x p : good_runner (S k) p ->
  good_if k (step_count d (levels d - S k) x p).
Proof.
  intros (Lk & Ar & L). unfold step_count. destruct (carry p) as [|y rest]; simpl; auto.
  destruct (x + y =? 0); simpl; auto. split; [lia|]. split.
  - simpl. replace (levels d - k) with (S (levels d - S k)) by lia.
    apply (follow_arrived d d_ok); auto. lia.
  - simpl in *. lia.
Qed.

Lemma step_bits_good b p : length b = digits A -> good_runner 0 p ->
  good_runner 0 (step_place A b p).
Proof.
  intros Lb G. pose proof (good_at_the_end p G) as Gp.
  destruct (step_place_good A A_ok b p Lb Gp) as [S1 S2].
  split; [lia|]. split; [|auto]. rewrite Nat.sub_0_r. split.
  - destruct (diagram_parts d d_ok) as (Q & _). lia.
  - unfold level_of. destruct (Nat.ltb_spec (state (step_place A b p)) (states A)); lia.
Qed.

(** *** Places from which some outcomes are not reached *)

Lemma kept_at_states f g : kept d f g = true -> forall v q, length v = digits A -> q < states A ->
  f q = true -> g (read_from A q v) = true.
Proof.
  unfold kept. cbv zeta. rewrite all_below_spec. intros K v.
  remember (list_sum v) as n eqn:En. revert v En.
  induction n as [n IH] using lt_wf_ind. intros v -> q Len L Fq.
  destruct (diagram_parts d d_ok) as (Q & _).
  pose proof (K q ltac:(lia)) as Kq. rewrite Fq in Kq.
  destruct (Nat.ltb_spec q (states A)); [|lia]. simpl in Kq. apply andb_split in Kq as [Gq N].
  rewrite all_below_spec in N. destruct (all_zero v) eqn:Z.
  - unfold read_from. now rewrite read_zero.
  - rewrite read_step by auto. apply IH with (m := list_sum (halves v)); auto.
    + now apply halves_less.
    + unfold halves. now rewrite map_length.
    + now apply next_bits_below.
    + apply N. rewrite <- Len. apply bits_below.
Qed.

Lemma kept_follow f g l p x : kept d f g = true -> l < levels d -> arrived d l p ->
  f p = true -> f (follow d l p x) = true.
Proof.
  unfold kept. cbv zeta. rewrite all_below_spec. intros K Ll [Lp Q] Fp. unfold follow.
  destruct (Nat.eqb_spec (level_of d p) l) as [El|Nl]; auto.
  pose proof (node_of_level d l p Ll El) as Np. specialize (K p Lp). rewrite Fp in K.
  destruct (Nat.ltb_spec p (states A)); [lia|]. simpl in K. rewrite all_below_spec in K. apply K.
  destruct (diagram_parts d d_ok) as (_ & _ & N). destruct (N p Lp Np) as (_ & P1 & _).
  now apply read_count_below.
Qed.

Lemma kept_said f g s : kept d f g = true -> forall k m p, length m = k + digits A ->
  good_runner k p -> f (state p) = true -> said_ahead d k m p = Some s -> g s = true.
Proof.
  intros K. induction k as [|k IH]; intros m p Lm G Fp.
  - simpl. unfold said_of. cbv zeta. destruct (good_at_the_end p G) as [Lq Lc].
    destruct (existsb _ _); [discriminate|]. intros [= <-].
    apply (kept_at_states f g K); auto. rewrite map_length, sums_length; simpl in *; congruence.
  - destruct m as [|x m]; [discriminate|]. simpl.
    pose proof (step_count_good k x p G) as G'.
    destruct (step_count d (levels d - S k) x p) as [p'|] eqn:E; [|discriminate].
    apply IH; [simpl in Lm; lia|exact G'|]. unfold step_count in E.
    destruct (carry p) as [|y rest]; [discriminate|]. destruct (x + y =? 0); [discriminate|].
    injection E as <-. simpl. destruct G as (Lk & Ar & _).
    apply (kept_follow f g); auto. lia.
Qed.

(** *** What is shortened *)

Lemma said_shortened q : q < places d -> forall k n m u, k <= levels d ->
  n <= level_of d q - (levels d - k) ->
  said_ahead d k m (Place q (shorten n u)) = said_ahead d k m (Place q u).
Proof.
  intros Lq. pose proof (level_bound d d_ok q Lq) as B.
  induction k as [|k IH]; intros [|n] m u Lk Ln; [auto| |auto|].
  - lia.
  - destruct u as [|y u]; [auto|]. destruct m as [|x m]; [auto|]. simpl. unfold step_count. simpl.
    assert (Z : (x + Nat.min y 1 =? 0) = (x + y =? 0)).
    { destruct (Nat.eqb_spec (x + Nat.min y 1) 0), (Nat.eqb_spec (x + y) 0); auto; lia. }
    rewrite Z. destruct (x + y =? 0); [auto|]. unfold follow.
    destruct (Nat.eqb_spec (level_of d q) (levels d - S k)); [lia|]. apply IH; lia.
Qed.

Lemma shorten_length n : forall u, length (shorten n u) = length u.
Proof. induction n as [|n IH]; intros [|x u]; simpl; auto. Qed.

Lemma short_said k m p : good_runner k p -> said_ahead d k m (short d k p) = said_ahead d k m p.
Proof.
  intros (Lk & [Lp _] & _). destruct p as [q u]. unfold short. simpl in *.
  now apply said_shortened.
Qed.

Lemma short_good k p : good_runner k p -> good_runner k (short d k p).
Proof.
  intros (Lk & Ar & L). split; [auto|]. split; [exact Ar|].
  unfold short. cbn [carry]. now rewrite shorten_length.
Qed.

(** *** The cycles *)

Lemma step_count_turn l t x p : turns d l t p = true -> reach_of d l p <= x ->
  l < levels d -> state p < places d -> step_count d l (x + t) p = step_count d l x p.
Proof.
  unfold turns, reach_of, step_count. intros T R Ll Lp. destruct (carry p) as [|y rest]; auto.
  assert (Pos : 1 <= x + y) by (destruct (level_of d (state p) =? l); lia).
  destruct (Nat.eqb_spec (x + t + y) 0); [lia|]. destruct (Nat.eqb_spec (x + y) 0); [lia|].
  do 2 f_equal. unfold follow. destruct (Nat.eqb_spec (level_of d (state p)) l) as [El|]; [|auto].
  rewrite orb_false_l in T. apply Nat.eqb_eq in T. unfold child_for. f_equal.
  pose proof (node_of_level d l _ Ll El) as Np.
  destruct (diagram_parts d d_ok) as (_ & _ & N). destruct (N _ Lp Np) as (_ & P1 & _).
  set (a := cycle_at d (state p)) in *.
  apply Nat.mod_divides in T as [j T]; [|lia].
  replace (Nat.pred (x + t + y)) with (Nat.pred (x + y) + j * period a) by lia.
  apply read_count_period. lia.
Qed.

End Runners.
