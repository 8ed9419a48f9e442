package sums

import kotlin.math.abs

/* The sum of the squares of even numbers. */
private fun isEven(n: Int): Boolean = n % 2 == 0

fun main() {
    var sum = 0
    for (k in 1..10) {
        if (isEven(k)) sum += k * k // only these
    }
    println("sum: $sum")
}
