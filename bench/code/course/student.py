"""What makes one student's program differ from another's, and from a copy of it."""

from course.tasks import LISTS, main_function

# Names for what a variable is for. Two of a program are never the same.
NAMES = {
    "a": "a arr data values nums numbers list_of_values input items array", "b": "b copy sorted_values other tmp_array ordered result_array work clone",
    "p": "p squares second_list sq grid_values primes_found", "m": "m matrix prod cells", "table": "table counts freq histogram seen buckets marks",
    "sums": "sums prefix acc_list partial running", "known": "known memo cache stored f", "i": "i idx pos index n1 ii", "j": "j jj inner q other_index l",
    "d": "d div factor cand z step_value", "k": "k limit target param num amount wanted", "u": "u probe here one_value candidate", "show": "show report print_line put print_result", "x": "x value cur v current elem", "y": "y second_value w rev res other_value",
    "t": "t tmp temp swap_value hold old", "sum": "sum_value total_sum s acc result added", "best": "best mx maximum_so_far top biggest answer", "low": "low lo left mn smallest_so_far first",
    "high": "high hi right upper last_index", "mid": "mid middle m1 center half", "count": "count cnt c counter how_many hits", "found": "found flag ok is_there done state",
    "run": "run streak length_now cur_len", "gap": "gap step h distance", "item": "item e each one entry", "size": "size n length len1 elements", "out": "out ret output answer_value",
    "dead0": "unused debug level version mode", "dead1": "check dummy extra helper_value aux", "dead2": "trace spare verbose_flag factor_two offset",
    "total": "total sum_of sum_all add_up", "total_from": "total_from sum_rec rec_sum", "largest": "largest find_max maximum get_max", "larger": "larger max_of_two bigger", "smallest": "smallest find_min minimum get_min",
    "second": "second second_largest runner_up", "multiples": "multiples count_multiples how_many_divisible divisible_by", "mean": "mean average avg get_average", "place_of": "place_of index_of find search_value",
    "median": "median middle_value get_median sort_and_median", "below": "below count_below binary_search lower_bound", "below_in": "below_in search_between bs_rec", "divisor": "divisor gcd common_divisor ggt",
    "primes": "primes count_primes primes_below", "is_prime": "is_prime prime check_prime", "digits": "digits digit_sum cross_sum", "palindromes": "palindromes count_palindromes pals", "turned": "turned reverse_number flip",
    "fibonacci": "fibonacci fib nth_fib", "rising": "rising longest_run longest_increasing", "distinct": "distinct unique count_unique different", "frequent": "frequent mode_count most_common",
    "window": "window max_window best_window", "inversions": "inversions count_inversions unsorted_pairs", "product": "product trace_of_square matrix_trace", "cell": "cell diagonal_cell row_times_column",
    "collatz": "collatz collatz_steps hailstone", "power": "power pow_mod mod_pow raise_to", "rotated": "rotated rotate rotation_check shift_right", "groups": "groups parity_groups count_groups",
    "perfect": "perfect count_perfect perfect_numbers", "divisors": "divisors divisor_sum sum_of_divisors", "deadf": "print_help show_banner old_version", "deadg": "self_test debug_print not_needed",
}
REMARKS = ["loop over everything", "see lecture", "edge case", "this is the tricky part", "return the answer", "from the exercise sheet", "works for the example", "TODO clean up", "go through the list", "remember the best one"]
HABITS = ["each", "while", "item", "flip", "invert", "size", "guard", "otherwise", "out", "long", "bound", "nest", "max", "shift", "explain", "early"]
FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
NEGATED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}


class Student:
    """Functions, names by what they name, and a layout."""

    def __init__(self, functions, names, layout):
        self.functions, self.names, self.layout = functions, names, layout


def independent(parts, dice):
    """Someone who solves each part in a way of their own, and has habits."""
    functions = [function for part, *_ in parts for function in part(dice)]
    # Most people nearly always do a thing, or nearly never.
    habits = {habit: dice.choice([0.05, 0.3, 0.85]) for habit in HABITS}
    functions = [(name, parameters, lived_in(body, parameters, habits, dice)) for name, parameters, body in functions]
    dice.shuffle(functions)
    return Student([*functions, main_function(parts)], named(dice), layout(dice))


def copied(student, disguise, dice):
    """A copy: renamed, reordered, with dead code, or all of that with loops and conditions turned round, too."""
    functions = student.functions
    if disguise in ("dead", "all"):
        functions = [(name, parameters, with_dead(body, dice)) for name, parameters, body in functions]
        functions = [*dead_functions(), *functions]
    if disguise == "all":
        habits = {"while": 0.5, "flip": 0.5, "invert": 0.5, "out": 0.3, "long": 0.5}
        functions = [(name, parameters, lived_in(body, parameters, habits, dice)) for name, parameters, body in functions]
    if disguise in ("reorder", "all"):
        functions = [(name, parameters, settled(body, dice)) for name, parameters, body in functions]
        dice.shuffle(functions)
    # What a program that lays out code anew does not change stays.
    kept = {habit: student.layout[habit] for habit in ("short", "braces", "upfront", "show")}
    return Student(functions, named(dice), {**layout(dice), **kept})


def named(dice):
    names, taken = {}, set()
    for role, pool in NAMES.items():
        free = [name for name in pool.split() if name not in taken]
        names[role] = dice.choice(free) if free else f"{role}2"
        taken.add(names[role])
    return names


def layout(dice):
    return {"camel": dice.random() < 0.6, "brace_below": dice.random() < 0.15, "indent": dice.choice([2, 4, 4, 4]), "short": dice.random() < 0.7,
            "remarks": dice.random() * 0.25, "seed": dice.random(), "braces": dice.random() < 0.7,
            "upfront": dice.random() < 0.25, "show": dice.choice(["direct", "helper", "variable", "format"])}


def rewritten(body, change):
    """Every statement after its own blocks, replaced by the statements that change gives."""
    answer = []
    for statement in body:
        kind = statement[0]
        if kind == "if":
            statement = (kind, statement[1], rewritten(statement[2], change), rewritten(statement[3], change))
        elif kind in ("for", "while", "each"):
            statement = (*statement[:-1], rewritten(statement[-1], change))
        answer += change(statement)
    return answer


def replaced(node, change):
    """A tree with every expression replaced from the leaves on."""
    if isinstance(node, tuple):
        return change(tuple(replaced(child, change) for child in node))
    if isinstance(node, list):
        return [replaced(child, change) for child in node]
    return change(node)


def parts_of(node):
    yield node
    if isinstance(node, (tuple, list)):
        for child in node:
            yield from parts_of(child)


def writes(body, name):
    """Whether a list or a number is changed in it."""
    return any(isinstance(part, tuple) and part and part[0] in ("set", "add", "var") and (part[1] == name or part[1][:2] == ("at", name)) for part in parts_of(body))


def lived_in(body, parameters, habits, dice):
    chance = lambda habit: dice.random() < habits.get(habit, 0)

    def change(statement):
        kind = statement[0]
        if kind == "for":
            return loop(statement)
        if kind == "if":
            return condition(statement)
        if kind == "while":
            return [("while", flipped(statement[1]), statement[2])]
        if kind == "add" and statement[2] in "+-" and chance("long"):
            return [("set", statement[1], (statement[2], statement[1], statement[3]))]
        if kind == "return" and isinstance(statement[1], tuple) and chance("out"):
            return [("var", "out", statement[1]), ("return", "out")]
        return [statement]

    def loop(statement):
        _, name, begin, end, step, inner = statement
        element = next((("at", which, name) for which in sorted(LISTS) if ("at", which, name) in list(parts_of(inner)) and not writes(inner, which)), None)
        if element and "item" not in list(parts_of(inner)):
            without = replaced(inner, lambda node: "item" if node == element else node)
            if name not in list(parts_of(without)) and (begin, end, step) == (0, ("len", element[1]), 1) and chance("each"):
                return [("each", "item", element[1], without)]
            if chance("item"):
                inner = [("var", "item", element), *without]
        if step > 0 and chance("shift"):
            # Counted from one on.
            inner = replaced(inner, lambda node: ("-", name, 1) if node == name else node)
            inner = replaced(inner, lambda node: plain(node))
            begin, end = plain(("+", begin, 1)), plain(("+", end, 1))
        if chance("while"):
            test = (("<=", name, plain(("-", end, 1))) if chance("bound") else ("<", name, end)) if step > 0 else (">", name, end)
            return [("var", name, begin), ("while", flipped(test), [*inner, ("add", name, "+" if step > 0 else "-", 1)])]
        return [("for", name, begin, end, 2 if step > 0 and chance("bound") else step, inner)]

    def condition(statement):
        _, test, then, otherwise = statement
        if otherwise and test[0] in NEGATED and chance("invert"):
            test, then, otherwise = (NEGATED[test[0]], *test[1:]), otherwise, then
        if test[0] in (">", "<") and not otherwise and then == [("set", test[2], test[1])] and chance("max"):
            return [("set", test[2], ("max" if test[0] == ">" else "min", test[2], test[1]))]
        if test[0] == "&&" and not otherwise and chance("nest"):
            return [("if", flipped(test[1]), [("if", flipped(test[2]), then, [])], [])]
        before = []
        if test[0] in NEGATED and isinstance(test[1], tuple) and chance("explain"):
            before, test = [("var", "u", test[1])], (test[0], "u", test[2])
        return [*before, ("if", flipped(test), then, otherwise)]

    def flipped(test):
        if test[0] in FLIPPED and chance("flip"):
            return (FLIPPED[test[0]], test[2], test[1])
        return test

    if len(body) > 1 and body[-2][0] == "if" and body[-2][2][-1][0] == "return" and not body[-2][3] and chance("otherwise"):
        body = [*body[:-2], ("if", body[-2][1], body[-2][2], [body[-1]])]
    body = rewritten(body, change)
    if "a" in parameters and ("len", "a") in list(parts_of(body)) and chance("size"):
        body = [("var", "size", ("len", "a")), *replaced(body, lambda node: "size" if node == ("len", "a") else node)]
    if "k" in parameters and chance("early"):
        body = [("if", ("<", "k", 0), [("return", 0)], []), *body]
    if parameters == ("a",) and chance("guard"):
        body = [("if", ("==", ("len", "a"), 0), [("return", 0)], []), *body]
    return body


def plain(node):
    """A sum without the ones that cancel out."""
    if isinstance(node, tuple) and node[0] in ("+", "-") and isinstance(node[2], int):
        operator, left, right = node
        if isinstance(left, int):
            return left + right if operator == "+" else left - right
        if isinstance(left, tuple) and left[0] in ("+", "-") and isinstance(left[2], int):
            rest = (left[2] if left[0] == "+" else -left[2]) + (right if operator == "+" else -right)
            return left[1] if rest == 0 else ("+" if rest > 0 else "-", left[1], abs(rest))
        if right == 0:
            return left
    return node


def settled(body, dice):
    """Neighbouring declarations that do not need each other, in another order."""
    runs, answer = [], []
    for statement in [*body, None]:
        if statement and statement[0] == "var" and isinstance(statement[2], int) and statement[1] not in [run[1] for run in runs]:
            runs.append(statement)
            continue
        dice.shuffle(runs)
        answer += runs
        runs = []
        if statement:
            answer.append(statement)
    return answer


def with_dead(body, dice):
    """One in five statements has something before them that does nothing."""
    fresh = iter(["dead0", "dead1", "dead2"])

    def change(statement):
        # A declaration could hide one that the rest of a block needs.
        name = next(fresh, None) if dice.random() < 0.2 and statement[0] != "var" else None
        if not name:
            return [statement]
        number = dice.randrange(2, 90)
        way = dice.randrange(3)
        if way == 0:
            return [("var", name, number), statement]
        if way == 1:
            return [("var", name, number), ("if", ("<", name, 0), [("set", name, ("+", name, 1))], []), statement]
        return [("var", name, 0), ("while", ("<", name, number % 7), [("add", name, "+", 1)]), statement]

    return rewritten(body, change)


def dead_functions():
    """Functions that nothing calls."""
    first = [("var", "count", 0), ("for", "i", 0, "k", 1, [("if", ("==", ("%", "i", 7), 3), [("add", "count", "+", "i")], [])]), ("return", "count")]
    second = [("var", "y", "x"), ("while", (">", "y", 100), [("set", "y", ("-", "y", 13))]), ("return", ("*", "y", 2))]
    return [("deadf", ("k",), first), ("deadg", ("x",), second)]
