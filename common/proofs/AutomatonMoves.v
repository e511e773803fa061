(** The hypothesis D4 of docs/automata.md: no position that an automaton calls P has an option that
    it calls P. The automaton reads both side by side (AutomatonSplits). *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops Automata AutomatonSplits.
Import ListNotations.

(** The automaton itself as the reader of the position. *)
Definition self_watcher (A : automaton) : watcher :=
  Watcher (after_heap A) (after_step A) (fun s => s) (fun _ => 0) (fun _ => false).

(** D1: a move leaves at most two heaps. *)
Definition two_parts_ok (c : code) : bool := forallb (fun d => d <? 8) c.

(** D4. *)
Definition moves_ok (c : code) (A : automaton) (S : split_search) : bool :=
  split_ok c A (self_watcher A) Any_move S (fun x y => negb (is_P_state A x && is_P_state A y)).

Lemma at_most_two c t k : two_parts_ok c = true -> allows c t k = true -> k <= 2.
Proof.
  intros T Al. pose proof (allows_length _ _ _ Al) as Lt. unfold allows in Al.
  apply andb_split in Al as [B _]. unfold two_parts_ok in T. rewrite forallb_forall in T.
  assert (D : digit c t < 8) by (apply Nat.ltb_lt, T, nth_In, Lt).
  destruct (Nat.le_gt_cases k 2) as [L|L]; [exact L|].
  destruct (Nat.eq_dec (digit c t) 0) as [E|E]; [rewrite E, Nat.bits_0 in B; discriminate|].
  rewrite Nat.bits_above_log2 in B; [discriminate|].
  apply Nat.log2_lt_pow2; [lia|]. apply Nat.lt_le_trans with (2 ^ 3); [exact D|].
  apply Nat.pow_le_mono_r; lia.
Qed.

(** What a move leaves: nothing, one heap or two. *)
Lemma option_shapes c h o : two_parts_ok c = true -> In o (code_options c h) ->
  exists t, (o = [] /\ h = t /\ allows c t 0 = true) \/
    (exists b, o = [b] /\ 1 <= b /\ h = b + t /\ allows c t 1 = true) \/
    (exists a b, 1 <= a /\ a <= b /\ Permutation o [a; b] /\ h = a + b + t /\
      allows c t 2 = true).
Proof.
  intros T I. apply code_options_spec in I as (t & k & Lt & Al & Len & F & Sum).
  pose proof (at_most_two _ _ _ T Al) as Lk. exists t.
  destruct o as [|a [|b [|? ?]]]; simpl in Len; subst k; simpl in Sum; [| | |lia].
  - left. repeat split; auto. lia.
  - right; left. exists a. inversion F; subst. repeat split; auto; lia.
  - right; right. inversion F as [|? ? Fa F']; subst. inversion F' as [|? ? Fb _]; subst.
    destruct (Nat.le_ge_cases a b) as [L|L].
    + exists a, b. repeat split; auto; lia.
    + exists b, a. repeat split; auto; try lia. constructor.
Qed.

Lemma option_whole c t : allows c t 0 = true -> In [] (code_options c t).
Proof.
  intros Al. apply code_options_spec. exists t, 0. repeat split; auto; simpl; lia.
Qed.

Lemma option_one c t b : allows c t 1 = true -> 1 <= b -> In [b] (code_options c (b + t)).
Proof.
  intros Al Lb. apply code_options_spec. exists t, 1. repeat split; simpl; auto; lia.
Qed.

Lemma option_two c t a b : allows c t 2 = true -> 1 <= a -> 1 <= b ->
  In [a; b] (code_options c (a + b + t)).
Proof.
  intros Al La Lb. apply code_options_spec. exists t, 2. repeat split; simpl; auto; lia.
Qed.

Section Moves.

Variable c : code.
Variable A : automaton.
Variable S : split_search.
Hypothesis two_parts : two_parts_ok c = true.
Hypothesis keep : steps_keep A.
Hypothesis ok : moves_ok c A S = true.

Lemma self_faithful : faithful A 1 (self_watcher A).
Proof. intros X n v _. split; [reflexivity|]. now rewrite Nat.mod_1_r. Qed.

Lemma self_dull : dull_closed (self_watcher A).
Proof. intros v D. discriminate. Qed.

Theorem no_P_to_P : no_P_to_P_by c A.
Proof.
  intros X Y Po M PX. pose proof M as (B & h & C & o & EX & I & EY). simpl in I.
  set (Z := B ++ C). assert (PmX : Permutation X (h :: Z)) by
    (subst X; symmetry; apply Permutation_middle).
  assert (PmY : Permutation Y (o ++ Z)) by (subst Y; unfold Z; rewrite !app_assoc;
    apply Permutation_app_tail, Permutation_app_comm).
  set (m := pred (list_max X)). assert (U : up_to m X) by now apply up_to_greatest.
  assert (PoY : positive Y) by exact (code_move_positive c X Y M Po).
  assert (UZ : up_to m (h :: Z)) by now apply (up_to_permutation m X).
  assert (UY : up_to m Y).
  { apply (up_to_permutation m (o ++ Z)); [now symmetry|]. apply Forall_app.
    inversion UZ as [|? ? Lh FZ]; subst x l. split; [|exact FZ].
    apply Forall_forall. intros g Ig. pose proof (code_options_smaller c h o g I Ig).
    assert (0 < g); [|lia]. unfold positive in PoY. rewrite Forall_forall in PoY.
    apply PoY. eapply Permutation_in; [symmetry; exact PmY|]. apply in_or_app. now left. }
  inversion UZ as [|? ? Lh _]; subst x l.
  rewrite (says_later A keep X m U) in PX. rewrite (says_later A keep Y m UY).
  rewrite (read_permutation _ _ _ _ m PmX) in PX. rewrite (read_permutation _ _ _ _ m PmY).
  assert (E : forall o', Permutation o o' ->
    listed (self_watcher A) S (End (read (after_heap A) (after_step A) (h :: Z) m)
      (read (after_heap A) (after_step A) (o' ++ Z) m)) ->
    is_P_state A (read (after_heap A) (after_step A) (o ++ Z) m) = false).
  { intros o' Pm Li. destruct (listed_end c A (self_watcher A) Any_move S _ ok _ _ Li) as [D|Al];
      [discriminate|]. rewrite PX in Al. simpl in Al. apply negb_true_iff in Al.
    rewrite (read_permutation _ _ (o ++ Z) (o' ++ Z)); [exact Al|].
    now apply Permutation_app_tail. }
  destruct (option_shapes c h o two_parts I) as
    (t & [(-> & -> & Al)|[(b & -> & Lb & -> & Al)|(a & b & La & Lab & Pm & -> & Al)]]).
  - apply (E []); [reflexivity|].
    exact (whole_listed c A 1 (self_watcher A) Any_move S _ self_dull self_faithful ok t Z m
      eq_refl Al ltac:(lia)).
  - apply (E [b]); [reflexivity|].
    exact (one_listed c A 1 (self_watcher A) Any_move S _ self_dull self_faithful ok t b Z m
      eq_refl Al Lb ltac:(lia)).
  - apply (E [a; b]); [exact Pm|].
    exact (two_listed c A 1 (self_watcher A) Any_move S _ self_dull self_faithful ok t a b Z m
      eq_refl Al La Lab ltac:(lia)).
Qed.

End Moves.
