(* Replies that split a heap into two large parts (D5): schemes that decide the open situations. *)

open! Proved_automata

type t = {
  code : int list;
  automaton : automaton;
  is_p : bool array;
  graph : reply_graph;
  before : int list array;  (* from which situations each one is reached *)
  bound : int;
  cycle : int;
  mutable work : int;  (* the number of configurations examined *)
}

exception Too_much_work

(* The most configurations that are examined for one graph. *)
let most_work = 4_000_000

let make (m : Automaton_states.t) graph bound cycle =
  let before = Array.make graph.situations [] in
  for v = graph.situations - 1 downto 0 do
    List.iter (fun next -> if next < graph.situations then before.(next) <- v :: before.(next))
      [ graph.heap_to v; graph.step_to v ]
  done;
  { code = m.code; automaton = Automaton_states.to_proved m; is_p = m.is_p; graph; before; bound;
    cycle; work = 0 }

(* The greatest difference of two parts that are almost halves. *)
let most_difference = 2

(* The situations from which none of these ends is reached. *)
let dull s ends =
  let is_dull = Array.make s.graph.situations true in
  let todo = Stack.create () in
  let add v = if is_dull.(v) then begin
      is_dull.(v) <- false;
      Stack.push v todo
    end in
  List.iter add ends;
  while not (Stack.is_empty todo) do
    List.iter add s.before.(Stack.pop todo)
  done;
  fun v -> is_dull.(v)

(* A scheme without its lists, for these ends. *)
let empty s cl kind ends =
  let none = { configs = 0; config_at = (fun _ -> Before (0, 0)); place_of = (fun _ -> 0);
               step_bound = s.bound; step_cycle = s.cycle } in
  let nowhere _ = false in
  { scheme_class = cl; kind_of_scheme = kind; scheme_dull = dull s ends; first_search = none;
    second_search = none; has_none = nowhere; has_present = nowhere; has_smaller = nowhere }

type heaps_read = No_heap | Present_heap | Smaller_heap

(* Adds the situations of positions that lack the heaps of the scheme. *)
let with_lacking s scheme =
  let graph = s.graph in
  let two = match scheme.kind_of_scheme with Beside_equal _ -> true | Halves _ -> false in
  let met = Hashtbl.create 997 and todo = Stack.create () in
  let add kind v =
    if v < graph.situations && not (scheme.scheme_dull v || Hashtbl.mem met (kind, v)) then begin
      Hashtbl.add met (kind, v) ();
      Stack.push (kind, v) todo
    end in
  add No_heap 0;
  while not (Stack.is_empty todo) do
    let kind, v = Stack.pop todo in
    let heap = graph.heap_to v and step = graph.step_to v in
    match kind with
    | No_heap ->
      add No_heap step;
      if not (is_wanted graph scheme v) then add No_heap heap
      else if two then add Present_heap heap
    | Present_heap -> add Present_heap heap; add Smaller_heap step
    | Smaller_heap ->
      add Smaller_heap step;
      if not (is_wanted graph scheme v) then add Smaller_heap heap
  done;
  let met kind v = Hashtbl.mem met (kind, v) in
  { scheme with has_none = met No_heap; has_present = met Present_heap;
                has_smaller = met Smaller_heap }

let lacks scheme v = scheme.has_none v || scheme.has_present v || scheme.has_smaller v

let split s scheme ends rule =
  let asked = Hashtbl.create 97 in
  List.iter (fun v -> Hashtbl.replace asked v ()) ends;
  let allowed v y = s.is_p.(y) || not (Hashtbl.mem asked v) in
  let found =
    Automaton_splits.search s.code s.automaton (scheme_watcher s.graph scheme) rule allowed
      ~at_once:false s.bound s.cycle in
  s.work <- s.work + found.configurations.count;
  if s.work > most_work then raise Too_much_work;
  found

let rules scheme =
  let cl = scheme.scheme_class in
  match scheme.kind_of_scheme with
  | Beside_equal t -> (Beside_smaller (t, cl), Beside_greater (t, cl))
  | Halves (t, d, t', d', _) -> (In_halves (t, cl, d), In_halves (t', cl, d'))

(* The scheme with its lists, for ends that it decides. *)
let complete s cl kind ends =
  let scheme = with_lacking s (empty s cl kind ends) in
  let first, second = rules scheme in
  let list rule =
    Automaton_splits.to_proved (split s scheme ends rule) s.bound s.cycle in
  { scheme with first_search = list first; second_search = list second }

(* The ends that a scheme decides, of these. [unwanted rule] are the ends in which an option of the
   rule may be an N-position. *)
let decided scheme ends unwanted =
  match List.filter (fun v -> not (lacks scheme v)) ends with
  | [] -> []
  | ends ->
    let first, second = rules scheme in
    let without rule ends =
      if ends = [] then []
      else
        let unwanted = unwanted rule in
        List.filter (fun v -> not (Hashtbl.mem unwanted v)) ends in
    without second (without first ends)

(* All kinds of schemes: beside an equal heap, and in halves. *)
let kinds s =
  let digits = List.filter (fun t -> allows s.code t 2)
      (List.init (List.length s.code) Fun.id) in
  let differences = List.init (most_difference + 1) Fun.id in
  let pairs = List.concat_map (fun t -> List.map (fun d -> (t, d)) differences) digits in
  let odd, even = List.partition (fun (t, d) -> (t + d) land 1 = 1) pairs in
  (* Smaller heaps need not have such an option. *)
  let least = List.length s.code + most_difference + 1 in
  let beside = List.filter_map (fun t ->
      if t < s.graph.size_period then Some (Beside_equal t) else None) digits in
  let halves = List.concat_map (fun (t, d) ->
      List.map (fun (t', d') -> Halves (t, d, t', d', least)) odd) even in
  List.filter (( <> ) []) [ beside; halves ]

(* Adds schemes of one class that decide some of the ends that are left. *)
let try_class s (found, left) (cl, lacking, kinds) =
  let known = Hashtbl.create 17 in
  let unwanted scheme rule =
    match Hashtbl.find_opt known rule with
    | Some unwanted -> unwanted
    | None ->
      let unwanted = (split s scheme left rule).Automaton_splits.unwanted in
      Hashtbl.add known rule unwanted;
      unwanted in
  let asked = empty s cl (List.hd kinds) left in
  let try_kind (found, left) kind =
    let scheme = { lacking with kind_of_scheme = kind } in
    match decided scheme left (unwanted asked) with
    | [] -> (found, left)
    | ends ->
      ((complete s cl kind ends, ends) :: found,
       List.filter (fun v -> not (List.mem v ends)) left) in
  List.fold_left try_kind (found, left) kinds

type answer =
  | Decided of reply_schemes
  | Undecided
  | Hopeless  (* for some end no scheme finds its heaps, or there is too much work *)

(* Schemes that decide all of these ends. *)
let search s opens =
  let classes = List.concat_map (fun cl ->
      List.map (fun kinds -> (cl, with_lacking s (empty s cl (List.hd kinds) opens), kinds))
        (kinds s))
      (List.init s.graph.size_period Fun.id) in
  let is_lost v = List.for_all (fun (_, lacking, _) -> lacks lacking v) classes in
  if List.exists is_lost opens then Hopeless
  else
    match List.fold_left (try_class s) ([], opens) classes with
    | exception Too_much_work -> Hopeless
    | _, _ :: _ -> Undecided
    | found, [] ->
      let found = Array.of_list (List.rev found) in
      let of_end = Hashtbl.create 97 in
      Array.iteri (fun k (_, ends) -> List.iter (fun v -> Hashtbl.replace of_end v k) ends) found;
      Decided
        { schemes = Array.length found; scheme_at = (fun k -> fst found.(k));
          scheme_of = (fun v -> Option.value ~default:0 (Hashtbl.find_opt of_end v)) }
