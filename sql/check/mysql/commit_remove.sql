-- What commit_prepare made
DROP TABLE dyno_check_scratch;
