(* The untrusted search for what shows that a game is tame relative to a heap: the least ideal, the
   nim-values of heaps and elements, and a move for all large heaps. *)

open Certificate

(* More than any nim-value of the heaps listed. *)
let most = 1 lsl 14

(* The nim-values of heaps. What [k] heaps with [r] beans can have is kept as a list. *)
let nim_values digits heaps =
  let parts = Values.most_parts digits in
  let nim = Array.make heaps 0 in
  let sums = Array.init (parts + 1) (fun _ -> Array.make heaps []) in
  sums.(0).(0) <- [ 0 ];
  let seen = Array.make most (-1) and stamp = ref 0 in
  let distinct iterate =
    incr stamp;
    let found = ref [] in
    iterate (fun v ->
        if v >= most then refuse "a nim-value is too large";
        if seen.(v) <> !stamp then begin seen.(v) <- !stamp; found := v :: !found end);
    !found in
  for h = 0 to heaps - 1 do
    (* Parts are smaller than their sum, unless there is but one. *)
    for k = 2 to parts do
      sums.(k).(h) <- distinct (fun add ->
          for s = 1 to h - 1 do
            List.iter (fun v -> add (nim.(s) lxor v)) sums.(k - 1).(h - s)
          done)
    done;
    let options = distinct (fun add ->
        for j = 0 to min h (List.length digits - 1) do
          for k = 0 to parts do
            if Values.allows digits j k then List.iter add sums.(k).(h - j)
          done
        done) in
    let rec mex v = if List.mem v options then mex (v + 1) else v in
    nim.(h) <- mex 0;
    if h > 0 && parts >= 1 then sums.(1).(h) <- [ nim.(h) ]
  done;
  nim

(* The least ideal: the multiples of a product of high powers of all generators. *)
let least_ideal (t : Proved.tables) =
  let x = ref 0 in
  for g = 0 to t.generators - 1 do
    for _ = 1 to t.order do x := t.row g !x done
  done;
  let inside = Array.make t.order false in
  inside.(!x) <- true;
  let rec go = function
    | [] -> ()
    | x :: more ->
      let next = ref more in
      for g = 0 to t.generators - 1 do
        let y = t.row g x in
        if not inside.(y) then begin inside.(y) <- true; next := y :: !next end
      done;
      go !next in
  go [ !x ];
  inside

let search (c : Certificate.t) digits (t : Proved.tables) (values : Values.t) =
  let heaps = Array.length c.phi in
  let nim = nim_values digits heaps in
  let nim_of = Array.make t.order (-1) in
  let rec of_element x =
    if nim_of.(x) < 0 then
      nim_of.(x) <- (if x = 0 then 0
        else of_element (t.before x) lxor nim.(c.generator_heaps.(t.step x)));
    nim_of.(x) in
  for x = 0 to t.order - 1 do ignore (of_element x) done;
  let option_with h b =
    let elems = values.images.(h).elems in
    let rec go i =
      if i >= Array.length elems then Table.absent
      else if nim_of.(elems.(i)) = b then i else go (i + 1) in
    go 0 in
  let inside = least_ideal t in
  let moves = List.concat (List.mapi (fun j d ->
      List.filter_map (fun k -> if Values.allows digits j k then Some (j + k, j, k) else None)
        (List.init (Values.log2 (max d 1)) succ))
      digits) in
  let taken, parts = match List.sort compare moves with
    | (_, j, k) :: _ -> (j, k)
    | [] -> refuse "no move leaves a heap" in
  { Proved.first_heap = c.first_heap;
    ideal = (fun x -> inside.(x));
    nim_of = (fun x -> Table.natural nim_of.(x));
    option_with;
    move_taken = taken;
    move_parts = parts }
