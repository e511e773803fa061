(* The untrusted search for what tells all multiples of a heap apart: the pairs of states that two
   runs of the automaton can reach, and the sets of pairs that two numbers of copies reach. *)

open Certificate
open! Proved_infinite

let most_pairs = 1_000_000
let most_members = 10_000_000

(* Bits of [k] and [l] as one number: 2k + l. *)
let bits_of choice = (choice lsr 1, choice land 1)
let choice_of k l = (if k then 2 else 0) + if l then 1 else 0

module Sets = Hashtbl.Make (struct
    type t = bool * int array

    let equal (d, a) (e, b) = d = e && a = b

    let hash (d, a) =
      Array.fold_left (fun h x -> (h * 0x2545F4914F6CDD1D + x) lxor (h lsr 29))
        (if d then 1 else 2) a land max_int
  end)

(* A pair: the states of both runs, and whether each carries one more copy. *)
type runs = { q1 : int; c1 : int; q2 : int; c2 : int }

type pairs = {
  runs : runs array;
  next : int array array;  (* by pair; at [choice * companies + company] *)
  promising : bool array;  (* different outcomes can be reached *)
  way : (int * int) option array;  (* the next company and pair towards different outcomes *)
  tells : bool array;  (* different outcomes are reached if no bit of k and l follows *)
}

(* Marks the pairs from which a marked one is reached by the choices; calls [found] at each. *)
let backwards next companies choices marked found =
  let before = Array.make (Array.length next) [] in
  Array.iteri (fun from after ->
      List.iter (fun choice ->
          for company = 0 to companies - 1 do
            let to_ = after.(choice * companies + company) in
            before.(to_) <- (from, company) :: before.(to_)
          done)
        choices)
    next;
  let queue = Queue.create () in
  Array.iteri (fun p m -> if m then Queue.add p queue) marked;
  while not (Queue.is_empty queue) do
    let p = Queue.pop queue in
    List.iter (fun (from, company) ->
        if not marked.(from) then begin
          marked.(from) <- true;
          found from company p;
          Queue.add from queue
        end)
      before.(p)
  done

(* The automaton of the evidence. [starts]: the states in which it may begin, each with counts by
   which it does, of the letters that are not digits. *)
type runs_from = {
  digit_heaps : int list;
  after : int array array;  (* by states and bits *)
  says : said array;
  starts : (int * int list) list;
}

let all_pairs e at =
  let companies = 1 lsl List.length e.digit_heaps and states = Array.length e.after in
  let number = Hashtbl.create 10_007 and list = ref [||] and count = ref 0 in
  let place r =
    let key = (((((r.q1 * 2) + r.c1) * states) + r.q2) * 2) + r.c2 in
    match Hashtbl.find_opt number key with
    | Some p -> p
    | None ->
      if !count >= most_pairs then refuse "the evidence has more pairs of states than are read";
      if !count = Array.length !list then
        list := Array.append !list (Array.make (max 1_000 !count) r);
      !list.(!count) <- r;
      Hashtbl.add number key !count;
      incr count;
      !count - 1 in
  let first = List.map (fun (q, _) -> place { q1 = q; c1 = 0; q2 = q; c2 = 0 }) e.starts in
  let next = ref [] and at_pair = ref 0 in
  while !at_pair < !count do
    let r = !list.(!at_pair) in
    let run q c k company =
      let s = (company lsr at land 1) + k + c in
      (e.after.(q).((company land lnot (1 lsl at)) lor ((s land 1) lsl at)), s lsr 1) in
    next := Array.init (4 * companies) (fun i ->
        let k, l = bits_of (i / companies) and company = i mod companies in
        let q1, c1 = run r.q1 r.c1 k company and q2, c2 = run r.q2 r.c2 l company in
        place { q1; c1; q2; c2 }) :: !next;
    incr at_pair
  done;
  let next = Array.of_list (List.rev !next) in
  let runs = Array.sub !list 0 !count in
  let tells_apart r =
    r.c1 = 0 && r.c2 = 0 && opposite_claims e.says.(r.q1) e.says.(r.q2) in
  let tells = Array.map tells_apart runs in
  let way = Array.make !count None in
  backwards next companies [ 0 ] tells (fun from company p -> way.(from) <- Some (company, p));
  let promising = Array.copy tells in
  backwards next companies [ 0; 1; 2; 3 ] promising (fun _ _ _ -> ());
  (first, { runs; next; promising; way; tells })

type set = { members : int array; differs : bool; mutable after_it : int array }

let all_sets pairs companies first heap =
  let number = Sets.create 1_009 and list = ref [||] and count = ref 0 and kept = ref 0 in
  let place differs members =
    match Sets.find_opt number (differs, members) with
    | Some i -> i
    | None ->
      if differs && not (Array.exists (fun p -> pairs.tells.(p)) members) then
        refuse "the outcomes claimed do not tell all multiples of heap %d apart" heap;
      kept := !kept + 1 + Array.length members;
      if !kept > most_members then refuse "the evidence needs more sets of pairs than are kept";
      let set = { members; differs; after_it = [||] } in
      if !count = Array.length !list then
        list := Array.append !list (Array.make (max 100 !count) set);
      !list.(!count) <- set;
      Sets.add number (differs, members) !count;
      incr count;
      !count - 1 in
  let seen = Array.make (Array.length pairs.runs) (-1) and stamp = ref 0 in
  let useful iterate =
    incr stamp;
    let found = ref [] in
    iterate (fun p ->
        if pairs.promising.(p) && seen.(p) <> !stamp then begin
          seen.(p) <- !stamp;
          found := p :: !found
        end);
    let members = Array.of_list !found in
    Array.sort compare members;
    members in
  ignore (place false (useful (fun add -> List.iter add first)));
  let at = ref 0 in
  while !at < !count do
    let set = !list.(!at) in
    set.after_it <- Array.init 4 (fun choice ->
        let k, l = bits_of choice in
        place (set.differs || k <> l) (useful (fun add ->
            Array.iter (fun p ->
                for company = 0 to companies - 1 do
                  add pairs.next.(p).(choice * companies + company)
                done)
              set.members)));
    incr at
  done;
  Array.sub !list 0 !count

let search e heap =
  let rec place_among at = function
    | [] -> refuse "the multiples of heap %d are said to be distinct, but it is no digit" heap
    | h :: rest -> if h = heap then at else place_among (at + 1) rest in
  let at = place_among 0 e.digit_heaps in
  let digits = List.length e.digit_heaps in
  let companies = 1 lsl digits in
  let counts_to = Hashtbl.of_seq (List.to_seq e.starts) in
  let first, pairs = all_pairs e at in
  let sets = all_sets pairs companies first heap in
  let guess company = List.init digits (fun i -> company lsr i land 1) in
  let place q c = { state = q; carry = List.init digits (fun i -> if i = at then c else 0) } in
  let pair_at set x =
    let r = pairs.runs.(sets.(set).members.(x)) in
    { one_run = place r.q1 r.c1; other_run = place r.q2 r.c2 } in
  (* How each pair of the next set is reached, made again for each set and choice: the answers are
     always the same, for pairs of the next set. *)
  let known = ref (-1, -1) in
  let from = Array.make (Array.length pairs.runs) 0 in
  let by = Array.make (Array.length pairs.runs) 0 in
  let ways set choice =
    if !known <> (set, choice) then begin
      Array.iteri (fun x p ->
          for company = 0 to companies - 1 do
            let next = pairs.next.(p).(choice * companies + company) in
            from.(next) <- x;
            by.(next) <- company
          done)
        sets.(set).members;
      known := (set, choice)
    end in
  let next_member set choice y = sets.(sets.(set).after_it.(choice)).members.(y) in
  let rec path p = match pairs.way.(p) with
    | Some (company, next) -> guess company :: path next
    | None -> [] in
  let to_proved set =
    let members = sets.(set).members in
    let witness =
      let rec go x =
        if x >= Array.length members || pairs.tells.(members.(x)) then x else go (x + 1) in
      go 0 in
    { pair_count = Array.length members;
      pair_at = pair_at set;
      differ = sets.(set).differs;
      after = (fun k l -> sets.(set).after_it.(choice_of k l));
      back = (fun k l y ->
          let choice = choice_of k l in
          ways set choice;
          from.(next_member set choice y));
      guess = (fun k l y ->
          let choice = choice_of k l in
          ways set choice;
          guess by.(next_member set choice y));
      witness;
      path = if witness < Array.length members then path members.(witness) else [] } in
  { set_count = Array.length sets;
    set_at = to_proved;
    origin = (fun i -> Hashtbl.find counts_to pairs.runs.(sets.(0).members.(i)).q1) }
