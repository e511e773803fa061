(* Tuples of numbers that represent all tuples, for the statements on a law. The proved part tests
   that they do. *)

open Certificate
open! Proved_infinite

(* More tuples than this are not searched for. *)
let most_tuples = 200_000

type t = {
  slope : int;
  places : (int * form list * int, int) Hashtbl.t;  (* by width, forms and bound *)
  mutable found : cover list;  (* the last one first *)
  mutable count : int;
}

let empty slope = { slope; places = Hashtbl.create 97; found = []; count = 0 }

let coefficient along k = Option.value ~default:0 (List.nth_opt along k)

(* The difference of two terms, as a form. *)
let form_of n t t' =
  let difference k = coefficient t'.along k - coefficient t.along k in
  (List.init n (fun k -> max 0 (difference k)), List.init n (fun k -> max 0 (- difference k)))

(* The forms of a statement, and the bound at which its comparisons are settled. *)
let demands slope n statement =
  let forms = ref [] and bound = ref 1 in
  let rec go = function
    | Constant _ -> ()
    | Less (t, t') ->
      let form = form_of n t t' in
      if not (List.mem form !forms) then forms := form :: !forms;
      let above = t.constant - t'.constant in
      let enough = if above >= 0 then above / slope + 1 else (slope - 1 - above) / slope in
      bound := max !bound enough
    | If (e, yes, no) -> go e; go yes; go no in
  go statement;
  let sum = List.fold_left ( + ) 0 in
  List.iter (fun (p, q) -> bound := max !bound (max (sum p) (sum q))) !forms;
  (n, List.sort compare !forms, !bound)

(* All tuples of digits, as numbers to the base 2 with the first digit as the highest one. *)
let place_of_digits = List.fold_left (fun k d -> 2 * k + d) 0

let search (n, forms, bound) =
  let places = Hashtbl.create 997 in
  let tuples = ref [] and count = ref 0 and waiting = Queue.create () in
  let place x =
    let key = cut forms bound x in
    match Hashtbl.find_opt places key with
    | Some i -> i
    | None ->
      let i = !count in
      if i >= most_tuples then refuse "the law needs more than %d tuples of periods" most_tuples;
      (* The proved part multiplies these numbers by the slope, and adds a few of them. *)
      if List.exists (fun n -> n > Json.greatest) x then refuse "a number of periods is too large";
      Hashtbl.add places key i;
      tuples := x :: !tuples;
      incr count;
      Queue.add x waiting;
      i in
  ignore (place (List.init n (fun _ -> 0)));
  let nexts = ref [] in
  let all_digits = List.sort compare (binary_digits n) in
  while not (Queue.is_empty waiting) do
    let twice = double (Queue.pop waiting) in
    nexts := Array.of_list (List.map (fun d -> place (vadd twice d)) all_digits) :: !nexts
  done;
  let tuples = Array.of_list (List.rev !tuples) and nexts = Array.of_list (List.rev !nexts) in
  { width = n; forms; bound; cover_size = !count; tuple = (fun i -> tuples.(i));
    following = (fun i d -> nexts.(i).(place_of_digits d)) }

(* The place of the cover of a statement; it is searched for if need be. *)
let find covers n statement =
  let key = demands covers.slope n statement in
  match Hashtbl.find_opt covers.places key with
  | Some k -> k
  | None ->
    let k = covers.count in
    covers.found <- search key :: covers.found;
    covers.count <- k + 1;
    Hashtbl.add covers.places key k;
    k

let cover covers k = List.nth covers.found (covers.count - 1 - k)
