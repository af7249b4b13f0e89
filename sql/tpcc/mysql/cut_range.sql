-- --partitions: a large table, still empty, is cut by its warehouses.
ALTER TABLE /* table */ PARTITION BY RANGE (/* column */) (/* ranges */);
