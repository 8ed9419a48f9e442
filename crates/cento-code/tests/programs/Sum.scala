package sums

import scala.math.pow

/** The sum of the squares of even numbers. */
object Sum {
  private def isEven(n: Int): Boolean = n % 2 == 0

  def main(args: Array[String]): Unit = {
    var sum = 0
    for (k <- 1 to 10 if isEven(k)) { sum += k * k } // only these
    println(s"sum: $sum")
  }
}
