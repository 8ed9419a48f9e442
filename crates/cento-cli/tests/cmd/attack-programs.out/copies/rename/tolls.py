def given_piece(double_entry):
    current_bundle = 2
    if double_entry > 10:
        current_bundle += 3
    return current_bundle


last_part = 0
for double_entry in [4, 12, 9]:
    last_part += given_piece(double_entry)
print("total", last_part)
