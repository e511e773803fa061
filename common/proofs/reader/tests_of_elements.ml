(* The untrusted search for tests that tell all elements apart.

   All elements begin in one class. For each [z], short words first, every class is split by whether
   [x * z] is in P. A [z] that splits nothing is forgotten. *)

type tree =
  | Class of int array
  | Split of int * tree ref * tree ref

let find (t : Table.t) =
  let root = ref (Class (Array.init t.order Fun.id)) in
  let open_classes = ref (if t.order > 1 then [ root ] else []) in
  let remaining = ref (if t.order > 1 then t.order else 0) in
  let candidate = ref 0 in
  while !open_classes <> [] do
    if !candidate >= t.order then
      Certificate.refuse "the quotient is not reduced: some elements cannot be told apart";
    let z = t.listed.(!candidate) in
    incr candidate;
    (* A row costs as much as some steps for each element. *)
    let row = if !remaining * (t.depth.(z) + 1) > 4 * t.order then Some (Table.row t z) else None in
    let product x = match row with Some row -> Table.get t row x | None -> Table.times t x z in
    let left = ref [] and used = ref false in
    List.iter (fun node ->
        match !node with
        | Split _ -> ()
        | Class elements ->
          let inside x = t.portion.(product x) in
          let first = inside elements.(0) in
          if Array.exists (fun x -> inside x <> first) elements then begin
            used := true;
            let yes, no = List.partition inside (Array.to_list elements) in
            let part l =
              let part = ref (Class (Array.of_list l)) in
              (match l with
               | [ _ ] -> decr remaining
               | _ -> left := part :: !left);
              part in
            let yes = part yes in
            let no = part no in
            node := Split (z, yes, no)
          end
          else left := node :: !left)
      !open_classes;
    open_classes := !left;
    if !used then Table.keep t z
  done;
  let rec tests node =
    match !node with
    | Class elements -> Proved.Found elements.(0)
    | Split (z, yes, no) ->
      let yes = tests yes in
      Proved.Test (z, yes, tests no) in
  tests root
