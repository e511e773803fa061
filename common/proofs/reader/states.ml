(* The untrusted search for states, as Needs.v describes them. If a state with [z = 1] is found,
   some kinds need each other, and the claim is refused. *)

open Kinds

(* The factors of elements: for each kind the elements [z] by their product with it. *)
type factors = {
  start : int array array;
  items : int array array;
  places : int array array;
}

let factors (table : Table.t) kinds =
  let n = Array.length kinds.values in
  let start = Array.make n [||] and items = Array.make n [||] and places = Array.make n [||] in
  for k = 0 to n - 1 do
    let row = Table.row table kinds.values.(k) in
    let begins = Array.make (table.order + 1) 0 in
    let is_factor z = k < kinds.low.(z) in
    let count = ref 0 in
    for z = 0 to table.order - 1 do
      if is_factor z then begin
        let p = Table.get table row z in
        begins.(p + 1) <- begins.(p + 1) + 1;
        incr count
      end
    done;
    for p = 1 to table.order do begins.(p) <- begins.(p) + begins.(p - 1) done;
    let next = Array.copy begins in
    let found = Array.make !count 0 and place = Array.make table.order Table.absent in
    for z = 0 to table.order - 1 do
      if is_factor z then begin
        let p = Table.get table row z in
        found.(next.(p)) <- z;
        place.(z) <- next.(p) - begins.(p);
        next.(p) <- next.(p) + 1
      end
    done;
    start.(k) <- begins;
    items.(k) <- found;
    places.(k) <- place
  done;
  { start; items; places }

(* States by number, and their numbers by (x, z): a hash table with open addressing. *)
type store = {
  order : int;
  mutable count : int;
  mutable keys : int array;
  mutable last : int array;
  mutable slots : int array;  (* a number plus 1, or 0 *)
}

let slot store key =
  let mask = Array.length store.slots - 1 in
  let rec probe i =
    let s = store.slots.(i) in
    if s = 0 || store.keys.(s - 1) = key then i else probe ((i + 1) land mask) in
  probe ((key * 0x9E3779B97F4A7C1) lsr 13 land mask)

let state_of store x z =
  let s = store.slots.(slot store (x * store.order + z)) in
  if s = 0 then Table.absent else s - 1

let grow store =
  let double a = Array.append a (Array.make (Array.length a) 0) in
  store.keys <- double store.keys;
  store.last <- double store.last;
  store.slots <- Array.make (2 * Array.length store.slots) 0;
  for s = 0 to store.count - 1 do
    store.slots.(slot store store.keys.(s)) <- s + 1
  done

let search (table : Table.t) kinds factors =
  let n = Array.length kinds.values in
  let store = { order = table.order; count = 0; keys = Array.make 1024 0;
                last = Array.make 1024 0; slots = Array.make 4096 0 } in
  (* Kinds come in ascending order, so with the least first every state is examined once. *)
  let buckets = Array.make n [] in
  let meet x z k =
    if z = 0 then
      Certificate.refuse "some position is predicted N, but none of its options is predicted P";
    let key = x * table.order + z in
    let at = slot store key in
    let s = store.slots.(at) in
    if s = 0 then begin
      if store.count >= Array.length store.keys then grow store;
      let at = slot store key in
      store.keys.(store.count) <- key;
      store.last.(store.count) <- k;
      store.count <- store.count + 1;
      store.slots.(at) <- store.count;
      buckets.(k) <- (store.count - 1) :: buckets.(k)
    end
    else if store.last.(s - 1) > k then begin
      store.last.(s - 1) <- k;
      buckets.(k) <- (s - 1) :: buckets.(k)
    end in
  for k = 0 to n - 1 do
    for z = 0 to table.order - 1 do
      if k < kinds.low.(z) && Bytes.get kinds.needs.(k) z = '\001' then meet kinds.values.(k) z k
    done
  done;
  for l = 0 to n - 1 do
    while buckets.(l) <> [] do
      match buckets.(l) with
      | [] -> ()
      | s :: more ->
        buckets.(l) <- more;
        if store.last.(s) = l then begin
          let x = store.keys.(s) / table.order and z = store.keys.(s) mod table.order in
          Table.keep table x;
          for k = l to min n kinds.low.(z) - 1 do
            let start = factors.start.(k) and items = factors.items.(k) in
            for i = start.(z) to start.(z + 1) - 1 do
              let y = items.(i) in
              if Bytes.get kinds.needs.(k) (Table.times table x y) = '\001' then
                meet (Table.times table kinds.values.(k) x) y k
            done
          done
        end
    done
  done;
  store

let to_proved (table : Table.t) kinds factors store =
  let natural = Table.natural in
  { Proved.kinds = Array.length kinds.values;
    kind_val = (fun k -> natural (kinds.values.(k)));
    need = (fun k z -> Bytes.get kinds.needs.(k) z = '\001');
    low = (fun z -> natural (kinds.low.(z)));
    factors = (fun k z -> natural (factors.start.(k).(z + 1) - factors.start.(k).(z)));
    factor = (fun k z i -> natural (factors.items.(k).(factors.start.(k).(z) + i)));
    factor_place = (fun k z -> natural (factors.places.(k).(z)));
    states = store.count;
    taken = (fun s -> natural (store.keys.(s) / table.order));
    to_come = (fun s -> natural (store.keys.(s) mod table.order));
    last_kind = (fun s -> natural (store.last.(s)));
    state_of = (fun x z -> natural (state_of store x z)) }
