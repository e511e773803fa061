(* A claim as its document says: a certificate (docs/certificate.md, "The JSON form"), or a quotient
   of the list that `misere classify --json` prints, which comes with games of its own. *)

exception Refused of string

let refuse format = Printf.ksprintf (fun why -> raise (Refused why)) format

type rules =
  | Code of int list  (* d_0, d_1, … *)
  | Games of int list list list  (* the options of the games 1, 2, …, as lists of games *)

type t = {
  name : string;
  rules : rules;
  status : string;
  order : int;
  action : int array array;
  portion : bool array;
  phi : int array;
  generator_heaps : int array;
  period : int;  (* with the status "solved" only *)
  preperiod : int;
  partials : (int * int * int) list;  (* heap, order and size of P; ascending *)
  first_heap : int;  (* with the status "tame-relative" only *)
  evidence : Json.t;  (* of an infinite quotient *)
  is_diagram : bool;  (* whether the evidence is a diagram *)
  all_heaps : Json.t option;  (* the words of all heaps past an infinite quotient *)
  law : Json.t;  (* of a game that a law solves *)
  automaton : Json.t;  (* of a game that an automaton solves *)
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

(* The tables of a quotient: order, rows and P-portion. *)
let tables quotient =
  let open Json in
  let order = int "order" (field "order" quotient) in
  if order > 1 lsl 24 then refuse "the order is more than can be read";
  let row r =
    let r = ints "action" r in
    if Array.length r <> order then refuse "a row has %d entries, the order is %d"
        (Array.length r) order;
    r in
  let action = Array.of_list (List.map row (list "action" (field "action" quotient))) in
  let portion = Array.make order false in
  Array.iter (fun x ->
      if x >= order then refuse "the P-portion has %d, which is no element" x;
      if portion.(x) then refuse "the P-portion lists %d twice" x;
      portion.(x) <- true)
    (ints "p_portion" (field "p_portion" quotient));
  (order, action, portion)

let certificate document =
  let open Json in
  let name = text "code" (field "code" document) in
  if int "schema" (field "schema" document) <> 1 then refuse "the schema is not 1";
  if text "convention" (field "convention" document) <> "misere" then
    refuse "the convention is not misère play";
  let stated = text "status" (field "status" document) in
  (* A game has no period if a law solves it, or words of all heaps do past an infinite quotient. *)
  let claims name = has name document && field name document <> Null in
  if has "law" document
  && (List.exists claims [ "period"; "preperiod"; "all_heaps"; "diverges_at" ]
      || not (List.mem stated [ "solved"; "grows" ])) then
    refuse "a law comes with a claim of another verdict";
  if has "automaton" document
  && (List.exists claims [ "law"; "period"; "preperiod"; "all_heaps"; "diverges_at" ]
      || not (List.mem stated [ "solved"; "grows" ])) then
    refuse "an automaton comes with a claim of another verdict";
  let status =
    if (stated = "solved" || stated = "grows") && has "law" document then "solved by a law"
    else if has "automaton" document then "solved by an automaton"
    else if (stated = "solved" || stated = "infinite") && has "all_heaps" document then
      "solved by words"
    else stated in
  let is_infinite = status = "infinite" || status = "solved by words" in
  let quotient = field "quotient" document in
  if int "identity" (field "identity" quotient) <> 0 then refuse "the identity is not 0";
  let order, action, portion = tables quotient in
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
  if status = "diverges" || is_infinite then begin
    let heap = int "diverges_at" (field "diverges_at" document) in
    if heap <> Array.length phi then
      refuse "it is said to diverge at heap %d, but phi ends at heap %d" heap
        (Array.length phi - 1)
  end;
  let partial p =
    (int "heap" (field "heap" p), int "order" (field "order" p), int "p_size" (field "p_size" p)) in
  let partials = List.map partial (list "partials" (field "partials" document)) in
  let repeats name = if status = "solved" then int name (field name document) else 0 in
  let first_heap =
    if status = "tame-relative" then int "heap" (field "heap" (field "tame_relative" document))
    else 0 in
  let is_diagram = is_infinite && has "diagram" document in
  let evidence =
    if is_infinite then field (if is_diagram then "diagram" else "evidence") document else Null in
  { name; rules = Code (digits_of_code name); status; order; action; portion; phi;
    generator_heaps; period = repeats "period"; preperiod = repeats "preperiod"; partials;
    first_heap; evidence; is_diagram;
    all_heaps = if status = "solved by words" then Some (field "all_heaps" document) else None;
    law = if status = "solved by a law" then field "law" document else Null;
    automaton =
      if status = "solved by an automaton" then field "automaton" document else Null }

(* The games of a sum such as "ab^3"; "1" is the empty sum. The generator "a" is game 1. *)
let games_of_sum names most sum =
  let size = String.length sum in
  let rec number at n =
    if at < size && sum.[at] >= '0' && sum.[at] <= '9' && n <= most then
      number (at + 1) (10 * n + Char.code sum.[at] - Char.code '0')
    else (n, at) in
  let rec go at games =
    if at >= size then games
    else
      match List.assoc_opt (String.make 1 sum.[at]) names with
      | None -> refuse "the sum %S has a game without a name" sum
      | Some game ->
        let copies, next =
          if at + 1 < size && sum.[at + 1] = '^' then number (at + 2) 0 else (1, at + 1) in
        if copies < 1 || copies > most then
          refuse "the sum %S has more copies of a game than there are elements" sum;
        go next (List.init copies (fun _ -> game) @ games) in
  if sum = "1" then [] else go 0 []

let construction quotient =
  let open Json in
  let order, action, portion = tables quotient in
  let generators = list "generators" (field "generators" quotient) in
  if List.length generators <> Array.length action then
    refuse "%d generators have %d rows" (List.length generators) (Array.length action);
  let names = List.mapi (fun i g -> (text "name" (field "name" g), i + 1)) generators in
  let options g = List.map (fun o -> games_of_sum names order (text "option" o))
      (list "options" (field "options" g)) in
  let values = List.map (fun g -> int "element" (field "element" g)) generators in
  let name = match field "name" quotient with
    | Text name -> name
    | _ -> "class " ^ String.sub (text "class" (field "class" quotient) ^ "--------") 0 8 in
  { name; rules = Games (List.map options generators); status = "constructed"; order; action;
    portion; phi = Array.of_list (0 :: values);
    generator_heaps = Array.init (Array.length action) succ; period = 0; preperiod = 0;
    partials = []; first_heap = 0; evidence = Null; is_diagram = false; all_heaps = None;
    law = Null; automaton = Null }
