(** What the theorems rest on. Each line below has to print "Closed under the global context": no
    axiom, and nothing admitted. `make proofs` counts the answers. *)

From Misere Require Import Games Codes Prediction Monoid Needs Pairs Heaps Images Finite Periods
  Lists Normal Tame Statements Example.

Print Assumptions plays_end.
Print Assumptions outcomes_exclusive.
Print Assumptions outcomes_decided.
Print Assumptions Ppos_permutation.
Print Assumptions Ppos_dead.
Print Assumptions predicting_is_quotient.
Print Assumptions quotients_isomorphic.
Print Assumptions code_options_spec.
Print Assumptions finite_outcomes.
Print Assumptions finite_quotient.
Print Assumptions solved_outcomes.
Print Assumptions solved_quotient.
Print Assumptions phi_all_repeats.
Print Assumptions period_least.
Print Assumptions construction_quotient.
Print Assumptions construction_games.
Print Assumptions normal_exclusive.
Print Assumptions normal_decided.
Print Assumptions nim_sum_zero.
Print Assumptions tame_outcomes.
Print Assumptions accepted_to_heap.
Print Assumptions accepted_solved.
Print Assumptions accepted_tame.
Print Assumptions accepted_construction.
Print Assumptions accepted_partials.
Print Assumptions quotient_of_three.

From Misere Require Import InfiniteLetters InfiniteReading InfiniteSearch Infinite.

Print Assumptions claims_hold.
Print Assumptions letters_hold.
Print Assumptions letters_told_apart.
Print Assumptions distinct_multiples_infinite.
Print Assumptions listed_holds.
Print Assumptions options_smaller_letters.
Print Assumptions infinite_outcomes.
Print Assumptions infinite_multiples.
Print Assumptions infinite_quotient.
Print Assumptions infinite_to_n.

From Misere Require Import InfiniteCases InfiniteDiagramMoves InfiniteByDiagram.

Print Assumptions settled_unmet.
Print Assumptions letter_is_there.
Print Assumptions diagram_outcomes.
Print Assumptions diagram_multiples.
Print Assumptions diagram_quotient.
Print Assumptions diagram_to_n.

From Misere Require Import Repetition AllHeaps AllHeapsWords AllHeapsByColumns AllHeapsByDiagram.

Print Assumptions repetition_least.
Print Assumptions low_heaps_distinguish.
Print Assumptions quotient_is_of_low_heaps.
Print Assumptions low_quotient_is_of_all_heaps.
Print Assumptions letters_decide_all_heaps.
Print Assumptions columns_decide_all_heaps.
Print Assumptions columns_multiples.
Print Assumptions columns_to_n.
Print Assumptions diagram_decides_all_heaps.
Print Assumptions diagram_multiples_to_n.
Print Assumptions diagram_to_low_heap.

From Misere Require Import LawCases Laws LawSymbols LawMoves LawReplies SolvedByLaw LawInfinite.

Print Assumptions settled_holds.
Print Assumptions judged_permutation.
Print Assumptions no_P_to_P.
Print Assumptions N_has_P.
Print Assumptions law_decides.
Print Assumptions law_decides_free.
Print Assumptions law_decides_not_free.
Print Assumptions law_multiples.
Print Assumptions law_quotient_infinite.

From Misere Require Import Words NormalWords Degrees InfiniteEquality InfiniteApart
  InfinitePresentation InfinitePortion InfiniteLeast Presented.

Print Assumptions alike_claims.
Print Assumptions families_apart.
Print Assumptions hilbert_accepted.
Print Assumptions normal_words_accepted.
Print Assumptions same_number_accepted.
Print Assumptions reduced_accepted.
Print Assumptions accepted_presentation.
Print Assumptions presented_quotient.
Print Assumptions accepted_portion.
Print Assumptions accepted_infinite.
Print Assumptions accepted_equal.
Print Assumptions accepted_different.
Print Assumptions accepted_least.

From Misere Require Import Automata AutomatonSplits AutomatonMoves AutomatonReplies
  AutomatonSchemes SolvedByAutomaton AutomatonInfinite.

Print Assumptions D3_to_D5_decide.
Print Assumptions AutomatonMoves.no_P_to_P.
Print Assumptions graph_holds.
Print Assumptions AutomatonSchemes.N_has_P.
Print Assumptions terminal_N.
Print Assumptions automaton_decides.
Print Assumptions distinct_heaps_infinite.
Print Assumptions automaton_heaps_differ.
Print Assumptions automaton_quotient_infinite.
