(** Which positions of an infinite quotient are P-positions? (Claim 6 and T8 of
    docs/presentations.md, decided)

    The P-portion is described by normal words and by progressions: the words [first], [first·step],
    [first·step·step], … It is found from the families of normal words. In a family one digit may be
    repeated, and an untrusted search says from which number of copies on the outcomes have a period.
    Two runs, for [k] and for [k + p] copies, read the further bits of [k] at the same time, and have
    to say the same. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteSearch
  InfiniteReading InfiniteMoves InfiniteMultiples InfiniteDiagram Words InfiniteEquality
  InfiniteApart InfinitePresentation.
Import ListNotations.

(** Words, and progressions with their first words and steps. *)
Record portion := Portion {
  p_words : list (list nat);
  progressions : list (list nat * list nat) }.

Definition in_portion (p : portion) (v : list nat) : Prop :=
  In v (p_words p) \/
  exists first step k, In (first, step) (progressions p) /\ v = sums first (map (Nat.mul k) step).

(** What an untrusted search adds, for the family with a number: from where on the outcomes of its
    words have a period, the period, and runs with the number of the pair that comes first. *)
Record portion_search := PortionSearch {
  from_copies : nat -> nat;
  copies_period : nat -> nat;
  copies_runs : nat -> runs;
  first_pair : nat -> nat }.

(** [k] copies of the letter that is marked. *)
Definition copies_of (f : list nat) (k : nat) : list nat :=
  map (fun b => if b =? 0 then 0 else k) f.

Definition marked (f : list nat) : nat := length (filter (fun b => negb (b =? 0)) f).

Section Portion.

Variable W : whole.
Variable P : presentation.
Local Notation d := (diagram_of W).

Definition word_is_P (v : list nat) : bool :=
  said_eqb (claimed_of d (word_of_counts W P v)) SaysP.

Definition in_member (F : family) (k : nat) : list nat := sums (least F) (copies_of (free F) k).

(** Where the run of a word begins to read digits. *)
Definition place_of_word (v : list nat) : place :=
  Place (walk d 0 (root d) (of_cycles (word_of_counts W P v))) (of_digits (word_of_counts W P v)).

(** T8 for a family: the outcomes have the period. *)
Definition periodic_ok (S : portion_search) (i : nat) (F : family) : bool :=
  let r := from_copies S i in
  let p := copies_period S i in
  let T := copies_runs S i in
  (marked (free F) =? 1) && (1 <=? p) && (first_pair S i <? run_count T) &&
  equal_pairs
    (Pair (place_of_word (in_member F r)) (place_of_word (in_member F (r + p))))
    (run_pair T (first_pair S i)) &&
  runs_ok (diagram_reader d) (of_digits (word_of_counts W P (free F))) T.

Definition family_words (S : portion_search) (i : nat) (F : family) : list (list nat) :=
  filter word_is_P
    (if all_zero (free F) then [least F] else map (in_member F) (seq 0 (from_copies S i))).

Definition family_progressions (S : portion_search) (i : nat) (F : family) :
    list (list nat * list nat) :=
  if all_zero (free F) then []
  else map (fun v => (v, copies_of (free F) (copies_period S i)))
    (filter word_is_P (map (in_member F) (seq (from_copies S i) (copies_period S i)))).

(** What is found of the families is in the portion. *)
Fixpoint families_described (S : portion_search) (p : portion) (i : nat) (M : list family) : bool :=
  match M with
  | [] => true
  | F :: M =>
    (all_zero (free F) || periodic_ok S i F) &&
    forallb (has_list (p_words p)) (family_words S i F) &&
    forallb (fun e => has_pair (progressions p) (fst e) (snd e)) (family_progressions S i F) &&
    families_described S p (Datatypes.S i) M
  end.

Fixpoint words_found (S : portion_search) (i : nat) (M : list family) : list (list nat) :=
  match M with
  | [] => []
  | F :: M => family_words S i F ++ words_found S (Datatypes.S i) M
  end.

Fixpoint progressions_found (S : portion_search) (i : nat) (M : list family) :
    list (list nat * list nat) :=
  match M with
  | [] => []
  | F :: M => family_progressions S i F ++ progressions_found S (Datatypes.S i) M
  end.

(** The portion is what is found of the families. *)
Definition portion_ok (p : portion) (S : portion_search) : bool :=
  let M := normal_families P in
  match extent P with None => true | Some _ => false end &&
  families_described S p 0 M &&
  forallb (has_list (words_found S 0 M)) (p_words p) &&
  forallb (fun e => has_pair (progressions_found S 0 M) (fst e) (snd e)) (progressions p).

End Portion.

(** ** Facts *)

Lemma one_marked f : forall k, marked f = 1 -> allowed f k ->
  exists j, k = copies_of f j.
Proof.
  unfold marked, allowed. intros k. induction f as [|b f IH] in k |- *; intros M A;
    inversion A as [|? x ? k' Hb A']; subst; [discriminate|]. simpl in M.
  destruct (Nat.eqb_spec b 0) as [Z|N]; simpl in M.
  - destruct (IH k' M A') as (j & ->). exists j. simpl. rewrite Z. simpl. now rewrite (Hb Z).
  - exists x. simpl. destruct (Nat.eqb_spec b 0); [congruence|]. f_equal.
    assert (F0 : length (filter (fun b => negb (b =? 0)) f) = 0) by lia. clear - F0 A'.
    induction A' as [|b x' f k Hb A IH]; simpl in *; auto.
    destruct (Nat.eqb_spec b 0) as [Z|]; simpl in F0; [|discriminate].
    rewrite IH by auto. now rewrite (Hb Z).
Qed.

Lemma copies_allowed f k : allowed f (copies_of f k).
Proof.
  unfold allowed, copies_of. induction f as [|b f IH]; simpl; constructor; auto.
  intros ->. reflexivity.
Qed.

Lemma copies_sum f j k : sums (copies_of f j) (copies_of f k) = copies_of f (j + k).
Proof.
  unfold copies_of. induction f as [|b f IH]; simpl; auto. rewrite IH. now destruct (b =? 0).
Qed.

Lemma copies_times f j k : map (Nat.mul k) (copies_of f j) = copies_of f (k * j).
Proof.
  unfold copies_of. rewrite map_map. apply map_ext. intros b. destruct (b =? 0); auto.
Qed.

Lemma nothing_allowed f k : all_zero f = true -> allowed f k -> all_zero k = true.
Proof.
  unfold all_zero, allowed. intros Z A. revert Z.
  induction A as [|b x f k Hb A IH]; simpl; auto. rewrite !andb_split, !Nat.eqb_eq.
  intros [B Z]. auto.
Qed.

Lemma in_member_more F j k : sums (in_member F j) (copies_of (free F) k) = in_member F (j + k).
Proof. unfold in_member. now rewrite <- sums_assoc, copies_sum. Qed.

Section Described.

Variable c : code.
Variable W : whole.
Hypothesis W_ok : whole_ok c W = true.
Variable P : presentation.
Hypothesis P_ok : presentation_ok W P = true.
Variable p : portion.
Variable S : portion_search.
Hypothesis p_ok : portion_ok W P p S = true.

Local Notation G := (game_of_code c).
Local Notation d := (diagram_of W).
Local Notation A := (diagram_reader d).
Local Notation E := (evidence_of W).
Local Notation H := (heaps_of W).
Local Notation L := (generators P).
Local Notation n := (length (generators P)).
Local Notation is_P := (word_is_P W P).

Lemma word_is_P_outcome v : is_P v = true <-> Ppos G (spread L v).
Proof.
  destruct (whole_outcomes c W W_ok (spread L v) (spread_heaps c W W_ok P P_ok v)) as [O _].
  rewrite O. rewrite (reading_of_letters W) by (apply (spread_letters W P P_ok)).
  unfold word_is_P. rewrite said_eqb_eq. reflexivity.
Qed.

(** A word with more copies of digits, as a run. *)
Lemma claimed_more F v k : In F (normal_families P) -> length v = n -> allowed (free F) k ->
  claimed_of d (word_of_counts W P (sums v k)) =
  says_with A (place_of_word W P v) (of_digits (word_of_counts W P k)).
Proof.
  intros I Lv Ak. destruct (families_sized W P P_ok F I) as [_ Lf].
  pose proof (allowed_length _ _ Ak) as Lk.
  unfold word_of_counts. rewrite (counts_of_sums W P v k) by congruence.
  unfold claimed_of, says_with, place_of_word, plus. simpl. f_equal.
  - f_equal. rewrite sums_comm. apply zeros_sum; [|now rewrite !map_length].
    exact (free_cycles_zero W P P_ok F k I Ak).
  - apply sums_comm.
Qed.

Lemma place_of_word_good v : good_place A (place_of_word W P v).
Proof.
  destruct (counts_good c W W_ok (spread L v)) as [C1 C2].
  destruct (evidence_whole c W W_ok) as (_ & Hd & _). split; simpl; auto.
  apply (walk_state d Hd). exact C1.
Qed.

(** T8: the outcomes of the words of a family have the period. *)
Lemma family_periodic i F : In F (normal_families P) -> periodic_ok W P S i F = true -> forall k,
  from_copies S i <= k ->
  is_P (in_member F (k + copies_period S i)) = is_P (in_member F k).
Proof.
  intros I Ok k Lk. unfold periodic_ok in Ok. cbv zeta in Ok.
  rewrite !andb_split, Nat.ltb_lt in Ok. destruct Ok as [[[[_ _] Lp] Q] Ro].
  apply equal_pairs_eq in Q. destruct (evidence_whole c W W_ok) as (_ & Hd & HA).
  destruct (families_sized W P P_ok F I) as [Lf Lfr].
  set (r := from_copies S i) in *. set (t := copies_period S i) in *.
  assert (Lm : forall j, length (in_member F j) = n).
  { intros j. unfold in_member. apply length_sums; auto. unfold copies_of. now rewrite map_length. }
  unfold word_is_P. f_equal. remember (k - r) as j eqn:Ej.
  replace (k + t) with (r + t + j) by lia. replace k with (r + j) by lia. clear k Lk Ej.
  rewrite <- (in_member_more F (r + t) j), <- (in_member_more F r j), !(claimed_more F) by auto using copies_allowed.
  symmetry. pose proof (runs_say_the_same A HA _ _ Ro) as Same.
  specialize (Same (proj2 (counts_good c W W_ok (spread L (free F))))
    (of_digits (word_of_counts W P (copies_of (free F) j)))).
  specialize (Same (allowed_map P _ _ _ (copies_allowed _ _) Lfr) _ Lp).
  rewrite <- Q in Same. simpl in Same. apply Same; apply place_of_word_good.
Qed.

Lemma family_periodic_often i F k : In F (normal_families P) -> periodic_ok W P S i F = true ->
  from_copies S i <= k -> forall j,
  is_P (in_member F (k + j * copies_period S i)) = is_P (in_member F k).
Proof.
  intros I Ok Lk j. induction j as [|j IH]; [now rewrite Nat.mul_0_l, Nat.add_0_r|].
  rewrite <- IH. rewrite <- (family_periodic i F I Ok (k + j * copies_period S i)) by lia.
  f_equal. f_equal. lia.
Qed.

(** What is found of a family says which of its words are P-positions. *)
Definition in_found (i : nat) (F : family) (v : list nat) : Prop :=
  In v (family_words W P S i F) \/
  exists first step k, In (first, step) (family_progressions W P S i F) /\
    v = sums first (map (Nat.mul k) step).

Lemma found_of_family i F v : In F (normal_families P) ->
  all_zero (free F) || periodic_ok W P S i F = true -> in_family F v -> is_P v = true ->
  in_found i F v.
Proof.
  intros I Ok (k & Ak & ->) Pv. destruct (families_sized W P P_ok F I) as [Lf Lfr].
  pose proof (allowed_length _ _ Ak) as Lk. unfold in_found, family_words, family_progressions.
  destruct (all_zero (free F)) eqn:Z; simpl in Ok.
  - left. apply filter_In. split; auto. left. symmetry. rewrite sums_comm.
    apply zeros_sum; [now apply (nothing_allowed (free F))|congruence].
  - pose proof Ok as Per. unfold periodic_ok in Ok. cbv zeta in Ok.
    rewrite !andb_split, Nat.eqb_eq, Nat.leb_le in Ok. destruct Ok as [[[[One Pos] _] _] _].
    destruct (one_marked _ _ One Ak) as (j & ->). fold (in_member F j) in Pv |- *.
    set (r := from_copies S i) in *. set (t := copies_period S i) in *.
    destruct (Nat.lt_ge_cases j r) as [Lj|Lj].
    + left. apply filter_In. split; auto. apply in_map, in_seq. lia.
    + right. pose proof (Nat.div_mod (j - r) t ltac:(lia)) as D.
      pose proof (Nat.mod_upper_bound (j - r) t ltac:(lia)) as B.
      set (a := (j - r) / t) in *. set (b := (j - r) mod t) in *.
      exists (in_member F (r + b)), (copies_of (free F) t), a. split.
      * apply in_map_iff. exists (in_member F (r + b)). split; auto. apply filter_In. split.
        -- apply in_map, in_seq. lia.
        -- rewrite <- Pv. symmetry. replace j with (r + b + a * t) by nia.
           apply family_periodic_often; auto. fold r. lia.
      * rewrite copies_times, in_member_more. f_equal. nia.
Qed.

Lemma found_is_P i F v : In F (normal_families P) ->
  all_zero (free F) || periodic_ok W P S i F = true -> in_found i F v -> is_P v = true.
Proof.
  intros I Ok [J|(first & step & k & J & ->)].
  - unfold family_words in J. now apply filter_In in J.
  - unfold family_progressions in J. destruct (all_zero (free F)); [destruct J|]. simpl in Ok.
    apply in_map_iff in J as (v & [= <- <-] & J). apply filter_In in J as [J Pv].
    apply in_map_iff in J as (j & <- & J). apply in_seq in J.
    rewrite copies_times, in_member_more, family_periodic_often; auto. lia.
Qed.

Lemma described_parts i M : families_described W P S p i M = true ->
  (forall F, In F M -> exists j, all_zero (free F) || periodic_ok W P S j F = true /\
    forall v, in_found j F v -> in_portion p v) /\
  (forall v, In v (words_found W P S i M) -> exists j F, In F M /\
    all_zero (free F) || periodic_ok W P S j F = true /\ In v (family_words W P S j F)) /\
  (forall e, In e (progressions_found W P S i M) -> exists j F, In F M /\
    all_zero (free F) || periodic_ok W P S j F = true /\ In e (family_progressions W P S j F)).
Proof.
  revert i. induction M as [|F M IH]; simpl; intros i D; [repeat split; tauto|].
  rewrite !andb_split in D. destruct D as [[[Ok Dw] Dp] D]. destruct (IH _ D) as (I1 & I2 & I3).
  rewrite forallb_forall in Dw, Dp. repeat split.
  - intros F' [<-|I]; [|auto]. exists i. split; auto.
    intros v [J|(first & step & k & J & ->)].
    + left. now apply has_list_in, Dw.
    + right. exists first, step, k. split; auto.
      apply has_pair_in. exact (Dp _ J).
  - intros v J. apply in_app_iff in J as [J|J]; [exists i, F; auto|].
    destruct (I2 v J) as (j & F' & ? & ?). exists j, F'. auto.
  - intros e J. apply in_app_iff in J as [J|J]; [exists i, F; auto|].
    destruct (I3 e J) as (j & F' & ? & ?). exists j, F'. auto.
Qed.

Lemma portion_parts : extent P = None /\ families_described W P S p 0 (normal_families P) = true /\
  (forall v, In v (p_words p) -> In v (words_found W P S 0 (normal_families P))) /\
  (forall e, In e (InfinitePortion.progressions p) ->
    In e (progressions_found W P S 0 (normal_families P))).
Proof.
  unfold portion_ok in p_ok. cbv zeta in p_ok. rewrite !andb_split, !forallb_forall in p_ok.
  destruct p_ok as [[[R D] Dw] Dp]. split; [destruct (extent P); auto; discriminate|].
  split; auto. split.
  - intros v I. now apply has_list_in, Dw.
  - intros [f s] I. apply has_pair_in. exact (Dp _ I).
Qed.

(** A normal word is a P-position if and only if it is described. *)
Theorem portion_of_normal_words v : length v = n -> normal (relations P) v ->
  (Ppos G (spread L v) <-> in_portion p v).
Proof.
  intros Lv N. rewrite <- word_is_P_outcome. destruct portion_parts as (R & D & Dw & Dp).
  destruct (described_parts 0 _ D) as (I1 & I2 & I3). split.
  - intros Pv. destruct (families_within W P P_ok v Lv N) as (F & IF & Fv).
    { unfold within. now rewrite R. }
    destruct (I1 F IF) as (j & Ok & In_p). apply In_p. now apply found_of_family.
  - intros [J|(first & step & k & J & ->)].
    + destruct (I2 v (Dw v J)) as (j & F & IF & Ok & Jf). apply (found_is_P j F); auto. now left.
    + destruct (I3 _ (Dp _ J)) as (j & F & IF & Ok & Jf). apply (found_is_P j F); auto.
      right. eauto.
Qed.

(** A position is a P-position if and only if it is equal to a word that is described. *)
Theorem portion_of_positions X : Forall H X ->
  (Ppos G X <-> exists v, in_portion p v /\ indistinguishable G H X (spread L v)).
Proof.
  intros F. destruct portion_parts as (R & D & Dw & Dp).
  assert (Same : forall v, indistinguishable G H X (spread L v) ->
    (Ppos G X <-> Ppos G (spread L v))).
  { intros v I. specialize (I [] (Forall_nil _)). now rewrite !app_nil_r in I. }
  split.
  - intros PX. destruct (position_is_its_word c W W_ok P P_ok X F) as [Lw Iw].
    destruct (one_normal_word c W W_ok P P_ok (word_of_position W P X) Lw)
      as (w & Lw' & Nw & _ & Ew & _).
    { unfold within. now rewrite R. }
    assert (Q : indistinguishable G H X (spread L w)).
    { intros Z FZ. rewrite (Iw Z FZ). now apply Ew. }
    exists w. split; auto. apply portion_of_normal_words; auto. now apply Same.
  - intros (v & Iv & Q). apply (Same v Q). apply word_is_P_outcome.
    destruct (described_parts 0 _ D) as (I1 & I2 & I3).
    destruct Iv as [J|(first & step & k & J & ->)].
    + destruct (I2 v (Dw v J)) as (j & F' & IF & Ok & Jf). apply (found_is_P j F'); auto. now left.
    + destruct (I3 _ (Dp _ J)) as (j & F' & IF & Ok & Jf). apply (found_is_P j F'); auto.
      right. eauto.
Qed.

End Described.
