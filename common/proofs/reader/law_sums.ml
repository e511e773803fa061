(* The sets of sums for hypothesis A6 of a law: searched for by trying the proved statement, and
   adding what it says is missing. *)

open! Proved_infinite

type t = {
  law : law;
  units : int;
  first : int;  (* weights are told apart by their residues from here on *)
  kinds : (int * int * int, (int * int) list) Hashtbl.t;
  (* units and weights of idle heaps, by the slot of the greatest heap, and the residue and the unit
     of the rest *)
  sums : (int * int * int, sum_sets) Hashtbl.t;
}

let empty law units =
  { law; units; first = max 1 (List.length law.first_totals); kinds = Hashtbl.create 97;
    sums = Hashtbl.create 97 }

let cyclic s weight =
  if weight < s.first then weight else s.first + (weight - s.first) mod s.law.modulus

(* The set of all sums of some units and weights. *)
let all_sums s kinds =
  let sets = Array.make (s.first + s.law.modulus) 0 in
  let rec go u w =
    if sets.(w) land (1 lsl u) = 0 then begin
      sets.(w) <- sets.(w) lor (1 lsl u);
      List.iter (fun (u', w') -> go (u lxor u') (cyclic s (w + w'))) kinds
    end in
  go 0 0;
  let listed from n = Array.to_list (Array.sub sets from n) in
  { early = listed 0 s.first; later = listed s.first s.law.modulus }

let sets s key =
  match Hashtbl.find_opt s.sums key with
  | Some sets -> sets
  | None ->
    let kinds = Option.value ~default:[] (Hashtbl.find_opt s.kinds key) in
    let sets = all_sums s kinds in
    Hashtbl.replace s.sums key sets;
    sets

let sums s z residue unit = sets s (z, residue, unit)

(* Adds the unit and the weight of a heap. [false]: they are known. *)
let add s key kind =
  let known = Option.value ~default:[] (Hashtbl.find_opt s.kinds key) in
  let is_new = not (List.mem kind known) in
  if is_new then begin
    Hashtbl.replace s.kinds key (kind :: known);
    Hashtbl.remove s.sums key
  end;
  is_new

(* Adds the kinds of idle heaps, until the statement of each pair of slots holds, or fails for
   another reason. *)
let search code law units base small gap covers =
  let s = empty law units in
  let all = List.map (fun y -> (y, replies code law small y)) (slots law base) in
  let settle_pair (z, rz) (y, ry) =
    let fy = fact law (fst y) in
    for o = 0 to law.law_slope - 1 do
      for v = 0 to units - 1 do
        let residue = (fy.weight_of + o) mod law.law_slope and unit = fy.unit_of lxor v in
        let key = (fst z, residue, unit) in
        let rec go () =
          let statement =
            answered law units gap (sums s (fst z) residue unit) z y rz ry v
              (rest_term 2 o) in
          match statement with
          | Constant _ -> ()
          | _ ->
            let cover = Law_covers.cover covers (Law_covers.find covers 3 statement) in
            let again = ref false in
            for i = 0 to cover.cover_size - 1 do
              let x = cover.tuple i in
              if not !again && not (holds law.law_slope statement x) then begin
                let periods = List.nth x 1 in
                let weight = if snd y then fy.weight_of + law.law_slope * periods
                  else fy.weight_of in
                if add s key (fy.unit_of, cyclic s weight) then again := true
              end
            done;
            if !again then go () in
        go ()
      done
    done in
  List.iter (fun ((z, _) as ez) ->
      if snd z || not (no_options code (fst z)) then List.iter (settle_pair ez) all)
    all;
  s
