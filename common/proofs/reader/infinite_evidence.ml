(* Evidence that a quotient is infinite, as its document says (docs/certificate.md, "family"),
   passed to the proved part. One state is added to the automaton: nothing is said from it on, and
   what begins in no column begins in it. *)

open Certificate
open! Proved_infinite

(* The same bounds as those of `misere verify`: they bound the work, and nothing else. *)
let most_digits = 4  (* if the evidence is listed by columns *)
let most_states = 65_536
let most_columns = 65_536
let most_letters = 64
let most_words = 1_000
let most_count = 200
let most_options = 200_000

type t = {
  evidence : evidence;
  distinct : int list;
  after : int array array;  (* by states and bits *)
  says : said array;
}

let bounded what most list =
  if List.length list > most then
    refuse "the evidence has %d %s, more than the %d that are read" (List.length list) what most;
  list

let small what n =
  if n > most_count then refuse "%s of the evidence is more than %d" what most_count;
  n

type letter = Digits of int | Cycle of cycle

let letter document =
  let open Json in
  let heap = int "heap" (field "heap" document) in
  match field "count" document with
  | Text "digits" -> Digits heap
  | count ->
    let cycle = field "cycle" count in
    Cycle { cycle_heap = heap;
            index = small "an index" (int "index" (field "index" cycle));
            period = small "a period" (int "period" (field "period" cycle)) }

(* No heap is listed twice in a word, so a word is not long, and no sum of counts overflows. *)
let word document =
  let open Json in
  let power entry = match list "word" entry with
    | [ heap; count ] -> (int "heap" heap, small "a count" (int "count" count))
    | _ -> refuse "a word of the evidence has an entry that is no pair" in
  let powers = List.map power (list "word" (field "word" document)) in
  let rec twice = function
    | g :: (h :: _ as rest) -> if g = h then Some g else twice rest
    | _ -> None in
  Option.iter (refuse "a word of the evidence lists heap %d twice")
    (twice (List.sort compare (List.map fst powers)));
  (int "heap" (field "heap" document),
   List.concat_map (fun (heap, count) -> List.init count (fun _ -> heap)) powers)

let state digits states document =
  let open Json in
  let says = match field "outcome" document with
    | Text "N" -> SaysN
    | Text "P" -> SaysP
    | Null -> Nothing
    | _ -> refuse "an outcome of the evidence is not N, P or null" in
  let after = ints "next" (field "next" document) in
  if Array.length after <> 1 lsl digits || Array.exists (fun q -> q >= states) after then
    refuse "a state of the evidence has wrong next states";
  (says, after)

(* How many ways there are to write [r] as a sum of [k] positive numbers, or a bound for it. *)
let compositions k r =
  match k with
  | 0 -> if r = 0 then 1 else 0
  | _ ->
    let rec product n i =
      if i >= k then n else product (min most_options (n * (r - i) / i)) (i + 1) in
    if r < k then 0 else product 1 1

let options digits h =
  let of_digit j d =
    if j > h then 0
    else List.fold_left (fun n k ->
        if Values.allows digits j k then n + compositions k (h - j) else n)
        0 (List.init (Values.log2 (max d 1) + 1) Fun.id) in
  List.fold_left (+) 0 (List.mapi of_digit digits)

(* A part of the evidence that is a list. *)
let part document name most =
  let open Json in
  bounded name most (list name (field name document))

(* The heaps spoken of, in bounds: their sizes, and how many options they have. *)
let bound_heaps code heaps all =
  List.iter (fun h -> if h > heaps then refuse "the evidence speaks of heap %d" h) all;
  if List.fold_left (fun n h -> n + options code h) 0 all > most_options then
    refuse "the heaps of the evidence have more options than are read"

let rec ascending = function
  | g :: (h :: _ as rest) -> g < h && ascending rest
  | _ -> true

(* H1, as far as it is about the order: each heap is listed once, as a letter or with a word. *)
let demand_listed_once letters words =
  let heaps = List.map fst words in
  if not (ascending letters && ascending heaps) then
    refuse "the heaps of the evidence are not listed in ascending order";
  let is_both h = List.mem h letters in
  Option.iter (refuse "heap %d of the evidence is a letter and has a word")
    (List.find_opt is_both heaps)

(* H11, as far as it is about the order. *)
let distinct_multiples document =
  let open Json in
  let distinct = Array.to_list (ints "distinct_multiples" (field "distinct_multiples" document)) in
  if not (ascending distinct) then
    refuse "the heaps whose multiples differ are not listed in ascending order";
  distinct

(* The greatest heap M of the quotient that is proved infinite: the greatest letter, or the heap [n]
   at which the game is said to diverge. *)
let infinite_to n letters = List.fold_left max n letters

let letter_heaps document =
  let heap_of = function Digits h -> h | Cycle c -> c.cycle_heap in
  List.map (fun entry -> heap_of (letter entry)) (part document "letters" most_letters)

let read code heaps document =
  let open Json in
  let part = part document in
  let letters = List.map letter (part "letters" most_letters) in
  let words = List.map word (part "words" most_words) in
  let cycles = List.filter_map (function Cycle c -> Some c | Digits _ -> None) letters in
  let digit_heaps = List.filter_map (function Digits h -> Some h | Cycle _ -> None) letters in
  let digits = List.length (bounded "digits" most_digits digit_heaps) in
  let heap_of = function Digits h -> h | Cycle c -> c.cycle_heap in
  demand_listed_once (List.map heap_of letters) words;
  let all = List.map (fun c -> c.cycle_heap) cycles @ digit_heaps @ List.map fst words in
  bound_heaps code heaps all;
  let states = part "states" most_states in
  let count = List.length states in
  let states = List.map (state digits count) states in
  let after = Array.of_list (List.map snd states @ [ Array.make (1 lsl digits) count ]) in
  let says = Array.of_list (List.map fst states @ [ Nothing ]) in
  let columns = part "columns" most_columns in
  let column c =
    let counts = ints "counts" (field "counts" c) and state = int "state" (field "state" c) in
    let counts = Array.to_list counts in
    let low a x = x < a.index + a.period in
    if List.compare_lengths cycles counts <> 0 || not (List.for_all2 low cycles counts)
       || state >= count then
      refuse "a column of the evidence has wrong counts or no state";
    (counts, state) in
  let columns = Array.of_list (List.map column columns) in
  let place_of = Hashtbl.create (2 * Array.length columns) in
  Array.iteri (fun i (counts, _) ->
      let key = Digest.string (Marshal.to_string counts []) in
      if Hashtbl.mem place_of key then refuse "a column of the evidence is listed twice";
      Hashtbl.add place_of key i)
    columns;
  let find counts =
    match Hashtbl.find_opt place_of (Digest.string (Marshal.to_string counts [])) with
    | Some i -> i
    | None -> Table.absent in
  let distinct = distinct_multiples document in
  { evidence =
      { cycles; digit_heaps; words;
        reader = { digits; states = count + 1;
                   next = (fun q b -> after.(q).(b)); says = (fun q -> says.(q)) };
        sink = count; columns = Array.length columns;
        column_at = (fun i -> fst columns.(i)); column_state = (fun i -> snd columns.(i));
        find_column = find };
    distinct; after; says }
