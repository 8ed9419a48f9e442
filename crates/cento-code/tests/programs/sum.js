// The sum of the squares of even numbers.
import { log } from "./log.js";

const isEven = (n) => n % 2 === 0;

function sum(limit) {
  let total = 0, k;
  for (k = 1; k <= limit; k++) {
    if (isEven(k)) total = total + k * k;
    else continue;
  }
  return total;
}

export class Report {
  show(limit) { log(`sum: ${sum(limit)}`, /^s+/u); }
}
