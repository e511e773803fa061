(* The untrusted search for the values of options: for each heap the listing of its option values,
   and the listings of the values of [k] heaps with [r] beans from which they come. *)

open Certificate

type listing = {
  elems : int array;
  places : (int, int) Hashtbl.t;
  from : (int * int * int) array;
}

type t = {
  sums : listing array array;  (* by the number of parts, from 2 on, and by beans *)
  images : listing array;
}

(* Collects different elements, each with where it was found first. *)
module Collector = struct
  let seen = ref [||]
  let stamp = ref 0

  let start order =
    if Array.length !seen <> order then begin
      seen := Array.make order 0;
      stamp := 0
    end;
    incr stamp;
    ref []

  let add found value from =
    if !seen.(value) <> !stamp then begin
      !seen.(value) <- !stamp;
      found := (value, from) :: !found
    end

  let finish found =
    let all = Array.of_list !found in
    Array.sort compare all;
    let elems = Array.map fst all in
    let places = Hashtbl.create (Array.length elems) in
    Array.iteri (fun i e -> Hashtbl.replace places e i) elems;
    { elems; places; from = Array.map snd all }
end

let allows digits j k =
  match List.nth_opt digits j with
  | Some d -> d lsr k land 1 = 1 && (j > 0 || k >= 2)
  | None -> false

let log2 d =
  let rec go d n = if d <= 1 then n else go (d lsr 1) (n + 1) in
  go d 0

let most_parts digits = List.fold_left (fun k d -> max k (log2 d)) 0 digits

(* The values of [k] heaps with [r] beans, as the proved part counts them. *)
let sum_count t k r =
  match k with
  | 0 -> if r = 0 then 1 else 0
  | 1 -> if r = 0 then 0 else 1
  | _ -> Array.length t.(k).(r).elems

let sum_elem t phi k r i =
  match k with
  | 0 -> 0
  | 1 -> phi.(r)
  | _ -> t.(k).(r).elems.(i)

let of_code (c : Certificate.t) (table : Table.t) digits =
  let phi = c.phi in
  let heaps = Array.length phi in
  let parts = most_parts digits in
  let sums = Array.make (parts + 1) [||] in
  for k = 2 to parts do
    sums.(k) <- Array.init heaps (fun r ->
        let found = Collector.start c.order in
        for s = 1 to if k = 2 then r / 2 else r do
          for i = 0 to sum_count sums (k - 1) (r - s) - 1 do
            let v = Table.times table phi.(s) (sum_elem sums phi (k - 1) (r - s) i) in
            Collector.add found v (s, i, 0)
          done
        done;
        Collector.finish found)
  done;
  let image h =
    let found = Collector.start c.order in
    for j = 0 to min h (List.length digits) do
      for k = 0 to parts do
        if allows digits j k then
          for i = 0 to sum_count sums k (h - j) - 1 do
            Collector.add found (sum_elem sums phi k (h - j) i) (j, k, i)
          done
      done
    done;
    Collector.finish found in
  { sums; images = Array.init heaps image }

let of_games (c : Certificate.t) (table : Table.t) games =
  let image options =
    let found = Collector.start c.order in
    let value o =
      List.fold_right (fun g x ->
          if g >= Array.length c.phi then refuse "there is no game %d" g;
          Table.times table c.phi.(g) x)
        o 0 in
    List.iteri (fun i o -> Collector.add found (value o) (i, 0, 0)) options;
    Collector.finish found in
  { sums = [||]; images = Array.of_list (List.map image ([] :: games)) }

let search (c : Certificate.t) (table : Table.t) =
  Array.iter (fun v ->
      if v >= c.order then refuse "%d is the value of a heap, but no element" v;
      Table.keep table v)
    c.phi;
  match c.rules with
  | Code digits -> of_code c table digits
  | Games games -> of_games c table games

let listing_to_proved l =
  { Proved.count = Array.length l.elems;
    elem = (fun i -> Table.natural l.elems.(i));
    place = (fun e ->
        match Hashtbl.find_opt l.places e with
        | Some i -> Table.natural i
        | None -> Table.absent) }

let to_proved t =
  let sums = Array.map (Array.map listing_to_proved) t.sums in
  let first (a, _, _) = Table.natural a in
  let second (_, b, _) = Table.natural b and third (_, _, c) = Table.natural c in
  { Proved.sums = (fun k r -> sums.(k).(r));
    split = (fun k r i -> first t.sums.(k).(r).from.(i));
    split_rest = (fun k r i -> second t.sums.(k).(r).from.(i));
    from_taken = (fun h i -> first t.images.(h).from.(i));
    from_parts = (fun h i -> second t.images.(h).from.(i));
    from_place = (fun h i -> third t.images.(h).from.(i)) }
