
\set a 5
CREATE TEMP TABLE IF NOT EXISTS t (x text);
SELECT :a + 1 AS b, NULL AS none, 'x' AS "c" \gset p_
SELECT 7 AS d \; SELECT 8 AS e, 9 AS f \gset
SELECT 10 AS g \; SELECT 11 AS h \aset
\if :p_b = 6
  \if :a > 5
    \set way 'never'
  \elif :a = 5
    \set way 2
  \else
    \set way 3
  \endif
\else
  \set way 4
\endif
INSERT INTO results VALUES
  (1, ':a :p_b :p_none :p_c'), (2, ':e :f :g :h'), (3, ':way ::a :unset'),
  (4, $$:a$$), (5, ':scale :client_id'), (6, E'it\'s :a'), (7, ':a'::text)
  -- :a in a comment; and a ' quote
  ;
SELECT 1 AS none WHERE :a > 6 \aset
\sleep 1 ms
INSERT INTO results SELECT 8, :a::text || ':b' || '12:30';
BEGIN;
INSERT INTO results VALUES (9, :'a');
ROLLBACK;
