-- Made after the data is loaded; the primary keys are the tables themselves.
-- One that a killed load has made is no error (MariaDB; MySQL lacks the words).
--
-- Clauses 2.5.2.2 and 2.6.2.2: the customers of a last name by first name.
CREATE INDEX /*M!100102 IF NOT EXISTS */ customer_by_name
    ON customer (c_w_id, c_d_id, c_last, c_first, c_id);

-- Clause 2.6.2.2: the newest order of a customer.
CREATE UNIQUE INDEX /*M!100102 IF NOT EXISTS */ orders_by_customer
    ON orders (o_w_id, o_d_id, o_c_id, o_id);
