-- --partitions with --partition-by hash: a large table, still empty, is cut by
-- the remainder of its warehouses.
ALTER TABLE /* table */ PARTITION BY HASH (/* column */)
    PARTITIONS /* partitions */;
