(** An example in Coq alone: the game 0.3, without extraction and without OCaml.

    In 0.3 a player takes one bean, of a heap of 1 or of a larger one. Heaps behave like the number
    of their beans modulo 2, and the misère quotient has two elements. The example shows that the
    checker accepts something, and that the definitions say what they should of small positions. *)

From Coq Require Import List Arith Bool.
From Misere Require Import Games Codes Monoid Needs Heaps Images Finite Periods Statements.
Import ListNotations.

(** d_0 = 0 and d_1 = 3. *)
Definition three : code := [0; 3].

Example options_of_three :
  map (code_options three) [0; 1; 2; 3] = [[]; [[]]; [[1]]; [[2]]].
Proof. reflexivity. Qed.

(** The player to move from the empty position has won; a heap of 1 is a P-position; and from a heap
    of 2 there is a move to it. *)
Example empty_N : Npos (game_of_code three) [].
Proof. constructor 1. intros Y. apply no_move_nil. Qed.

Example one_P : Ppos (game_of_code three) [1].
Proof.
  constructor; [exists []; now apply move_of_heap; left|].
  intros Y M. apply move_of_heap in M as [<-|[]]. exact empty_N.
Qed.

Example two_N : Npos (game_of_code three) [2].
Proof. constructor 2 with [1]; [apply move_of_heap; now left|exact one_P]. Qed.

Definition parity (h : nat) : nat := if Nat.even h then 0 else 1.

Definition swap (x : nat) : nat := 1 - x.

(** The claim to heap 6, with what a search would add. No heap fails in any company, and so there
    are no kinds. *)
Definition claim_of_three : claim := {|
  claim_tables := {| order := 2; generators := 1; row := fun _ => swap; portion := Nat.eqb 1;
    before := fun _ => 0; step := fun _ => 0; depth := fun x => x; kept := fun _ => false;
    kept_row := fun x _ => x |};
  claim_tests := Test 0 (Found 1) (Found 0);
  claim_needs := {| kinds := 0; kind_val := fun _ => 0; need := fun _ _ => false;
    low := fun _ => 0; factors := fun _ _ => 0; factor := fun _ _ _ => 0;
    factor_place := fun _ _ => 0; states := 0; taken := fun _ => 0; to_come := fun _ => 0;
    last_kind := fun _ => 0; state_of := fun _ _ => 0 |};
  claim_heaps := {| last_heap := 6; phi := parity;
    image_of := fun h => {| count := Nat.min h 1; elem := fun _ => swap (parity h);
      place := fun _ => 0 |};
    same_as := fun h => h; word_of := fun _ => []; heap_of := fun _ => 1 |};
  claim_splits := {| sums := fun _ _ => Listing 0 (fun _ => 0) (fun _ => 0);
    split := fun _ _ _ => 0; split_rest := fun _ _ _ => 0; from_taken := fun _ _ => 1;
    from_parts := fun h _ => Nat.min 1 (h - 1); from_place := fun _ _ => 0 |} |}.

Example three_accepted : finite_ok three claim_of_three = true.
Proof. vm_compute. reflexivity. Qed.

Example three_repeats : period_ok three (claim_heaps claim_of_three) 2 0 = true.
Proof. vm_compute. reflexivity. Qed.

(** No other period is accepted, and no other code with the same tables. *)
Example refused : period_ok three (claim_heaps claim_of_three) 1 0 = false /\
  period_ok three (claim_heaps claim_of_three) 2 1 = false /\
  finite_ok [0; 7] claim_of_three = false.
Proof. vm_compute. auto. Qed.

(** The misère quotient of 0.3, of all heaps, has two elements. *)
Theorem quotient_of_three : exists (Q : bipartite_monoid) phi number,
  is_misere_quotient (game_of_code three) all_heaps Q phi /\
  presents (claim_tables claim_of_three) Q number /\
  has_values 6 parity Q number phi /\
  (forall h, phi (h + 2) = phi h).
Proof.
  destruct (accepted_solved three claim_of_three 2 0 three_accepted three_repeats) as
    (Q & f & number & A & B & C & D & _).
  exists Q, f, number. split; [exact A|]. split; [exact B|]. split; [exact C|].
  intros h. apply D. apply Nat.le_0_l.
Qed.
