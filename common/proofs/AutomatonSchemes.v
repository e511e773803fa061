(** Replies that split a heap into two large parts (the hypothesis D5 of docs/automata.md).

    A situation is *open* if its positions are N-positions with a move, and no reply that leaves a
    small part is known. Two schemes of replies are tried for these. Both speak of the heaps of one
    class, whose sizes have one residue modulo the period. *Beside an equal*: of two heaps [g < h]
    of the class, [t] beans are taken from [h], and [g] and the rest are left. *In halves*: [t]
    beans are taken from a heap of the class, and two heaps are left that differ by [d].

    A scheme decides an open situation if all positions that lead to it have such heaps, and if for
    all such heaps the option is a P-position. The first is decided by sets of situations that an
    untrusted search names, the second by reading the position and the option side by side. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops Automata AutomatonSplits AutomatonMoves
  AutomatonReplies.
Import ListNotations.

(** The replies of a scheme. The beans that are taken to make halves, and the difference of the
    halves, depend on whether the heap is odd; heaps that are less than [least] do not count. *)
Inductive scheme_kind :=
| Beside_equal (t : nat)
| Halves (even_t even_d odd_t odd_d least : nat).

(** A scheme with what a search adds: nodes from which no open situation of the scheme is reached;
    two lists of configurations; and the situations of positions that have no heap of the class,
    heaps of one size of the class that is the present one, or of one size that is smaller. *)
Record scheme := Scheme {
  scheme_class : nat;
  kind_of_scheme : scheme_kind;
  scheme_dull : nat -> bool;
  first_search : split_search;
  second_search : split_search;
  has_none : nat -> bool;
  has_present : nat -> bool;
  has_smaller : nat -> bool }.

Record reply_schemes := ReplySchemes {
  schemes : nat;
  scheme_at : nat -> scheme;
  scheme_of : nat -> nat  (** which scheme decides an open situation *) }.

Definition least_heap (s : scheme) : nat :=
  match kind_of_scheme s with Beside_equal _ => 0 | Halves _ _ _ _ least => least end.

Section Check.

Variable c : code.
Variable A : automaton.
Variable R : reply_graph.
Variable D : reply_schemes.

Definition is_open (v : nat) : bool :=
  let x := sit_at R v in
  can_move x && negb (is_P_state A (sit_state x)) && negb (existsb (is_P_state A) (made x)).

(** Whether the scheme [k] has to decide the node. *)
Definition to_decide (k v : nat) : bool := is_open v && (scheme_of D v =? k).

Definition scheme_watcher (s : scheme) : watcher :=
  Watcher (graph_heap R) (graph_step R) (fun v => sit_state (sit_at R v)) (sit_class R)
    (fun v => (situations R <=? v) || scheme_dull s v).

Definition reply_allowed (k v y : nat) : bool :=
  if to_decide k v then is_P_state A y else true.

Definition dull_ok (k : nat) (s : scheme) : bool :=
  let is_dull := dull (scheme_watcher s) in
  all_below (situations R) (fun v =>
    if scheme_dull s v then
      is_dull (graph_heap R v) && is_dull (graph_step R v) && negb (to_decide k v)
    else true).

(** Whether the heaps of the present size are heaps of the scheme. *)
Definition is_wanted (s : scheme) (v : nat) : bool :=
  (sit_class R v =? scheme_class s) && (least_heap s <=? sit_size (sit_at R v)).

Definition needs_two (s : scheme) : bool :=
  match kind_of_scheme s with Beside_equal _ => true | _ => false end.

(** Every position that leads to a situation to decide has the heaps of the scheme. *)
Definition heaps_there_ok (k : nat) (s : scheme) : bool :=
  let is_in set v := dull (scheme_watcher s) v || set v in
  (least_heap s <=? size_cap R) && is_in (has_none s) 0 &&
  all_below (situations R) (fun v =>
    let heap := graph_heap R v in
    let step := graph_step R v in
    (if has_none s v then
      is_in (has_none s) step &&
      (if is_wanted s v then (if needs_two s then is_in (has_present s) heap else true)
       else is_in (has_none s) heap) &&
      negb (to_decide k v)
     else true) &&
    (if has_present s v then
      is_in (has_present s) heap && is_in (has_smaller s) step && negb (to_decide k v)
     else true) &&
    (if has_smaller s v then
      is_in (has_smaller s) step && (is_wanted s v || is_in (has_smaller s) heap) &&
      negb (to_decide k v)
     else true)).

Definition scheme_ok (k : nat) (s : scheme) : bool :=
  let W := scheme_watcher s in
  let cl := scheme_class s in
  let splits rule S := split_ok c A W rule S (reply_allowed k) in
  dull_ok k s && heaps_there_ok k s &&
  match kind_of_scheme s with
  | Beside_equal t =>
    allows c t 2 && (t <? size_period R) &&
    splits (Beside_smaller t cl) (first_search s) && splits (Beside_greater t cl) (second_search s)
  | Halves t d t' d' least =>
    allows c t 2 && allows c t' 2 && negb (Nat.odd (t + d)) && Nat.odd (t' + d') &&
    (t + d + 2 <=? least) && (t' + d' + 2 <=? least) &&
    splits (In_halves t cl d) (first_search s) && splits (In_halves t' cl d') (second_search s)
  end.

(** D5. *)
Definition replies_ok (states : nat) : bool :=
  graph_ok c A states R &&
  all_below (situations R) (fun v => negb (is_open v) || (scheme_of D v <? schemes D)) &&
  all_below (schemes D) (fun k => scheme_ok k (scheme_at D k)).

End Check.

(** ** What it means *)

(** The heaps that have been read. *)
Lemma read_prefix X n : exists X', up_to n X' /\
  forall heap step, read heap step X n = read heap step X' n.
Proof.
  exists (filter (fun h => (1 <=? h) && (h <=? S n)) X). split.
  - apply Forall_forall. intros h I. apply filter_In in I as [_ E]. apply andb_split in E as [? ?].
    read_check. lia.
  - intros heap step. apply read_same. intros s Ls. induction X as [|h X IH]; [reflexivity|].
    cbn [filter]. destruct ((1 <=? h) && (h <=? S n)) eqn:E.
    + unfold heaps_of_size in *. cbn [count_occ]. destruct (Nat.eq_dec h s); congruence.
    + rewrite size_cons_other; [exact IH|]. intros ->. apply andb_false_iff in E as [E|E];
        apply Nat.leb_gt in E; lia.
Qed.

Section Meaning.

Variable c : code.
Variable A : automaton.
Variable states : nat.
Variable R : reply_graph.
Variable D : reply_schemes.
Hypothesis st_ok : states_ok A states = true.
Hypothesis keep : steps_keep A.
Hypothesis ok : replies_ok c A R D states = true.

Local Notation G := (game_of_code c).
Local Notation cap := (size_cap R).
Local Notation p := (size_period R).
Local Notation state := (read (after_heap A) (after_step A)).
Local Notation watch := (read (graph_heap R) (graph_step R)).

Lemma replies_parts : graph_ok c A states R = true /\
  (forall v, v < situations R -> is_open A R v = true -> scheme_of D v < schemes D) /\
  (forall k, k < schemes D -> scheme_ok c A R D k (scheme_at D k) = true).
Proof.
  pose proof ok as H. unfold replies_ok in H. rewrite !andb_split in H. destruct H as [[Gr Op] Sc].
  rewrite all_below_spec in Op, Sc. split; [exact Gr|]. split; [|exact Sc].
  intros v Lv O. specialize (Op v Lv). rewrite O in Op. now apply Nat.ltb_lt in Op.
Qed.

Lemma period_positive : 1 <= p.
Proof. destruct replies_parts as (Gr & _). now destruct (graph_parts c A states R Gr). Qed.

(** What is known of a node that has not left the list. *)
Lemma node_knows n X : up_to n X -> watch X n < situations R ->
  valid c A cap (kinds c (greatest_part R)) (sit_at R (watch X n)) n X /\
  sit_class R (watch X n) = (n + 1) mod p.
Proof.
  intros U L. destruct replies_parts as (Gr & _).
  destruct (graph_holds c A states st_ok R Gr n X U) as [(_ & V & E)|(L' & _)]; [auto|lia].
Qed.

Section One_scheme.

Variable k : nat.
Hypothesis k_below : k < schemes D.

Local Notation s := (scheme_at D k).
Local Notation W := (scheme_watcher R s).

Lemma scheme_holds : scheme_ok c A R D k s = true.
Proof. now apply replies_parts. Qed.

Lemma dull_parts : dull_ok A R D k s = true /\ heaps_there_ok A R D k s = true.
Proof.
  pose proof scheme_holds as H. unfold scheme_ok in H. cbv zeta in H. rewrite !andb_split in H.
  tauto.
Qed.

Lemma scheme_dull_closed : dull_closed W.
Proof.
  intros v Dv. cbn [dull w_heap w_step scheme_watcher] in *.
  destruct (Nat.leb_spec (situations R) v) as [L|L].
  - destruct (graph_outside R v L) as [-> ->].
    destruct (Nat.leb_spec (situations R) v); [auto|lia].
  - simpl in Dv. destruct dull_parts as [H _]. unfold dull_ok in H. cbv zeta in H.
    rewrite all_below_spec in H. specialize (H v L). rewrite Dv in H. rewrite !andb_split in H.
    tauto.
Qed.

Lemma scheme_faithful : faithful A p W.
Proof.
  intros X n v Dv. subst v. cbn [dull w_state w_class scheme_watcher w_heap w_step] in *.
  destruct (read_prefix X n) as (X' & U & E). rewrite !E in *.
  apply orb_false_iff in Dv as [L _]. apply Nat.leb_gt in L.
  destruct (node_knows n X' U L) as [V Cl]. split; [|exact Cl].
  exact (valid_state _ _ _ _ _ _ _ V).
Qed.

(** *** The heaps of the scheme are there *)

Definition fits (h : nat) : Prop := h mod p = scheme_class s /\ least_heap s <= h.

Lemma fits_dec h : {fits h} + {~ fits h}.
Proof.
  unfold fits. destruct (Nat.eq_dec (h mod p) (scheme_class s)); [|right; tauto].
  destruct (le_dec (least_heap s) h); [left|right]; tauto.
Qed.

Definition is_in (set : nat -> bool) (v : nat) : Prop := dull W v = true \/ set v = true.

Lemma in_spec set v : dull W v || set v = true <-> is_in set v.
Proof. unfold is_in. apply orb_true_iff. Qed.

Lemma there_parts : least_heap s <= cap /\ is_in (has_none s) 0 /\
  (forall v, v < situations R -> has_none s v = true ->
    is_in (has_none s) (graph_step R v) /\
    (if is_wanted R s v
     then needs_two s = true -> is_in (has_present s) (graph_heap R v)
     else is_in (has_none s) (graph_heap R v)) /\ to_decide A R D k v = false) /\
  (forall v, v < situations R -> has_present s v = true ->
    is_in (has_present s) (graph_heap R v) /\ is_in (has_smaller s) (graph_step R v) /\
    to_decide A R D k v = false) /\
  (forall v, v < situations R -> has_smaller s v = true ->
    is_in (has_smaller s) (graph_step R v) /\
    (is_wanted R s v = true \/ is_in (has_smaller s) (graph_heap R v)) /\
    to_decide A R D k v = false).
Proof.
  destruct dull_parts as [_ H]. unfold heaps_there_ok in H. cbv zeta in H.
  rewrite !andb_split in H. destruct H as [[Le Ze] All]. apply Nat.leb_le in Le.
  split; [exact Le|]. split; [now apply in_spec|]. rewrite all_below_spec in All.
  split; [|split]; intros v Lv E; specialize (All v Lv); rewrite !andb_split in All;
    destruct All as [[An Ap] As].
  - rewrite E in An. rewrite !andb_split in An. destruct An as [[St He] De].
    apply negb_true_iff in De. rewrite in_spec in St. split; [exact St|]. split; [|exact De].
    destruct (is_wanted R s v); [|now apply in_spec].
    destruct (needs_two s); [intros _; now apply in_spec|discriminate].
  - rewrite E in Ap. rewrite !andb_split in Ap. destruct Ap as [[He St] De].
    apply negb_true_iff in De. rewrite in_spec in He, St. auto.
  - rewrite E in As. rewrite !andb_split in As. destruct As as [[St He] De].
    apply negb_true_iff in De. rewrite in_spec in St. apply orb_prop in He. rewrite in_spec in He.
    auto.
Qed.

Lemma wanted_fits n X : up_to n X -> dull W (watch X n) = false ->
  (is_wanted R s (watch X n) = true <-> fits (n + 1)).
Proof.
  intros U Dv. cbn [dull scheme_watcher] in Dv. apply orb_false_iff in Dv as [L _].
  apply Nat.leb_gt in L. destruct (node_knows n X U L) as [V Cl].
  destruct there_parts as (Le & _). pose proof (valid_size _ _ _ _ _ _ _ V) as Sz.
  unfold is_wanted, fits. rewrite Cl, Sz, andb_split, Nat.eqb_eq, Nat.leb_le.
  split; intros [? ?]; split; auto; lia.
Qed.

(** Positions without heaps of the scheme, and with heaps of one size. *)
Definition lacking (n : nat) (X : position) (v : nat) : Prop :=
  (Forall (fun h => ~ fits h) X -> is_in (has_none s) v) /\
  (needs_two s = true -> forall g, In g X -> fits g ->
    (forall h, In h X -> fits h -> h = g) ->
    (g = n + 1 -> is_in (has_present s) v) /\ (g < n + 1 -> is_in (has_smaller s) v)).

Lemma in_heap set v : dull W v = true -> is_in set (graph_heap R v).
Proof. intros H. left. now apply scheme_dull_closed. Qed.

Lemma in_step set v : dull W v = true -> is_in set (graph_step R v).
Proof. intros H. left. now apply scheme_dull_closed. Qed.

Lemma not_dull_inside v : dull W v = false -> v < situations R.
Proof. cbn. intros H. apply orb_false_iff in H as [H _]. now apply Nat.leb_gt in H. Qed.

Lemma lacking_holds n X : up_to n X -> lacking n X (watch X n).
Proof.
  destruct there_parts as (_ & Ze & No & Pr & Sm).
  assert (Keep : forall set v, is_in set v -> dull W v = false -> set v = true).
  { intros set v [H|H] E; [congruence|exact H]. }
  revert n X. apply (reading_induction (fun n X => lacking n X (watch X n))).
  - intros n X Y Pm [N O]. rewrite <- (read_permutation _ _ _ _ n Pm). split.
    + intros F. apply N. exact (Permutation_Forall (Permutation_sym Pm) F).
    + intros Tw g I Fg All. apply O; auto.
      * exact (Permutation_in _ (Permutation_sym Pm) I).
      * intros h Ih. apply All. exact (Permutation_in _ Pm Ih).
  - split; [intros _; exact Ze|intros _ g []].
  - intros n X U [N O]. rewrite read_heap. set (v := watch X n) in *.
    destruct (dull W v) eqn:Dv; [split; [|split]; intros; now apply in_heap|].
    pose proof (not_dull_inside v Dv) as Lv. pose proof (wanted_fits n X U Dv) as Wf. fold v in Wf.
    split.
    + intros F. inversion F as [|? ? Fn FX]; subst. destruct (No v Lv) as (_ & He & _).
      { apply (Keep _ _ (N FX) Dv). }
      destruct (is_wanted R s v); [|exact He]. exfalso. apply Fn.
      replace (S n) with (n + 1) by lia. now apply Wf.
    + intros Tw g I Fg All. split.
      * intros ->. destruct (in_dec Nat.eq_dec (n + 1) X) as [Ig|Ig].
        -- destruct (O Tw (n + 1) Ig Fg) as [P _]; [intros h Ih; apply All; now right|].
           apply (Pr v Lv). apply (Keep _ _ (P eq_refl) Dv).
        -- destruct (No v Lv) as (_ & He & _).
           { apply (Keep _ _ (N ltac:(apply Forall_forall; intros h Ih Fh;
               apply Ig; rewrite <- (All h (or_intror Ih) Fh); exact Ih)) Dv). }
           apply Wf in Fg. rewrite Fg in He. auto.
      * intros Lg. destruct I as [E|Ig]; [lia|].
        destruct (O Tw g Ig Fg) as [_ P]; [intros h Ih; apply All; now right|].
        destruct (Sm v Lv (Keep _ _ (P Lg) Dv)) as (_ & [Wa|He] & _); [|exact He].
        apply Wf in Wa. replace (n + 1) with (S n) in Wa by lia.
        specialize (All (S n) (or_introl eq_refl) Wa). lia.
  - intros n X U [N O]. rewrite read_step by exact U. set (v := watch X n) in *.
    destruct (dull W v) eqn:Dv; [split; [|split]; intros; now apply in_step|].
    pose proof (not_dull_inside v Dv) as Lv. split.
    + intros F. now apply (No v Lv), (Keep _ _ (N F)).
    + intros Tw g I Fg All. destruct (O Tw g I Fg All) as [P Q]. split.
      * intros E. exfalso. unfold up_to in U. rewrite Forall_forall in U. specialize (U g I). lia.
      * intros _. destruct (Nat.eq_dec g (n + 1)) as [E|E].
        -- now apply (Pr v Lv), (Keep _ _ (P E)).
        -- unfold up_to in U. rewrite Forall_forall in U. specialize (U g I).
           apply (Sm v Lv), (Keep _ _ (Q ltac:(lia)) Dv).
Qed.

(** *** A reply *)

Section Reply.

Variable n : nat.
Variable X : position.
Hypothesis U : up_to n X.
Hypothesis inside : watch X n < situations R.
Hypothesis decide : to_decide A R D k (watch X n) = true.

Definition has_P_option : Prop :=
  exists Y, move G X Y /\ up_to n Y /\ is_P_state A (state Y n) = true.

Lemma not_dull : dull W (watch X n) = false.
Proof.
  cbn [dull scheme_watcher]. apply orb_false_iff. split; [now apply Nat.leb_gt|].
  destruct (scheme_dull s (watch X n)) eqn:E; [|reflexivity].
  destruct dull_parts as [H _]. unfold dull_ok in H. cbv zeta in H. rewrite all_below_spec in H.
  specialize (H _ inside). rewrite E in H. rewrite !andb_split in H. destruct H as [_ H].
  rewrite decide in H. discriminate.
Qed.

Lemma some_fits : exists g, In g X /\ fits g.
Proof.
  destruct (Exists_dec fits X fits_dec) as [E|E]; [now apply Exists_exists|]. exfalso.
  apply Forall_Exists_neg in E. destruct (lacking_holds n X U) as [N _].
  destruct (N E) as [H|H]; [pose proof not_dull; congruence|].
  destruct there_parts as (_ & _ & No & _). destruct (No _ inside H) as (_ & _ & T). congruence.
Qed.

Lemma two_fit : needs_two s = true -> exists g h, In g X /\ In h X /\ fits g /\ fits h /\ g < h.
Proof.
  intros Tw. destruct some_fits as (g & Ig & Fg).
  destruct (Exists_dec (fun h => fits h /\ h <> g) X) as [E|E].
  { intros h. destruct (fits_dec h); [|right; tauto].
    destruct (Nat.eq_dec h g); [right; tauto|left; tauto]. }
  - apply Exists_exists in E as (h & Ih & Fh & N).
    destruct (Nat.lt_ge_cases g h); [exists g, h|exists h, g]; repeat split; try apply Fg;
      try apply Fh; auto; lia.
  - exfalso. assert (All : forall h, In h X -> fits h -> h = g).
    { intros h Ih Fh. destruct (Nat.eq_dec h g) as [|N]; [auto|]. exfalso. apply E.
      apply Exists_exists. eauto. }
    destruct (lacking_holds n X U) as [_ O]. destruct (O Tw g Ig Fg All) as [P Q].
    pose proof not_dull as Nd. destruct there_parts as (_ & _ & _ & Pr & Sm).
    unfold up_to in U. rewrite Forall_forall in U. specialize (U g Ig).
    destruct (Nat.eq_dec g (n + 1)) as [Eg|Eg].
    + destruct (P Eg) as [H|H]; [congruence|]. destruct (Pr _ inside H) as (_ & _ & T). congruence.
    + destruct (Q ltac:(lia)) as [H|H]; [congruence|].
      destruct (Sm _ inside H) as (_ & _ & T). congruence.
Qed.

(** The option is a P-position if it is read side by side with the position. *)
Lemma reply_by rule S Z a b t : Permutation X (a + b + t :: Z) -> 1 <= a -> 1 <= b ->
  allows c t 2 = true -> split_ok c A W rule S (reply_allowed A R D k) = true ->
  (listed W S (End (watch (a + b + t :: Z) n) (state (a :: b :: Z) n))) -> has_P_option.
Proof.
  intros Pm La Lb Al Sok Li.
  assert (Pst : is_P_state A (state (a :: b :: Z) n) = true).
  { destruct (listed_end c A W rule S _ Sok _ _ Li) as [Dv|Ra].
    - rewrite <- (read_permutation _ _ _ _ n Pm) in Dv. pose proof not_dull. congruence.
    - rewrite <- (read_permutation _ _ _ _ n Pm) in Ra. unfold reply_allowed in Ra.
      now rewrite decide in Ra. }
  assert (M : move G (a + b + t :: Z) (a :: b :: Z)).
  { exact (move_first c (a + b + t) [a; b] Z (option_two c t a b Al La Lb)). }
  destruct (move_permutation G _ X _ (Permutation_sym Pm) M) as (Y & MY & PmY).
  exists Y. split; [exact MY|].
  pose proof (up_to_permutation n _ _ Pm U) as UZ. inversion UZ as [|? ? Lh FZ]; subst. split.
  - apply (up_to_permutation n (a :: b :: Z)); [exact PmY|].
    constructor; [lia|]. constructor; [lia|exact FZ].
  - now rewrite <- (read_permutation _ _ _ _ n PmY).
Qed.

Lemma scheme_reply : has_P_option.
Proof.
  pose proof scheme_holds as H. unfold scheme_ok in H. cbv zeta in H. rewrite !andb_split in H.
  destruct H as [_ H]. pose proof period_positive as Pp.
  destruct (kind_of_scheme s) as [t|t d t' d' least] eqn:K.
  - rewrite !andb_split in H. destruct H as [[[Al Lt] S1] S2]. apply Nat.ltb_lt in Lt.
    destruct two_fit as (g & h & Ig & Ih & [Fg _] & [Fh _] & Lgh).
    { unfold needs_two. now rewrite K. }
    pose proof (Nat.div_mod g p ltac:(lia)) as Dg. pose proof (Nat.div_mod h p ltac:(lia)) as Dh.
    assert (Far : g + p <= h).
    { assert (Q : g / p < h / p).
      { apply Nat.nle_gt. intros Q. apply (Nat.mul_le_mono_l _ _ p) in Q. lia. }
      apply (Nat.mul_le_mono_l (S (g / p)) (h / p) p) in Q. rewrite Nat.mul_succ_r in Q. lia. }
    apply in_split in Ih as (Z1 & Z2 & EX). set (Z := Z1 ++ Z2).
    assert (Pm : Permutation X (h :: Z)) by (subst X; symmetry; apply Permutation_middle).
    assert (IgZ : In g Z).
    { destruct (Permutation_in _ Pm Ig) as [E|I]; [lia|exact I]. }
    assert (Lh : h <= n + 1 /\ 1 <= g).
    { unfold up_to in U. rewrite Forall_forall in U. pose proof (U g Ig).
      pose proof (U h (Permutation_in _ (Permutation_sym Pm) (or_introl eq_refl))). lia. }
    set (r := h - g - t). destruct (Nat.le_gt_cases g r) as [L|L].
    + apply (reply_by (Beside_smaller t (scheme_class s)) (first_search s) Z g r t); auto; try lia.
      * replace (g + r + t) with h by lia. exact Pm.
      * apply (beside_smaller_listed c A p W _ _ _ scheme_dull_closed scheme_faithful S1 t
          (scheme_class s)); auto; try lia. now replace (g + r + t) with h by lia.
    + apply (reply_by (Beside_greater t (scheme_class s)) (second_search s) Z r g t); auto; try lia.
      * replace (r + g + t) with h by lia. exact Pm.
      * apply (beside_greater_listed c A p W _ _ _ scheme_dull_closed scheme_faithful S2 t
          (scheme_class s)); auto; try lia. now replace (r + g + t) with h by lia.
  - rewrite !andb_split in H. destruct H as [[[[[[[Al Al'] Ev] Od] Le] Le'] S1] S2].
    apply negb_true_iff in Ev. apply Nat.leb_le in Le, Le'.
    destruct some_fits as (h & Ih & Fh & Lh). unfold least_heap in Lh. rewrite K in Lh.
    apply in_split in Ih as (Z1 & Z2 & EX). set (Z := Z1 ++ Z2).
    assert (Pm : Permutation X (h :: Z)) by (subst X; symmetry; apply Permutation_middle).
    assert (Ln : h <= n + 1).
    { unfold up_to in U. rewrite Forall_forall in U.
      pose proof (U h (Permutation_in _ (Permutation_sym Pm) (or_introl eq_refl))). lia. }
    assert (Ev' : Nat.even (t + d) = true) by (rewrite <- Nat.negb_odd, Ev; reflexivity).
    apply Nat.even_spec in Ev' as (i & Ei). apply Nat.odd_spec in Od as (j & Ej).
    destruct (Nat.Even_or_Odd h) as [(q & Eq)|(q & Eq)].
    + set (a := q - i).
      apply (reply_by (In_halves t (scheme_class s) d) (first_search s) Z a (a + d) t); auto;
        try lia.
      * replace (a + (a + d) + t) with h by lia. exact Pm.
      * apply (halves_end_listed c A p W _ _ _ scheme_dull_closed scheme_faithful S1 t
          (scheme_class s) d); auto; try lia. now replace (a + (a + d) + t) with h by lia.
    + set (a := q - j).
      apply (reply_by (In_halves t' (scheme_class s) d') (second_search s) Z a (a + d') t'); auto;
        try lia.
      * replace (a + (a + d') + t') with h by lia. exact Pm.
      * apply (halves_end_listed c A p W _ _ _ scheme_dull_closed scheme_faithful S2 t'
          (scheme_class s) d'); auto; try lia. now replace (a + (a + d') + t') with h by lia.
Qed.

End Reply.

End One_scheme.

Theorem N_has_P : N_has_P_by c A.
Proof.
  intros X Po (Y0 & M0) NX. set (n := pred (list_max X)).
  assert (U : up_to n X) by now apply up_to_greatest.
  rewrite (says_later A keep X n U) in NX.
  assert (Fin : has_P_option n X ->
    exists Y, move G X Y /\ automaton_says_P A Y = true).
  { intros (Y & M & UY & E). exists Y. split; [exact M|]. now rewrite (says_later A keep Y n UY). }
  apply Fin. destruct replies_parts as (Gr & Op & _).
  destruct (graph_holds c A states st_ok R Gr n X U) as [(L & V & _)|(_ & Y & M & UY & Ne)].
  - destruct V as [Vs _ Vm _ _ Vo]. destruct (is_open A R (watch X n)) eqn:O.
    + apply (scheme_reply (scheme_of D (watch X n))); auto.
      unfold to_decide. rewrite O. apply Nat.eqb_refl.
    + unfold is_open in O. cbv zeta in O. rewrite Vs, NX in O. simpl in O.
      rewrite andb_true_r in O. apply andb_false_iff in O as [O|O].
      * exfalso. specialize (Vm O). destruct M0 as (B & h & C & o & -> & I & _).
        apply Forall_app in Vm as [_ Vm]. inversion Vm as [|? ? E _]; subst. simpl in I.
        rewrite E in I. destruct I.
      * apply negb_false_iff, existsb_exists in O as (y & I & Py). rewrite Forall_forall in Vo.
        destruct (Vo y I) as (Y & M & UY & E). exists Y. rewrite E. auto.
  - destruct (graph_parts c A states R Gr) as (_ & _ & Nv & _).
    destruct (never_parts A states _ Nv _ _ (state_bound A states st_ok X n)
      (state_bound A states st_ok Y n) Ne) as (_ & _ & [E|E]); [congruence|].
    exists Y. auto.
Qed.

End Meaning.
