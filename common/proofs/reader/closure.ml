(* Things that are reached from one another, numbered in the order in which they are reached. *)

open Certificate

type 'a t = {
  numbers : ('a, int) Hashtbl.t;
  mutable items : 'a array;
  mutable count : int;
  most : int;
  what : string;
}

let make what most = { numbers = Hashtbl.create 97; items = [||]; count = 0; most; what }

let number c x =
  match Hashtbl.find_opt c.numbers x with
  | Some i -> i
  | None ->
    if c.count >= c.most then refuse "the claim needs more than %d %s" c.most c.what;
    if c.count = Array.length c.items then
      c.items <- Array.append c.items (Array.make (max 16 c.count) x);
    c.items.(c.count) <- x;
    Hashtbl.add c.numbers x c.count;
    c.count <- c.count + 1;
    c.count - 1

let item c i = c.items.(i)
let find c x = Hashtbl.find c.numbers x

(* Numbers what the steps lead to, from the item [from] on: [steps i x] lists what follows. *)
let close c from steps =
  let at = ref from in
  while !at < c.count do
    List.iter (fun x -> ignore (number c x)) (steps !at c.items.(!at));
    incr at
  done
