#
# Read("monoids.g"); fills MisereMonoids, a list of records:
#   code            the code of the game          codes   all games here that have this quotient
#   class, name     its class, its usual name     status, whole   what is known of the game (whole: for all heaps)
#   order           the number of elements; they are 1 .. order, and 1 is the identity
#   generators      their names                   generatorHeaps  heaps whose values they are
#   action          action[g][x] = x * g          pPortion        the elements that are P-positions
#   relations       pairs of words, as exponents; with commutation they present the monoid
#   phi             phi[n+1] is the value of heap n, for n = 0 .. heaps
#
# MisereFind("0.123")      the record of a game
# MisereMonoid(m)          the monoid, as transformations of its own elements
# MisereFpMonoid(m)        the monoid, finitely presented
# MisereProduct(m, x, y)   a product            MisereIdempotents(m)   the idempotents
# MisereOutcome(m, heaps)  "P" or "N", for a list of heap sizes
# MisereCheck(m)           checks all of it; an error if something is wrong
# MisereCheckAll();        checks every record and prints a line for each
#
MisereMonoids := [];

MisereFind := code -> First(MisereMonoids, m -> code in m.codes);

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

MisereOutcome := function(m, heaps)
  local words, x, n;
  words := MisereWords(m);
  x := 1;
  for n in heaps do
    x := MisereApply(m, x, words[m.phi[n + 1]]);
  od;
  if x in m.pPortion then
    return "P";
  fi;
  return "N";
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

MisereCheck := function(m)
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
  demand(Length(m.phi) = m.heaps + 1 and m.phi[1] = 1 and IsSubset(elements, m.phi), "phi is none");
  demand(ForAll([1 .. Length(m.action)], g -> m.phi[m.generatorHeaps[g] + 1] = m.action[g][1]), "a generator is not the value of its heap");
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

MisereCheckAll := function()
  local m, found;
  for m in MisereMonoids do
    found := MisereCheck(m);
    Print(m.code, " order ", found.order, " idempotents ", found.idempotents, " P-portion ", found.pSize, "\n");
  od;
  Print(Length(MisereMonoids), " monoids checked\n");
end;
