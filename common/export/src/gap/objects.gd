#! @Chapter Games and quotients
#!
#! In misere play the player who makes the last move loses. The sums of the heaps of an impartial game,
#! modulo the relation that no sum distinguishes them, form a commutative monoid $Q$, the
#! <E>misere quotient</E>; the values of the positions that the player who has just moved wins are its
#! <E>P-portion</E>. The <E>pretending function</E> maps a heap to its value. A game whose quotient is
#! finite and whose pretending function repeats is solved: the outcome of a position is read off the
#! product of the values of its heaps.
#!
#! The package has the games and quotients that were selected when it was exported from a census;
#! <C>manifest.json</C> states the census and the selection. Each value was proved there by a certificate.
#! <C>TestPackage("misere")</C> checks from the files alone that the monoids are what they should be,
#! and compares the outcomes of small positions with the rules of each game.

#! @Section Games

#! @Description
#! The category of the games of this package.
DeclareCategory("IsMisereGame", IsObject);

#! @Arguments name
#! @Returns a game
#! @Description
#! Returns the game with this code or name, such as <C>"0.77"</C> or <C>"Kayles"</C>; of a name only
#! letters count. Heap numbers are always those of the code. It is an error if the package has no such
#! game.
DeclareGlobalFunction("MisereGame");

#! @Arguments
#! @Returns a list
#! @Description
#! Returns every game of the package under each of its codes.
DeclareGlobalFunction("AllMisereGames");

#! @Arguments game
#! @Returns a string
#! @Description
#! Returns what is known of the game: <C>"solved"</C>, <C>"tame"</C>, <C>"infinite"</C> and such, as the
#! census names it.
DeclareAttribute("MisereStatus", IsMisereGame);

#! @Arguments game
#! @Returns a list of two numbers, or fail
#! @Description
#! Returns the preperiod and the period of the pretending function if they are known: from heap
#! <M>preperiod</M> on the values repeat.
DeclareAttribute("PeriodOfGame", IsMisereGame);

#! @Arguments game
#! @Returns a function
#! @Description
#! Returns the function that maps a heap to its value, an element of <C>MisereQuotient(game)</C>.
#! Calling it with a heap whose value is not known is an error that says how far the game is known.
DeclareAttribute("PretendingFunction", IsMisereGame);

#! @Arguments game, heaps
#! @Returns <C>"P"</C> or <C>"N"</C>
#! @Description
#! Returns the outcome of a position in misere play: <C>"N"</C> if the player who moves next wins.
#! <A>heaps</A> lists the sizes of the heaps. Of a solved game all heaps are known. An outcome that is
#! not known is an error.
DeclareOperation("Outcome", [IsMisereGame, IsList]);

#! @Arguments game, n
#! @Returns a number
#! @Description
#! Returns the nim-value of heap <A>n</A> in normal play, to heap <C>MisereGreatestNimHeap</C>, or further
#! by the period if one is known.
DeclareOperation("NimValue", [IsMisereGame, IsInt]);

#! @Section Quotients

#! A misere quotient is a commutative monoid of transformations of its own elements, so that all
#! functions for transformation monoids apply, those of the package Semigroups among them.
#! <C>IsomorphismFpMonoid</C> leads to its presentation.
DeclareFilter("IsMisereQuotient", 1000);

#! @Arguments game
#! @Returns a monoid
#! @Description
#! Returns the last quotient that is known of a game: that of all heaps if the game is solved by a finite
#! quotient, and otherwise that of the heaps to which the pretending function is listed. Games with
#! isomorphic quotients share it. The argument may be a game, a code, a name, or the key of a class.
DeclareAttribute("MisereQuotient", IsMisereGame);

#! @Arguments quotient
#! @Returns a list of elements
#! @Description
#! Returns the values of the P-positions.
DeclareAttribute("PPortion", IsMisereQuotient);

#! @Arguments quotient
#! @Returns a string or fail
#! @Description
#! Returns the usual name of the bipartite monoid, such as <C>"T_2"</C> or <C>"R_8"</C>.
DeclareAttribute("NameOfQuotient", IsMisereQuotient);

#! @Arguments quotient
#! @Returns a list of games
#! @Description
#! Returns the games of the package that have this quotient.
DeclareAttribute("GamesOfQuotient", IsMisereQuotient);

#! @Arguments quotient, element
#! @Returns a string
#! @Description
#! Returns a word for an element in the generators, which are named by letters.
DeclareOperation("WordOfElement", [IsMisereQuotient, IsTransformation]);
