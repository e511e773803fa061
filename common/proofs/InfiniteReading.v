(** What does evidence claim of a position?

    In 0.005 the letters 13 and 18 are digits: their exact counts are read by an automaton. The
    other letters, 3, 7 and 17, have cycles: of the count of 3 it matters only whether it is 0, odd,
    or even and positive. The counts of these letters, read through their cycles, name a _column_,
    and a column names the state in which the automaton begins. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteSearch.
Import ListNotations.

(** A letter whose counts are read alike from [index] on if they differ by a multiple of [period].
    If [period] is 0, no two counts are read alike. *)
Record cycle := Cycle { cycle_heap : nat; index : nat; period : nat }.

(** Evidence that a quotient is infinite. Heaps that are not letters are in [words], each with the
    letters of its word. The columns are numbered; [find_column] finds one by its counts. What
    begins in no column begins in the state [sink]. *)
Record evidence := Evidence {
  cycles : list cycle;
  digit_heaps : list nat;
  words : list (nat * list nat);
  reader : automaton;
  sink : nat;
  columns : nat;
  column_at : nat -> list nat;
  column_state : nat -> nat;
  find_column : list nat -> nat }.

(** How many [a] there are in a list. *)
Fixpoint count (a : nat) (z : list nat) : nat :=
  match z with
  | [] => 0
  | x :: z => if x =? a then S (count a z) else count a z
  end.

Definition cycle_heaps (E : evidence) : list nat := map cycle_heap (cycles E).
Definition letters (E : evidence) : list nat := cycle_heaps E ++ digit_heaps E.
Definition has (L : list nat) (h : nat) : bool := existsb (fun x => x =? h) L.
Definition letter (E : evidence) (h : nat) : Prop := In h (letters E).
Definition spoken (E : evidence) (h : nat) : Prop := In h (letters E ++ map fst (words E)).

(** The letters that a heap is read as. *)
Definition word_of (E : evidence) (h : nat) : list nat :=
  if has (letters E) h then [h]
  else match List.find (fun e => fst e =? h) (words E) with
    | Some (_, w) => w
    | None => []
    end.

Definition read_count (a : cycle) (x : nat) : nat :=
  if x <? index a + period a then x
  else if period a =? 0 then x
  else index a + (x - index a) mod period a.

Fixpoint read_counts (U : list cycle) (v : list nat) : list nat :=
  match U, v with
  | a :: U, x :: v => read_count a x :: read_counts U v
  | _, _ => []
  end.

Fixpoint equal_lists (a b : list nat) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => (x =? y) && equal_lists a b
  | _, _ => false
  end.

(** The state in which the automaton begins, by counts that are read through their cycles. *)
Definition start (E : evidence) (v : list nat) : nat :=
  let i := find_column E v in
  if (i <? columns E) && equal_lists (column_at E i) v then column_state E i else sink E.

(** The counts of some letters: of those with a cycle, and of the digits. *)
Record counts := Counts { of_cycles : list nat; of_digits : list nat }.

Definition counts_of (E : evidence) (z : list nat) : counts :=
  Counts (map (fun h => count h z) (cycle_heaps E)) (map (fun h => count h z) (digit_heaps E)).

(** What is claimed of some counts. *)
Definition claimed (E : evidence) (v : counts) : said :=
  read_from (reader E) (start E (read_counts (cycles E) (of_cycles v))) (of_digits v).

(** What is claimed of some letters: the function V of docs/infinite.md. *)
Definition V (E : evidence) (z : list nat) : said := claimed E (counts_of E z).

(** ** Is the evidence well formed? *)

Fixpoint all_different (L : list nat) : bool :=
  match L with
  | [] => true
  | x :: L => negb (has L x) && all_different L
  end.

(** H1, H2 and H3 for one heap: it is not greater than [n], it has options, the letters of its word
    are smaller heaps, and what its options leave is spoken of or has no options. *)
Definition heap_ok (c : code) (n : nat) (E : evidence) (h : nat) : bool :=
  let all := letters E ++ map fst (words E) in
  let O := code_options c h in
  (h <=? n) && negb (length O =? 0) &&
  (has (letters E) h || forallb (fun a => (a <? h) && has (letters E) a) (word_of E h)) &&
  forallb (forallb (fun g => has all g || (length (code_options c g) =? 0))) O.

(** H1 to H4 and H6, as far as they are needed here; H5 is [automaton_ok]. *)
Definition evidence_ok (c : code) (n : nat) (E : evidence) : bool :=
  let A := reader E in
  all_different (letters E) &&
  forallb (heap_ok c n E) (letters E ++ map fst (words E)) &&
  forallb (fun a => 1 <=? index a) (cycles E) &&
  (length (digit_heaps E) =? digits A) && (sink E <? states A) &&
  all_below (columns E) (fun i => column_state E i <? states A).

(** ** Facts *)

Lemma count_app a y z : count a (y ++ z) = count a y + count a z.
Proof. induction y as [|x y IH]; simpl; auto. destruct (x =? a); simpl; lia. Qed.

Lemma count_permutation a (y z : list nat) : Permutation y z -> count a y = count a z.
Proof.
  induction 1; simpl; try congruence.
  - destruct (x =? a); congruence.
  - destruct (y =? a), (x =? a); congruence.
Qed.

Lemma count_positive a z : 1 <= count a z <-> In a z.
Proof.
  induction z as [|x z IH]; simpl; [lia|]. destruct (Nat.eqb_spec x a) as [->|N].
  - split; auto. lia.
  - rewrite IH. split; auto. intros [|]; auto. congruence.
Qed.

Lemma in_front a (z : list nat) : In a z -> exists z', Permutation z (a :: z').
Proof.
  intros I. apply in_split in I as (A & B & ->). exists (A ++ B).
  symmetry. apply Permutation_middle.
Qed.

Lemma has_in L h : has L h = true <-> In h L.
Proof.
  unfold has. rewrite existsb_exists. split.
  - intros (x & I & E). apply Nat.eqb_eq in E. now subst.
  - intros I. exists h. split; auto. apply Nat.eqb_refl.
Qed.

Lemma equal_lists_eq a : forall b, equal_lists a b = true <-> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b]; simpl; split; try congruence; auto.
  - rewrite andb_split, Nat.eqb_eq, IH. intros [-> ->]. reflexivity.
  - intros [= -> ->]. rewrite Nat.eqb_refl. now apply IH.
Qed.

Lemma sums_map {B} (f g : B -> nat) L :
  sums (map f L) (map g L) = map (fun a => f a + g a) L.
Proof. induction L as [|a L IH]; simpl; congruence. Qed.

Lemma read_counts_map (f : cycle -> nat) U :
  read_counts U (map f U) = map (fun a => read_count a (f a)) U.
Proof. induction U as [|a U IH]; simpl; congruence. Qed.

(** Counts that differ by a multiple of the period. *)
Lemma read_count_period a y j : index a <= y -> read_count a (y + j * period a) = read_count a y.
Proof.
  intros L. unfold read_count. set (r := index a) in *. set (p := period a) in *.
  destruct (Nat.eqb_spec p 0) as [->|N]; [now rewrite Nat.mul_0_r, Nat.add_0_r|].
  assert (E : (y + j * p - r) mod p = (y - r) mod p).
  { replace (y + j * p - r) with (y - r + j * p) by lia. now apply Nat.mod_add. }
  destruct (Nat.ltb_spec y (r + p)) as [Ly|Ly].
  - destruct (Nat.ltb_spec (y + j * p) (r + p)) as [L'|L'].
    + destruct j as [|j]; [lia|]. simpl in L'. lia.
    + rewrite E, Nat.mod_small by lia. lia.
  - destruct (Nat.ltb_spec (y + j * p) (r + p)) as [L'|L']; [lia|]. now rewrite E.
Qed.

(** A count is read as itself, or as one that is smaller by a multiple of the period. *)
Lemma read_count_cases a x : read_count a x = x \/
  exists j, 1 <= j /\ 0 < period a /\ index a <= read_count a x < index a + period a /\
    x = read_count a x + j * period a.
Proof.
  unfold read_count. set (r := index a). set (p := period a).
  destruct (Nat.ltb_spec x (r + p)) as [L|L]; auto.
  destruct (Nat.eqb_spec p 0) as [->|N]; auto. right.
  pose proof (Nat.div_mod (x - r) p N) as D. pose proof (Nat.mod_upper_bound (x - r) p N).
  exists ((x - r) / p). assert ((x - r) / p <> 0).
  { intros Z. rewrite Z in D. lia. }
  repeat split; lia.
Qed.

Lemma read_count_add a x k : read_count a (read_count a x + k) = read_count a (x + k).
Proof.
  destruct (read_count_cases a x) as [->|(j & _ & _ & L & E)]; auto.
  rewrite E at 2. rewrite <- Nat.add_assoc, (Nat.add_comm (j * _)), Nat.add_assoc.
  symmetry. apply read_count_period. lia.
Qed.

(** One less: as the count that is read, or as one that is greater by a period. *)
Lemma read_count_less a x k : 1 <= x -> 1 <= index a ->
  let v := read_count a x in
  1 <= v /\
  (read_count a (x - 1 + k) = read_count a (v - 1 + k) \/
   (v = index a /\ 0 < period a /\
    read_count a (x - 1 + k) = read_count a (v + period a - 1 + k))).
Proof.
  intros Lx Lr v. destruct (read_count_cases a x) as [E|(j & Lj & Lp & L & E)]; subst v.
  - rewrite E. split; auto.
  - set (v := read_count a x) in *. split; [lia|].
    destruct (Nat.eq_dec v (index a)) as [Ev|N].
    + right. repeat split; auto. destruct j as [|j]; [lia|]. rewrite E.
      replace (v + S j * period a - 1 + k) with (v + period a - 1 + k + j * period a) by lia.
      apply read_count_period. lia.
    + left. rewrite E.
      replace (v + j * period a - 1 + k) with (v - 1 + k + j * period a) by lia.
      apply read_count_period. lia.
Qed.

Lemma read_count_zero a x : 1 <= index a -> read_count a x = 0 -> x = 0.
Proof. intros L E. destruct (read_count_cases a x) as [|(j & _ & _ & B & _)]; lia. Qed.

(** The counts of a position as a column. *)
Definition column_of (E : evidence) (z : list nat) : list nat :=
  map (fun a => read_count a (count (cycle_heap a) z)) (cycles E).

Definition digits_of (E : evidence) (z : list nat) : list nat :=
  map (fun h => count h z) (digit_heaps E).

Lemma V_column E z : V E z = read_from (reader E) (start E (column_of E z)) (digits_of E z).
Proof.
  unfold V, claimed, counts_of, column_of, digits_of, cycle_heaps. simpl.
  rewrite map_map, read_counts_map. reflexivity.
Qed.

Lemma V_permutation E (z z' : list nat) : Permutation z z' -> V E z = V E z'.
Proof.
  intros Pm. rewrite !V_column. unfold column_of, digits_of. f_equal; [f_equal|];
    apply map_ext; intros; now rewrite (count_permutation _ _ _ Pm).
Qed.

Section Reading.

Variable c : code.
Variable n : nat.
Variable E : evidence.
Hypothesis E_ok : evidence_ok c n E = true.

Local Notation G := (game_of_code c).

Lemma evidence_parts : all_different (letters E) = true /\
  (forall h, spoken E h -> heap_ok c n E h = true) /\
  (forall a, In a (cycles E) -> 1 <= index a) /\
  length (digit_heaps E) = digits (reader E) /\ sink E < states (reader E) /\
  (forall i, i < columns E -> column_state E i < states (reader E)).
Proof.
  unfold evidence_ok in E_ok. cbv zeta in E_ok. rewrite !andb_split in E_ok.
  destruct E_ok as [[[[[D Hp] I] L] S] C]. rewrite forallb_forall in Hp, I.
  rewrite all_below_spec in C. apply Nat.eqb_eq in L. apply Nat.ltb_lt in S.
  repeat split; auto; intros a Ia.
  - apply Nat.leb_le. auto.
  - apply Nat.ltb_lt. auto.
Qed.

Lemma letter_is_spoken a : letter E a -> spoken E a.
Proof. unfold letter, spoken. rewrite in_app_iff. auto. Qed.

Lemma letter_decided h : letter E h \/ ~ letter E h.
Proof. unfold letter. rewrite <- has_in. destruct (has (letters E) h); auto. Qed.

Lemma word_of_letter a : letter E a -> word_of E a = [a].
Proof. unfold letter, word_of. intros I. apply has_in in I. now rewrite I. Qed.

Lemma heap_parts h : spoken E h -> h <= n /\ opts G h <> [] /\
  (letter E h \/ Forall (fun a => a < h /\ letter E a) (word_of E h)) /\
  forall o g, In o (opts G h) -> In g o -> spoken E g \/ opts G g = [].
Proof.
  intros S. destruct evidence_parts as (_ & Hp & _). specialize (Hp h S).
  unfold heap_ok in Hp. cbv zeta in Hp. rewrite !andb_split in Hp.
  destruct Hp as [[[L O] W] C]. repeat split.
  - now apply Nat.leb_le.
  - simpl. intros Z. now rewrite Z in O.
  - apply orb_prop in W as [W|W]; [left; now apply has_in|right].
    rewrite forallb_forall in W. apply Forall_forall. intros a Ia. specialize (W a Ia).
    apply andb_split in W as [W1 W2]. apply Nat.ltb_lt in W1. now apply has_in in W2.
  - intros o g Io Ig. rewrite forallb_forall in C. specialize (C o Io).
    rewrite forallb_forall in C. specialize (C g Ig). apply orb_prop in C as [C|C].
    + left. now apply has_in in C.
    + right. apply Nat.eqb_eq, length_zero_iff_nil in C. exact C.
Qed.

Lemma word_of_letters h : spoken E h -> Forall (letter E) (word_of E h).
Proof.
  intros S. destruct (heap_parts h S) as (_ & _ & [L|W] & _).
  - rewrite word_of_letter by auto. auto.
  - eapply Forall_impl; [|exact W]. intros a [_ L]. exact L.
Qed.

Lemma word_of_dead h : opts G h = [] -> word_of E h = [].
Proof.
  intros D. assert (N : ~ spoken E h).
  { intros S. now destruct (heap_parts h S) as (_ & A & _). }
  unfold word_of. destruct (has (letters E) h) eqn:Hl.
  - apply has_in in Hl. exfalso. apply N, letter_is_spoken, Hl.
  - destruct (List.find _ _) as [[g w]|] eqn:F; auto. apply find_some in F as [I Eq].
    apply Nat.eqb_eq in Eq. simpl in Eq. subst g. exfalso. apply N.
    unfold spoken. apply in_app_iff. right. now apply (in_map fst) in I.
Qed.

(** H3: no option of a heap is read with a letter that is not smaller than the heap. So a move in a
    letter takes one copy of it away and adds none. *)
Lemma options_smaller_letters h o a : spoken E h -> In o (opts G h) ->
  In a (reading (word_of E) o) -> a < h.
Proof.
  intros S Io Ia. unfold reading in Ia. apply in_flat_map in Ia as (g & Ig & Iw).
  pose proof (opts_smaller G h o g Io Ig) as L.
  destruct (heap_parts h S) as (_ & _ & _ & C). destruct (C o g Io Ig) as [Sg|Dg].
  - destruct (heap_parts g Sg) as (_ & _ & [Lg|W] & _).
    + rewrite word_of_letter in Iw by auto. destruct Iw as [<-|[]]. exact L.
    + rewrite Forall_forall in W. specialize (W a Iw). lia.
  - rewrite word_of_dead in Iw by auto. destruct Iw.
Qed.

Lemma own_letter_gone x o : letter E x -> In o (opts G x) -> count x (reading (word_of E) o) = 0.
Proof.
  intros L I. destruct (count x (reading (word_of E) o)) eqn:C; auto. exfalso.
  assert (In x (reading (word_of E) o)) by (apply count_positive; lia).
  pose proof (options_smaller_letters x o x (letter_is_spoken x L) I H). lia.
Qed.

Lemma start_below v : start E v < states (reader E).
Proof.
  destruct evidence_parts as (_ & _ & _ & _ & S & C). unfold start. cbv zeta.
  destruct ((_ <? _) && _) eqn:B; auto. apply andb_split in B as [B _].
  apply C. now apply Nat.ltb_lt.
Qed.

Lemma start_cases v : start E v = sink E \/
  exists i, i < columns E /\ column_at E i = v /\ start E v = column_state E i.
Proof.
  unfold start. cbv zeta. destruct ((_ <? _) && _) eqn:B; auto. right.
  apply andb_split in B as [B Q]. apply Nat.ltb_lt in B. apply equal_lists_eq in Q. eauto.
Qed.

Lemma digits_of_length z : length (digits_of E z) = digits (reader E).
Proof. unfold digits_of. rewrite map_length. apply evidence_parts. Qed.

End Reading.
