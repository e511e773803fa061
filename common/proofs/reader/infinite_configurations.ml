(* The untrusted search for the list of configurations: all that are reached from those of columns
   and words. The proved functions make every configuration, here and when they check the list. *)

open Certificate
open! Proved_infinite

(* The most comparisons that are kept. *)
let most_comparisons = 10_000_000

(* The most kinds of company of the words in all columns. *)
let most_companies = 2_000_000

module Known = Hashtbl.Make (struct
    type t = configuration

    let equal = equal_configurations

    let mix h n = (h * 0x2545F4914F6CDD1D + n) lxor (h lsr 29)

    let place h p = List.fold_left mix (mix h p.state) p.carry

    let hash c =
      let h = place (if c.end_free then 1 else if c.called then 2 else 3) c.question in
      let comparison h k = place (mix h (role_code k.role_of)) k.place_of in
      let h = List.fold_left comparison h c.compared in
      (h lxor (h lsr 32)) land max_int
  end)

(* The states from which a state is reached of whose outcome [wanted] holds. *)
let reaching after says wanted =
  let states = Array.length after in
  let before = Array.make states [] in
  Array.iteri (fun q -> Array.iter (fun next -> before.(next) <- q :: before.(next))) after;
  let reach = Array.map wanted says in
  let rec go = function
    | [] -> ()
    | q :: rest ->
      let fresh = List.filter (fun p -> not reach.(p)) before.(q) in
      List.iter (fun p -> reach.(p) <- true) fresh;
      go (List.rev_append fresh rest) in
  go (List.filter (fun q -> reach.(q)) (List.init states Fun.id));
  reach

let search code (e : Infinite_evidence.t) =
  let speaks = reaching e.after e.says (fun s -> s <> Nothing) in
  let not_only_N = reaching e.after e.says (fun s -> s <> SaysN) in
  let known = Known.create 10_007 in
  let list = ref [||] and count = ref 0 and kept = ref 0 in
  let empty = { size = 0; configuration_at = (fun i -> !list.(i)); find0 = (fun _ -> 0);
                silent = (fun q -> not speaks.(q)); only_N = (fun q -> not not_only_N.(q)) } in
  let family = e.evidence in
  let automaton = family.reader in
  let zero = nothing_more automaton in
  let add what c =
    if speaks.(c.question.state) then begin
      let c = normal empty c in
      if not (Known.mem known c) then begin
        if not (states_of automaton zero c) then
          refuse "%s" (what ());
        kept := !kept + 1 + List.length c.compared;
        if !kept > most_comparisons then refuse "the evidence needs more comparisons than are made";
        if !count = Array.length !list then
          list := Array.append !list (Array.make (max 1_000 !count) c);
        !list.(!count) <- c;
        Known.add known c !count;
        incr count
      end
    end in
  let bits = choices automaton.digits in
  let done_ = ref 0 in
  let close what =
    while !done_ < !count do
      let c = !list.(!done_) in
      List.iter (fun b -> add what (step automaton b c)) bits;
      incr done_
    done in
  let of_cycles = with_moves code family (fun a -> a.cycle_heap) family.cycles in
  let of_digits = with_moves code family Fun.id family.digit_heaps in
  for i = 0 to family.columns - 1 do
    let v = family.column_at i in
    let what () = Printf.sprintf
        "in the column [%s] of the evidence an outcome does not follow from those of the options"
        (String.concat "," (List.map string_of_int v)) in
    add what (column_configuration family of_cycles of_digits v (family.column_state i));
    close what
  done;
  let met = ref 0 in
  List.iter (fun (h, _) ->
      let w = word_of family h in
      let letters = counts_of family w in
      let options = moves code family h and calls = calls code family w in
      let what () = Printf.sprintf "heap %d may not be played as its word in the evidence" h in
      for i = 0 to family.columns - 1 do
        let found = companies family.cycles letters.of_cycles (family.column_at i) in
        met := !met + List.length found;
        if !met > most_companies then
          refuse "the words of the evidence have more company than is read";
        List.iter (fun v ->
            add what (word_configuration family letters options calls v);
            close what)
          found
      done)
    family.words;
  let find c = Option.value ~default:Table.absent (Known.find_opt known c) in
  { empty with size = !count; find0 = find }
