(** How many normal words are there of each great degree? (Claim 5 of docs/presentations.md)

    The families of normal words have no word in common. If at most one letter of every family may be
    repeated, a family has one word of each degree from its least word's on, or has no other
    word. So from some degree on there are as many words as families with a letter to be repeated. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Loops InfiniteAutomaton InfiniteSearch InfiniteReading Words NormalWords
  InfiniteEquality InfinitePortion.
Import ListNotations.

(** Of each degree from [r] on there are [m] normal words. *)
Definition same_number_from (n : nat) (R : list relation) (r m : nat) : bool :=
  let M := families n (map left R) in
  relations_ok n R &&
  forallb (fun F => (marked (free F) <=? 1) &&
    (degree (least F) + (if marked (free F) =? 0 then 1 else 0) <=? r)) M &&
  (length (filter (fun F => marked (free F) =? 1) M) =? m).

(** ** Facts *)

Lemma degree_copies f k : degree (copies_of f k) = marked f * k.
Proof.
  unfold degree, copies_of, marked. induction f as [|b f IH]; simpl; auto. rewrite IH.
  destruct (b =? 0); simpl; auto.
Qed.

Lemma unmarked f k : marked f = 0 -> allowed f k -> all_zero k = true.
Proof.
  unfold marked, allowed, all_zero. intros M A. revert M.
  induction A as [|b x f k Hb A IH]; simpl; auto.
  destruct (Nat.eqb_spec b 0) as [Z|]; simpl; [|discriminate]. intros M.
  rewrite (Hb Z). simpl. auto.
Qed.

Lemma zero_degree k : all_zero k = true -> degree k = 0.
Proof. intros Z. unfold degree. now apply all_zero_sum. Qed.

Lemma head_at_most L l : In l L -> hd 0 l <= greatest L.
Proof.
  intros I. assert (Q : list_max (map (hd 0) L) <= greatest L) by (unfold greatest; lia).
  rewrite list_max_le, Forall_forall in Q. apply Q. now apply in_map.
Qed.

Lemma still_lengths n x L : (forall l, In l L -> length l = S n) ->
  forall l, In l (still x L) -> length l = n.
Proof.
  intros Ln l I. unfold still in I. apply in_map_iff in I as (m & <- & I).
  apply filter_In in I as [I _]. specialize (Ln m I). destruct m; simpl in *; lia.
Qed.

(** No word of a family is divided. *)
Lemma families_normal n : forall L, (forall l, In l L -> length l = n) -> forall F,
  In F (families n L) -> forall v, in_family F v -> forall l, In l L -> divides l v = false.
Proof.
  induction n as [|n IH]; intros L Ln F I v (k & Ak & ->) l Il.
  - simpl in I. destruct (existsb _ L) eqn:X; [destruct I|]. exfalso.
    assert (existsb (forallb (fun x => x =? 0)) L = true); [|congruence].
    apply existsb_exists. exists l. split; auto. specialize (Ln l Il).
    destruct l; [reflexivity|discriminate].
  - rewrite families_step in I. destruct (existsb _ L); [destruct I|].
    apply in_flat_map in I as (x & Ix & I). apply in_seq in Ix.
    apply in_map_iff in I as (F' & <- & I). simpl in Ak |- *.
    inversion Ak as [|b y f k' Hb Ak']; subst. simpl.
    pose proof (Ln l Il) as Ll. destruct l as [|a l]; [discriminate|]. simpl.
    destruct (Nat.leb_spec a (x + y)) as [La|La]; auto. simpl.
    apply (IH (still x L) (still_lengths n x L Ln) F' I); [now exists k'|].
    unfold still. apply in_map_iff. exists (a :: l). split; auto. apply filter_In. split; auto.
    simpl. apply Nat.leb_le. pose proof (head_at_most L _ Il) as Hg. simpl in Hg.
    destruct (Nat.eqb_spec x (greatest L)) as [->|N]; [exact Hg|]. rewrite (Hb eq_refl) in La. lia.
Qed.

(** Two families have no word in common. *)
Lemma families_disjoint n : forall L F F' v, In F (families n L) -> In F' (families n L) ->
  in_family F v -> in_family F' v -> F = F'.
Proof.
  induction n as [|n IH]; intros L F F' v I I' (k & Ak & Ek) (k' & Ak' & Ek').
  - simpl in I, I'. destruct (existsb _ L); [destruct I|].
    destruct I as [<-|[]], I' as [<-|[]]. reflexivity.
  - rewrite families_step in I, I'. destruct (existsb _ L); [destruct I|].
    apply in_flat_map in I as (x & Ix & I). apply in_flat_map in I' as (y & Iy & I').
    apply in_seq in Ix, Iy.
    apply in_map_iff in I as (F1 & <- & I). apply in_map_iff in I' as (F1' & <- & I').
    simpl in *. inversion Ak as [|b i f k1 Hb Ak1]; subst.
    inversion Ak' as [|b' j f' k1' Hb' Ak1']; subst. simpl in Ek'. injection Ek' as Eh Et.
    assert (x = y).
    { destruct (Nat.eqb_spec x (greatest L)), (Nat.eqb_spec y (greatest L)); try congruence.
      - rewrite (Hb' eq_refl) in Eh. lia.
      - rewrite (Hb eq_refl) in Eh. lia.
      - rewrite (Hb eq_refl), (Hb' eq_refl) in Eh. lia. }
    subst y. f_equal; f_equal; f_equal;
      apply (IH (still x L) F1 F1' (sums (least F1) k1)); auto; try (now exists k1);
      exists k1'; now split.
Qed.

Lemma families_once n : forall L, NoDup (families n L).
Proof.
  induction n as [|n IH]; intros L.
  - simpl. destruct (existsb _ L); repeat constructor. simpl. tauto.
  - rewrite families_step. destruct (existsb _ L); [constructor|].
    generalize (seq_NoDup (S (greatest L)) 0).
    induction (seq 0 (S (greatest L))) as [|x K IHK]; intros Nd; [constructor|].
    inversion Nd as [|? ? Nx NK]; subst. simpl.
    assert (App : forall (A B : list family), NoDup A -> NoDup B ->
      (forall F, In F A -> In F B -> False) -> NoDup (A ++ B)).
    { clear. induction A as [|v A IA]; simpl; intros B NA NB Dis; auto.
      inversion NA; subst. constructor.
      - rewrite in_app_iff. intros [|]; [tauto|]. eapply Dis; eauto.
      - apply IA; auto. intros w IA' IB'. eapply Dis; eauto. }
    apply App; auto.
    + unfold families_with. apply FinFun.Injective_map_NoDup; auto.
      intros [m f] [m' f'] E. simpl in E. congruence.
    + intros F Ia Ib. unfold families_with in Ia. apply in_map_iff in Ia as (F1 & <- & _).
      apply in_flat_map in Ib as (y & Iy & Ib). unfold families_with in Ib.
      apply in_map_iff in Ib as (F2 & E & _). injection E as <- _. now apply Nx.
Qed.

Lemma map_once {A B} (f : A -> B) M : NoDup M ->
  (forall x y, In x M -> In y M -> f x = f y -> x = y) -> NoDup (map f M).
Proof.
  induction 1 as [|x M N Nd IH]; simpl; intros Inj; constructor.
  - intros I. apply in_map_iff in I as (y & E & I). apply N.
    rewrite (Inj x y); auto.
  - apply IH. intros. apply Inj; auto.
Qed.

Lemma family_filter_once (f : family -> bool) M : NoDup M -> NoDup (filter f M).
Proof.
  induction 1 as [|v M N Nd IH]; simpl; [constructor|]. destruct (f v); auto. constructor; auto.
  rewrite filter_In. tauto.
Qed.

(** For each degree from [r] on there is a list of all normal words of this degree, each once, which
    has the length that is claimed. *)
Theorem same_number_accepted n R r m : same_number_from n R r m = true -> forall k, r <= k ->
  exists M, NoDup M /\ length M = m /\
    forall v, In v M <-> length v = n /\ degree v = k /\ normal R v.
Proof.
  unfold same_number_from. cbv zeta. rewrite !andb_split, forallb_forall, Nat.eqb_eq.
  intros [[R_ok Each] Len] k Lk.
  set (L := map left R) in *. pose proof (left_lengths n R R_ok) as Ln. fold L in Ln.
  set (of_degree := fun F => sums (least F) (copies_of (free F) (k - degree (least F)))).
  set (K := filter (fun F => marked (free F) =? 1) (families n L)) in *.
  assert (Parts : forall F, In F (families n L) -> marked (free F) <= 1 /\
    degree (least F) + (if marked (free F) =? 0 then 1 else 0) <= r).
  { intros F I. specialize (Each F I). rewrite andb_split, !Nat.leb_le in Each. exact Each. }
  assert (InK : forall F, In F K -> In F (families n L) /\ marked (free F) = 1).
  { intros F I. apply filter_In in I as [I E]. apply Nat.eqb_eq in E. auto. }
  assert (Member : forall F, in_family F (of_degree F)).
  { intros F. exists (copies_of (free F) (k - degree (least F))). split; auto.
    apply copies_allowed. }
  assert (Size : forall F, In F K -> length (of_degree F) = n /\ degree (of_degree F) = k).
  { intros F I. destruct (InK F I) as [J E]. destruct (families_length n L F J) as [L1 L2].
    destruct (Parts F J) as [_ D]. rewrite E in D. simpl in D.
    assert (L3 : length (copies_of (free F) (k - degree (least F))) = n).
    { unfold copies_of. now rewrite map_length. }
    unfold of_degree. split; [now apply length_sums|].
    rewrite degree_sums by congruence. rewrite degree_copies, E. lia. }
  exists (map of_degree K). split; [|split].
  - apply map_once; [apply family_filter_once, families_once|].
    intros F F' I I' E. apply (families_disjoint n L F F' (of_degree F)); try now apply InK.
    + apply Member.
    + rewrite E. apply Member.
  - now rewrite map_length.
  - intros v. rewrite in_map_iff. split.
    + intros (F & <- & I). destruct (Size F I) as [S1 S2]. repeat split; auto.
      intros s Is. apply (families_normal n L Ln F (proj1 (InK F I)) _ (Member F)).
      unfold L. now apply in_map.
    + intros (Lv & Dv & N). destruct (families_cover n L v Ln Lv) as (F & IF & j & Aj & Ev).
      { intros l I. unfold L in I. apply in_map_iff in I as (s & <- & I). now apply N. }
      destruct (families_length n L F IF) as [L1 L2]. pose proof (allowed_length _ _ Aj) as Lj.
      destruct (Parts F IF) as [Mk D]. rewrite Ev, degree_sums in Dv by congruence.
      destruct (Nat.eq_dec (marked (free F)) 0) as [Z|NZ].
      * rewrite (zero_degree j (unmarked _ _ Z Aj)), Z in *. simpl in D. lia.
      * assert (E : marked (free F) = 1) by lia. destruct (one_marked _ _ E Aj) as (i & ->).
        exists F. split; [|apply filter_In; split; auto; now apply Nat.eqb_eq].
        unfold of_degree. rewrite Ev. f_equal. f_equal. rewrite degree_copies, E in Dv. lia.
Qed.
