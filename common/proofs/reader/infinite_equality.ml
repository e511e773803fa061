(* The untrusted search for pairs of places that two runs of a diagram reach at the same time: T5 of
   docs/presentations.md. It shows that two positions are equal, or finds a company in which they
   differ. *)

open! Proved_infinite

let most_places = 2_000_000

let ones digits = List.init digits (fun _ -> 1)
let zeros n = List.init n (fun _ -> 0)

type levels = {
  pairs : (int * int) Closure.t array;  (* of places, by levels *)
  came : (int, int * int) Hashtbl.t array;  (* the pair before and the count, by pairs *)
}

(* All pairs of places, with [u] and [v] added to the counts of the ordinary letters. *)
let lead d u v =
  let levels = List.length d.ordinary in
  let pairs = Array.init (levels + 1) (fun _ -> Closure.make "pairs of places" most_places) in
  let came = Array.init (levels + 1) (fun _ -> Hashtbl.create 97) in
  ignore (Closure.number pairs.(0) (d.root, d.root));
  List.iteri (fun l (x, y) ->
      for i = 0 to pairs.(l).count - 1 do
        let p, q = Closure.item pairs.(l) i in
        let most = max (index_at d l p) (index_at d l q) + (period_at d l p * period_at d l q) in
        for z = 0 to most - 1 do
          let j = Closure.number pairs.(l + 1) (follow d l p (z + x), follow d l q (z + y)) in
          if not (Hashtbl.mem came.(l + 1) j) then Hashtbl.add came.(l + 1) j (i, z)
        done
      done)
    (List.combine u v);
  { pairs; came }

(* Counts of the ordinary letters that lead to a pair of states. *)
let column { came; _ } j =
  let rec back l j counts =
    if l = 0 then counts
    else let i, z = Hashtbl.find came.(l) j in back (l - 1) i (z :: counts) in
  back (Array.length came - 1) j []

(* The pairs of runs that begin the digits with [u] and [v], one for each pair of states. *)
let first_runs { pairs; _ } u v =
  let last = pairs.(Array.length pairs - 1) in
  let rec from j () =
    if j >= last.count then Seq.Nil
    else
      let q, q' = Closure.item last j in
      Seq.Cons ({ one_run = { state = q; carry = u }; other_run = { state = q'; carry = v } },
                from (j + 1)) in
  from 0

let step a b p = { one_run = step_by a b p.one_run; other_run = step_by a b p.other_run }

let says_alike a p = said_at_once a p.one_run = said_at_once a p.other_run

(* All pairs of runs that are reached from some by the choices of bits. *)
let read_on a choices first =
  let runs = Closure.make "pairs of runs" most_places in
  List.iter (fun p -> ignore (Closure.number runs p)) first;
  Closure.close runs 0 (fun _ p -> List.map (fun b -> step a b p) choices);
  runs

let to_runs a runs =
  { run_count = runs.Closure.count;
    run_pair = Closure.item runs;
    run_next = (fun i b -> Closure.find runs (step a b (Closure.item runs i))) }

let search d u v =
  let a = d.diagram_reader in
  let levels = lead d u.of_cycles v.of_cycles in
  let first = List.of_seq (first_runs levels u.of_digits v.of_digits) in
  let runs = read_on a (masked (ones a.digits)) first in
  let added = Array.of_list (List.combine u.of_cycles v.of_cycles) in
  let numbers = Array.of_list (List.map (Closure.find runs) first) in
  { level_size = (fun l -> levels.pairs.(l).count);
    level_pair = (fun l i -> Closure.item levels.pairs.(l) i);
    level_next = (fun l i z ->
        let p, q = Closure.item levels.pairs.(l) i and x, y = added.(l) in
        Closure.find levels.pairs.(l + 1) (follow d l p (z + x), follow d l q (z + y)));
    first_run = (fun j -> numbers.(j));
    alike_runs = to_runs a runs }

exception Found of int

(* Counts with which [u] and [v] have different outcomes, if there are any. *)
let difference d u v =
  let a = d.diagram_reader in
  let levels = lead d u.of_cycles v.of_cycles in
  let first = List.of_seq (first_runs levels u.of_digits v.of_digits) in
  let runs = Closure.make "pairs of runs" most_places and came = Hashtbl.create 97 in
  List.iteri (fun j p ->
      let i = Closure.number runs p in
      if not (Hashtbl.mem came i) then Hashtbl.add came i (`Column j))
    first;
  let choices = masked (ones a.digits) in
  let differs i p = if not (says_alike a p) then raise (Found i) in
  match Closure.close runs 0 (fun i p ->
      differs i p;
      List.map (fun b ->
          let next = step a b p in
          let known = runs.count in
          let j = Closure.number runs next in
          if j = known then Hashtbl.add came j (`Bits (i, b));
          next)
        choices) with
  | () -> None
  | exception Found i ->
    let rec back i digits = match Hashtbl.find came i with
      | `Column j -> { of_cycles = column levels j; of_digits = digits }
      | `Bits (before, b) -> back before (List.map2 (fun x bit -> (2 * x) + bit) digits b) in
    Some (back i (zeros a.digits))
