(* An automaton that solves a game: read, searched through, and judged by the proved part. D1 to D6
   are the hypotheses of docs/automata.md. *)

open Certificate
open! Proved_automata

let demand ok why = if not ok then refuse "%s" why

(* The bounds are those of `misere verify`. *)
let most_states = 512
let most_digits = 64
let most_open = 2_000

(* D1. *)
let read code document =
  let why what = refuse "the automaton is not in form (D1): %s" what in
  let demand ok what = if not ok then why what in
  demand (List.for_all (fun d -> d < 8) code) "a move leaves at most two heaps";
  demand (List.length code <= most_digits + 1) "the code has at most 64 digits";
  demand (large_heaps_ok code) "some digit allows a move that leaves a heap";
  let open Json in
  let heap = ints "a state" (field "heap" document) in
  let step = ints "a state" (field "step" document) in
  let p_states = ints "a state" (field "p_states" document) in
  let states = Array.length heap in
  demand (1 <= states && states <= most_states) "there are 1 to 512 states";
  demand (Array.length step = states) "every state has a state after a heap and one after a step";
  let in_range = Array.for_all (fun s -> s < states) in
  demand (in_range heap && in_range step && in_range p_states) "every entry is one of the states";
  let is_p = Array.make states false in
  Array.iteri (fun i s ->
      demand (i = 0 || p_states.(i - 1) < s) "the P-states are in ascending order";
      is_p.(s) <- true)
    p_states;
  { Automaton_states.code; states; heap; step; is_p }

(* D2: the residues of sizes modulo the period, by state. *)
let residues (m : Automaton_states.t) period =
  let refuse_state s =
    refuse "state %d is not one of positions of the same outcome and of sizes that agree (D2)" s in
  Array.iteri (fun s next -> if m.is_p.(s) <> m.is_p.(next) then refuse_state s) m.step;
  let residue = Array.make m.states (-1) in
  let rec go s size =
    if residue.(s) < 0 then begin
      residue.(s) <- size;
      go m.heap.(s) size;
      go m.step.(s) ((size + 1) mod period)
    end
    else if residue.(s) <> size then refuse_state s in
  go 0 (1 mod period);
  residue

let rec gcd a b = if b = 0 then a else gcd b (a mod b)

(* Bounds and cycles for numbers of steps, to be tried in turn. *)
let bounds (m : Automaton_states.t) period =
  let settled, repeats = Automaton_states.sizes_repeat m in
  let cycle = repeats / gcd repeats period * period in
  let least = max (List.length m.code) (max 2 settled) in
  List.map (fun times -> (times * least, cycle)) [ 1; 3 ]

(* D4. *)
let moves (m : Automaton_states.t) bounds =
  let automaton = Automaton_states.to_proved m in
  let allowed x y = not (m.is_p.(x) && m.is_p.(y)) in
  let attempt (bound, cycle) =
    let found = Automaton_splits.search m.code automaton (self_watcher automaton) Any_move allowed
        ~at_once:true bound cycle in
    if Hashtbl.length found.unwanted > 0 then None
    else Some (Automaton_splits.to_proved found bound cycle) in
  match List.find_map attempt bounds with
  | Some list -> list
  | None ->
    refuse "it is not proved that no position that the automaton calls P has an option that it \
            calls P (D4)"

(* D5. *)
let replies (m : Automaton_states.t) period residue bounds =
  let automaton = Automaton_states.to_proved m in
  let attempt greatest =
    let situations = Automaton_situations.search m greatest in
    let graph = Automaton_situations.to_proved situations period residue in
    let opens = List.filter (is_open automaton graph) (List.init graph.situations Fun.id) in
    if List.length opens > most_open then
      Automaton_situations.refuse_at situations (List.hd opens);
    let refuse () = Automaton_situations.refuse_at situations (List.hd opens) in
    let rec go = function
      | [] -> Error refuse
      | (bound, cycle) :: rest ->
        match Automaton_schemes.search (Automaton_schemes.make m graph bound cycle) opens with
        | Decided schemes -> Ok (graph, schemes)
        | Hopeless -> Error refuse
        | Undecided -> go rest in
    go bounds in
  match attempt (period + 1) with
  | Ok found -> found
  | Error _ ->
    match attempt ((2 * period) + 1) with
    | Ok found -> found
    | Error refuse -> refuse ()

(* D6. *)
let infinite m claim =
  match Automaton_states.infinite m with
  | Some shown when automaton_infinite_ok claim.claim_automaton shown -> Some shown
  | _ -> None

(* An automaton that is proved, and what shows that the quotient is infinite. *)
let prove code document =
  let m = read code document in
  let _, period = Automaton_states.settles m.step 0 in
  let residue = residues m period in
  let claim_automaton = Automaton_states.to_proved m in
  let ends = Automaton_states.ends m (is_dead code) in
  demand (terminal_ok code claim_automaton m.states ends)
    "the automaton says P of a position without a move (D3)";
  let bounds = bounds m period in
  let claim_moves = moves m bounds in
  let claim_graph, claim_schemes = replies m period residue bounds in
  let claim = { claim_automaton; claim_states = m.states; claim_ends = ends; claim_moves;
                claim_graph; claim_schemes } in
  demand (automaton_ok code claim) "the automaton is not proved";
  (m.states, infinite m claim)

let meaning (states, shown) =
  let more = match shown with
    | None -> ""
    | Some i ->
      let heap k = i.first_heap + (k * i.heap_period) in
      Printf.sprintf
        "; the misère quotient of all heaps is infinite; heaps %d, %d, %d, … all differ"
        (heap 0) (heap 1) (heap 2) in
  Printf.sprintf "%d states decide every position of all heaps%s" states more

(* The automaton of a certificate. *)
let judge code document = meaning (prove code document)

(* The document of `misere automaton`, which also states whether the quotient is infinite. *)
let judge_document code document =
  let open Json in
  if int "schema" (field "schema" document) <> 1 then refuse "the schema is not 1";
  if text "convention" (field "convention" document) <> "misere" then
    refuse "the convention is not misère play";
  if text "status" (field "status" document) <> "solved" then
    refuse "an automaton is that of a game that is solved";
  let stated = field "infinite" document in
  let states, shown = prove code (field "automaton" document) in
  demand (stated = Bool (shown <> None))
    (if shown = None then "it is not shown that the misère quotient is infinite (D6)"
     else "the misère quotient is shown to be infinite (D6), and the document does not say so");
  meaning (states, shown)
