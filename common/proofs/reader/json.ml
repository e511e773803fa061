(* A document of JSON as a value. Only what certificates need: integers stay integers, other numbers
   become text, and a document that is malformed raises [Malformed]. *)

type t =
  | Null
  | Bool of bool
  | Int of int
  | Number of string
  | Text of string
  | List of t list
  | Object of (string * t) list

exception Malformed of string

let malformed at what = raise (Malformed (Printf.sprintf "%s at byte %d" what at))

(* Nesting beyond this depth is refused, so that no document exhausts the stack. *)
let deepest = 100

let parse text =
  let size = String.length text in
  let at = ref 0 in
  let peek () = if !at < size then text.[!at] else '\000' in
  let rec skip () =
    match peek () with
    | ' ' | '\t' | '\n' | '\r' when !at < size -> incr at; skip ()
    | _ -> () in
  let expect c =
    if !at < size && text.[!at] = c then incr at
    else malformed !at (Printf.sprintf "%C is expected" c) in
  let word w value =
    let n = String.length w in
    if !at + n <= size && String.sub text !at n = w then (at := !at + n; value)
    else malformed !at "an unknown word" in
  let string () =
    expect '"';
    let buffer = Buffer.create 16 in
    let rec go () =
      if !at >= size then malformed !at "a text without an end";
      match text.[!at] with
      | '"' -> incr at
      | '\\' ->
        if !at + 1 >= size then malformed !at "a text without an end";
        (match text.[!at + 1] with
         | '"' | '\\' | '/' as c -> Buffer.add_char buffer c; at := !at + 2
         | 'b' -> Buffer.add_char buffer '\b'; at := !at + 2
         | 'f' -> Buffer.add_char buffer '\012'; at := !at + 2
         | 'n' -> Buffer.add_char buffer '\n'; at := !at + 2
         | 'r' -> Buffer.add_char buffer '\r'; at := !at + 2
         | 't' -> Buffer.add_char buffer '\t'; at := !at + 2
         | 'u' ->
           (* No field that is read here has such a character; the escape itself is kept. *)
           Buffer.add_string buffer "\\u"; at := !at + 2
         | _ -> malformed !at "an unknown escape");
        go ()
      | c -> Buffer.add_char buffer c; incr at; go () in
    go ();
    Buffer.contents buffer in
  let number () =
    let start = !at in
    let rec go () =
      match peek () with
      | '0' .. '9' | '-' | '+' | '.' | 'e' | 'E' when !at < size -> incr at; go ()
      | _ -> () in
    go ();
    let digits = String.sub text start (!at - start) in
    let is_digit c = c >= '0' && c <= '9' in
    let body = if digits <> "" && digits.[0] = '-'
      then String.sub digits 1 (String.length digits - 1) else digits in
    let plain = body <> "" && String.for_all is_digit body in
    if plain && String.length body <= 18 then Int (int_of_string digits)
    else if body <> "" && is_digit body.[0] then Number digits
    else malformed start "no value" in
  let rec value depth =
    if depth > deepest then malformed !at "too deep a nesting";
    skip ();
    match peek () with
    | '{' -> incr at; skip ();
      if peek () = '}' then (incr at; Object []) else
        let rec fields known =
          skip ();
          let name = string () in
          skip (); expect ':';
          let v = value (depth + 1) in
          if List.mem_assoc name known then malformed !at ("a second field " ^ name);
          let known = (name, v) :: known in
          skip ();
          if peek () = ',' then (incr at; fields known)
          else (expect '}'; Object (List.rev known)) in
        fields []
    | '[' -> incr at; skip ();
      if peek () = ']' then (incr at; List []) else
        let rec items known =
          let known = value (depth + 1) :: known in
          skip ();
          if peek () = ',' then (incr at; items known)
          else (expect ']'; List (List.rev known)) in
        items []
    | '"' -> Text (string ())
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | 'n' -> word "null" Null
    | _ -> number () in
  let v = value 0 in
  skip ();
  if !at < size then malformed !at "something after the document";
  v

let field name = function
  | Object fields ->
    (match List.assoc_opt name fields with
     | Some v -> v
     | None -> raise (Malformed ("no field " ^ name)))
  | _ -> raise (Malformed ("no object with a field " ^ name))

let has name = function
  | Object fields -> List.mem_assoc name fields
  | _ -> false

(* Greater numbers are refused: the sums that the proved part makes of them cannot overflow. *)
let greatest = 1 lsl 40

let int what = function
  | Int n when n >= 0 && n <= greatest -> n
  | _ -> raise (Malformed (what ^ " is not a number that can be read"))

let text what = function
  | Text s -> s
  | _ -> raise (Malformed (what ^ " is not a text"))

let list what = function
  | List l -> l
  | _ -> raise (Malformed (what ^ " is not a list"))

let ints what v = Array.of_list (List.map (int what) (list what v))
