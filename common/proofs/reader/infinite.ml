(* Evidence that a quotient is infinite: searched through, and judged by the proved part. *)

open Certificate
open! Proved_infinite

let demand ok why = if not ok then refuse "%s" why

(* Why a heap may not be spoken of like this: H1, H2 and H3 of docs/infinite.md. *)
let demand_heap code n e h =
  if not (heap_ok code n e h) then begin
    if code_options code h = [] then refuse "heap %d of the evidence is dead" h;
    List.iter (fun a ->
        if a >= h && not (has (letters e) h) then
          refuse "the word of heap %d contains heap %d; the letters of a word have to be smaller \
                  than its heap" h a;
        if not (has (letters e) a) then
          refuse "the word of heap %d contains heap %d, which is no letter" h a)
      (word_of e h);
    refuse "a move in heap %d leaves a heap of which the evidence says nothing" h
  end

(* H10 for a heap. *)
let demand_winning_move code e h =
  let wins = List.exists (fun d -> claimed e d = SaysP) (moves code e h) in
  if word_of e h = [] && not wins then
    refuse "heap %d, whose word is empty, has no move to a P-position in the evidence" h

(* Accepted, with what acceptance says, or refused with the first part of the check that fails. The
   last line of the check is the proved function; all others only find words for a refusal. *)
let judge code n document =
  let read = Infinite_evidence.read code n document in
  let e = read.evidence in
  demand (all_different (letters e)) "the evidence lists a letter twice";
  List.iter (demand_heap code n e) (letters e @ List.map fst e.words);
  demand (evidence_ok code n e) "a cycle of the evidence has the index 0";
  demand (automaton_ok e.reader)
    "the outcome of a state of the evidence is another after one more zero";
  demand (v e [] = SaysN) "the empty position is not said to be an N-position in the evidence";
  let search = Infinite_configurations.search code read in
  List.iter (fun (h, _) -> demand_winning_move code e h) e.words;
  demand (read.distinct <> []) "the evidence names no heap whose multiples differ";
  let distinct = List.map (fun g -> (g, Infinite_pairs.search read g)) read.distinct in
  let claim = { claim_evidence = e; claim_search = search; claim_distinct = distinct } in
  demand (infinite_ok code n claim) "the evidence is not proved";
  Printf.sprintf
    "the misère quotient of heaps 0 to %d is infinite; all multiples of heap %s differ" n
    (String.concat " and of heap " (List.map string_of_int read.distinct))
