-- A table of dyno's own, removed again by commit_remove
CREATE TABLE dyno_check_scratch (n int PRIMARY KEY, v int NOT NULL);
INSERT INTO dyno_check_scratch VALUES (1, 0);
