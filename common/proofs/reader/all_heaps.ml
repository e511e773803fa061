(* The words of all heaps past an infinite quotient, as their document says (docs/certificate.md,
   "all heaps"), passed to the proved part. B1 to B7 are the hypotheses of docs/beyond.md. *)

open Certificate
open! Proved_infinite

type t = {
  words : (int * int list) list;  (* of heaps that the evidence does not cover *)
  last : int;  (* the greatest heap that is a letter or has a word *)
  period : int;
  preperiod : int;
}

(* Words beyond this heap are not read: heaps without a word are dead, and few are. *)
let most_heaps = 2 * Infinite_evidence.most_words

(* The words, and B2 as far as no word of another heap matters. [spoken]: the heaps that the
   evidence itself covers. *)
let read code spoken document =
  let open Json in
  let words = List.map Infinite_evidence.word
      (Infinite_evidence.part document "words" Infinite_evidence.most_words) in
  let heaps = List.map fst words in
  if not (Infinite_evidence.ascending heaps) then
    refuse "the words of all heaps are not listed in ascending order";
  List.iter (fun h ->
      if List.mem h spoken then
        refuse "heap %d has a word among those of all heaps, but the evidence speaks of it" h)
    heaps;
  let all = List.sort compare (heaps @ spoken) in
  let last = List.fold_left max 0 all in
  let rec covered h all =
    match all with
    | g :: rest when g = h -> covered (h + 1) rest
    | _ :: _ when Infinite_evidence.options code h > 0 ->
      refuse "heap %d has neither a word nor is it a letter" h
    | _ :: _ ->
      if h > most_heaps then refuse "the words of all heaps reach further than heap %d" most_heaps;
      covered (h + 1) all
    | [] -> () in
  covered 1 all;
  if last > most_heaps then refuse "the words of all heaps reach further than heap %d" most_heaps;
  Infinite_evidence.bound_heaps code last all;
  { words; last; period = int "period" (field "period" document);
    preperiod = int "preperiod" (field "preperiod" document) }

(* Why words may not be said to repeat: B4, B5 and B6. *)
let demand_repetition code e { last; period; preperiod; _ } =
  let same = same_words e in
  if period = 0 then refuse "the period of the words of all heaps is 0";
  let needed =
    max 2 (most_parts code) * (max 1 preperiod + period) + List.length code - 2 in
  if needed > last then
    refuse "the words of all heaps reach to heap %d; to prove a period of %d from heap %d on, they \
            would have to reach to heap %d" last period preperiod needed;
  for h = preperiod to last - period do
    if not (same (h + period) h) then
      refuse "the word of heap %d is not that of heap %d" (h + period) h
  done;
  if not (least_repetition same period preperiod) then
    refuse "the words of all heaps repeat with a smaller period or from a smaller heap on"

(* The states that are reached from some states. *)
let reached after starts =
  let reach = Array.make (Array.length after) false in
  let rec go = function
    | [] -> ()
    | q :: rest when reach.(q) -> go rest
    | q :: rest ->
      reach.(q) <- true;
      go (List.rev_append (Array.to_list after.(q)) rest) in
  go starts;
  reach

let repetition { last; period; preperiod; _ } reach =
  { last_word = last; word_period = period; word_preperiod = preperiod;
    talks = (fun q -> reach.(q)) }

let accepted n { period; preperiod; _ } =
  Printf.sprintf
    "; every position of all heaps is decided by heaps 0 to %d; the words have period %d from heap \
     %d on" n period preperiod
