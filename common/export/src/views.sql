CREATE INDEX rulesets_by_class ON rulesets (class);
CREATE INDEX rulesets_by_status ON rulesets (status);
CREATE INDEX partials_by_class ON partials (class);
CREATE INDEX aliases_by_code ON aliases (code);
CREATE INDEX alias_partials_by_class ON alias_partials (class);

-- Every code of the census, aliases included, with the ruleset that is the same game. Heap numbers are
-- those of the code.
CREATE VIEW games AS
  SELECT code, code AS ruleset, status, whole, tame, quotient_order, p_size, class, heaps, wild_from,
    period, preperiod, diverges_at, tame_from, nim_heaps, nim_period, nim_preperiod, stages,
    growth_start, growth_period, law_period, past_infinite_period, past_infinite_preperiod,
    genus_class, first_not_tame, first_wild, automaton_period
  FROM rulesets
  UNION ALL
  SELECT a.alias, a.code, r.status, r.whole, r.tame, r.quotient_order, r.p_size, r.class, a.heaps,
    a.wild_from, a.period, a.preperiod, a.diverges_at, a.tame_from, a.nim_heaps, a.nim_period,
    a.nim_preperiod, r.stages, a.growth_start, a.growth_period, r.law_period,
    r.past_infinite_period, a.past_infinite_preperiod, r.genus_class, a.first_not_tame, a.first_wild,
    r.automaton_period
  FROM aliases a JOIN rulesets r USING (code);

-- Each heap at which the partial quotient of a code changes.
CREATE VIEW changes AS
  SELECT code, heap, quotient_order, p_size, class FROM partials
  UNION ALL
  SELECT alias, heap, quotient_order, p_size, class FROM alias_partials;

-- The value of each heap of a code that is listed, an element of the quotient of its ruleset.
CREATE VIEW heap_values AS
  SELECT code, code AS ruleset, heap, element FROM phi
  UNION ALL
  SELECT p.alias, a.code, p.heap, p.element FROM alias_phi p JOIN aliases a USING (alias);

-- The wild rulesets with a finite quotient and a period, with the name of the class.
CREATE VIEW wild_solved AS
  SELECT r.code, r.quotient_order, r.p_size, r.period, r.preperiod, r.class, c.name
  FROM rulesets r JOIN classes c USING (class)
  WHERE r.period IS NOT NULL AND r.tame = 0;

-- At which heaps a code has a class; last_heap is empty if that is known to be so for ever.
CREATE VIEW occurrences AS
  SELECT p.class, p.code, p.heap AS first_heap,
    CASE
      WHEN lead(p.heap) OVER in_order IS NOT NULL THEN lead(p.heap) OVER in_order - 1
      WHEN g.period IS NOT NULL OR g.stages = 0 THEN NULL
      ELSE g.heaps
    END AS last_heap
  FROM changes p JOIN games g USING (code)
  WINDOW in_order AS (PARTITION BY p.code ORDER BY p.heap);

-- The outcome of a single heap of a code: of all heaps listed, and of games with a period to heap 999
-- by the period.
CREATE VIEW outcomes AS
  WITH RECURSIVE numbers (heap) AS (
    SELECT 0 UNION ALL SELECT heap + 1 FROM numbers WHERE heap < 999
  )
  SELECT v.code, v.heap, CASE e.in_p WHEN 1 THEN 'P' ELSE 'N' END AS outcome
  FROM heap_values v JOIN elements e ON e.code = v.ruleset AND e.element = v.element
  UNION ALL
  SELECT g.code, n.heap, CASE e.in_p WHEN 1 THEN 'P' ELSE 'N' END
  FROM games g
    JOIN numbers n ON n.heap > g.heaps
    JOIN heap_values v
      ON v.code = g.code AND v.heap = g.preperiod + (n.heap - g.preperiod) % g.period
    JOIN elements e ON e.code = v.ruleset AND e.element = v.element
  WHERE g.period IS NOT NULL;

-- How sure the census is of what.
CREATE VIEW knowledge AS
  SELECT r.status, r.stopped_by, r.knowledge, count(*) AS rulesets,
    sum(1 + (SELECT count(*) FROM aliases a WHERE a.code = r.code)) AS codes
  FROM rulesets r GROUP BY r.status, r.stopped_by, r.knowledge;
