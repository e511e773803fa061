(** Do some kinds need each other?

    Given are kinds, each with a value and a need, a set of elements. Asked for is a list of kinds,
    not empty, such that the product of the others lies in the need of each. A search writes down
    the _states_ that it found, and it is checked here that the list of states is closed.

    The kinds are taken in ascending order. A state [(x, z)] with last kind [l] says: those taken
    have the product [x], the last one is [l] or less, and those to come have the product [z]. To
    take [k] leads from [(x, k * z)] to [(k * x, z)], and needs [x * z] in the need of [k]. If no
    state has [z = 1], there is no such list. Only elements [z] with [k < low z] are products of
    kinds from [k] on, and no others are examined. *)

From Coq Require Import List Arith Bool Lia Permutation Sorted.
From Misere Require Import Games Loops Monoid.
Import ListNotations.

Record needs := Needs {
  kinds : nat;
  kind_val : nat -> nat;
  need : nat -> nat -> bool;
  low : nat -> nat;
  factors : nat -> nat -> nat;
  factor : nat -> nat -> nat -> nat;
  factor_place : nat -> nat -> nat;
  states : nat;
  taken : nat -> nat;
  to_come : nat -> nat;
  last_kind : nat -> nat;
  state_of : nat -> nat -> nat }.

Definition known (N : needs) (x z k : nat) : bool :=
  let s := state_of N x z in
  (s <? states N) && (taken N s =? x) && (to_come N s =? z) && (last_kind N s <=? k).

(** [low] is right, and the lists of factors miss nothing. *)
Definition low_ok (T : tables) (N : needs) : bool :=
  (kinds N <=? low N 0) && all_below (kinds N) (fun k => (kind_val N k <? order T) &&
    all_below (order T) (fun z => if k <? low N z then
      let p := mul T (kind_val N k) z in let i := factor_place N k z in
      (k <? low N p) && (i <? factors N k p) && (factor N k p i =? z) else true)).

Definition starts_ok (T : tables) (N : needs) : bool :=
  all_below (kinds N) (fun k => all_below (order T) (fun z =>
    if k <? low N z then if need N k z then known N (kind_val N k) z k else true else true)).

Definition steps_ok (T : tables) (N : needs) : bool :=
  all_below (states N) (fun s =>
    let x := taken N s in let z := to_come N s in let l := last_kind N s in
    negb (z =? 0) && all_from l (Nat.min (kinds N) (low N z) - l) (fun k =>
      all_below (factors N k z) (fun i => let y := factor N k z i in
        if k <? low N y then
          if need N k (mul T x y) then known N (mul T (kind_val N k) x) y k else true
        else true))).

Definition needs_ok (T : tables) (N : needs) : bool :=
  low_ok T N && starts_ok T N && steps_ok T N.

Lemma sorted_permutation (L : list nat) : exists M, Permutation L M /\ StronglySorted le M.
Proof.
  assert (Insert : forall x M, StronglySorted le M ->
    exists M', Permutation (x :: M) M' /\ StronglySorted le M').
  { intros x M. induction M as [|y M IH]; intros Srt.
    - exists [x]. split; auto. repeat constructor.
    - inversion Srt as [|? ? Srt' F]; subst. destruct (le_lt_dec x y) as [Le|Lt].
      + exists (x :: y :: M). split; auto. constructor; auto. constructor; auto.
        eapply Forall_impl; [|exact F]. simpl. lia.
      + destruct (IH Srt') as (M' & Pm & Srt''). exists (y :: M'). split.
        * rewrite perm_swap. now constructor.
        * constructor; auto. rewrite <- Pm. constructor; [lia|auto]. }
  induction L as [|x L (M & Pm & Srt)]; [exists []; split; auto; constructor|].
  destruct (Insert x M Srt) as (M' & Pm' & Srt'). exists M'. split; auto.
  rewrite <- Pm'. now constructor.
Qed.

Section Needs.

Variable T : tables.
Variable N : needs.
Hypothesis T_ok : monoid_ok T = true.
Hypothesis N_ok : needs_ok T N = true.

Local Notation m := (order T).

Definition kinds_product (L : list nat) : nat :=
  fold_right (fun k x => mul T (kind_val N k) x) 0 L.

Definition kinds_of (L : list nat) : Prop := Forall (fun k => k < kinds N) L.

Lemma low_parts : kinds N <= low N 0 /\ (forall k, k < kinds N -> kind_val N k < m) /\
  (forall k z, k < kinds N -> z < m -> k < low N z ->
    let p := mul T (kind_val N k) z in
    k < low N p /\ factor_place N k z < factors N k p /\
    factor N k p (factor_place N k z) = z).
Proof.
  unfold needs_ok in N_ok. rewrite !andb_split in N_ok. destruct N_ok as [[L _] _].
  unfold low_ok in L. apply andb_split in L as [L0 L]. read_check.
  rewrite all_below_spec in L. split; [auto|]. split.
  - intros k Lk. specialize (L k Lk). now read_check.
  - intros k z Lk Lz Le. specialize (L k Lk). apply andb_split in L as [_ L].
    rewrite all_below_spec in L. specialize (L z Lz).
    apply Nat.ltb_lt in Le. rewrite Le in L. cbv zeta in L. now read_check.
Qed.

Lemma kinds_product_below L : kinds_of L -> kinds_product L < m.
Proof.
  induction 1; simpl; [now apply order_positive|]. apply mul_below; auto. now apply low_parts.
Qed.

Lemma low_product L : kinds_of L -> StronglySorted le L ->
  forall j, j < kinds N -> Forall (le j) L -> j < low N (kinds_product L).
Proof.
  intros K Srt. induction K as [|i L Li K IH]; intros j Lj F; simpl.
  - pose proof (proj1 low_parts). lia.
  - inversion Srt; subst. inversion F; subst.
    destruct low_parts as (_ & _ & H). specialize (H i (kinds_product L) Li).
    cbv zeta in H. destruct H as (H & _); auto using kinds_product_below. lia.
Qed.

(** The state is on the list, with a last kind of at most [k]. *)
Definition listed (x z k : nat) : Prop :=
  exists s, s < states N /\ taken N s = x /\ to_come N s = z /\ last_kind N s <= k.

Lemma known_listed x z k : known N x z k = true -> listed x z k.
Proof. unfold known, listed. cbv zeta. intros K. exists (state_of N x z). now read_check. Qed.

Lemma start_listed k z : k < kinds N -> z < m -> k < low N z -> need N k z = true ->
  listed (kind_val N k) z k.
Proof.
  intros Lk Lz Le Nd. apply known_listed.
  unfold needs_ok in N_ok. rewrite !andb_split in N_ok. destruct N_ok as [[_ St] _].
  unfold starts_ok in St. rewrite all_below_spec in St. specialize (St k Lk).
  rewrite all_below_spec in St. specialize (St z Lz).
  apply Nat.ltb_lt in Le. now rewrite Le, Nd in St.
Qed.

Lemma step_listed x z k l : l <= k -> k < kinds N -> z < m -> k < low N z ->
  listed x (mul T (kind_val N k) z) l -> need N k (mul T x z) = true ->
  listed (mul T (kind_val N k) x) z k.
Proof.
  intros Lk Kk Lz Le (s & Ls & <- & Es & Ll) Nd.
  destruct low_parts as (_ & _ & H). specialize (H k z Kk Lz Le). cbv zeta in H.
  destruct H as (H1 & H2 & H3).
  unfold needs_ok in N_ok. rewrite !andb_split in N_ok. destruct N_ok as [_ St].
  unfold steps_ok in St. rewrite all_below_spec in St. specialize (St s Ls). cbv zeta in St.
  apply andb_split in St as [_ St]. rewrite Es in St. rewrite all_from_spec in St.
  assert (Hk : k < last_kind N s + (Nat.min (kinds N)
    (low N (mul T (kind_val N k) z)) - last_kind N s)) by lia.
  specialize (St k (Nat.le_trans _ _ _ Ll Lk) Hk).
  rewrite all_below_spec in St. specialize (St _ H2). rewrite H3 in St.
  apply Nat.ltb_lt in Le. rewrite Le, Nd in St. now apply known_listed.
Qed.

Lemma never_at_the_end x k : ~ listed x 0 k.
Proof.
  intros (s & Ls & _ & Es & _).
  unfold needs_ok in N_ok. rewrite !andb_split in N_ok. destruct N_ok as [_ St].
  unfold steps_ok in St. rewrite all_below_spec in St. specialize (St s Ls). cbv zeta in St.
  apply andb_split in St as [St _]. rewrite Es in St. discriminate.
Qed.

Lemma walk L : forall l x, x < m -> kinds_of L -> StronglySorted le L -> Forall (le l) L ->
  listed x (kinds_product L) l ->
  (forall A k B, L = A ++ k :: B ->
    need N k (mul T (mul T x (kinds_product A)) (kinds_product B)) = true) -> False.
Proof.
  induction L as [|k L IH]; intros l x Lx K Srt F Li Nd.
  - exact (never_at_the_end _ _ Li).
  - inversion K as [|? ? Lk K']; subst. inversion Srt as [|? ? Srt' Fk]; subst.
    inversion F as [|? ? Ll F']; subst.
    pose proof (kinds_product_below L K') as Lp.
    pose proof (proj1 (proj2 low_parts) k Lk) as Lv.
    apply (IH k (mul T (kind_val N k) x)); auto using mul_below.
    + apply step_listed with l; auto.
      * now apply low_product.
      * specialize (Nd [] k L eq_refl). simpl in Nd. now rewrite product_one in Nd.
    + intros A j B ->. rewrite <- (Nd (k :: A) j B eq_refl). f_equal. simpl.
      apply Forall_app in K' as [KA _]. pose proof (kinds_product_below A KA).
      rewrite (mul_comm T T_ok (kind_val N k) x) by auto.
      rewrite <- (mul_assoc T T_ok x) by auto. reflexivity.
Qed.

Lemma kinds_product_permutation L M : Permutation L M -> kinds_of L ->
  kinds_product L = kinds_product M.
Proof.
  induction 1; intros K; simpl; auto.
  - inversion K; subst. now rewrite IHPermutation.
  - inversion K as [|? ? Ly K']; subst. inversion K' as [|? ? Lx K'']; subst.
    pose proof (kinds_product_below l K''). pose proof (proj1 (proj2 low_parts)).
    rewrite !(mul_assoc T T_ok) by auto. f_equal. apply mul_comm; auto.
  - rewrite IHPermutation1, IHPermutation2; auto. unfold kinds_of. now rewrite <- H.
Qed.

Theorem no_mutual_need L : L <> [] -> kinds_of L ->
  (forall k M, Permutation L (k :: M) -> need N k (kinds_product M) = true) -> False.
Proof.
  intros Nil K Nd. destruct (sorted_permutation L) as (M & Pm & Srt).
  destruct M as [|k M]; [now apply Permutation_sym, Permutation_nil in Pm|].
  assert (KM : kinds_of (k :: M)) by (unfold kinds_of; now rewrite <- Pm).
  inversion KM as [|? ? Lk K']; subst. inversion Srt as [|? ? Srt' Fk]; subst.
  pose proof (kinds_product_below M K') as Lp.
  pose proof (proj1 (proj2 low_parts) k Lk) as Lv.
  apply (walk M k (kind_val N k)); auto.
  - apply start_listed; auto. now apply low_product.
  - intros A j B ->.
    assert (KAB : kinds_of ((k :: A) ++ B)).
    { inversion KM; subst. constructor; auto. rewrite Forall_app in *. destruct H2 as [HA HB].
      now inversion HB. }
    rewrite <- (Nd j ((k :: A) ++ B)).
    + f_equal. apply Forall_app in K' as [KA KB]. inversion KB as [|? ? Lj KB']; subst.
      clear - KA KB' Lv T_ok N_ok. simpl. pose proof (kinds_product_below B KB').
      assert (E : forall A, kinds_of A -> kinds_product (A ++ B) =
        mul T (kinds_product A) (kinds_product B)).
      { clear A KA. intros A KA. induction KA as [|a A La KA IH]; simpl.
        - now rewrite mul_one.
        - rewrite IH. apply mul_assoc; auto using kinds_product_below. now apply low_parts. }
      rewrite (E A KA). symmetry. apply mul_assoc; auto using kinds_product_below.
    + rewrite Pm. change (k :: A ++ j :: B) with ((k :: A) ++ j :: B).
      symmetry. apply Permutation_middle.
Qed.

End Needs.
