(** Are the values of the options of a heap listed rightly? The check for codes.

    What a move leaves that takes [j] beans of a heap of [h] depends on [h - j] only. So the values
    of [k] heaps that have [r] beans together are listed once for each [k] and [r], from those of
    [k - 1] heaps. Listings come from an untrusted search, and both directions are checked: every
    value is listed, and everything listed is a value. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Codes Loops Monoid Pairs Heaps.
Import ListNotations.

(** Listings of the values of [k] heaps with [r] beans. For each entry the least heap of some parts
    that have the value and the place of the value of the others; and for each entry of the listing
    of a heap the beans taken, the number of parts and the place of their value. *)
Record splits := Splits {
  sums : nat -> nat -> listing;
  split : nat -> nat -> nat -> nat;
  split_rest : nat -> nat -> nat -> nat;
  from_taken : nat -> nat -> nat;
  from_parts : nat -> nat -> nat;
  from_place : nat -> nat -> nat }.

(** No heaps have no beans and the value 1; one heap has its own value. *)
Definition sum_count (S : splits) (k r : nat) : nat :=
  match k with
  | 0 => if r =? 0 then 1 else 0
  | 1 => if r =? 0 then 0 else 1
  | _ => count (sums S k r)
  end.

Definition sum_elem (S : splits) (p : nat -> nat) (k r i : nat) : nat :=
  match k with
  | 0 => 0
  | 1 => p r
  | _ => elem (sums S k r) i
  end.

(** Every value of [k] heaps is listed. Of two heaps the first is not the greater one. *)
Definition all_sums_listed (T : tables) (S : splits) (p : nat -> nat) (k r : nat) : bool :=
  let L := sums S k r in
  match k with
  | 0 => true
  | 1 => true
  | 2 => all_from 1 (Nat.div2 r) (fun s => member L (mul T (p s) (p (r - s))))
  | Datatypes.S l => all_from 1 r (fun s => let q := p s in
      all_below (sum_count S l (r - s)) (fun i =>
        member L (mul T q (sum_elem S p l (r - s) i))))
  end.

(** Everything listed is a value. *)
Definition only_sums_listed (T : tables) (S : splits) (p : nat -> nat) (k r : nat) : bool :=
  let L := sums S k r in
  all_below (count L) (fun i =>
    let s := split S k r i in let c := split_rest S k r i in
    (1 <=? s) && (s <=? r) && (c <? sum_count S (k - 1) (r - s)) &&
    (elem L i =? mul T (p s) (sum_elem S p (k - 1) (r - s) c))).

Definition sums_ok (T : tables) (S : splits) (p : nat -> nat) (n k : nat) : bool :=
  all_from 0 (n + 1) (fun r => all_sums_listed T S p k r && only_sums_listed T S p k r).

(** The most heaps that a move can leave. *)
Definition most_parts (c : code) : nat := list_max (map Nat.log2 c).

Definition image_ok (c : code) (S : splits) (H : heaps) (K h : nat) : bool :=
  let L := image_of H h in
  all_from 0 (Nat.min h (length c) + 1) (fun j => all_from 0 (K + 1) (fun k =>
    if allows c j k then all_below (sum_count S k (h - j)) (fun i =>
      member L (sum_elem S (phi H) k (h - j) i)) else true)) &&
  all_below (count L) (fun i =>
    let j := from_taken S h i in let k := from_parts S h i in let p := from_place S h i in
    (j <=? h) && allows c j k && (p <? sum_count S k (h - j)) &&
    (elem L i =? sum_elem S (phi H) k (h - j) p)).

Definition images_ok (T : tables) (c : code) (S : splits) (H : heaps) : bool :=
  let K := most_parts c in
  all_from 2 (K - 1) (sums_ok T S (phi H) (last_heap H)) &&
  all_from 0 (last_heap H + 1) (image_ok c S H K).

(** ** What the check means *)

Lemma allows_bound c j k : allows c j k = true -> k <= most_parts c /\ j < length c.
Proof.
  unfold allows, most_parts, digit. intros A. apply andb_split in A as [A _].
  assert (Lj : j < length c).
  { destruct (le_lt_dec (length c) j) as [Le|Lt]; auto.
    rewrite nth_overflow in A by auto. now rewrite Nat.bits_0 in A. }
  split; auto.
  assert (I : k <= Nat.log2 (nth j c 0)).
  { destruct (le_lt_dec k (Nat.log2 (nth j c 0))) as [Le|Lt]; auto.
    now rewrite Nat.bits_above_log2 in A. }
  etransitivity; [exact I|].
  pose proof (proj1 (list_max_le (map Nat.log2 c) (list_max (map Nat.log2 c))) (le_n _)) as F.
  rewrite Forall_forall in F. apply F. apply in_map. now apply nth_In.
Qed.

Section Images.

Variable T : tables.
Hypothesis T_ok : monoid_ok T = true.
Variable c : code.
Variable S : splits.
Variable H : heaps.
Hypothesis phi_below : forall h, h <= last_heap H -> phi H h < order T.
Hypothesis I_ok : images_ok T c S H = true.

Local Notation m := (order T).
Local Notation n := (last_heap H).
Local Notation p := (phi H).
Local Notation K := (most_parts c).

(** [v] is the value of [k] heaps with [r] beans. *)
Definition sum_value (k r v : nat) : Prop := exists o, parts k r o /\ number T p o = v.

Definition sum_listed (k r v : nat) : Prop :=
  exists i, i < sum_count S k r /\ sum_elem S p k r i = v.

Lemma number_below o : Forall (fun h => h <= n) o -> number T p o < m.
Proof.
  induction 1; simpl; [now apply order_positive|]. apply (mul_below T T_ok); auto.
Qed.

Lemma parts_below k r o : parts k r o -> r <= n -> Forall (fun h => h <= n) o.
Proof.
  intros (_ & _ & E) L. apply Forall_forall. intros g I. apply part_at_most in I. lia.
Qed.

Lemma number_one g : g <= n -> number T p [g] = p g.
Proof. intros L. simpl. apply (product_one T T_ok). auto. Qed.

Lemma sums_listed k : k <= K -> forall r, r <= n -> forall v, sum_listed k r v <-> sum_value k r v.
Proof.
  unfold images_ok in I_ok. cbv zeta in I_ok. apply andb_split in I_ok as [A _].
  rewrite all_from_spec in A. induction k as [|k IH]; intros LK r Lr v.
  - unfold sum_listed, sum_value. simpl. split.
    + intros (i & Li & <-). destruct (Nat.eqb_spec r 0) as [->|N]; [|lia].
      exists []. repeat split; auto.
    + intros (o & (Lo & _ & E) & <-). destruct o; [|discriminate]. simpl in E. subst r.
      exists 0. simpl. auto.
  - destruct k as [|k].
    + unfold sum_listed, sum_value. simpl. split.
      * intros (i & Li & <-). destruct (Nat.eqb_spec r 0) as [->|N]; [lia|].
        exists [r]. split; [|now apply number_one].
        repeat split; simpl; [|lia]. constructor; auto. lia.
      * intros (o & (Lo & F & E) & <-). destruct o as [|g [|]]; try discriminate.
        simpl in E. rewrite Nat.add_0_r in E. subst g. inversion F; subst.
        destruct (Nat.eqb_spec r 0) as [->|N]; [lia|]. exists 0. split; [lia|].
        symmetry. now apply number_one.
    + specialize (A (Datatypes.S (Datatypes.S k)) ltac:(lia) ltac:(lia)).
      unfold sums_ok in A. rewrite all_from_spec in A. specialize (A r ltac:(lia) ltac:(lia)).
      apply andb_split in A as [All Only]. specialize (IH ltac:(lia)).
      split.
      * intros (i & Li & <-). unfold only_sums_listed in Only. cbv zeta in Only.
        rewrite all_below_spec in Only. specialize (Only i Li). simpl Nat.sub in Only.
        read_check. set (s := split S _ r i) in *. set (d := split_rest S _ r i) in *.
        assert (V : sum_listed (Datatypes.S k) (r - s) (sum_elem S p (Datatypes.S k) (r - s) d)).
        { exists d. auto. }
        apply IH in V; [|lia]. destruct V as (o & (Lo & F & E) & V).
        exists (s :: o). split.
        -- repeat split; simpl; [lia| |lia]. constructor; [lia|auto].
        -- simpl sum_elem. simpl number. rewrite V. symmetry. auto.
      * intros (o & Po & <-). pose proof Po as (Lo & F & E).
        destruct o as [|s o]; [discriminate|]. simpl in Lo, E. inversion F as [|? ? Fs F']; subst.
        apply member_has.
        assert (Po' : parts (Datatypes.S k) (list_sum o) o) by (repeat split; auto; lia).
        destruct k as [|k].
        -- destruct o as [|u [|]]; try discriminate. clear Lo. inversion F' as [|? ? Fu _]; subst.
           simpl in *. rewrite Nat.add_0_r in *.
           unfold all_sums_listed in All. cbv zeta in All. rewrite all_from_spec in All.
           assert (Ls : p s < m) by (apply phi_below; lia).
           assert (Lu : p u < m) by (apply phi_below; lia).
           rewrite (product_one T T_ok) by auto.
           pose proof (Nat.div2_odd (s + u)) as D.
           destruct (Nat.odd (s + u)); simpl Nat.b2n in D;
             (destruct (le_lt_dec s u) as [Le|Lt];
             [ specialize (All s ltac:(lia) ltac:(lia));
               now replace (s + u - s) with u in All by lia
             | specialize (All u ltac:(lia) ltac:(lia));
               replace (s + u - u) with s in All by lia;
               now rewrite (mul_comm T T_ok) by auto ]).
        -- unfold all_sums_listed in All. cbv zeta in All. rewrite all_from_spec in All.
           specialize (All s ltac:(lia) ltac:(lia)). rewrite all_below_spec in All.
           assert (V : sum_listed (Datatypes.S (Datatypes.S k)) (list_sum o) (number T p o)).
           { apply IH; [lia|]. exists o. auto. }
           destruct V as (i & Li & Ei). simpl number. rewrite <- Ei.
           replace (s + list_sum o - s) with (list_sum o) in All by lia.
           now apply All.
Qed.

(** The listing of a heap has exactly the values of its options. *)
Theorem image_listed h e : h <= n ->
  (listing_has (image_of H h) e <-> numbers T (game_of_code c) p h e).
Proof.
  intros Lh. pose proof sums_listed as Sums.
  unfold images_ok in I_ok. cbv zeta in I_ok. apply andb_split in I_ok as [_ A].
  rewrite all_from_spec in A. specialize (A h ltac:(lia) ltac:(lia)).
  unfold image_ok in A. cbv zeta in A. apply andb_split in A as [All Only].
  unfold numbers. split.
  - intros (i & Li & <-). rewrite all_below_spec in Only. specialize (Only i Li). read_check.
    set (j := from_taken S h i) in *. set (k := from_parts S h i) in *.
    destruct (allows_bound c j k) as [LK _]; auto.
    assert (V : sum_listed k (h - j) (elem (image_of H h) i)) by (exists (from_place S h i); auto).
    apply Sums in V; [|auto|lia]. destruct V as (o & Po & V).
    exists o. split; [|auto]. apply code_options_spec. exists j, k. auto.
  - intros (o & I & <-). apply code_options_spec in I as (j & k & Lj & Al & Po).
    destruct (allows_bound c j k Al) as [LK LJ].
    rewrite all_from_spec in All. specialize (All j ltac:(lia) ltac:(lia)).
    rewrite all_from_spec in All. specialize (All k ltac:(lia) ltac:(lia)). rewrite Al in All.
    assert (V : sum_listed k (h - j) (number T p o)).
    { apply Sums; [auto|lia|]. exists o. auto. }
    destruct V as (i & Li & Ei). rewrite all_below_spec in All. specialize (All i Li).
    rewrite Ei in All. now apply member_has.
Qed.

End Images.
