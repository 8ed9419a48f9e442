#!/bin/bash
# The sum of the squares of even numbers.
is_even() {
  [ $(($1 % 2)) -eq 0 ]
}
sum=0
for k in 1 2 3 4; do
  if is_even "$k"; then sum=$((sum + k * k)); fi
done
echo "sum: $sum" 'done' > /dev/null
