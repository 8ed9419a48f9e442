# A script without functions of its own, and one that has some.
queue = [("cart", 4), ("rider", 1), ("flock", 9), ("coach", 6), ("monk", 1)]
room = 10
trips = []
load = []
used = 0

for kind, size in queue:
    if used + size > room:
        trips.append(load)
        load = []
        used = 0
    load.append(kind)
    used += size
if load:
    trips.append(load)

number = 1
for trip in trips:
    print(number, "+".join(trip))
    number += 1


def toll(kind, size, holiday=False):
    price = 2 * size
    if kind == "monk":
        price = 0
    elif kind == "rider":
        price = 3
    else:
        price += 1
    if holiday and price > 5:
        price = 5
    return price


def binary(n):
    digits = ""
    while n > 0:
        digits = str(n % 2) + digits
        n = n // 2
    return digits or "0"


def search(values, wanted):
    low = 0
    high = len(values) - 1
    while low <= high:
        middle = (low + high) // 2
        value = values[middle]
        if value == wanted:
            return middle
        if value < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


total = 0
for kind, size in queue:
    paid = toll(kind, size, holiday=size > 5)
    total += paid
    print(f"{kind:>6} pays {paid:2d}")
print("total", total, binary(total), binary(0))

sizes = sorted(size for _, size in queue)
print(sizes, search(sizes, 6), search(sizes, 5))

grid = [["." for _ in range(6)] for _ in range(3)]
for i in range(3):
    for j in range(6):
        if (i + j) % 3 == 0:
            grid[i][j] = "#"
print("\n".join("".join(row) for row in grid))

count = 0
while count < 3:
    count += 1
    if count == 2:
        continue
    print("bell", count)
else:
    print("quiet")
