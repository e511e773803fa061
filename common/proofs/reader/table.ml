(* The untrusted search for products: a spanning tree of the Cayley graph, and rows of products that
   are kept while there is room. The proved part checks the tree and every row that is kept. *)

open Certificate

(* Entries of rows that are kept: 512 MiB at two bytes each. *)
let most_entries = 1 lsl 28

type t = {
  order : int;
  action : int array array;
  portion : bool array;
  listed : int array;  (* all elements, each after the one before it *)
  before : int array;
  step : int array;
  depth : int array;
  rows : Bytes.t array;  (* empty: not kept *)
  mutable room : int;
}

let tree (c : Certificate.t) =
  let order = c.order in
  let before = Array.make order 0 and step = Array.make order 0 in
  let depth = Array.make order 0 and listed = Array.make order 0 in
  let reached = Array.make order false in
  reached.(0) <- true;
  let count = ref 1 in
  Array.iteri (fun g row ->
      (* Closed under the generators before; now times this one, once, twice, … *)
      let at = ref 0 in
      while !at < !count do
        let x = listed.(!at) in
        let y = row.(x) in
        if y >= order then refuse "%d is no element, but an entry of the action" y;
        if not reached.(y) then begin
          reached.(y) <- true;
          before.(y) <- x;
          step.(y) <- g;
          depth.(y) <- depth.(x) + 1;
          listed.(!count) <- y;
          incr count
        end;
        incr at
      done)
    c.action;
  if !count < order then refuse "an element is not a product of generators";
  (before, step, depth, listed)

let make (c : Certificate.t) =
  if c.order = 0 then refuse "the quotient has no elements";
  let before, step, depth, listed = tree c in
  { order = c.order; action = c.action; portion = c.portion; listed; before; step; depth;
    rows = Array.make c.order Bytes.empty; room = most_entries }

let get t row y =
  if t.order <= 1 lsl 16 then Bytes.get_uint16_le row (2 * y)
  else Int32.to_int (Bytes.get_int32_le row (4 * y))

let set t row y v =
  if t.order <= 1 lsl 16 then Bytes.set_uint16_le row (2 * y) v
  else Bytes.set_int32_le row (4 * y) (Int32.of_int v)

let kept t x = Bytes.length t.rows.(x) > 0

(* The row of [x], kept or made for the occasion. *)
let row t x =
  if kept t x then t.rows.(x)
  else begin
    let row = Bytes.create (t.order * if t.order <= 1 lsl 16 then 2 else 4) in
    set t row 0 x;
    for i = 1 to t.order - 1 do
      let y = t.listed.(i) in
      set t row y t.action.(t.step.(y)).(get t row t.before.(y))
    done;
    row
  end

(* Keeps the row of [x], if there is room. *)
let keep t x =
  if not (kept t x) && t.room >= t.order then begin
    t.rows.(x) <- row t x;
    t.room <- t.room - t.order
  end

let rec walk t x y = if y = 0 then x else t.action.(t.step.(y)).(walk t x t.before.(y))

let times t x y =
  if kept t x then get t t.rows.(x) y
  else if kept t y then get t t.rows.(y) x
  else walk t x y

(* A number that is passed to the proved part. Its numbers are natural numbers; a negative one would
   be a fault of the search, and the claim is refused. *)
let natural v = if v < 0 then invalid_arg "negative" else v

(* The place of what is not there. *)
let absent = 1 lsl 40

(* From now on no further rows are kept: what the proved part sees is the same at all times. *)
let to_proved t =
  t.room <- 0;
  { Proved.order = t.order;
    generators = Array.length t.action;
    row = (fun g x -> natural t.action.(g).(x));
    portion = (fun x -> t.portion.(x));
    before = (fun x -> natural t.before.(x));
    step = (fun x -> natural t.step.(x));
    depth = (fun x -> natural t.depth.(x));
    kept = (fun x -> kept t x);
    kept_row = (fun x y -> natural (get t t.rows.(x) y)) }
