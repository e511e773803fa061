(* The untrusted search for the periods of the outcomes in families of normal words: T8 of
   docs/presentations.md. *)

open! Proved_infinite

(* The number of copies from which a period is guessed, as in `misere present`. *)
let looked_at = 128

(* The least index and period of a list that shows the period twice. *)
let cycle list =
  let size = Array.length list in
  let from period =
    let rec last at = if at < 0 then 0 else if list.(at) <> list.(at + period) then at + 1
      else last (at - 1) in
    last (size - period - 1) in
  let rec go period =
    if period > size / 4 then None
    else
      let index = from period in
      if index + (2 * period) <= size / 2 then Some (index, period) else go (period + 1) in
  go 1

let search whole presentation =
  let a = (diagram_of whole).diagram_reader in
  let none = (0, 1, { run_count = 0; run_pair = (fun _ -> raise Not_found);
                      run_next = (fun _ _ -> 0) }) in
  let of_family family =
    if all_zero family.free || marked family.free <> 1 then none
    else
      let first = Array.init looked_at (fun k ->
          word_is_P whole presentation (in_member family k)) in
      match cycle first with
      | None -> none
      | Some (index, period) ->
        let place k = place_of_word whole presentation (in_member family k) in
        let free = (word_of_counts whole presentation family.free).of_digits in
        let runs = Infinite_equality.read_on a (masked free)
            [ { one_run = place index; other_run = place (index + period) } ] in
        (index, period, Infinite_equality.to_runs a runs) in
  let found = Array.of_list (List.map of_family (normal_families presentation)) in
  { from_copies = (fun i -> let r, _, _ = found.(i) in r);
    copies_period = (fun i -> let _, p, _ = found.(i) in p);
    copies_runs = (fun i -> let _, _, runs = found.(i) in runs);
    first_pair = (fun _ -> 0) }
