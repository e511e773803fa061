# TestPackage("misere"); checks all monoids and games of the package, and the objects made of them.
LoadPackage("misere");
MisereCheckAll();
Perform(AllMisereGames(), function(game)
  local quotient, phi, values, positions, heaps, position;
  quotient := MisereQuotient(game);
  phi := PretendingFunction(game);
  heaps := [0 .. Minimum(4, game!.record.heaps)];
  for position in UnorderedTuples(heaps, 2) do
    if (Outcome(game, position) = "P") <> (Product(List(position, phi)) in PPortion(quotient)) then
      Error(String(game), ": ", position, " has another outcome by its value");
    fi;
  od;
end);
Print("#I  No errors detected while testing\n");
QUIT_GAP(0);
