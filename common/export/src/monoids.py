"""Misere quotients of games, rebuilt as plain Python objects.

    load("monoids.py")                 in Sage
    from monoids import *              in Python

    q = find("0.123")                  a game under any of its codes or by name, with its quotient
    q.outcome([3, 5, 5])               "P" or "N", for heaps of these sizes; if solved, of any sizes
    q.order, q.idempotents()           its quotient: elements are 0, ..., order - 1; 0 is the identity
    q.product(x, y), q.word(x)         a product, a word in the generators
    q.phi[n], q.value([3, 5, 5])       the value of a heap, and of a position
    q.heaps                            the greatest heap to which phi is listed here
    q.preperiod, q.period              if solved: phi repeats with the period from heap preperiod on
    q.sentence                         of an alias: "0.07 is 0.4 with every heap one smaller"
    q.check()                          checks the quotient, and outcomes against the rules of the game;
                                       raises ValueError if something is wrong
    DiGraph(q.cayley_graph())          in Sage: the Cayley graph
    check_all()                        checks every quotient, and every game under each of its codes

MONOIDS lists the quotients, one of each class; GAMES has the games by their codes. Heap numbers are
always those of the code that was asked for.
"""


class MisereQuotient:
    """A misere quotient (Q, P).

    action[g][x] is x times generator g; relations are pairs of words as exponents, and present the
    monoid together with commutation. codes are the games here that have this quotient. Generator g is
    the value of heap generator_heaps[g] of the game code: the first that is known for every heap, if
    one is.
    """

    def __init__(self, code, codes, class_key, name, order, generators, generator_heaps,
                 action, p_portion, relations):
        self.code, self.codes, self.class_key, self.name = code, codes, class_key, name
        self.order = order
        self.generators, self.generator_heaps = generators, generator_heaps
        self.action, self.p_portion, self.relations = action, p_portion, relations
        self._words = None

    def __repr__(self):
        return "misere quotient of %s, of order %s" % (self.code, self.order)

    def words(self):
        """For every element a word, as a tuple of generators; None where there is none."""
        if self._words is None:
            words = [None] * self.order
            words[0] = ()
            queue = [0]
            for x in queue:
                for g, row in enumerate(self.action):
                    if words[row[x]] is None:
                        words[row[x]] = words[x] + (g,)
                        queue.append(row[x])
            self._words = words
        return self._words

    def apply(self, x, word):
        """The product of x and the generators of a word."""
        for g in word:
            x = self.action[g][x]
        return x

    def product(self, x, y):
        """The product of two elements."""
        return self.apply(x, self.words()[y])

    def word(self, x):
        """A word for an element, as text."""
        return " ".join(self.generators[g] for g in self.words()[x]) or "1"

    def idempotents(self):
        """The elements that are their own squares."""
        return [x for x in range(self.order) if self.product(x, x) == x]

    def cayley_graph(self):
        """For every element its neighbours, with the generators that lead there."""
        graph = {}
        for x in range(self.order):
            graph[x] = {}
            for g, row in enumerate(self.action):
                graph[x].setdefault(row[x], []).append(self.generators[g])
        return graph

    def multiplication_table(self):
        """All products: table[x][y] is x times y."""
        return [[self.product(x, y) for y in range(self.order)] for x in range(self.order)]

    def reduced_order(self):
        """How many elements the P-portion tells apart: all of them, if the quotient is reduced."""
        p_portion = set(self.p_portion)
        kind = [int(x in p_portion) for x in range(self.order)]
        count = len(set(kind))
        while True:
            numbers = {}
            kind = [numbers.setdefault((kind[x],) + tuple(kind[row[x]] for row in self.action), len(numbers))
                    for x in range(self.order)]
            if len(numbers) == count:
                return count
            count = len(numbers)

    def normal_words(self):
        """How many words no left side of a relation divides; None if more than the order."""
        lefts = {}
        for left, _ in self.relations:
            for g, exponent in enumerate(left):
                if exponent > 0:
                    lefts.setdefault((g, exponent), []).append(left)
        queue = [[0] * len(self.generators)]
        for word in queue:
            # Each word once: no letter before the last one of the word.
            last = max([g for g, exponent in enumerate(word) if exponent > 0], default=0)
            for g in range(last, len(word)):
                after = list(word)
                after[g] += 1
                # What divides the longer word and not the shorter one has all its letters g.
                if not any(all(l <= a for l, a in zip(left, after)) for left in lefts.get((g, after[g]), ())):
                    queue.append(after)
                    if len(queue) > self.order:
                        return None
        return len(queue)

    def check(self):
        """Checks that this is a reduced bipartite monoid that its generators generate and its relations present."""
        def demand(holds, what):
            if not holds:
                raise ValueError("misere quotient of %s: %s" % (self.code, what))

        elements = range(self.order)
        demand(all(len(row) == self.order and all(0 <= x < self.order for x in row) for row in self.action),
               "the action is no table")
        for i, one in enumerate(self.action):
            for other in self.action[:i]:
                demand(all(one[other[x]] == other[one[x]] for x in elements), "generators do not commute")
        # Commuting maps under which every element comes from the identity: products are well defined, and the order is this one.
        demand(None not in self.words(), "the generators do not generate it")
        demand(set(self.p_portion) <= set(elements) and 0 not in self.p_portion, "the P-portion is none")
        demand(len(set(self.p_portion)) == len(self.p_portion), "the P-portion has repetitions")
        demand(self.reduced_order() == self.order, "it is not reduced")
        def value(exponents):
            return self.apply(0, [g for g, exponent in enumerate(exponents) for _ in range(exponent)])

        demand(all(value(left) == value(right) for left, right in self.relations), "a relation does not hold")
        # The relations hold, and the words they leave are as many as the elements: they present it.
        demand(self.normal_words() == self.order, "the relations do not present it")
        return True


def sums(beans, parts, most):
    """All ways to make so many heaps of the beans, none greater than most, as descending tuples."""
    if parts == 0:
        return [()] if beans == 0 else []
    return [(part,) + rest for part in range(1, min(beans, most) + 1) for rest in sums(beans - part, parts - 1, part)]


def general_options(digits, block, n):
    """The options of heap n by digits with constraints: 0 none, 1 unequal, 2 not all equal, 3 equal."""
    found = []
    for taken in range(n + 1):
        if taken >= len(digits) and not block:
            break
        digit = digits[taken] if taken < len(digits) else block[(taken - len(digits)) % len(block)]
        for parts, constraint in digit:
            if taken == 0 and parts < 2:
                continue
            for option in sums(n - taken, parts, n - taken):
                different = len(set(option))
                if parts < 2 or (True, different == parts, different > 1, different == 1)[constraint]:
                    found.append(option)
    return found


def options(rules, n):
    """The options of heap n by the rules: what each leaves, as a tuple of heaps.

    rules is "grundy", the digits [d_0, d_1, ...] of a take-and-break code, for a finite game the
    list of the options of each heap, ["heaps", options of each heap] with lists of parts, or
    ["general", digits, digits that repeat], where a digit lists [parts, constraint].
    """
    if rules == "grundy":
        return [(n - small, small) for small in range(1, (n + 1) // 2)]
    if rules[0] == "heaps":
        return [tuple(option) for option in rules[1][n]] if n < len(rules[1]) else []
    if rules[0] == "general":
        return general_options(rules[1], rules[2], n)
    if isinstance(rules[0], list):
        return [(option,) for option in rules[n]] if n < len(rules) else []
    found = []
    for taken, digit in enumerate(rules[:n + 1]):
        rest = n - taken
        if digit & 1 and rest == 0 and taken > 0:
            found.append(())
        if digit & 2 and rest >= 1:
            found.append((rest,))
        if digit & 4:
            found.extend((rest - small, small) for small in range(1, rest // 2 + 1))
        if digit & 8:
            found.extend((rest - small - middle, middle, small)
                         for small in range(1, rest // 3 + 1)
                         for middle in range(small, (rest - small) // 2 + 1))
    return found


def outcome_by_rules(rules, heaps, known):
    """The misere outcome by the definition: "P" if there is an option and every option is "N".

    known remembers the outcomes of one game from call to call: a dict, empty at first.
    """
    position = tuple(sorted(heap for heap in heaps if heap > 0))
    if position not in known:
        moves = [position[:i] + position[i + 1:] + option
                 for i, heap in enumerate(position) if i == 0 or position[i - 1] != heap
                 for option in options(rules, heap)]
        wins = not moves or any(outcome_by_rules(rules, move, known) == "P" for move in moves)
        known[position] = "N" if wins else "P"
    return known[position]


# The nim-values of a game that is tame relative to a heap are worked out to this heap; it may be raised.
GREATEST_NIM_HEAP = 3000

# Outcomes are compared with the rules for all positions of so many heaps and beans at most.
CHECKED_HEAPS = 3
CHECKED_BEANS = 12


class MisereGame:
    """A game under one of its codes; it offers what its quotient offers (order, product, word, ...).

    The census keeps the game under the code kept.code; kept is this object itself if that is its own
    code. The live heaps of both, in order of size, are the same games; a dead heap, from which no move
    leads, is the empty position. live is ["all but", heaps] or ["only", heaps].
    """

    def __init__(self, code, sentence, rules, live, heaps, preperiod, quotient):
        self.code, self.sentence, self.rules, self.live = code, sentence, rules, live
        self.heaps, self.preperiod, self.quotient = heaps, preperiod, quotient

    def __getattr__(self, name):
        # Names that are not found here are facts of the quotient, or those that all codes share.
        own = self.__dict__
        if "quotient" in own and hasattr(own["quotient"], name):
            return getattr(own["quotient"], name)
        if own.get("kept", self) is not self and name in ("status", "whole", "period"):
            return getattr(own["kept"], name)
        raise AttributeError("a misere game has no `%s`" % name)

    def __repr__(self):
        return "%s, with a misere quotient of order %s" % (self.code, self.order)

    def rank(self, n):
        """The place of a live heap among the live heaps, counted from 1; 0 for a dead heap."""
        how, heaps = self.live
        if how == "only":
            return heaps.index(n) + 1 if n in heaps else 0
        return 0 if n == 0 or n in heaps else n - sum(1 for dead in heaps if dead < n)

    def live_heap(self, rank):
        """The live heap at a place; None if there are not so many."""
        how, heaps = self.live
        if how == "only":
            return heaps[rank - 1] if rank <= len(heaps) else None
        heap = rank
        for dead in heaps:
            heap += dead <= heap
        return heap

    def kept_heap(self, n):
        """The heap that heap n is under the code that is kept; None for a dead heap."""
        if not n >= 0 or n != int(n):
            raise ValueError("%s is no heap: heaps are the whole numbers from 0 on" % (n,))
        rank = self.rank(n)
        return self.kept.live_heap(rank) if rank > 0 else None

    def _listed(self, kept):
        # The value of a heap of the code that is kept; None if it is not known here.
        game = self.kept
        if game.period is not None and kept >= game.preperiod:
            kept = game.preperiod + (kept - game.preperiod) % game.period
        return game.values[kept] if kept < len(game.values) else None

    def value_of_heap(self, n):
        """The value of heap n: an element of the quotient."""
        kept = self.kept_heap(n)
        x = 0 if kept is None else self._listed(kept)
        if x is not None:
            return x
        if self.kept.tame_from is not None:
            raise ValueError(
                "heap %s of %s is not listed: phi is listed to heap %s. The game is tame relative to a heap, so "
                "outcomes beyond follow from nim-values, but values may lie in a greater quotient"
                % (n, self.code, self.heaps))
        if self.kept.whole:
            raise ValueError(
                "heap %s of %s has no value here: phi is listed to heap %s. The game is solved, by a law, an "
                "automaton or past an infinite quotient, and this export has none of them; misere outcome decides its positions"
                % (n, self.code, self.heaps))
        raise ValueError(
            "heap %s of %s is not known: the game is not solved, and phi is known to heap %s"
            % (n, self.code, self.heaps))

    @property
    def phi(self):
        """The values of the heaps from 0 to heaps."""
        return [self.value_of_heap(n) for n in range(self.heaps + 1)]

    def nim_value(self, n):
        """The nim-value of heap n in normal play, by the recurrence and by its period if one is proved."""
        kept = self.kept_heap(n)
        return 0 if kept is None else self.kept._nim_value(kept)

    def _nim_value(self, n):
        if self.nim_period is not None and n >= self.nim_preperiod:
            n = self.nim_preperiod + (n - self.nim_preperiod) % self.nim_period
        if n > GREATEST_NIM_HEAP:
            raise ValueError(
                "the nim-value of heap %s of %s is needed; nim-values are worked out to heap %s "
                "(GREATEST_NIM_HEAP)" % (n, self.code, GREATEST_NIM_HEAP))
        for heap in range(len(self.nim_values), n + 1):
            reached = set()
            for option in options(self.rules, heap):
                nim = 0
                for part in option:
                    nim ^= self.nim_values[part]
                reached.add(nim)
            least = next(nim for nim in range(len(reached) + 1) if nim not in reached)
            self.nim_values.append(least)
        return self.nim_values[n]

    def value(self, heaps):
        """The value of a position: of a list of heap sizes."""
        x = 0
        for n in heaps:
            x = self.product(x, self.value_of_heap(n))
        return x

    def outcome(self, heaps):
        """Who wins a position: "P", the player who has just moved, or "N", the next one."""
        game = self.kept
        kept = [self.kept_heap(n) for n in heaps]
        large = [n for n in kept if n is not None and n >= len(game.values)]
        if game.tame_from is not None and large:
            # With a heap so large the position lies in the kernel, where misere play is normal play.
            nim = 0
            for n in heaps:
                nim ^= self.nim_value(n)
            return "P" if nim == 0 else "N"
        return "P" if self.value(heaps) in self.p_portion else "N"

    def is_known(self, n):
        """Whether the outcome of heap n can be told here."""
        kept = self.kept_heap(n)
        return kept is None or self._listed(kept) is not None or self.kept.tame_from is not None

    def check_by_rules(self):
        """Compares outcomes with the rules of this very code; tells for how many positions."""
        known, compared = {}, 0
        heaps = [n for n in range(1, CHECKED_BEANS + 1) if self.is_known(n)]
        positions = [[]]
        for position in positions:
            predicted, true = self.outcome(position), outcome_by_rules(self.rules, position, known)
            if predicted != true:
                raise ValueError("%s: the position %s is %s by the rules, and %s by the quotient"
                                 % (self.code, position, true, predicted))
            compared += 1
            if len(position) < CHECKED_HEAPS:
                least, most = max(position, default=1), CHECKED_BEANS - sum(position)
                positions.extend(position + [n] for n in heaps if least <= n <= most)
        return compared

    def check_phi(self):
        """Checks that what is listed is a pretending function, and repeats as it is said to."""
        def demand(holds, what):
            if not holds:
                raise ValueError("%s: %s" % (self.code, what))

        values, game = self.phi, self.kept
        demand(values[0] == 0 and all(0 <= x < self.order for x in values), "phi is none")
        demand(game is not self or len(values) == len(self.values), "phi has another length")
        if self.code == self.quotient.code:
            generators = zip(self.generator_heaps, self.action)
            demand(all(values[heap] == row[0] for heap, row in generators),
                   "a generator is not the value of its heap")
        if self.period is not None:
            listed = range(game.preperiod, len(game.values) - game.period)
            demand(all(game.values[n] == game.values[n + game.period] for n in listed), "phi does not repeat")
            more = range(self.preperiod, self.preperiod + self.heaps)
            demand(all(self.value_of_heap(n) == self.value_of_heap(n + self.period) for n in more),
                   "phi does not repeat under this code")
        if game is self and self.tame_from is not None:
            large = range(self.tame_from, min(len(values), self.tame_from + 20))
            pairs = [(m, n) for m in large for n in range(1, large.stop)]
            in_p = [self.product(values[m], values[n]) in self.p_portion for m, n in pairs]
            equal = [self.nim_value(m) == self.nim_value(n) for m, n in pairs]
            demand(in_p == equal, "misere play is not normal play from the heap on")

    def check(self):
        """Checks the quotient, phi, and outcomes of small positions against the rules."""
        self.quotient.check()
        self.check_phi()
        self.check_by_rules()
        return True


MONOIDS = []
GAMES = {}
NAMES = {}


def add_game(code, rules, live, status, whole, heaps, preperiod, period, tame_from, nim_preperiod,
             nim_period, phi):
    """Adds a game whose quotient is the one added last."""
    game = MisereGame(code, None, rules, live, heaps, preperiod, MONOIDS[-1])
    game.status, game.whole, game.period, game.values, game.kept = status, whole, period, phi, game
    game.tame_from, game.nim_preperiod, game.nim_period = tame_from, nim_preperiod, nim_period
    game.nim_values = []
    GAMES[code] = game


def add_alias(code, of, sentence, rules, live, heaps, preperiod):
    """Adds a further code of a game that is there."""
    game = GAMES[of]
    alias = MisereGame(code, sentence, rules, live, heaps, preperiod, game.quotient)
    alias.kept = game
    GAMES[code] = alias


def find(code):
    """The game with this code or name; of a name only letters count."""
    letters = "".join(filter(str.isalpha, code)).lower()
    for known in code, NAMES.get(letters):
        if known in GAMES:
            return GAMES[known]
    raise KeyError("no game here has the code or name %s" % code)


def check_all():
    """Checks every quotient and prints a line for each; then every game under each of its codes."""
    for quotient in MONOIDS:
        quotient.check()
        print("%s order %s idempotents %s P-portion %s" % (
            quotient.code, quotient.order, len(quotient.idempotents()), len(quotient.p_portion)))
    print("monoids checked: %s" % len(MONOIDS))
    positions = 0
    for game in GAMES.values():
        game.check_phi()
        positions += game.check_by_rules()
    print("%s codes of %s games agree with their rules in %s positions" % (
        len(GAMES), sum(game.kept is game for game in GAMES.values()), positions))

