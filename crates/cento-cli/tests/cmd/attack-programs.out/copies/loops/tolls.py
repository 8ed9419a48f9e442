def toll(weight):
    base = 2
    if weight > 10:
        base += 3
    return base


total = 0
for weight in [4, 12, 9]:
    total += toll(weight)
print("total", total)
