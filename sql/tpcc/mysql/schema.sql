-- TPC-C 1.3: the nine tables, for MariaDB and MySQL.
--
-- Sums and counters that grow without end are wider than the specification
-- asks: w_ytd as decimal(12,2) would overflow after 4 million payments.  Texts
-- compare by their bytes, as on the other databases.  Secondary indexes are in
-- indexes.sql, made after the data is loaded.  The comment behind each table
-- is where --table-options go.

CREATE TABLE warehouse (
    w_id int NOT NULL,
    w_name varchar(10) NOT NULL,
    w_street_1 varchar(20) NOT NULL,
    w_street_2 varchar(20) NOT NULL,
    w_city varchar(20) NOT NULL,
    w_state char(2) NOT NULL,
    w_zip char(9) NOT NULL,
    w_tax decimal(4, 4) NOT NULL,
    w_ytd decimal(16, 2) NOT NULL,
    PRIMARY KEY (w_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin /* table options */;

CREATE TABLE district (
    d_id smallint NOT NULL,
    d_w_id int NOT NULL,
    d_name varchar(10) NOT NULL,
    d_street_1 varchar(20) NOT NULL,
    d_street_2 varchar(20) NOT NULL,
    d_city varchar(20) NOT NULL,
    d_state char(2) NOT NULL,
    d_zip char(9) NOT NULL,
    d_tax decimal(4, 4) NOT NULL,
    d_ytd decimal(16, 2) NOT NULL,
    d_next_o_id int NOT NULL,
    PRIMARY KEY (d_w_id, d_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin /* table options */;

CREATE TABLE customer (
    c_id int NOT NULL,
    c_d_id smallint NOT NULL,
    c_w_id int NOT NULL,
    c_first varchar(16) NOT NULL,
    c_middle char(2) NOT NULL,
    c_last varchar(16) NOT NULL,
    c_street_1 varchar(20) NOT NULL,
    c_street_2 varchar(20) NOT NULL,
    c_city varchar(20) NOT NULL,
    c_state char(2) NOT NULL,
    c_zip char(9) NOT NULL,
    c_phone char(16) NOT NULL,
    c_since datetime(6) NOT NULL,
    c_credit char(2) NOT NULL,
    c_credit_lim decimal(12, 2) NOT NULL,
    c_discount decimal(4, 4) NOT NULL,
    c_balance decimal(16, 2) NOT NULL,
    c_ytd_payment decimal(16, 2) NOT NULL,
    c_payment_cnt bigint NOT NULL,
    c_delivery_cnt bigint NOT NULL,
    c_data varchar(500) NOT NULL,
    PRIMARY KEY (c_w_id, c_d_id, c_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin /* table options */;

CREATE TABLE history (
    h_c_id int NOT NULL,
    h_c_d_id smallint NOT NULL,
    h_c_w_id int NOT NULL,
    h_d_id smallint NOT NULL,
    h_w_id int NOT NULL,
    h_date datetime(6) NOT NULL,
    h_amount decimal(6, 2) NOT NULL,
    h_data varchar(24) NOT NULL
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin /* table options */;

CREATE TABLE orders (
    o_id int NOT NULL,
    o_d_id smallint NOT NULL,
    o_w_id int NOT NULL,
    o_c_id int NOT NULL,
    o_entry_d datetime(6) NOT NULL,
    o_carrier_id smallint,
    o_ol_cnt smallint NOT NULL,
    o_all_local smallint NOT NULL,
    PRIMARY KEY (o_w_id, o_d_id, o_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin /* table options */;

CREATE TABLE new_order (
    no_o_id int NOT NULL,
    no_d_id smallint NOT NULL,
    no_w_id int NOT NULL,
    PRIMARY KEY (no_w_id, no_d_id, no_o_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin /* table options */;

CREATE TABLE item (
    i_id int NOT NULL,
    i_im_id int NOT NULL,
    i_name varchar(24) NOT NULL,
    i_price decimal(5, 2) NOT NULL,
    i_data varchar(50) NOT NULL,
    PRIMARY KEY (i_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin /* table options */;

CREATE TABLE stock (
    s_i_id int NOT NULL,
    s_w_id int NOT NULL,
    s_quantity int NOT NULL,
    s_dist_01 char(24) NOT NULL,
    s_dist_02 char(24) NOT NULL,
    s_dist_03 char(24) NOT NULL,
    s_dist_04 char(24) NOT NULL,
    s_dist_05 char(24) NOT NULL,
    s_dist_06 char(24) NOT NULL,
    s_dist_07 char(24) NOT NULL,
    s_dist_08 char(24) NOT NULL,
    s_dist_09 char(24) NOT NULL,
    s_dist_10 char(24) NOT NULL,
    s_ytd bigint NOT NULL,
    s_order_cnt bigint NOT NULL,
    s_remote_cnt bigint NOT NULL,
    s_data varchar(50) NOT NULL,
    PRIMARY KEY (s_w_id, s_i_id)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin /* table options */;

CREATE TABLE order_line (
    ol_o_id int NOT NULL,
    ol_d_id smallint NOT NULL,
    ol_w_id int NOT NULL,
    ol_number smallint NOT NULL,
    ol_i_id int NOT NULL,
    ol_supply_w_id int NOT NULL,
    ol_delivery_d datetime(6),
    ol_quantity smallint NOT NULL,
    ol_amount decimal(6, 2) NOT NULL,
    ol_dist_info char(24) NOT NULL,
    PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin /* table options */;

-- 1 to 15, an order line each: the lists of a statement become rows by it.
CREATE TABLE dyno_numbers (
    k int NOT NULL,
    PRIMARY KEY (k)
);
INSERT INTO dyno_numbers VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9),
    (10), (11), (12), (13), (14), (15);
