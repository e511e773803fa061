#
# Read("monoids.g"); fills two lists of records.
#
# MisereMonoids has one quotient of each class:
#   code            the first of its games        codes   all games here that have this quotient
#   class, name     its class, its usual name
#   order           the number of elements; they are 1 .. order, and 1 is the identity
#   generators      their names                   generatorHeaps  heaps of the game `code` whose values they are
#   action          action[g][x] = x * g          pPortion        the elements that are P-positions
#   relations       pairs of words, as exponents; with commutation they present the monoid
#
# MisereGames has every game under each of its codes: all of the fields above, of its quotient, and
#   code, kept      the code, and the code under which the census keeps the game
#   sentence        of another code than that: how its heaps are numbered
#   rules           digits, options of a finite game, "grundy", ["heaps", options] or
#                   ["general", digits, digits that repeat]
#   live            its live heaps: ["all but", heaps] or ["only", heaps]
#   status, whole   what is known of the game (whole: for all heaps)
#   heaps, phi      the greatest heap to which phi is listed here; phi[n+1] is the value of heap n
#   preperiod, period   of a solved game, or fail: phi repeats from heap preperiod on
# Heap numbers are always those of the code.
#
# MisereFind("0.123")      the record of a game under any of its codes, or by its name; or fail
# MisereOutcome(m, heaps)  "P" or "N", for a list of heap sizes; a solved game knows every heap
# MiserePhi(m, n)          the value of heap n
# MisereNimValue(m, n)     the nim-value of heap n in normal play
# MisereMonoid(m)          the monoid, as transformations of its own elements
# MisereFpMonoid(m)        the monoid, finitely presented
# MisereProduct(m, x, y)   a product            MisereIdempotents(m)   the idempotents
# MisereCheck(m)           checks the quotient; of a game also outcomes against the rules
# MisereCheckAll();        checks every quotient, and every game under each of its codes
#
MisereMonoids := [];
MisereGames := [];
MisereNames := rec();

# The game with this code or name, or fail.
MisereFind := function(code)
  local found, letters;
  found := First(MisereGames, game -> game.code = code);
  letters := LowercaseString(Filtered(code, IsAlphaChar));
  if found = fail and IsBound(MisereNames.(letters)) then
    found := First(MisereGames, game -> game.code = MisereNames.(letters));
  fi;
  return found;
end;

MisereMonoid := function(m)
  if IsEmpty(m.action) then
    return Monoid(IdentityTransformation);
  fi;
  return Monoid(List(m.action, Transformation));
end;

MisereFpMonoid := function(m)
  local free, gens, word, relations, i, j, r;
  free := FreeMonoid(m.generators);
  gens := GeneratorsOfMonoid(free);
  word := exponents -> Product([1 .. Length(gens)], g -> gens[g] ^ exponents[g], One(free));
  relations := [];
  for i in [1 .. Length(gens)] do
    for j in [i + 1 .. Length(gens)] do
      Add(relations, [gens[j] * gens[i], gens[i] * gens[j]]);
    od;
  od;
  for r in m.relations do
    Add(relations, [word(r[1]), word(r[2])]);
  od;
  return free / relations;
end;

# For every element a word, as a list of generators; fail where there is none.
MisereWords := function(m)
  local words, queue, x, g, y;
  if IsBound(m.words) then
    return m.words;
  fi;
  words := ListWithIdenticalEntries(m.order, fail);
  words[1] := [];
  queue := [1];
  for x in queue do
    for g in [1 .. Length(m.action)] do
      y := m.action[g][x];
      if words[y] = fail then
        words[y] := Concatenation(words[x], [g]);
        Add(queue, y);
      fi;
    od;
  od;
  m.words := words;
  return words;
end;

MisereApply := function(m, x, word)
  local g;
  for g in word do
    x := m.action[g][x];
  od;
  return x;
end;

MisereProduct := function(m, x, y)
  return MisereApply(m, x, MisereWords(m)[y]);
end;

MisereIdempotents := function(m)
  local words;
  words := MisereWords(m);
  return Filtered([1 .. m.order], x -> MisereApply(m, x, words[x]) = x);
end;

# All ways to make so many heaps of the beans, none greater than most, greatest heap first.
MisereSums := function(beans, parts, most)
  local found, part;
  if parts = 0 then
    if beans = 0 then
      return [[]];
    fi;
    return [];
  fi;
  found := [];
  for part in [1 .. Minimum(beans, most)] do
    Append(found, List(MisereSums(beans - part, parts - 1, part), rest -> Concatenation([part], rest)));
  od;
  return found;
end;

# The options of heap n by digits with constraints: 0 none, 1 unequal, 2 not all equal, 3 equal.
MisereGeneralOptions := function(digits, block, n)
  local found, taken, digit, allowed, option, different, holds;
  found := [];
  for taken in [0 .. n] do
    digit := [];
    if taken < Length(digits) then
      digit := digits[taken + 1];
    elif Length(block) > 0 then
      digit := block[(taken - Length(digits)) mod Length(block) + 1];
    fi;
    for allowed in digit do
      if taken > 0 or allowed[1] > 1 then
        for option in MisereSums(n - taken, allowed[1], n - taken) do
          different := Length(Set(option));
          holds := [true, different = allowed[1], different > 1, different = 1];
          if allowed[1] < 2 or holds[allowed[2] + 1] then
            Add(found, option);
          fi;
        od;
      fi;
    od;
  od;
  return found;
end;

# The options of heap n by the rules: what each leaves, as a list of heaps.
MisereOptions := function(rules, n)
  local found, taken, digit, rest, small, middle;
  if rules = "grundy" then
    return List([1 .. QuoInt(n - 1, 2)], small -> [n - small, small]);
  elif rules[1] = "heaps" then
    if n < Length(rules[2]) then
      return rules[2][n + 1];
    fi;
    return [];
  elif rules[1] = "general" then
    return MisereGeneralOptions(rules[2], rules[3], n);
  elif IsList(rules[1]) then
    if n < Length(rules) then
      return List(rules[n + 1], option -> [option]);
    fi;
    return [];
  fi;
  found := [];
  for taken in [0 .. Minimum(n, Length(rules) - 1)] do
    digit := rules[taken + 1];
    rest := n - taken;
    if digit mod 2 = 1 and rest = 0 and taken > 0 then
      Add(found, []);
    fi;
    if QuoInt(digit, 2) mod 2 = 1 and rest >= 1 then
      Add(found, [rest]);
    fi;
    if QuoInt(digit, 4) mod 2 = 1 then
      for small in [1 .. QuoInt(rest, 2)] do
        Add(found, [rest - small, small]);
      od;
    fi;
    if QuoInt(digit, 8) mod 2 = 1 then
      for small in [1 .. QuoInt(rest, 3)] do
        for middle in [small .. QuoInt(rest - small, 2)] do
          Add(found, [rest - small - middle, middle, small]);
        od;
      od;
    fi;
  od;
  return found;
end;

# The misere outcome by the definition: "P" if there is an option and every option is "N". The record
# known remembers.
MisereOutcomeByRules := function(rules, heaps, known)
  local position, name, moved, others, i, option;
  position := SortedList(Filtered(heaps, heap -> heap > 0));
  name := String(position);
  if not IsBound(known.(name)) then
    moved := false;
    known.(name) := "P";
    for i in [1 .. Length(position)] do
      others := position{Difference([1 .. Length(position)], [i])};
      for option in MisereOptions(rules, position[i]) do
        moved := true;
        if MisereOutcomeByRules(rules, Concatenation(others, option), known) = "P" then
          known.(name) := "N";
          return "N";
        fi;
      od;
    od;
    if not moved then
      known.(name) := "N";
    fi;
  fi;
  return known.(name);
end;

# The place of a live heap among the live heaps of a game, counted from 1; 0 for a dead heap.
MisereRank := function(m, n)
  local heaps;
  heaps := m.live[2];
  if m.live[1] = "only" then
    if n in heaps then
      return Position(heaps, n);
    fi;
    return 0;
  elif n = 0 or n in heaps then
    return 0;
  fi;
  return n - Number(heaps, dead -> dead < n);
end;

# The live heap at a place; fail if there are not so many.
MisereLiveHeap := function(m, rank)
  local heap, dead;
  if m.live[1] = "only" then
    if rank <= Length(m.live[2]) then
      return m.live[2][rank];
    fi;
    return fail;
  fi;
  heap := rank;
  for dead in m.live[2] do
    if dead <= heap then
      heap := heap + 1;
    fi;
  od;
  return heap;
end;

# The heap that heap n is under the code that is kept; fail for a dead heap.
MisereKeptHeap := function(m, n)
  local rank;
  if not (IsInt(n) and n >= 0) then
    Error(n, " is no heap: heaps are the whole numbers from 0 on");
  fi;
  rank := MisereRank(m, n);
  if rank = 0 then
    return fail;
  fi;
  return MisereLiveHeap(m.known, rank);
end;

# The value of a heap of the code that is kept; fail if it is not known here.
MisereListed := function(m, heap)
  local game;
  game := m.known;
  if game.period <> fail and heap >= game.preperiod then
    heap := game.preperiod + (heap - game.preperiod) mod game.period;
  fi;
  if heap < Length(game.phi) then
    return game.phi[heap + 1];
  fi;
  return fail;
end;

MiserePhi := function(m, n)
  local heap, x;
  heap := MisereKeptHeap(m, n);
  if heap = fail then
    return 1;
  fi;
  x := MisereListed(m, heap);
  if x <> fail then
    return x;
  elif m.known.tameFrom <> fail then
    Error("heap ", n, " of ", m.code, " is not listed: phi is listed to heap ", m.heaps,
      ". The game is tame relative to a heap, so outcomes beyond follow from nim-values, ",
      "but values may lie in a greater quotient");
  elif m.known.whole then
    Error("heap ", n, " of ", m.code, " has no value here: phi is listed to heap ", m.heaps,
      ". The game is solved, by a law, an automaton or past an infinite quotient, and this export has none of them; ",
      "misere outcome decides its positions");
  fi;
  Error("heap ", n, " of ", m.code, " is not known: the game is not solved, and phi is known to heap ",
    m.heaps);
end;

# The nim-values of a game that is tame relative to a heap are worked out to this heap; it may be raised.
MisereGreatestNimHeap := 3000;

MisereNimSum := function(numbers)
  local sum, bit;
  sum := 0;
  bit := 1;
  while ForAny(numbers, x -> x > 0) do
    sum := sum + bit * (Number(numbers, IsOddInt) mod 2);
    numbers := List(numbers, x -> QuoInt(x, 2));
    bit := 2 * bit;
  od;
  return sum;
end;

MisereNimValue := function(m, n)
  local game, heap, reached, nim, option;
  n := MisereKeptHeap(m, n);
  if n = fail then
    return 0;
  fi;
  game := m.known;
  if game.nimPeriod <> fail and n >= game.nimPreperiod then
    n := game.nimPreperiod + (n - game.nimPreperiod) mod game.nimPeriod;
  fi;
  if n > MisereGreatestNimHeap then
    Error("the nim-value of heap ", n, " of ", game.code, " is needed; nim-values are worked out to heap ",
      MisereGreatestNimHeap, " (MisereGreatestNimHeap)");
  fi;
  for heap in [Length(game.nimValues) .. n] do
    reached := List(MisereOptions(game.rules, heap),
      option -> MisereNimSum(List(option, part -> game.nimValues[part + 1])));
    nim := 0;
    while nim in reached do
      nim := nim + 1;
    od;
    Add(game.nimValues, nim);
  od;
  return game.nimValues[n + 1];
end;

MisereOutcome := function(m, heaps)
  local monoid, words, x, n, large;
  monoid := m.monoid;
  large := heap -> heap <> fail and heap >= Length(m.known.phi);
  if m.known.tameFrom <> fail and ForAny(heaps, n -> large(MisereKeptHeap(m, n))) then
    # A heap so large makes the position lie in the kernel, where misere play is normal play.
    if MisereNimSum(List(heaps, n -> MisereNimValue(m, n))) = 0 then
      return "P";
    fi;
    return "N";
  fi;
  words := MisereWords(monoid);
  x := 1;
  for n in heaps do
    x := MisereApply(monoid, x, words[MiserePhi(m, n)]);
  od;
  if x in monoid.pPortion then
    return "P";
  fi;
  return "N";
end;

MisereOfMonoid := ["codes", "class", "name", "order", "generators", "generatorHeaps", "action",
  "pPortion", "relations"];

# Adds a game whose quotient is the one added last.
MisereAddGame := function(game)
  local name;
  game.kept := game.code;
  game.sentence := fail;
  game.monoid := MisereMonoids[Length(MisereMonoids)];
  game.known := game;
  game.nimValues := [];
  for name in MisereOfMonoid do
    game.(name) := game.monoid.(name);
  od;
  Add(MisereGames, game);
end;

# Adds a further code of a game that is there.
MisereAddAlias := function(game)
  local name;
  game.known := MisereFind(game.kept);
  game.monoid := game.known.monoid;
  for name in Concatenation(MisereOfMonoid, ["status", "whole", "period"]) do
    game.(name) := game.known.(name);
  od;
  game.phi := List([0 .. game.heaps], n -> MiserePhi(game, n));
  Add(MisereGames, game);
end;

# How many classes are told apart by the P-portion: as many as elements if the monoid is reduced.
MisereReducedOrder := function(m)
  local class, count, signatures, distinct, x;
  class := List([1 .. m.order], x -> 1);
  for x in m.pPortion do
    class[x] := 2;
  od;
  count := Length(Set(class));
  while true do
    signatures := List([1 .. m.order], x -> Concatenation([class[x]], List(m.action, row -> class[row[x]])));
    distinct := Set(signatures);
    if Length(distinct) = count then
      return count;
    fi;
    count := Length(distinct);
    class := List(signatures, signature -> PositionSorted(distinct, signature));
  od;
end;

# How many words no left side of a relation divides; fail if more than the order.
MisereNormalWords := function(m)
  local generators, lefts, r, g, queue, word, last, next, divides;
  generators := [1 .. Length(m.generators)];
  # lefts[g][e]: the left sides with e > 0 letters g.
  lefts := List(generators, g -> []);
  for r in m.relations do
    for g in generators do
      if r[1][g] > 0 then
        if not IsBound(lefts[g][r[1][g]]) then
          lefts[g][r[1][g]] := [];
        fi;
        Add(lefts[g][r[1][g]], r[1]);
      fi;
    od;
  od;
  divides := left -> ForAll(generators, i -> left[i] <= next[i]);
  queue := [List(generators, g -> 0)];
  for word in queue do
    # Each word once: no letter before the last one of the word.
    last := First(Reversed(generators), g -> word[g] > 0);
    if last = fail then
      last := 1;
    fi;
    for g in [last .. Length(generators)] do
      next := ShallowCopy(word);
      next[g] := next[g] + 1;
      # What divides the longer word and not the shorter one has all its letters g.
      if not (IsBound(lefts[g][next[g]]) and ForAny(lefts[g][next[g]], divides)) then
        Add(queue, next);
        if Length(queue) > m.order then
          return fail;
        fi;
      fi;
    od;
  od;
  return Length(queue);
end;

# The monoids up to these orders are also built and counted by GAP itself.
MisereTransformationsTo := 300;
MiserePresentedTo := 50;

MisereCheckMonoid := function(m)
  local elements, demand, words, value, monoid, idempotents, pair, i, j;
  elements := [1 .. m.order];
  demand := function(holds, what)
    if not holds then
      Error("misere quotient of ", m.code, ": ", what);
    fi;
  end;
  demand(ForAll(m.action, row -> Length(row) = m.order and ForAll(row, x -> x in elements)), "the action is no table");
  for i in [1 .. Length(m.action)] do
    for j in [i + 1 .. Length(m.action)] do
      demand(ForAll(elements, x -> m.action[i][m.action[j][x]] = m.action[j][m.action[i][x]]), "generators do not commute");
    od;
  od;
  # Commuting maps under which every element comes from the first one: the monoid they generate has as many elements as there are.
  words := MisereWords(m);
  demand(not fail in words, "the generators do not generate it");
  demand(IsSubset(elements, m.pPortion) and not 1 in m.pPortion, "the P-portion is none");
  demand(MisereReducedOrder(m) = m.order, "it is not reduced");
  value := exponents -> MisereApply(m, 1, Concatenation(List([1 .. Length(exponents)], g -> ListWithIdenticalEntries(exponents[g], g))));
  demand(ForAll(m.relations, r -> value(r[1]) = value(r[2])), "a relation does not hold");
  # The relations hold, and the words they leave are as many as the elements: they present it.
  demand(MisereNormalWords(m) = m.order, "the relations do not present it");
  idempotents := Filtered(elements, x -> MisereApply(m, x, words[x]) = x);
  if m.order <= MisereTransformationsTo then
    monoid := MisereMonoid(m);
    demand(Size(monoid) = m.order, "GAP counts another order");
    demand(IsCommutative(monoid), "GAP finds it not commutative");
    demand(Number(monoid, x -> x ^ 2 = x) = Length(idempotents), "GAP counts other idempotents");
  fi;
  if m.order <= MiserePresentedTo then
    demand(Size(MisereFpMonoid(m)) = m.order, "GAP counts another order of the presentation");
  fi;
  return rec(order := m.order, idempotents := Length(idempotents), pSize := Length(m.pPortion));
end;

# Checks that what is listed is a pretending function, and repeats as it is said to.
MisereCheckPhi := function(m)
  local demand, monoid, game, values, words, product, large;
  demand := function(holds, what)
    if not holds then
      Error(m.code, ": ", what);
    fi;
  end;
  monoid := m.monoid;
  game := m.known;
  values := List([0 .. m.heaps], n -> MiserePhi(m, n));
  demand(values[1] = 1 and IsSubset([1 .. monoid.order], values), "phi is none");
  demand(m.kept <> m.code or values = m.phi, "phi has another length");
  if m.code = monoid.code then
    demand(ForAll([1 .. Length(monoid.action)],
        g -> values[monoid.generatorHeaps[g] + 1] = monoid.action[g][1]),
      "a generator is not the value of its heap");
  fi;
  if m.period <> fail then
    demand(ForAll([game.preperiod + 1 .. Length(game.phi) - game.period],
        n -> game.phi[n] = game.phi[n + game.period]),
      "phi does not repeat");
    demand(ForAll([m.preperiod .. m.preperiod + m.heaps],
        n -> MiserePhi(m, n) = MiserePhi(m, n + m.period)),
      "phi does not repeat under this code");
  fi;
  if m.kept = m.code and m.tameFrom <> fail then
    large := [m.tameFrom .. Minimum(Length(values) - 1, m.tameFrom + 19)];
    words := MisereWords(monoid);
    product := {i, j} -> MisereApply(monoid, values[i + 1], words[values[j + 1]]);
    demand(ForAll(large, i -> ForAll([1 .. Length(values) - 1], j -> j > m.tameFrom + 19
        or (product(i, j) in monoid.pPortion) = (MisereNimValue(m, i) = MisereNimValue(m, j)))),
      "misere play is not normal play from the heap on");
  fi;
end;

# Outcomes are compared with the rules for all positions of so many heaps and beans at most.
MisereCheckedHeaps := 3;
MisereCheckedBeans := 12;

# Compares outcomes with those by the rules of this very code; tells for how many positions.
MisereCheckByRules := function(m)
  local known, heaps, positions, position, predicted, byRules, n;
  heaps := Filtered([1 .. MisereCheckedBeans], function(n)
    local heap;
    heap := MisereKeptHeap(m, n);
    return heap = fail or MisereListed(m, heap) <> fail or m.known.tameFrom <> fail;
  end);
  known := rec();
  positions := [[]];
  for position in positions do
    predicted := MisereOutcome(m, position);
    byRules := MisereOutcomeByRules(m.rules, position, known);
    if predicted <> byRules then
      Error(m.code, ": the position ", position, " is ", byRules, " by the rules, and ", predicted,
        " by the quotient");
    fi;
    if Length(position) < MisereCheckedHeaps then
      for n in heaps do
        if n >= Maximum(Concatenation([1], position)) and Sum(position) + n <= MisereCheckedBeans then
          Add(positions, Concatenation(position, [n]));
        fi;
      od;
    fi;
  od;
  return Length(positions);
end;

MisereCheck := function(m)
  local found;
  if not IsBound(m.monoid) then
    return MisereCheckMonoid(m);
  fi;
  found := MisereCheckMonoid(m.monoid);
  MisereCheckPhi(m);
  found.positions := MisereCheckByRules(m);
  return found;
end;

MisereCheckAll := function()
  local m, found, positions;
  for m in MisereMonoids do
    found := MisereCheckMonoid(m);
    Print(m.code, " order ", found.order, " idempotents ", found.idempotents, " P-portion ", found.pSize, "\n");
  od;
  Print("monoids checked: ", Length(MisereMonoids), "\n");
  positions := 0;
  for m in MisereGames do
    MisereCheckPhi(m);
    positions := positions + MisereCheckByRules(m);
  od;
  Print(Length(MisereGames), " codes of ", Number(MisereGames, m -> m.code = m.kept),
    " games agree with their rules in ", positions, " positions\n");
end;

