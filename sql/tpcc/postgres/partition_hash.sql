-- --partitions with --partition-by hash: one partition of a large table.
CREATE /* unlogged */ TABLE /* partition */ PARTITION OF /* table */
    FOR VALUES WITH (MODULUS /* from */, REMAINDER /* to */)
    /* table options */;
