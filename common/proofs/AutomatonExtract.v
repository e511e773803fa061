(** The proved functions on automata as OCaml, with the realisations of [Extract] and of
    [InfiniteExtract]. *)

From Coq Require Import Extraction Arith.
From Misere Require Import Extract InfiniteExtract Codes AutomatonSplits AutomatonMoves
  AutomatonReplies AutomatonSchemes SolvedByAutomaton AutomatonInfinite.

Extraction "proved_automata.ml" automaton_ok automaton_infinite_ok terminal_ok large_heaps_ok
  is_dead allows kinds dead_sizes first_situation heap_situation step_situation is_open is_wanted
  scheme_watcher self_watcher next_configs.
