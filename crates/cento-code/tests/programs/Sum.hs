-- The sum of the squares of even numbers.
module Main where

import Data.List (sort)

isEven :: Int -> Bool
isEven n = n `mod` 2 == 0

total :: [Int] -> Int
total ks = sum [k * k | k <- ks, isEven k]

main :: IO ()
main = do
  let ks = [1 .. 10]
  putStrLn ("sum: " ++ show (total ks) ++ ['!'])
