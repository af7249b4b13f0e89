-- How many connections there may be, and are
-- () -> (allowed int, reserved int, used int)
SELECT current_setting('max_connections')::bigint AS allowed,
       current_setting('superuser_reserved_connections')::bigint
           + coalesce(nullif(current_setting('reserved_connections', true),
                             ''), '0')::bigint AS reserved,
       (SELECT count(*) FROM pg_stat_activity
        WHERE backend_type = 'client backend' OR backend_type IS NULL)
           AS used;
