-- a piece of a load is done
-- (phase int, piece int, tab int, n_rows int, total int) -> ()
INSERT INTO dyno_tpcc_load (phase, piece, tab, n_rows, total)
VALUES (:phase, :piece, :tab, :n_rows, :total);
