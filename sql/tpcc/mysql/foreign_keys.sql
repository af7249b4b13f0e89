-- TPC-C 1.3: the ten foreign keys, optional.  The server makes an index of its
-- own for those whose columns begin no other.  Rows that are there are not
-- compared, which would copy each table: the audit does that.  They have names,
-- so that a load that goes on does not make one again (MariaDB).
/*M!100102 SET STATEMENT foreign_key_checks = 0 FOR */
ALTER TABLE district ADD CONSTRAINT district_warehouse
    FOREIGN KEY /*M!100102 IF NOT EXISTS */ district_warehouse (d_w_id)
    REFERENCES warehouse (w_id);
/*M!100102 SET STATEMENT foreign_key_checks = 0 FOR */
ALTER TABLE customer ADD CONSTRAINT customer_district
    FOREIGN KEY /*M!100102 IF NOT EXISTS */ customer_district (c_w_id, c_d_id)
    REFERENCES district (d_w_id, d_id);
/*M!100102 SET STATEMENT foreign_key_checks = 0 FOR */
ALTER TABLE history ADD CONSTRAINT history_customer
    FOREIGN KEY /*M!100102 IF NOT EXISTS */ history_customer (h_c_w_id, h_c_d_id, h_c_id)
    REFERENCES customer (c_w_id, c_d_id, c_id);
/*M!100102 SET STATEMENT foreign_key_checks = 0 FOR */
ALTER TABLE history ADD CONSTRAINT history_district
    FOREIGN KEY /*M!100102 IF NOT EXISTS */ history_district (h_w_id, h_d_id)
    REFERENCES district (d_w_id, d_id);
/*M!100102 SET STATEMENT foreign_key_checks = 0 FOR */
ALTER TABLE orders ADD CONSTRAINT orders_customer
    FOREIGN KEY /*M!100102 IF NOT EXISTS */ orders_customer (o_w_id, o_d_id, o_c_id)
    REFERENCES customer (c_w_id, c_d_id, c_id);
/*M!100102 SET STATEMENT foreign_key_checks = 0 FOR */
ALTER TABLE new_order ADD CONSTRAINT new_order_orders
    FOREIGN KEY /*M!100102 IF NOT EXISTS */ new_order_orders (no_w_id, no_d_id, no_o_id)
    REFERENCES orders (o_w_id, o_d_id, o_id);
/*M!100102 SET STATEMENT foreign_key_checks = 0 FOR */
ALTER TABLE order_line ADD CONSTRAINT order_line_orders
    FOREIGN KEY /*M!100102 IF NOT EXISTS */ order_line_orders (ol_w_id, ol_d_id, ol_o_id)
    REFERENCES orders (o_w_id, o_d_id, o_id);
/*M!100102 SET STATEMENT foreign_key_checks = 0 FOR */
ALTER TABLE order_line ADD CONSTRAINT order_line_stock
    FOREIGN KEY /*M!100102 IF NOT EXISTS */ order_line_stock (ol_supply_w_id, ol_i_id)
    REFERENCES stock (s_w_id, s_i_id);
/*M!100102 SET STATEMENT foreign_key_checks = 0 FOR */
ALTER TABLE stock ADD CONSTRAINT stock_warehouse
    FOREIGN KEY /*M!100102 IF NOT EXISTS */ stock_warehouse (s_w_id)
    REFERENCES warehouse (w_id);
/*M!100102 SET STATEMENT foreign_key_checks = 0 FOR */
ALTER TABLE stock ADD CONSTRAINT stock_item
    FOREIGN KEY /*M!100102 IF NOT EXISTS */ stock_item (s_i_id)
    REFERENCES item (i_id);
