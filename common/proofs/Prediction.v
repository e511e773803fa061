(** When does a pretending function predict every outcome?

    Two conditions are enough. (P): where a position is predicted P, no option is. (N): where a
    position with a move is predicted N, some option is predicted P. (P) is a statement about
    single heaps in company. (N) is reduced here to a statement about finitely many _kinds_, each
    with a value and a _need_: no positions consist of kinds that all need the others. *)

From Coq Require Import List Arith Lia Permutation Bool.
From Misere Require Import Games.
Import ListNotations.

Section Prediction.

Variable G : heap_game.
Variable S : nat -> Prop.
Hypothesis S_closed : forall h o g, S h -> In o (opts G h) -> In g o -> S g.

Variable Q : bipartite_monoid.
Variable phi : nat -> Q.
Variable P : Q -> bool.
Hypothesis P_in : forall q, in_P Q q <-> P q = true.

Local Notation "x * y" := (times Q x y).
Local Notation "1" := (one Q).
Local Notation val := (value Q phi).

(** The values of the options of a heap. *)
Definition image (h : nat) (e : Q) : Prop := exists o, In o (opts G h) /\ val o = e.

Hypothesis one_not_P : P 1 = false.
Hypothesis dead_heaps : forall h, S h -> opts G h = [] -> phi h = 1.
Hypothesis no_P_to_P : forall h, S h -> forall z e, image h e ->
  P (z * phi h) = true -> P (z * e) = false.

Lemma S_moves X Y : Forall S X -> move G X Y -> Forall S Y.
Proof.
  intros F (A & h & B & o & -> & I & ->). apply Forall_app in F as [FA F].
  inversion F; subst. rewrite !Forall_app. repeat split; auto. apply Forall_forall. eauto.
Qed.

Theorem predicts :
  (forall X, Forall S X -> (exists Y, move G X Y) -> P (val X) = false ->
     exists Y, move G X Y /\ P (val Y) = true) ->
  forall X : position, Forall S X -> (Ppos G X <-> in_P Q (val X)).
Proof.
  intros N X. induction X as [X IH] using (well_founded_ind (plays_end G)). intros F.
  rewrite Ppos_step, P_in. split.
  - intros [E A]. destruct (P (val X)) eqn:V; auto.
    destruct (N X F E V) as (Y & M & PY). exfalso. apply (A Y M).
    apply IH; [exact M|eapply S_moves; eauto|now apply P_in].
  - intros V. split.
    + destruct (options G X) as [|Y L] eqn:O.
      * exfalso. assert (D : val X = 1).
        { clear - O dead_heaps F. induction F as [|h X Sh F IH]; auto.
          simpl in O. apply app_eq_nil in O as [O1 O2]. apply map_eq_nil in O1, O2.
          simpl. now rewrite dead_heaps, IH, times_one by auto. }
        rewrite D in V. congruence.
      * exists Y. apply options_spec. rewrite O. now left.
    + intros Y M PY. pose proof (S_moves X Y F M) as FY.
      apply (IH Y M FY) in PY. apply P_in in PY.
      destruct M as (A & h & B & o & -> & I & ->).
      assert (Sh : S h) by (apply Forall_app in F as [_ F]; now inversion F).
      assert (E : image h (val o)) by (exists o; auto).
      rewrite !value_app in *. simpl in V.
      assert (R1 : val A * (phi h * val B) = (val A * val B) * phi h).
      { rewrite (times_comm _ (phi h)). now rewrite times_assoc. }
      assert (R2 : val A * (val o * val B) = (val A * val B) * val o).
      { rewrite (times_comm _ (val o)). now rewrite times_assoc. }
      rewrite R1 in V. rewrite R2 in PY.
      rewrite (no_P_to_P h Sh _ _ E V) in PY. discriminate.
Qed.

(** ** Needs *)

(** A heap fails in a company if it is predicted N there and no move in the heap is right. *)
Definition fails (h : nat) (r : Q) : Prop :=
  P (r * phi h) = false /\ forall e, image h e -> P (r * e) = false.

Variable kinds : nat.
Variable kind_value : nat -> Q.
Variable need : nat -> Q -> bool.

Definition product (L : list nat) : Q := fold_right (fun k x => kind_value k * x) 1 L.

Lemma product_app L M : product (L ++ M) = product L * product M.
Proof.
  induction L as [|k L IH]; simpl; [now rewrite times_one|]. now rewrite IH, times_assoc.
Qed.

Lemma shuffle (x y a b : Q) : (x * y) * (a * b) = (x * a) * (b * y).
Proof.
  rewrite (times_comm _ b y), <- !times_assoc. f_equal. rewrite !times_assoc. f_equal.
  apply times_comm.
Qed.

Lemma product_permutation L M : Permutation L M -> product L = product M.
Proof.
  induction 1; simpl; congruence || auto.
  rewrite !times_assoc. f_equal. apply times_comm.
Qed.

(** A heap is covered by a word of kinds: wherever the heap fails, each letter of the word is in
    need of the company with the other letters. *)
Definition covered (h : nat) (w : list nat) : Prop :=
  w <> [] /\ Forall (fun k => k < kinds) w /\ product w = phi h /\
  forall r A k B, fails h r -> w = A ++ k :: B -> need k (r * product (A ++ B)) = true.

Hypothesis words : forall h, S h -> opts G h <> [] ->
  (forall r, ~ fails h r) \/ exists w, covered h w.

(** Kinds all of which need the others. *)
Definition mutual_need (L : list nat) : Prop :=
  L <> [] /\ Forall (fun k => k < kinds) L /\
  forall k M, Permutation L (k :: M) -> need k (product M) = true.

Lemma concat_split (Ws : list (list nat)) A k B : concat Ws = A ++ k :: B ->
  exists W1 W2 a b, Ws = W1 ++ (a ++ k :: b) :: W2 /\ A = concat W1 ++ a /\ B = b ++ concat W2.
Proof.
  revert A. induction Ws as [|w Ws IH]; simpl; intros A E.
  - now destruct A.
  - apply app_eq_app in E as (l & [[-> E]|[-> E]]).
    + destruct l as [|k' l]; simpl in E.
      * destruct (IH [] (eq_sym E)) as (W1 & W2 & a & b & -> & E1 & E2).
        exists (A :: W1), W2, a, b. simpl. rewrite <- app_assoc, <- E1, !app_nil_r. auto.
      * inversion E; subst. exists [], Ws, A, l. auto.
    + destruct (IH l E) as (W1 & W2 & a & b & -> & -> & ->).
      exists (w :: W1), W2, a, b. simpl. now rewrite app_assoc.
Qed.

Lemma Forall2_split_right {A B} (R : A -> B -> Prop) X W1 w W2 :
  Forall2 R X (W1 ++ w :: W2) ->
  exists X1 x X2, X = X1 ++ x :: X2 /\ Forall2 R X1 W1 /\ R x w /\ Forall2 R X2 W2.
Proof.
  intros F. apply Forall2_app_inv_r in F as (X1 & X' & F1 & F2 & ->).
  inversion F2 as [|x ? X2 ? Rx F3]; subst. exists X1, x, X2. auto.
Qed.

Definition fitting (h : nat) (w : list nat) : Prop :=
  (opts G h = [] /\ w = []) \/ (opts G h <> [] /\ covered h w).

Lemma fitting_value X Ws : Forall S X -> Forall2 fitting X Ws -> product (concat Ws) = val X.
Proof.
  intros FS F. induction F as [|h w X Ws Fit F IH]; auto. inversion FS; subst. simpl.
  rewrite product_app, IH by auto. f_equal. destruct Fit as [[O ->]|[_ C]].
  - now rewrite dead_heaps.
  - apply C.
Qed.

Theorem no_mutual_need_no_violation : (forall L, ~ mutual_need L) ->
  forall X, Forall S X -> (exists Y, move G X Y) -> P (val X) = false ->
    exists Y, move G X Y /\ P (val Y) = true.
Proof.
  intros No X FS [Y0 M0] V.
  destruct (existsb (fun Y => P (val Y)) (options G X)) eqn:E.
  { apply existsb_exists in E as (Y & I & PY). exists Y. split; auto. now apply options_spec. }
  exfalso.
  assert (All : forall Y, move G X Y -> P (val Y) = false).
  { intros Y M. apply options_spec in M. destruct (P (val Y)) eqn:PY; auto.
    assert (existsb (fun Y => P (val Y)) (options G X) = true); [|congruence].
    apply existsb_exists. eauto. }
  assert (Fails : forall A h B, X = A ++ h :: B -> fails h (val (A ++ B))).
  { intros A h B ->. split.
    - rewrite <- V. f_equal. rewrite !value_app. simpl.
      rewrite (times_comm _ (phi h)). now rewrite times_assoc.
    - intros e (o & I & <-). rewrite <- (All (A ++ o ++ B)).
      + f_equal. rewrite !value_app. rewrite (times_comm _ (val o) (val B)).
        now rewrite times_assoc.
      + exists A, h, B, o. auto. }
  assert (Ws : exists Ws, Forall2 fitting X Ws).
  { assert (Some : forall h, In h X -> S h /\ exists r, fails h r).
    { intros h I. split; [rewrite Forall_forall in FS; auto|].
      apply in_split in I as (A & B & ->). eauto. }
    clear - Some words. induction X as [|h X IH]; [exists []; constructor|].
    destruct IH as (Ws & F); [intros; apply Some; now right|].
    destruct (Some h (or_introl eq_refl)) as (Sh & r & Fr).
    destruct (opts G h) as [|o O] eqn:Eo.
    - exists ([] :: Ws). constructor; [now left|auto].
    - assert (N : opts G h <> []) by (rewrite Eo; discriminate).
      destruct (words h Sh N) as [H|(w & C)]; [exfalso; exact (H r Fr)|].
      exists (w :: Ws). constructor; [now right|auto]. }
  destruct Ws as (Ws & F). apply (No (concat Ws)). repeat split.
  - intros Nil. destruct M0 as (A & h & B & o & -> & I & _).
    apply Forall2_app_inv_l in F as (W1 & W2 & _ & F2 & ->).
    inversion F2 as [|? w ? W3 Fit _]; subst. rewrite concat_app in Nil.
    apply app_eq_nil in Nil as [_ Nil]. simpl in Nil. apply app_eq_nil in Nil as [-> _].
    destruct Fit as [[O _]|[_ [W _]]]; [now rewrite O in I|now apply W].
  - clear - F. induction F as [|h w X Ws Fit F IH]; simpl; [constructor|].
    apply Forall_app. split; auto. destruct Fit as [[_ ->]|[_ (_ & W & _)]]; auto.
  - intros k M Pm. assert (I : In k (concat Ws)).
    { eapply Permutation_in; [symmetry; exact Pm|now left]. }
    apply in_split in I as (A & B & Eq). rewrite Eq in Pm.
    symmetry in Pm. apply (Permutation_app_inv [] M A B) in Pm. simpl in Pm.
    rewrite (product_permutation _ _ Pm).
    apply concat_split in Eq as (W1 & W2 & a & b & -> & -> & ->).
    apply Forall2_split_right in F as (X1 & h & X2 & -> & F1 & Fit & F2).
    apply Forall_app in FS as [FS1 FS2]. inversion FS2; subst.
    destruct Fit as [[_ W]|[_ (_ & _ & _ & C)]]; [now destruct a|].
    specialize (C _ a k b (Fails X1 h X2 eq_refl) eq_refl). rewrite <- C. f_equal.
    rewrite value_app, !product_app.
    rewrite (fitting_value X1 W1), (fitting_value X2 W2) by auto.
    symmetry. apply shuffle.
Qed.

End Prediction.
