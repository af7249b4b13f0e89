
\set a random(1, 5)
\startpipeline
BEGIN;
INSERT INTO results VALUES (1, :a);
INSERT INTO results VALUES (2, :a + 1);
COMMIT;
\endpipeline
SELECT max(i) AS top FROM results \gset
INSERT INTO results VALUES (3, :top);
