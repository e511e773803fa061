ReadPackage("misere", "objects.gd");
