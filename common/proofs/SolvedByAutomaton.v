(** The checker of an automaton that solves a game: what it accepts decides every position of all
    heaps.

    The theorem at the end is all that has to be read besides the definitions of [Games], of
    [Codes] and of the first part of [Automata]. It speaks of the automaton only, and not of what an
    untrusted search has added. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops Automata AutomatonSplits AutomatonMoves
  AutomatonReplies AutomatonSchemes.
Import ListNotations.

(** ** D3: positions without a move *)

(** D1: of each heap that has as many beans as the code has digits, and one more, some move leaves a
    heap. *)
Definition large_heaps_ok (c : code) : bool :=
  existsb (fun t => allows c t 1 || allows c t 2) (seq 0 (length c)).

Definition is_dead (c : code) (h : nat) : bool :=
  match code_options c h with [] => true | _ => false end.

(** [ends n s]: some position of heaps up to [n + 1] without options leads to the state [s]. *)
Definition terminal_ok (c : code) (A : automaton) (states : nat) (ends : nat -> nat -> bool) :
    bool :=
  ends 0 0 &&
  all_below (length c) (fun n =>
    let dead := is_dead c (n + 1) in
    all_below states (fun s =>
      if ends n s then
        negb (is_P_state A s) && (if dead then ends n (after_heap A s) else true) &&
        (if n + 1 <? length c then ends (n + 1) (after_step A s) else true)
      else true)).

Section Terminal.

Variable c : code.
Variable A : automaton.
Variable states : nat.
Variable ends : nat -> nat -> bool.
Hypothesis st_ok : states_ok A states = true.
Hypothesis keep : steps_keep A.
Hypothesis large : large_heaps_ok c = true.
Hypothesis ok : terminal_ok c A states ends = true.

Local Notation state := (read (after_heap A) (after_step A)).

Lemma large_heap h : length c < h -> code_options c h <> [].
Proof.
  intros L E. pose proof large as H. unfold large_heaps_ok in H.
  apply existsb_exists in H as (t & I & H). apply in_seq in I.
  apply orb_prop in H as [H|H].
  - pose proof (option_one c t (h - t) H ltac:(lia)) as O.
    replace (h - t + t) with h in O by lia. rewrite E in O. destruct O.
  - pose proof (option_two c t 1 (h - t - 1) H ltac:(lia) ltac:(lia)) as O.
    replace (1 + (h - t - 1) + t) with h in O by lia. rewrite E in O. destruct O.
Qed.

Lemma terminal_parts : ends 0 0 = true /\ forall n s, n < length c -> s < states ->
  ends n s = true -> is_P_state A s = false /\
    (code_options c (S n) = [] -> ends n (after_heap A s) = true) /\
    (S n < length c -> ends (S n) (after_step A s) = true).
Proof.
  pose proof ok as H. unfold terminal_ok in H. apply andb_split in H as [Ze All].
  split; [exact Ze|]. intros n s Ln Ls E. rewrite all_below_spec in All. specialize (All n Ln).
  cbv zeta in All. rewrite all_below_spec in All. specialize (All s Ls). rewrite E in All.
  replace (n + 1) with (S n) in All by lia. rewrite !andb_split in All. destruct All as [[P He] St].
  apply negb_true_iff in P. split; [exact P|]. split.
  - intros Dead. unfold is_dead in He. now rewrite Dead in He.
  - intros L. destruct (Nat.ltb_spec (S n) (length c)); [exact St|lia].
Qed.

Theorem terminal_N : no_terminal_P c A.
Proof.
  destruct terminal_parts as [Ze Nx]. intros X Po T.
  assert (Dead : Forall (fun h => code_options c h = []) X).
  { apply Forall_forall. intros h I. destruct (code_options c h) as [|o l] eqn:E; [reflexivity|].
    exfalso. apply in_split in I as (B & C & ->). apply (T (B ++ o ++ C)).
    exists B, h, C, o. repeat split; auto. simpl. rewrite E. now left. }
  assert (Len : 1 <= length c).
  { pose proof large as H. unfold large_heaps_ok in H. destruct (length c); [discriminate|lia]. }
  assert (U : up_to (length c - 1) X).
  { unfold up_to. unfold positive in Po. rewrite Forall_forall in *. intros h I.
    specialize (Dead h I). specialize (Po h I).
    destruct (Nat.le_gt_cases h (length c)) as [L|L]; [lia|]. now apply large_heap in L. }
  rewrite (says_later A keep X (length c - 1) U).
  assert (E : forall n Y, up_to n Y -> n < length c ->
    Forall (fun h => code_options c h = []) Y -> ends n (state Y n) = true).
  { apply (reading_induction (fun n Y => n < length c ->
      Forall (fun h => code_options c h = []) Y -> ends n (state Y n) = true)).
    - intros n Y Y' Pm H L F. rewrite <- (read_permutation _ _ _ _ n Pm). apply H; [exact L|].
      exact (Permutation_Forall (Permutation_sym Pm) F).
    - intros _ _. exact Ze.
    - intros n Y _ H L F. inversion F as [|? ? Fn FY]; subst. rewrite read_heap.
      apply (Nx n (state Y n) L (state_bound A states st_ok Y n)); auto.
    - intros n Y UY H L F. rewrite read_step by exact UY.
      apply (Nx n (state Y n) ltac:(lia) (state_bound A states st_ok Y n)); auto.
      apply H; [lia|auto]. }
  apply (Nx (length c - 1) _ ltac:(lia) (state_bound A states st_ok X (length c - 1))).
  apply E; auto. lia.
Qed.

End Terminal.

(** ** All hypotheses *)

(** An automaton with everything that an untrusted search adds to it: the states of positions
    without a move, configurations for D4, and situations with schemes for D5. *)
Record automaton_claim := AutomatonClaim {
  claim_automaton : automaton;
  claim_states : nat;
  claim_ends : nat -> nat -> bool;
  claim_moves : split_search;
  claim_graph : reply_graph;
  claim_schemes : reply_schemes }.

(** D1, as far as the proof needs it. *)
Definition automaton_form_ok (c : code) (C : automaton_claim) : bool :=
  two_parts_ok c && large_heaps_ok c && states_ok (claim_automaton C) (claim_states C).

(** D2, as far as the proof needs it. *)
Definition automaton_steps_ok (C : automaton_claim) : bool :=
  steps_ok (claim_automaton C) (claim_states C).

(** D3. *)
Definition automaton_terminal_ok (c : code) (C : automaton_claim) : bool :=
  terminal_ok c (claim_automaton C) (claim_states C) (claim_ends C).

(** D4. *)
Definition automaton_moves_ok (c : code) (C : automaton_claim) : bool :=
  moves_ok c (claim_automaton C) (claim_moves C).

(** D5. *)
Definition automaton_replies_ok (c : code) (C : automaton_claim) : bool :=
  replies_ok c (claim_automaton C) (claim_graph C) (claim_schemes C) (claim_states C).

Definition automaton_ok (c : code) (C : automaton_claim) : bool :=
  automaton_form_ok c C && automaton_steps_ok C && automaton_terminal_ok c C &&
  automaton_moves_ok c C && automaton_replies_ok c C.

Section Solved.

Variable c : code.
Variable C : automaton_claim.
Hypothesis ok : automaton_ok c C = true.

Local Notation G := (game_of_code c).
Local Notation A := (claim_automaton C).

Lemma automaton_parts : two_parts_ok c = true /\ large_heaps_ok c = true /\
  states_ok A (claim_states C) = true /\ steps_ok A (claim_states C) = true /\
  automaton_terminal_ok c C = true /\ automaton_moves_ok c C = true /\
  automaton_replies_ok c C = true.
Proof.
  pose proof ok as H. unfold automaton_ok, automaton_form_ok, automaton_steps_ok in H.
  rewrite !andb_split in H. tauto.
Qed.

Lemma steps_kept : steps_keep A.
Proof.
  destruct automaton_parts as (_ & _ & St & Ke & _). intros X n. cbv zeta.
  unfold steps_ok in Ke. rewrite all_below_spec in Ke. apply eqb_prop, Ke.
  exact (state_bound A (claim_states C) St X n).
Qed.

(** A position is a P-position of misère play if and only if the automaton says so: every position,
    with heaps of any size. *)
Theorem automaton_decides (X : position) : Ppos G X <-> automaton_says_P A X = true.
Proof.
  destruct automaton_parts as (Tw & La & St & _ & Te & Mo & Re).
  apply D3_to_D5_decide.
  - exact (terminal_N c A (claim_states C) (claim_ends C) St steps_kept La Te).
  - exact (no_P_to_P c A (claim_moves C) Tw steps_kept Mo).
  - exact (N_has_P c A (claim_states C) (claim_graph C) (claim_schemes C) St steps_kept Re).
Qed.

End Solved.
