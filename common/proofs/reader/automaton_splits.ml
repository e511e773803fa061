(* The configurations in which a position and an option of it are read side by side (D4, D5): all
   that follow from the first one, by the proved function that says what follows. *)

open! Proved_automata

type t = {
  configurations : config Closure.t;
  unwanted : (int, unit) Hashtbl.t;  (* the nodes of ends that are not allowed *)
}

(* The most configurations of one list. *)
let most = 3_000_000

let to_proved found bound cycle =
  { configs = found.configurations.count; config_at = Closure.item found.configurations;
    place_of = (fun x ->
        try Closure.find found.configurations x with Not_found -> found.configurations.count);
    step_bound = bound; step_cycle = cycle }

(* The list for a bound and a cycle of numbers of steps. With [at_once] the search ends at the first
   end that is not allowed. *)
let search code automaton watcher rule allowed ~at_once bound cycle =
  let found =
    { configurations = Closure.make "configurations" most; unwanted = Hashtbl.create 17 } in
  let numbers = to_proved found bound cycle in
  let node = function Before (_, v) | Between (_, _, v, _) | After (_, v, _) | End (v, _) -> v in
  let is_dull x = watcher.dull (node x) in
  let note x = match x with
    | End (v, y) when not (allowed v y) -> Hashtbl.replace found.unwanted v ()
    | _ -> () in
  let first = Before (0, 0) in
  if not (is_dull first) then ignore (Closure.number found.configurations first);
  let at = ref 0 in
  while !at < found.configurations.count && not (at_once && Hashtbl.length found.unwanted > 0) do
    let x = Closure.item found.configurations !at in
    note x;
    List.iter (fun x -> if not (is_dull x) then ignore (Closure.number found.configurations x))
      (next_configs code automaton watcher rule numbers x);
    incr at
  done;
  found
