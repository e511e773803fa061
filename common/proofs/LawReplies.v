(** The hypotheses A3 and A6 of a law (docs/laws.md): heaps without options count nothing, and every
    position with a move that the law calls N has an option that it calls P.

    Let the law call a position N, and let it have a move. Let [z] be a heap with the greatest
    reach, which is the sum of weight and threshold; let the rest have the unit [v] and the weight
    [i]. Suppose that no option is called P. Then no heap of the rest has a move to a position that
    is called P, beside [z]; call such heaps idle. Let [y] be a heap of the rest with the greatest
    reach. No move in [z] leads to a position that is called P, beside [y] and others. The search
    lists a set of units and weights for [z], [v] and [i]. If the unit and the weight of each idle
    heap, added to a member, lead to a member, then the sum of the heaps beside [z] and [y] is a
    member. The test is that it is none. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops LawCases Laws LawSymbols LawMoves.
Import ListNotations.

(** ** Sets of sums *)

(** For each weight a set of units, by residues at last. *)
Record sum_sets := SumSets { early : list nat; later : list nat }.

(** Whether some statement of a list holds. *)
Definition any (l : list statement) : statement :=
  fold_right (fun e r => If e (Constant true) r) (Constant false) l.

Lemma any_right s l x : holds s (any l) x = existsb (fun e => holds s e x) l.
Proof.
  induction l as [|e l IH]; simpl; [auto|]. rewrite IH. now destruct (holds s e x).
Qed.

Section Replies.

Variable c : code.
Variable L : law.
Variables units base : nat.

Local Notation s := (law_slope L).
Local Notation p := (law_period L).
Local Notation m := (modulus L).
Local Notation G := (game_of_code c).

Definition is_member (S : sum_sets) (w v : nat) : bool :=
  has_unit (by_total m (early S) (later S) w) v.

(** Whether a heap of the unit [u] and the weight [w] leads from members to members. *)
Definition closed_at (S : sum_sets) (u w : nat) : bool :=
  all_below (length (early S) + m) (fun t => all_below units (fun v =>
    if is_member S t v then is_member S (t + w) (Nat.lxor u v) else true)).

Definition closed (S : sum_sets) (u : nat) (w : term) : statement :=
  by_value w 0 (length (early S)) (closed_at S u)
    (closed_at S u (constant w + m * length (early S))).

(** ** Moves that are looked for *)

(** [small] is a bound on the smaller part. *)
Variable small : nat.

(** The parts that moves leave of a slot: the first part repeats if the slot does. *)
Definition replies (y : nat * bool) : list (nat * nat) :=
  flat_map (fun j => flat_map (fun b =>
    let a := fst y - j - b in
    if (j + b <=? fst y) && (b <=? a) && allows c j (part_count a b) &&
       (negb (snd y) || ((1 <=? a) && repeats L a)) then [(a, b)] else [])
    (seq 0 (S small))) (seq 0 (length c)).

Definition no_options (h : nat) : bool :=
  match code_options c h with
  | [] => true
  | _ => false
  end.

(** A3. *)
Definition dead_ok : bool :=
  forallb (fun y : nat * bool =>
    if snd y then match replies y with [] => false | _ => true end
    else if no_options (fst y) then
      let f := fact L (fst y) in
      (unit_of f =? 0) && (weight_of f =? 0) && (threshold_of f =? 0)
    else true) (slots L base).

(** A difference of weights and thresholds that are not 0. *)
Variable gap : nat.

Definition gap_ok : bool :=
  forallb (fun f => (threshold_of f =? 0) || (threshold_of f + gap <=? weight_of f)) (law_heaps L).

(** ** A6 *)

Definition reach_term (f : symbolic) : term := tadd (s_weight f) (s_threshold f).

(** The position of [z], of [y] and of others of the unit [v] and the weight [o]: it is called P, or
    one of its options is, or the sum of the others is not a member. *)
Definition answered (S : sum_sets) (z y : nat * bool) (rz ry : list (nat * nat)) (v : nat)
    (o : term) : statement :=
  let Z := slot_symbol 0 z in
  let Y := slot_symbol 1 y in
  let fz := symbolic_fact L Z in
  let fy := symbolic_fact L Y in
  let parts_of (T : symbol) := map (fun e : nat * nat =>
    (symbolic_fact L (Symbol (fst e) (going T)), symbolic_fact L (Symbol (snd e) []))) in
  let pz := parts_of Z rz in
  let u := Nat.lxor (s_unit fy) v in
  let i := tadd (s_weight fy) o in
  let yes := Constant true in
  let no := Constant false in
  If (law_says L [fz] u i) yes
    (If (less (reach_term fz) (reach_term fy)) yes
      (If (any (map (fun e => law_says L [fst e; snd e; fz] v o) (parts_of Y ry))) yes
        (If (any (map (fun e =>
               let w := tadd (s_weight (fst e)) (s_weight (snd e)) in
               If (If (less (tadd w (constant_term gap)) i) (less (tadd w i) (reach_term fz)) no) no
                 (law_says L [fst e; snd e] u i)) pz)) yes
          (if is_member S 0 0 then
             If (closed S (s_unit fy) (s_weight fy))
               (If (any (map (fun e => law_says L [fst e; snd e; fy] v o) pz)) yes
                 (If (entry_has L (early S) (later S) o v) no yes)) no
           else no)))).

(** The set of sums for a slot of [z], and a residue and a unit of the rest. *)
Variable sums : nat -> nat -> nat -> sum_sets.

Definition replies_ok (check : statement -> bool) : bool :=
  let listed_replies := map (fun y : nat * bool => (y, replies y)) (slots L base) in
  forallb (fun ez =>
    let z : nat * bool := fst ez in
    if negb (snd z) && no_options (fst z) then true
    else forallb (fun ey =>
      let y : nat * bool := fst ey in
      let fy := fact L (fst y) in
      all_below s (fun o => all_below units (fun v =>
        let S := sums (fst z) ((weight_of fy + o) mod s) (Nat.lxor (unit_of fy) v) in
        check (answered S z y (snd ez) (snd ey) v (rest_term 2 o)))))
      listed_replies) listed_replies.

Hypothesis form : form_ok c L units base = true.
Hypothesis thresholds : thresholds_ok L = true.
Hypothesis dead : dead_ok = true.
Hypothesis gaps : gap_ok = true.

Local Notation Lfact := (fact L).

(** ** Sums of members *)

Lemma by_total_alike first cyclic a b k l : length first <= a -> length first <= b ->
  a + m * k = b + m * l -> by_total m first cyclic a = by_total m first cyclic b.
Proof.
  intros La Lb E. destruct (form_parts c L units base form) as (_ & M & _). unfold by_total.
  destruct (Nat.ltb_spec a (length first)); [lia|].
  destruct (Nat.ltb_spec b (length first)); [lia|]. f_equal.
  rewrite <- (Nat.mod_add (a - length first) k m) by lia.
  rewrite <- (Nat.mod_add (b - length first) l m) by lia. f_equal. lia.
Qed.

Lemma closed_at_spec S u w : closed_at S u w = true -> forall t v, v < units ->
  is_member S t v = true -> is_member S (t + w) (Nat.lxor u v) = true.
Proof.
  intros Cl t v Lv H. destruct (form_parts c L units base form) as (_ & M & _).
  unfold closed_at in Cl. rewrite all_below_spec in Cl.
  assert (X : exists t' k, t' < length (early S) + m /\ t = t' + m * k /\
    (t = t' \/ length (early S) <= t')).
  { destruct (le_lt_dec (length (early S)) t) as [Le|Lt].
    - exists (length (early S) + (t - length (early S)) mod m), ((t - length (early S)) / m).
      pose proof (Nat.mod_upper_bound (t - length (early S)) m ltac:(lia)).
      pose proof (Nat.div_mod (t - length (early S)) m ltac:(lia)). lia.
    - exists t, 0. lia. }
  destruct X as (t' & k & Lt & E & Case). specialize (Cl t' Lt). rewrite all_below_spec in Cl.
  specialize (Cl v Lv). destruct Case as [->|Le]; [now rewrite H in Cl|].
  unfold is_member in *. rewrite (by_total_alike _ _ t t' 0 k) in H by lia. rewrite H in Cl.
  rewrite (by_total_alike _ _ (t + w) (t' + w) 0 k) by lia. exact Cl.
Qed.

Lemma closed_right S u w x : holds s (closed S u w) x = true -> forall t v, v < units ->
  is_member S t v = true -> is_member S (t + term_value s w x) (Nat.lxor u v) = true.
Proof.
  destruct (form_parts c L units base form) as (Per & M & _ & Res & _).
  unfold closed. rewrite by_value_right by (auto; lia). simpl.
  destruct (Nat.ltb_spec (term_value s w x) (length (early S))) as [Lt|Le].
  - apply closed_at_spec.
  - intros Cl t v Lv H. pose proof (closed_at_spec _ _ _ Cl t v Lv H) as H'.
    destruct (term_residue L Per M Res w x) as (k & E). unfold is_member in *.
    assert (Lm : length (early S) <= m * length (early S)).
    { rewrite <- (Nat.mul_1_l (length (early S))) at 1. now apply Nat.mul_le_mono_r. }
    rewrite (by_total_alike _ _ _ (t + (constant w + m * length (early S)))
      (length (early S)) k); [exact H'|lia|lia|lia].
Qed.

Lemma sum_is_member S O : is_member S 0 0 = true ->
  (forall y, In y O -> forall t v, v < units -> is_member S t v = true ->
    is_member S (t + weight_of (Lfact y)) (Nat.lxor (unit_of (Lfact y)) v) = true) ->
  is_member S (weight_sum (map Lfact O)) (unit_sum (map Lfact O)) = true.
Proof.
  intros H0. induction O as [|y O IH]; intros Cl; [exact H0|]. cbn [map].
  change (weight_sum (Lfact y :: map Lfact O))
    with (weight_of (Lfact y) + weight_sum (map Lfact O)).
  change (unit_sum (Lfact y :: map Lfact O))
    with (Nat.lxor (unit_of (Lfact y)) (unit_sum (map Lfact O))).
  rewrite Nat.add_comm. apply Cl; [now left|apply (units_below c L units base form)|].
  apply IH. intros z I. apply Cl. now right.
Qed.

(** ** Replies are moves, and heaps without options count nothing *)

Lemma reply_is_option y a b t : In (a, b) (replies y) -> (snd y = false -> t = 0) ->
  exists o, In o (code_options c (fst y + p * t)) /\
    forall R v i, judged L (map Lfact (o ++ R)) v i =
      judged L (map Lfact (a + p * t :: b :: R)) v i.
Proof.
  intros I N. unfold replies in I. apply in_flat_map in I as (j & _ & I).
  apply in_flat_map in I as (b' & _ & I). cbv zeta in I.
  destruct (_ && _) eqn:E in I; [|destruct I]. destruct I as [I|[]]. inversion I; subst.
  rewrite !andb_split in E. destruct E as [[[Lj _] Al] Act]. apply Nat.leb_le in Lj.
  set (a := fst y - j - b) in *.
  assert (Ec : part_count (a + p * t) b = part_count a b).
  { apply orb_true_iff in Act as [Act|Act].
    - apply negb_true_iff in Act. rewrite N by auto. f_equal. lia.
    - apply andb_split in Act as [La _]. apply Nat.leb_le in La. unfold part_count.
      destruct (Nat.eqb_spec a 0), (Nat.eqb_spec (a + p * t) 0); lia. }
  replace (fst y + p * t) with (j + (a + p * t) + b) by (unfold a; lia).
  apply (option_is_there c L thresholds). now rewrite Ec.
Qed.

Lemma dead_counts_nothing h : code_options c h = [] ->
  reach L h = 0 /\ Lfact h = HeapFact 0 0 0 (alone_of (Lfact h)).
Proof.
  intros E. destruct (form_parts c L units base form) as (Per & M & _ & Res & _).
  destruct (slot_of L Per M Res base h) as (y & t & I & -> & N).
  pose proof dead as D. unfold dead_ok in D. rewrite forallb_forall in D. specialize (D y I).
  destruct (snd y) eqn:Ey.
  - destruct (replies y) as [|[a b] l] eqn:Er; [discriminate|].
    destruct (reply_is_option y a b t) as (o & Io & _); [rewrite Er; now left|congruence|].
    rewrite E in Io. destruct Io.
  - rewrite N in * by auto. replace (fst y + p * 0) with (fst y) in * by lia.
    unfold no_options in D. rewrite E in D. read_check. unfold reach.
    destruct (Lfact (fst y)). simpl in *. subst. auto.
Qed.

Lemma no_options_0 : code_options c 0 = [].
Proof.
  destruct (code_options c 0) as [|o l] eqn:E; [auto|exfalso].
  assert (I : In o (code_options c 0)) by (rewrite E; now left).
  apply code_options_spec in I as (j & k & Lj & Al & Lo & Pos & Sum).
  replace j with 0 in Al by lia. unfold allows in Al. apply andb_split in Al as [_ Al].
  simpl in Al. destruct o as [|a o]; simpl in *; [subst k; discriminate|].
  inversion Pos; subst. lia.
Qed.

Lemma gap_right h : threshold_of (Lfact h) = 0 \/
  threshold_of (Lfact h) + gap <= weight_of (Lfact h).
Proof.
  apply (fact_all L (fun f => threshold_of f = 0 \/ threshold_of f + gap <= weight_of f));
    simpl; [auto| |].
  - intros f I. pose proof gaps as H. unfold gap_ok in H. rewrite forallb_forall in H.
    specialize (H f I). apply orb_true_iff in H as [H|H]; read_check; auto.
  - intros f H. destruct (Nat.eqb_spec (threshold_of f) 0); lia.
Qed.

(** Terminal positions. *)
Lemma judged_dead X : Forall (fun h => code_options c h = []) X ->
  law_says_P L X = judged L [] 0 0.
Proof.
  unfold law_says_P. induction 1 as [|h X E F IH]; [reflexivity|]. cbn [map].
  destruct (dead_counts_nothing h E) as [_ ->]. rewrite <- IH. clear.
  unfold judged. change (weight_sum (HeapFact 0 0 0 (alone_of (Lfact h)) :: map Lfact X)) with
    (weight_sum (map Lfact X)).
  change (unit_sum (HeapFact 0 0 0 (alone_of (Lfact h)) :: map Lfact X)) with
    (Nat.lxor 0 (unit_sum (map Lfact X))).
  rewrite Nat.lxor_0_l. cbn [find]. unfold is_free at 1. simpl threshold_of.
  now replace (_ <? 0) with false by (symmetry; now apply Nat.ltb_ge, Nat.le_0_l).
Qed.

Variable check : statement -> bool.
Hypothesis checked : forall e, check e = true -> forall x, length x = 3 -> holds s e x = true.
Hypothesis all_replies : replies_ok check = true.

(** ** A6 *)

Section Position.

Variable X : position.
Hypothesis all_N : forall Y, move G X Y -> law_says_P L Y = false.

(** No move in a heap of the position leads to a position that is called P; a heap of no beans is
    added, so that there is always a heap beside another one. *)
Lemma all_refused h O o : Permutation (0 :: X) (h :: O) -> In o (code_options c h) ->
  judged L (map Lfact (o ++ O)) 0 0 = false.
Proof.
  intros Pm I.
  assert (M : move G (h :: O) (o ++ O)) by (exists [], h, O, o; auto).
  destruct (move_permutation G _ _ _ (Permutation_sym Pm) M) as (Y & MY & PY).
  rewrite (judged_perm L thresholds _ _ 0 0 PY).
  apply move_cons in MY as [(o' & Io & _)|(Y' & MY & ->)].
  - simpl in Io. rewrite no_options_0 in Io. destruct Io.
  - cbn [map]. rewrite fact_0, judged_nothing. exact (all_N Y' MY).
Qed.

Lemma greatest_live : (exists Y, move G X Y) -> exists z R, Permutation X (z :: R) /\
  code_options c z <> [] /\ forall f, In f R -> reach L f <= reach L z.
Proof.
  intros (Y & A & h & B & o & E & I & _).
  destruct (greatest_exists (reach L) X) as (g & R & Pm & M).
  { rewrite E. now destruct A. }
  destruct (code_options c g) as [|o' l] eqn:Eg.
  - exists h, (A ++ B). split; [|split].
    + rewrite E. symmetry. apply Permutation_middle.
    + simpl in I. intros Z. rewrite Z in I. destruct I.
    + intros f If. destruct (dead_counts_nothing g Eg) as [Zg _].
      assert (J : In f (g :: R)).
      { eapply Permutation_in; [exact Pm|]. rewrite E. rewrite in_app_iff in *. simpl. tauto. }
      destruct J as [<-|J]; [lia|]. specialize (M f J). lia.
  - exists g, R. split; [exact Pm|]. split; [congruence|exact M].
Qed.

Variables z : nat.
Variable R : list nat.
Hypothesis split : Permutation (0 :: X) (z :: R).
Hypothesis alive : code_options c z <> [].
Hypothesis most : forall f, In f R -> reach L f <= reach L z.
Hypothesis called_N : judged L (map Lfact (0 :: X)) 0 0 = false.

Local Notation unit_R := (unit_sum (map Lfact R)).
Local Notation weight_R := (weight_sum (map Lfact R)).

Lemma rest_of y O : Permutation R (y :: O) ->
  unit_R = Nat.lxor (unit_of (Lfact y)) (unit_sum (map Lfact O)) /\
  weight_R = weight_of (Lfact y) + weight_sum (map Lfact O).
Proof.
  intros Pm. split.
  - now rewrite (unit_sum_perm _ _ (Permutation_map Lfact Pm)).
  - now rewrite (weight_sum_perm _ _ (Permutation_map Lfact Pm)).
Qed.

(** The slot of [z] and its periods. *)
Variable yz : nat * bool.
Variable tz : nat.
Hypothesis yz_slot : In yz (slots L base).
Hypothesis z_is : z = fst yz + p * tz.
Hypothesis tz_zero : snd yz = false -> tz = 0.

(** The set of sums that the search names. *)
Definition members : sum_sets := sums (fst yz) (weight_R mod s) unit_R.

Lemma direct_reply a b : In (a, b) (replies yz) ->
  (weight_R <= weight_of (Lfact (a + p * tz)) + weight_of (Lfact b) + gap \/
   reach L z <= weight_of (Lfact (a + p * tz)) + weight_of (Lfact b) + weight_R) ->
  judged L (map Lfact [a + p * tz; b]) unit_R weight_R = false.
Proof.
  intros I Ex. destruct (reply_is_option yz a b tz I tz_zero) as (o & Io & Eo).
  rewrite <- z_is in Io. pose proof (all_refused z R o split Io) as N. rewrite Eo in N.
  change (a + p * tz :: b :: R) with ([a + p * tz; b] ++ R) in N.
  rewrite map_app, judged_rest, Nat.lxor_0_l in N; [exact N|].
  intros f If. apply not_true_iff_false. intros Ff.
  apply is_free_iff in Ff; [|pose proof (weight_in f (map Lfact [a + p * tz; b] ++ map Lfact R)
    ltac:(apply in_or_app; auto)); lia].
  pose proof (weight_in f _ If) as Wf. rewrite weight_sum_app in Ff.
  change (weight_sum (map Lfact [a + p * tz; b])) with
    (weight_of (Lfact (a + p * tz)) + (weight_of (Lfact b) + 0)) in Ff.
  apply in_map_iff in If as (h & <- & Ih). pose proof (most h Ih) as Mh. unfold reach in *.
  destruct (gap_right h); lia.
Qed.

Lemma part_at at_ y t x a b : In y (slots L base) -> (snd y = false -> t = 0) ->
  nth at_ x 0 = t -> In (a, b) (replies y) ->
  stands_for L (symbolic_fact L (Symbol a (going (slot_symbol at_ y)))) x = Lfact (a + p * t) /\
  stands_for L (symbolic_fact L (Symbol b [])) x = Lfact b.
Proof.
  intros Iy N E I. destruct (form_parts c L units base form) as (Per & M & _ & Res & _).
  unfold replies in I. apply in_flat_map in I as (j & _ & I).
  apply in_flat_map in I as (b' & _ & I). cbv zeta in I.
  destruct (_ && _) eqn:C in I; [|destruct I]. destruct I as [I|[]]. inversion I; subst a b'.
  rewrite !andb_split in C. destruct C as [_ Act]. split; rewrite symbolic_right; auto.
  - f_equal. unfold heap_at. cbn [heap_place going]. f_equal. f_equal.
    unfold slot_symbol. cbn [going]. destruct (snd y) eqn:Sy; [now rewrite dot_unit|].
    rewrite N by auto. reflexivity.
  - unfold symbol_ok, slot_symbol. cbn [heap_place going]. destruct (snd y); [|reflexivity].
    apply andb_split in Act as [_ Act]. now rewrite Act, orb_true_r.
  - f_equal. unfold heap_at. simpl. lia.
Qed.

(** What the test says of a heap [y] of the rest. *)
Lemma tested y O : Permutation R (y :: O) ->
  is_member members 0 0 = true /\
  (forall t v, v < units -> is_member members t v = true ->
    is_member members (t + weight_of (Lfact y)) (Nat.lxor (unit_of (Lfact y)) v) = true) /\
  ((forall f, In f O -> reach L f <= reach L y) ->
    is_member members (weight_sum (map Lfact O)) (unit_sum (map Lfact O)) = false).
Proof.
  intros Pm. destruct (form_parts c L units base form) as (Per & M & Sl & Res & _ & _).
  destruct (rest_of y O Pm) as [EU EW].
  destruct (slot_of L Per M Res base y) as (yy & ty & Iy & Ey & Ny).
  destruct (weight_split c L units base form (weight_sum (map Lfact O)))
    as (first & more & Lf & Ew).
  set (v := unit_sum (map Lfact O)) in *.
  assert (Lv : v < units) by apply (units_below c L units base form).
  set (x := [tz; ty; more]).
  assert (Fy : unit_of (Lfact (fst yy)) = unit_of (Lfact y) /\
    exists k, weight_of (Lfact y) = weight_of (Lfact (fst yy)) + s * k).
  { rewrite Ey. pose proof (slot_at c L units base form 1 yy ty x Iy Ny eq_refl) as E.
    rewrite <- E. split; [reflexivity|]. simpl. unfold term_value. simpl. eauto. }
  destruct Fy as [Fu (k & Fw)].
  assert (H : holds s (answered (sums (fst yz) (weight_R mod s) unit_R) yz yy (replies yz)
    (replies yy) v (rest_term 2 first)) x = true).
  { pose proof all_replies as A. unfold replies_ok in A. cbv zeta in A.
    rewrite forallb_forall in A.
    specialize (A (yz, replies yz)
      (in_map (fun y : nat * bool => (y, replies y)) _ _ yz_slot)). cbn [fst snd] in A.
    destruct (negb (snd yz) && no_options (fst yz)) eqn:Dz.
    { exfalso. apply andb_split in Dz as [Sz Dz]. apply negb_true_iff in Sz.
      rewrite tz_zero in z_is by auto. apply alive.
      replace z with (fst yz) by (rewrite z_is; lia). unfold no_options in Dz.
      destruct (code_options c (fst yz)); [auto|discriminate]. }
    rewrite forallb_forall in A.
    specialize (A (yy, replies yy)
      (in_map (fun y : nat * bool => (y, replies y)) _ _ Iy)). cbn [fst snd] in A.
    rewrite all_below_spec in A. specialize (A first Lf). rewrite all_below_spec in A.
    specialize (A v Lv). apply checked with (x := x) in A; [|reflexivity].
    replace ((weight_of (Lfact (fst yy)) + first) mod s) with (weight_R mod s) in A.
    - now rewrite Fu, <- EU in A.
    - rewrite EW, Fw, Ew.
      replace (weight_of (Lfact (fst yy)) + s * k + (first + s * more))
        with (weight_of (Lfact (fst yy)) + first + (k + more) * s) by lia.
      apply Nat.mod_add. lia. }
  pose proof (slot_at c L units base form 0 yz tz x yz_slot tz_zero eq_refl) as Zz.
  pose proof (slot_at c L units base form 1 yy ty x Iy Ny eq_refl) as Zy.
  rewrite <- z_is in Zz. rewrite <- Ey in Zy.
  assert (Vo : term_value s (rest_term 2 first) x = weight_sum (map Lfact O))
    by (now rewrite rest_term_value).
  assert (Eu : s_unit (symbolic_fact L (slot_symbol 1 yy)) = unit_of (Lfact y))
    by (now rewrite <- Zy).
  assert (Wy : term_value s (s_weight (symbolic_fact L (slot_symbol 1 yy))) x =
    weight_of (Lfact y)) by (now rewrite <- Zy).
  assert (Ty : term_value s (s_threshold (symbolic_fact L (slot_symbol 1 yy))) x =
    threshold_of (Lfact y)) by (now rewrite <- Zy).
  assert (Wz : term_value s (s_weight (symbolic_fact L (slot_symbol 0 yz))) x =
    weight_of (Lfact z)) by (now rewrite <- Zz).
  assert (Tz : term_value s (s_threshold (symbolic_fact L (slot_symbol 0 yz))) x =
    threshold_of (Lfact z)) by (now rewrite <- Zz).
  unfold answered in H. cbv zeta in H. rewrite Eu in H.
  set (fz := symbolic_fact L (slot_symbol 0 yz)) in *.
  set (fy := symbolic_fact L (slot_symbol 1 yy)) in *.
  assert (Vi : term_value s (tadd (s_weight fy) (rest_term 2 first)) x = weight_R)
    by (rewrite term_value_add, Wy, Vo; now symmetry).
  assert (Iy' : In y R) by (eapply Permutation_in; [symmetry; exact Pm|now left]).
  assert (PmX : Permutation (0 :: X) (z :: y :: O)) by (rewrite split; now apply perm_skip).
  assert (MO : forall f, In f O -> reach L f <= reach L z).
  { intros f If. apply most. eapply Permutation_in; [symmetry; exact Pm|now right]. }
  cbn [holds] in H.
  (* The law calls the position N. *)
  rewrite (says_right L Per M Res) in H. cbn [map] in H. rewrite Zz, Vi, <- EU in H.
  change [Lfact z] with (map Lfact [z]) in H.
  rewrite <- (judged_counted L thresholds [z] z R) in H by (simpl; auto).
  cbn [app] in H. rewrite <- (judged_perm L thresholds _ _ 0 0 split), called_N in H.
  (* The heap [z] has the greatest reach. *)
  rewrite holds_less in H. unfold reach_term in H. rewrite !term_value_add in H.
  rewrite Wz, Tz, Wy, Ty in H. pose proof (most y Iy') as My. unfold reach in My.
  destruct (Nat.ltb_spec (weight_of (Lfact z) + threshold_of (Lfact z))
    (weight_of (Lfact y) + threshold_of (Lfact y))) as [?|_]; [lia|].
  (* The heap [y] is idle. *)
  rewrite any_right in H.
  match type of H with (if ?e then _ else _) = _ => destruct e eqn:Idle end.
  { exfalso. apply existsb_exists in Idle as (e & Ie & P).
    apply in_map_iff in Ie as ([ga gb] & <- & Ie). apply in_map_iff in Ie as ([a b] & Eab & Ie).
    apply pair_equal_spec in Eab as [<- <-]. cbn [fst snd] in P.
    destruct (part_at 1 yy ty x a b Iy Ny eq_refl Ie) as [Pa Pb].
    rewrite (says_right L Per M Res) in P. cbn [map] in P. rewrite Pa, Pb, Zz, Vo in P.
    destruct (reply_is_option yy a b ty Ie Ny) as (o & Io & Eo). rewrite <- Ey in Io.
    assert (PmY : Permutation (0 :: X) (y :: z :: O)) by (rewrite PmX; apply perm_swap).
    pose proof (all_refused y (z :: O) o PmY Io) as N. rewrite Eo in N.
    change (a + p * ty :: b :: z :: O) with ([a + p * ty; b; z] ++ O) in N.
    rewrite (judged_counted L thresholds _ z O) in N by (simpl; auto).
    cbn [map] in N. fold v in N. congruence. }
  (* No reply in [z] is good whatever the rest is. *)
  rewrite any_right in H.
  match type of H with (if ?e then _ else _) = _ => destruct e eqn:Direct end.
  { exfalso. apply existsb_exists in Direct as (e & Ie & P).
    apply in_map_iff in Ie as ([ga gb] & <- & Ie). apply in_map_iff in Ie as ([a b] & Eab & Ie).
    apply pair_equal_spec in Eab as [<- <-]. cbn [fst snd] in P.
    destruct (part_at 0 yz tz x a b yz_slot tz_zero eq_refl Ie) as [Pa Pb].
    assert (Wa : term_value s (s_weight (symbolic_fact L
      (Symbol a (going (slot_symbol 0 yz))))) x = weight_of (Lfact (a + p * tz)))
      by (now rewrite <- Pa).
    assert (Wb : term_value s (s_weight (symbolic_fact L (Symbol b []))) x =
      weight_of (Lfact b)) by (now rewrite <- Pb).
    cbn [holds] in P. rewrite !holds_less, (says_right L Per M Res) in P.
    rewrite !term_value_add, term_value_constant in P.
    cbn [map] in P. rewrite Pa, Pb, Wa, Wb, Wz, Tz, Wy, Vo, <- EW in P.
    assert (D : judged L (map Lfact [a + p * tz; b]) unit_R weight_R = false).
    { apply direct_reply; auto. unfold reach.
      destruct (Nat.ltb_spec (weight_of (Lfact (a + p * tz)) + weight_of (Lfact b) + gap) weight_R);
        [|now left].
      destruct (Nat.ltb_spec (weight_of (Lfact (a + p * tz)) + weight_of (Lfact b) + weight_R)
        (weight_of (Lfact z) + threshold_of (Lfact z))); [discriminate|now right]. }
    cbn [map] in D. rewrite D in P.
    destruct (_ <? _) in P; [destruct (_ <? _) in P|]; discriminate. }
  fold members in H.
  destruct (is_member members 0 0) eqn:H0; [|discriminate]. cbn [holds] in H.
  destruct (holds s (closed members (unit_of (Lfact y)) (s_weight fy)) x) eqn:Cl; [|discriminate].
  split; [reflexivity|]. split.
  { intros t w Lw Ht. pose proof (closed_right _ _ _ _ Cl t w Lw Ht) as Q. now rewrite Wy in Q. }
  intros MY. rewrite any_right in H.
  match type of H with (if ?e then _ else _) = _ => destruct e eqn:Beside end.
  { exfalso. apply existsb_exists in Beside as (e & Ie & P).
    apply in_map_iff in Ie as ([ga gb] & <- & Ie). apply in_map_iff in Ie as ([a b] & Eab & Ie).
    apply pair_equal_spec in Eab as [<- <-]. cbn [fst snd] in P.
    destruct (part_at 0 yz tz x a b yz_slot tz_zero eq_refl Ie) as [Pa Pb].
    rewrite (says_right L Per M Res) in P. cbn [map] in P. rewrite Pa, Pb, Zy, Vo in P.
    destruct (reply_is_option yz a b tz Ie tz_zero) as (o & Io & Eo). rewrite <- z_is in Io.
    pose proof (all_refused z (y :: O) o PmX Io) as N. rewrite Eo in N.
    change (a + p * tz :: b :: y :: O) with ([a + p * tz; b; y] ++ O) in N.
    rewrite (judged_counted L thresholds _ y O) in N by (simpl; auto).
    cbn [map] in N. fold v in N. congruence. }
  rewrite (entry_has_right L Per M Res), Vo in H. unfold is_member.
  destruct (has_unit _ v); [discriminate|reflexivity].
Qed.

Lemma refuted : False.
Proof.
  assert (Ne : R <> []).
  { intros E. rewrite E in split. apply Permutation_length in split as Len. simpl in Len.
    destruct X; [|discriminate]. apply Permutation_length_1 in split. subst z.
    now apply alive, no_options_0. }
  destruct (greatest_exists (reach L) R Ne) as (y & O & Pm & M).
  destruct (tested y O Pm) as (H0 & _ & N). specialize (N M).
  rewrite sum_is_member in N; [discriminate|exact H0|].
  intros f If. apply in_split in If as (A & B & ->).
  assert (PmF : Permutation R (f :: y :: A ++ B)).
  { rewrite Pm, perm_swap. apply perm_skip. symmetry. apply Permutation_middle. }
  exact (proj1 (proj2 (tested f _ PmF))).
Qed.

End Position.

Theorem N_has_P X : (exists Y, move G X Y) -> law_says_P L X = false ->
  exists Y, move G X Y /\ law_says_P L Y = true.
Proof.
  intros Mv N. destruct (existsb (law_says_P L) (options G X)) eqn:E.
  - apply existsb_exists in E as (Y & I & P). exists Y. split; [now apply options_spec|exact P].
  - exfalso. assert (A : forall Y, move G X Y -> law_says_P L Y = false).
    { intros Y M. apply not_true_iff_false. intros P. apply not_true_iff_false in E. apply E.
      apply existsb_exists. exists Y. split; [now apply options_spec|exact P]. }
    destruct (greatest_live X Mv) as (z & R & Pm & Al & M).
    destruct (form_parts c L units base form) as (Per & Mo & _ & Res & _).
    destruct (slot_of L Per Mo Res base z) as (y & t & I & Ez & Nz).
    apply (refuted X A z (0 :: R)) with (yz := y) (tz := t); auto.
    + rewrite Pm. apply perm_swap.
    + intros f [<-|If]; [unfold reach; rewrite fact_0; simpl; lia|auto].
    + cbn [map]. now rewrite fact_0, judged_nothing.
Qed.

End Replies.
