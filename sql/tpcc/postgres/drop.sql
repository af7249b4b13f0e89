-- The routines of composition procs, whatever their version.
DO $$
DECLARE
    routine regprocedure;
    kind text := CASE
        WHEN current_setting('server_version_num')::int >= 110000
        THEN 'ROUTINE'
        ELSE 'FUNCTION'
    END;
BEGIN
    FOR routine IN
        SELECT oid::regprocedure FROM pg_proc
        WHERE pg_function_is_visible(oid)
          AND proname ~ '^dyno_tpcc_(call_)?(new_order|payment|order_status|delivery|stock_level)$'
    LOOP
        EXECUTE format('DROP %s %s', kind, routine);
    END LOOP;
END
$$;

-- The nine tables, children first.
DROP TABLE IF EXISTS order_line;
DROP TABLE IF EXISTS new_order;
DROP TABLE IF EXISTS orders;
DROP TABLE IF EXISTS history;
DROP TABLE IF EXISTS customer;
DROP TABLE IF EXISTS stock;
DROP TABLE IF EXISTS district;
DROP TABLE IF EXISTS warehouse;
DROP TABLE IF EXISTS item;
