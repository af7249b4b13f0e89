-- what a load has done
-- () -> (phase int, piece int, tab int, n_rows int, total int)
SELECT phase, piece, tab, n_rows, total FROM dyno_tpcc_load;
