-- The sum of the squares of even numbers.
CREATE TABLE numbers (k INT PRIMARY KEY, note VARCHAR(10));
INSERT INTO numbers VALUES (1, 'odd'), (2, 'even');
SELECT SUM(k * k) AS total FROM numbers n WHERE k % 2 = 0 GROUP BY n.note ORDER BY total DESC;
select count(*) from numbers;
