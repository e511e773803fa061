(* The untrusted search for a list of cases: all to which conditions on the outcomes of a diagram
   lead, but for those that another case refutes. The proved functions make every case, here and
   when they check the list. *)

open Certificate
open! Proved_infinite

(* The most runners of all cases of a list: about 5 GB, which few claims need. *)
let most_runners = 200_000_000

(* The most counts of a letter that are examined in one case. *)
let most_counts = 1 lsl 20

(* What was read last on the way to a case. *)
type read = Begins | Count of int | Bits of int list

type entry = {
  case : case;
  signature : int;  (* a bit for each option; a case has all bits of those that refute it *)
  from : int;  (* the case before *)
  read : read;
  mutable turn : int;
  mutable needless : bool;  (* another case refutes it *)
}

let mix h n = (h * 0x2545F4914F6CDD1D + n) lxor (h lsr 29)
let mix_place h p = List.fold_left mix (mix h p.state) p.carry

(* Cases by what they have to have in common. *)
module Alike = Hashtbl.Make (struct
    type t = case

    let equal c c' = c.ahead = c'.ahead && equal_demands c.demands c'.demands

    let hash c =
      let demand h (d, p) = mix_place (mix h (demand_code d)) p in
      let h = List.fold_left demand c.ahead c.demands in
      (h lxor (h lsr 32)) land max_int
  end)

module Places = Hashtbl.Make (struct
    type t = place

    let equal = equal_places
    let hash p = let h = mix_place 1 p in (h lxor (h lsr 32)) land max_int
  end)

let signature_of c =
  let bit p =
    let h = mix_place 7 p in
    1 lsl ((h lxor (h lsr 31)) land max_int mod 62) in
  List.fold_left (fun s p -> s lor bit p) 0 c.answers

(* For each place whether an outcome is reached that [wanted] holds of. *)
let reaching (e : Infinite_diagram.t) wanted =
  let states = Array.length e.after in
  let reach = Array.append (Infinite_configurations.reaching e.after e.says wanted)
      (Array.make (Array.length e.children) false) in
  Array.iteri (fun i leads_to -> reach.(states + i) <- Array.exists (fun q -> reach.(q)) leads_to)
    e.children;
  reach

let rec gcd a b = if b = 0 then a else gcd b (a mod b)

(* A common multiple of the cycles that the runners of a case read next. *)
let turn_of d c =
  let l = levels d - c.ahead in
  let runner t p =
    if level_of d p.state <> l then t
    else
      let period = (d.cycle_at p.state).period in
      let t = t / gcd t period * period in
      if t > most_counts then refuse "the cycles of the evidence are too long together";
      t in
  List.fold_left runner (List.fold_left (fun t (_, p) -> runner t p) 1 c.demands) c.answers

let sum_of_heaps counts =
  let term (h, k) = if k = 1 then string_of_int h else Printf.sprintf "%d·%d" k h in
  String.concat " + " (List.map term (List.sort compare (List.filter (fun (_, k) -> k > 0) counts)))

(* The cases found so far. *)
type found = {
  diagram : diagram;
  mutable list : entry array;
  mutable count : int;
  mutable runners : int;
  alike : int list ref Alike.t;  (* without those that are needless *)
  shared : place Places.t;
  wrong : string -> string;  (* what is wrong, by a position for which a claim fails *)
}

let share found p =
  match Places.find_opt found.shared p with
  | Some p -> p
  | None -> Places.add found.shared p p; p

let those_like found c =
  match Alike.find_opt found.alike c with
  | Some those -> those
  | None -> let those = ref [] in Alike.add found.alike c those; those

(* A case that refutes this one. *)
let refuting found c signature =
  List.find_opt (fun i ->
      let other = found.list.(i) in
      other.signature land lnot signature = 0 && refutes other.case c)
    !(those_like found c)

(* The counts that lead to a case. *)
let counts_to found entry =
  let rec back entry reads = match entry.read with
    | Begins -> reads
    | read -> back found.list.(entry.from) (read :: reads) in
  let rec split letters reads = match letters, reads with
    | h :: letters, Count x :: reads -> (h, x) :: split letters reads
    | _, reads ->
      List.mapi (fun i h ->
          let digit bits rest = 2 * rest + match bits with Bits b -> List.nth b i | _ -> 0 in
          (h, List.fold_right digit reads 0))
        found.diagram.counted in
  split found.diagram.ordinary (back entry [])

(* Takes in a case, unless one that refutes it is there; returns the number of that or of this. *)
let take_in found from read c =
  let signature = signature_of c in
  match refuting found c signature with
  | Some i -> i
  | None ->
    let case = { c with answers = List.map (share found) c.answers } in
    let entry = { case; signature; from; read; turn = 1; needless = false } in
    if c.ahead = 0 && met found.diagram (nothing_more found.diagram.diagram_reader) c then
      refuse "%s" (found.wrong (sum_of_heaps (counts_to found entry)));
    let those = those_like found c in
    those := List.filter (fun i ->
        let other = found.list.(i) in
        other.needless <- signature land lnot other.signature = 0 && refutes c other.case;
        not other.needless)
        !those;
    found.runners <- found.runners + 2 + List.length c.answers;
    if found.runners > most_runners then refuse "the evidence needs more cases than are kept";
    if found.count = Array.length found.list then
      found.list <- Array.append found.list (Array.make (max 1_000 found.count) entry);
    found.list.(found.count) <- entry;
    those := found.count :: !those;
    found.count <- found.count + 1;
    found.count - 1

(* Takes in what a case leads to. [growing]: the list that takes in every case it is asked for. *)
let read_on found growing at =
  let d = found.diagram in
  let entry = found.list.(at) in
  let c = entry.case in
  let follow read next =
    Option.iter (fun c -> ignore (take_in found at read c)) (next (growing at read)) in
  if c.ahead = 0 then
    List.iter (fun b -> follow (Bits b) (fun f -> after_bits d f c b))
      (choices d.diagram_reader.digits)
  else begin
    entry.turn <- turn_of d c;
    let counts = reach d (levels d - c.ahead) c + entry.turn in
    if counts > most_counts then refuse "the evidence has nodes with too great indices";
    for x = 0 to counts - 1 do
      follow (Count x) (fun f -> after_count d f c x)
    done
  end

(* The list of the cases that [check] asks for, and of those to which they lead. *)
let search (e : Infinite_diagram.t) wrong check =
  let may_be_P = reaching e (fun s -> s = SaysP) and may_be_N = reaching e (fun s -> s = SaysN)
  and may_be_other = reaching e (fun s -> s <> SaysN) in
  let refutations case_count case_at case_for turn =
    { case_count; case_at; case_for; turn;
      without_P = (fun p -> not may_be_P.(p)); without_N = (fun p -> not may_be_N.(p));
      always_N = (fun p -> not may_be_other.(p)) } in
  let found =
    { diagram = e.diagram; list = [||]; count = 0; runners = 0; alike = Alike.create 10_007;
      shared = Places.create 10_007; wrong } in
  let growing from read =
    refutations max_int (fun i -> found.list.(i).case) (take_in found from read) (fun _ -> 1) in
  ignore (check (growing (-1) Begins));
  let at = ref 0 in
  while !at < found.count do
    if not found.list.(!at).needless then read_on found growing !at;
    incr at
  done;
  let needed = List.filter (fun i -> not found.list.(i).needless) (List.init found.count Fun.id) in
  let needed = Array.of_list needed in
  let numbers = Array.make found.count Table.absent in
  Array.iteri (fun number i -> numbers.(i) <- number) needed;
  let entries = Array.map (fun i -> found.list.(i)) needed in
  let case_for c = match refuting found c (signature_of c) with
    | Some i -> numbers.(i)
    | None -> Table.absent in
  refutations (Array.length entries) (fun i -> entries.(i).case) case_for
    (fun i -> entries.(i).turn)

(* H17. *)
let of_letters code e =
  search e (Printf.sprintf "the outcome claimed of %s does not follow from those of its options")
    (diagram_letters_ok code e.diagram)

(* H18 for a heap with a word. *)
let of_word code e h =
  search e (fun company ->
      Printf.sprintf "heap %d may not be played as its word in the evidence%s" h
        (if company = "" then "" else " beside " ^ company))
    (fun f -> diagram_word_ok code e.diagram f h)
