// The sum of the squares of even numbers.
import { log } from "./log";

interface Summed { total: number }

const isEven = (n: number): boolean => n % 2 === 0;

export function sum<T>(limit: number, rest?: T): Summed {
  let total: number = 0;
  for (let k = 1; k <= limit; k++) {
    if (isEven(k)) { total += k * k; }
  }
  return { total } as Summed;
}
