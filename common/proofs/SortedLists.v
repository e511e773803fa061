(** Lists in order, without what is there twice: so equal sets are equal lists. *)

From Coq Require Import List Arith.
Import ListNotations.

Fixpoint compare_lists (a b : list nat) : comparison :=
  match a, b with
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  | x :: a, y :: b => if x =? y then compare_lists a b else if x <? y then Lt else Gt
  end.

Definition is_equal (c : comparison) : bool := match c with Eq => true | _ => false end.

Lemma compare_lists_eq a : forall b, compare_lists a b = Eq -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b]; simpl; try discriminate; auto.
  destruct (Nat.eqb_spec x y) as [->|N]; [intros E; f_equal; auto|].
  destruct (x <? y); discriminate.
Qed.

Section Sort.

Context {T : Type}.
Variable compare : T -> T -> comparison.
Hypothesis compare_eq : forall x y, compare x y = Eq -> x = y.

Fixpoint merge (n : nat) (K L : list T) : list T :=
  match n with
  | 0 => K ++ L
  | S n =>
    match K, L with
    | [], _ => L
    | _, [] => K
    | k :: K', l :: L' =>
      match compare k l with
      | Eq => merge n K' L
      | Lt => k :: merge n K' L
      | Gt => l :: merge n K L'
      end
    end
  end.

Fixpoint deal (L : list T) : list T * list T :=
  match L with
  | [] => ([], [])
  | k :: L => let (a, b) := deal L in (k :: b, a)
  end.

(** Sorts, and leaves out what is there twice. [n] bounds the depth. *)
Fixpoint sort (n : nat) (L : list T) : list T :=
  match n with
  | 0 => L
  | S n =>
    match L with
    | [] | [_] => L
    | _ => let (a, b) := deal L in
      let a := sort n a in let b := sort n b in merge (length a + length b) a b
    end
  end.

(** Whether all of the first list are in the second; both are in order. *)
Fixpoint within (few many : list T) : bool :=
  match many with
  | [] => match few with [] => true | _ => false end
  | y :: many =>
    match few with
    | [] => true
    | x :: rest =>
      match compare x y with
      | Eq => within rest many
      | Lt => false
      | Gt => within few many
      end
    end
  end.

Lemma merge_in n : forall K L x, In x (merge n K L) <-> In x K \/ In x L.
Proof.
  induction n as [|n IH]; intros K L x; simpl; [apply in_app_iff|].
  destruct K as [|k K]; [simpl; tauto|]. destruct L as [|l L]; [simpl; tauto|].
  destruct (compare k l) eqn:E.
  - apply compare_eq in E. subst l. rewrite IH. simpl. tauto.
  - simpl. rewrite IH. simpl. tauto.
  - simpl. rewrite IH. simpl. tauto.
Qed.

Lemma deal_in L x : In x L <-> In x (fst (deal L)) \/ In x (snd (deal L)).
Proof.
  induction L as [|k L IH]; simpl; [tauto|]. destruct (deal L) as [a b]; simpl in *. tauto.
Qed.

Lemma sort_in n : forall L x, In x (sort n L) <-> In x L.
Proof.
  induction n as [|n IH]; intros L x; [simpl; tauto|].
  destruct L as [|k [|l L]]; [simpl; tauto|simpl; tauto|].
  cbn [sort]. rewrite (deal_in (k :: l :: L)). destruct (deal (k :: l :: L)) as [a b].
  cbv zeta. rewrite merge_in, !IH. simpl fst; simpl snd. tauto.
Qed.

Lemma within_in many : forall few, within few many = true ->
  forall x, In x few -> In x many.
Proof.
  induction many as [|y many IH]; intros [|x few]; simpl; try tauto; [discriminate|].
  destruct (compare x y) eqn:E; [| discriminate |].
  - apply compare_eq in E. subst y. intros W z [->|I]; eauto.
  - intros W z I. right. exact (IH _ W z I).
Qed.

End Sort.
