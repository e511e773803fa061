ReadPackage("misere", "monoids.g");
ReadPackage("misere", "objects.gi");
