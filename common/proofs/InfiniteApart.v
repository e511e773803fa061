(** Have different normal words different values? (W6 and T7 of docs/presentations.md, decided)

    The normal words are those of finitely many families: the least word of a family, with any
    numbers of some digits besides. So a word of a family is a run that begins with what its least
    word carries, and reads more bits of these digits.

    An untrusted search names companies. Where all words of a family have the same outcome in a
    company, and all words of another family the other outcome, the families are told apart. What
    companies do not tell apart is told apart by sets of pairs of runs, as multiples of a heap are
    (see [InfiniteMultiples]). *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Loops InfiniteLetters InfiniteAutomaton InfiniteSearch InfiniteReading
  InfiniteMultiples InfiniteDiagram Words InfiniteEquality.
Import ListNotations.

(** ** Sets of pairs of runs *)

(** One set of pairs. [members_differ]: different words reach it. [set_after]: the next set, by the
    bits of both words. [member_from] and [company_bits]: for a pair of the next set, a pair of this
    one and the bits of a company by which it is reached. [witness_of] and [way]: a pair, and bits of
    a company, that lead to different outcomes if no bit of the words follows. *)
Record pair_set := PairSet {
  member_count : nat;
  member : nat -> pair;
  members_differ : bool;
  set_after : list nat -> list nat -> nat;
  member_from : list nat -> list nat -> nat -> nat;
  company_bits : list nat -> list nat -> nat -> list nat;
  witness_of : nat;
  way : list (list nat) }.

Record pair_sets := PairSets { pair_set_count : nat; pair_set_at : nat -> pair_set }.

Definition step_both (A : automaton) (b k l : list nat) (p : pair) : pair :=
  Pair (step_by A (sums b k) (one_run p)) (step_by A (sums b l) (other_run p)).

Fixpoint way_leads (A : automaton) (w : list (list nat)) (p : pair) : bool :=
  match w with
  | [] => opposite_claims (said_at_once A (one_run p)) (said_at_once A (other_run p))
  | b :: w => (length b =? digits A) &&
      way_leads A w (Pair (step_by A b (one_run p)) (step_by A b (other_run p)))
  end.

Definition next_set_ok (A : automaton) (T : pair_sets) (S : pair_set) (k l : list nat) : bool :=
  let j := set_after S k l in
  let S' := pair_set_at T j in
  (j <? pair_set_count T) &&
  (negb (members_differ S || negb (equal_lists k l)) || members_differ S') &&
  all_below (member_count S') (fun y =>
    let x := member_from S k l y in
    let b := company_bits S k l y in
    (x <? member_count S) && (length b =? digits A) &&
    equal_pairs (step_both A b k l (member S x)) (member S' y)).

Definition pair_set_ok (A : automaton) (f g : list nat) (T : pair_sets) (S : pair_set) : bool :=
  (negb (members_differ S) ||
    (witness_of S <? member_count S) && way_leads A (way S) (member S (witness_of S))) &&
  forallb (fun k => forallb (next_set_ok A T S k) (masked g)) (masked f).

Definition pair_sets_ok (A : automaton) (f g : list nat) (T : pair_sets) : bool :=
  all_below (pair_set_count T) (fun i => pair_set_ok A f g T (pair_set_at T i)).

(** ** Runs that say the same, whatever is read *)

Record steady := Steady {
  steady_count : nat;
  steady_place : nat -> place;
  steady_says : nat -> said;
  steady_next : nat -> list nat -> nat;
  find_steady : place -> nat }.

Definition steady_ok (A : automaton) (f : list nat) (T : steady) : bool :=
  all_below (steady_count T) (fun i =>
    let p := steady_place T i in
    said_eqb (said_at_once A p) (steady_says T i) &&
    forallb (fun b =>
      let j := steady_next T i b in
      (j <? steady_count T) && equal_places (step_by A b p) (steady_place T j) &&
      said_eqb (steady_says T j) (steady_says T i)) (masked f)).

(** ** Families *)

(** A family, by its number, the counts of its least word, and the digits that may have greater
    counts. *)
Record counted_family := CountedFamily { number : nat; least_counts : counts; more : list nat }.

(** Where the run of the least word begins to read digits, in a company. *)
Definition place_with (d : diagram) (F : counted_family) (z : counts) : place :=
  Place (walk d 0 (root d) (sums (of_cycles z) (of_cycles (least_counts F))))
    (sums (of_digits z) (of_digits (least_counts F))).

(** Companies asked for one after the other. *)
Inductive tree := Leaf | Ask (z : counts) (may_be_P may_be_N : tree).

(** What an untrusted search lists: companies; runs that say the same, for each list of digits of
    which there may be more; for two such lists, sets of pairs; and for two families, a set of pairs
    and how the members of the set begin. *)
Record telling_words := TellingWords {
  questions : tree;
  masks : list (list nat);
  mask_pairs : list (list nat * list nat);
  steadies : list nat -> steady;
  sets_for : list nat -> list nat -> pair_sets;
  first_set : nat -> nat -> nat;
  begins_with : nat -> nat -> nat -> list nat }.

(** All words of the family have this outcome in the company. *)
Definition always (d : diagram) (T : telling_words) (z : counts) (s : said) (F : counted_family) :
    bool :=
  let p := place_with d F z in
  let K := steadies T (more F) in
  let i := find_steady K p in
  (i <? steady_count K) && equal_places p (steady_place K i) && said_eqb (steady_says K i) s.

Definition has_list (L : list (list nat)) (f : list nat) : bool := existsb (equal_lists f) L.

Definition has_pair (L : list (list nat * list nat)) (f g : list nat) : bool :=
  existsb (fun e => equal_lists f (fst e) && equal_lists g (snd e)) L.

(** A set of pairs tells the words of two families apart, or different words of one family. *)
Definition told_by_set (d : diagram) (T : telling_words) (F F' : counted_family) : bool :=
  let K := sets_for T (more F) (more F') in
  let s := first_set T (number F) (number F') in
  let S := pair_set_at K s in
  has_pair (mask_pairs T) (more F) (more F') && (s <? pair_set_count K) &&
  ((number F =? number F') || members_differ S) &&
  all_below (member_count S) (fun x =>
    let u := begins_with T (number F) (number F') x in
    let z := Counts u (repeat 0 (digits (diagram_reader d))) in
    (length u =? levels d) && equal_pairs (Pair (place_with d F z) (place_with d F' z)) (member S x)).

Fixpoint all_told (d : diagram) (T : telling_words) (L : list counted_family) : bool :=
  match L with
  | [] => true
  | F :: L => forallb (told_by_set d T F) L && all_told d T L
  end.

Fixpoint tree_ok (d : diagram) (T : telling_words) (t : tree) (L : list counted_family) : bool :=
  match t with
  | Leaf => all_told d T L
  | Ask z may_be_P may_be_N =>
    (length (of_cycles z) =? levels d) && (length (of_digits z) =? digits (diagram_reader d)) &&
    tree_ok d T may_be_P (filter (fun F => negb (always d T z SaysN F)) L) &&
    tree_ok d T may_be_N (filter (fun F => negb (always d T z SaysP F)) L)
  end.

Definition no_more (F : counted_family) : bool := all_zero (more F).

Definition family_ok (d : diagram) (T : telling_words) (F : counted_family) : bool :=
  let k := digits (diagram_reader d) in
  (length (of_cycles (least_counts F)) =? levels d) &&
  (length (of_digits (least_counts F)) =? k) && (length (more F) =? k) &&
  has_list (masks T) (more F) && (no_more F || told_by_set d T F F).

(** W6 for these families. *)
Definition words_apart (d : diagram) (T : telling_words) (L : list counted_family) : bool :=
  let A := diagram_reader d in
  forallb (fun f => steady_ok A f (steadies T f)) (masks T) &&
  forallb (fun e => pair_sets_ok A (fst e) (snd e) (sets_for T (fst e) (snd e))) (mask_pairs T) &&
  forallb (family_ok d T) L && tree_ok d T (questions T) L.

(** ** Facts *)

Lemma has_list_in L f : has_list L f = true -> In f L.
Proof.
  unfold has_list. rewrite existsb_exists. intros (x & I & E). apply equal_lists_eq in E. now subst.
Qed.

Lemma has_pair_in L f g : has_pair L f g = true -> In (f, g) L.
Proof.
  unfold has_pair. rewrite existsb_exists. intros ([x y] & I & E). simpl in E.
  rewrite andb_split, !equal_lists_eq in E. destruct E as [-> ->]. exact I.
Qed.

Lemma equal_places_eq p p' : equal_places p p' = true -> p = p'.
Proof.
  destruct p as [q u], p' as [q' u']. unfold equal_places. simpl.
  rewrite andb_split, Nat.eqb_eq, equal_lists_eq. intros [-> ->]. reflexivity.
Qed.

Lemma zeros_are_zero n : all_zero (repeat 0 n) = true.
Proof. unfold all_zero. induction n; simpl; auto. Qed.

Lemma sums_swap a b c e : sums (sums a b) (sums c e) = sums (sums a c) (sums b e).
Proof.
  rewrite <- !sums_assoc. f_equal. rewrite !sums_assoc. f_equal. apply sums_comm.
Qed.

(** One bit of every count of the company and of the word. *)
Lemma regroup b m k :
  sums (sums b (sums m m)) k =
  sums (sums b (lows k)) (sums (sums m (halves k)) (sums m (halves k))).
Proof.
  rewrite (in_bits k) at 1. rewrite sums_swap. f_equal. apply sums_swap.
Qed.

Section Apart.

Variable A : automaton.
Hypothesis A_ok : automaton_ok A = true.

Definition good_pair (p : pair) : Prop :=
  good_place A (one_run p) /\ good_place A (other_run p).

(** Some company leads to different outcomes. *)
Definition apart (p : pair) (k l : list nat) : Prop := exists m, length m = digits A /\
  opposite (says_with A (one_run p) (sums m k)) (says_with A (other_run p) (sums m l)).

Lemma says_step_more p b m k : good_place A p -> length b = digits A -> length m = digits A ->
  length k = digits A ->
  says_with A p (sums (sums b (sums m m)) k) =
  says_with A (step_by A (sums b (lows k)) p) (sums m (halves k)).
Proof.
  intros G Lb Lm Lk. rewrite regroup. apply says_step; auto; apply length_sums; auto;
    now rewrite ?lows_length, ?halves_length.
Qed.

Lemma step_apart p b k l : good_pair p -> length b = digits A -> length k = digits A ->
  length l = digits A -> apart (step_both A b (lows k) (lows l) p) (halves k) (halves l) ->
  apart p k l.
Proof.
  intros [G1 G2] Lb Lk Ll (m & Lm & O). exists (sums b (sums m m)). split.
  - apply length_sums; auto. now apply length_sums.
  - now rewrite !says_step_more by auto.
Qed.

Lemma with_zeros m k : all_zero k = true -> length m = length k -> sums m k = m.
Proof. intros Z L. rewrite sums_comm. now apply zeros_sum. Qed.

Lemma way_apart w : forall p, good_pair p -> way_leads A w p = true ->
  exists m, length m = digits A /\ opposite (says_with A (one_run p) m) (says_with A (other_run p) m).
Proof.
  induction w as [|b w IH]; simpl; intros p [G1 G2] H.
  - exists (repeat 0 (digits A)). split; [apply repeat_length|]. unfold says_with.
    rewrite !zeros_sum; auto using zeros_are_zero; rewrite ?repeat_length; try (symmetry; apply G1 || apply G2).
    now apply opposite_claims_opposite.
  - apply andb_split in H as [Lb H]. apply Nat.eqb_eq in Lb.
    destruct (IH (Pair (step_by A b (one_run p)) (step_by A b (other_run p)))) as (m & Lm & O); auto.
    + split; simpl; now apply step_by_good.
    + simpl in O. exists (sums b (sums m m)). split.
      * apply length_sums; auto. now apply length_sums.
      * now rewrite !says_step by auto.
Qed.

Lemma zeros_equal k : forall l, all_zero k = true -> all_zero l = true -> length k = length l ->
  k = l.
Proof.
  unfold all_zero. induction k as [|x k IH]; intros [|y l]; simpl; try discriminate; auto.
  rewrite !andb_split, !Nat.eqb_eq. intros [-> Z] [-> Y] L. f_equal. auto.
Qed.

(** T7 for digits. *)
Theorem set_apart f g T : pair_sets_ok A f g T = true -> length f = digits A ->
  length g = digits A -> forall k l, allowed f k -> allowed g l ->
  forall i, i < pair_set_count T ->
  (forall x, x < member_count (pair_set_at T i) -> good_pair (member (pair_set_at T i) x)) ->
  members_differ (pair_set_at T i) = true \/ k <> l ->
  exists x, x < member_count (pair_set_at T i) /\ apart (member (pair_set_at T i) x) k l.
Proof.
  intros T_ok Lf Lg k l. unfold pair_sets_ok in T_ok. rewrite all_below_spec in T_ok.
  remember (list_sum k + list_sum l) as s eqn:Es. revert k l Es.
  induction s as [s IH] using lt_wf_ind. intros k l -> Ak Al i Li Good Dif.
  pose proof (allowed_length f k Ak) as Lk. pose proof (allowed_length g l Al) as Ll.
  rewrite Lf in Lk. rewrite Lg in Ll. pose proof (T_ok i Li) as Ti. unfold pair_set_ok in Ti.
  apply andb_split in Ti as [W Steps]. set (S := pair_set_at T i) in *.
  destruct (all_zero k && all_zero l) eqn:Z.
  - apply andb_split in Z as [Zk Zl].
    assert (k = l) by (apply zeros_equal; auto; congruence). subst l.
    destruct Dif as [Dif|]; [|congruence]. rewrite Dif in W. simpl in W.
    apply andb_split in W as [Lw W]. apply Nat.ltb_lt in Lw. exists (witness_of S). split; auto.
    destruct (way_apart _ _ (Good _ Lw) W) as (m & Lm & O). exists m. split; auto.
    rewrite with_zeros; auto; congruence.
  - destruct (allowed_masked f k Ak) as [Ik Hk]. destruct (allowed_masked g l Al) as [Il Hl].
    rewrite forallb_forall in Steps. specialize (Steps _ Ik). rewrite forallb_forall in Steps.
    specialize (Steps _ Il). unfold next_set_ok in Steps. cbv zeta in Steps.
    set (j := set_after S (lows k) (lows l)) in *. set (S' := pair_set_at T j) in *.
    rewrite !andb_split in Steps. destruct Steps as [[Lj Dj] All]. apply Nat.ltb_lt in Lj.
    rewrite all_below_spec in All.
    assert (Back : forall y, y < member_count S' -> exists x b, x < member_count S /\
      length b = digits A /\ step_both A b (lows k) (lows l) (member S x) = member S' y).
    { intros y Ly. specialize (All y Ly). rewrite !andb_split in All.
      destruct All as [[Lx Lb] Q]. apply Nat.ltb_lt in Lx. apply Nat.eqb_eq in Lb.
      apply equal_pairs_eq in Q. eauto. }
    assert (Low : forall m, length m = digits A -> length (lows m) = digits A).
    { intros m Lm. now rewrite lows_length. }
    destruct (IH (list_sum (halves k) + list_sum (halves l))) with
      (k := halves k) (l := halves l) (i := j) as (y & Ly & Ty); auto.
    + apply andb_false_iff in Z. pose proof (halves_sum k). pose proof (halves_sum l).
      destruct Z as [Z|Z]; apply halves_less in Z; lia.
    + fold S'. intros y Ly. destruct (Back y Ly) as (x & b & Lx & Lb & <-).
      destruct (Good x Lx). split; simpl; apply step_by_good; auto; apply length_sums; auto.
    + fold S'. apply orb_prop in Dj as [Dj|Dj]; auto.
      apply negb_true_iff, orb_false_elim in Dj as [D1 D2].
      destruct Dif as [Dif|Dif]; [congruence|]. right. intros H. apply Dif.
      apply negb_false_iff, equal_lists_eq in D2. rewrite (in_bits k), (in_bits l), D2, H.
      reflexivity.
    + destruct (Back y Ly) as (x & b & Lx & Lb & Q). exists x. split; auto.
      apply step_apart with b; auto. fold S' in Ty. now rewrite Q.
Qed.

Theorem steady_holds f T : steady_ok A f T = true -> length f = digits A ->
  forall k, allowed f k -> forall i, i < steady_count T -> good_place A (steady_place T i) ->
  says_with A (steady_place T i) k = steady_says T i.
Proof.
  intros T_ok Lf k. unfold steady_ok in T_ok. rewrite all_below_spec in T_ok.
  remember (list_sum k) as s eqn:Es. revert k Es.
  induction s as [s IH] using lt_wf_ind. intros k -> Ak i Li G.
  pose proof (T_ok i Li) as Ti. cbv zeta in Ti. apply andb_split in Ti as [Said Steps].
  pose proof (allowed_length f k Ak) as Lk. rewrite Lf in Lk. destruct (all_zero k) eqn:Z.
  - rewrite says_zeros by auto. now apply said_eqb_eq.
  - rewrite says_halved by auto. destruct (allowed_masked f k Ak) as [Il Ah].
    rewrite forallb_forall in Steps. specialize (Steps _ Il). rewrite !andb_split in Steps.
    destruct Steps as [[Lj Q] Sj]. apply Nat.ltb_lt in Lj. apply equal_places_eq in Q.
    apply said_eqb_eq in Sj.
    assert (Gs : good_place A (step_by A (lows k) (steady_place T i))).
    { apply step_by_good; auto. now rewrite lows_length. }
    rewrite Q, <- Sj. apply (IH (list_sum (halves k))); auto.
    + now apply halves_less.
    + now rewrite <- Q.
Qed.

End Apart.

Section Families.

Variable d : diagram.
Hypothesis d_ok : diagram_ok d = true.
Local Notation A := (diagram_reader d).
Hypothesis A_ok : automaton_ok A = true.
Variable T : telling_words.
Variable L : list counted_family.
Hypothesis T_ok : words_apart d T L = true.

(** The counts of a word of the family. *)
Definition word_counts (F : counted_family) (k : list nat) : counts :=
  Counts (of_cycles (least_counts F)) (sums (of_digits (least_counts F)) k).

Lemma words_apart_parts :
  (forall f, In f (masks T) -> steady_ok A f (steadies T f) = true) /\
  (forall f g, In (f, g) (mask_pairs T) -> pair_sets_ok A f g (sets_for T f g) = true) /\
  (forall F, In F L -> family_ok d T F = true) /\ tree_ok d T (questions T) L = true.
Proof.
  unfold words_apart in T_ok. cbv zeta in T_ok. rewrite !andb_split, !forallb_forall in T_ok.
  destruct T_ok as [[[T1 T2] T3] T4]. repeat split; auto. intros f g I. exact (T2 _ I).
Qed.

Definition good_family (F : counted_family) : Prop :=
  counts_for d (least_counts F) /\ length (more F) = digits A /\ In (more F) (masks T) /\
  (no_more F = true \/ told_by_set d T F F = true).

Lemma family_parts F : In F L -> good_family F.
Proof.
  intros I. destruct words_apart_parts as (_ & _ & H & _). specialize (H F I).
  unfold family_ok in H. cbv zeta in H.
  rewrite !andb_split, !Nat.eqb_eq, orb_true_iff in H.
  destruct H as [[[[H1 H2] H3] H4] H5]. apply has_list_in in H4.
  repeat split; auto.
Qed.

Lemma place_with_good F z : good_family F -> counts_for d z -> good_place A (place_with d F z).
Proof.
  intros ([Lc Ld] & _) [Zc Zd]. split; simpl.
  - apply (walk_state d d_ok). now apply length_sums.
  - now apply length_sums.
Qed.

(** What is claimed of a word of a family in a company, as a run. *)
Lemma claimed_says F k z :
  claimed_of d (plus (word_counts F k) z) = says_with A (place_with d F z) k.
Proof.
  unfold claimed_of, says_with, place_with, plus, word_counts. simpl.
  rewrite (sums_comm (of_cycles z)). f_equal.
  rewrite (sums_comm (sums (of_digits (least_counts F)) k)), sums_assoc. apply sums_comm.
Qed.

(** In the company of more digits. *)
Lemma claimed_says_more F k u m : length m = digits A ->
  length (of_digits (least_counts F)) = digits A ->
  claimed_of d (plus (word_counts F k) (Counts u m)) =
  says_with A (place_with d F (Counts u (repeat 0 (digits A)))) (sums m k).
Proof.
  intros Lm Lf. rewrite claimed_says. unfold says_with, place_with. simpl. f_equal.
  rewrite (zeros_sum (repeat 0 (digits A))).
  - rewrite sums_assoc, (sums_comm k m). reflexivity.
  - apply zeros_are_zero.
  - now rewrite repeat_length.
Qed.

Definition told_apart (F F' : counted_family) (k l : list nat) : Prop :=
  exists z, counts_for d z /\
    opposite (claimed_of d (plus (word_counts F k) z)) (claimed_of d (plus (word_counts F' l) z)).

Lemma opposite_sym v v' : opposite v v' -> opposite v' v.
Proof. unfold opposite. tauto. Qed.

Lemma told_apart_sym F F' k l : told_apart F F' k l -> told_apart F' F l k.
Proof. intros (z & Cz & O). exists z. split; auto. now apply opposite_sym. Qed.

Lemma set_tells_words F F' k l : good_family F -> good_family F' ->
  told_by_set d T F F' = true -> allowed (more F) k -> allowed (more F') l ->
  number F <> number F' \/ k <> l -> told_apart F F' k l.
Proof.
  intros G G' H Ak Al Dif. unfold told_by_set in H. cbv zeta in H. rewrite !andb_split in H.
  destruct H as [[[Hp Ls] D] Mem]. apply has_pair_in in Hp. apply Nat.ltb_lt in Ls.
  destruct words_apart_parts as (_ & Sets & _). specialize (Sets _ _ Hp).
  set (K := sets_for T (more F) (more F')) in *.
  set (s := first_set T (number F) (number F')) in *.
  rewrite all_below_spec in Mem.
  assert (First : forall x, x < member_count (pair_set_at K s) -> exists u,
    length u = levels d /\
    Pair (place_with d F (Counts u (repeat 0 (digits A))))
      (place_with d F' (Counts u (repeat 0 (digits A)))) = member (pair_set_at K s) x).
  { intros x Lx. specialize (Mem x Lx). apply andb_split in Mem as [Lu Q].
    apply Nat.eqb_eq in Lu. apply equal_pairs_eq in Q. eauto. }
  assert (Zc : forall u, length u = levels d -> counts_for d (Counts u (repeat 0 (digits A)))).
  { intros u Lu. split; simpl; auto. apply repeat_length. }
  destruct (set_apart A A_ok _ _ K Sets) with (k := k) (l := l) (i := s)
    as (x & Lx & m & Lm & O); auto; try apply G; try apply G'.
  - intros x Lx. destruct (First x Lx) as (u & Lu & <-). split; simpl; apply place_with_good; auto.
  - apply orb_prop in D as [D|D]; auto. apply Nat.eqb_eq in D. destruct Dif; auto.
  - destruct (First x Lx) as (u & Lu & Q). rewrite <- Q in O. simpl in O.
    exists (Counts u m). split; [now split|].
    rewrite !claimed_says_more; auto; try apply G; try apply G'.
Qed.

Lemma always_holds z s F k : good_family F -> counts_for d z -> always d T z s F = true ->
  allowed (more F) k -> claimed_of d (plus (word_counts F k) z) = s.
Proof.
  intros G Cz H Ak. unfold always in H. cbv zeta in H. rewrite !andb_split, Nat.ltb_lt in H.
  destruct H as [[Li Q] Sq]. apply equal_places_eq in Q. apply said_eqb_eq in Sq.
  rewrite claimed_says, Q, <- Sq. destruct words_apart_parts as (St & _).
  apply (steady_holds A A_ok (more F)); auto; try apply G.
  - apply St, G.
  - rewrite <- Q. now apply place_with_good.
Qed.

Lemma all_told_words M : all_told d T M = true -> NoDup (map number M) ->
  (forall F, In F M -> good_family F) ->
  forall F F' k l, In F M -> In F' M -> number F <> number F' -> allowed (more F) k ->
  allowed (more F') l -> told_apart F F' k l.
Proof.
  induction M as [|F0 M IH]; simpl; intros H Nd G F F' k l I I' N Ak Al; [tauto|].
  apply andb_split in H as [H1 H2]. rewrite forallb_forall in H1. inversion Nd as [|? ? N0 Nd']; subst.
  destruct I as [<-|I], I' as [<-|I'].
  - congruence.
  - apply set_tells_words; auto.
  - apply told_apart_sym, set_tells_words; auto.
  - apply IH; auto.
Qed.

Lemma filter_numbers (f : counted_family -> bool) M : NoDup (map number M) ->
  NoDup (map number (filter f M)).
Proof.
  induction M as [|F M IH]; simpl; auto. intros Nd. inversion Nd as [|? ? N Nd']; subst.
  destruct (f F); simpl; auto. constructor; auto. intros I. apply N.
  apply in_map_iff in I as (F' & E & I). apply filter_In in I as [I _]. rewrite <- E.
  now apply in_map.
Qed.

Lemma tree_tells t : forall M, tree_ok d T t M = true -> NoDup (map number M) ->
  (forall F, In F M -> good_family F) ->
  forall F F' k l, In F M -> In F' M -> number F <> number F' -> allowed (more F) k ->
  allowed (more F') l -> told_apart F F' k l.
Proof.
  induction t as [|z t1 IH1 t2 IH2]; simpl; intros M H Nd G F F' k l I I' N Ak Al.
  - now apply (all_told_words M).
  - rewrite !andb_split, !Nat.eqb_eq in H. destruct H as [[[Zc Zd] H1] H2].
    assert (Cz : counts_for d z) by now split.
    assert (Nd' : forall f, NoDup (map number (filter f M))) by auto using filter_numbers.
    assert (Gf : forall f B, In B (filter f M) -> good_family B).
    { intros f B IB. apply filter_In in IB as [IB _]. auto. }
    assert (Both : forall t s, (forall M, tree_ok d T t M = true -> NoDup (map number M) ->
      (forall F, In F M -> good_family F) -> forall F F' k l, In F M -> In F' M ->
      number F <> number F' -> allowed (more F) k -> allowed (more F') l ->
      told_apart F F' k l) ->
      tree_ok d T t (filter (fun F => negb (always d T z s F)) M) = true ->
      told_apart F F' k l \/ always d T z s F = true \/ always d T z s F' = true).
    { intros t s IH H. destruct (always d T z s F) eqn:B; auto.
      destruct (always d T z s F') eqn:B'; auto. left.
      apply (IH _ H (Nd' _) (Gf _)); auto; apply filter_In; split; auto.
      - now rewrite B.
      - now rewrite B'. }
    destruct (Both t1 SaysN IH1 H1) as [|B1]; auto.
    destruct (Both t2 SaysP IH2 H2) as [|B2]; auto.
    exists z. split; auto. unfold opposite.
    pose proof (fun s => always_holds z s F k (G F I) Cz) as C.
    pose proof (fun s => always_holds z s F' l (G F' I') Cz) as C'.
    destruct B1 as [B1|B1], B2 as [B2|B2].
    + pose proof (C _ B1 Ak). pose proof (C _ B2 Ak). congruence.
    + right. split; auto.
    + left. split; auto.
    + pose proof (C' _ B1 Al). pose proof (C' _ B2 Al). congruence.
Qed.

(** W6: different words of these families have different claims in some company. *)
Theorem families_apart F F' k l : NoDup (map number L) -> In F L -> In F' L ->
  allowed (more F) k -> allowed (more F') l -> number F <> number F' \/ k <> l ->
  F = F' \/ number F <> number F' -> told_apart F F' k l.
Proof.
  intros Nd I I' Ak Al Dif [<-|N].
  - destruct Dif as [|Dif]; [congruence|]. pose proof (family_parts F I) as G.
    destruct G as (G1 & G2 & G3 & [Z|S]).
    + exfalso. apply Dif. unfold no_more in Z.
      assert (Zero : forall m, allowed (more F) m -> all_zero m = true).
      { clear - Z. unfold allowed, all_zero in *. intros m H. revert Z.
        induction H as [|b x f m Hb H IH]; simpl; auto. rewrite !andb_split, !Nat.eqb_eq.
        intros [B Z]. auto. }
      apply zeros_equal; auto. apply allowed_length in Ak, Al. congruence.
    + apply set_tells_words; auto; repeat split; auto; apply G1.
  - apply (tree_tells (questions T) L); auto; [apply words_apart_parts|exact family_parts].
Qed.

End Families.
