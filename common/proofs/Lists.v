(** Games that are given by lists: is a quotient the quotient of its games?

    A construction lists games, each by its options, which are sums of earlier games. Here game [i],
    counted from 1, is the heap [i], and heap 0 is the game without options. *)

From Coq Require Import List Arith Bool Lia.
From Misere Require Import Games Loops Monoid Needs Pairs Heaps.
Import ListNotations.

(** The options of the games 1, 2, 3, …; each option is the list of its games. *)
Definition games := list (list (list nat)).

(** The options listed that consist of earlier games; no others are options. *)
Definition listed_options (L : games) (h : nat) : list (list nat) :=
  match h with
  | 0 => []
  | S i => filter (forallb (fun g => g <? h)) (nth i L [])
  end.

Lemma listed_options_smaller L h o g : In o (listed_options L h) -> In g o -> g < h.
Proof.
  destruct h as [|i]; [intros []|]. unfold listed_options. rewrite filter_In, forallb_forall.
  intros [_ F] I. now apply Nat.ltb_lt, F.
Qed.

(** The heap game of the list. *)
Definition game_of_list (L : games) : heap_game :=
  HeapGame (listed_options L) (listed_options_smaller L).

(** Whether all options listed consist of earlier games. *)
Definition earlier_ok (L : games) : bool :=
  all_below (length L) (fun i => forallb (forallb (fun g => g <? S i)) (nth i L [])).

Lemma all_options_listed L : earlier_ok L = true ->
  forall i, i < length L -> opts (game_of_list L) (S i) = nth i L [].
Proof.
  unfold earlier_ok. rewrite all_below_spec. intros E i Li. specialize (E i Li). simpl.
  rewrite forallb_forall in E. induction (nth i L []) as [|o O IH]; auto.
  cbn [filter]. rewrite (E o (or_introl eq_refl)). f_equal. apply IH. intros x I. apply E.
  now right.
Qed.

(** The listing of a game has exactly the values of its options; [from h i] is the place of an
    option with the [i]-th value. *)
Definition list_image_ok (T : tables) (L : games) (H : heaps) (from : nat -> nat -> nat)
    (h : nat) : bool :=
  let O := listed_options L h in
  let V := image_of H h in
  forallb (fun o => member V (number T (phi H) o)) O &&
  all_below (count V) (fun i => (from h i <? length O) &&
    (elem V i =? number T (phi H) (nth (from h i) O []))).

(** A claim about a construction. *)
Record construction := Construction {
  made_tables : tables;
  made_tests : tests;
  made_needs : needs;
  made_heaps : heaps;
  made_from : nat -> nat -> nat }.

Definition construction_ok (L : games) (C : construction) : bool :=
  let T := made_tables C in
  let H := made_heaps C in
  monoid_ok T && reduced_ok T (made_tests C) && earlier_ok L && (last_heap H =? length L) &&
  all_from 0 (last_heap H + 1) (list_image_ok T L H (made_from C)) &&
  needs_ok T (made_needs C) && heaps_ok T (made_needs C) H.

Section Lists.

Variable L : games.
Variable C : construction.
Hypothesis C_ok : construction_ok L C = true.

Local Notation T := (made_tables C).
Local Notation N := (made_needs C).
Local Notation H := (made_heaps C).
Local Notation G := (game_of_list L).

Lemma construction_parts : monoid_ok T = true /\ reduced_ok T (made_tests C) = true /\
  earlier_ok L = true /\ last_heap H = length L /\
  (forall h, h <= last_heap H -> list_image_ok T L H (made_from C) h = true) /\
  needs_ok T N = true /\ heaps_ok T N H = true.
Proof.
  unfold construction_ok in C_ok. cbv zeta in C_ok. rewrite !andb_split in C_ok.
  destruct C_ok as [[[[[[A B] E] D] I] Nd] Hp]. read_check. rewrite all_from_spec in I.
  repeat split; auto. intros h Lh. apply I; lia.
Qed.

Lemma made_ok : monoid_ok T = true.
Proof. apply construction_parts. Qed.

Theorem construction_quotient :
  is_misere_quotient G (heaps_to (length L)) (monoid_of_tables T made_ok)
    (pretending T made_ok (phi H)).
Proof.
  destruct construction_parts as (_ & R & _ & Len & I & Nd & Hp). rewrite <- Len.
  apply (tables_are_quotient T N made_ok Nd G) with (t := made_tests C); auto.
  - unfold heaps_to. intros h o g Lh Io Ig. pose proof (opts_smaller G h o g Io Ig). lia.
  - intros h Lh. exact (good_value _ _ _ _ (heaps_good T N made_ok Nd H Hp h Lh)).
  - intros h Lh. apply good_pair_same with (E := listing_has (image_of H h)).
    + intros e. specialize (I h Lh). unfold list_image_ok in I. cbv zeta in I.
      apply andb_split in I as [All Only]. rewrite forallb_forall in All.
      rewrite all_below_spec in Only. unfold numbers. split.
      * intros (i & Li & <-). specialize (Only i Li). read_check.
        eexists. split; [|symmetry; eassumption]. now apply nth_In.
      * intros (o & Io & <-). apply member_has. now apply All.
    + exact (heaps_good T N made_ok Nd H Hp h Lh).
  - intros g Lg. destruct (heaps_generate T N H Hp g Lg) as (h & Lh & E). eauto.
Qed.

(** The games are those listed, option by option. *)
Theorem construction_games i : i < length L -> opts G (S i) = nth i L [].
Proof. apply all_options_listed, construction_parts. Qed.

End Lists.
