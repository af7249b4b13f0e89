-- The same of MySQL from 5.7 on, which keeps it elsewhere
-- () -> (name text, value int)
SELECT name, value
FROM (SELECT CASE LOWER(variable_name)
                 WHEN 'com_commit' THEN 'commits'
                 WHEN 'com_rollback' THEN 'rollbacks'
                 WHEN 'innodb_buffer_pool_read_requests' THEN 'blocks_hit'
                 WHEN 'innodb_buffer_pool_reads' THEN 'blocks_read'
                 WHEN 'innodb_rows_inserted' THEN 'rows_inserted'
                 WHEN 'innodb_rows_updated' THEN 'rows_updated'
                 WHEN 'innodb_rows_deleted' THEN 'rows_deleted'
                 WHEN 'innodb_rows_read' THEN 'rows_read'
                 WHEN 'innodb_os_log_written' THEN 'wal_bytes'
                 WHEN 'innodb_log_write_requests' THEN 'wal_records'
                 WHEN 'innodb_log_writes' THEN 'wal_writes'
                 WHEN 'innodb_os_log_fsyncs' THEN 'wal_syncs'
                 WHEN 'innodb_data_reads' THEN 'io_reads'
                 WHEN 'innodb_data_writes' THEN 'io_writes'
                 WHEN 'innodb_data_fsyncs' THEN 'io_syncs'
                 WHEN 'innodb_row_lock_waits' THEN 'row_lock_waits'
                 WHEN 'innodb_row_lock_time' THEN 'row_lock_wait_ms'
                 WHEN 'innodb_deadlocks' THEN 'deadlocks'
                 WHEN 'created_tmp_tables' THEN 'temp_tables'
                 WHEN 'created_tmp_files' THEN 'temp_files'
                 WHEN 'bytes_received' THEN 'bytes_received'
                 WHEN 'bytes_sent' THEN 'bytes_sent'
             END AS name,
             CAST(variable_value AS SIGNED) AS value
      FROM performance_schema.global_status
      WHERE @@version NOT LIKE '%MariaDB%' AND @@version NOT LIKE '5.6%') AS s
WHERE name IS NOT NULL;
