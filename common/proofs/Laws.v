(** Threshold laws: what a law says of a position of heaps of any size, and facts on it that do not
    speak of moves (docs/laws.md).

    A reader who trusts no one has to read the definitions to [law_says_P]. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games.
Import ListNotations.

(** ** Definitions *)

(** The part of one heap in a law. A set of units is a number, whose bit [u] says whether [u] is in
    the set. [alone_of] has a set for each residue of weights. *)
Record heap_fact := HeapFact {
  unit_of : nat;
  weight_of : nat;
  threshold_of : nat;
  alone_of : list nat }.

Definition nothing : heap_fact := HeapFact 0 0 0 [].

(** A law. It lists the heaps 1, 2, …; the last [law_period] of them repeat for ever, and with each
    period the weight grows by [law_slope], and so does a threshold that is not 0. *)
Record law := Law {
  modulus : nat;
  first_totals : list nat;
  totals : list nat;
  law_heaps : list heap_fact;
  law_period : nat;
  law_slope : nat }.

Definition grown (s : nat) (f : heap_fact) : heap_fact :=
  HeapFact (unit_of f) (weight_of f + s)
    (if threshold_of f =? 0 then 0 else threshold_of f + s) (alone_of f).

Fixpoint fact_after (L : law) (fuel h : nat) : heap_fact :=
  if h <=? length (law_heaps L) then match h with 0 => nothing | S g => nth g (law_heaps L) nothing end
  else match fuel with
       | 0 => nothing
       | S l => grown (law_slope L) (fact_after L l (h - law_period L))
       end.

(** The part of heap [h]. *)
Definition fact (L : law) (h : nat) : heap_fact := fact_after L h h.

Definition unit_sum (F : list heap_fact) : nat := fold_right Nat.lxor 0 (map unit_of F).

Definition weight_sum (F : list heap_fact) : nat := list_sum (map weight_of F).

Definition has_unit (set u : nat) : bool := Nat.testbit set u.

(** The units that a free heap needs beside it, if the others weigh [d] less than its threshold. *)
Definition alone_set (L : law) (f : heap_fact) (d : nat) : nat :=
  nth (d mod modulus L) (alone_of f) 0.

(** The entry of a list for [T], which goes on with the entries of another one, by residues. *)
Definition by_total (m : nat) (first cyclic : list nat) (T : nat) : nat :=
  if T <? length first then nth T first 0 else nth ((T - length first) mod m) cyclic 0.

(** The units of P-positions without a free heap, of the weight [T]. *)
Definition total_set (L : law) (T : nat) : nat :=
  by_total (modulus L) (first_totals L) (totals L) T.

(** Whether a heap is free in a position of the weight [T]: the others weigh less than its
    threshold. *)
Definition is_free (T : nat) (f : heap_fact) : bool := T - weight_of f <? threshold_of f.

(** What the law says of heaps, with others of the unit [v] and the weight [i], none of them
    free. *)
Definition judged (L : law) (F : list heap_fact) (v i : nat) : bool :=
  let T := i + weight_sum F in
  let u := Nat.lxor v (unit_sum F) in
  match find (is_free T) F with
  | Some f => has_unit (alone_set L f (threshold_of f - (T - weight_of f)))
                (Nat.lxor u (unit_of f))
  | None => has_unit (total_set L T) u
  end.

(** Whether the law calls a position a P-position. *)
Definition law_says_P (L : law) (X : position) : bool := judged L (map (fact L) X) 0 0.

(** ** One heap is free at most *)

Definition bounded_threshold (f : heap_fact) : Prop := threshold_of f <= weight_of f.

Lemma unit_sum_app F F' : unit_sum (F ++ F') = Nat.lxor (unit_sum F) (unit_sum F').
Proof.
  unfold unit_sum. induction F as [|f F IH]; simpl; [now rewrite Nat.lxor_0_l|].
  now rewrite IH, Nat.lxor_assoc.
Qed.

Lemma weight_sum_app F F' : weight_sum (F ++ F') = weight_sum F + weight_sum F'.
Proof. unfold weight_sum. now rewrite map_app, list_sum_app. Qed.

Lemma unit_sum_perm F F' : Permutation F F' -> unit_sum F = unit_sum F'.
Proof.
  unfold unit_sum. induction 1; simpl; auto; try congruence.
  now rewrite <- !Nat.lxor_assoc, (Nat.lxor_comm (unit_of y)).
Qed.

Lemma weight_sum_perm F F' : Permutation F F' -> weight_sum F = weight_sum F'.
Proof. unfold weight_sum. induction 1; simpl; lia. Qed.

Lemma weight_in f F : In f F -> weight_of f <= weight_sum F.
Proof.
  intros I. apply in_split in I as (A & B & ->). rewrite weight_sum_app.
  unfold weight_sum at 2. simpl. lia.
Qed.

Lemma is_free_iff T f : weight_of f <= T ->
  (is_free T f = true <-> T < weight_of f + threshold_of f).
Proof. intros L. unfold is_free. rewrite Nat.ltb_lt. lia. Qed.

Lemma free_unique T f A B : Forall bounded_threshold (A ++ f :: B) ->
  weight_sum (A ++ f :: B) <= T -> is_free T f = true ->
  forall g, In g (A ++ B) -> is_free T g = false.
Proof.
  intros H L Ff g Ig. apply not_true_iff_false. intros Fg.
  rewrite weight_sum_app in L. unfold weight_sum at 2 in L. simpl in L.
  fold (weight_sum B) in L.
  pose proof (weight_in g (A ++ B) Ig) as Lg. rewrite weight_sum_app in Lg.
  apply is_free_iff in Ff; [|lia]. apply is_free_iff in Fg; [|lia].
  rewrite Forall_forall in H.
  pose proof (H f ltac:(apply in_elt)) as Hf.
  assert (Ig' : In g (A ++ f :: B)) by (rewrite in_app_iff in *; simpl; tauto).
  pose proof (H g Ig') as Hg. unfold bounded_threshold in *. lia.
Qed.

(** The heap found is the only one that is free. *)
Lemma find_free T f A B : Forall bounded_threshold (A ++ f :: B) ->
  weight_sum (A ++ f :: B) <= T -> is_free T f = true ->
  find (is_free T) (A ++ f :: B) = Some f.
Proof.
  intros H L Ff. pose proof (free_unique T f A B H L Ff) as U.
  assert (N : forall g, In g A -> is_free T g = false)
    by (intros g I; apply U, in_or_app; auto).
  clear - Ff N. induction A as [|a A IH]; simpl.
  - now rewrite Ff.
  - rewrite (N a) by now left. apply IH. intros g I. apply N. now right.
Qed.

Lemma find_no_free T F : (forall f, In f F -> is_free T f = false) -> find (is_free T) F = None.
Proof.
  induction F as [|f F IH]; simpl; auto. intros H. rewrite H by now left. apply IH. auto.
Qed.

Lemma free_or_not T F : (exists f A B, F = A ++ f :: B /\ is_free T f = true) \/
  (forall f, In f F -> is_free T f = false).
Proof.
  destruct (find (is_free T) F) as [f|] eqn:E.
  - left. apply find_some in E as [I E]. apply in_split in I as (A & B & ->). eauto 10.
  - right. now apply find_none.
Qed.

Lemma Forall_permutation {A} (P : A -> Prop) F F' : Permutation F F' -> Forall P F -> Forall P F'.
Proof. intros Pm H. rewrite Forall_forall in *. intros f I. apply H.
  eapply Permutation_in; [apply Permutation_sym; exact Pm|exact I]. Qed.

Theorem judged_permutation L F F' v i : Forall bounded_threshold F -> Permutation F F' ->
  judged L F v i = judged L F' v i.
Proof.
  intros H Pm. pose proof (Forall_permutation _ _ _ Pm H) as H'. unfold judged. cbv zeta.
  rewrite <- (weight_sum_perm F F' Pm), <- (unit_sum_perm F F' Pm).
  destruct (free_or_not (i + weight_sum F) F) as [(f & A & B & E & Ff)|N].
  - assert (I : In f F') by (eapply Permutation_in; [exact Pm|]; rewrite E; apply in_elt).
    apply in_split in I as (A' & B' & E').
    assert (X : find (is_free (i + weight_sum F)) F = Some f).
    { rewrite E in *. apply find_free; auto. lia. }
    assert (X' : find (is_free (i + weight_sum F)) F' = Some f).
    { rewrite (weight_sum_perm F F' Pm) in *. rewrite E' in *. apply find_free; auto. lia. }
    now rewrite X, X'.
  - rewrite (find_no_free _ F N). rewrite find_no_free; auto.
    intros f I. apply N. eapply Permutation_in; [apply Permutation_sym; exact Pm|exact I].
Qed.

Lemma find_app_none {A} (p : A -> bool) F R : (forall f, In f R -> p f = false) ->
  find p (F ++ R) = find p F.
Proof.
  intros N. induction F as [|f F IH]; simpl.
  - induction R as [|r R IHR]; simpl; auto. rewrite N by now left. apply IHR. auto with datatypes.
  - now rewrite IH.
Qed.

(** Heaps that are not free count by their unit and their weight only. *)
Theorem judged_rest L F R v i :
  (forall f, In f R -> is_free (i + weight_sum (F ++ R)) f = false) ->
  judged L (F ++ R) v i = judged L F (Nat.lxor v (unit_sum R)) (i + weight_sum R).
Proof.
  intros N. unfold judged. cbv zeta. rewrite (find_app_none _ F R N).
  rewrite weight_sum_app, unit_sum_app.
  replace (i + weight_sum R + weight_sum F) with (i + (weight_sum F + weight_sum R)) by lia.
  replace (Nat.lxor (Nat.lxor v (unit_sum R)) (unit_sum F))
    with (Nat.lxor v (Nat.lxor (unit_sum F) (unit_sum R)))
    by (now rewrite Nat.lxor_assoc, (Nat.lxor_comm (unit_sum R))).
  reflexivity.
Qed.

(** If a heap is free, then one with the greatest sum of weight and threshold is. So beside such a
    heap no other one is free. *)
Lemma no_other_free g F R i : Forall bounded_threshold (F ++ R) -> In g F ->
  (forall f, In f R -> weight_of f + threshold_of f <= weight_of g + threshold_of g) ->
  forall f, In f R -> is_free (i + weight_sum (F ++ R)) f = false.
Proof.
  intros H Ig Most f If. apply not_true_iff_false. intros Ff.
  assert (Lf : weight_of f <= i + weight_sum (F ++ R))
    by (pose proof (weight_in f (F ++ R) ltac:(apply in_or_app; auto)); lia).
  assert (Lg : weight_of g <= i + weight_sum (F ++ R))
    by (pose proof (weight_in g (F ++ R) ltac:(apply in_or_app; auto)); lia).
  pose proof Ff as Fg. apply is_free_iff in Fg; [|exact Lf]. specialize (Most f If).
  assert (Gg : is_free (i + weight_sum (F ++ R)) g = true) by (apply is_free_iff; lia).
  apply in_split in If as (A & B & E). rewrite E in *.
  rewrite app_assoc in H.
  pose proof (free_unique (i + weight_sum (F ++ A ++ f :: B)) f (F ++ A) B H) as U.
  rewrite <- (app_assoc F A (f :: B)) in U. specialize (U ltac:(lia) Ff g).
  rewrite U in Gg; [discriminate|]. rewrite !in_app_iff. auto.
Qed.

Theorem judged_beside g L F R v i : Forall bounded_threshold (F ++ R) -> In g F ->
  (forall f, In f R -> weight_of f + threshold_of f <= weight_of g + threshold_of g) ->
  judged L (F ++ R) v i = judged L F (Nat.lxor v (unit_sum R)) (i + weight_sum R).
Proof. intros H I M. apply judged_rest. now apply (no_other_free g). Qed.

(** A fact with the greatest sum of weight and threshold. *)
Lemma greatest_exists {A} (m : A -> nat) (F : list A) : F <> [] ->
  exists g R, Permutation F (g :: R) /\ forall f, In f R -> m f <= m g.
Proof.
  induction F as [|f F IH]; [congruence|]. intros _. destruct F as [|f' F].
  - exists f, []. split; [auto|]. intros ? [].
  - destruct IH as (g & R & Pm & M); [discriminate|].
    destruct (le_lt_dec (m f) (m g)) as [Le|Lt].
    + exists g, (f :: R). split; [rewrite Pm; apply perm_swap|]. intros x [<-|I]; auto.
    + exists f, (g :: R). split; [now rewrite Pm|]. intros x [<-|I]; [lia|].
      specialize (M x I). lia.
Qed.

(** ** What the law says, in the words of the page *)

Theorem law_when_free L x Y : (forall h, bounded_threshold (fact L h)) ->
  weight_sum (map (fact L) Y) < threshold_of (fact L x) ->
  law_says_P L (x :: Y) =
    has_unit (alone_set L (fact L x) (threshold_of (fact L x) - weight_sum (map (fact L) Y)))
      (unit_sum (map (fact L) Y)).
Proof.
  intros H Lt. unfold law_says_P, judged. cbv zeta. simpl map.
  set (f := fact L x) in *. set (F := map (fact L) Y) in *.
  assert (W : weight_sum (f :: F) = weight_of f + weight_sum F) by reflexivity.
  assert (Ff : is_free (0 + weight_sum (f :: F)) f = true)
    by (apply is_free_iff; rewrite W; lia).
  cbn [find]. rewrite Ff. rewrite W. f_equal; [f_equal; lia|].
  rewrite Nat.lxor_0_l. change (unit_sum (f :: F)) with (Nat.lxor (unit_of f) (unit_sum F)).
  now rewrite Nat.lxor_comm, <- Nat.lxor_assoc, Nat.lxor_nilpotent, Nat.lxor_0_l.
Qed.

Theorem law_when_not_free L X :
  (forall h A B, X = A ++ h :: B ->
    threshold_of (fact L h) <= weight_sum (map (fact L) (A ++ B))) ->
  law_says_P L X = has_unit (total_set L (weight_sum (map (fact L) X))) (unit_sum (map (fact L) X)).
Proof.
  intros N. unfold law_says_P, judged. cbv zeta. rewrite find_no_free; [now rewrite Nat.lxor_0_l|].
  intros f I. apply in_map_iff in I as (h & <- & I). apply in_split in I as (A & B & E).
  specialize (N h A B E). unfold is_free. apply Nat.ltb_ge. rewrite E. simpl.
  rewrite map_app in *. simpl. rewrite weight_sum_app in *.
  change (weight_sum (fact L h :: map (fact L) B)) with
    (weight_of (fact L h) + weight_sum (map (fact L) B)). lia.
Qed.
