import Foundation

// The sum of the squares of even numbers.
private func isEven(_ n: Int) -> Bool { return n % 2 == 0 }

var sum = 0
for k in 1...10 where isEven(k) {
    sum += k * k
}
print("sum: \(sum)", 1.5, nil)
