(* Evidence that a quotient is infinite in the form of a diagram, as its document says
   (docs/certificate.md, "diagram"), passed to the proved part. *)

open Certificate
open! Proved_infinite

(* The same bounds as those of `misere verify`: they bound the work, and nothing else. *)
let most_digits = 6
let most_letters = 200
let most_nodes = 1 lsl 20
let most_children = 1 lsl 22

type t = {
  diagram : diagram;
  distinct : int list;
  after : int array array;  (* by states and bits *)
  says : said array;
  children : int array array;  (* of the nodes *)
  starts : (int * int list) list;
}

type node = { at : int; cycle : cycle; leads_to : int array }

let list_of_heaps document name most =
  Array.to_list (Json.ints name (Json.field name document)) |> Infinite_evidence.bounded name most

let place_among list =
  let places = Hashtbl.create 97 in
  List.iteri (fun i h -> Hashtbl.replace places h i) list;
  fun h -> Hashtbl.find_opt places h

(* H15 for the node [number]; the places before it are known by their levels. *)
let node level_of states levels place number document =
  let open Json in
  let letter = int "letter" (field "letter" document) in
  let index = int "index" (field "index" document) in
  let leads_to = ints "children" (field "children" document) in
  let at = match place letter with
    | Some at -> at
    | None ->
      refuse "node %d of the evidence belongs to heap %d, which is a digit or no letter" number
        letter in
  if index >= Array.length leads_to then
    refuse "node %d of the evidence has no child for the counts from its index on" number;
  Array.iter (fun q ->
      let below = if q < states then levels
        else if q < states + number then level_of.(q - states) else -1 in
      if below <= at then
        refuse "node %d of the evidence leads to what is no state and no earlier node of a smaller \
                letter" number)
    leads_to;
  level_of.(number) <- at;
  { at; cycle = { cycle_heap = letter; index; period = Array.length leads_to - index }; leads_to }

(* For each state that is reached from the root, counts that lead to it. *)
let starts_of nodes states levels root =
  let way = Array.make (states + Array.length nodes) None in
  way.(root) <- Some [];
  for number = Array.length nodes - 1 downto 0 do
    match way.(states + number) with
    | None -> ()
    | Some before ->
      let { at; leads_to; _ } = nodes.(number) in
      Array.iteri (fun x q -> if way.(q) = None then way.(q) <- Some ((at, x) :: before)) leads_to
  done;
  let counts before =
    List.init levels (fun at -> Option.value ~default:0 (List.assoc_opt at before)) in
  List.filter_map (fun q -> Option.map (fun before -> (q, counts before)) way.(q))
    (List.init states Fun.id)

let letter_heaps document = list_of_heaps document "letters" most_letters

let read code heaps document =
  let part = Infinite_evidence.part document and ascending = Infinite_evidence.ascending in
  let letters = list_of_heaps document "letters" most_letters in
  let counted = list_of_heaps document "digits" most_digits in
  let words = List.map Infinite_evidence.word (part "words" Infinite_evidence.most_words) in
  Infinite_evidence.demand_listed_once letters words;
  Infinite_evidence.bound_heaps code heaps (letters @ List.map fst words);
  let are_letters = List.for_all (fun h -> List.mem h letters) in
  if not (ascending counted && are_letters counted) then
    refuse "the digits of the evidence are not letters in ascending order";
  let ordinary = List.rev (List.filter (fun h -> not (List.mem h counted)) letters) in
  let order =
    if Json.has "order" document then list_of_heaps document "order" most_letters else [] in
  let rank = place_among order in
  if List.length order <> List.length (List.sort_uniq compare order)
     || not (are_letters order) then
    refuse "the order of the evidence does not name letters, each at most once";
  let states = part "states" Infinite_evidence.most_states in
  let count = List.length states in
  let states = List.map (Infinite_evidence.state (List.length counted) count) states in
  let after = Array.of_list (List.map snd states) and says = Array.of_list (List.map fst states) in
  let nodes = part "nodes" most_nodes in
  let levels = List.length ordinary in
  let level_of = Array.make (List.length nodes) 0 in
  let nodes =
    Array.of_list (List.mapi (node level_of count levels (place_among ordinary)) nodes) in
  if Array.fold_left (fun n node -> n + Array.length node.leads_to) 0 nodes > most_children then
    refuse "the nodes of the evidence have more children than are read";
  let root = Json.int "root" (Json.field "root" document) in
  if root >= count + Array.length nodes then refuse "the root of the evidence is no place";
  { diagram =
      { ordinary; counted; diagram_words = words;
        diagram_reader = { digits = List.length counted; states = count;
                           next = (fun q b -> after.(q).(b)); says = (fun q -> says.(q)) };
        places = count + Array.length nodes;
        level = (fun p -> nodes.(p - count).at);
        cycle_at = (fun p -> nodes.(p - count).cycle);
        child = (fun p x -> nodes.(p - count).leads_to.(x));
        root;
        rank_of = (fun h -> Option.value ~default:(List.length order) (rank h)) };
    distinct = Infinite_evidence.distinct_multiples document; after; says;
    children = Array.map (fun node -> node.leads_to) nodes;
    starts = starts_of nodes count levels root }
