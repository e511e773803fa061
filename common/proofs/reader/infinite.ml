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

(* H10 or H19 for a heap. *)
let demand_winning_move code e claimed h =
  let wins = List.exists (fun d -> claimed d = SaysP) (moves code e h) in
  if word_of e h = [] && not wins then
    refuse "heap %d, whose word is empty, has no move to a P-position in the evidence" h

(* The conditions that both forms of evidence have. *)
let demand_alphabet code n e =
  List.iter (demand_heap code n e) (letters e @ List.map fst e.words)

let demand_outcomes reader at_the_end =
  demand (automaton_ok reader)
    "the outcome of a state of the evidence is another after one more zero";
  demand (at_the_end = SaysN) "the empty position is not said to be an N-position in the evidence"

let demand_heaps distinct =
  demand (distinct <> []) "the evidence names no heap whose multiples differ"

let accepted n distinct =
  Printf.sprintf
    "the misère quotient of heaps 0 to %d is infinite; all multiples of heap %s differ" n
    (String.concat " and of heap " (List.map string_of_int distinct))

(* For each state in which some column begins the counts of a column. *)
let starts_of_columns e =
  let starts = Hashtbl.create 97 in
  for i = e.columns - 1 downto 0 do
    Hashtbl.replace starts (e.column_state i) (e.column_at i)
  done;
  List.of_seq (Hashtbl.to_seq starts)

(* The words of all heaps, if there are any: B2, and B4 to B6. [e] is evidence without them, and
   [extend] adds them. *)
let demand_words code e extend document =
  Option.map (fun document ->
      let words = All_heaps.read code (letters e @ List.map fst e.words) document in
      let all = extend words.All_heaps.words in
      demand_alphabet code words.last all;
      All_heaps.demand_repetition code all words;
      words)
    document

(* B7 *)
let demand_talks ok = demand ok "the evidence says nothing of some position"

(* Accepted, with what acceptance says, or refused with the first part of the check that fails. The
   last demand is the proved function; all others only find words for a refusal. [document] is the
   evidence, and [all_heaps] the document of the words of all heaps, if there are any. [n] is the heap
   at which the game is said to diverge; what is proved infinite is the quotient to the greatest
   letter, if that is greater. *)
let judge_columns code n document all_heaps =
  let n = Infinite_evidence.infinite_to n (Infinite_evidence.letter_heaps document) in
  let read = Infinite_evidence.read code n document in
  let e = read.evidence in
  demand_alphabet code n e;
  demand (evidence_ok code n e) "a cycle of the evidence has the index 0";
  demand_outcomes e.reader (v e []);
  let extend words = { e with words = e.words @ words } in
  let words = demand_words code e extend all_heaps in
  let read = match words with
    | None -> read
    | Some { words; _ } -> { read with evidence = extend words } in
  let e = read.evidence in
  let search = Infinite_configurations.search code read in
  List.iter (fun (h, _) -> demand_winning_move code e (claimed e) h) e.words;
  demand_heaps read.distinct;
  let starts = starts_of_columns e in
  let pairs_for = Infinite_pairs.search
      { digit_heaps = e.digit_heaps; after = read.after; says = read.says; starts } in
  let distinct = List.map (fun g -> (g, pairs_for g)) read.distinct in
  let claim = { claim_evidence = e; claim_search = search; claim_distinct = distinct } in
  match words with
  | None ->
    demand (infinite_ok code n claim) "the evidence is not proved";
    accepted n read.distinct
  | Some words ->
    let r = All_heaps.repetition words (All_heaps.reached read.after (List.map fst starts)) in
    demand_talks (talks_ok e.reader r.talks
                  && all_read_counts e.cycles (fun v -> r.talks (start e v)));
    demand (columns_of_all_heaps_ok code n claim r) "the words of all heaps are not proved";
    accepted n read.distinct ^ All_heaps.accepted n words

(* What is claimed by a diagram, with what the search adds. The proved function asks for the cases of
   one word after the other, and then for the pairs of one heap after the other, so that no more than
   these are kept. *)
let claim_of_diagram code read =
  let d = read.Infinite_diagram.diagram in
  let e = letters_of d in
  let letter_cases = Infinite_cases.of_letters code read in
  List.iter (fun (h, _) -> demand_winning_move code e (claimed_of d) h) e.words;
  demand_heaps read.distinct;
  let pairs_for = Infinite_pairs.search
      { digit_heaps = d.counted; after = read.after; says = read.says; starts = read.starts } in
  let word_cases = Infinite_cases.of_word code read in
  { claim_diagram = d; letter_cases; word_cases; distinct_heaps = read.distinct; pairs_for }

(* The conditions on a diagram that come before those on its outcomes. *)
let demand_diagram code n (d : diagram) =
  demand_alphabet code n (letters_of d);
  demand_outcomes d.diagram_reader (claims d [])

(* The same for a diagram. *)
let judge_diagram code n document all_heaps =
  let n = Infinite_evidence.infinite_to n (Infinite_diagram.letter_heaps document) in
  let read = Infinite_diagram.read code n document in
  let d = read.diagram in
  let e = letters_of d in
  demand_diagram code n d;
  let extend words = { d with diagram_words = d.diagram_words @ words } in
  let words = demand_words code e (fun words -> letters_of (extend words)) all_heaps in
  let read = match words with
    | None -> read
    | Some { words; _ } -> { read with diagram = extend words } in
  let claim = claim_of_diagram code read in
  let d = claim.claim_diagram in
  match words with
  | None ->
    demand (infinite_by_diagram_ok code n claim) "the evidence is not proved";
    accepted n read.distinct
  | Some words ->
    let places = Array.append read.after read.children in
    let r = All_heaps.repetition words (All_heaps.reached places [ d.root ]) in
    demand_talks (talks_ok d.diagram_reader r.talks && nodes_talk d r.talks && r.talks d.root);
    demand (diagram_of_all_heaps_ok code n claim r) "the words of all heaps are not proved";
    accepted n read.distinct ^ All_heaps.accepted n words
