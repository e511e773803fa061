# The manual: gap makedoc.g, in the directory of the package. It needs the packages AutoDoc and GAPDoc.
if LoadPackage("AutoDoc") = fail then
  Print("the package AutoDoc is missing\n");
  QUIT_GAP(1);
fi;
AutoDoc(rec(scaffold := true, autodoc := rec(files := ["objects.gd"])));
QUIT_GAP(0);
