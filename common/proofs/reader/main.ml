(* The command `misere-verified`: certificates in the JSON form, read by the proved checker. *)

open Certificate

let timing = Sys.getenv_opt "MISERE_VERIFIED_TIMES" <> None

let timed what f =
  let start = Sys.time () in
  let result = f () in
  if timing then Printf.eprintf "  %-28s %.3f s\n%!" what (Sys.time () -. start);
  result

(* The claim with all that the untrusted search adds to it. *)
let claim c =
  let table = timed "tree" (fun () -> Table.make c) in
  let values = timed "option values" (fun () -> Values.search c table) in
  let kinds = timed "kinds" (fun () -> Kinds.search c table values) in
  let factors = timed "factors" (fun () -> States.factors table kinds) in
  let store = timed "states" (fun () -> States.search table kinds factors) in
  if timing then Printf.eprintf "  %d kinds, %d states\n%!" (Array.length kinds.values) store.count;
  let tests = timed "tests" (fun () -> Tests_of_elements.find table) in
  let images = Array.map Values.listing_to_proved values.images in
  let heaps =
    { Proved.last_heap = Array.length c.phi - 1;
      phi = (fun h -> c.phi.(h));
      image_of = (fun h -> images.(h));
      same_as = (fun h -> kinds.same_as.(h));
      word_of = (fun h -> kinds.word_of.(h));
      heap_of = (fun g -> c.generator_heaps.(g)) } in
  { Proved.claim_tables = Table.to_proved table;
    claim_tests = tests;
    claim_needs = States.to_proved table kinds factors store;
    claim_heaps = heaps;
    claim_splits = Values.to_proved values }

let heaps c = Array.length c.phi - 1

(* What acceptance says of this verdict. *)
let accept c =
  let proved = claim c in
  let t = proved.Proved.claim_tables in
  let say ok = Printf.eprintf "  %b\n%!" ok in
  if timing then begin
    say (timed "monoid_ok" (fun () -> Proved.monoid_ok t));
    say (timed "reduced_ok" (fun () -> Proved.reduced_ok t proved.claim_tests));
    say (timed "images_ok" (fun () ->
        Proved.images_ok t c.digits proved.claim_splits proved.claim_heaps));
    say (timed "needs_ok" (fun () -> Proved.needs_ok t proved.claim_needs));
    say (timed "heaps_ok" (fun () -> Proved.heaps_ok t proved.claim_needs proved.claim_heaps))
  end;
  if not (timed "finite_ok" (fun () -> Proved.finite_ok c.digits proved)) then
    refuse "the proved checker does not accept it";
  match c.status with
  | "solved" ->
    if not (timed "period_ok" (fun () ->
        Proved.period_ok c.digits proved.claim_heaps c.period c.preperiod)) then
      refuse "the period is not proved, or not the least";
    Printf.sprintf "solved, order %d, all heaps: the values have period %d from heap %d on"
      c.order c.period c.preperiod
  | "diverges" | "infinite" | "grows" | "tame-relative" | "exhausted" | "interrupted" ->
    Printf.sprintf "%s, order %d, heaps 0 to %d only" c.status c.order (heaps c)
  | other -> refuse "the status %S is unknown" other

let read_file path =
  let channel = if path = "-" then stdin else open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in_noerr channel) (fun () ->
      let buffer = Buffer.create (1 lsl 16) in
      let chunk = Bytes.create (1 lsl 16) in
      let rec go () =
        let n = input channel chunk 0 (Bytes.length chunk) in
        if n > 0 then (Buffer.add_subbytes buffer chunk 0 n; go ()) in
      go ();
      Buffer.contents buffer)

(* The documents of a file: one, or one in each line. *)
let documents text =
  match String.index_opt text '\n' with
  | Some i when i + 1 < String.length text -> 
    List.filter (fun line -> String.trim line <> "") (String.split_on_char '\n' text)
  | _ -> [ text ]

let refused = ref 0

let check text =
  let name = ref "a document" in
  try
    let c = of_json (Json.parse text) in
    name := c.name;
    Printf.printf "accepted %s: %s\n%!" c.name (accept c)
  with
  | Refused why | Json.Malformed why ->
    incr refused;
    Printf.printf "refused %s: %s\n%!" !name why
  | Invalid_argument _ | Not_found ->
    incr refused;
    Printf.printf "refused %s: an index is out of bounds\n%!" !name

let () =
  let files = List.tl (Array.to_list Sys.argv) in
  List.iter (fun path -> List.iter check (documents (read_file path))) files;
  exit (if !refused = 0 then 0 else 1)
