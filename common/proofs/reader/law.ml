(* A law that solves a game: read, searched through, and judged by the proved part. A1 to A6 are the
   hypotheses of docs/laws.md. *)

open Certificate
open! Proved_infinite

let demand ok why = if not ok then refuse "%s" why

(* The bounds of A1 are those of `misere verify`. *)
let most_bits = 4
let most_residues = 16
let most_heaps = 200
let most_weight = 1_000

let heap document =
  let open Json in
  { unit_of = int "a unit" (field "unit" document);
    weight_of = int "a weight" (field "weight" document);
    threshold_of = int "a threshold" (field "threshold" document);
    alone_of = Array.to_list (ints "alone" (field "alone" document)) }

let read document =
  let open Json in
  let bits = int "bits" (field "bits" document) in
  let list_of name = Array.to_list (ints name (field name document)) in
  let law =
    { modulus = int "modulus" (field "modulus" document);
      first_totals = list_of "first_totals"; totals = list_of "totals";
      law_heaps = List.map heap (list "heaps" (field "heaps" document));
      law_period = int "period" (field "period" document);
      law_slope = int "slope" (field "slope" document) } in
  (bits, law)

(* A1. *)
let demand_form code bits law =
  let why what = refuse "the law is not in form (A1): %s" what in
  let demand ok what = if not ok then why what in
  demand (bits <= most_bits) "a unit has at most 4 bits";
  let is_set s = s < 1 lsl (1 lsl bits) in
  demand (1 <= law.modulus && law.modulus <= most_residues) "the modulus is 1 to 16";
  demand (1 <= law.law_slope && law.law_slope <= most_residues) "the slope is 1 to 16";
  demand (law.law_slope mod law.modulus = 0) "the modulus divides the slope";
  demand (List.length law.totals = law.modulus) "there is a set for each residue";
  demand (List.length law.first_totals <= most_residues)
    "at most 16 sets are listed before they repeat";
  demand (List.for_all is_set (law.first_totals @ law.totals)) "a set contains units only";
  let listed = List.length law.law_heaps in
  demand (listed <= most_heaps) "at most 200 heaps are listed";
  demand (1 <= law.law_period && law.law_period <= listed)
    "the period is positive and not more than the heaps listed";
  List.iter (fun f ->
      demand (f.unit_of < 1 lsl bits) "a unit is less than 2^bits";
      demand (f.weight_of <= most_weight) "a listed heap weighs at most 1,000";
      demand (List.length f.alone_of = if f.threshold_of = 0 then 0 else law.modulus)
        "a heap with a threshold has a set for each residue, and no other heap has one";
      demand (List.for_all is_set f.alone_of) "a set contains units only")
    law.law_heaps;
  demand (List.for_all (fun d -> d < 8) code) "a move leaves at most two heaps";
  demand (List.exists (fun d -> d land 6 <> 0) code)
    "of every heap beyond the list some move leaves a heap";
  demand (listed >= List.length code + 1)
    "every move in a heap beyond the list leaves something of it"

(* A2 and A3, of listed heaps. *)
let demand_heaps code law first =
  List.iteri (fun i f ->
      let h = i + 1 in
      if f.threshold_of > f.weight_of then
        refuse "the threshold of heap %d is more than its weight (A2)" h)
    law.law_heaps;
  List.iteri (fun i f ->
      let h = i + 1 in
      if no_options code h
      && (h >= first || (f.unit_of, f.weight_of, f.threshold_of) <> (0, 0, 0)) then
        refuse "heap %d has no options, but it repeats or counts in the law (A3)" h)
    law.law_heaps

(* Why A5 and A6 fail: the first tuple of periods for which a statement of the proved part fails. *)
let failing c n statement =
  if law_check c n statement then None
  else
    let cover = c.cover_number (c.cover_for n statement) in
    let rec go i =
      if i >= cover.cover_size then None
      else
        let x = cover.tuple i in
        if holds c.claim_law.law_slope statement x then go (i + 1) else Some x in
    go 0

let each list f = List.iter f list
let below n = List.init n Fun.id

let heap_of law (place, repeats) periods =
  if repeats then place + law.law_period * periods else place

let demand_moves code c =
  let law = c.claim_law in
  let slots = slots law c.base_of_moves in
  let try_move j a b =
    each slots (fun g -> each (below law.law_slope) (fun i -> each (below c.claim_units) (fun v ->
        let statement = not_both law j (slot_symbol 0 a) (slot_symbol 1 b) (slot_symbol 2 g) v
            (rest_term 3 i) in
        match failing c 4 statement with
        | Some [ x; y; z; more ] ->
          let a = heap_of law a x and b = heap_of law b y in
          refuse
            "heap %d becomes %d and %d, beside heap %d and others of the unit %d and the weight %d, \
             and the law calls both positions P-positions (A5)"
            (j + a + b) a b (heap_of law g z) v (i + law.law_slope * more)
        | _ -> ()))) in
  each (below (List.length code)) (fun j -> each slots (fun a -> each slots (fun b ->
      if allows code j (part_count (fst a) (fst b)) then try_move j a b)))

let demand_replies code c =
  let law = c.claim_law in
  let slots = List.map (fun y -> (y, replies code law c.smaller_part y))
      (slots law c.base_of_replies) in
  let try_pair (z, rz) (y, ry) =
    let fy = fact law (fst y) in
    each (below law.law_slope) (fun o -> each (below c.claim_units) (fun v ->
        let residue = (fy.weight_of + o) mod law.law_slope in
        let sums = c.claim_sums (fst z) residue (fy.unit_of lxor v) in
        match failing c 3 (answered law c.claim_units c.claim_gap sums z y rz ry v
                             (rest_term 2 o)) with
        | Some [ x; x'; more ] ->
          refuse
            "heap %d, beside heap %d and others of the unit %d and the weight %d, is called an \
             N-position, and no option that is called a P-position is found (A6)"
            (heap_of law z x) (heap_of law y x') v (o + law.law_slope * more)
        | _ -> ())) in
  each slots (fun ((z, _) as ez) ->
      if snd z || not (no_options code (fst z)) then each slots (try_pair ez))

(* What the searches find: covers for A5 first, so that A6 is searched for only if A5 holds. *)
let claim code law units first =
  let covers = Law_covers.empty law.law_slope in
  let note n statement =
    (match statement with
     | Constant _ -> ()
     | _ -> ignore (Law_covers.find covers n statement));
    true in
  let gaps = List.filter_map (fun f ->
      if f.threshold_of = 0 then None else Some (f.weight_of - f.threshold_of)) law.law_heaps in
  let gap = match gaps with [] -> 0 | g :: rest -> List.fold_left min g rest in
  (* The smaller parts of replies have at most as many beans as the first heap that repeats. *)
  let small = first in
  let base = first + List.length code + small in
  let with_sums claim_sums =
    let found = Array.of_list (List.rev covers.found) in
    { claim_law = law; claim_units = units; base_of_moves = first; base_of_replies = base;
      smaller_part = small; claim_gap = gap; claim_sums; claim_covers = Array.length found;
      cover_number = (fun k -> found.(k)); cover_for = Law_covers.find covers } in
  ignore (moves_ok code law units first (note 4));
  demand_moves code (with_sums (fun _ _ _ -> { early = []; later = [] }));
  let sums = Law_sums.sums (Law_sums.search code law units base small gap covers) in
  ignore (replies_ok code law units base small gap sums (note 3));
  with_sums sums

(* Sums of heaps, one for each unit and residue of the weight. *)
let sums_of_heaps law =
  let known = Hashtbl.create 97 and waiting = Queue.create () in
  let add sum key =
    if not (Hashtbl.mem known key) then begin
      Hashtbl.add known key sum;
      Queue.add (sum, key) waiting
    end in
  add [] (0, 0);
  while not (Queue.is_empty waiting) do
    let sum, (unit, weight) = Queue.pop waiting in
    List.iteri (fun i f ->
        add ((i + 1) :: sum) (unit lxor f.unit_of, (weight + f.weight_of) mod law.modulus))
      law.law_heaps
  done;
  List.of_seq (Hashtbl.to_seq_values known)

(* A heap whose multiples all differ, if the law shows one (A7). *)
let infinite law first =
  let weighs h = (fact law h).weight_of > 0 in
  let heaps = List.init (List.length law.law_heaps) succ in
  match List.find_opt weighs heaps with
  | None -> None
  | Some y ->
    let sums = sums_of_heaps law in
    let shows x = x >= first && List.exists (fun sum -> law_infinite_ok law x sum y) sums in
    if List.exists shows heaps then Some y else None

let judge code document =
  let bits, law = read document in
  demand_form code bits law;
  let first = List.length law.law_heaps + 1 - law.law_period in
  demand_heaps code law first;
  demand (not (law_says_P law [])) "the law calls the empty position a P-position (A4)";
  let c = claim code law (1 lsl bits) first in
  if not (law_ok code c) then begin
    demand_replies code c;
    refuse "the law is not proved"
  end;
  let more = match infinite law first with
    | None -> ""
    | Some y ->
      Printf.sprintf
        "; the misère quotient of all heaps is infinite; all multiples of heap %d differ" y in
  Printf.sprintf
    "the law decides every position of all heaps; it repeats from heap %d on, with period %d and \
     slope %d%s" first law.law_period law.law_slope more
