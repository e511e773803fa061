(** Do the outcomes claimed tell all multiples of a heap apart? (T4 of docs/infinite.md, decided)

    The multiples [k·g] and [l·g] are told apart by some letters besides them. To find these, [k]
    and [l] are read bit by bit, and the counts of the other letters are guessed bit by bit. The two
    runs of the automaton reach a pair of states with what they carry. An untrusted search lists
    sets of such pairs. It is checked that every pair of the next set comes from a pair of this one,
    and that every set that different [k] and [l] reach has a pair that leads to different outcomes
    by itself. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteSearch
  InfiniteReading InfiniteMoves.
Import ListNotations.

(** The states of two runs, and what they carry. *)
Record pair := Pair { one_run : place; other_run : place }.

(** One set of pairs. [differ]: different [k] and [l] reach it. [after]: the next set, by the bits
    of [k] and [l]. [back] and [guess]: for a pair of the next set, a pair of this set and bits of
    the counts of the other letters by which it is reached. [witness] and [path]: a pair, and
    guesses, that lead to different outcomes if no bit of [k] and [l] follows. *)
Record pairs := Pairs {
  pair_count : nat;
  pair_at : nat -> pair;
  differ : bool;
  after : bool -> bool -> nat;
  back : bool -> bool -> nat -> nat;
  guess : bool -> bool -> nat -> list nat;
  witness : nat;
  path : list (list nat) }.

(** Sets of pairs, and for each pair of the first set counts of the letters that are not digits, by
    which both runs begin. *)
Record telling := Telling {
  set_count : nat;
  set_at : nat -> pairs;
  origin : nat -> list nat }.

Definition bit (b : bool) : nat := if b then 1 else 0.

(** [k] copies of the heap [g], as counts of digits. *)
Definition copies (D : list nat) (g k : nat) : list nat := map (fun h => if h =? g then k else 0) D.

(** One more bit of each count: the bit of the copies of [g] is [k], the others are [b]. *)
Definition step_run (A : automaton) (D : list nat) (g : nat) (b : list nat) (k : nat) (p : place) :
    place :=
  let s := sums b (sums (copies D g k) (carry p)) in
  Place (next A (state p) (bits s)) (halves s).

Definition step_pair (A : automaton) (D : list nat) (g : nat) (b : list nat) (k l : nat)
    (p : pair) : pair :=
  Pair (step_run A D g b k (one_run p)) (step_run A D g b l (other_run p)).

Definition opposite_claims (v v' : said) : bool :=
  match v, v' with
  | SaysP, SaysN | SaysN, SaysP => true
  | _, _ => false
  end.

(** Whether the guesses lead to different outcomes. *)
Fixpoint leads (A : automaton) (D : list nat) (g : nat) (path : list (list nat)) (p : pair) :
    bool :=
  match path with
  | [] => opposite_claims (read_from A (state (one_run p)) (carry (one_run p)))
      (read_from A (state (other_run p)) (carry (other_run p)))
  | b :: path => (length b =? length D) && leads A D g path (step_pair A D g b 0 0 p)
  end.

Definition equal_places (p p' : place) : bool :=
  (state p =? state p') && equal_lists (carry p) (carry p').

Definition equal_pairs (p p' : pair) : bool :=
  equal_places (one_run p) (one_run p') && equal_places (other_run p) (other_run p').

(** The next set for the bits [k] and [l]. *)
Definition after_ok (A : automaton) (D : list nat) (g : nat) (M : telling) (S : pairs)
    (k l : bool) : bool :=
  let j := after S k l in
  let T := set_at M j in
  (j <? set_count M) && (negb (differ S || xorb k l) || differ T) &&
  all_below (pair_count T) (fun y =>
    let x := back S k l y in
    let b := guess S k l y in
    (x <? pair_count S) && (length b =? length D) &&
    equal_pairs (step_pair A D g b (bit k) (bit l) (pair_at S x)) (pair_at T y)).

Definition set_ok (A : automaton) (D : list nat) (g : nat) (M : telling) (S : pairs) : bool :=
  (negb (differ S) ||
    (witness S <? pair_count S) && leads A D g (path S) (pair_at S (witness S))) &&
  after_ok A D g M S false false && after_ok A D g M S false true &&
  after_ok A D g M S true false && after_ok A D g M S true true.

(** A pair of the first set: both runs begin in the same state, to which some counts lead. How they
    lead to it does not matter here: [begins] says where the automaton begins. *)
Definition origin_ok (E : evidence) (begins : list nat -> nat) (M : telling) (i : nat) : bool :=
  let v := origin M i in
  let p := Place (begins v) (copies (digit_heaps E) 0 0) in
  (length v =? length (cycles E)) && equal_pairs (Pair p p) (pair_at (set_at M 0) i).

(** H11 and H12 for the heap [g]. *)
Definition telling_ok (E : evidence) (begins : list nat -> nat) (g : nat) (M : telling) : bool :=
  has (digit_heaps E) g && (1 <=? set_count M) &&
  all_below (pair_count (set_at M 0)) (origin_ok E begins M) &&
  all_below (set_count M) (fun i => set_ok (reader E) (digit_heaps E) g M (set_at M i)).

(** ** Facts *)

Lemma equal_pairs_eq p p' : equal_pairs p p' = true -> p = p'.
Proof.
  destruct p as [[q u] [r v]], p' as [[q' u'] [r' v']].
  unfold equal_pairs, equal_places. simpl. rewrite !andb_split, !Nat.eqb_eq, !equal_lists_eq.
  intros [[-> ->] [-> ->]]. reflexivity.
Qed.

Lemma opposite_claims_opposite v v' : opposite_claims v v' = true -> opposite v v'.
Proof. unfold opposite. destruct v, v'; simpl; auto; discriminate. Qed.

Lemma odd_double s x : Nat.odd (s + (x + x)) = Nat.odd s.
Proof. replace (s + (x + x)) with (s + 2 * x) by lia. now rewrite Nat.odd_add_mul_2. Qed.

Lemma half_double s x : Nat.div2 (s + (x + x)) = Nat.div2 s + x.
Proof.
  pose proof (half (s + (x + x))) as H. rewrite odd_double in H. pose proof (half s). lia.
Qed.

(** Reading one bit of every count. *)
Lemma step_counts D g k k' : forall b m u, length b = length D -> length m = length D ->
  length u = length D ->
  let s := sums b (sums (copies D g k) u) in
  let t := sums (sums b (sums m m)) (sums (copies D g (k + (k' + k'))) u) in
  bits t = bits s /\ halves t = sums m (sums (copies D g k') (halves s)).
Proof.
  induction D as [|h D IH]; intros [|x b] [|y m] [|w u]; simpl; intros Lb Lm Lu;
    try discriminate; auto.
  destruct (IH b m u ltac:(lia) ltac:(lia) ltac:(lia)) as [I1 I2]. cbv zeta in I1, I2.
  rewrite I1, I2.
  assert (T : x + (y + y) + ((if h =? g then k + (k' + k') else 0) + w) =
    x + ((if h =? g then k else 0) + w) +
      (y + (if h =? g then k' else 0) + (y + (if h =? g then k' else 0)))).
  { destruct (h =? g); lia. }
  rewrite T, odd_double, half_double. split; auto. f_equal. lia.
Qed.

Section Multiples.

Variable c : code.
Variable n : nat.
Variable E : evidence.
Hypothesis E_ok : evidence_ok c n E = true.
Hypothesis A_ok : automaton_ok (reader E) = true.
Variable g : nat.
Variable M : telling.
Variable begins : list nat -> nat.
Hypothesis M_ok : telling_ok E begins g M = true.

Local Notation A := (reader E).
Local Notation D := (digit_heaps E).

(** What is claimed, by columns or by a diagram. *)
Variable claim : list nat -> said.
Hypothesis begins_below : forall v, length v = length (cycles E) -> begins v < states A.
Hypothesis claim_read : forall z, claim z =
  read_from A (begins (map (fun h => count h z) (cycle_heaps E))) (digits_of E z).

Definition good_pair_of_runs (p : pair) : Prop :=
  good_place A (one_run p) /\ good_place A (other_run p).

(** What a run says of [m] besides [k] copies of [g]. *)
Definition run_says (p : place) (m : list nat) (k : nat) : said :=
  read_from A (state p) (sums m (sums (copies D g k) (carry p))).

(** Some counts of the other letters lead to different outcomes for [k] and [l]. *)
Definition tells (p : pair) (k l : nat) : Prop := exists m, length m = length D /\
  opposite (run_says (one_run p) m k) (run_says (other_run p) m l).

Lemma digits_length : length D = digits A.
Proof. apply (evidence_parts c n E E_ok). Qed.

Lemma copies_length k : length (copies D g k) = length D.
Proof. apply map_length. Qed.

Lemma sums_both a b : length a = length D -> length b = length D -> length (sums a b) = length D.
Proof. intros La Lb. rewrite sums_length; congruence. Qed.

Lemma step_run_says p b m k k' : good_place A p -> length b = length D -> length m = length D ->
  run_says p (sums b (sums m m)) (k + (k' + k')) = run_says (step_run A D g b k p) m k'.
Proof.
  intros [S L] Lb Lm. rewrite <- digits_length in L. unfold run_says. rewrite read_step by auto.
  destruct (step_counts D g k k' b m (carry p)) as [B H]; auto. cbv zeta in B, H.
  rewrite B, H. reflexivity.
Qed.

Lemma step_run_good p b k : good_place A p -> length b = length D ->
  good_place A (step_run A D g b k p).
Proof.
  intros [S L] Lb. rewrite <- digits_length in L. unfold step_run, good_place. cbv zeta. simpl.
  assert (Q : length (sums b (sums (copies D g k) (carry p))) = digits A).
  { rewrite <- digits_length. auto using sums_both, copies_length. }
  split; [now apply next_bits_below|]. unfold halves. now rewrite map_length.
Qed.

Lemma step_tells p b k l k' l' : good_pair_of_runs p -> length b = length D ->
  tells (step_pair A D g b k l p) k' l' -> tells p (k + (k' + k')) (l + (l' + l')).
Proof.
  intros [G1 G2] Lb (m & Lm & O). exists (sums b (sums m m)). split.
  - auto using sums_both.
  - now rewrite !step_run_says by auto.
Qed.

Lemma sums_zero L : forall u, length u = length L ->
  sums (repeat 0 (length L)) (sums (copies L g 0) u) = u.
Proof.
  induction L as [|h L IH]; intros [|x u]; simpl; intros Q; try discriminate; auto.
  rewrite IH by lia. destruct (h =? g); reflexivity.
Qed.

Lemma leads_tells way : forall p, good_pair_of_runs p -> leads A D g way p = true -> tells p 0 0.
Proof.
  induction way as [|b way IH]; simpl; intros p [G1 G2] H.
  - exists (repeat 0 (length D)). split; [apply repeat_length|]. unfold run_says.
    rewrite !sums_zero by (rewrite digits_length; (apply G1 || apply G2)).
    now apply opposite_claims_opposite.
  - apply andb_split in H as [Lb H]. apply Nat.eqb_eq in Lb.
    apply (step_tells p b 0 0 0 0); [now split|auto|]. apply IH; auto.
    split; simpl; apply step_run_good; auto.
Qed.

Lemma telling_parts : In g D /\ 0 < set_count M /\
  (forall i, i < pair_count (set_at M 0) -> origin_ok E begins M i = true) /\
  (forall i, i < set_count M -> set_ok A D g M (set_at M i) = true).
Proof.
  unfold telling_ok in M_ok. rewrite !andb_split, !all_below_spec in M_ok.
  destruct M_ok as [[[I P] O] S]. apply has_in in I. apply Nat.leb_le in P. repeat split; auto.
Qed.

Lemma after_of_set i k l : i < set_count M -> after_ok A D g M (set_at M i) k l = true.
Proof.
  intros L. destruct telling_parts as (_ & _ & _ & S). specialize (S i L).
  unfold set_ok in S. rewrite !andb_split in S. destruct S as [[[[_ ?] ?] ?] ?].
  destruct k, l; auto.
Qed.

Lemma bit_half k : k = bit (Nat.odd k) + (Nat.div2 k + Nat.div2 k).
Proof. pose proof (half k). unfold bit. lia. Qed.

(** Every set tells different multiples apart, and all multiples if different ones reach it. *)
Lemma set_tells k l : forall i, i < set_count M ->
  (forall x, x < pair_count (set_at M i) -> good_pair_of_runs (pair_at (set_at M i) x)) ->
  differ (set_at M i) = true \/ k <> l ->
  exists x, x < pair_count (set_at M i) /\ tells (pair_at (set_at M i) x) k l.
Proof.
  remember (k + l) as s eqn:Es. revert k l Es.
  induction s as [s IH] using lt_wf_ind. intros k l -> i Li Good Dif.
  destruct (Nat.eq_dec (k + l) 0) as [Z|NZ].
  - assert (k = 0) by lia. assert (l = 0) by lia. subst k l.
    destruct Dif as [Dif|]; [|congruence].
    destruct telling_parts as (_ & _ & _ & S). specialize (S i Li).
    unfold set_ok in S. rewrite !andb_split in S. destruct S as [[[[W _] _] _] _].
    rewrite Dif in W. simpl in W. apply andb_split in W as [Lw W]. apply Nat.ltb_lt in Lw.
    exists (witness (set_at M i)). split; auto. eapply leads_tells; eauto.
  - set (S := set_at M i) in *.
    pose proof (after_of_set i (Nat.odd k) (Nat.odd l) Li) as Af. unfold after_ok in Af.
    cbv zeta in Af. fold S in Af. rewrite !andb_split in Af. destruct Af as [[Lj Dj] All].
    apply Nat.ltb_lt in Lj. rewrite all_below_spec in All.
    set (j := after S (Nat.odd k) (Nat.odd l)) in *. set (T := set_at M j) in *.
    pose proof (bit_half k) as Hk. pose proof (bit_half l) as Hl.
    assert (Back : forall y, y < pair_count T -> exists x b, x < pair_count S /\
      length b = length D /\
      step_pair A D g b (bit (Nat.odd k)) (bit (Nat.odd l)) (pair_at S x) = pair_at T y).
    { intros y Ly. specialize (All y Ly). rewrite !andb_split in All.
      destruct All as [[Lx Lb] Q]. apply Nat.ltb_lt in Lx. apply Nat.eqb_eq in Lb.
      apply equal_pairs_eq in Q. eauto. }
    destruct (IH (Nat.div2 k + Nat.div2 l)) with (k := Nat.div2 k) (l := Nat.div2 l) (i := j)
      as (y & Ly & Ty); auto.
    + lia.
    + fold T. intros y Ly. destruct (Back y Ly) as (x & b & Lx & Lb & <-).
      destruct (Good x Lx). split; simpl; now apply step_run_good.
    + fold T. apply orb_prop in Dj as [Dj|Dj]; auto.
      apply negb_true_iff, orb_false_elim in Dj as [D1 D2].
      destruct Dif as [Dif|Dif]; [congruence|]. right. intros H. apply Dif.
      apply xorb_eq in D2. rewrite Hk, Hl, D2, H. reflexivity.
    + destruct (Back y Ly) as (x & b & Lx & Lb & Q). exists x. split; auto.
      rewrite Hk, Hl. apply step_tells with b; auto. fold T in Ty. now rewrite Q.
Qed.

(** ** Letters with given counts *)

Definition spread (L v : list nat) : list nat :=
  flat_map (fun e => repeat (fst e) (snd e)) (combine L v).

Lemma count_repeat h x k : count h (repeat x k) = if x =? h then k else 0.
Proof.
  induction k as [|k IH]; simpl; [now destruct (x =? h)|]. rewrite IH. now destruct (x =? h).
Qed.

Lemma count_absent h (z : list nat) : ~ In h z -> count h z = 0.
Proof. intros N. destruct (count h z) eqn:C; auto. exfalso. apply N, count_positive. lia. Qed.

Lemma spread_in L : forall v h, In h (spread L v) -> In h L.
Proof.
  induction L as [|x L IH]; intros [|y v] h; unfold spread; simpl; try tauto.
  fold (spread L v). rewrite in_app_iff.
  intros [I|I]; [left; symmetry; now apply repeat_spec in I|right; eauto].
Qed.

Lemma count_spread L : NoDup L -> forall v, length v = length L ->
  map (fun h => count h (spread L v)) L = v.
Proof.
  induction 1 as [|x L N Nd IH]; intros [|y v]; simpl; intros Q; try discriminate; auto.
  unfold spread. simpl. fold (spread L v). f_equal.
  - rewrite count_app, count_repeat, Nat.eqb_refl, count_absent; [lia|].
    intros I. apply N. eapply spread_in; eauto.
  - transitivity (map (fun h => count h (spread L v)) L); [|apply IH; lia].
    apply map_ext_in. intros h I.
    rewrite count_app, count_repeat. destruct (Nat.eqb_spec x h); [congruence|reflexivity].
Qed.

(** T4: some letters tell different multiples apart. *)
Theorem multiples_told_apart k l : k <> l -> exists z, letters_only (letter E) z /\
  opposite (claim (repeat g k ++ z)) (claim (repeat g l ++ z)).
Proof.
  intros N. destruct telling_parts as (Ig & P & O & _).
  assert (First : forall x, x < pair_count (set_at M 0) -> exists v,
    length v = length (cycles E) /\
    let p := Place (begins v) (copies D 0 0) in
    pair_at (set_at M 0) x = Pair p p).
  { intros x Lx. specialize (O x Lx). unfold origin_ok in O. cbv zeta in O.
    apply andb_split in O as [Lv Q]. apply Nat.eqb_eq in Lv. apply equal_pairs_eq in Q.
    exists (origin M x). auto. }
  destruct (set_tells k l 0) as (x & Lx & m & Lm & T); auto.
  { intros x Lx. destruct (First x Lx) as (v & Lv & ->).
    assert (good_place A (Place (begins v) (copies D 0 0))).
    { split; simpl; [now apply begins_below|].
      unfold copies. now rewrite map_length, digits_length. }
    now split. }
  destruct (First x Lx) as (v & Lv & Q). rewrite Q in T. unfold run_says in T. simpl in T.
  exists (spread (letters E) (v ++ m)).
  assert (Cn : map (fun h => count h (spread (letters E) (v ++ m))) (letters E) = v ++ m).
  { apply count_spread.
    - apply all_different_nodup. apply (evidence_parts c n E E_ok).
    - unfold letters, cycle_heaps. rewrite !app_length, map_length. lia. }
  unfold letters at 2 in Cn. rewrite map_app in Cn.
  apply app_eq_app in Cn as (r & Cn).
  assert (Lr : r = []).
  { destruct Cn as [[C1 _]|[C1 _]]; apply (f_equal (@length nat)) in C1;
      unfold cycle_heaps in C1; rewrite app_length, ?map_length in C1;
      apply length_zero_iff_nil; lia. }
  subst r. rewrite !app_nil_r in Cn. simpl in Cn.
  assert (Cc : map (fun h => count h (spread (letters E) (v ++ m))) (cycle_heaps E) = v).
  { now destruct Cn as [[? _]|[? _]]. }
  assert (Cd : map (fun h => count h (spread (letters E) (v ++ m))) D = m).
  { now destruct Cn as [[_ ?]|[_ ?]]. }
  set (z := spread (letters E) (v ++ m)) in *. split.
  - apply Forall_forall. intros h I. apply spread_in in I. exact I.
  - assert (Says : forall j, claim (repeat g j ++ z) =
      read_from A (begins v) (sums m (sums (copies D g j) (copies D 0 0)))).
    { intros j. rewrite claim_read. f_equal.
      - f_equal. rewrite <- Cc. apply map_ext_in. intros h Ih. rewrite count_app, count_repeat.
        destruct (Nat.eqb_spec g h) as [<-|]; [|reflexivity]. exfalso.
        unfold cycle_heaps in Ih. apply in_map_iff in Ih as (a & Ea & Ia).
        exact (not_both c n E E_ok a g Ia Ig Ea).
      - rewrite <- Cd. unfold copies, digits_of. rewrite !sums_map. apply map_ext. intros h.
        rewrite count_app, count_repeat. rewrite (Nat.eqb_sym g h).
        destruct (h =? g), (h =? 0); lia. }
    rewrite !Says. exact T.
Qed.

End Multiples.
