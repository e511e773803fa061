(** Which positions of an infinite quotient are equal? (T5 of docs/presentations.md, decided)

    Two positions are equal if a diagram claims the same of both in every company. The company is
    read as a diagram reads counts: first the counts of the ordinary letters, one by one, then those
    of the digits, bit by bit. Two _runs_ read it at the same time, one for each position. An
    untrusted search lists the pairs of places that they can reach. It is checked that each step
    leads from a pair of the list to a pair of the list, and that both runs of each pair say the same
    at the end. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteSearch
  InfiniteReading InfiniteMoves InfiniteMultiples InfiniteDiagram Words.
Import ListNotations.

(** ** Runs through the bits of the digits *)

(** A run after one more bit of each count, and of each number that is added to it: their sums are
    [b]. *)
Definition step_by (A : automaton) (b : list nat) (p : place) : place :=
  let s := sums b (carry p) in Place (next A (state p) (bits s)) (halves s).

(** What a run says in the end, if the counts [m] are still to be read. *)
Definition says_with (A : automaton) (p : place) (m : list nat) : said :=
  read_from A (state p) (sums m (carry p)).

Definition said_at_once (A : automaton) (p : place) : said := read_from A (state p) (carry p).

(** All choices of a bit for each count that may differ from 0. *)
Fixpoint masked (f : list nat) : list (list nat) :=
  match f with
  | [] => [[]]
  | b :: f => flat_map (fun v => if b =? 0 then [0 :: v] else [0 :: v; 1 :: v]) (masked f)
  end.

(** Pairs of runs, numbered. [run_next]: the next pair, by the bits. *)
Record runs := Runs {
  run_count : nat;
  run_pair : nat -> pair;
  run_next : nat -> list nat -> nat }.

(** Both runs of every pair say the same, whatever counts are read that [f] allows. *)
Definition runs_ok (A : automaton) (f : list nat) (T : runs) : bool :=
  all_below (run_count T) (fun i =>
    let p := run_pair T i in
    said_eqb (said_at_once A (one_run p)) (said_at_once A (other_run p)) &&
    forallb (fun b =>
      let j := run_next T i b in
      (j <? run_count T) &&
      equal_pairs (Pair (step_by A b (one_run p)) (step_by A b (other_run p))) (run_pair T j))
      (masked f)).

(** *** Facts *)

Lemma step_by_counts u : forall b m, length b = length u -> length m = length u ->
  let s := sums b u in
  let t := sums (sums b (sums m m)) u in
  bits t = bits s /\ halves t = sums m (halves s).
Proof.
  induction u as [|w u IH]; intros [|x b] [|y m]; simpl; intros Lb Lm; try discriminate; auto.
  destruct (IH b m ltac:(lia) ltac:(lia)) as [I1 I2]. cbv zeta in I1, I2. rewrite I1, I2.
  replace (x + (y + y) + w) with (x + w + (y + y)) by lia.
  rewrite odd_double, half_double. split; auto. f_equal. lia.
Qed.

Lemma in_bits m : m = sums (lows m) (sums (halves m) (halves m)).
Proof.
  induction m as [|x m IH]; simpl; auto. rewrite <- IH. f_equal.
  pose proof (half x). destruct (Nat.odd x); lia.
Qed.

Lemma allowed_masked f m : allowed f m -> In (lows m) (masked f) /\ allowed f (halves m).
Proof.
  unfold allowed. induction 1 as [|b x f m H F [IH1 IH2]]; simpl; [split; auto|]. split.
  - apply in_flat_map. exists (lows m). split; auto.
    destruct (Nat.eqb_spec b 0) as [Z|N]; [rewrite (H Z); simpl; auto|].
    destruct (Nat.odd x); simpl; auto.
  - constructor; auto. intros Z. now rewrite (H Z).
Qed.

Lemma allowed_length f m : allowed f m -> length m = length f.
Proof. unfold allowed. induction 1; simpl; auto. Qed.

Lemma masked_length f b : In b (masked f) -> length b = length f.
Proof.
  revert b. induction f as [|x f IH]; simpl; intros b I.
  - destruct I as [<-|[]]. reflexivity.
  - apply in_flat_map in I as (v & Iv & I). specialize (IH v Iv).
    destruct (x =? 0); simpl in I.
    + destruct I as [<-|[]]. simpl. lia.
    + destruct I as [<-|[<-|[]]]; simpl; lia.
Qed.

Lemma all_allowed m : allowed (repeat 1 (length m)) m.
Proof.
  unfold allowed. induction m as [|x m IH]; simpl; constructor; auto. discriminate.
Qed.

Lemma zeros_sum m : forall u, all_zero m = true -> length m = length u -> sums m u = u.
Proof.
  unfold all_zero. induction m as [|x m IH]; intros [|y u]; simpl; try discriminate; auto.
  rewrite andb_split, Nat.eqb_eq. intros [-> Z] L. simpl. rewrite IH; auto.
Qed.

Lemma zeros_allowed f : allowed f (repeat 0 (length f)).
Proof. unfold allowed. induction f; simpl; constructor; auto. Qed.

Section Runs.

Variable A : automaton.
Hypothesis A_ok : automaton_ok A = true.

Lemma lows_length m : length (lows m) = length m.
Proof. apply map_length. Qed.

Lemma halves_length m : length (halves m) = length m.
Proof. apply map_length. Qed.

Lemma step_by_good b p : length b = digits A -> good_place A p -> good_place A (step_by A b p).
Proof.
  intros Lb [S L]. unfold step_by, good_place. cbv zeta. simpl.
  assert (Q : length (sums b (carry p)) = digits A) by now apply length_sums.
  split; [now apply next_bits_below|]. now rewrite halves_length.
Qed.

Lemma says_step b m p : length b = digits A -> length m = digits A -> good_place A p ->
  says_with A p (sums b (sums m m)) = says_with A (step_by A b p) m.
Proof.
  intros Lb Lm [S L]. unfold says_with. rewrite read_step by auto.
  destruct (step_by_counts (carry p) b m) as [B H]; [congruence|congruence|].
  cbv zeta in B, H. rewrite B, H. reflexivity.
Qed.

Lemma says_halved m p : length m = digits A -> good_place A p ->
  says_with A p m = says_with A (step_by A (lows m) p) (halves m).
Proof.
  intros Lm Gp. rewrite (in_bits m) at 1.
  apply says_step; auto; [rewrite lows_length|rewrite halves_length]; auto.
Qed.

Lemma says_zeros m p : all_zero m = true -> length m = digits A -> good_place A p ->
  says_with A p m = said_at_once A p.
Proof.
  intros Z L [_ Q]. unfold says_with, said_at_once. rewrite zeros_sum; auto. congruence.
Qed.

(** T5 for digits. *)
Theorem runs_say_the_same f T : runs_ok A f T = true -> length f = digits A ->
  forall m, allowed f m -> forall i, i < run_count T ->
  good_place A (one_run (run_pair T i)) -> good_place A (other_run (run_pair T i)) ->
  says_with A (one_run (run_pair T i)) m = says_with A (other_run (run_pair T i)) m.
Proof.
  intros T_ok Lf m. unfold runs_ok in T_ok. rewrite all_below_spec in T_ok.
  remember (list_sum m) as s eqn:Es. revert m Es.
  induction s as [s IH] using lt_wf_ind. intros m -> Am i Li G1 G2.
  pose proof (T_ok i Li) as Ti. cbv zeta in Ti. apply andb_split in Ti as [Said Steps].
  pose proof (allowed_length f m Am) as Lm. rewrite Lf in Lm.
  destruct (all_zero m) eqn:Z.
  - rewrite !says_zeros by auto. now apply said_eqb_eq.
  - rewrite !(says_halved m) by auto.
    destruct (allowed_masked f m Am) as [Il Ah].
    rewrite forallb_forall in Steps. specialize (Steps _ Il). apply andb_split in Steps as [Lj Q].
    apply Nat.ltb_lt in Lj. apply equal_pairs_eq in Q.
    assert (Ll : length (lows m) = digits A) by now rewrite lows_length.
    pose proof (step_by_good _ _ Ll G1) as S1. pose proof (step_by_good _ _ Ll G2) as S2.
    specialize (IH (list_sum (halves m)) (halves_less m Z) (halves m) eq_refl Ah _ Lj).
    rewrite <- Q in IH. simpl in IH. auto.
Qed.

End Runs.

(** ** Pairs of places through the ordinary letters *)

(** Pairs of places, numbered at each level. [level_next]: the number of the next pair, by the level,
    the number and the count. Then the number of a pair of runs, by the number of its pair of
    states. *)
Record alike := Alike {
  level_size : nat -> nat;
  level_pair : nat -> nat -> nat * nat;
  level_next : nat -> nat -> nat -> nat;
  first_run : nat -> nat;
  alike_runs : runs }.

(** From where on counts are read through the cycle at a place, and its period. *)
Definition index_at (d : diagram) (l p : nat) : nat :=
  if level_of d p =? l then index (cycle_at d p) else 0.

Definition period_at (d : diagram) (l p : nat) : nat :=
  if level_of d p =? l then period (cycle_at d p) else 1.

(** The steps from a pair of places, where [x] and [y] are added to the count. *)
Definition level_ok (d : diagram) (T : alike) (l x y i : nat) : bool :=
  let (p, q) := level_pair T l i in
  all_below (max (index_at d l p) (index_at d l q) + period_at d l p * period_at d l q) (fun z =>
    let j := level_next T l i z in
    let (p', q') := level_pair T (S l) j in
    (j <? level_size T (S l)) && (follow d l p (z + x) =? p') && (follow d l q (z + y) =? q')).

Fixpoint levels_ok (d : diagram) (T : alike) (l : nat) (u v : list nat) : bool :=
  match u, v with
  | x :: u, y :: v => all_below (level_size T l) (level_ok d T l x y) && levels_ok d T (S l) u v
  | _, _ => true
  end.

(** The counts [u] and [v] have equal claims in every company. *)
Definition alike_ok (d : diagram) (u v : counts) (T : alike) : bool :=
  let A := diagram_reader d in
  (0 <? level_size T 0) && (fst (level_pair T 0 0) =? root d) &&
  (snd (level_pair T 0 0) =? root d) &&
  levels_ok d T 0 (of_cycles u) (of_cycles v) &&
  all_below (level_size T (levels d)) (fun i =>
    let (p, q) := level_pair T (levels d) i in
    (first_run T i <? run_count (alike_runs T)) &&
    equal_pairs (Pair (Place p (of_digits u)) (Place q (of_digits v)))
      (run_pair (alike_runs T) (first_run T i))) &&
  runs_ok A (repeat 1 (digits A)) (alike_runs T).

Definition plus (u v : counts) : counts :=
  Counts (sums (of_cycles u) (of_cycles v)) (sums (of_digits u) (of_digits v)).

(** Counts of all letters of a diagram. *)
Definition counts_for (d : diagram) (u : counts) : Prop :=
  length (of_cycles u) = levels d /\ length (of_digits u) = digits (diagram_reader d).

(** *** Facts *)

Section Levels.

Variable d : diagram.
Hypothesis d_ok : diagram_ok d = true.
Local Notation A := (diagram_reader d).
Hypothesis A_ok : automaton_ok A = true.

Lemma follow_period l p x j : index_at d l p <= x ->
  follow d l p (x + j * period_at d l p) = follow d l p x.
Proof.
  unfold index_at, period_at, follow. destruct (level_of d p =? l); auto.
  intros L. unfold child_for. f_equal. now apply read_count_period.
Qed.

Lemma period_at_positive l p : l < levels d -> p < places d -> 1 <= period_at d l p.
Proof.
  intros Ll Lp. unfold period_at. destruct (Nat.eqb_spec (level_of d p) l) as [E|]; auto.
  apply (diagram_parts d d_ok); auto. now apply (node_of_level d l).
Qed.

(** Finitely many counts represent all. *)
Lemma counts_enough l p q x y : l < levels d -> p < places d -> q < places d -> forall z,
  exists z', z' < max (index_at d l p) (index_at d l q) + period_at d l p * period_at d l q /\
    follow d l p (z' + x) = follow d l p (z + x) /\
    follow d l q (z' + y) = follow d l q (z + y).
Proof.
  intros Ll Lp Lq z. pose proof (period_at_positive l p Ll Lp) as Pp.
  pose proof (period_at_positive l q Ll Lq) as Pq.
  set (r := max (index_at d l p) (index_at d l q)). set (s := period_at d l p) in *.
  set (t := period_at d l q) in *.
  destruct (Nat.lt_ge_cases z r) as [L|L]; [exists z; split; auto; lia|].
  assert (N : s * t <> 0) by nia.
  pose proof (Nat.div_mod (z - r) (s * t) N) as D.
  pose proof (Nat.mod_upper_bound (z - r) (s * t) N) as B.
  set (k := (z - r) / (s * t)) in *. set (e := (z - r) mod (s * t)) in *.
  exists (r + e). split; [lia|]. split.
  - replace (z + x) with (r + e + x + (k * t) * s) by nia.
    symmetry. apply follow_period. lia.
  - replace (z + y) with (r + e + y + (k * s) * t) by nia.
    symmetry. apply follow_period. lia.
Qed.

Lemma levels_lead T v : forall l u, levels_ok d T l u v = true -> length u = length v ->
  l + length v <= levels d ->
  forall z, length z = length v -> forall i, i < level_size T l ->
  arrived d l (fst (level_pair T l i)) -> arrived d l (snd (level_pair T l i)) ->
  exists j, j < level_size T (l + length v) /\
    walk d l (fst (level_pair T l i)) (sums u z) = fst (level_pair T (l + length v) j) /\
    walk d l (snd (level_pair T l i)) (sums v z) = snd (level_pair T (l + length v) j).
Proof.
  induction v as [|y v IH]; intros l [|x u] H Lu Ll [|c z] Lz i Li A1 A2; try discriminate;
    simpl in Lu, Ll, Lz; simpl.
  - exists i. rewrite Nat.add_0_r. auto.
  - simpl in H. apply andb_split in H as [H1 H2]. rewrite all_below_spec in H1.
    specialize (H1 i Li). unfold level_ok in H1.
    destruct (level_pair T l i) as [p q] eqn:Epq. simpl in A1, A2.
    destruct (counts_enough l p q x y ltac:(lia) (proj1 A1) (proj1 A2) c) as (c' & Lc & F1 & F2).
    rewrite all_below_spec in H1. specialize (H1 c' Lc). cbv zeta in H1.
    destruct (level_pair T (S l) (level_next T l i c')) as [p' q'] eqn:Epq'.
    rewrite !andb_split, !Nat.eqb_eq, Nat.ltb_lt, F1, F2 in H1. destruct H1 as [[Lj E1] E2].
    rewrite (Nat.add_comm x c), (Nat.add_comm y c). simpl. rewrite E1, E2.
    rewrite <- Nat.add_succ_comm.
    destruct (IH (S l) u H2 ltac:(lia) ltac:(lia) z ltac:(lia) _ Lj) as (j & Lj' & J1 & J2).
    + rewrite Epq'. simpl. rewrite <- E1. apply (follow_arrived d d_ok); auto. lia.
    + rewrite Epq'. simpl. rewrite <- E2. apply (follow_arrived d d_ok); auto. lia.
    + rewrite Epq' in J1, J2. simpl in J1, J2. eauto.
Qed.

(** T5: the same is claimed of both in every company. *)
Theorem alike_claims u v T : alike_ok d u v T = true -> counts_for d u -> counts_for d v ->
  forall z, counts_for d z -> claimed_of d (plus u z) = claimed_of d (plus v z).
Proof.
  intros H [Lu Du] [Lv Dv] z [Lz Dz]. unfold alike_ok in H. cbv zeta in H.
  rewrite !andb_split, Nat.ltb_lt, !Nat.eqb_eq in H. destruct H as [[[[[P E1] E2] Le] Fi] Ru].
  destruct (levels_lead T (of_cycles v) 0 (of_cycles u) Le ltac:(lia) ltac:(simpl; lia) (of_cycles z)
    ltac:(lia) 0 P) as (j & Lj & W1 & W2).
  - rewrite E1. apply root_arrived; auto.
  - rewrite E2. apply root_arrived; auto.
  - rewrite E1 in W1. rewrite E2 in W2. rewrite Lv in Lj, W1, W2. simpl in Lj, W1, W2.
    rewrite all_below_spec in Fi. specialize (Fi j Lj).
    assert (G1 : fst (level_pair T (levels d) j) < states A).
    { rewrite <- W1. apply (walk_state d d_ok). now apply length_sums. }
    assert (G2 : snd (level_pair T (levels d) j) < states A).
    { rewrite <- W2. apply (walk_state d d_ok). now apply length_sums. }
    destruct (level_pair T (levels d) j) as [p q]. simpl in *.
    apply andb_split in Fi as [Lr Q]. apply Nat.ltb_lt in Lr. apply equal_pairs_eq in Q.
    pose proof (runs_say_the_same A A_ok _ _ Ru (repeat_length _ _) (of_digits z)) as Same.
    rewrite <- Dz in Same. specialize (Same (all_allowed _) _ Lr).
    rewrite <- Q in Same. simpl in Same. unfold says_with in Same. simpl in Same.
    unfold claimed_of, plus. simpl. rewrite W1, W2.
    rewrite (sums_comm (of_digits u)), (sums_comm (of_digits v)).
    apply Same; split; simpl; auto.
Qed.

End Levels.
