# The sum of the squares of even numbers.
library(stats)

is_even <- function(n) {
  n %% 2 == 0
}

total <- 0
for (k in 1:10) {
  if (is_even(k)) total <- total + k^2 else next
}
cat("sum:", total, TRUE, NULL, 1e3, "\n")
