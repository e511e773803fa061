(** The proved functions on evidence as OCaml, with the realisations of [Extract] and these: halves,
    the lowest bit, and the remainder of a division, by those of machine integers.

    Numbers are also multiplied by the slope or the modulus of a law, at most 16, and by the length
    of a word, at most 40,000. *)

From Coq Require Import Extraction Arith.
From Misere Require Import Extract Infinite InfiniteColumns InfiniteWords InfiniteMultiples
  InfiniteByDiagram AllHeapsWords AllHeapsByColumns AllHeapsByDiagram SolvedByLaw LawInfinite
  InfinitePresentation InfinitePortion InfiniteLeast Words NormalWords Degrees.

Extract Inlined Constant Init.Nat.div2 => "(fun (a : int) -> a lsr 1)".
Extract Inlined Constant Init.Nat.odd => "(fun (a : int) -> a land 1 = 1)".
Extract Inlined Constant Init.Nat.pred => "(fun (a : int) -> if a = 0 then 0 else a - 1)".
Extract Inlined Constant Init.Nat.modulo => "(fun (a : int) b -> if b = 0 then a else a mod b)".
Extract Inlined Constant PeanoNat.Nat.div2 => "(fun (a : int) -> a lsr 1)".
Extract Inlined Constant PeanoNat.Nat.odd => "(fun (a : int) -> a land 1 = 1)".
Extract Inlined Constant PeanoNat.Nat.pred => "(fun (a : int) -> if a = 0 then 0 else a - 1)".
Extract Inlined Constant PeanoNat.Nat.modulo =>
  "(fun (a : int) b -> if b = 0 then a else a mod b)".

Extraction "proved_infinite.ml" infinite_ok infinite_by_diagram_ok columns_of_all_heaps_ok
  diagram_of_all_heaps_ok law_ok law_infinite_ok whole_ok equal_ok different_ok least_ok
  presentation_ok portion_ok hilbert_ok normal_words_ok same_number_from reduced_from.
