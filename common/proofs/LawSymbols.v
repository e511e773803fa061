(** What a law says of heaps that are listed, or any number of periods beyond, as a statement on
    these numbers of periods. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Loops Games LawCases Laws.
Import ListNotations.

(** ** Facts repeat *)

(** [t] periods later. *)
Definition grown_times (s t : nat) (f : heap_fact) : heap_fact :=
  HeapFact (unit_of f) (weight_of f + s * t)
    (if threshold_of f =? 0 then 0 else threshold_of f + s * t) (alone_of f).

Lemma grown_grown s t f : grown s (grown_times s t f) = grown_times s (S t) f.
Proof.
  unfold grown, grown_times. simpl. f_equal; [lia|].
  destruct (Nat.eqb_spec (threshold_of f) 0); simpl; auto.
  destruct (Nat.eqb_spec (threshold_of f + s * t) 0); lia.
Qed.

Lemma grown_0 s f : grown_times s 0 f = f.
Proof.
  destruct f as [u w th al]. unfold grown_times. simpl. rewrite Nat.mul_0_r. f_equal; [lia|].
  destruct (Nat.eqb_spec th 0); lia.
Qed.

Lemma dot_unit at_ x : dot (repeat 0 at_ ++ [1]) x = nth at_ x 0.
Proof.
  revert x. induction at_ as [|k IH]; intros [|a x]; simpl; auto. lia.
Qed.

Section Symbols.

Variable L : law.

Local Notation s := (law_slope L).
Local Notation p := (law_period L).
Local Notation m := (modulus L).
Local Notation n := (length (law_heaps L)).

Hypothesis period_positive : 1 <= p.
Hypothesis modulus_positive : 1 <= m.
Hypothesis slope_residue : s mod m = 0.

Lemma fact_step l h : fact_after L (S l) h =
  if h <=? n then match h with 0 => nothing | S g => nth g (law_heaps L) nothing end
  else grown s (fact_after L l (h - p)).
Proof. reflexivity. Qed.

Lemma fact_enough : forall h l, h <= l -> fact_after L l h = fact L h.
Proof.
  unfold fact. induction h as [h IH] using lt_wf_ind. intros l Le.
  destruct l as [|l]; [now replace h with 0 by lia|].
  destruct h as [|h]; [now simpl|].
  rewrite !fact_step. destruct (Nat.leb_spec (S h) n); [reflexivity|].
  rewrite (IH (S h - p)) by lia. symmetry. f_equal. apply IH; lia.
Qed.

Lemma fact_beyond h : n < h -> fact L h = grown s (fact L (h - p)).
Proof.
  intros Lt. unfold fact at 1. destruct h as [|h]; [lia|]. rewrite fact_step.
  destruct (Nat.leb_spec (S h) n); [lia|]. f_equal. apply fact_enough. lia.
Qed.

Lemma fact_0 : fact L 0 = nothing.
Proof. reflexivity. Qed.

(** Whether a heap repeats. *)
Definition repeats (h : nat) : bool := n <? h + p.

Lemma fact_periods h t : repeats h = true -> fact L (h + p * t) = grown_times s t (fact L h).
Proof.
  unfold repeats. intros R. apply Nat.ltb_lt in R. induction t as [|t IH].
  - rewrite grown_0. f_equal. lia.
  - rewrite <- grown_grown, <- IH, (fact_beyond (h + p * S t)) by lia. f_equal. f_equal. lia.
Qed.

(** ** Symbols: a heap, and as many periods more as a vector says *)

Record symbol := Symbol { heap_place : nat; going : list nat }.

Definition heap_at (y : symbol) (x : list nat) : nat := heap_place y + p * dot (going y) x.

Definition symbol_ok (y : symbol) : bool := is_zero (going y) || repeats (heap_place y).

Record symbolic := Symbolic {
  s_unit : nat;
  s_weight : term;
  s_threshold : term;
  s_alone : list nat }.

Definition symbolic_fact (y : symbol) : symbolic :=
  let f := fact L (heap_place y) in
  Symbolic (unit_of f) (Term (weight_of f) (going y))
    (if threshold_of f =? 0 then constant_term 0 else Term (threshold_of f) (going y)) (alone_of f).

(** The fact that a symbolic fact represents. *)
Definition stands_for (f : symbolic) (x : list nat) : heap_fact :=
  HeapFact (s_unit f) (term_value s (s_weight f) x) (term_value s (s_threshold f) x) (s_alone f).

Lemma symbolic_right y x : symbol_ok y = true ->
  stands_for (symbolic_fact y) x = fact L (heap_at y x).
Proof.
  unfold symbol_ok, stands_for, symbolic_fact, heap_at. intros H.
  assert (E : fact L (heap_place y + p * dot (going y) x) =
    grown_times s (dot (going y) x) (fact L (heap_place y))).
  { apply orb_prop in H as [H|H]; [|now apply fact_periods].
    rewrite (dot_zero _ x H), grown_0. f_equal. lia. }
  rewrite E. unfold grown_times. simpl. f_equal.
  destruct (threshold_of (fact L (heap_place y)) =? 0); [apply term_value_constant|reflexivity].
Qed.

(** ** Residues of terms *)

(** The residue of [D], if [D + a = b]; [a] and [b] are given up to multiples of the modulus. *)
Definition lacking (a b : nat) : nat := (b + (m - 1) * a) mod m.

Lemma lacking_right a b D k l : D + (a + m * k) = b + m * l -> D mod m = lacking a b.
Proof.
  intros E. unfold lacking.
  rewrite <- (Nat.mod_add D (k + a) m) by lia.
  rewrite <- (Nat.mod_add (b + (m - 1) * a) l m) by lia. f_equal.
  assert (M : m * a = (m - 1) * a + a).
  { replace m with (S (m - 1)) at 1 by lia. simpl. lia. }
  rewrite Nat.mul_add_distr_r. rewrite (Nat.mul_comm a m), (Nat.mul_comm k m), (Nat.mul_comm l m).
  lia.
Qed.

Lemma slope_multiple : exists q, s = m * q.
Proof. apply Nat.mod_divides in slope_residue; [exact slope_residue|lia]. Qed.

Lemma term_residue t x : exists k, term_value s t x = constant t + m * k.
Proof.
  destruct slope_multiple as (q & E). exists (q * dot (along t) x).
  unfold term_value. rewrite E at 1. lia.
Qed.

(** ** Statements by the value of a term *)

(** [f] of the value of [t], if that is less than [from + steps]; and [last] otherwise. *)
Fixpoint by_value (t : term) (from steps : nat) (f : nat -> bool) (last : bool) : statement :=
  match steps with
  | 0 => Constant last
  | S l => If (less t (constant_term (S from))) (Constant (f from)) (by_value t (S from) l f last)
  end.

Lemma by_value_right t f last x steps : forall from, from <= term_value s t x ->
  holds s (by_value t from steps f last) x =
    if term_value s t x <? from + steps then f (term_value s t x) else last.
Proof.
  induction steps as [|l IH]; intros from Le; simpl.
  - destruct (Nat.ltb_spec (term_value s t x) (from + 0)); [lia|reflexivity].
  - rewrite holds_less, term_value_constant.
    destruct (Nat.ltb_spec (term_value s t x) (S from)).
    + replace (term_value s t x) with from by lia.
      destruct (Nat.ltb_spec from (from + S l)); [reflexivity|lia].
    + rewrite IH by lia. replace (S from + l) with (from + S l) by lia. reflexivity.
Qed.

(** Whether the entry for the value of a term has a unit. *)
Definition entry_has (first cyclic : list nat) (t : term) (u : nat) : statement :=
  by_value t 0 (length first) (fun k => has_unit (nth k first 0) u)
    (has_unit (nth (lacking (length first) (constant t)) cyclic 0) u).

Lemma entry_has_right first cyclic t u x : holds s (entry_has first cyclic t u) x =
  has_unit (by_total m first cyclic (term_value s t x)) u.
Proof.
  unfold entry_has. rewrite by_value_right by lia. unfold by_total. simpl.
  destruct (Nat.ltb_spec (term_value s t x) (length first)); [reflexivity|].
  destruct (term_residue t x) as (k & E).
  rewrite (lacking_right (length first) (constant t) (term_value s t x - length first) 0 k);
    [reflexivity|lia].
Qed.

(** ** What the law says *)

Definition total_term (F : list symbolic) (i : term) : term :=
  fold_right (fun f t => tadd (s_weight f) t) i F.

Definition symbolic_units (F : list symbolic) (v : nat) : nat :=
  fold_right (fun f u => Nat.lxor (s_unit f) u) v F.

Fixpoint free_first (F : list symbolic) (T : term) (u : nat) : statement :=
  match F with
  | [] => entry_has (first_totals L) (totals L) T u
  | f :: F' =>
    let free_to := tadd (s_weight f) (s_threshold f) in
    If (less T free_to)
      (Constant (has_unit (nth (lacking (constant T) (constant free_to)) (s_alone f) 0)
        (Nat.lxor u (s_unit f))))
      (free_first F' T u)
  end.

(** [judged] as a statement. *)
Definition law_says (F : list symbolic) (v : nat) (i : term) : statement :=
  free_first F (total_term F i) (symbolic_units F v).

Lemma total_term_right F i x : term_value s (total_term F i) x =
  term_value s i x + weight_sum (map (fun f => stands_for f x) F).
Proof.
  induction F as [|f F IH]; simpl.
  - unfold weight_sum. simpl. lia.
  - rewrite term_value_add, IH. unfold weight_sum. simpl. lia.
Qed.

Lemma symbolic_units_right F v x : symbolic_units F v =
  Nat.lxor v (unit_sum (map (fun f => stands_for f x) F)).
Proof.
  induction F as [|f F IH]; simpl; [now rewrite Nat.lxor_0_r|].
  rewrite IH. unfold unit_sum. simpl.
  rewrite <- !Nat.lxor_assoc. f_equal. apply Nat.lxor_comm.
Qed.

Lemma free_first_right x T u F :
  (forall f, In f F -> weight_of (stands_for f x) <= term_value s T x) ->
  holds s (free_first F T u) x =
  match find (is_free (term_value s T x)) (map (fun f => stands_for f x) F) with
  | Some f => has_unit (alone_set L f (threshold_of f - (term_value s T x - weight_of f)))
                (Nat.lxor u (unit_of f))
  | None => has_unit (total_set L (term_value s T x)) u
  end.
Proof.
  induction F as [|f F IH]; intros W.
  - apply entry_has_right.
  - cbn [free_first holds map find]. rewrite holds_less, term_value_add.
    pose proof (W f (or_introl eq_refl)) as Wf.
    destruct (is_free (term_value s T x) (stands_for f x)) eqn:Fr.
    + apply is_free_iff in Fr; [|exact Wf]. simpl in Fr, Wf.
      destruct (Nat.ltb_spec (term_value s T x)
        (term_value s (s_weight f) x + term_value s (s_threshold f) x)); [|lia].
      simpl. unfold alone_set. simpl. f_equal. f_equal. symmetry.
      destruct (term_residue T x) as (k & Ek).
      destruct (term_residue (tadd (s_weight f) (s_threshold f)) x) as (l & El).
      rewrite term_value_add in El. simpl in El.
      apply (lacking_right _ _ _ k l). simpl. lia.
    + destruct (Nat.ltb_spec (term_value s T x)
        (term_value s (s_weight f) x + term_value s (s_threshold f) x)) as [Lt|Le].
      * exfalso. assert (is_free (term_value s T x) (stands_for f x) = true); [|congruence].
        apply is_free_iff; [exact Wf|exact Lt].
      * apply IH. intros g I. apply W. now right.
Qed.

Theorem says_right F v i x : holds s (law_says F v i) x =
  judged L (map (fun f => stands_for f x) F) v (term_value s i x).
Proof.
  unfold law_says, judged. cbv zeta. rewrite free_first_right.
  - rewrite total_term_right, (symbolic_units_right F v x). reflexivity.
  - intros f I. rewrite total_term_right.
    pose proof (weight_in _ _ (in_map (fun f => stands_for f x) F f I)). lia.
Qed.

(** ** Slots: the heaps before a base, and those of one period *)

Definition slots (base : nat) : list (nat * bool) :=
  map (fun h => (h, false)) (seq 0 base) ++ map (fun h => (h, true)) (seq base p).

(** A slot, with the number of periods that has the place [at] in a tuple. *)
Definition slot_symbol (at_ : nat) (y : nat * bool) : symbol :=
  Symbol (fst y) (if snd y then repeat 0 at_ ++ [1] else []).

Lemma slot_of base h : exists y t, In y (slots base) /\ h = fst y + p * t /\
  (snd y = false -> t = 0).
Proof.
  unfold slots. destruct (le_lt_dec base h) as [Le|Lt].
  - exists (base + (h - base) mod p, true), ((h - base) / p). split; [|split].
    + apply in_or_app. right. apply in_map_iff. eexists. split; [reflexivity|].
      apply in_seq. pose proof (Nat.mod_upper_bound (h - base) p ltac:(lia)). lia.
    + simpl. pose proof (Nat.div_mod (h - base) p ltac:(lia)). lia.
    + discriminate.
  - exists (h, false), 0. split; [|split].
    + apply in_or_app. left. apply in_map_iff. eexists. split; [reflexivity|]. apply in_seq. lia.
    + simpl. lia.
    + auto.
Qed.

Lemma slot_ok base at_ y : repeats base = true -> In y (slots base) ->
  symbol_ok (slot_symbol at_ y) = true.
Proof.
  intros R I. unfold symbol_ok, slot_symbol. simpl. destruct (snd y) eqn:E; [|reflexivity].
  apply orb_true_iff. right. unfold slots in I. apply in_app_or in I as [I|I];
    apply in_map_iff in I as (h & <- & I); simpl in *; [discriminate|].
  apply in_seq in I. unfold repeats in *. apply Nat.ltb_lt in R. apply Nat.ltb_lt. lia.
Qed.

(** The heap of a slot, if the tuple has at least the periods that it needs. *)
Lemma slot_heap at_ y t x : (snd y = false -> t = 0) -> nth at_ x 0 = t ->
  heap_at (slot_symbol at_ y) x = fst y + p * t.
Proof.
  intros N E. unfold heap_at, slot_symbol. simpl. destruct (snd y).
  - now rewrite dot_unit, E.
  - rewrite N by auto. simpl. lia.
Qed.

End Symbols.
