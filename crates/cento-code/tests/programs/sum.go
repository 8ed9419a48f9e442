package main

import "fmt"

// isEven says whether n is even.
func isEven(n int) bool { return n%2 == 0 }

func main() {
	sum := 0
	for k := 1; k <= 10; k++ {
		if isEven(k) {
			sum += k * k
		}
	}
	fmt.Println("sum:", sum)
}
