"""Misere quotients, rebuilt as plain Python objects.

    load("monoids.py")                 in Sage
    from monoids import *              in Python

    q = find("0.123")                  the quotient of a game
    q.order, q.idempotents()           elements are 0, ..., order - 1, and 0 is the identity
    q.product(x, y), q.word(x)         a product, a word in the generators
    q.outcome([3, 5, 5])               "P" or "N", for heaps of these sizes
    q.check()                          checks all that stands here; raises ValueError if something is wrong
    DiGraph(q.cayley_graph())          in Sage: the Cayley graph
    check_all()                        checks every quotient and prints a line for each
"""


class MisereQuotient:
    """A misere quotient (Q, P) of a game, with the pretending function phi of its heaps.

    action[g][x] is x times generator g; relations are pairs of words as exponents, and present the monoid together with
    commutation; phi[n] is the value of heap n, for n up to heaps. whole says whether this is known to be the quotient of all heaps.
    """

    def __init__(self, code, codes, class_key, name, status, whole, heaps, order, generators, generator_heaps,
                 action, p_portion, relations, phi):
        self.code, self.codes, self.class_key, self.name = code, codes, class_key, name
        self.status, self.whole, self.heaps, self.order = status, whole, heaps, order
        self.generators, self.generator_heaps = generators, generator_heaps
        self.action, self.p_portion, self.relations, self.phi = action, p_portion, relations, phi
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

    def value(self, heaps):
        """The value of a position: of a list of heap sizes."""
        x = 0
        for n in heaps:
            x = self.product(x, self.phi[n])
        return x

    def outcome(self, heaps):
        """Who wins a position: "P", the player who has just moved, or "N", the next one."""
        return "P" if self.value(heaps) in self.p_portion else "N"

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
        """Checks that this is a reduced bipartite monoid, generated by the values of the heaps named and presented by its relations."""
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
        demand(len(self.phi) == self.heaps + 1 and self.phi[0] == 0 and set(self.phi) <= set(elements), "phi is none")
        demand(all(self.phi[heap] == row[0] for heap, row in zip(self.generator_heaps, self.action)),
               "a generator is not the value of its heap")

        def value(exponents):
            return self.apply(0, [g for g, exponent in enumerate(exponents) for _ in range(exponent)])

        demand(all(value(left) == value(right) for left, right in self.relations), "a relation does not hold")
        # The relations hold, and the words they leave are as many as the elements: they present it.
        demand(self.normal_words() == self.order, "the relations do not present it")
        return True


MONOIDS = []


def find(code):
    """The quotient of a game."""
    for quotient in MONOIDS:
        if code in quotient.codes:
            return quotient
    raise KeyError(code)


def check_all():
    """Checks every quotient and prints a line for each."""
    for quotient in MONOIDS:
        quotient.check()
        print("%s order %s idempotents %s P-portion %s" % (
            quotient.code, quotient.order, len(quotient.idempotents()), len(quotient.p_portion)))
    print("%s monoids checked" % len(MONOIDS))

