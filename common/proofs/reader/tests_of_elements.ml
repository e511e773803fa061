(* The untrusted search for tests that tell all elements apart.

   The test by 1 says whether an element is in P. Let all elements of a class be told apart no
   further, and let their products with a generator [g] be told apart by the test by [z]. Then the
   test by [g * z] tells elements of the class apart. The tests make a binary tree, in which a class
   is a leaf; the [z] belongs to the last node above all products. *)

type node = {
  above : node option;
  depth : int;
  mutable elements : int array;  (* of a leaf *)
  mutable test : (int * node * node) option;
}

let rec common a b =
  if a == b then a
  else
    match a.above, b.above with
    | Some up, _ when a.depth > b.depth -> common up b
    | _, Some up when b.depth > a.depth -> common a up
    | Some a, Some b -> common a b
    | _ -> a

let find (t : Table.t) =
  let leaf above depth elements = { above; depth; elements; test = None } in
  let root = leaf None 0 (Array.init t.order Fun.id) in
  let leaf_of = Array.make t.order root in
  let split node z =
    let inside, outside =
      List.partition (fun x -> t.portion.(Table.times t x z)) (Array.to_list node.elements) in
    if inside = [] || outside = [] then
      Certificate.refuse "the tables are not those of a commutative monoid";
    let part l =
      let part = leaf (Some node) (node.depth + 1) (Array.of_list l) in
      List.iter (fun x -> leaf_of.(x) <- part) l;
      part in
    let inside = part inside and outside = part outside in
    node.elements <- [||];
    node.test <- Some (z, inside, outside);
    [ inside; outside ] in
  (* The test that some generator gives for a class; none if no generator does. *)
  let test_for node =
    let leads g =
      let row = t.action.(g) in
      let first = leaf_of.(row.(node.elements.(0))) in
      let above meet x = common meet leaf_of.(row.(x)) in
      let meet = Array.fold_left above first node.elements in
      Option.map (fun (z, _, _) -> row.(z)) meet.test in
    let rec try_from g =
      if g >= Array.length t.action then None
      else match leads g with Some z -> Some z | None -> try_from (g + 1) in
    try_from 0 in
  let is_open node = Array.length node.elements > 1 in
  let is_P x = t.portion.(x) in
  let first = if t.order > 1 && Array.exists is_P root.elements then split root 0 else [ root ] in
  let rec rounds classes =
    if classes <> [] then begin
      let progress = ref false in
      let next = List.concat_map (fun node ->
          match test_for node with
          | None -> [ node ]
          | Some z -> progress := true; List.filter is_open (split node z))
          classes in
      if not !progress then
        Certificate.refuse "the quotient is not reduced: some elements cannot be told apart";
      rounds next
    end in
  rounds (List.filter is_open first);
  let rec tests node =
    match node.test with
    | None -> Proved.Found node.elements.(0)
    | Some (z, inside, outside) ->
      let inside = tests inside in
      Proved.Test (z, inside, tests outside) in
  tests root
