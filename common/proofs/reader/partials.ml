(* The untrusted search for stages, as Partials.v describes them: the partial quotients at the heaps
   that the certificate lists, the last one first. *)

open Certificate

(* A stage, as tables with values of the heaps to its end. *)
type level = { table : Table.t; phi : int array }

(* The elements that are values of the heaps to [last], and generators of them. *)
let values level last =
  let order = level.table.order in
  let inside = Array.make order false and listed = Array.make order 0 in
  inside.(0) <- true;
  let count = ref 1 and generators = ref [] in
  for h = 0 to last do
    let v = level.phi.(h) in
    if not inside.(v) then begin
      generators := v :: !generators;
      Table.keep level.table v;
      let at = ref 0 in
      while !at < !count do
        let y = Table.times level.table v listed.(!at) in
        if not inside.(y) then begin
          inside.(y) <- true;
          listed.(!count) <- y;
          incr count
        end;
        incr at
      done
    end
  done;
  (inside, Array.sub listed 0 !count, List.rev !generators)

(* Mixes the bits of a number. *)
let mix v =
  let v = (v lxor (v lsr 29)) * 0x3F58476D1CE4E5B9 in
  let v = (v lxor (v lsr 32)) * 0x14D049BB133111EB in
  v lxor (v lsr 31)

let distinct elements value_of =
  let known = Hashtbl.create (2 * Array.length elements) in
  Array.iter (fun x -> Hashtbl.replace known value_of.(x) ()) elements;
  Hashtbl.length known

(* Classes of elements that these values tell apart: by P, then by the classes of products. A class
   is a hash of what it is made of. Should two be equal by chance, the claim is refused. *)
let classes level elements generators =
  let order = level.table.order in
  let rows = List.map (Table.row level.table) generators in
  let rec refine class_of count =
    let next = Array.make order 0 in
    Array.iter (fun x -> next.(x) <- mix class_of.(x)) elements;
    List.iteri (fun i row ->
        let factor = mix (i + 1) lor 1 in
        Array.iter (fun x ->
            next.(x) <- next.(x) + factor * class_of.(Table.get level.table row x))
          elements)
      rows;
    Array.iter (fun x -> next.(x) <- mix next.(x)) elements;
    let total = distinct elements next in
    if total = count then class_of
    else if total = Array.length elements then next
    else refine next total in
  let by_P = Array.init order (fun x -> if level.table.portion.(x) then 1 else 2) in
  let class_of = refine by_P (distinct elements by_P) in
  (* Numbered again in the order of the elements, so that the class of 1 is 0. *)
  let name = Hashtbl.create 1024 and first = ref [] in
  Array.iter (fun x ->
      if not (Hashtbl.mem name class_of.(x)) then begin
        Hashtbl.add name class_of.(x) (Hashtbl.length name);
        first := x :: !first
      end)
    elements;
  let map = Array.make order 0 in
  Array.iter (fun x -> map.(x) <- Hashtbl.find name class_of.(x)) elements;
  (map, Array.of_list (List.rev !first))

(* Those heaps to [base] whose values generate the classes, and their rows. *)
let generating level map first base =
  let reached = Array.make (Array.length first) false in
  let row h = Array.map (fun x -> map.(Table.times level.table level.phi.(h) x)) first in
  reached.(0) <- true;
  let rec go h found =
    if h > base then List.rev found
    else if reached.(map.(level.phi.(h))) then go (h + 1) found
    else begin
      let row = row h in
      let rec close = function
        | [] -> ()
        | k :: more ->
          if reached.(row.(k)) then close more
          else begin reached.(row.(k)) <- true; close (row.(k) :: more) end in
      close (List.filter (fun k -> reached.(k)) (List.init (Array.length first) Fun.id));
      go (h + 1) ((h, row) :: found)
    end in
  go 0 []

let stage (c : Certificate.t) level last (base, order, p_size) =
  let inside, elements, generators = values level last in
  let map, first = classes level elements generators in
  if Array.length first <> order then
    refuse "the partial quotient to heap %d has order %d, not %d" base (Array.length first) order;
  let portion = Array.map (fun x -> level.table.portion.(x)) first in
  let in_P = Array.fold_left (fun n p -> if p then n + 1 else n) 0 portion in
  if in_P <> p_size then
    refuse "the partial quotient to heap %d has %d elements in P, not %d" base in_P p_size;
  let generators = Array.of_list (generating level map first base) in
  let phi = Array.init (last + 1) (fun h -> map.(level.phi.(h))) in
  let generator_heaps = Array.map fst generators in
  let table = Table.make
      { c with order; action = Array.map snd generators; portion; phi; generator_heaps } in
  Array.iter (Table.keep table) phi;
  let tests = Tests_of_elements.find table in
  ({ table; phi },
   { Proved.stage_tables = Table.to_proved table;
     stage_tests = tests;
     stage_base = Table.natural base;
     stage_phi = (fun h -> Table.natural phi.(h));
     stage_heap_of = (fun g -> Table.natural generator_heaps.(g));
     stage_inside = (fun x -> inside.(x));
     stage_map = (fun x -> Table.natural map.(x)) })

let search (c : Certificate.t) table =
  let listed = if List.exists (fun (heap, _, _) -> heap = 0) c.partials then c.partials
    else (0, 1, 0) :: c.partials in
  let rec go level last = function
    | [] -> []
    | (base, order, p_size) :: more ->
      if base > last then refuse "the partial quotient to heap %d is out of order" base;
      let level, found = stage c level last (base, order, p_size) in
      found :: go level (base - 1) more in
  go { table; phi = c.phi } (Array.length c.phi - 1) (List.rev listed)
