CREATE INDEX rulesets_by_class ON rulesets (class);
CREATE INDEX rulesets_by_status ON rulesets (status);
CREATE INDEX partials_by_class ON partials (class);
CREATE INDEX aliases_by_code ON aliases (code);

-- Every code of the census, with the ruleset that is the same game.
CREATE VIEW games AS
  SELECT code, code AS ruleset FROM rulesets
  UNION ALL
  SELECT alias, code FROM aliases;

-- The wild games that are known for every heap, with the name of the class.
CREATE VIEW wild_solved AS
  SELECT r.code, r.quotient_order, r.p_size, r.period, r.preperiod, r.class, c.name
  FROM rulesets r JOIN classes c USING (class)
  WHERE r.status = 'solved' AND r.tame = 0;

-- At which heaps a ruleset has a class; last_heap is empty if that is so for ever.
CREATE VIEW occurrences AS
  SELECT p.class, p.code, p.heap AS first_heap,
    CASE
      WHEN lead(p.heap) OVER changes IS NOT NULL THEN lead(p.heap) OVER changes - 1
      WHEN r.status = 'solved' THEN NULL
      ELSE r.heaps
    END AS last_heap
  FROM partials p JOIN rulesets r USING (code)
  WINDOW changes AS (PARTITION BY p.code ORDER BY p.heap);

-- The outcome of a single heap.
CREATE VIEW outcomes AS
  SELECT f.code, f.heap, CASE e.in_p WHEN 1 THEN 'P' ELSE 'N' END AS outcome
  FROM phi f JOIN elements e ON e.code = f.code AND e.element = f.element;

-- How sure the census is of what.
CREATE VIEW knowledge AS
  SELECT r.status, r.stopped_by, r.knowledge, count(*) AS rulesets,
    sum(1 + (SELECT count(*) FROM aliases a WHERE a.code = r.code)) AS codes
  FROM rulesets r GROUP BY r.status, r.stopped_by, r.knowledge;
