(** Replies that leave a small part (the hypothesis D5 of docs/automata.md).

    A *situation* is what a reader of a position remembers at some size: the state of the automaton;
    for each small part its state if one heap of that size more had been read; the states of options
    whose heap is still to come; and the states of options that are made. An untrusted search lists
    situations. If each heap and each step leads from a situation of the list to one that knows no
    more than it should, then what a situation of the list says is true of every position that leads
    to it. A reader leaves the list if some option is a P-position whenever the position is an
    N-position, whatever follows. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops Automata AutomatonSplits AutomatonMoves.
Import ListNotations.

(** A situation. [with_part] has an entry for each small part; the entry for 0 is not used.
    [pending] has a list for each kind of move: what an option would be whose heap comes after 0, 1,
    … steps. *)
Record situation := Situation {
  sit_state : nat;
  can_move : bool;
  sit_size : nat;
  with_part : list (option nat);
  pending : list (list (option nat));
  made : list nat }.

(** The situations that a search has found; what follows each; the residue of its size modulo the
    period; the greatest small part; the size from which on sizes are alike; and pairs of states
    that never are both N. *)
Record reply_graph := ReplyGraph {
  situations : nat;
  sit_at : nat -> situation;
  heap_to : nat -> nat;
  step_to : nat -> nat;
  sit_class : nat -> nat;
  size_period : nat;
  greatest_part : nat;
  size_cap : nat;
  never_N : nat -> nat -> bool }.

(** The kinds of moves that leave a small part, or one heap: the part, and the beans taken. *)
Definition kinds (c : code) (greatest : nat) : list (nat * nat) :=
  flat_map (fun a => map (pair a) (takings c (if a =? 0 then 1 else 2))) (seq 0 (greatest + 1)).

(** ** What follows a situation *)

Section Following.

Variable c : code.
Variable A : automaton.
Variables cap greatest : nat.
Variable ks : list (nat * nat).
(** Sizes of heaps without options. *)
Variable dead : list nat.

Local Notation heap := (after_heap A).
Local Notation step := (after_step A).

Definition first_situation : situation :=
  Situation 0 false 1 (repeat None (greatest + 1))
    (map (fun k : nat * nat => repeat None (fst k + snd k)) ks) [].

(** After a heap the options of this size are made. *)
Definition pending_heap (l : list (option nat)) : list (option nat) :=
  match l with [] => [] | _ :: l => None :: map (option_map heap) l end.

Definition due (l : list (option nat)) : list nat :=
  match l with Some s :: _ => [s] | _ => [] end.

Definition heap_situation (x : situation) : situation :=
  Situation (heap (sit_state x))
    (can_move x || negb (existsb (Nat.eqb (sit_size x)) dead))
    (sit_size x)
    (map (option_map heap) (with_part x))
    (map pending_heap (pending x))
    (map heap (made x) ++ flat_map due (pending x) ++
      (if (sit_size x <? cap) && allows c (sit_size x) 0 then [sit_state x] else [])).

(** The state if the small part had been read too; one of the present size is read now. *)
Definition part_state (x : situation) (a : nat) : option nat :=
  if a =? 0 then Some (sit_state x)
  else if a =? sit_size x then Some (heap (sit_state x))
  else nth a (with_part x) None.

(** After a step the present size may have been the other part. *)
Fixpoint pending_step (x : situation) (K : list (nat * nat)) (L : list (list (option nat))) :
    list (list (option nat)) :=
  match K, L with
  | (a, _) :: K, l :: L =>
    (map (option_map step) (tl l) ++
      [if a <=? sit_size x then option_map (fun s => step (heap s)) (part_state x a) else None])
    :: pending_step x K L
  | _, _ => []
  end.

Definition step_situation (x : situation) : situation :=
  Situation (step (sit_state x)) (can_move x)
    (if sit_size x <? cap then sit_size x + 1 else sit_size x)
    (map (fun a => option_map step (part_state x a)) (seq 0 (greatest + 1)))
    (pending_step x ks (pending x))
    (map step (made x)).

End Following.

(** ** Knowing no more *)

Fixpoint entries_within (l l' : list (option nat)) : bool :=
  match l, l' with
  | [], [] => true
  | None :: l, _ :: l' => entries_within l l'
  | Some s :: l, Some s' :: l' => (s =? s') && entries_within l l'
  | _, _ => false
  end.

Fixpoint lists_within (L L' : list (list (option nat))) : bool :=
  match L, L' with
  | [], [] => true
  | l :: L, l' :: L' => entries_within l l' && lists_within L L'
  | _, _ => false
  end.

(** Whether the situation [x] says nothing that [y] does not say. *)
Definition knows_no_more (x y : situation) : bool :=
  (sit_state x =? sit_state y) && (sit_size x =? sit_size y) &&
  implb (can_move y) (can_move x) && entries_within (with_part x) (with_part y) &&
  lists_within (pending x) (pending y) &&
  forallb (fun s => existsb (Nat.eqb s) (made y)) (made x).

(** ** The check *)

(** D1: the states are numbered. *)
Definition states_ok (A : automaton) (states : nat) : bool :=
  (1 <=? states) &&
  all_below states (fun s => (after_heap A s <? states) && (after_step A s <? states)).

(** D2: a step does not change the outcome. *)
Definition steps_ok (A : automaton) (states : nat) : bool :=
  all_below states (fun s => eqb (is_P_state A (after_step A s)) (is_P_state A s)).

Definition never_ok (A : automaton) (states : nat) (never : nat -> nat -> bool) : bool :=
  all_below states (fun x => all_below states (fun y =>
    if never x y then
      never (after_heap A x) (after_heap A y) && never (after_step A x) (after_step A y) &&
      (is_P_state A x || is_P_state A y)
    else true)).

Definition is_done (R : reply_graph) (x : situation) : bool :=
  existsb (never_N R (sit_state x)) (made x).

(** Whether [v] may follow, if [y] is what follows. *)
Definition target_ok (R : reply_graph) (v : nat) (y : situation) (class : nat) : bool :=
  if v <? situations R then knows_no_more (sit_at R v) y && (sit_class R v =? class)
  else is_done R y.

Definition dead_sizes (c : code) (cap : nat) : list nat :=
  filter (fun h => match code_options c h with [] => true | _ => false end) (seq 0 cap).

Definition graph_ok (c : code) (A : automaton) (states : nat) (R : reply_graph) : bool :=
  let cap := size_cap R in
  let g := greatest_part R in
  let ks := kinds c g in
  let dead := dead_sizes c cap in
  (1 <=? size_period R) && (g <? cap) && never_ok A states (never_N R) && (0 <? situations R) &&
  knows_no_more (sit_at R 0) (first_situation g ks) && (sit_class R 0 =? 1 mod size_period R) &&
  all_below (situations R) (fun v =>
    let x := sit_at R v in
    target_ok R (heap_to R v) (heap_situation c A cap dead x) (sit_class R v) &&
    target_ok R (step_to R v) (step_situation A cap g ks x)
      ((sit_class R v + 1) mod size_period R)).

(** The next situation. A situation beyond the list stays there. *)
Definition graph_heap (R : reply_graph) (v : nat) : nat :=
  if v <? situations R then heap_to R v else v.

Definition graph_step (R : reply_graph) (v : nat) : nat :=
  if v <? situations R then step_to R v else v.

Lemma graph_inside R v : v < situations R ->
  graph_heap R v = heap_to R v /\ graph_step R v = step_to R v.
Proof.
  intros L. unfold graph_heap, graph_step. now destruct (Nat.ltb_spec v (situations R)); [|lia].
Qed.

Lemma graph_outside R v : situations R <= v -> graph_heap R v = v /\ graph_step R v = v.
Proof.
  intros L. unfold graph_heap, graph_step. now destruct (Nat.ltb_spec v (situations R)); [lia|].
Qed.

(** ** What it means *)

Lemma entries_within_nth l : forall l', entries_within l l' = true ->
  length l = length l' /\
  forall j s, nth j l None = Some s -> nth j l' None = Some s.
Proof.
  induction l as [|[s|] l IH]; intros [|[s'|] l']; simpl; try discriminate.
  - intros _. split; [reflexivity|]. intros j s. destruct j; discriminate.
  - intros H. apply andb_split in H as [E H]. apply Nat.eqb_eq in E. subst s'.
    destruct (IH l' H) as [Len Nth]. split; [congruence|]. intros [|j] x; [auto|apply Nth].
  - intros H. destruct (IH l' H) as [Len Nth]. split; [congruence|].
    intros [|j] x; [discriminate|apply Nth].
  - intros H. destruct (IH l' H) as [Len Nth]. split; [congruence|].
    intros [|j] x; [discriminate|apply Nth].
Qed.

Lemma Forall2_imply {X Y : Type} (P Q : X -> Y -> Prop) K L :
  (forall x y, P x y -> Q x y) -> Forall2 P K L -> Forall2 Q K L.
Proof. intros I. induction 1; constructor; auto. Qed.

Section Meaning.

Variable c : code.
Variable A : automaton.
Variable states : nat.
Hypothesis st_ok : states_ok A states = true.

Local Notation heap := (after_heap A).
Local Notation step := (after_step A).
Local Notation state := (read heap step).
Local Notation G := (game_of_code c).

Lemma states_parts : 1 <= states /\
  forall s, s < states -> heap s < states /\ step s < states.
Proof.
  pose proof st_ok as H. unfold states_ok in H. apply andb_split in H as [B All]. read_check.
  split; [exact B|]. intros s Ls. rewrite all_below_spec in All. specialize (All s Ls).
  apply andb_split in All as [? ?]. read_check. auto.
Qed.

Lemma state_bound X n : state X n < states.
Proof.
  destruct states_parts as [B St].
  apply (read_closed heap step (fun _ s => s < states)); [lia| |]; intros m x L; now apply St.
Qed.

Section Never.

Variable never : nat -> nat -> bool.
Hypothesis never_holds : never_ok A states never = true.

Lemma never_parts x y : x < states -> y < states -> never x y = true ->
  never (heap x) (heap y) = true /\ never (step x) (step y) = true /\
  (is_P_state A x = true \/ is_P_state A y = true).
Proof.
  intros Lx Ly H. pose proof never_holds as N. unfold never_ok in N.
  rewrite all_below_spec in N. specialize (N x Lx). rewrite all_below_spec in N.
  specialize (N y Ly). rewrite H in N. rewrite !andb_split in N. destruct N as [[Nh Ns] O].
  apply orb_prop in O. auto.
Qed.

End Never.

(** The parts of a move that leaves a small part, or none. *)
Definition two_parts (a b : nat) : position := if a =? 0 then [b] else [a; b].

Lemma two_parts_up_to n a b X : a <= S n -> 1 <= b <= S n -> up_to n X ->
  up_to n (two_parts a b ++ X).
Proof.
  intros La Lb U. unfold two_parts.
  destruct (Nat.eqb_spec a 0); [|constructor; [lia|]]; (constructor; [lia|exact U]).
Qed.

(** What a list of options of one kind says. *)
Definition pending_valid (n : nat) (X : position) (k : nat * nat) (l : list (option nat)) : Prop :=
  length l = fst k + snd k /\
  forall j s, nth j l None = Some s -> exists b, fst k <= b /\ 1 <= b /\ b <= n /\
    fst k + b + snd k = n + 1 + j /\ s = state (two_parts (fst k) b ++ X) n.

Definition made_valid (n : nat) (X : position) (s : nat) : Prop :=
  exists Y, move G X Y /\ up_to n Y /\ state Y n = s.

(** What a situation says of a position whose heaps have been read. *)
Record valid (cap : nat) (ks : list (nat * nat)) (x : situation) (n : nat) (X : position) :
    Prop := {
  valid_state : sit_state x = state X n;
  valid_size : sit_size x = Nat.min (n + 1) cap;
  valid_move : can_move x = false -> Forall (fun h => code_options c h = []) X;
  valid_part : forall a s, 1 <= a -> nth a (with_part x) None = Some s ->
    a <= n /\ s = state (a :: X) n;
  valid_pending : Forall2 (pending_valid n X) ks (pending x);
  valid_made : Forall (made_valid n X) (made x) }.

Lemma within_valid n X ks L' : Forall2 (pending_valid n X) ks L' -> forall L,
  lists_within L L' = true -> Forall2 (pending_valid n X) ks L.
Proof.
  induction 1 as [|k l' ks L' [Len Nth] _ IH]; intros [|l L]; simpl; try discriminate; auto.
  intros H. apply andb_split in H as [E H]. constructor; [|auto].
  apply entries_within_nth in E as [El En]. split; [congruence|]. intros j s Hs. apply Nth. auto.
Qed.

Lemma knows_no_more_valid cap ks x y n X : knows_no_more x y = true ->
  valid cap ks y n X -> valid cap ks x n X.
Proof.
  unfold knows_no_more. rewrite !andb_split. intros [[[[[Es Ez] Im] Wi] Li] Ma] V. read_check.
  destruct V as [Vs Vz Vm Vp Vq Vo]. constructor; try congruence.
  - intros E. rewrite E in Im. destruct (can_move y); [discriminate|auto].
  - intros a s La H. apply entries_within_nth in Wi as [_ Nth]. auto.
  - exact (within_valid _ _ _ _ Vq _ Li).
  - apply Forall_forall. intros s Is. rewrite forallb_forall in Ma. specialize (Ma s Is).
    apply existsb_exists in Ma as (s' & I & E). apply Nat.eqb_eq in E. subst s'.
    rewrite Forall_forall in Vo. auto.
Qed.

Lemma made_permutation n X X' s : Permutation X X' -> made_valid n X s -> made_valid n X' s.
Proof.
  intros Pm (Y & M & U & E). destruct (move_permutation G X X' Y Pm M) as (Y' & M' & Pm').
  exists Y'. split; [exact M'|]. split; [exact (up_to_permutation n Y Y' Pm' U)|].
  now rewrite <- (read_permutation _ _ _ _ n Pm').
Qed.

Lemma valid_permutation cap ks x n X X' : Permutation X X' ->
  valid cap ks x n X -> valid cap ks x n X'.
Proof.
  intros Pm [Vs Vz Vm Vp Vq Vo]. constructor; auto.
  - now rewrite <- (read_permutation _ _ _ _ n Pm).
  - intros E. exact (Permutation_Forall Pm (Vm E)).
  - intros a s La H. destruct (Vp a s La H) as [Ln E]. split; [exact Ln|].
    rewrite E. apply read_permutation. now constructor.
  - revert Vq. apply Forall2_imply. intros k l [Len Nth]. split; [exact Len|].
    intros j s H. destruct (Nth j s H) as (b & ? & ? & ? & ? & E). exists b. repeat split; auto.
    rewrite E. apply read_permutation. now apply Permutation_app_head.
  - revert Vo. apply Forall_impl. intros s. now apply made_permutation.
Qed.

Lemma kinds_in g k : In k (kinds c g) ->
  allows c (snd k) (if fst k =? 0 then 1 else 2) = true.
Proof.
  unfold kinds. intros I. apply in_flat_map in I as (a & _ & I).
  apply in_map_iff in I as (t & <- & I). apply filter_In in I as [_ Al]. exact Al.
Qed.

Lemma first_valid cap g ks : 1 <= cap -> valid cap ks (first_situation g ks) 0 [].
Proof.
  intros Lc. constructor;
    cbn [sit_state sit_size can_move with_part pending made first_situation].
  - reflexivity.
  - lia.
  - intros _. constructor.
  - intros a s _ H. exfalso. revert H. generalize (g + 1) as m. revert a.
    induction a as [|a IH]; intros [|m]; cbn; try discriminate. apply IH.
  - induction ks as [|k l IH]; cbn; constructor; auto. split; [apply repeat_length|].
    intros j s H. exfalso. revert j H. induction (fst k + snd k) as [|m IHm]; intros [|j]; cbn;
      try discriminate. apply IHm.
  - constructor.
Qed.

Lemma nth_option_map (f : nat -> nat) l j s : nth j (map (option_map f) l) None = Some s ->
  exists s', nth j l None = Some s' /\ s = f s'.
Proof.
  revert j. induction l as [|[x|] l IH]; intros [|j]; cbn; try discriminate; eauto.
  intros E. inversion E. eauto.
Qed.

Lemma move_more h X Y : move G X Y -> move G (h :: X) (h :: Y).
Proof. intros M. apply move_cons. right. eauto. Qed.

Lemma move_first h o X : In o (code_options c h) -> move G (h :: X) (o ++ X).
Proof. intros I. apply move_cons. left. eauto. Qed.

Lemma heap_later (P : position) X n : state (P ++ S n :: X) n = heap (state (P ++ X) n).
Proof.
  rewrite (read_permutation _ _ (P ++ S n :: X) (S n :: P ++ X)) by
    (symmetry; apply Permutation_middle).
  apply read_heap.
Qed.

(** After a heap of the present size. *)
Lemma heap_valid cap g x n X : up_to n X -> valid cap (kinds c g) x n X ->
  valid cap (kinds c g) (heap_situation c A cap (dead_sizes c cap) x) n (S n :: X).
Proof.
  intros U [Vs Vz Vm Vp Vq Vo]. constructor; cbn [sit_state sit_size can_move with_part pending
    made heap_situation].
  - now rewrite read_heap, Vs.
  - exact Vz.
  - intros E. apply orb_false_iff in E as [E D]. apply negb_false_iff in D.
    apply existsb_exists in D as (h & I & Eh). apply Nat.eqb_eq in Eh.
    apply filter_In in I as [I D]. apply in_seq in I. constructor; [|auto].
    replace (S n) with h by lia. destruct (code_options c h); [reflexivity|discriminate].
  - intros a s La H. apply nth_option_map in H as (s' & H & ->).
    destruct (Vp a s' La H) as [Ln ->]. split; [exact Ln|].
    symmetry. exact (heap_later [a] X n).
  - clear Vo. induction Vq as [|k l ks L [Len Nth] _ IH]; cbn; constructor; [|exact IH].
    split.
    + rewrite <- Len. destruct l; cbn; [reflexivity|]. now rewrite map_length.
    + intros j s H. destruct l as [|e l]; [destruct j; discriminate|].
      destruct j as [|j]; [discriminate|]. cbn in H. apply nth_option_map in H as (s' & H & ->).
      destruct (Nth (S j) s' H) as (b & ? & ? & ? & ? & ->). exists b. repeat split; auto.
      symmetry. apply heap_later.
  - apply Forall_app. split; [|apply Forall_app; split].
    + apply Forall_map. revert Vo. apply Forall_impl. intros s (Y & M & UY & <-).
      exists (S n :: Y). split; [now apply move_more|]. split; [constructor; [lia|exact UY]|].
      apply read_heap.
    + apply Forall_forall. intros s Is. apply in_flat_map in Is as (l & Il & Is).
      destruct l as [|[s'|] l]; [destruct Is| |destruct Is]. destruct Is as [<-|[]].
      assert (K : exists k, In k (kinds c g) /\ pending_valid n X k (Some s' :: l)).
      { clear - Vq Il. induction Vq as [|k l' ks L P _ IH]; [destruct Il|].
        destruct Il as [->|Il]; [exists k; split; [now left|exact P]|].
        destruct (IH Il) as (k' & I & P'). exists k'. split; [now right|exact P']. }
      destruct K as ((a & t) & Ik & _ & Nth). cbn [fst snd] in Nth.
      destruct (Nth 0 s' eq_refl) as (b & Lab & Lb & Lbn & Eh & ->).
      pose proof (kinds_in _ _ Ik) as Al. cbn [fst snd] in Al.
      exists (two_parts a b ++ X). split; [|split; [|reflexivity]].
      * apply move_first. unfold two_parts. destruct (Nat.eqb_spec a 0) as [->|Na].
        -- replace (S n) with (b + t) by lia. now apply option_one.
        -- replace (S n) with (a + b + t) by lia. apply option_two; auto; lia.
      * apply two_parts_up_to; auto; lia.
    + destruct ((sit_size x <? cap) && allows c (sit_size x) 0) eqn:E; [|constructor].
      apply andb_split in E as [Ls Al]. apply Nat.ltb_lt in Ls. constructor; [|constructor].
      exists X. split; [|split; [exact U|now rewrite Vs]].
      apply (move_first (S n) [] X). apply option_whole.
      replace (S n) with (sit_size x) by lia. exact Al.
Qed.

(** What a situation says of a small part. *)
Lemma part_valid cap ks x n X a s : a < cap -> valid cap ks x n X ->
  part_state A x a = Some s -> a <= n + 1 /\ (a = 0 -> s = state X n) /\
  (a <> 0 -> s = state (a :: X) n).
Proof.
  intros La [Vs Vz _ Vp _ _]. unfold part_state.
  destruct (Nat.eqb_spec a 0) as [->|Na].
  - intros E. inversion E. split; [lia|]. split; [auto|lia].
  - destruct (Nat.eqb_spec a (sit_size x)) as [Es|Es]; intros E.
    + inversion E as [E']. replace a with (S n) by lia. split; [lia|]. split; [lia|].
      intros _. now rewrite read_heap, Vs.
    + destruct (Vp a s) as [Ln ->]; [lia|exact E|]. split; [lia|]. split; [lia|auto].
Qed.

Lemma step_valid cap g x n X : g < cap -> up_to n X -> valid cap (kinds c g) x n X ->
  valid cap (kinds c g) (step_situation A cap g (kinds c g) x) (S n) X.
Proof.
  intros Lg U V. pose proof V as [Vs Vz Vm Vp Vq Vo].
  constructor; cbn [sit_state sit_size can_move with_part pending made step_situation].
  - now rewrite read_step, Vs.
  - destruct (Nat.ltb_spec (sit_size x) cap); lia.
  - exact Vm.
  - intros a s La H.
    assert (Lag : a < g + 1).
    { destruct (Nat.lt_ge_cases a (g + 1)) as [L|L]; [exact L|].
      rewrite nth_overflow in H; [discriminate|]. now rewrite map_length, seq_length. }
    rewrite (nth_indep _ None (option_map step (part_state A x 0))) in H by
      (now rewrite map_length, seq_length).
    rewrite (map_nth (fun a => option_map step (part_state A x a))) in H.
    rewrite seq_nth in H by exact Lag. cbn [plus] in H.
    destruct (part_state A x a) as [s'|] eqn:E; [|discriminate]. inversion H as [E'].
    destruct (part_valid cap _ x n X a s' ltac:(lia) V E) as (Ln & _ & Es).
    split; [lia|]. rewrite Es by lia. symmetry. apply read_step. constructor; [lia|exact U].
  - assert (All : forall k, In k (kinds c g) -> fst k < cap /\ 1 <= fst k + snd k).
    { intros (a & t) I. cbn [fst snd]. split.
      - unfold kinds in I. apply in_flat_map in I as (a' & Ia & I).
        apply in_map_iff in I as (t' & E & _). apply in_seq in Ia. inversion E. lia.
      - pose proof (kinds_in _ _ I) as Al. cbn [fst snd] in Al.
        destruct a as [|a]; [|lia]. destruct t as [|t]; [|lia]. cbn in Al.
        unfold allows in Al. cbn in Al. rewrite andb_false_r in Al. discriminate. }
    assert (Gen : forall K L, Forall2 (pending_valid n X) K L ->
      (forall k, In k K -> fst k < cap /\ 1 <= fst k + snd k) ->
      Forall2 (pending_valid (S n) X) K (pending_step A x K L)); [|now apply Gen].
    clear All. induction 1 as [|(a & t) l K L [Len Nth] _ IH]; intros All.
    + constructor.
    + cbn [pending_step]. constructor; [|apply IH; intros k I; apply All; now right].
      destruct (All (a, t) (or_introl eq_refl)) as [Lac Pos]. cbn [fst snd] in *.
      assert (Lt : length (map (option_map step) (tl l)) = a + t - 1) by
        (rewrite map_length; destruct l; simpl in *; lia).
      split; cbn [fst snd].
      * rewrite app_length, Lt. simpl. lia.
      * intros j s H. destruct (Nat.lt_ge_cases j (a + t - 1)) as [Lj|Lj].
        -- rewrite app_nth1 in H by lia. apply nth_option_map in H as (s' & H & ->).
           destruct (Nth (S j) s') as (b & Lab & Lb & Lbn & E & ->).
           { destruct l; [destruct j; discriminate|exact H]. }
           exists b. repeat split; auto; [lia|]. symmetry. apply read_step.
           apply two_parts_up_to; auto; lia.
        -- destruct (Nat.eq_dec j (a + t - 1)) as [->|Nj].
           2:{ rewrite nth_overflow in H; [discriminate|]. rewrite app_length, Lt. simpl. lia. }
           rewrite app_nth2, Lt, Nat.sub_diag in H by lia. cbn [nth] in H.
           destruct (Nat.leb_spec a (sit_size x)) as [Las|Las]; [|discriminate].
           destruct (part_state A x a) as [s'|] eqn:E; [|discriminate]. inversion H as [E'].
           destruct (part_valid cap _ x n X a s' Lac V E) as (Ln & E0 & E1).
           exists (S n). repeat split; try lia.
           rewrite read_step.
           ++ f_equal. unfold two_parts. destruct (Nat.eqb_spec a 0) as [->|Na]; cbn [app].
              ** now rewrite read_heap, E0.
              ** rewrite E1 by exact Na. symmetry. exact (heap_later [a] X n).
           ++ apply two_parts_up_to; auto; lia.
  - apply Forall_map. revert Vo. apply Forall_impl. intros s (Y & M & UY & <-).
    exists Y. split; [exact M|]. split; [apply (up_to_later n); [lia|exact UY]|].
    now apply read_step.
Qed.

(** *** What the graph says *)

Variable R : reply_graph.
Hypothesis R_ok : graph_ok c A states R = true.

Local Notation ks := (kinds c (greatest_part R)).
Local Notation cap := (size_cap R).
Local Notation p := (size_period R).
Local Notation watch := (read (graph_heap R) (graph_step R)).

Lemma graph_parts : 1 <= p /\ greatest_part R < cap /\ never_ok A states (never_N R) = true /\
  0 < situations R /\ knows_no_more (sit_at R 0) (first_situation (greatest_part R) ks) = true /\
  sit_class R 0 = 1 mod p /\
  forall v, v < situations R -> let x := sit_at R v in
    target_ok R (heap_to R v) (heap_situation c A cap (dead_sizes c cap) x) (sit_class R v) =
      true /\
    target_ok R (step_to R v) (step_situation A cap (greatest_part R) ks x)
      ((sit_class R v + 1) mod p) = true.
Proof.
  pose proof R_ok as H. unfold graph_ok in H. cbv zeta in H. rewrite !andb_split in H.
  destruct H as [[[[[[Pe Ca] Ne] Po] Fi] Cl] All]. read_check. repeat split; auto;
    rewrite all_below_spec in All; specialize (All v H); now apply andb_split in All.
Qed.

(** Some option is never an N-position together with the position. *)
Definition has_sure_option (n : nat) (X : position) : Prop :=
  exists Y, move G X Y /\ up_to n Y /\ never_N R (state X n) (state Y n) = true.

Definition graph_says (n : nat) (X : position) (v : nat) : Prop :=
  (v < situations R /\ valid cap ks (sit_at R v) n X /\ sit_class R v = (n + 1) mod p) \/
  (situations R <= v /\ has_sure_option n X).

Lemma target_holds v y n X cl : target_ok R v y cl = true -> valid cap ks y n X ->
  cl = (n + 1) mod p -> graph_says n X v.
Proof.
  unfold target_ok, graph_says. intros T V E. destruct (Nat.ltb_spec v (situations R)) as [L|L].
  - left. apply andb_split in T as [K Cl]. apply Nat.eqb_eq in Cl.
    split; [exact L|]. split; [now apply (knows_no_more_valid cap ks _ y)|congruence].
  - right. split; [exact L|]. unfold is_done in T. apply existsb_exists in T as (s & I & Ne).
    destruct V as [Vs _ _ _ _ Vo]. rewrite Forall_forall in Vo.
    destruct (Vo s I) as (Y & M & U & <-). rewrite Vs in Ne. exists Y. auto.
Qed.

Theorem graph_holds n X : up_to n X -> graph_says n X (watch X n).
Proof.
  destruct graph_parts as (Pe & Ca & Ne & Po & Fi & Cl & All).
  revert n X. apply (reading_induction (fun n X => graph_says n X (watch X n))).
  - intros n X Y Pm. rewrite (read_permutation _ _ _ _ n Pm).
    intros [(L & V & E)|(L & Z & M & U & N)].
    + left. split; [exact L|]. split; [now apply (valid_permutation cap ks _ n X)|exact E].
    + right. split; [exact L|]. destruct (move_permutation G X Y Z Pm M) as (Z' & M' & Pm').
      exists Z'. split; [exact M'|]. split; [exact (up_to_permutation n Z Z' Pm' U)|].
      now rewrite <- (read_permutation _ _ _ _ n Pm), <- (read_permutation _ _ _ _ n Pm').
  - left. change (watch [] 0) with 0. split; [exact Po|]. split; [|exact Cl].
    apply (knows_no_more_valid cap ks _ _ 0 [] Fi). apply first_valid. lia.
  - intros n X U [(L & V & E)|(L & Y & M & UY & N)]; rewrite read_heap.
    + destruct (graph_inside R _ L) as [-> _]. destruct (All _ L) as [T _].
      apply (target_holds _ _ _ _ _ T); [|exact E]. now apply heap_valid.
    + destruct (graph_outside R _ L) as [-> _]. right. split; [exact L|].
      exists (S n :: Y). split; [now apply move_more|]. split; [constructor; [lia|exact UY]|].
      rewrite !read_heap. now apply (never_parts _ Ne); [apply state_bound|apply state_bound|].
  - intros n X U [(L & V & E)|(L & Y & M & UY & N)]; rewrite read_step by exact U.
    + destruct (graph_inside R _ L) as [_ ->]. destruct (All _ L) as [_ T].
      apply (target_holds _ _ _ _ _ T); [now apply step_valid|].
      rewrite E. rewrite Nat.add_mod_idemp_l by lia. f_equal. lia.
    + destruct (graph_outside R _ L) as [_ ->]. right. split; [exact L|].
      exists Y. split; [exact M|]. split; [apply (up_to_later n); [lia|exact UY]|].
      rewrite !read_step by auto.
      now apply (never_parts _ Ne); [apply state_bound|apply state_bound|].
Qed.

End Meaning.
