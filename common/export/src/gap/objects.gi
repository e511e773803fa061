DeclareRepresentation("IsMisereGameRep", IsComponentObjectRep and IsAttributeStoringRep, []);

BindGlobal("MISERE_GAME_TYPE",
  NewType(NewFamily("MisereGamesFamily"), IsMisereGame and IsMisereGameRep));

# The object of a record of MisereGames.
BindGlobal("MISERE_GAME_OF", function(m)
  if not IsBound(m.object) then
    m.object := Objectify(MISERE_GAME_TYPE, rec(record := m));
  fi;
  return m.object;
end);

InstallGlobalFunction(MisereGame, function(name)
  local m;
  if not IsString(name) then
    Error("a game is asked for by its code or name, such as \"0.77\" or \"Kayles\"");
  fi;
  m := MisereFind(name);
  if m = fail then
    Error("this package has no game \"", name, "\"; AllMisereGames() lists those it has");
  fi;
  return MISERE_GAME_OF(m);
end);

InstallGlobalFunction(AllMisereGames, {} -> List(MisereGames, MISERE_GAME_OF));

InstallMethod(MisereStatus, [IsMisereGame], game -> game!.record.status);

InstallMethod(PeriodOfGame, [IsMisereGame], function(game)
  if game!.record.period = fail then
    return fail;
  fi;
  return [game!.record.preperiod, game!.record.period];
end);

# The transformation that an element is, by its number.
BindGlobal("MISERE_ELEMENT", {quotient, x} ->
  Product(List(MisereWords(quotient!.record)[x], g -> quotient!.letters[g]), One(quotient)));

InstallMethod(PretendingFunction, [IsMisereGame], function(game)
  local quotient;
  quotient := MisereQuotient(game);
  return n -> MISERE_ELEMENT(quotient, MiserePhi(game!.record, n));
end);

InstallMethod(Outcome, [IsMisereGame, IsList],
  {game, heaps} -> MisereOutcome(game!.record, heaps));

InstallMethod(NimValue, [IsMisereGame, IsInt], {game, n} -> MisereNimValue(game!.record, n));

# The monoid of a record of MisereMonoids.
BindGlobal("MISERE_QUOTIENT_OF", function(m)
  local quotient;
  if not IsBound(m.object) then
    quotient := MisereMonoid(m);
    quotient!.record := m;
    quotient!.letters := List(m.action, Transformation);
    SetFilterObj(quotient, IsMisereQuotient);
    SetSize(quotient, m.order);
    SetIsCommutative(quotient, true);
    m.object := quotient;
  fi;
  return m.object;
end);

InstallMethod(MisereQuotient, [IsMisereGame], game -> MISERE_QUOTIENT_OF(game!.record.monoid));

InstallOtherMethod(MisereQuotient, [IsString], function(name)
  local m;
  m := First(MisereMonoids, m -> m.class = name or (m.name <> "" and m.name = name));
  if m = fail then
    return MisereQuotient(MisereGame(name));
  fi;
  return MISERE_QUOTIENT_OF(m);
end);

InstallMethod(PPortion, [IsMisereQuotient],
  quotient -> List(quotient!.record.pPortion, x -> MISERE_ELEMENT(quotient, x)));

InstallMethod(NameOfQuotient, [IsMisereQuotient], function(quotient)
  if quotient!.record.name = "" then
    return fail;
  fi;
  return quotient!.record.name;
end);

InstallMethod(GamesOfQuotient, [IsMisereQuotient],
  quotient -> List(Filtered(MisereGames, m -> IsIdenticalObj(m.monoid, quotient!.record)), MISERE_GAME_OF));

# A word given as a list of generators, or as exponents.
BindGlobal("MISERE_WORD", function(quotient, exponents)
  local factors, g, name;
  factors := [];
  for g in [1 .. Length(exponents)] do
    name := quotient!.record.generators[g];
    if exponents[g] = 1 then
      Add(factors, name);
    elif exponents[g] > 1 then
      Add(factors, Concatenation(name, "^", String(exponents[g])));
    fi;
  od;
  if IsEmpty(factors) then
    return "1";
  fi;
  return JoinStringsWithSeparator(factors, "*");
end);

InstallMethod(WordOfElement, [IsMisereQuotient, IsTransformation], function(quotient, x)
  local word, number;
  number := 1 ^ x;
  if number > quotient!.record.order or MISERE_ELEMENT(quotient, number) <> x then
    Error("this is not an element of the quotient");
  fi;
  word := MisereWords(quotient!.record)[number];
  return MISERE_WORD(quotient, List([1 .. Length(quotient!.letters)], g -> Number(word, letter -> letter = g)));
end);

# Each element goes to the product of the letters of its word.
InstallMethod(IsomorphismFpMonoid, [IsTransformationMonoid and IsMisereQuotient], function(quotient)
  local presented, letters, words;
  presented := MisereFpMonoid(quotient!.record);
  letters := GeneratorsOfMonoid(presented);
  words := MisereWords(quotient!.record);
  return MagmaIsomorphismByFunctionsNC(quotient, presented,
    x -> Product(List(words[1 ^ x], g -> letters[g]), One(presented)),
    x -> MappedWord(UnderlyingElement(x), FreeGeneratorsOfFpMonoid(presented), quotient!.letters));
end);

InstallMethod(String, [IsMisereGame], game -> game!.record.code);

InstallMethod(ViewString, [IsMisereGame], function(game)
  local m, text;
  m := game!.record;
  text := Concatenation("<game ", m.code, ": ", m.status, ", quotient of order ", String(m.order));
  if m.period <> fail then
    Append(text, Concatenation(", period ", String(m.period), " from heap ", String(m.preperiod)));
  else
    Append(text, Concatenation(", known to heap ", String(m.heaps)));
  fi;
  return Concatenation(text, ">");
end);

InstallMethod(PrintString, [IsMisereGame], game -> Concatenation("MisereGame(\"", game!.record.code, "\")"));

InstallMethod(DisplayString, [IsMisereGame], function(game)
  local m, quotient, text, n;
  m := game!.record;
  quotient := MisereQuotient(game);
  text := ViewString(game);
  if m.sentence <> fail then
    Append(text, Concatenation("\n", m.sentence));
  fi;
  Append(text, "\n");
  for n in [0 .. Minimum(m.heaps, Length(m.phi) - 1)] do
    Append(text, Concatenation("phi(", String(n), ") = ",
      WordOfElement(quotient, MISERE_ELEMENT(quotient, m.phi[n + 1])), "\n"));
  od;
  return text;
end);

InstallMethod(ViewString, [IsTransformationMonoid and IsMisereQuotient], function(quotient)
  local m, text, others;
  m := quotient!.record;
  text := "<misere quotient";
  if m.name <> "" then
    Append(text, Concatenation(" ", m.name));
  fi;
  Append(text, Concatenation(" of ", m.code));
  others := Length(GamesOfQuotient(quotient)) - 1;
  if others > 0 then
    Append(text, Concatenation(" (and ", String(others), " more)"));
  fi;
  return Concatenation(text, ", order ", String(m.order), ", P-portion of ",
    String(Length(m.pPortion)), ">");
end);

InstallMethod(DisplayString, [IsTransformationMonoid and IsMisereQuotient], function(quotient)
  local m, lines;
  m := quotient!.record;
  lines := [ViewString(quotient)];
  Append(lines, List([1 .. Length(m.generators)],
    g -> Concatenation(m.generators[g], " = phi(", String(m.generatorHeaps[g]), ") of ", m.code)));
  Append(lines, List(m.relations,
    r -> Concatenation(MISERE_WORD(quotient, r[1]), " = ", MISERE_WORD(quotient, r[2]))));
  Add(lines, Concatenation("P: ",
    JoinStringsWithSeparator(List(PPortion(quotient), x -> WordOfElement(quotient, x)), ", ")));
  return Concatenation(JoinStringsWithSeparator(lines, "\n"), "\n");
end);
