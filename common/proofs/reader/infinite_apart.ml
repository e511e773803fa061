(* The untrusted search for what tells the normal words apart: W6 and T7 of docs/presentations.md.
   Companies divide the families of normal words, as long as some company tells two of them apart
   whatever is repeated in them. What is left is told apart by sets of pairs of runs. *)

open Certificate
open! Proved_infinite

let most_places = 4_000_000
let most_sets = 200_000

(* Companies that are tried for all families before any is searched for. *)
let random_companies = 150
(* Companies that are remembered for other groups of families, and those that a group examines. *)
let most_companies = 2_000
let most_chosen_from = 100
(* Pairs of words for which the states that companies lead to are remembered. *)
let most_leads = 10_000
(* Pairs of families of a group for which a company is searched for. *)
let most_tries = 30

(* ---- What a run says, whatever it reads of the digits that may have greater counts ---- *)

type steadiness = { choices : int list list; known : (place, said) Hashtbl.t }

exception Mixed

(* P or N, or nothing if the run may say both. *)
let verdict a { choices; known } place =
  match Hashtbl.find_opt known place with
  | Some s -> s
  | None ->
    let s = said_at_once a place in
    let reached = Closure.make "runs of normal words" most_places in
    ignore (Closure.number reached place);
    let s =
      match Closure.close reached 0 (fun _ p ->
          match Hashtbl.find_opt known p with
          | Some t -> if t <> s then raise Mixed else []
          | None ->
            if said_at_once a p <> s then raise Mixed;
            List.map (fun b -> step_by a b p) choices) with
      | () -> s
      | exception Mixed -> Nothing in
    if s = Nothing then Hashtbl.replace known place s
    else
      for i = 0 to reached.count - 1 do
        Hashtbl.replace known (Closure.item reached i) s
      done;
    s

let to_steady a { known; _ } =
  let listed = Closure.make "runs of normal words" most_places in
  Hashtbl.iter (fun p s -> if s <> Nothing then ignore (Closure.number listed p)) known;
  let find p = Option.value ~default:Table.absent (Hashtbl.find_opt listed.numbers p) in
  { steady_count = listed.count;
    steady_place = Closure.item listed;
    steady_says = (fun i -> Hashtbl.find known (Closure.item listed i));
    steady_next = (fun i b -> find (step_by a b (Closure.item listed i)));
    find_steady = find }

(* ---- Pairs of runs, and sets of them ---- *)

(* What is known of a pair. *)
type node = {
  next : int array;  (* by choice of the bits of both words, and by company *)
  mutable before : (int * int) list;  (* pairs that lead to it, each with the place in their [next] *)
  mutable way_on : (int * int) option;  (* the company and the pair towards different outcomes *)
  mutable tells : bool;  (* different outcomes are reached if no bit of the words follows *)
  mutable promising : bool;  (* different outcomes are reached *)
  mutable good : bool;  (* different words differ from here on, by one company after the other *)
  mutable good_before : bool;  (* the same if the words are equal so far *)
}

type set = {
  differs : bool;
  members : int array;
  mutable after_it : (int * (int * int) array) array;  (* the next set, and ways to its members *)
}

type context = {
  reader : automaton;
  choices_of_bits : (int list * int list) array;
  zero : int;  (* the choice of no bit *)
  companies : int list array;
  pairs : pair Closure.t;
  mutable nodes : node array;
  set_numbers : (bool * int array) Closure.t;
  mutable sets : set array;
}

let context reader f g =
  let choices_of_bits = Array.of_list
      (List.concat_map (fun k -> List.map (fun l -> (k, l)) (masked g)) (masked f)) in
  let zero = ref 0 in
  Array.iteri (fun i (k, l) -> if all_zero k && all_zero l then zero := i) choices_of_bits;
  { reader; choices_of_bits; zero = !zero;
    companies = Array.of_list (masked (Infinite_equality.ones reader.digits));
    pairs = Closure.make "pairs of runs of normal words" most_places; nodes = [||];
    set_numbers = Closure.make "sets of pairs of runs" most_sets; sets = [||] }

(* Learns all that is reached from a pair; returns its number. *)
let explore c pair =
  let old = c.pairs.count in
  let start = Closure.number c.pairs pair in
  if start >= old then begin
    let width = Array.length c.companies in
    let follow p i =
      let k, l = c.choices_of_bits.(i / width) and b = c.companies.(i mod width) in
      step_both c.reader b k l p in
    let all = Array.length c.choices_of_bits * width in
    let fresh = ref [] in
    Closure.close c.pairs old (fun _ p ->
        let after = List.init all (follow p) in
        let next = Array.of_list (List.map (Closure.number c.pairs) after) in
        fresh := { next; before = []; way_on = None; tells = false; promising = false;
                   good = false; good_before = false } :: !fresh;
        []);
    let count = c.pairs.count and fresh = Array.of_list (List.rev !fresh) in
    if count > Array.length c.nodes then
      c.nodes <- Array.append c.nodes (Array.make (max count 1_000) fresh.(0));
    Array.blit fresh 0 c.nodes old (count - old);
    for x = old to count - 1 do
      Array.iteri (fun i y -> if y >= old then c.nodes.(y).before <- (x, i) :: c.nodes.(y).before)
        c.nodes.(x).next
    done;
    (* Marks pairs from which a marked one is reached by certain steps. *)
    let backwards is_marked mark uses =
      let queue = Queue.create () in
      let look x =
        if not (is_marked c.nodes.(x)) then
          Array.iteri (fun i y ->
              if uses i && is_marked c.nodes.(y) && not (is_marked c.nodes.(x)) then begin
                mark c.nodes.(x) i y;
                Queue.add x queue
              end)
            c.nodes.(x).next in
      for x = old to count - 1 do
        if is_marked c.nodes.(x) then Queue.add x queue else look x
      done;
      while not (Queue.is_empty queue) do
        let y = Queue.pop queue in
        List.iter (fun (x, i) ->
            if uses i && not (is_marked c.nodes.(x)) then begin
              mark c.nodes.(x) i y;
              Queue.add x queue
            end)
          c.nodes.(y).before
      done in
    for x = old to count - 1 do
      let p = Closure.item c.pairs x in
      let at_once = opposite_claims (said_at_once c.reader p.one_run)
          (said_at_once c.reader p.other_run) in
      c.nodes.(x).tells <- at_once;
      c.nodes.(x).promising <- at_once
    done;
    backwards (fun n -> n.promising) (fun n _ _ -> n.promising <- true) (fun _ -> true);
    backwards (fun n -> n.tells)
      (fun n i y -> n.tells <- true; n.way_on <- Some (i mod width, y))
      (fun i -> i / width = c.zero);
    (* The greatest set of pairs that have, for each choice, a company that leads to such a pair. *)
    let greatest is_good drop leads =
      let changed = Queue.create () in
      let judge x =
        let n = c.nodes.(x) in
        if is_good n then begin
          let holds = ref true in
          for choice = 0 to Array.length c.choices_of_bits - 1 do
            let found = ref false in
            for b = 0 to width - 1 do
              if leads choice c.nodes.(n.next.((choice * width) + b)) then found := true
            done;
            if not !found then holds := false
          done;
          if not !holds then begin
            drop n;
            Queue.add x changed
          end
        end in
      for x = count - 1 downto old do judge x done;
      while not (Queue.is_empty changed) do
        List.iter (fun (x, _) -> judge x) c.nodes.(Queue.pop changed).before
      done in
    for x = old to count - 1 do
      c.nodes.(x).good <- c.nodes.(x).tells;
      c.nodes.(x).good_before <- true
    done;
    greatest (fun n -> n.good) (fun n -> n.good <- false) (fun _ n -> n.good);
    let equal_bits choice = let k, l = c.choices_of_bits.(choice) in k = l in
    greatest (fun n -> n.good_before) (fun n -> n.good_before <- false)
      (fun choice n -> if equal_bits choice then n.good_before else n.good)
  end;
  start

exception Not_apart

(* The set without what does not help. One pair is enough if it is good. *)
let reduced c differs members =
  let is_good x = if differs then c.nodes.(x).good else c.nodes.(x).good_before in
  match List.find_opt is_good members with
  | Some x -> [| x |]
  | None ->
    let useful = List.filter (fun x -> c.nodes.(x).promising) members in
    Array.of_list (List.sort_uniq compare useful)

(* The number of a set, and of all sets that it leads to. *)
let set_of c differs members =
  let place differs members =
    let old = c.set_numbers.count in
    let s = Closure.number c.set_numbers (differs, members) in
    if s = old then begin
      if differs && not (Array.exists (fun x -> c.nodes.(x).tells) members) then raise Not_apart;
      if s = Array.length c.sets then
        c.sets <- Array.append c.sets
            (Array.make (max 16 s) { differs; members; after_it = [||] });
      c.sets.(s) <- { differs; members; after_it = [||] }
    end;
    s in
  let first = place differs members in
  let width = Array.length c.companies in
  let at = ref first in
  while !at < c.set_numbers.count do
    let set = c.sets.(!at) in
    if set.after_it = [||] then
      set.after_it <- Array.mapi (fun choice (k, l) ->
          let ways = Hashtbl.create 17 in
          Array.iteri (fun i x ->
              for b = 0 to width - 1 do
                let y = c.nodes.(x).next.((choice * width) + b) in
                if not (Hashtbl.mem ways y) then Hashtbl.add ways y (i, b)
              done)
            set.members;
          let differs = set.differs || k <> l in
          let after = List.sort compare (List.of_seq (Hashtbl.to_seq_keys ways)) in
          let after = reduced c differs after in
          (place differs after, Array.map (Hashtbl.find ways) after))
          c.choices_of_bits;
    incr at
  done;
  first

let to_sets c =
  let choice_of = Hashtbl.create 17 in
  Array.iteri (fun i bits -> Hashtbl.replace choice_of bits i) c.choices_of_bits;
  let rec path x = match c.nodes.(x).way_on with
    | Some (b, y) -> c.companies.(b) :: path y
    | None -> [] in
  let set_at s =
    let set = c.sets.(s) in
    let choice k l = set.after_it.(Hashtbl.find choice_of (k, l)) in
    let rec first i =
      if i >= Array.length set.members || c.nodes.(set.members.(i)).tells then i
      else first (i + 1) in
    let witness_of = first 0 in
    { member_count = Array.length set.members;
      member = (fun i -> Closure.item c.pairs set.members.(i));
      members_differ = set.differs;
      set_after = (fun k l -> fst (choice k l));
      member_from = (fun k l y -> fst (snd (choice k l)).(y));
      company_bits = (fun k l y -> c.companies.(snd (snd (choice k l)).(y)));
      witness_of;
      way = if witness_of < Array.length set.members then path set.members.(witness_of) else [] } in
  { pair_set_count = c.set_numbers.count; pair_set_at = set_at }

(* ---- All families ---- *)

let search d show families =
  let a = d.diagram_reader in
  let families = Array.of_list families in
  let steadiness = Hashtbl.create 7 in
  let steadiness_of f = match Hashtbl.find_opt steadiness f with
    | Some s -> s
    | None ->
      let s = { choices = masked f; known = Hashtbl.create 9_973 } in
      Hashtbl.add steadiness f s;
      s in
  let of_family = Array.map (fun f -> steadiness_of f.more) families in
  let verdict_in z i = verdict a of_family.(i) (place_with d families.(i) z) in
  (* Companies, with what is known of what they say of the families. *)
  let asked = ref [] and count = ref 0 in
  let company z =
    let known = Hashtbl.create 17 in
    let said i = match Hashtbl.find_opt known i with
      | Some s -> s
      | None ->
        let s = verdict_in z i in
        Hashtbl.add known i s;
        s in
    if !count < most_companies then begin
      asked := (z, said) :: !asked;
      incr count
    end;
    (z, said) in
  let random = Random.State.make [| 20 |] in
  let small most = Random.State.int random (most + 1) in
  for _ = 1 to random_companies do
    let most = 1 + small 5 in
    ignore (company { of_cycles = List.map (fun _ -> small 2) d.ordinary;
                      of_digits = List.init a.digits (fun _ -> small most) })
  done;
  let divides group (_, said) =
    let p = ref 0 and n = ref 0 in
    List.iter (fun i -> match said i with
        | SaysP -> incr p
        | SaysN -> incr n
        | Nothing -> ())
      group;
    !p * !n in
  let is_single i = all_zero families.(i).more in
  (* A company that tells two families of the group apart. *)
  let search_company group =
    let singles, others = List.partition is_single group in
    let rec go tries = function
      | x :: (y :: _ as rest) when tries > 0 ->
        (match Infinite_equality.difference d families.(x).least_counts
                 families.(y).least_counts with
         | None -> refuse "the words %s and %s have equal value, which no relation says" (show x)
                     (show y)
         | Some z ->
           let entry = company z in
           if divides group entry > 0 then Some entry else go (tries - 1) rest)
      | _ -> None in
    go most_tries (singles @ others) in
  let contexts = Hashtbl.create 7 in
  let context_of f g = match Hashtbl.find_opt contexts (f, g) with
    | Some c -> c
    | None ->
      let c = context a f g in
      Hashtbl.add contexts (f, g) c;
      c in
  (* The pairs of states to which companies lead, by the ordinary letters of two words. *)
  let parts = Closure.make "sums of ordinary letters" max_int and leads = Hashtbl.create 97 in
  let part_of = Array.map (fun f -> Closure.number parts f.least_counts.of_cycles) families in
  let lead i j = match Hashtbl.find_opt leads (part_of.(i), part_of.(j)) with
    | Some levels -> levels
    | None ->
      let part k = families.(k).least_counts.of_cycles in
      let levels = Infinite_equality.lead d (part i) (part j) in
      if Hashtbl.length leads < most_leads then Hashtbl.add leads (part_of.(i), part_of.(j)) levels;
      levels in
  (* How a set of pairs for two families begins, or for one family twice. *)
  let begins = Hashtbl.create 997 in
  let begin_with i j =
    let one = families.(i) and other = families.(j) in
    let c = context_of one.more other.more and differs = i <> j in
    let levels = lead i j in
    let first = Infinite_equality.first_runs levels one.least_counts.of_digits
        other.least_counts.of_digits in
    let rec alone j seen = function
      | Seq.Nil -> Error seen
      | Seq.Cons (p, rest) ->
        let x = explore c p in
        if (if differs then c.nodes.(x).good else c.nodes.(x).good_before) then Ok (x, j)
        else alone (j + 1) ((x, j) :: seen) (rest ()) in
    let members = match alone 0 [] (first ()) with
      | Ok found -> [ found ]
      | Error all ->
        let known = Hashtbl.create 17 in
        List.filter (fun (x, _) ->
            let is_new = c.nodes.(x).promising && not (Hashtbl.mem known x) in
            Hashtbl.replace known x ();
            is_new)
          all in
    let members = List.sort compare members in
    match set_of c differs (Array.of_list (List.map fst members)) with
    | s ->
      let columns = List.map (fun (_, j) -> Infinite_equality.column levels j) members in
      Hashtbl.replace begins (one.number, other.number) (s, Array.of_list columns)
    | exception Not_apart ->
      if differs then
        refuse "some words that begin with %s and with %s have equal value, which no relation says"
          (show i) (show j)
      else
        refuse "different words that begin with %s have equal value, which no relation says"
          (show i) in
  let rec build group =
    match group with
    | [] | [ _ ] -> Leaf
    | _ ->
      let size = List.length group in
      let rec choose tries (n, _ as best) = function
        | entry :: rest when tries > 0 && 6 * n < size * size ->
          let m = divides group entry in
          choose (tries - 1) (if m > n then (m, Some entry) else best) rest
        | _ -> best in
      let best = choose most_chosen_from (0, None) !asked in
      let ask (z, said) =
        let kept s = List.filter (fun i -> said i <> s) group in
        let may_be_p = build (kept SaysN) in
        Ask (z, may_be_p, build (kept SaysP)) in
      match snd best with
      | Some entry -> ask entry
      | None ->
        match search_company group with
        | Some entry -> ask entry
        | None ->
          let rec pairs = function
            | [] -> ()
            | i :: rest -> List.iter (begin_with i) rest; pairs rest in
          pairs group;
          Leaf in
  Array.iteri (fun i f ->
      if not (all_zero f.more) then begin_with i i)
    families;
  let questions = build (List.init (Array.length families) Fun.id) in
  let lists = Hashtbl.fold (fun f s all -> (f, to_steady a s) :: all) steadiness [] in
  let sets = Hashtbl.fold (fun fg c all -> (fg, to_sets c) :: all) contexts [] in
  { questions; masks = List.map fst lists; mask_pairs = List.map fst sets;
    steadies = (fun f -> List.assoc f lists);
    sets_for = (fun f g -> List.assoc (f, g) sets);
    first_set = (fun i j -> fst (Hashtbl.find begins (i, j)));
    begins_with = (fun i j x -> (snd (Hashtbl.find begins (i, j))).(x)) }
