//! The sum of the squares of even numbers.
use std::fmt;

#[derive(Debug)]
pub struct Sum(u32);

fn is_even(n: u32) -> bool {
    n % 2 == 0
}

fn main() {
    let mut sum = 0;
    for k in 1..=10_u32 {
        if is_even(k) { sum += k * k; } // only these
    }
    println!("sum: {sum}");
}
