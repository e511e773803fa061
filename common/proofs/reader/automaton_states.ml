(* The states of an automaton that solves a game: pairs of states, the states of positions without a
   move (D3), and heaps that tell states apart (D6). All of it is searched for, and then checked by
   the proved part. *)

type t = {
  code : int list;
  states : int;
  heap : int array;
  step : int array;
  is_p : bool array;
}

let to_proved m =
  { Proved_automata.after_heap = (fun s -> m.heap.(s)); after_step = (fun s -> m.step.(s));
    is_P_state = (fun s -> m.is_p.(s)) }

type sign = Heap | Step

let after m = function Heap -> m.heap | Step -> m.step

let states_before m =
  let before sign =
    let list = Array.make m.states [] in
    Array.iteri (fun s next -> list.(next) <- s :: list.(next)) (after m sign);
    list in
  [ (Heap, before Heap); (Step, before Step) ]

(* The pairs of states from which the same signs lead to a pair that is wanted, each with the sign
   that comes first, by a shortest way. *)
type pairs = (sign option) option array array

let leading_to m is_wanted : pairs =
  let found = Array.make_matrix m.states m.states None in
  let waiting = Queue.create () in
  let add x y first =
    if found.(x).(y) = None then begin
      found.(x).(y) <- Some first;
      Queue.add (x, y) waiting
    end in
  for x = 0 to m.states - 1 do
    for y = 0 to m.states - 1 do
      if is_wanted x y then add x y None
    done
  done;
  let before = states_before m in
  while not (Queue.is_empty waiting) do
    let x, y = Queue.pop waiting in
    List.iter (fun (sign, before) ->
        List.iter (fun x' -> List.iter (fun y' -> add x' y' (Some sign)) before.(y)) before.(x))
      before
  done;
  found

let leads (pairs : pairs) x y = pairs.(x).(y) <> None

(* The numbers of heaps at the present size and at the following ones that lead from a pair to one
   that is wanted. *)
let way m (pairs : pairs) x y =
  let rec go x y heaps =
    match pairs.(x).(y) with
    | None -> None
    | Some None -> Some [ heaps ]
    | Some (Some Heap) -> go m.heap.(x) m.heap.(y) (heaps + 1)
    | Some (Some Step) ->
      Option.map (fun rest -> heaps :: rest) (go m.step.(x) m.step.(y) 0) in
  go x y 0

(* After how many signs of one kind the states repeat, and with which period. *)
let settles next from =
  let met = Array.make (Array.length next) (-1) in
  let rec go s signs =
    if met.(s) >= 0 then (met.(s), signs - met.(s))
    else begin
      met.(s) <- signs;
      go next.(s) (signs + 1)
    end in
  go from 0

let rec steps m count s = if count = 0 then s else steps m (count - 1) m.step.(s)

(* The states of all positions whose heaps are up to a size and for which [may_be_read] holds: the
   states of each size from 1 on, after the heaps of that size. *)
let by_size m may_be_read =
  let close size set =
    let rec go s = if not set.(s) then begin
        set.(s) <- true;
        if may_be_read size then go m.heap.(s)
      end in
    go in
  let first = Array.make m.states false in
  close 1 first 0;
  let next size set =
    let following = Array.make m.states false in
    Array.iteri (fun s is_in -> if is_in then close (size + 1) following m.step.(s)) set;
    following in
  (first, next)

(* D3: the states of positions without a move, by size. *)
let ends m is_dead =
  let first, next = by_size m is_dead in
  let sets = Array.make (List.length m.code) first in
  for n = 1 to Array.length sets - 1 do
    sets.(n) <- next n sets.(n - 1)
  done;
  fun n s -> sets.(n).(s)

(* The sets of states by size repeat: from which size on, counted from 0, and with which period. *)
let sizes_repeat m =
  let first, next = by_size m (fun _ -> true) in
  let known = Hashtbl.create 97 in
  let key set = String.init m.states (fun s -> if set.(s) then '1' else '0') in
  let rec go n set =
    match Hashtbl.find_opt known (key set) with
    | Some earlier -> (earlier, n - earlier)
    | None ->
      Hashtbl.add known (key set) n;
      go (n + 1) (next (n + 1) set) in
  go 0 first

(* D6: a heap whose class has infinitely many different values, if there is one. *)
let infinite m =
  let settled, period = settles m.step 0 in
  let told_apart = leading_to m (fun x y -> m.is_p.(x) <> m.is_p.(y)) in
  let claim size =
    let x = m.heap.(steps m (size - 1) 0) in
    (* The states after one period, two periods, …, until they repeat. *)
    let met = Hashtbl.create 97 in
    let rec go k s ways =
      let s = steps m period s in
      match way m told_apart x s with
      | None -> None
      | Some way ->
        let ways = way :: ways in
        match Hashtbl.find_opt met s with
        | Some earlier ->
          let ways = Array.of_list (List.rev ways) in
          Some { Proved_automata.first_heap = size; heap_period = period; last_repeat = k;
                 repeat_from = earlier; tell_apart = (fun k -> ways.(k - 1)) }
        | None ->
          Hashtbl.add met s k;
          go (k + 1) s ways in
    go 1 x [] in
  List.find_map claim (List.init period (fun i -> settled + 1 + i))
