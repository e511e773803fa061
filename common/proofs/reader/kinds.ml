(* The untrusted search for kinds: values of heaps with their needs, and for each heap a word.

   Heaps of one value are one kind, with the union of their needs. A kind whose need is no greater
   than those of a sum of others with the same value is left out, and its heaps get that sum for
   their word. *)

type t = {
  values : int array;
  needs : Bytes.t array;  (* for each kind a byte for each element *)
  low : int array;
  same_as : int array;  (* by heaps *)
  word_of : int list array;
}

type value = { value : int; need : Bytes.t }

(* Where each of [values] leads: for each element the least index up to which it is a product of
   values (or [none]), and the element before it. *)
let none = max_int

let ranks (table : Table.t) values =
  let rank = Array.make table.order none and before = Array.make table.order 0 in
  rank.(0) <- 0;
  let ranked = Array.make table.order 0 in
  let count = ref 1 in
  Array.iteri (fun at { value; _ } ->
      if rank.(value) = none then begin
        Table.keep table value;
        let row = Table.row table value in
        let i = ref 0 in
        while !i < !count do
          let x = ranked.(!i) in
          let y = Table.get table row x in
          if rank.(y) = none then begin
            rank.(y) <- at;
            before.(y) <- x;
            ranked.(!count) <- y;
            incr count
          end;
          incr i
        done
      end)
    values;
  (rank, before)

(* The word by which the values reach an element: indices of values. *)
let word rank before x =
  let rec go x letters = if x = 0 then letters else go before.(x) (rank.(x) :: letters) in
  go x []

let rec others before = function
  | [] -> []
  | letter :: after -> (letter, List.rev_append before after) :: others (letter :: before) after

let covers (table : Table.t) values word need =
  let letter_covers (letter, rest) =
    let product = List.fold_left (fun x l -> Table.times table values.(l).value x) 0 rest in
    let row = Table.row table product in
    let rec all z =
      z >= table.order
      || ((Bytes.get need z = '\000'
           || Bytes.get values.(letter).need (Table.get table row z) = '\001')
          && all (z + 1)) in
    all 0 in
  word <> [] && List.for_all letter_covers (others [] word)

(* Where a heap fails: neither it nor one of its options is predicted P. *)
let failing (table : Table.t) value elems =
  let win = Bytes.make table.order '\001' in
  let mark e =
    Table.keep table e;
    let row = Table.row table e in
    for z = 0 to table.order - 1 do
      if table.portion.(Table.get table row z) then Bytes.set win z '\000'
    done in
  mark value;
  Array.iter mark elems;
  win

let search (c : Certificate.t) (table : Table.t) (values : Values.t) =
  let heaps = Array.length c.phi in
  let same_as = Array.init heaps Fun.id and fails = Array.make heaps Bytes.empty in
  let classes = Hashtbl.create 97 in
  let place_of = Hashtbl.create 97 and needy = ref [] and count = ref 0 in
  for h = 0 to heaps - 1 do
    let elems = values.images.(h).elems in
    let key = (c.phi.(h), Digest.string (Marshal.to_string elems [])) in
    match Hashtbl.find_opt classes key with
    | Some first -> same_as.(h) <- first
    | None ->
      Hashtbl.add classes key h;
      if elems <> [||] then begin
        let need = failing table c.phi.(h) elems in
        if Bytes.contains need '\001' then begin
          fails.(h) <- need;
          match Hashtbl.find_opt place_of c.phi.(h) with
          | Some known ->
            Bytes.iteri (fun z b -> if b = '\001' then Bytes.set known.need z b) need
          | None ->
            let kind = { value = c.phi.(h); need = Bytes.copy need } in
            Hashtbl.add place_of c.phi.(h) kind;
            needy := kind :: !needy;
            incr count
        end
      end
  done;
  let early = Array.of_list (List.rev !needy) in
  let rank, before = ranks table early in
  let word_of_early at =
    let value = early.(at).value in
    if rank.(value) = at then None
    else
      let w = word rank before value in
      if covers table early w early.(at).need then Some w else None in
  let words = Array.init (Array.length early) word_of_early in
  let kept = List.filter (fun at -> words.(at) = None) (List.init (Array.length early) Fun.id) in
  (* Values that lie in the submonoid of few others come right after these. *)
  let early_rank at = rank.(early.(at).value) in
  let kept = List.stable_sort (fun a b -> compare (early_rank a) (early_rank b)) kept in
  let kinds = Array.of_list kept in
  let n = Array.length kinds in
  let rank, _ = ranks table (Array.map (fun at -> early.(at)) kinds) in
  (* The proved part takes kinds in ascending order, the search of the Rust checker in descending
     rank: kind [k] has the rank [n - 1 - k]. *)
  let kind_of = Array.make (Array.length early) 0 in
  Array.iteri (fun r at -> kind_of.(at) <- n - 1 - r) kinds;
  let at_kind k = early.(kinds.(n - 1 - k)) in
  let place = Hashtbl.create 97 in
  Array.iteri (fun at v -> Hashtbl.replace place v.value at) early;
  let word_of h =
    if fails.(h) = Bytes.empty then []
    else
      let at = Hashtbl.find place c.phi.(h) in
      match words.(at) with
      | None -> [ kind_of.(at) ]
      | Some w -> List.map (fun at -> kind_of.(at)) w in
  { values = Array.init n (fun k -> (at_kind k).value);
    needs = Array.init n (fun k -> (at_kind k).need);
    low = Array.map (fun r -> if r = none then 0 else n - r) rank;
    same_as;
    word_of = Array.init heaps word_of }
