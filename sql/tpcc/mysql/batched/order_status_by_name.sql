-- TPC-C 2.6.2.2: customer, newest order and its lines, the middle one of a name
-- (w_id int, d_id int, c_last text) -> (c_id int, c_first text, c_middle text, c_last text, c_balance money, o_id int, o_entry_d time, o_carrier_id int, ol_i_id int, ol_supply_w_id int, ol_quantity int, ol_amount money, ol_delivery_d time)
SELECT c_id, c_first, c_middle, c_last, c_balance, o_id, o_entry_d,
       o_carrier_id, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount,
       ol_delivery_d
FROM (
    SELECT CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(
                    GROUP_CONCAT(c.c_id ORDER BY c.c_first, c.c_id), ',',
                    (COUNT(*) + 1) DIV 2), ',', -1) AS SIGNED) AS id
    FROM customer AS c
    WHERE c.c_w_id = :w_id AND c.c_d_id = :d_id AND c.c_last = :c_last) AS who
STRAIGHT_JOIN customer
    ON c_w_id = :w_id AND c_d_id = :d_id AND c_id = who.id
STRAIGHT_JOIN orders ON o_w_id = :w_id AND o_d_id = :d_id AND o_id = (
    SELECT MAX(n.o_id) FROM orders AS n
    WHERE n.o_w_id = :w_id AND n.o_d_id = :d_id AND n.o_c_id = who.id)
STRAIGHT_JOIN order_line
    ON ol_w_id = :w_id AND ol_d_id = :d_id AND ol_o_id = o_id;
