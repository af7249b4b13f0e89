-- --storage: the engine of the tables made from here on.
SET SESSION default_storage_engine = /* storage */;
