<?php
// The sum of the squares of even numbers.
namespace Sums;
use Some\Thing;

function is_even(int $n): bool { return $n % 2 === 0; }

$sum = 0;
for ($k = 1; $k <= 10; $k++) {
    if (is_even($k)) { $sum += $k * $k; }
}
ECHO "sum: $sum", 'done';
