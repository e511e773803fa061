(** Do the outcomes that a diagram claims follow from one another, and may heaps be played as their
    words? (H16 to H19 of docs/infinite.md, decided)

    Each condition is broken by counts that meet the demands of a case. (P) and (S) have a case for
    each option, (N) has one case, and (C') has one for each move inside a word. *)

From Coq Require Import List Arith Bool Lia Permutation.
From Misere Require Import Games Codes Loops InfiniteLetters InfiniteAutomaton InfiniteSearch
  InfiniteReading InfiniteMoves InfiniteWords InfiniteDiagram InfiniteRunners InfiniteCases.
Import ListNotations.

(** The counts of all letters, the ordinary ones first. *)
Definition vector (v : counts) : list nat := of_cycles v ++ of_digits v.

Definition no_counts (d : diagram) : counts := counts_of (letters_of d) [].

(** A position with more letters. *)
Definition plus (d : diagram) (v : counts) : place := Place (root d) (map S (vector v)).

(** A position with the letters [w] more, after a move in the letter [h]. By H3 the move leaves no
    copy of [h]. *)
Definition moved (d : diagram) (h : nat) (w v : counts) : place :=
  Place (root d) (sums (map (fun g => if g =? h then 0 else 1) (letters (letters_of d)))
    (sums (vector w) (vector v))).

Definition refuted (d : diagram) (F : refutations) (more : bool) (L : list (demand * place))
    (O : list place) : bool :=
  refuted_by F (settle d F (levels d) more (map (fun e => (fst e, Some (snd e))) L) (map Some O)).

(** (P) for the options of a letter, and (N). *)
Definition letter_P_ok (c : code) (d : diagram) (F : refutations) (h : nat) : bool :=
  let o := no_counts d in
  forallb (fun v => refuted d F false [(BeP, plus d o); (NotBeN, moved d h o v)] [])
    (moves c (letters_of d) h).

Definition all_moves (c : code) (d : diagram) (w : counts) (H : list nat) : list place :=
  flat_map (fun h => map (moved d h w) (moves c (letters_of d) h)) H.

Definition letters_N_ok (c : code) (d : diagram) (F : refutations) : bool :=
  let o := no_counts d in
  refuted d F true [(BeN, plus d o)] (all_moves c d o (letters (letters_of d))).

(** H16 and H17. *)
Definition diagram_letters_ok (c : code) (d : diagram) (F : refutations) : bool :=
  said_eqb (claims d []) SaysN &&
  forallb (letter_P_ok c d F) (letters (letters_of d)) && letters_N_ok c d F.

(** (C') for the moves in a letter [a] of the word [w]. *)
Definition calls_ok (c : code) (d : diagram) (F : refutations) (w : list nat) (M : list counts)
    (a : nat) : bool :=
  let E := letters_of d in
  let W := counts_of E w in
  let earlier := filter (fun b => rank_of d b <? rank_of d a) (letters E) in
  let O := map (plus d) M ++ all_moves c d W earlier in
  forallb (fun o => refuted d F false
      [(BeN, plus d W); (BeP, plus d (counts_of E (reading (word_of E) o ++ remove_one a w)))] O)
    (code_options c a).

(** H18 and H19 for one heap. *)
Definition diagram_word_ok (c : code) (d : diagram) (F : refutations) (h : nat) : bool :=
  let E := letters_of d in
  let w := word_of E h in
  let W := counts_of E w in
  let M := moves c E h in
  (negb (length w =? 0) || existsb (fun v => said_eqb (claimed_of d v) SaysP) M) &&
  forallb (fun v => refuted d F false [(BeP, plus d W); (NotBeN, plus d v)] []) M &&
  forallb (calls_ok c d F w M) (filter (has w) (letters E)).

(** Each word has a list of cases of its own, which need not be kept when it has been checked. *)
Definition diagram_words_ok (c : code) (d : diagram) (W : nat -> refutations) : bool :=
  forallb (fun e => let F := W (fst e) in
    refutations_ok d F && diagram_word_ok c d F (fst e)) (diagram_words d).

(** ** Facts *)

Section Moves.

Variable c : code.
Variable n : nat.
Variable d : diagram.
Local Notation E := (letters_of d).
Hypothesis E_ok : evidence_ok c n E = true.
Hypothesis d_ok : diagram_ok d = true.
Hypothesis A_ok : automaton_ok (diagram_reader d) = true.

Local Notation G := (game_of_code c).
Local Notation A := (diagram_reader d).
Local Notation D := (counted d).
Local Notation read_as := (reading (word_of E)).
Local Notation all := (letters E).
Local Notation counts_in z := (vector (counts_of E z)).

Lemma counted_length : length D = digits A.
Proof. apply (evidence_parts c n E E_ok). Qed.

Lemma letters_split : all = ordinary d ++ D.
Proof. unfold letters. now rewrite ordinary_heaps. Qed.

Lemma counts_map z : counts_in z = map (fun h => count h z) all.
Proof. unfold vector, counts_of, letters. simpl. now rewrite map_app. Qed.

Lemma plus_map w : plus d (counts_of E w) = Place (root d) (map (fun h => S (count h w)) all).
Proof. unfold plus. now rewrite counts_map, map_map. Qed.

Lemma moved_map h w y : moved d h (counts_of E w) (counts_of E y) = Place (root d)
  (map (fun g => (if g =? h then 0 else 1) + (count g w + count g y)) all).
Proof. unfold moved. now rewrite !counts_map, !sums_map. Qed.

Lemma counts_length z : length (counts_in z) = levels d + digits A.
Proof.
  rewrite counts_map, map_length, letters_split, app_length, counted_length. reflexivity.
Qed.

Lemma displaced_good f : good_runner d (levels d) (Place (root d) (map f all)).
Proof.
  split; [auto|]. split; simpl.
  - rewrite Nat.sub_diag. now apply root_arrived.
  - rewrite map_length, letters_split, app_length, counted_length. reflexivity.
Qed.

Lemma plus_good w : good_runner d (levels d) (plus d (counts_of E w)).
Proof. rewrite plus_map. apply displaced_good. Qed.

Lemma moved_good h w y : good_runner d (levels d) (moved d h (counts_of E w) (counts_of E y)).
Proof. rewrite moved_map. apply displaced_good. Qed.

(** *** What is said of displaced counts *)

Lemma said_walk (f g : nat -> nat) m u : forall L q, length L <= levels d ->
  (forall h, In h L -> 1 <= g h + f h) ->
  said_ahead d (length L) (map g L ++ m) (Place q (map f L ++ u)) =
  said_of A m (Place (walk d (levels d - length L) q (map (fun h => Nat.pred (g h + f h)) L)) u).
Proof.
  induction L as [|h L IH]; intros q Le P; [reflexivity|]. simpl. unfold step_count. simpl.
  pose proof (P h (or_introl eq_refl)) as Ph. destruct (Nat.eqb_spec (g h + f h) 0); [lia|].
  simpl in Le. rewrite IH; [|lia|intros; apply P; now right].
  now replace (levels d - length L) with (S (levels d - S (length L))) by lia.
Qed.

Lemma said_walk_only (f g : nat -> nat) m u s : forall L q,
  said_ahead d (length L) (map g L ++ m) (Place q (map f L ++ u)) = Some s ->
  (forall h, In h L -> 1 <= g h + f h) /\ exists q', said_of A m (Place q' u) = Some s.
Proof.
  induction L as [|h L IH]; intros q; simpl; [intros Q; split; [intros h []|eauto]|].
  unfold step_count. simpl. destruct (Nat.eqb_spec (g h + f h) 0); [discriminate|].
  intros Q. destruct (IH _ Q) as [I1 I2]. split; auto. intros b [<-|I]; [lia|auto].
Qed.

Lemma said_displaced z y f : (forall h, letter E h -> count h z + f h = S (count h y)) ->
  said_ahead d (levels d) (counts_in z) (Place (root d) (map f all)) = Some (claims d y).
Proof.
  intros H. rewrite counts_map. unfold letter in H. rewrite letters_split in *.
  rewrite !map_app. unfold levels at 1.
  rewrite said_walk; [|auto|intros h I; rewrite H; [lia|apply in_app_iff; auto]].
  change (map (fun h => count h z) D) with (digits_of E z).
  change A with (reader E). change D with (digit_heaps E) in *. rewrite (said_at E).
  - unfold claims, claimed_of, counts_of. simpl. rewrite ordinary_heaps. do 2 f_equal.
    + unfold levels. rewrite Nat.sub_diag. f_equal. apply map_ext_in.
      intros h I. rewrite H; [auto|apply in_app_iff; auto].
    + apply map_ext_in. intros h I. rewrite H; [auto|apply in_app_iff; auto].
  - intros h I. rewrite H; [lia|apply in_app_iff; auto].
Qed.

Lemma displaced_only_if z f s :
  said_ahead d (levels d) (counts_in z) (Place (root d) (map f all)) = Some s ->
  forall h, letter E h -> 1 <= count h z + f h.
Proof.
  rewrite counts_map. unfold letter. rewrite letters_split. rewrite !map_app. unfold levels at 1.
  intros Q. apply said_walk_only in Q as (P1 & q & Q).
  change (map (fun h => count h z) D) with (digits_of E z) in Q.
  change A with (reader E) in Q. change D with (digit_heaps E) in *.
  intros h I. apply in_app_iff in I as [I|I]; auto.
  exact (said_only_if E z q f s Q h I).
Qed.

Lemma said_plus z w :
  said_ahead d (levels d) (counts_in z) (plus d (counts_of E w)) = Some (claims d (w ++ z)).
Proof. rewrite plus_map. apply said_displaced. intros h _. rewrite count_app. lia. Qed.

(** A move in a letter. *)
Lemma said_moved z w a z' o : letter E a -> Permutation (w ++ z) (a :: z') -> In o (opts G a) ->
  said_ahead d (levels d) (counts_in z)
    (moved d a (counts_of E w) (counts_of E (read_as o))) = Some (claims d (read_as o ++ z')).
Proof.
  intros La Pm Io. rewrite moved_map. apply said_displaced. intros h _.
  pose proof (count_permutation h _ _ Pm) as Cn. rewrite count_app in *. simpl in Cn.
  rewrite (Nat.eqb_sym h a). destruct (a =? h); lia.
Qed.

(** H3 at work: a letter that is not there cannot be moved in. *)
Lemma letter_is_there z w a o s : letter E a -> In o (opts G a) ->
  said_ahead d (levels d) (counts_in z)
    (moved d a (counts_of E w) (counts_of E (read_as o))) = Some s -> In a (w ++ z).
Proof.
  intros La Io Q. rewrite moved_map in Q. pose proof (displaced_only_if _ _ _ Q a La) as P.
  simpl in P. rewrite Nat.eqb_refl, (own_letter_gone c n E E_ok a o La Io) in P.
  apply count_positive. rewrite count_app. lia.
Qed.

(** *** Cases that are refuted *)

Lemma met_of_all_zero z : all_zero (counts_in z) = true -> forall h, letter E h -> count h z = 0.
Proof.
  rewrite counts_map. unfold all_zero. rewrite forallb_forall. intros H h I.
  apply Nat.eqb_eq, H, in_map_iff. exists h. auto.
Qed.

Lemma refuted_unmet F more L O z : refutations_ok d F = true -> refuted d F more L O = true ->
  Forall (fun e => good_runner d (levels d) (snd e)) L -> Forall (good_runner d (levels d)) O ->
  (more = true -> exists h, letter E h /\ In h z) ->
  forallb (fun e => meets (fst e) (said_ahead d (levels d) (counts_in z) (snd e))) L = true ->
  exists p, In p O /\ said_ahead d (levels d) (counts_in z) p = Some SaysP.
Proof.
  intros F_ok R GL GO Po ML. unfold refuted in R.
  apply (settled_unmet d d_ok A_ok F F_ok) with (m := counts_in z) in R.
  - unfold met_if in R.
    assert (Z : more && all_zero (counts_in z) = false).
    { destruct more; [|auto]. simpl. destruct (all_zero (counts_in z)) eqn:Z; [exfalso|auto].
      destruct (Po eq_refl) as (h & Lh & Ih). apply count_positive in Ih.
      rewrite (met_of_all_zero z Z h Lh) in Ih. lia. }
    rewrite Z in R. simpl in R.
    assert (ML' : forallb (fun e => meets (fst e) (said_if d (levels d) (counts_in z) (snd e)))
      (map (fun e => (fst e, Some (snd e))) L) = true).
    { rewrite forallb_forall in *. intros e I. apply in_map_iff in I as (e' & <- & I).
      now apply ML. }
    rewrite ML' in R. simpl in R. clear - R. induction O as [|p O IH]; simpl in *; [discriminate|].
    apply andb_false_iff in R as [R|R].
    + exists p. split; auto. apply negb_false_iff in R.
      destruct (said_ahead d (levels d) (counts_in z) p) as [[]|]; simpl in R; auto; discriminate.
    + destruct (IH R) as (q & I & Q). eauto.
  - apply counts_length.
  - apply Forall_map. exact GL.
  - apply Forall_map. exact GO.
Qed.

Lemma not_N_claim v : not_N (Some v) = false -> v = SaysN.
Proof. destruct v; simpl; auto; discriminate. Qed.

Lemma all_moves_good w H : Forall (good_runner d (levels d)) (all_moves c d (counts_of E w) H).
Proof.
  apply Forall_forall. intros p I. apply in_flat_map in I as (h & _ & I).
  apply in_map_iff in I as (v & <- & I). apply moves_in in I as (o & _ & <-). apply moved_good.
Qed.

(** A winning move among those in letters of [w] and [z]. *)
Lemma all_moves_win w z H : incl H all -> forall p, In p (all_moves c d (counts_of E w) H) ->
  said_ahead d (levels d) (counts_in z) p = Some SaysP ->
  exists a z' o, In a H /\ Permutation (w ++ z) (a :: z') /\ letter E a /\ In o (opts G a) /\
    claims d (read_as o ++ z') = SaysP.
Proof.
  intros Hl p I Q. apply in_flat_map in I as (a & Ia & I). apply in_map_iff in I as (v & <- & I).
  apply moves_in in I as (o & Io & <-). pose proof (Hl a Ia) as La.
  pose proof (letter_is_there z w a o _ La Io Q) as Iz. apply in_front in Iz as (z' & Pm).
  exists a, z', o. repeat split; auto.
  rewrite (said_moved z w a z' o La Pm Io) in Q. congruence.
Qed.

(** ** H16 and H17 *)

Section Letters.

Variable F : refutations.
Hypothesis F_ok : refutations_ok d F = true.
Hypothesis L_ok : diagram_letters_ok c d F = true.

Lemma letters_parts : claims d [] = SaysN /\ (forall h, letter E h -> letter_P_ok c d F h = true) /\
  letters_N_ok c d F = true.
Proof.
  unfold diagram_letters_ok in L_ok. rewrite !andb_split in L_ok. destruct L_ok as [[Z P] N].
  rewrite forallb_forall in P. split; [now apply said_eqb_eq|]. split; auto.
Qed.

Theorem diagram_letters_P a z : letter E a -> letters_only (letter E) z ->
  claims d (a :: z) = SaysP -> forall o, In o (opts G a) -> claims d (read_as o ++ z) = SaysN.
Proof.
  intros La Lz Q o Io. destruct letters_parts as (_ & P & _). specialize (P a La).
  unfold letter_P_ok in P. cbv zeta in P. rewrite forallb_forall in P.
  specialize (P (counts_of E (read_as o)) ltac:(apply moves_in; eauto)).
  destruct (not_N (Some (claims d (read_as o ++ z)))) eqn:N; [exfalso|now apply not_N_claim].
  unfold no_counts in P. destruct (refuted_unmet F _ _ _ (a :: z) F_ok P) as (p & [] & _).
  - constructor; [apply plus_good|]. constructor; [apply moved_good|constructor].
  - constructor.
  - discriminate.
  - cbn [forallb fst snd meets]. rewrite said_plus, (said_moved (a :: z) [] a z o); auto.
    simpl app. rewrite Q, N. reflexivity.
Qed.

Theorem diagram_letters_N z : letters_only (letter E) z -> z <> [] -> claims d z = SaysN ->
  exists a z' o, Permutation z (a :: z') /\ letter E a /\ In o (opts G a) /\
    claims d (read_as o ++ z') = SaysP.
Proof.
  intros Lz Nz Q. destruct letters_parts as (_ & _ & N). unfold letters_N_ok, no_counts in N.
  cbv zeta in N. destruct (refuted_unmet F _ _ _ z F_ok N) as (p & I & S).
  - constructor; [apply plus_good|constructor].
  - apply all_moves_good.
  - intros _. destruct z as [|h z]; [congruence|]. inversion Lz; subst. exists h. split; auto.
    now left.
  - cbn [forallb fst snd meets]. rewrite said_plus. simpl app. now rewrite Q.
  - destruct (all_moves_win [] z all (incl_refl _) p I S) as (a & z' & o & _ & Pm & La & Io & P).
    exists a, z', o. auto.
Qed.

End Letters.

(** ** H18 and H19 *)

Variable cases : nat -> refutations.
Hypothesis W_ok : diagram_words_ok c d cases = true.

Lemma word_checked h : spoken E h -> ~ letter E h ->
  refutations_ok d (cases h) = true /\ diagram_word_ok c d (cases h) h = true.
Proof.
  intros S N. unfold spoken in S. apply in_app_iff in S as [S|S]; [contradiction|].
  apply in_map_iff in S as (e & <- & I). unfold diagram_words_ok in W_ok.
  rewrite forallb_forall in W_ok. specialize (W_ok e I). cbv zeta in W_ok.
  now apply andb_split in W_ok.
Qed.

Theorem diagram_words_S h z : spoken E h -> ~ letter E h -> claims d (word_of E h ++ z) = SaysP ->
  forall o, In o (opts G h) -> claims d (read_as o ++ z) = SaysN.
Proof.
  intros S N Q o Io. destruct (word_checked h S N) as [F_ok W]. unfold diagram_word_ok in W.
  cbv zeta in W. rewrite !andb_split in W. destruct W as [[_ P] _]. rewrite forallb_forall in P.
  specialize (P (counts_of E (read_as o)) ltac:(apply moves_in; eauto)).
  destruct (not_N (Some (claims d (read_as o ++ z)))) eqn:NN; [exfalso|now apply not_N_claim].
  destruct (refuted_unmet _ _ _ _ z F_ok P) as (p & [] & _).
  - constructor; [apply plus_good|]. constructor; [apply plus_good|constructor].
  - constructor.
  - discriminate.
  - cbn [forallb fst snd meets]. rewrite !said_plus, Q, NN. reflexivity.
Qed.

Theorem diagram_words_C h z a w o : spoken E h -> ~ letter E h ->
  claims d (word_of E h ++ z) = SaysN ->
  Permutation (word_of E h) (a :: w) -> In o (opts G a) ->
  claims d (read_as o ++ w ++ z) = SaysP ->
  (exists o', In o' (opts G h) /\ claims d (read_as o' ++ z) = SaysP) \/
  (exists b z' o', Permutation (word_of E h ++ z) (b :: z') /\ letter E b /\
    rank_of d b < rank_of d a /\ In o' (opts G b) /\ claims d (read_as o' ++ z') = SaysP).
Proof.
  intros S N Q Pm Io P. destruct (word_checked h S N) as [F_ok W]. unfold diagram_word_ok in W.
  cbv zeta in W. rewrite !andb_split in W. destruct W as [_ W]. rewrite forallb_forall in W.
  assert (Ia : In a (word_of E h)) by (eapply Permutation_in; [symmetry; exact Pm|now left]).
  assert (La : letter E a).
  { pose proof (word_of_letters c n E E_ok h S) as WL. rewrite Forall_forall in WL. auto. }
  specialize (W a ltac:(apply filter_In; split; [exact La|now apply has_in])).
  unfold calls_ok in W. cbv zeta in W. rewrite forallb_forall in W. specialize (W o Io).
  destruct (refuted_unmet _ _ _ _ z F_ok W) as (p & I & Sp).
  - constructor; [apply plus_good|]. constructor; [apply plus_good|constructor].
  - apply Forall_app. split; [|apply all_moves_good]. apply Forall_map, Forall_forall.
    intros v Iv. apply moves_in in Iv as (o' & _ & <-). apply plus_good.
  - discriminate.
  - cbn [forallb fst snd meets]. rewrite !said_plus, Q.
    rewrite (claims_permutation d _ (read_as o ++ w ++ z)); [now rewrite P|].
    rewrite <- app_assoc. apply Permutation_app_head, Permutation_app_tail.
    apply (Permutation_cons_inv (a := a)). now rewrite <- remove_one_permutation.
  - apply in_app_iff in I as [I|I].
    + left. apply in_map_iff in I as (v & <- & I). apply moves_in in I as (o' & Io' & <-).
      exists o'. split; auto. rewrite said_plus in Sp. congruence.
    + right. apply all_moves_win with (z := z) in I; auto.
      * destruct I as (b & z' & o' & Ib & Pb & Lb & Iob & Cb). apply filter_In in Ib as [_ R].
        apply Nat.ltb_lt in R. exists b, z', o'. auto 10.
      * intros b Ib. now apply filter_In in Ib.
Qed.

Theorem diagram_words_E h : spoken E h -> ~ letter E h -> word_of E h = [] ->
  exists o, In o (opts G h) /\ claims d (read_as o) = SaysP.
Proof.
  intros S N W. destruct (word_checked h S N) as [_ C]. unfold diagram_word_ok in C. cbv zeta in C.
  rewrite !andb_split in C. destruct C as [[C _] _]. rewrite W in C. simpl in C.
  apply existsb_exists in C as (v & Iv & Q). apply said_eqb_eq in Q.
  apply moves_in in Iv as (o & Io & <-). exists o. auto.
Qed.

End Moves.
