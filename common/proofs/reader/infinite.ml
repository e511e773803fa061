(* Evidence that a quotient is infinite: searched through, and judged by the proved part. *)

open Certificate
open! Proved_infinite

(* Accepted, with what acceptance says, or refused with the first part of the check that fails. *)
let judge code n document =
  let read = Infinite_evidence.read code n document in
  let e = read.evidence in
  let demand ok why = if not ok then refuse "%s" why in
  demand (evidence_ok code n e)
    "the evidence is not well formed: a heap is dead, too large or listed twice, a move leaves a heap \
     of which nothing is said, a word has a letter that is not smaller than its heap, or a cycle has \
     the index 0";
  demand (automaton_ok e.reader) "the outcome of a state of the evidence is another after one more zero";
  let search = Infinite_configurations.search code read in
  let distinct = List.map (fun g -> (g, Infinite_pairs.search read g)) read.distinct in
  demand (infinite_ok code n { claim_evidence = e; claim_search = search; claim_distinct = distinct })
    "the evidence is not proved: the end is not said to be an N-position, a heap with an empty word \
     has no winning move, or no heap is named";
  Printf.sprintf "the misère quotient of heaps 0 to %d is infinite; all multiples of heap %s differ" n
    (String.concat " and of heap " (List.map string_of_int read.distinct))
