(* A presentation of an infinite quotient, as its document says (docs/reference.md, "misere present"),
   searched through and judged by the proved part; and two positions compared. The hypotheses W1 to
   W7 are in docs/presentations.md. *)

open Certificate
open! Proved_infinite

let demand = Infinite.demand

(* The same bounds as those of `misere verify`, and fewer heaps: they bound the work only. *)
let most_heaps = 2_000
let most_relations = 20_000
let most_exponent = 10_000
let most_degrees = 2_000
let most_words = 200_000

(* ---- Words ---- *)

(* The name of a generator: a, b, …, z, a_1, b_1, … *)
let name_of g =
  let letter = String.make 1 (Char.chr (Char.code 'a' + (g mod 26))) in
  if g < 26 then letter else Printf.sprintf "%s_%d" letter (g / 26)

let show word =
  let power g = function
    | 0 -> ""
    | 1 -> name_of g
    | x -> Printf.sprintf "%s^%d" (name_of g) x in
  match String.concat "" (List.mapi power word) with
  | "" -> "1"
  | text -> text

(* The exponents of a word such as "ab^2". *)
let word generators text =
  let bad () = refuse "%S is no word in the generators" text in
  let size = String.length text in
  let is_digit at = at < size && text.[at] >= '0' && text.[at] <= '9' in
  let rec number at n =
    if is_digit at && n <= most_exponent then
      number (at + 1) ((10 * n) + Char.code text.[at] - Char.code '0')
    else (n, at) in
  let exponents = Array.make generators 0 in
  let rec go at =
    if at < size then begin
      if text.[at] < 'a' || text.[at] > 'z' then bad ();
      let letter = Char.code text.[at] - Char.code 'a' in
      let after sign at =
        if at < size && text.[at] = sign then
          if is_digit (at + 1) then number (at + 1) 0 else bad ()
        else ((if sign = '_' then 0 else 1), at) in
      let round, next = after '_' (at + 1) in
      let exponent, next = after '^' next in
      let g = letter + (26 * round) in
      if g >= generators || exponents.(g) > 0 || exponent = 0 || exponent > most_exponent then bad ();
      exponents.(g) <- exponent;
      go next
    end in
  if text <> "1" then if text = "" then bad () else go 0;
  Array.to_list exponents

let relation generators document =
  let text = Json.text "relation" document in
  match String.split_on_char '=' text with
  | [ left; right ] ->
    { left = word generators (String.trim left); right = word generators (String.trim right) }
  | _ -> refuse "%S is no equation of two words" text

let words generators name document =
  List.map (fun w -> word generators (Json.text name w)) (Json.list name document)

(* ---- The quotient ---- *)

(* The quotients that were proved, by code and greatest heap, for comparisons that follow. *)
let proved : (string * int, whole) Hashtbl.t = Hashtbl.create 7

let ascending = Infinite_evidence.ascending

let demand_silent code heaps e silent =
  let spoken = letters e @ List.map fst e.words in
  demand (ascending silent) "the heaps of which nothing is claimed are not listed in ascending order";
  for h = 0 to heaps do
    let is_live = Infinite_evidence.options code h > 0 in
    if List.mem h silent then begin
      if not is_live then refuse "heap %d, of which nothing is said to be claimed, is dead" h;
      if List.mem h spoken then
        refuse "nothing is said to be claimed of heap %d, but the evidence speaks of it" h
    end
    else if is_live && not (List.mem h spoken) then
      refuse "the evidence says nothing of heap %d, which is not listed as silent" h
  done;
  List.iter (fun h -> if h > heaps then refuse "heap %d is silent, and greater than all heaps" h)
    silent

(* W1, W2 and W7. *)
let read_whole code name document =
  let open Json in
  let heaps = int "heaps" (field "heaps" document) in
  if heaps > most_heaps then refuse "the quotient of more than %d heaps is not read" most_heaps;
  let read = Infinite_diagram.read code heaps (field "diagram" document) in
  let d = read.diagram in
  Infinite.demand_diagram code heaps d;
  let silent = Array.to_list (ints "silent_heaps" (field "silent_heaps" document)) in
  demand_silent code heaps (letters_of d) silent;
  let claim = Infinite.claim_of_diagram code read in
  let reach = All_heaps.reached (Array.append read.after read.children) [ d.root ] in
  let whole =
    { whole_claim = claim; last_heap = heaps; silent_heaps = silent;
      talking = (fun q -> reach.(q)) } in
  Infinite.demand_talks
    (talks_ok d.diagram_reader whole.talking && nodes_talk d whole.talking && whole.talking d.root);
  demand (whole_ok code whole) "the evidence is not proved";
  Hashtbl.replace proved (name, heaps) whole;
  (whole, read.distinct)

let heaps_text whole =
  Printf.sprintf "heaps 0 to %d%s" whole.last_heap
    (match whole.silent_heaps with
     | [] -> ""
     | silent -> " without " ^ String.concat ", " (List.map string_of_int silent))

(* ---- Relations ---- *)

let demand_relations n relations =
  List.iteri (fun i r ->
      if not (relation_ok n r) then
        refuse "relation number %d (counted from 0) does not lead from a word to a lesser one" i)
    relations;
  demand (reduced_from [] relations) "a relation can be shortened by another one"

let demand_holds whole presentation =
  let d = diagram_of whole in
  List.iteri (fun i r ->
      let counts side = word_of_counts whole presentation side in
      if Infinite_equality.difference d (counts r.left) (counts r.right) <> None then
        refuse "the sides of relation number %d (counted from 0) are not equal" i)
    presentation.relations

(* Refuses what would take too long: more normal words to a degree, or more families of them, than are
   read. *)
let bound_words n relations most_degree =
  let count = ref 0 in
  let rec go n most lefts =
    if not (List.exists all_zero lefts) then
      if n = 0 then begin
        incr count;
        if !count > most_words then refuse "there are more than %d normal words" most_words
      end
      else
        for x = 0 to Option.value ~default:(greatest lefts) most do
          go (n - 1) (Option.map (fun d -> d - x) most) (still x lefts)
        done in
  go n most_degree (List.map (fun r -> r.left) relations)

(* ---- What is written for readers ---- *)

let numbers_by_degree document =
  Array.to_list (Json.ints "hilbert" (Json.field "hilbert" document))

let demand_numbers n relations document =
  let open Json in
  let numbers = numbers_by_degree document in
  let last = int "the last degree" (match field "polynomial_from" document with
      | Null -> field "degree" document
      | from -> from) in
  demand (List.length numbers = 1 + min last most_degrees)
    "the numbers by degree do not end at the degree to which they are listed";
  bound_words n relations (Some (List.length numbers - 1));
  demand (hilbert_ok n relations numbers) "the numbers by degree are not those of normal words";
  let degree = int "normal_degree" (field "normal_degree" document) in
  demand (degree < List.length numbers) "the normal words go beyond the degrees that are counted";
  let listed = words n "normal_words" (field "normal_words" document) in
  demand (normal_words_ok n relations degree listed)
    "the words listed are not the normal words, in their order"

(* Of the numbers of elements of greater degrees: what is proved, and whether that is all. *)
let judge_degrees n relations document =
  let open Json in
  let from = int "polynomial_from" (field "polynomial_from" document) in
  let numbers = numbers_by_degree document in
  if int "dimension" (field "dimension" document) > 1 then
    ("; the numbers of elements of greater degrees are not looked at", false)
  else begin
    let each = List.nth numbers (List.length numbers - 1) in
    demand (same_number_from n relations from each)
      "the numbers by degree do not stay the same from the degree stated on";
    (Printf.sprintf "; %d elements of every degree from %d on" each from, true)
  end

(* These fields have no theorem of their own: they are computed again and compared. *)
let demand_facts presentation document =
  let open Json in
  let families = normal_families presentation in
  let free f = List.length (List.filter (fun x -> x > 0) f.free) in
  let most f = List.fold_left (fun m x -> max m (f x)) 0 in
  let expected = [
    ("dimension", most free families);
    ("polynomial_from", most (fun f -> degree f.least + if free f = 0 then 1 else 0) families);
    ("degree", most (fun r -> degree r.left) presentation.relations) ] in
  List.iter (fun (name, value) ->
      if int name (field name document) <> value then refuse "the %s is not %d" name value)
    expected

let portion n document =
  let open Json in
  let progression p =
    let side name = word n (text name (field name p)) in
    (side "first", side "step") in
  { p_words = words n "words" (field "words" document);
    progressions = List.map progression (list "progressions" (field "progressions" document)) }

let judge_portion whole presentation document =
  let n = List.length presentation.generators in
  match Json.field "p_portion" document with
  | Json.Null -> "; the P-portion is not described"
  | described ->
    let portion = portion n described in
    demand (ascending_words portion.p_words
            && ascending_words (List.map fst portion.progressions))
      "the words or the progressions of the P-portion are not in their order";
    let search = Infinite_portion.search whole presentation in
    demand (portion_ok whole presentation portion search)
      "the words and progressions are not the P-portion";
    Printf.sprintf "; the P-portion is that of %d words and %d progressions"
      (List.length portion.p_words) (List.length portion.progressions)

(* What acceptance says, and whether all of the claim was judged; or refused. *)
let judge code name document =
  let open Json in
  if int "schema" (field "schema" document) <> 1 then refuse "the schema is not 1";
  if text "convention" (field "convention" document) <> "misere" then
    refuse "the convention is not misère play";
  if text "status" (field "status" document) <> "infinite" then
    refuse "the status of a presentation is not \"infinite\"";
  let whole, distinct = read_whole code name document in
  let d = diagram_of whole in
  let heap i g =
    if text "name" (field "name" g) <> name_of i then refuse "generator %d has a wrong name" i;
    int "heap" (field "heap" g) in
  let generators = List.mapi heap (list "generators" (field "generators" document)) in
  demand (generators = List.sort compare (letters (letters_of d)))
    "the generators are not the letters of the evidence, in ascending order";
  let n = List.length generators in
  let relations = list "relations" (field "relations" document) in
  if List.length relations > most_relations then refuse "there are too many relations";
  let relations = List.map (relation n) relations in
  let complete = field "complete" document = Bool true in
  let extent = if complete then None else Some (int "degree" (field "degree" document)) in
  demand_relations n relations;
  (match extent with
   | Some degree when degree > most_degrees -> refuse "the degree is more than %d" most_degrees
   | _ -> bound_words n relations extent);
  let nothing =
    { questions = Leaf; masks = []; mask_pairs = []; steadies = (fun _ -> raise Not_found);
      sets_for = (fun _ _ -> raise Not_found); first_set = (fun _ _ -> 0);
      begins_with = (fun _ _ _ -> []) } in
  let claimed =
    { generators; relations; extent; alike_sides = (fun _ -> raise Not_found);
      telling_normal = nothing } in
  demand_holds whole claimed;
  let sides = Array.of_list (List.map (fun r ->
      let counts side = word_of_counts whole claimed side in
      Infinite_equality.search d (counts r.left) (counts r.right)) relations) in
  let families = normal_families claimed in
  List.iter (fun f ->
      if not (free_digits whole claimed f) then
        refuse "some of the words that begin with %s have equal value, which no relation says"
          (show f.least))
    families;
  let shown = Array.of_list families in
  let telling = Infinite_apart.search d (fun i -> show shown.(i).least)
      (all_counted whole claimed 0 families) in
  let presentation =
    { claimed with alike_sides = (fun i -> sides.(i)); telling_normal = telling } in
  demand (presentation_ok whole presentation) "the presentation is not proved";
  if complete then demand_facts presentation document
  else
    List.iter (fun name ->
        if field name document <> Null then
          refuse "the field %s is not null, but the relations are not said to present the quotient"
            name)
      [ "dimension"; "polynomial_from"; "p_portion" ];
  demand_numbers n relations document;
  let degrees, whole_claim =
    if complete then judge_degrees n relations document else ("", true) in
  let portion = if complete then judge_portion whole presentation document else "" in
  let text = Printf.sprintf
      "presentation: %d relations %s the misère quotient of %s%s%s; it is infinite; all multiples \
       of heap %s differ"
      (List.length relations)
      (match extent with
       | None -> "present"
       | Some k -> Printf.sprintf "give all equalities of words of at most %d letters in" k)
      (heaps_text whole) degrees portion
      (String.concat " and of heap " (List.map string_of_int distinct)) in
  (text, whole_claim)

(* ---- Two positions ---- *)

(* The copies together are bounded as one number is, so that no count of letters overflows. *)
let position document =
  let total = ref 0 in
  let entry = function
    | [ heap; copies ] ->
      let copies = Json.int "copies" copies in
      total := !total + copies;
      if !total > Json.greatest then refuse "a position has more heaps than can be read";
      (Json.int "heap" heap, copies)
    | _ -> refuse "an entry of a position is no pair" in
  List.map (fun e -> entry (Json.list "position" e)) (Json.list "position" document)

let show_position = function
  | [] -> "nothing else"
  | position ->
    String.concat " + " (List.map (fun (h, k) ->
        if k = 1 then string_of_int h else Printf.sprintf "%d·%d" k h) position)

(* How many lesser companies are tried at most. *)
let most_lesser = 200_000

(* The number of words of [n] letters and of degree at most [k], or a bound for it. *)
let words_below n k =
  let rec product m i =
    if i > n || m > most_lesser then m else product (m * (k + i) / i) (i + 1) in
  product 1 1

(* Accepted by the quotient of a presentation that was accepted before: what that says, and whether
   all of the claim was judged. *)
let judge_comparison name document =
  let open Json in
  if int "schema" (field "schema" document) <> 1 then refuse "the schema is not 1";
  if text "convention" (field "convention" document) <> "misere" then
    refuse "the convention is not misère play";
  let heaps = int "heaps" (field "heaps" document) in
  let whole = match Hashtbl.find_opt proved (name, heaps) with
    | Some whole -> whole
    | None ->
      refuse "a comparison is judged by the presentation of the same quotient, which has to be read \
              before it" in
  let e = evidence_of whole in
  let spoken = List.sort compare (letters e @ List.map fst e.words) in
  let listed = Array.to_list (ints "spoken_of" (field "spoken_of" document)) in
  demand (listed = spoken) "the heaps spoken of are not those of the presentation";
  let one, other = match list "positions" (field "positions" document) with
    | [ one; other ] -> (position one, position other)
    | _ -> refuse "a comparison does not have two positions" in
  List.iter (fun (h, _) ->
      if not (heap_in whole h) then refuse "heap %d is not spoken of" h)
    (one @ other);
  let quotient = Printf.sprintf "the misère quotient of %s" (heaps_text whole) in
  match field "equal" document, field "apart" document with
  | Bool true, Null ->
    let counts = counts_in e in
    demand (Infinite_equality.difference (diagram_of whole) (counts one) (counts other) = None)
      "the positions differ";
    let search = Infinite_equality.search (diagram_of whole) (counts one) (counts other) in
    demand (equal_ok whole one other search) "the equality is not proved";
    (Printf.sprintf "comparison: %s and %s are equal in %s" (show_position one)
       (show_position other) quotient, true)
  | Bool false, (List _ as apart) ->
    let company = position apart in
    demand (different_ok whole one other company)
      "the company does not have different outcomes with the positions";
    let text = Printf.sprintf "comparison: %s and %s differ in %s, with %s" (show_position one)
        (show_position other) quotient (show_position company) in
    let letters = List.sort compare (letters e) in
    let letters_only = List.for_all (fun (h, _) -> List.mem h letters) company in
    demand letters_only "the company does not consist of letters";
    let degree = List.fold_left (fun n (_, k) -> n + k) 0 company in
    if words_below (List.length letters) degree > most_lesser then
      (text ^ "; that no lesser position does is not looked at", false)
    else begin
      demand (least_ok whole letters one other company)
        "a lesser company tells the positions apart";
      (text ^ ", and with no lesser sum of letters", true)
    end
  | _ -> refuse "a comparison says neither that its positions are equal nor where they differ"
