-- --partitions: one partition of a large table, warehouses from … to before ….
CREATE /* unlogged */ TABLE /* partition */ PARTITION OF /* table */
    FOR VALUES FROM (/* from */) TO (/* to */) /* table options */;
