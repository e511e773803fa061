(* A certificate as its document says: docs/certificate.md, "The JSON form". *)

exception Refused of string

let refuse format = Printf.ksprintf (fun why -> raise (Refused why)) format

type t = {
  name : string;
  digits : int list;  (* d_0, d_1, … *)
  status : string;
  order : int;
  action : int array array;
  portion : bool array;
  phi : int array;
  generator_heaps : int array;
  period : int;  (* with the status "solved" only *)
  preperiod : int;
}

let digit c =
  match c with
  | '0' .. '9' -> Char.code c - Char.code '0'
  | 'A' .. 'F' -> Char.code c - Char.code 'A' + 10
  | _ -> refuse "%C is no digit of a code" c

(* The digits of a code as the program writes it: 0.77, 4.7, 4, 0.9092. *)
let digits_of_code name =
  let digits s = List.init (String.length s) (fun i -> digit s.[i]) in
  let first, rest =
    match String.index_opt name '.' with
    | Some i -> String.sub name 0 i, String.sub name (i + 1) (String.length name - i - 1)
    | None -> name, "" in
  if String.length first <> 1 then refuse "%S is not the code of a take-and-break game" name;
  let d0 = digit first.[0] in
  if d0 land 3 <> 0 then refuse "the digit before the point of %S is not 0, 4, 8 or C" name;
  d0 :: digits rest

let of_json document =
  let open Json in
  let name = text "code" (field "code" document) in
  if int "schema" (field "schema" document) <> 1 then refuse "the schema is not 1";
  if text "convention" (field "convention" document) <> "misere" then
    refuse "the convention is not misère play";
  let status = text "status" (field "status" document) in
  let quotient = field "quotient" document in
  let order = int "order" (field "order" quotient) in
  if int "identity" (field "identity" quotient) <> 0 then refuse "the identity is not 0";
  let row r =
    let r = ints "action" r in
    if Array.length r <> order then refuse "a row has %d entries, the order is %d"
        (Array.length r) order;
    r in
  let action = Array.of_list (List.map row (list "action" (field "action" quotient))) in
  if order > 1 && action = [||] then refuse "there are no generators";
  if order > 1 lsl 24 then refuse "the order is more than can be read";
  let portion = Array.make order false in
  Array.iter (fun x ->
      if x >= order then refuse "the P-portion has %d, which is no element" x;
      portion.(x) <- true)
    (ints "p_portion" (field "p_portion" quotient));
  let phi = ints "phi" (field "phi" document) in
  if phi = [||] then refuse "phi lists no heaps";
  if int "heaps" (field "heaps" document) <> Array.length phi - 1 then
    refuse "phi does not list as many heaps as stated";
  let generator g =
    let heap = int "heap" (field "heap" g) and element = int "element" (field "element" g) in
    if heap >= Array.length phi || phi.(heap) <> element then
      refuse "a generator is not the value of heap %d" heap;
    heap in
  let generators = list "generators" (field "generators" quotient) in
  let generator_heaps = Array.of_list (List.map generator generators) in
  if Array.length generator_heaps <> Array.length action then
    refuse "%d generators have %d rows" (Array.length generator_heaps) (Array.length action);
  let optional name = match field name document with Null -> 0 | v -> int name v in
  let solved = status = "solved" in
  { name; digits = digits_of_code name; status; order; action; portion; phi; generator_heaps;
    period = if solved then int "period" (field "period" document) else optional "period";
    preperiod = if solved then int "preperiod" (field "preperiod" document) else 0 }
