(* The situations of an automaton (D5): what a reader of a position remembers of replies that leave
   a small part. They are found by the proved functions that say what follows a situation, and made
   fewer: an option is forgotten if another one is a P-position whenever it is. *)

open! Proved_automata
open Certificate

type t = {
  machine : Automaton_states.t;
  greatest : int;
  cap : int;
  windows : int list;  (* the lengths of the lists of options whose heap is still to come *)
  keys : string Closure.t;
  to_heap : int array;
  to_step : int array;
  reached_from : (int * Automaton_states.sign) array;
  both_n : Automaton_states.pairs;
}

(* The mark of a state that there is not. *)
let none = 0xFFFF

let pack x =
  let entry = function Some s -> s | None -> none in
  let numbers =
    x.sit_state :: Bool.to_int x.can_move :: x.sit_size ::
    List.map entry (x.with_part @ List.concat x.pending) @ x.made in
  let key = Bytes.create (2 * List.length numbers) in
  List.iteri (fun i n -> Bytes.set_uint16_le key (2 * i) n) numbers;
  Bytes.unsafe_to_string key

let number key i = Char.code key.[2 * i] lor (Char.code key.[2 * i + 1] lsl 8)

let unpack greatest windows key =
  let entry i = match number key i with n when n = none -> None | n -> Some n in
  let entries from count = List.init count (fun i -> entry (from + i)) in
  let rec lists from = function
    | [] -> ([], from)
    | window :: rest ->
      let later, last = lists (from + window) rest in
      (entries from window :: later, last) in
  let pending, last = lists (greatest + 4) windows in
  { sit_state = number key 0; can_move = number key 1 = 1; sit_size = number key 2;
    with_part = entries 3 (greatest + 1); pending;
    made = List.init (String.length key / 2 - last) (fun i -> number key (last + i)) }

let situation s v = unpack s.greatest s.windows (Closure.item s.keys v)
let count s = Array.length s.to_heap

(* The situations with small parts up to a size. *)
let search (m : Automaton_states.t) greatest =
  let open Automaton_states in
  let automaton = to_proved m in
  let both_n = leading_to m (fun x y -> not m.is_p.(x) && not m.is_p.(y)) in
  let only_second = leading_to m (fun x y -> not m.is_p.(x) && m.is_p.(y)) in
  let hopeful = leading_to m (fun x y -> x = y && m.is_p.(x)) in
  let covers other option = not (leads only_second other option) in
  let that_matter made =
    let made = List.filter (fun o -> leads hopeful o o) (List.sort_uniq compare made) in
    let is_needless o = List.exists (fun other ->
        other <> o && covers other o && (not (covers o other) || other < o)) made in
    List.filter (fun o -> not (is_needless o)) made in
  let cap = max greatest (List.length m.code + 2) + 2 in
  let kinds = kinds m.code greatest in
  let dead = dead_sizes m.code cap in
  let windows = List.map (fun (part, taken) -> part + taken) kinds in
  let keys = Closure.make "situations" 300_000 in
  let reached_from = ref [] and to_heap = ref [] and to_step = ref [] in
  ignore (Closure.number keys (pack (first_situation greatest kinds)));
  reached_from := [ (0, Step) ];
  (* Nothing follows if some option is P whenever the position is N. *)
  let target from sign x =
    if List.exists (fun o -> not (leads both_n x.sit_state o)) x.made then -1
    else begin
      let before = keys.count in
      let v = Closure.number keys (pack { x with made = that_matter x.made }) in
      if keys.count > before then reached_from := (from, sign) :: !reached_from;
      v
    end in
  let at = ref 0 in
  while !at < keys.count do
    let x = unpack greatest windows (Closure.item keys !at) in
    to_heap := target !at Heap (heap_situation m.code automaton cap dead x) :: !to_heap;
    to_step := target !at Step (step_situation automaton cap greatest kinds x) :: !to_step;
    incr at
  done;
  let in_order list = Array.of_list (List.rev list) in
  { machine = m; greatest; cap; windows; keys; to_heap = in_order !to_heap;
    to_step = in_order !to_step; reached_from = in_order !reached_from; both_n }

(* Where a situation leads; its own number if there are none. *)
let follows s next v = if next.(v) < 0 then count s else next.(v)

let to_proved s period residue =
  { situations = count s; sit_at = situation s; heap_to = follows s s.to_heap;
    step_to = follows s s.to_step;
    sit_class = (fun v -> residue.(number (Closure.item s.keys v) 0)); size_period = period;
    greatest_part = s.greatest; size_cap = s.cap;
    never_N = (fun x y -> not (Automaton_states.leads s.both_n x y)) }

(* A position that leads to a situation. *)
let position s v =
  let rec signs v known =
    if v = 0 then known
    else
      let from, sign = s.reached_from.(v) in
      signs from (sign :: known) in
  let add (size, heaps) = function
    | Automaton_states.Heap -> (size, size :: heaps)
    | Automaton_states.Step -> (size + 1, heaps) in
  let _, heaps = List.fold_left add (1, []) (signs v []) in
  String.concat " + " (List.rev_map string_of_int heaps)

let refuse_at s v =
  refuse "the automaton says N of %s, and no option is found of which it says P (D5)"
    (position s v)
