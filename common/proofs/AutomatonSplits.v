(** A position and an option of it, read side by side.

    A move takes [t] beans from a heap [h] and leaves the parts [a <= b]. The position and the
    option have the same other heaps [Z]. From size 1 to size [a] there are [a - 1] steps, and from
    the size [b] to the size [h] there are [a + t]. What is known while both are read is a
    *configuration*. The numbers of steps are counted up to a bound, and then in a cycle; so there
    are finitely many configurations. An untrusted search lists them. If each heap and each step
    leads from a configuration of the list to one of the list, all positions have been examined.

    The position is read by a *watcher*: by the automaton itself, or by an automaton that knows
    more of the position (AutomatonReplies). *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops Automata.
Import ListNotations.

(** A reader of the position, with the state of the automaton in each of its nodes, and the class of
    the present size, which is its residue modulo some period. Of a dull node nothing is asked. *)
Record watcher := Watcher {
  w_heap : nat -> nat;
  w_step : nat -> nat;
  w_state : nat -> nat;
  w_class : nat -> nat;
  dull : nat -> bool }.

(** The moves that are examined. *)
Inductive split_rule :=
| Any_move  (** every move of the code *)
| Beside_smaller (t cl : nat)  (** the smaller part is equal to another heap of the class *)
| Beside_greater (t cl : nat)  (** the greater part is *)
| In_halves (t cl d : nat)  (** the parts differ by [d] *).

Inductive config :=
| Before (i node : nat)  (** no part has been read yet *)
| Between (i d node y : nat)  (** the smaller part has been read, [d] steps ago *)
| After (q node y : nat)  (** both have, and [q] steps lead to the heap *)
| End (node y : nat)  (** all three have been read *).

Definition node_of (x : config) : nat :=
  match x with Before _ v | Between _ _ v _ | After _ v _ | End v _ => v end.

Definition config_eqb (x y : config) : bool :=
  match x, y with
  | Before i v, Before i' v' => (i =? i') && (v =? v')
  | Between i d v y, Between i' d' v' y' => (i =? i') && (d =? d') && (v =? v') && (y =? y')
  | After q v y, After q' v' y' => (q =? q') && (v =? v') && (y =? y')
  | End v y, End v' y' => (v =? v') && (y =? y')
  | _, _ => false
  end.

Lemma config_eqb_eq x y : config_eqb x y = true -> x = y.
Proof. destruct x, y; simpl; try discriminate; intros H; read_check; congruence. Qed.

(** The configurations that a search has found, and where each is; and the bound and the cycle of
    numbers of steps. *)
Record split_search := SplitSearch {
  configs : nat;
  config_at : nat -> config;
  place_of : config -> nat;
  step_bound : nat;
  step_cycle : nat }.

(** ** Numbers of steps *)

Definition next_index (S : split_search) (i : nat) : nat :=
  if i + 1 =? step_bound S + step_cycle S then step_bound S else i + 1.

(** The meaning of a number, after some numbers of steps more. *)
Definition later_index (S : split_search) (k i : nat) : nat := Nat.iter k (next_index S) i.

(** The numbers one step before. *)
Definition indices_before (S : split_search) (q : nat) : list nat :=
  (if q =? 0 then [] else [q - 1]) ++
  (if q =? step_bound S then [step_bound S + step_cycle S - 1] else []).

(** ** What follows *)

Section Following.

Variable c : code.
Variable A : automaton.
Variable W : watcher.
Variable rule : split_rule.
Variable S : split_search.

(** The numbers of beans that may be taken if [k] heaps are left. *)
Definition takings (k : nat) : list nat := filter (fun t => allows c t k) (seq 0 (length c)).

(** Whether the heap from which the move is made may be one of this class. *)
Definition heap_class_ok (v : nat) : bool :=
  match rule with
  | Any_move => true
  | Beside_smaller _ cl | Beside_greater _ cl | In_halves _ cl _ => w_class W v =? cl
  end.

(** The smaller part is read now. *)
Definition put_smaller (i v : nat) : list config :=
  let y := w_state W v in
  let h := after_heap A in
  match rule with
  | Any_move =>
    Between i 0 v (h y) ::
    map (fun t => After (later_index S t 0) v (h y)) (takings 1) ++
    (if allows c (i + 1) 0 then [End (w_heap W v) y] else [])
  | Beside_smaller _ cl => if w_class W v =? cl then [Between i 0 (w_heap W v) (h (h y))] else []
  | Beside_greater _ _ | In_halves _ _ _ => [Between i 0 v (h y)]
  end.

(** The greater part is read now. *)
Definition put_greater (i d v y : nat) : list config :=
  let h := after_heap A in
  match rule with
  | Any_move => map (fun t => After (later_index S (t + 1) i) v (h y)) (takings 2)
  | Beside_smaller t _ => [After (later_index S (t + 1) i) v (h y)]
  | Beside_greater t cl =>
    if w_class W v =? cl then [After (later_index S (t + 1) i) (w_heap W v) (h (h y))] else []
  | In_halves t _ e => if d =? e then [After (later_index S (t + 1) i) v (h y)] else []
  end.

(** The parts drift apart by one. *)
Definition between_step (i d v y : nat) : list config :=
  let next e := [Between i e (w_step W v) (after_step A y)] in
  match rule with
  | In_halves _ _ e => if d <? e then next (d + 1) else []
  | _ => next d
  end.

Definition next_configs (x : config) : list config :=
  match x with
  | Before i v =>
    Before i (w_heap W v) :: Before (next_index S i) (w_step W v) :: put_smaller i v
  | Between i d v y =>
    Between i d (w_heap W v) (after_heap A y) :: between_step i d v y ++ put_greater i d v y
  | After q v y =>
    After q (w_heap W v) (after_heap A y) ::
    map (fun q' => After q' (w_step W v) (after_step A y)) (indices_before S q) ++
    (if (q =? 0) && heap_class_ok v then [End (w_heap W v) y] else [])
  | End v y => [End (w_heap W v) (after_heap A y); End (w_step W v) (after_step A y)]
  end.

Definition is_found (x : config) : bool :=
  dull W (node_of x) ||
  let k := place_of S x in (k <? configs S) && config_eqb (config_at S k) x.

(** Whether the list is closed, and everything at its end is [allowed]. *)
Definition split_ok (allowed : nat -> nat -> bool) : bool :=
  (1 <=? step_bound S) && (1 <=? step_cycle S) && (length c <=? step_bound S) &&
  is_found (Before 0 0) &&
  all_below (configs S) (fun k =>
    let x := config_at S k in
    forallb is_found (next_configs x) && match x with End v y => allowed v y | _ => true end).

End Following.

(** ** What it means *)

Lemma allows_length c t k : allows c t k = true -> t < length c.
Proof.
  unfold allows, digit. intros H. apply andb_split in H as [H _].
  destruct (Nat.lt_ge_cases t (length c)) as [L|L]; [exact L|].
  rewrite nth_overflow in H by exact L. rewrite Nat.bits_0 in H. discriminate.
Qed.

Lemma takings_in c t k : allows c t k = true -> In t (takings c k).
Proof.
  intros H. unfold takings. apply filter_In. split; [|exact H].
  apply in_seq. apply allows_length in H. lia.
Qed.

(** What is dull stays dull. *)
Definition dull_closed (W : watcher) : Prop :=
  forall v, dull W v = true -> dull W (w_heap W v) = true /\ dull W (w_step W v) = true.

(** A node knows the state of the automaton and the class of the present size, if it is not dull. *)
Definition faithful (A : automaton) (p : nat) (W : watcher) : Prop :=
  forall X n, let v := read (w_heap W) (w_step W) X n in
    dull W v = false ->
    w_state W v = read (after_heap A) (after_step A) X n /\ w_class W v = (n + 1) mod p.

Section Meaning.

Variable c : code.
Variable A : automaton.
Variable p : nat.
Variable W : watcher.
Variable rule : split_rule.
Variable S : split_search.
Variable allowed : nat -> nat -> bool.
Hypothesis closed_dull : dull_closed W.
Hypothesis faith : faithful A p W.
Hypothesis ok : split_ok c A W rule S allowed = true.

Local Notation N := (step_bound S).
Local Notation L := (step_cycle S).
Local Notation watch := (read (w_heap W) (w_step W)).
Local Notation state := (read (after_heap A) (after_step A)).
Local Notation index n := (later_index S n 0).

Lemma split_parts : 1 <= N /\ 1 <= L /\ length c <= N /\
  is_found W S (Before 0 0) = true /\
  forall k, k < configs S -> let x := config_at S k in
    forallb (is_found W S) (next_configs c A W rule S x) = true /\
    match x with End v y => allowed v y = true | _ => True end.
Proof.
  pose proof ok as H. unfold split_ok in H. rewrite !andb_split in H.
  destruct H as [[[[B Cy] Len] F] All]. read_check. repeat split; auto.
  - rewrite all_below_spec in All. specialize (All k H). now apply andb_split in All.
  - rewrite all_below_spec in All. specialize (All k H). apply andb_split in All as [_ E].
    destruct (config_at S k); auto.
Qed.

(** *** Numbers of steps *)

Lemma index_next n : index (1 + n) = next_index S (index n).
Proof. reflexivity. Qed.

Lemma index_add k n : later_index S k (index n) = index (k + n).
Proof. unfold later_index. symmetry. apply iter_add. Qed.

Lemma index_bound n : index n < N + L.
Proof.
  destruct split_parts as (B & Cy & _). induction n as [|n IH].
  - simpl. lia.
  - change (index (1 + n) < N + L). rewrite index_next. unfold next_index.
    destruct (Nat.eqb_spec (index n + 1) (N + L)); lia.
Qed.

Lemma index_small n : n <= N -> index n = n.
Proof.
  destruct split_parts as (B & Cy & _). induction n as [|n IH]; intros Ln; [reflexivity|].
  change (index (1 + n) = 1 + n). rewrite index_next, IH by lia. unfold next_index.
  destruct (Nat.eqb_spec (n + 1) (N + L)); lia.
Qed.

Lemma index_before n : In (index n) (indices_before S (index (1 + n))).
Proof.
  destruct split_parts as (B & Cy & _). pose proof (index_bound n) as Bd.
  rewrite index_next. unfold indices_before, next_index.
  destruct (Nat.eqb_spec (index n + 1) (N + L)) as [E|E].
  - apply in_or_app. right. rewrite Nat.eqb_refl. left. lia.
  - apply in_or_app. left. destruct (Nat.eqb_spec (index n + 1) 0); [lia|]. left. lia.
Qed.

(** *** Configurations of the list *)

Definition listed (x : config) : Prop :=
  dull W (node_of x) = true \/ exists k, k < configs S /\ config_at S k = x.

Lemma found_listed x : is_found W S x = true -> listed x.
Proof.
  unfold is_found. intros H. apply orb_prop in H as [H|H]; [now left|]. right.
  cbv zeta in H. apply andb_split in H as [Lk E]. read_check.
  exists (place_of S x). split; [exact Lk|]. now apply config_eqb_eq.
Qed.

Lemma next_node x x' : In x' (next_configs c A W rule S x) ->
  node_of x' = node_of x \/ node_of x' = w_heap W (node_of x) \/
  node_of x' = w_step W (node_of x).
Proof.
  destruct x as [i v|i d v y|q v y|v y]; cbn [next_configs node_of].
  - intros [<-|[<-|I]]; [cbn; auto|cbn; auto|]. unfold put_smaller in I. cbv zeta in I.
    destruct rule as [|t cl|t cl|t cl e]; [| |destruct I as [<-|[]]; cbn; auto ..].
    + destruct I as [<-|I]; [cbn; auto|]. apply in_app_or in I as [I|I].
      * apply in_map_iff in I as (t & <- & _). cbn. auto.
      * destruct (allows c (i + 1) 0); [destruct I as [<-|[]]; cbn; auto|destruct I].
    + destruct (w_class W v =? cl); [destruct I as [<-|[]]; cbn; auto|destruct I].
  - intros [<-|I]; [cbn; auto|]. apply in_app_or in I as [I|I].
    + unfold between_step in I. cbv zeta in I.
      destruct rule as [|t cl|t cl|t cl e]; [destruct I as [<-|[]]; cbn; auto ..|].
      destruct (d <? e); [destruct I as [<-|[]]; cbn; auto|destruct I].
    + unfold put_greater in I. cbv zeta in I. destruct rule as [|t cl|t cl|t cl e].
      * apply in_map_iff in I as (t & <- & _). cbn. auto.
      * destruct I as [<-|[]]. cbn. auto.
      * destruct (w_class W v =? cl); [destruct I as [<-|[]]; cbn; auto|destruct I].
      * destruct (d =? e); [destruct I as [<-|[]]; cbn; auto|destruct I].
  - intros [<-|I]; [cbn; auto|]. apply in_app_or in I as [I|I].
    + apply in_map_iff in I as (t & <- & _). cbn. auto.
    + destruct ((q =? 0) && heap_class_ok W rule v); [destruct I as [<-|[]]; cbn; auto|destruct I].
  - intros [<-|[<-|[]]]; cbn; auto.
Qed.

Lemma listed_next x x' : listed x -> In x' (next_configs c A W rule S x) -> listed x'.
Proof.
  intros [D|(k & Lk & <-)] I.
  - left. destruct (closed_dull _ D) as [Dh Ds].
    destruct (next_node _ _ I) as [E|[E|E]]; rewrite E; auto.
  - apply found_listed. destruct split_parts as (_ & _ & _ & _ & All).
    destruct (All k Lk) as [F _]. rewrite forallb_forall in F. auto.
Qed.

Lemma listed_end v y : listed (End v y) -> dull W v = true \/ allowed v y = true.
Proof.
  intros [D|(k & Lk & E)]; [now left|]. right.
  destruct split_parts as (_ & _ & _ & _ & All). destruct (All k Lk) as [_ E']. now rewrite E in E'.
Qed.

(** *** The phases of reading *)

Lemma before_listed Z n : listed (Before (index n) (watch Z n)).
Proof.
  apply (read_closed (w_heap W) (w_step W) (fun n v => listed (Before (index n) v))).
  - apply found_listed, split_parts.
  - intros m x H. apply (listed_next _ _ H). now left.
  - intros m x H. apply (listed_next _ _ H). right. now left.
Qed.

Lemma between_listed i Z Y n : (forall t cl e, rule <> In_halves t cl e) ->
  (forall s, n + 1 < s -> heaps_of_size Z s = heaps_of_size Y s) ->
  listed (Between i 0 (watch Z n) (state Y n)) ->
  forall m, n <= m -> listed (Between i 0 (watch Z m) (state Y m)).
Proof.
  intros NR E B.
  apply (read_pair _ _ _ _ (fun _ x y => listed (Between i 0 x y)));
    [| |intros s Ls; apply E; lia|exact B].
  - intros m x y H. apply (listed_next _ _ H). now left.
  - intros m x y H. apply (listed_next _ _ H). right. apply in_or_app. left. unfold between_step.
    destruct rule; try (now left). exfalso. eapply NR. reflexivity.
Qed.

Lemma halves_listed t cl e i Z Y n : rule = In_halves t cl e ->
  (forall s, n + 1 < s -> heaps_of_size Z s = heaps_of_size Y s) ->
  listed (Between i 0 (watch Z n) (state Y n)) ->
  listed (Between i e (watch Z (e + n)) (state Y (e + n))).
Proof.
  intros ER E B.
  assert (All : forall m, n <= m -> n <= m /\ (m - n <= e ->
    listed (Between i (m - n) (watch Z m) (state Y m)))).
  { intros m Lm.
    apply (read_pair (w_heap W) (w_step W) (after_heap A) (after_step A)
      (fun m x y => n <= m /\ (m - n <= e -> listed (Between i (m - n) x y)))) with (n := n);
      [| |intros s Ls; apply E; lia| |exact Lm].
    - intros k x y [Lk H]. split; [exact Lk|]. intros Le. apply (listed_next _ _ (H Le)). now left.
    - intros k x y [Lk H]. split; [lia|]. intros Le. assert (Le' : k - n <= e) by lia.
      apply (listed_next _ _ (H Le')). right. apply in_or_app. left. unfold between_step.
      rewrite ER. destruct (Nat.ltb_spec (k - n) e); [|lia].
      left. f_equal. lia.
    - split; [lia|]. intros _. now rewrite Nat.sub_diag. }
  destruct (All (e + n) ltac:(lia)) as [_ H]. replace (e + n - n) with e in H by lia. now apply H.
Qed.

(** From the greater part, [r] steps lead to the heap [n + 1 + r]. *)
Lemma after_listed r Z Y n :
  (forall s, n + 1 < s -> heaps_of_size Z s = heaps_of_size Y s) ->
  listed (After (index r) (watch Z n) (state Y n)) ->
  listed (After 0 (watch Z (r + n)) (state Y (r + n))).
Proof.
  intros E B.
  assert (All : forall m, n <= m -> n <= m /\ (m - n <= r ->
    listed (After (index (r - (m - n))) (watch Z m) (state Y m)))).
  { intros m Lm.
    apply (read_pair (w_heap W) (w_step W) (after_heap A) (after_step A)
      (fun m x y => n <= m /\ (m - n <= r -> listed (After (index (r - (m - n))) x y))))
      with (n := n); [| |intros s Ls; apply E; lia| |exact Lm].
    - intros k x y [Lk H]. split; [exact Lk|]. intros Le. apply (listed_next _ _ (H Le)). now left.
    - intros k x y [Lk H]. split; [lia|]. intros Le. assert (Le' : k - n <= r) by lia.
      apply (listed_next _ _ (H Le')). right. apply in_or_app. left. apply in_map_iff.
      exists (index (r - (1 + k - n))). split; [reflexivity|].
      replace (r - (k - n)) with (1 + (r - (1 + k - n))) by lia. apply index_before.
    - split; [lia|]. intros _. now rewrite Nat.sub_diag, Nat.sub_0_r. }
  destruct (All (r + n) ltac:(lia)) as [_ H]. replace (r - (r + n - n)) with 0 in H by lia.
  apply H. lia.
Qed.

(** The class of the heap is the class of the rule. *)
Definition heap_fits (h : nat) : Prop :=
  match rule with
  | Any_move => True
  | Beside_smaller _ cl | Beside_greater _ cl | In_halves _ cl _ => h mod p = cl
  end.

Lemma class_fits Z n : heap_fits (n + 1) ->
  dull W (watch Z n) = true \/ heap_class_ok W rule (watch Z n) = true.
Proof.
  intros F. destruct (dull W (watch Z n)) eqn:D; [now left|right].
  destruct (faith Z n D) as [_ E]. unfold heap_class_ok, heap_fits in *.
  destruct rule; auto; apply Nat.eqb_eq; congruence.
Qed.

Lemma end_listed Z Y n : (forall s, n + 1 < s -> heaps_of_size Z s = heaps_of_size Y s) ->
  heap_fits (n + 1) -> listed (After 0 (watch Z n) (state Y n)) ->
  forall m, n <= m -> listed (End (watch (n + 1 :: Z) m) (state Y m)).
Proof.
  intros E F B.
  apply (read_pair _ _ _ _ (fun _ x y => listed (End x y))).
  - intros m x y H. apply (listed_next _ _ H). now left.
  - intros m x y H. apply (listed_next _ _ H). right. now left.
  - intros s Ls. rewrite size_cons_other by lia. apply E. lia.
  - replace (n + 1) with (Datatypes.S n) by lia. rewrite read_heap.
    destruct (class_fits Z n F) as [D|Cl].
    + left. cbn. now apply closed_dull.
    + apply (listed_next _ _ B). right. apply in_or_app. right. rewrite Cl. now left.
Qed.

(** From the greater part to the end. *)
Lemma rest_listed r Z Y n m : (forall s, n + 1 < s -> heaps_of_size Z s = heaps_of_size Y s) ->
  heap_fits (r + n + 1) -> listed (After (index r) (watch Z n) (state Y n)) -> r + n <= m ->
  listed (End (watch (r + n + 1 :: Z) m) (state Y m)).
Proof.
  intros E F B Lm. apply (end_listed Z Y (r + n)); auto.
  - intros s Ls. apply E. lia.
  - now apply after_listed.
Qed.

(** The state of the option in which the heap [n + 1] is one more. *)
Lemma one_more Z n (f : nat -> config) : (forall y, node_of (f y) = watch Z n) ->
  listed (f (after_heap A (w_state W (watch Z n)))) -> listed (f (state (n + 1 :: Z) n)).
Proof.
  intros Nd H. replace (n + 1) with (Datatypes.S n) by lia. rewrite read_heap.
  destruct (dull W (watch Z n)) eqn:D; [left; now rewrite Nd|].
  destruct (faith Z n D) as [E _]. now rewrite <- E.
Qed.

(** *** The moves *)

(** Nothing is left of a heap. *)
Lemma whole_listed t Z m : rule = Any_move -> allows c t 0 = true -> t <= m + 1 ->
  listed (End (watch (t :: Z) m) (state Z m)).
Proof.
  intros ER Al Lm. destruct split_parts as (_ & _ & Len & _).
  pose proof (allows_length _ _ _ Al) as Lt.
  destruct t as [|n]; [unfold allows in Al; simpl in Al; now rewrite andb_false_r in Al|].
  apply (read_pair _ _ _ _ (fun _ x y => listed (End x y))) with (n := n); [| | | |lia].
  - intros k x y H. apply (listed_next _ _ H). now left.
  - intros k x y H. apply (listed_next _ _ H). right. now left.
  - intros s Ls. apply size_cons_other. lia.
  - rewrite read_heap. destruct (dull W (watch Z n)) eqn:D.
    + left. cbn. now apply closed_dull.
    + destruct (faith Z n D) as [<- _].
      apply (listed_next _ _ (before_listed Z n)). right. right. unfold put_smaller. rewrite ER.
      right. apply in_or_app. right. rewrite index_small by lia.
      replace (n + 1) with (Datatypes.S n) by lia. rewrite Al. now left.
Qed.

(** One heap is left. *)
Lemma one_listed t b Z m : rule = Any_move -> allows c t 1 = true -> 1 <= b ->
  b + t <= m + 1 -> listed (End (watch (b + t :: Z) m) (state (b :: Z) m)).
Proof.
  intros ER Al Lb Lm. set (n := b - 1). replace (b + t) with (t + n + 1) by lia.
  replace b with (n + 1) by lia. apply rest_listed.
  - intros s Ls. symmetry. apply size_cons_other. lia.
  - unfold heap_fits. now rewrite ER.
  - apply (one_more Z n (After (index t) (watch Z n))); [reflexivity|].
    apply (listed_next _ _ (before_listed Z n)). right. right. unfold put_smaller. rewrite ER.
    right. apply in_or_app. left. apply in_map_iff. exists t. split; [reflexivity|].
    now apply takings_in.
  - lia.
Qed.

(** Two heaps are left, and the smaller one has been read. *)
Lemma greater_listed t a b Z m : a <= b -> 1 <= a -> heap_fits (a + b + t) ->
  In (After (later_index S (t + 1) (index (a - 1))) (watch Z (b - 1))
      (after_heap A (state (a :: Z) (b - 1))))
    (put_greater c A W rule S (index (a - 1)) (match rule with In_halves _ _ e => e | _ => 0 end)
      (watch Z (b - 1)) (state (a :: Z) (b - 1))) ->
  listed (Between (index (a - 1)) (match rule with In_halves _ _ e => e | _ => 0 end)
    (watch Z (b - 1)) (state (a :: Z) (b - 1))) ->
  a + b + t <= m + 1 -> listed (End (watch (a + b + t :: Z) m) (state (a :: b :: Z) m)).
Proof.
  intros Lab La F I B Lm. set (n := b - 1) in *.
  replace (state (a :: b :: Z) m) with (state (b :: a :: Z) m) by
    (apply read_permutation; constructor).
  replace (a + b + t) with ((a + t) + n + 1) in * by lia. apply rest_listed; auto; [| |lia].
  - intros s Ls. rewrite !size_cons_other by lia. reflexivity.
  - replace b with (Datatypes.S n) by lia. rewrite read_heap.
    rewrite index_add in I. replace (t + 1 + (a - 1)) with (a + t) in I by lia.
    apply (listed_next _ _ B). right. apply in_or_app. now right.
Qed.

Lemma smaller_listed a Z : 1 <= a ->
  In (Between (index (a - 1)) 0 (watch Z (a - 1)) (after_heap A (w_state W (watch Z (a - 1)))))
    (put_smaller c A W rule S (index (a - 1)) (watch Z (a - 1))) ->
  listed (Between (index (a - 1)) 0 (watch Z (a - 1)) (state (a :: Z) (a - 1))).
Proof.
  intros La I. set (n := a - 1) in *. replace a with (n + 1) by lia.
  apply (one_more Z n (Between (index n) 0 (watch Z n))); [reflexivity|].
  apply (listed_next _ _ (before_listed Z n)). right. now right.
Qed.

Lemma two_listed t a b Z m : rule = Any_move -> allows c t 2 = true -> 1 <= a -> a <= b ->
  a + b + t <= m + 1 -> listed (End (watch (a + b + t :: Z) m) (state (a :: b :: Z) m)).
Proof.
  intros ER Al La Lab Lm. apply greater_listed; auto.
  - unfold heap_fits. now rewrite ER.
  - unfold put_greater. rewrite ER. apply in_map_iff. exists t. split; [reflexivity|].
    now apply takings_in.
  - rewrite ER. apply between_listed with (n := a - 1); [congruence| |  |lia].
    + intros s Ls. symmetry. apply size_cons_other. lia.
    + apply smaller_listed; [exact La|]. unfold put_smaller. rewrite ER. now left.
Qed.

(** The smaller part is equal to another heap. *)
Lemma beside_smaller_listed t cl a b Z m : rule = Beside_smaller t cl -> 1 <= a -> a <= b ->
  In a Z -> a mod p = cl -> (a + b + t) mod p = cl ->
  a + b + t <= m + 1 -> listed (End (watch (a + b + t :: Z) m) (state (a :: b :: Z) m)).
Proof.
  intros ER La Lab Ia Ca Ch Lm. apply greater_listed; auto.
  - unfold heap_fits. now rewrite ER.
  - unfold put_greater. rewrite ER. now left.
  - rewrite ER. apply between_listed with (n := a - 1); [congruence| |  |lia].
    + intros s Ls. symmetry. apply size_cons_other. lia.
    + apply in_split in Ia as (Z1 & Z2 & ->).
      assert (Pm : Permutation (Z1 ++ a :: Z2) (a :: Z1 ++ Z2)) by
        (symmetry; apply Permutation_middle).
      rewrite (read_permutation _ _ _ _ (a - 1) Pm).
      rewrite (read_permutation (after_heap A) (after_step A) (a :: Z1 ++ a :: Z2)
        (a :: a :: Z1 ++ Z2)) by (now constructor).
      set (Y := Z1 ++ Z2). set (n := a - 1). replace a with (Datatypes.S n) by lia.
      rewrite !read_heap. destruct (dull W (watch Y n)) eqn:D.
      * left. cbn. now apply closed_dull.
      * destruct (faith Y n D) as [<- Ec]. apply (listed_next _ _ (before_listed Y n)).
        right. right. unfold put_smaller. rewrite ER, Ec.
        replace (n + 1) with a by lia. rewrite Ca, Nat.eqb_refl. now left.
Qed.

(** The greater part is equal to another heap. *)
Lemma beside_greater_listed t cl a b Z m : rule = Beside_greater t cl -> 1 <= a -> a <= b ->
  In b Z -> b mod p = cl -> (a + b + t) mod p = cl ->
  a + b + t <= m + 1 -> listed (End (watch (a + b + t :: Z) m) (state (a :: b :: Z) m)).
Proof.
  intros ER La Lab Ib Cb Ch Lm. apply in_split in Ib as (Z1 & Z2 & ->). set (Y := Z1 ++ Z2).
  assert (Pm : Permutation (Z1 ++ b :: Z2) (b :: Y)) by (symmetry; apply Permutation_middle).
  rewrite (read_permutation _ _ _ (a + b + t :: b :: Y) m) by (now constructor).
  rewrite (read_permutation (after_heap A) (after_step A) _ (b :: b :: a :: Y) m).
  2:{ rewrite Pm. rewrite (perm_swap b a). constructor. apply perm_swap. }
  set (n := b - 1). replace (a + b + t) with ((a + t) + n + 1) in * by lia.
  apply rest_listed; [| | |lia].
  - intros s Ls. rewrite !size_cons_other by lia. reflexivity.
  - unfold heap_fits. now rewrite ER.
  - assert (B : listed (Between (index (a - 1)) 0 (watch Y n) (state (a :: Y) n))).
    { apply between_listed with (n := a - 1); [congruence| | |lia].
      - intros s Ls. symmetry. apply size_cons_other. lia.
      - apply smaller_listed; [exact La|]. unfold put_smaller. rewrite ER. now left. }
    replace b with (Datatypes.S n) by lia. rewrite !read_heap.
    destruct (dull W (watch Y n)) eqn:D.
    + left. cbn. now apply closed_dull.
    + destruct (faith Y n D) as [_ Ec].
      apply (listed_next _ _ B). right. apply in_or_app. right. unfold put_greater. rewrite ER, Ec.
      replace (n + 1) with b by lia. rewrite Cb, Nat.eqb_refl.
      rewrite index_add. replace (t + 1 + (a - 1)) with (a + t) by lia. now left.
Qed.

(** The parts differ by [e]. *)
Lemma halves_end_listed t cl e a Z m : rule = In_halves t cl e -> 1 <= a ->
  (a + (a + e) + t) mod p = cl -> a + (a + e) + t <= m + 1 ->
  listed (End (watch (a + (a + e) + t :: Z) m) (state (a :: a + e :: Z) m)).
Proof.
  intros ER La Ch Lm. apply greater_listed; auto; [lia| | |].
  - unfold heap_fits. now rewrite ER.
  - unfold put_greater. rewrite ER, Nat.eqb_refl. now left.
  - rewrite ER. replace (a + e - 1) with (e + (a - 1)) by lia.
    apply (halves_listed t cl e); auto.
    + intros s Ls. symmetry. apply size_cons_other. lia.
    + apply smaller_listed; [exact La|]. unfold put_smaller. rewrite ER. now left.
Qed.

End Meaning.
