# The sum of the squares of even numbers.
require "set"

def even?(n)
  n % 2 == 0
end

sum = 0
(1..10).each do |k|
  sum += k ** 2 if even?(k)
end
puts "sum: #{sum}", :done, nil
