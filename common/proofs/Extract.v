(** The proved functions as OCaml.

    Numbers become machine integers. This is one of the things that are believed; it is harmless
    here, because the reader hands over numbers up to 2^40 only. The functions add such numbers, and
    multiply them by the number of heaps that a move can leave, and so all stay far below 2^62. *)

From Coq Require Import Extraction ExtrOcamlBasic Arith.
From Misere Require Import Loops Monoid Needs Heaps Images Finite Periods Lists Tame Partials.

Extract Inductive nat => "int" [ "0" "Stdlib.succ" ]
  "(fun zero next n -> if n = 0 then zero () else next (n - 1))".
(* The library has each of these functions under two names. *)
Extract Inlined Constant Init.Nat.add => "(+)".
Extract Inlined Constant Init.Nat.sub => "(fun (a : int) b -> if a < b then 0 else a - b)".
Extract Inlined Constant Init.Nat.eqb => "(fun (a : int) b -> a = b)".
Extract Inlined Constant Init.Nat.leb => "(fun (a : int) b -> a <= b)".
Extract Inlined Constant Init.Nat.ltb => "(fun (a : int) b -> a < b)".
Extract Inlined Constant Init.Nat.min => "(fun (a : int) b -> if a <= b then a else b)".
Extract Inlined Constant Init.Nat.max => "(fun (a : int) b -> if a <= b then b else a)".
Extract Inlined Constant PeanoNat.Nat.add => "(+)".
Extract Inlined Constant PeanoNat.Nat.sub => "(fun (a : int) b -> if a < b then 0 else a - b)".
Extract Inlined Constant PeanoNat.Nat.eqb => "(fun (a : int) b -> a = b)".
Extract Inlined Constant PeanoNat.Nat.leb => "(fun (a : int) b -> a <= b)".
Extract Inlined Constant PeanoNat.Nat.ltb => "(fun (a : int) b -> a < b)".
Extract Inlined Constant PeanoNat.Nat.min => "(fun (a : int) b -> if a <= b then a else b)".
Extract Inlined Constant PeanoNat.Nat.max => "(fun (a : int) b -> if a <= b then b else a)".
Extract Inlined Constant Init.Nat.lxor => "(lxor)".
Extract Inlined Constant PeanoNat.Nat.lxor => "(lxor)".

Extraction "proved.ml" finite_ok period_ok construction_ok tame_ok
  stages_ok.
