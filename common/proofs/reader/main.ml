(* The command `misere-verified`: claims in the JSON form, read by the proved checker. *)

open Certificate

let help = {|misere-verified: certificates and quotients, read by a checker that is proved in Coq

Usage: misere-verified [--partials] FILE...
       misere-verified [--partials] --census EXPORT

A FILE is a certificate as `misere solve`, `misere present` or `misere automaton` prints it with
--json, several certificates with one in each line, or the list that `misere classify --json`
prints; - is the standard input. What `misere present --compare --json` prints is judged by the
presentation of the same quotient, which has to be read before it. An EXPORT is a directory that
`misere export --format jsonl` made, or its file rulesets.jsonl. With --partials the list of partial
quotients is checked, too, which takes several times as long. docs/proofs.md says what is proved of
a claim that is accepted.

Exit codes: 0 everything was accepted, 1 something was refused or could not be read, 2 usage,
3 nothing was refused, but something was accepted in part only.
|}

(* Whether the list of partial quotients is checked, too. *)
let with_partials = ref false

(* The untrusted search: tables, tests, needs and heaps for the proved functions. *)
let search c =
  let table = Table.make c in
  let values = Values.search c table in
  let kinds = Kinds.search c table values in
  let factors = States.factors table kinds in
  let store = States.search table kinds factors in
  let tests = Tests_of_elements.find table in
  let stages = match c.rules with
    | Code _ when !with_partials -> Partials.search c table
    | _ -> [] in
  let images = Array.map Values.listing_to_proved values.images in
  let heaps =
    { Proved.last_heap = Array.length c.phi - 1;
      phi = (fun h -> Table.natural c.phi.(h));
      image_of = (fun h -> images.(h));
      same_as = (fun h -> Table.natural kinds.same_as.(h));
      word_of = (fun h -> List.map Table.natural kinds.word_of.(h));
      heap_of = (fun g -> Table.natural c.generator_heaps.(g)) } in
  (Table.to_proved table, tests, States.to_proved table kinds factors store, heaps, values, stages)

let demand ok why = if not ok then refuse "%s" why

(* Accepted, or refused with the first part of the check that fails. *)
let demand_quotient ok tables tests needs heaps =
  let rec first_bad h =
    if h > heaps.Proved.last_heap then None
    else if Proved.heap_ok tables needs heaps h then first_bad (h + 1)
    else Some h in
  if not ok then
    if not (Proved.monoid_ok tables) then
      refuse "the tables are no commutative monoid with 1 outside of the P-portion"
    else if not (Proved.reduced_ok tables tests) then refuse "the quotient is not reduced"
    else if not (Proved.needs_ok tables needs) then
      refuse "it is not proved that no position violates condition (N)"
    else match first_bad 0 with
      | Some h -> refuse "the outcome of some position with heap %d is predicted wrongly" h
      | None -> refuse "the values of options or of generators are not right"

type acceptance =
  | Whole of string
  | In_part of string  (* the verdict says more than is proved *)

(* What acceptance says, verdict by verdict. *)
let accept c =
  let tables, tests, needs, heaps, values, stages = search c in
  match c.rules with
  | Games games ->
    let claim =
      { Proved.made_tables = tables; made_tests = tests; made_needs = needs; made_heaps = heaps;
        made_from = (fun h i ->
            let place, _, _ = values.images.(h).from.(i) in
            Table.natural place) } in
    demand_quotient (Proved.construction_ok games claim) tables tests needs heaps;
    Whole (Printf.sprintf "order %d, the quotient of its games (%d)" c.order (List.length games))
  | Code digits ->
    let claim =
      { Proved.claim_tables = tables; claim_tests = tests; claim_needs = needs;
        claim_heaps = heaps; claim_splits = Values.to_proved values } in
    demand_quotient (Proved.finite_ok digits claim) tables tests needs heaps;
    let last = Array.length c.phi - 1 in
    demand (Proved.stages_ok tables heaps.phi last stages)
      "the partial quotients are not those that are listed";
    let partials = if stages = [] then ""
      else Printf.sprintf ", with its partial quotients (%d)" (List.length c.partials) in
    let to_heap = Printf.sprintf "order %d, the quotient of heaps 0 to %d%s" c.order last
        partials in
    match c.status with
    | "solved" ->
      demand (Proved.period_ok digits heaps c.period c.preperiod)
        "the period is not proved, or it is not the least";
      Whole (Printf.sprintf
          "solved: order %d, the quotient of all heaps%s; period %d from heap %d on" c.order
          partials c.period c.preperiod)
    | "diverges" | "exhausted" | "interrupted" -> Whole (c.status ^ ": " ^ to_heap)
    | "solved by a law" -> Whole (Printf.sprintf "solved by a law: %s; %s" to_heap (Law.judge digits c.law))
    | "solved by an automaton" ->
      Whole (Printf.sprintf "solved by an automaton: %s; %s" to_heap
               (Automaton.judge digits c.automaton))
    | "grows" -> In_part ("grows: " ^ to_heap ^ "; the pattern is not looked at")
    | "infinite" | "solved by words" ->
      let judge = if c.is_diagram then Infinite.judge_diagram else Infinite.judge_columns in
      let proved = judge digits (Array.length c.phi) c.evidence c.all_heaps in
      let solved = if c.all_heaps = None then "infinite" else "solved by words of all heaps" in
      Whole (Printf.sprintf "%s: %s; %s" solved to_heap proved)
    | "tame-relative" ->
      let tameness = Tameness.search c digits tables values in
      demand (Proved.tame_ok digits tables heaps tameness)
        "it is not proved that misère play is normal play from the heap stated on";
      In_part (Printf.sprintf
          "tame-relative: %s; misère play is normal play with a heap of %d or more; \
           the nim-values that go on are not looked at" to_heap c.first_heap)
    | other -> refuse "the status %S is unknown" other

(* How many claims of each verdict were accepted, wholly or in part, and how many were refused. *)
let accepted : (string, int) Hashtbl.t = Hashtbl.create 10
let in_part = ref 0
let refused = ref 0

let count line =
  Hashtbl.replace accepted line (1 + Option.value ~default:0 (Hashtbl.find_opt accepted line))

let no name why =
  incr refused;
  Printf.printf "refused  %s: %s\n%!" name why

(* [read] names the claim and its status, and says how to judge it. *)
let check name read =
  let name = ref name in
  try
    let read_name, status, judge = read () in
    name := read_name;
    match judge () with
    | Whole meaning ->
      count ("accepted: " ^ status);
      Printf.printf "accepted %s: %s\n%!" !name meaning
    | In_part meaning ->
      count ("in part: " ^ status);
      incr in_part;
      Printf.printf "in part  %s: %s\n%!" !name meaning
  with
  | Refused why | Json.Malformed why -> no !name why
  | Invalid_argument _ | Not_found -> no !name "a number of the claim is out of bounds"
  | Stack_overflow | Out_of_memory -> no !name "the claim is too large"

let claim c = (c.name, c.status, fun () -> accept c)

(* What `misere present` and `misere automaton` print is judged by its own field: relations, two
   positions, or an automaton without a quotient. *)
let coded document =
  let name = Json.text "code" (Json.field "code" document) in
  let accepted (meaning, whole) = if whole then Whole meaning else In_part meaning in
  if Json.has "relations" document then
    (name, "presentation", fun () ->
        accepted (Presentation.judge (digits_of_code name) name document))
  else if Json.has "positions" document then
    (name, "comparison", fun () -> accepted (Presentation.judge_comparison name document))
  else if Json.has "automaton" document && not (Json.has "quotient" document) then
    (name, "automaton", fun () ->
        Whole ("automaton: " ^ Automaton.judge_document (digits_of_code name) document))
  else claim (certificate document)

let document name text =
  match Json.parse text with
  | exception Json.Malformed why -> no name why
  | Json.Object fields as document ->
    (match List.assoc_opt "quotients" fields with
     | Some (Json.List quotients) ->
       List.iter (fun q -> check name (fun () -> claim (construction q))) quotients
     | _ when List.mem_assoc "code" fields -> check name (fun () -> coded document)
     | _ -> check name (fun () -> claim (construction document)))
  | _ -> no name "the document is not an object"

(* A file has one document, or one in each line. *)
let file path =
  match if path = "-" then stdin else open_in_bin path with
  | exception Sys_error why -> no path why
  | channel ->
    Fun.protect ~finally:(fun () -> close_in_noerr channel) (fun () ->
        let is_whole line = match Json.parse line with
          | _ -> true
          | exception Json.Malformed _ -> false in
        match input_line channel with
        | exception End_of_file -> no path "the file is empty"
        | first when is_whole first ->
          let rec go line =
            if String.trim line <> "" then document path line;
            match input_line channel with
            | exception End_of_file -> ()
            | line -> go line in
          go first
        | first ->
          let buffer = Buffer.create 65536 in
          Buffer.add_string buffer first;
          (try while true do Buffer.add_channel buffer channel 1 done with End_of_file -> ());
          document path (Buffer.contents buffer))

let summary () =
  let lines = List.sort compare (List.of_seq (Hashtbl.to_seq accepted)) in
  List.iter (fun (status, n) -> Printf.printf "%5d %s\n" n status) lines;
  Printf.printf "%5d refused\n" !refused;
  Printf.printf "%.1f s of one core\n" (Sys.time ())

let () =
  let flags, arguments = List.partition (( = ) "--partials") (List.tl (Array.to_list Sys.argv)) in
  with_partials := flags <> [];
  (match arguments with
   | [] | [ "--census" ] -> prerr_string help; exit 2
   | [ "--help" ] | [ "-h" ] -> print_string help
   | [ "--census"; path ] ->
     let lines = Filename.concat path "rulesets.jsonl" in
     file (if Sys.file_exists lines then lines else path);
     summary ()
   | option :: _ when String.length option > 1 && option.[0] = '-' -> prerr_string help; exit 2
   | files -> List.iter file files);
  exit (if !refused > 0 then 1 else if !in_part > 0 then 3 else 0)
