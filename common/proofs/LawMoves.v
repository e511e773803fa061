(** The hypotheses A1, A2 and A5 of a law (docs/laws.md): its form, and that no position that it
    calls P has an option that it calls P. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops LawCases Laws LawSymbols.
Import ListNotations.

(** ** The form of a law *)

(** [units] is a bound on units; [base] is a heap that repeats. *)
Definition form_ok (c : code) (L : law) (units base : nat) : bool :=
  (1 <=? law_period L) && (1 <=? modulus L) && (1 <=? law_slope L) &&
  (law_slope L mod modulus L =? 0) && (1 <=? base) && repeats L base &&
  forallb (fun d => d <? 8) c && (1 <=? units) &&
  all_below units (fun u => all_below units (fun v => Nat.lxor u v <? units)) &&
  forallb (fun f => unit_of f <? units) (law_heaps L).

(** A2. Periods add the same to both, or nothing to the threshold. *)
Definition thresholds_ok (L : law) : bool :=
  forallb (fun f => threshold_of f <=? weight_of f) (law_heaps L).

(** The number of parts; 0 represents a part that is not there. *)
Definition part_count (a b : nat) : nat := (if a =? 0 then 0 else 1) + (if b =? 0 then 0 else 1).

(** A weight with the residue [first], whose quotient has a place in the tuple. *)
Definition rest_term (place_of_number first : nat) : term :=
  Term first (repeat 0 place_of_number ++ [1]).

Section Moves.

Variable c : code.
Variable L : law.
Variables units base : nat.

Local Notation s := (law_slope L).
Local Notation p := (law_period L).
Local Notation G := (game_of_code c).

(** The heap that becomes [a] and [b] if [j] beans are taken. *)
Definition before (j : nat) (a b : symbol) : symbol :=
  Symbol (j + heap_place a + heap_place b) (vadd (going a) (going b)).

(** A heap becomes [a] and [b], beside [g] and others of the unit [v] and the weight [i]; not both
    positions are called P. *)
Definition not_both (j : nat) (a b g : symbol) (v : nat) (i : term) : statement :=
  let fact_of := symbolic_fact L in
  If (law_says L [fact_of (before j a b); fact_of g] v i)
    (If (law_says L [fact_of a; fact_of b; fact_of g] v i) (Constant false) (Constant true))
    (Constant true).

(** A5. [check] is a test by which a statement holds for all tuples. *)
Definition moves_ok (check : statement -> bool) : bool :=
  forallb (fun j => forallb (fun a => forallb (fun b =>
    if allows c j (part_count (fst a) (fst b)) then
      let A := slot_symbol 0 a in
      let B := slot_symbol 1 b in
      symbol_ok L (before j A B) &&
      forallb (fun g => all_below s (fun i => all_below units (fun v =>
        check (not_both j A B (slot_symbol 2 g) v (rest_term 3 i)))))
        (slots L base)
    else true) (slots L base)) (slots L base)) (seq 0 (length c)).

Hypothesis form : form_ok c L units base = true.
Hypothesis thresholds : thresholds_ok L = true.

Lemma form_parts : 1 <= p /\ 1 <= modulus L /\ 1 <= s /\ s mod modulus L = 0 /\ 1 <= base /\
  repeats L base = true /\ (forall d, In d c -> d < 8) /\ 1 <= units /\
  (forall u v, u < units -> v < units -> Nat.lxor u v < units) /\
  (forall f, In f (law_heaps L) -> unit_of f < units).
Proof.
  pose proof form as H. unfold form_ok in H. rewrite !andb_split in H.
  destruct H as [[[[[[[[[H1 H2] H3] H4] H5] H6] H7] H8] H9] H10]. read_check.
  rewrite forallb_forall in H7, H10. rewrite all_below_spec in H9. repeat split; auto.
  - intros d I. now apply Nat.ltb_lt, H7.
  - intros u v Lu Lv. specialize (H9 u Lu). rewrite all_below_spec in H9.
    now apply Nat.ltb_lt, H9.
  - intros f I. now apply Nat.ltb_lt, H10.
Qed.

Lemma fact_all (P : heap_fact -> Prop) : P nothing -> (forall f, In f (law_heaps L) -> P f) ->
  (forall f, P f -> P (grown s f)) -> forall h, P (fact L h).
Proof.
  intros P0 Pl Pg h. unfold fact. generalize h at 1 as l. intros l. revert h.
  induction l as [|l IH]; intros h; cbn [fact_after].
  all: destruct (h <=? length (law_heaps L)).
  1, 3: destruct h as [|h]; [exact P0|];
    destruct (nth_in_or_default h (law_heaps L) nothing) as [I| ->]; auto.
  - exact P0.
  - auto.
Qed.

Lemma thresholds_bounded h : bounded_threshold (fact L h).
Proof.
  unfold bounded_threshold. apply fact_all; simpl; [lia| |].
  - intros f I. pose proof thresholds as H. unfold thresholds_ok in H.
    rewrite forallb_forall in H. now apply Nat.leb_le, H.
  - intros f H. destruct (threshold_of f =? 0); lia.
Qed.

Lemma all_bounded X : Forall bounded_threshold (map (fact L) X).
Proof.
  apply Forall_forall. intros f I. apply in_map_iff in I as (h & <- & _).
  apply thresholds_bounded.
Qed.

Lemma unit_below h : unit_of (fact L h) < units.
Proof.
  destruct form_parts as (_ & _ & _ & _ & _ & _ & _ & U & _ & Un). apply fact_all; auto.
Qed.

Lemma units_below X : unit_sum (map (fact L) X) < units.
Proof.
  destruct form_parts as (_ & _ & _ & _ & _ & _ & _ & U & Cl & _).
  induction X as [|h X IH]; [exact U|]. apply Cl; [apply unit_below|exact IH].
Qed.

(** ** Heaps that are not there do not matter *)

Lemma judged_nothing F v i : judged L (nothing :: F) v i = judged L F v i.
Proof.
  unfold judged. change (unit_sum (nothing :: F)) with (Nat.lxor 0 (unit_sum F)).
  change (weight_sum (nothing :: F)) with (weight_sum F). rewrite Nat.lxor_0_l. reflexivity.
Qed.

Lemma judged_perm X Y v i : Permutation X Y ->
  judged L (map (fact L) X) v i = judged L (map (fact L) Y) v i.
Proof. intros Pm. apply judged_permutation; [apply all_bounded|now apply Permutation_map]. Qed.

Lemma judged_zero A B v i :
  judged L (map (fact L) (A ++ 0 :: B)) v i = judged L (map (fact L) (A ++ B)) v i.
Proof.
  rewrite (judged_perm (A ++ 0 :: B) (0 :: A ++ B)) by (symmetry; apply Permutation_middle).
  cbn [map]. rewrite fact_0. apply judged_nothing.
Qed.

Definition reach (h : nat) : nat := weight_of (fact L h) + threshold_of (fact L h).

(** What is left of a position when the heaps beside one with the greatest reach are counted. *)
Lemma judged_counted X g R : In g X -> (forall f, In f R -> reach f <= reach g) ->
  judged L (map (fact L) (X ++ R)) 0 0 =
  judged L (map (fact L) X) (unit_sum (map (fact L) R)) (weight_sum (map (fact L) R)).
Proof.
  intros I M. rewrite map_app, (judged_beside (fact L g)).
  - now rewrite Nat.lxor_0_l.
  - rewrite <- map_app. apply all_bounded.
  - now apply in_map.
  - intros f If. apply in_map_iff in If as (h & <- & Ih). exact (M h Ih).
Qed.

(** ** Options have two parts at most *)

Lemma three_bits d k : d < 8 -> Nat.testbit d k = true -> k <= 2.
Proof.
  intros Ld T. destruct (le_lt_dec k 2) as [|Lk]; auto.
  assert (d < 2 ^ k).
  { assert (8 = 2 ^ 3) by reflexivity. assert (2 ^ 3 <= 2 ^ k) by (apply Nat.pow_le_mono_r; lia).
    lia. }
  rewrite <- (Nat.mod_small d (2 ^ k)) in T by auto.
  rewrite Nat.mod_pow2_bits_high in T by lia. discriminate.
Qed.

Lemma allows_parts j k : allows c j k = true -> j < length c /\ k <= 2.
Proof.
  unfold allows. intros A. apply andb_split in A as [T _].
  destruct form_parts as (_ & _ & _ & _ & _ & _ & D & _).
  destruct (le_lt_dec (length c) j) as [Le|Lt].
  - unfold digit in T. rewrite nth_overflow in T by auto. now rewrite Nat.bits_0 in T.
  - split; auto. apply (three_bits (digit c j)); auto. apply D. unfold digit. now apply nth_In.
Qed.

Lemma option_parts h o : In o (code_options c h) -> exists j a b,
  allows c j (part_count a b) = true /\ j < length c /\ h = j + a + b /\
  forall R v i, judged L (map (fact L) (o ++ R)) v i = judged L (map (fact L) (a :: b :: R)) v i.
Proof.
  intros I. apply code_options_spec in I as (j & k & Lj & Al & Lo & Pos & Sum).
  destruct (allows_parts j k Al) as [Ljc Lk].
  destruct o as [|a [|b [|? o]]]; simpl in Lo; subst k; try lia.
  - exists j, 0, 0. simpl in *. repeat split; auto; [lia|].
    intros R v i. rewrite fact_0. now rewrite !judged_nothing.
  - exists j, a, 0. inversion Pos; subst. simpl in Sum. unfold part_count.
    destruct (Nat.eqb_spec a 0); [lia|]. repeat split; auto; [lia|].
    intros R v i. symmetry. apply (judged_zero [a] R).
  - exists j, a, b. inversion Pos as [|? ? Pa Pos']; subst. inversion Pos'; subst.
    simpl in Sum. unfold part_count. destruct (Nat.eqb_spec a 0); [lia|].
    destruct (Nat.eqb_spec b 0); [lia|]. repeat split; auto. lia.
Qed.

Lemma option_is_there j a b : allows c j (part_count a b) = true -> exists o,
  In o (code_options c (j + a + b)) /\
  forall R v i, judged L (map (fact L) (o ++ R)) v i = judged L (map (fact L) (a :: b :: R)) v i.
Proof.
  intros Al. exists ((if a =? 0 then [] else [a]) ++ (if b =? 0 then [] else [b])). split.
  - apply code_options_spec. exists j, (part_count a b). repeat split; auto; [lia| | |].
    all: unfold part_count; destruct (Nat.eqb_spec a 0), (Nat.eqb_spec b 0); simpl; try lia;
      repeat constructor; lia.
  - intros R v i. destruct (Nat.eqb_spec a 0) as [->|], (Nat.eqb_spec b 0) as [->|]; simpl app.
    + cbn [map]. now rewrite fact_0, !judged_nothing.
    + cbn [map]. now rewrite fact_0, judged_nothing.
    + symmetry. apply (judged_zero [a] R).
    + reflexivity.
Qed.

(** ** A5 *)

Lemma weight_split w : exists first more, first < s /\ w = first + s * more.
Proof.
  destruct form_parts as (_ & _ & S & _). exists (w mod s), (w / s). split.
  - apply Nat.mod_upper_bound. lia.
  - pose proof (Nat.div_mod w s ltac:(lia)). lia.
Qed.

Lemma rest_term_value at_ first x :
  term_value s (rest_term at_ first) x = first + s * nth at_ x 0.
Proof. unfold term_value, rest_term. simpl. now rewrite dot_unit. Qed.

Lemma slot_zero y t : In y (slots L base) -> (snd y = false -> t = 0) ->
  (fst y + p * t =? 0) = (fst y =? 0).
Proof.
  intros I N. destruct form_parts as (_ & _ & _ & _ & B & _). unfold slots in I.
  apply in_app_or in I as [I|I]; apply in_map_iff in I as (h & <- & I); simpl in *.
  - rewrite N by auto. f_equal. lia.
  - apply in_seq in I. destruct (Nat.eqb_spec h 0), (Nat.eqb_spec (h + p * t) 0); auto; lia.
Qed.

Variable check : statement -> bool.
Hypothesis checked : forall e, check e = true -> forall x, length x = 4 -> holds s e x = true.
Hypothesis moves : moves_ok check = true.

Lemma symbolic_at y x h : symbol_ok L y = true -> heap_at L y x = h ->
  stands_for L (symbolic_fact L y) x = fact L h.
Proof.
  intros O <-. destruct form_parts as (Per & Mod & _ & Res & _).
  apply symbolic_right; auto.
Qed.

Lemma slot_at at_ y t x : In y (slots L base) -> (snd y = false -> t = 0) -> nth at_ x 0 = t ->
  stands_for L (symbolic_fact L (slot_symbol at_ y)) x = fact L (fst y + p * t).
Proof.
  intros I N E. destruct form_parts as (Per & Mod & _ & Res & _ & Rep & _).
  apply symbolic_at; [now apply (slot_ok L Per Mod Res base)|now apply slot_heap].
Qed.

Lemma not_both_P j a b g v i : allows c j (part_count a b) = true -> j < length c -> v < units ->
  judged L (map (fact L) [j + a + b; g]) v i = true ->
  judged L (map (fact L) [a; b; g]) v i = true -> False.
Proof.
  intros Al Lj Lv P P'. destruct form_parts as (Per & Mod & Slo & Res & Ba & Rep & _).
  destruct (slot_of L Per Mod Res base a) as (ya & ta & Ia & -> & Na).
  destruct (slot_of L Per Mod Res base b) as (yb & tb & Ib & -> & Nb).
  destruct (slot_of L Per Mod Res base g) as (yg & tg & Ig & -> & Ng).
  destruct (weight_split i) as (first & more & Lf & ->).
  set (x := [ta; tb; tg; more]).
  assert (H : holds s (not_both j (slot_symbol 0 ya) (slot_symbol 1 yb) (slot_symbol 2 yg) v
    (rest_term 3 first)) x = true /\
    symbol_ok L (before j (slot_symbol 0 ya) (slot_symbol 1 yb)) = true).
  { pose proof moves as M. unfold moves_ok in M. rewrite forallb_forall in M.
    specialize (M j ltac:(apply in_seq; lia)). rewrite forallb_forall in M. specialize (M ya Ia).
    rewrite forallb_forall in M. specialize (M yb Ib).
    replace (allows c j (part_count (fst ya) (fst yb))) with true in M.
    - apply andb_split in M as [O M]. split; [|exact O].
      rewrite forallb_forall in M. specialize (M yg Ig). rewrite all_below_spec in M.
      specialize (M first Lf). rewrite all_below_spec in M. now apply checked; [apply M|].
    - rewrite <- Al. unfold part_count. now rewrite !slot_zero. }
  destruct H as [H O]. unfold not_both in H. cbv zeta in H. cbn [holds] in H.
  rewrite !says_right in H by auto. cbn [map] in H.
  rewrite (symbolic_at (before _ _ _) x (j + (fst ya + p * ta) + (fst yb + p * tb))) in H; auto.
  2: { unfold heap_at, before. cbn [heap_place going]. rewrite dot_vadd_left.
       pose proof (slot_heap L Per Mod Res 0 ya ta x Na eq_refl) as Ha.
       pose proof (slot_heap L Per Mod Res 1 yb tb x Nb eq_refl) as Hb.
       unfold heap_at in Ha, Hb. rewrite Nat.mul_add_distr_l. lia. }
  rewrite (slot_at 0 ya ta) in H by auto.
  rewrite (slot_at 1 yb tb) in H by auto.
  rewrite (slot_at 2 yg tg) in H by auto.
  rewrite rest_term_value in H. simpl nth in H. cbn [map] in P, P'.
  rewrite P, P' in H. discriminate.
Qed.

Theorem no_P_to_P X Y : move G X Y -> law_says_P L X = true -> law_says_P L Y = true -> False.
Proof.
  intros (A & h & B & o & -> & I & ->) PX PY.
  destruct (option_parts h o I) as (j & a & b & Al & Lj & -> & Eo).
  destruct (greatest_exists reach (0 :: A ++ B)) as (g & R & Pm & M); [discriminate|].
  unfold law_says_P in PX, PY.
  apply (not_both_P j a b g (unit_sum (map (fact L) R)) (weight_sum (map (fact L) R)) Al Lj).
  - apply units_below.
  - rewrite <- (judged_counted [j + a + b; g] g R) by (simpl; auto). rewrite <- PX.
    transitivity (judged L (map (fact L) ([j + a + b] ++ 0 :: A ++ B)) 0 0).
    + apply judged_perm. simpl. apply perm_skip. now symmetry.
    + rewrite judged_zero. apply judged_perm. cbn [app]. apply Permutation_middle.
  - rewrite <- (judged_counted [a; b; g] g R) by (simpl; auto). rewrite <- PY.
    transitivity (judged L (map (fact L) ([a; b] ++ 0 :: A ++ B)) 0 0).
    + apply judged_perm. simpl. do 2 apply perm_skip. now symmetry.
    + rewrite judged_zero. cbn [app]. rewrite <- Eo. apply judged_perm.
      apply Permutation_app_swap_app.
Qed.

End Moves.
