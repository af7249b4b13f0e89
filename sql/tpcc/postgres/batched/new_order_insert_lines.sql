-- TPC-C 2.4.2.2: the lines; dists holds their texts of 24 characters in a row
-- (o_id int, d_id int, w_id int, numbers ints, items ints, supplies ints, quantities ints, amounts_cents ints, dists text)
INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id,
                        ol_supply_w_id, ol_delivery_d, ol_quantity,
                        ol_amount, ol_dist_info)
SELECT :o_id::int, :d_id::int, :w_id::int, n, i, s, NULL, q, a::numeric / 100,
       substr(:dists::text, 1 + 24 * (k - 1)::int, 24)
FROM unnest(:numbers::int[], :items::int[], :supplies::int[],
            :quantities::int[], :amounts_cents::int[])
    WITH ORDINALITY AS t (n, i, s, q, a, k);
