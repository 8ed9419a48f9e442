"""The parts of one assignment about lists of numbers, each in the ways that students solve it.

A program is a list of functions, (name, parameters, body). Expressions are numbers, names and tuples:
("at", list, place), ("len", list), ("call", function, arguments...) and (operator, left, right).
Statements are ("var", name, value), ("set", place, value), ("add", place, operator, value),
("if", condition, then, otherwise), ("for", name, from, to, step, body), ("while", condition, body),
("return", value), ("array", name, length), ("copy", name, list), ("break",) and ("print", label, value).
A function for a part takes a dice, and gives back the part's functions, the one that main calls first.
"""

# Names that are lists; all others are numbers. All values are 0 or more, so that division means the same
# in every language.
LISTS = {"a", "b", "table", "sums", "known", "m", "p"}
LENGTH = ("len", "a")
ALL = ("a",)


def up(name, begin, end, *body):
    return ("for", name, begin, end, 1, list(body))


def down(name, begin, end, *body):
    """From begin down to end, which is included."""
    return ("for", name, begin, ("-", end, 1) if not isinstance(end, int) else end - 1, -1, list(body))


def when(condition, *then, otherwise=()):
    return ("if", condition, list(then), list(otherwise))


def add(place, value, operator="+"):
    return ("add", place, operator, value)


def at(name, place):
    return ("at", name, place)


def over(dice, name, *body):
    """A loop over the list in either direction, where the direction makes no difference."""
    return up(name, 0, LENGTH, *body) if dice.random() < 0.75 else down(name, ("-", LENGTH, 1), 0, *body)


def swap(name, left, right):
    return [("var", "t", at(name, left)), ("set", at(name, left), at(name, right)), ("set", at(name, right), "t")]


def total(dice):
    if dice.random() < 0.15:
        body = [when((">=", "i", LENGTH), ("return", 0)), ("return", ("+", at("a", "i"), ("call", "total_from", "a", ("+", "i", 1))))]
        return [("total", ALL, [("return", ("call", "total_from", "a", 0))]), ("total_from", ("a", "i"), body)]
    return [("total", ALL, [("var", "sum", 0), over(dice, "i", add("sum", at("a", "i"))), ("return", "sum")])]


def largest(dice):
    way = dice.randrange(3)
    if way == 0:
        body = [("var", "best", at("a", 0)), up("i", 1, LENGTH, when((">", at("a", "i"), "best"), ("set", "best", at("a", "i")))), ("return", "best")]
    elif way == 1:
        body = [("var", "best", 0), over(dice, "i", when((">", at("a", "i"), at("a", "best")), ("set", "best", "i"))), ("return", at("a", "best"))]
    else:
        body = [("var", "best", 0), over(dice, "i", ("set", "best", ("call", "larger", "best", at("a", "i")))), ("return", "best")]
        return [("largest", ALL, body), ("larger", ("x", "y"), [when((">", "x", "y"), ("return", "x")), ("return", "y")])]
    return [("largest", ALL, body)]


def smallest(dice):
    if dice.random() < 0.5:
        body = [("var", "low", at("a", 0)), up("i", 1, LENGTH, when(("<", at("a", "i"), "low"), ("set", "low", at("a", "i")))), ("return", "low")]
    else:
        body = [("var", "low", 1000), over(dice, "i", when(("<", at("a", "i"), "low"), ("set", "low", at("a", "i")))), ("return", "low")]
    return [("smallest", ALL, body)]


def second(dice):
    way = dice.randrange(3)
    if way == 0:
        loop = over(dice, "i", when((">", at("a", "i"), "best"), ("set", "low", "best"), ("set", "best", at("a", "i")),
                    otherwise=[when(("&&", (">", at("a", "i"), "low"), ("<", at("a", "i"), "best")), ("set", "low", at("a", "i")))]))
        body = [("var", "best", 0), ("var", "low", 0), loop, ("return", "low")]
    elif way == 1:
        body = [("var", "best", 0), over(dice, "i", when((">", at("a", "i"), "best"), ("set", "best", at("a", "i")))),
                ("var", "low", 0), over(dice, "i", when(("&&", ("!=", at("a", "i"), "best"), (">", at("a", "i"), "low")), ("set", "low", at("a", "i")))),
                ("return", "low")]
    else:
        body = [("var", "best", ("call", "largest", "a")), ("var", "low", ("-", "best", 1)),
                ("while", (">", "low", 0), [over(dice, "i", when(("==", at("a", "i"), "low"), ("return", "low"))), add("low", 1, "-")]), ("return", 0)]
    return [("second", ALL, body)]


def multiples(dice):
    if dice.random() < 0.7:
        body = [("var", "count", 0), over(dice, "i", when(("==", ("%", at("a", "i"), "k"), 0), add("count", 1))), ("return", "count")]
    else:
        body = [("var", "count", LENGTH), over(dice, "i", when((">", ("%", at("a", "i"), "k"), 0), add("count", 1, "-"))), ("return", "count")]
    return [("multiples", ("a", "k"), body)]


def mean(dice):
    way = dice.randrange(3)
    if way == 0:
        body = [("return", ("/", ("call", "total", "a"), LENGTH))]
    elif way == 1:
        body = [("var", "sum", 0), over(dice, "i", add("sum", at("a", "i"))), ("return", ("/", "sum", LENGTH))]
    else:
        body = [("var", "sum", 0), ("var", "count", 0), over(dice, "i", add("sum", at("a", "i")), add("count", 1)),
                when(("==", "count", 0), ("return", 0)), ("return", ("/", "sum", "count"))]
    return [("mean", ALL, body)]


def place_of(dice):
    way = dice.randrange(4)
    if way == 0:
        body = [up("i", 0, LENGTH, when(("==", at("a", "i"), "k"), ("return", "i"))), ("return", LENGTH)]
    elif way == 1:
        body = [("var", "i", 0), ("while", ("&&", ("<", "i", LENGTH), ("!=", at("a", "i"), "k")), [add("i", 1)]), ("return", "i")]
    elif way == 2:
        body = [("var", "best", LENGTH), down("i", ("-", LENGTH, 1), 0, when(("==", at("a", "i"), "k"), ("set", "best", "i"))), ("return", "best")]
    else:
        body = [("var", "best", LENGTH), ("var", "found", 0), ("var", "i", 0),
                ("while", ("&&", ("==", "found", 0), ("<", "i", LENGTH)),
                 [when(("==", at("a", "i"), "k"), ("set", "found", 1), ("set", "best", "i")), add("i", 1)]), ("return", "best")]
    return [("place_of", ("a", "k"), body)]


def median(dice):
    last = ("-", ("len", "b"), 1)
    way = dice.randrange(6)
    if way == 0:
        sort = [up("i", 0, last, up("j", 0, ("-", last, "i"), when((">", at("b", "j"), at("b", ("+", "j", 1))), *swap("b", "j", ("+", "j", 1)))))]
    elif way == 1:
        sort = [up("i", 1, ("len", "b"), ("var", "x", at("b", "i")), ("var", "j", ("-", "i", 1)),
                   ("while", ("&&", (">=", "j", 0), (">", at("b", "j"), "x")), [("set", at("b", ("+", "j", 1)), at("b", "j")), add("j", 1, "-")]),
                   ("set", at("b", ("+", "j", 1)), "x"))]
    elif way == 2:
        sort = [up("i", 0, last, ("var", "low", "i"), up("j", ("+", "i", 1), ("len", "b"), when(("<", at("b", "j"), at("b", "low")), ("set", "low", "j"))),
                   when(("!=", "low", "i"), *swap("b", "i", "low")))]
    elif way == 3:
        sort = [("var", "found", 1), ("while", ("==", "found", 1), [("set", "found", 0), up("i", 1, ("len", "b"),
                when(("<", at("b", "i"), at("b", ("-", "i", 1))), *swap("b", "i", ("-", "i", 1)), ("set", "found", 1)))])]
    elif way == 4:
        sort = [("var", "gap", ("/", ("len", "b"), 2)), ("while", (">", "gap", 0), [up("i", "gap", ("len", "b"),
                ("var", "j", "i"), ("while", ("&&", (">=", "j", "gap"), (">", at("b", ("-", "j", "gap")), at("b", "j"))),
                                    [*swap("b", "j", ("-", "j", "gap")), add("j", "gap", "-")])), ("set", "gap", ("/", "gap", 2))])]
    else:
        sort = [("array", "table", 100), up("i", 0, ("len", "b"), add(at("table", at("b", "i")), 1)), ("var", "j", 0),
                up("x", 0, 100, ("while", (">", at("table", "x"), 0), [("set", at("b", "j"), "x"), add("j", 1), add(at("table", "x"), 1, "-")]))]
    whole = [("copy", "b", "a"), *sort, ("return", at("b", ("/", ("len", "b"), 2)))]
    return [("median", ALL, whole)]


def below(dice):
    """How many elements of a sorted list of squares are below a number."""
    way = dice.randrange(4)
    if way == 0:
        body = [("var", "low", 0), ("var", "high", LENGTH), ("while", ("<", "low", "high"),
                [("var", "mid", ("/", ("+", "low", "high"), 2)), when(("<", at("a", "mid"), "k"), ("set", "low", ("+", "mid", 1)), otherwise=[("set", "high", "mid")])]),
                ("return", "low")]
    elif way == 1:
        body = [("var", "low", 0), ("var", "high", ("-", LENGTH, 1)), ("var", "best", 0), ("while", ("<=", "low", "high"),
                [("var", "mid", ("+", "low", ("/", ("-", "high", "low"), 2))),
                 when((">=", at("a", "mid"), "k"), ("set", "high", ("-", "mid", 1)), otherwise=[("set", "best", ("+", "mid", 1)), ("set", "low", ("+", "mid", 1))])]),
                ("return", "best")]
    elif way == 2:
        inner = [when((">=", "low", "high"), ("return", "low")), ("var", "mid", ("/", ("+", "low", "high"), 2)),
                 when(("<", at("a", "mid"), "k"), ("return", ("call", "below_in", "a", "k", ("+", "mid", 1), "high"))),
                 ("return", ("call", "below_in", "a", "k", "low", "mid"))]
        return [("below", ("a", "k"), [("return", ("call", "below_in", "a", "k", 0, LENGTH))]), ("below_in", ("a", "k", "low", "high"), inner)]
    else:
        body = [("var", "count", 0), up("i", 0, LENGTH, when((">=", at("a", "i"), "k"), ("break",)), add("count", 1)), ("return", "count")]
    return [("below", ("a", "k"), body)]


def divisor(dice):
    way = dice.randrange(4)
    if way == 0:
        body = [("while", ("!=", "y", 0), [("var", "t", ("%", "x", "y")), ("set", "x", "y"), ("set", "y", "t")]), ("return", "x")]
    elif way == 1:
        body = [("while", ("!=", "x", "y"), [when((">", "x", "y"), add("x", "y", "-"), otherwise=[add("y", "x", "-")])]), ("return", "x")]
    elif way == 2:
        body = [when(("==", "y", 0), ("return", "x")), ("return", ("call", "divisor", "y", ("%", "x", "y")))]
    else:
        body = [("var", "best", 1), up("i", 1, ("+", "x", 1), when(("&&", ("==", ("%", "x", "i"), 0), ("==", ("%", "y", "i"), 0)), ("set", "best", "i"))), ("return", "best")]
    return [("divisor", ("x", "y"), body)]


def primes(dice):
    way = dice.randrange(4)
    if way == 0:
        test = [when(("<", "x", 2), ("return", 0)), ("var", "d", 2), ("while", ("<=", ("*", "d", "d"), "x"), [when(("==", ("%", "x", "d"), 0), ("return", 0)), add("d", 1)]), ("return", 1)]
        count = [("var", "count", 0), up("x", 2, "k", when(("==", ("call", "is_prime", "x"), 1), add("count", 1))), ("return", "count")]
        return [("primes", ("k",), count), ("is_prime", ("x",), test)]
    if way == 1:
        body = [("array", "table", "k"), ("var", "count", 0), up("x", 2, "k", when(("==", at("table", "x"), 0), add("count", 1),
                ("var", "j", ("+", "x", "x")), ("while", ("<", "j", "k"), [("set", at("table", "j"), 1), add("j", "x")]))), ("return", "count")]
    elif way == 2:
        body = [("var", "count", 0), up("x", 2, "k", ("var", "found", 0), up("d", 2, "x", when(("==", ("%", "x", "d"), 0), ("set", "found", 1), ("break",))),
                when(("==", "found", 0), add("count", 1))), ("return", "count")]
    else:
        body = [("array", "p", "k"), ("var", "count", 0), up("x", 2, "k", ("var", "found", 1), up("j", 0, "count", when(("==", ("%", "x", at("p", "j")), 0), ("set", "found", 0))),
                when(("==", "found", 1), ("set", at("p", "count"), "x"), add("count", 1))), ("return", "count")]
    return [("primes", ("k",), body)]


def digits(dice):
    way = dice.randrange(3)
    if way == 0:
        body = [("var", "sum", 0), ("while", (">", "x", 0), [add("sum", ("%", "x", 10)), ("set", "x", ("/", "x", 10))]), ("return", "sum")]
    elif way == 1:
        body = [when(("<", "x", 10), ("return", "x")), ("return", ("+", ("%", "x", 10), ("call", "digits", ("/", "x", 10))))]
    else:
        body = [("var", "sum", 0), ("var", "d", 1), ("while", ("<=", "d", "x"), [add("sum", ("%", ("/", "x", "d"), 10)), add("d", 10, "*")]), ("return", "sum")]
    return [("digits", ("x",), body)]


def palindromes(dice):
    way = dice.randrange(2)
    turned = [("var", "y", 0), ("var", "t", "x"), ("while", (">", "t", 0), [("set", "y", ("+", ("*", "y", 10), ("%", "t", 10))), ("set", "t", ("/", "t", 10))])]
    if way == 0:
        count = [("var", "count", 0), up("x", 1, "k", when(("==", ("call", "turned", "x"), "x"), add("count", 1))), ("return", "count")]
        return [("palindromes", ("k",), count), ("turned", ("x",), [*turned, ("return", "y")])]
    return [("palindromes", ("k",), [("var", "count", 0), up("x", 1, "k", *turned, when(("==", "x", "y"), add("count", 1))), ("return", "count")])]


def fibonacci(dice):
    way = dice.randrange(3)
    if way == 0:
        body = [("var", "x", 0), ("var", "y", 1), up("i", 0, "k", ("var", "t", ("%", ("+", "x", "y"), 10007)), ("set", "x", "y"), ("set", "y", "t")), ("return", "x")]
    elif way == 1:
        body = [("array", "known", ("+", "k", 2)), ("set", at("known", 1), 1), up("i", 2, ("+", "k", 1),
                ("set", at("known", "i"), ("%", ("+", at("known", ("-", "i", 1)), at("known", ("-", "i", 2))), 10007))), ("return", at("known", "k"))]
    else:
        body = [when(("<=", "k", 1), ("return", "k")), ("return", ("%", ("+", ("call", "fibonacci", ("-", "k", 1)), ("call", "fibonacci", ("-", "k", 2))), 10007))]
    return [("fibonacci", ("k",), body)]


def rising(dice):
    way = dice.randrange(3)
    grows = (">", at("a", "i"), at("a", ("-", "i", 1)))
    if way == 0:
        body = [("var", "best", 1), ("var", "run", 1), up("i", 1, LENGTH, when(grows, add("run", 1), when((">", "run", "best"), ("set", "best", "run")), otherwise=[("set", "run", 1)])), ("return", "best")]
    elif way == 1:
        body = [("var", "best", 1), ("var", "low", 0), up("i", 1, LENGTH, when(("<=", at("a", "i"), at("a", ("-", "i", 1))), ("set", "low", "i")),
                ("var", "run", ("+", ("-", "i", "low"), 1)), when((">", "run", "best"), ("set", "best", "run"))), ("return", "best")]
    else:
        body = [("var", "best", 1), up("i", 0, LENGTH, ("var", "j", ("+", "i", 1)), ("while", ("&&", ("<", "j", LENGTH), (">", at("a", "j"), at("a", ("-", "j", 1)))), [add("j", 1)]),
                when((">", ("-", "j", "i"), "best"), ("set", "best", ("-", "j", "i")))), ("return", "best")]
    return [("rising", ALL, body)]


def distinct(dice):
    way = dice.randrange(3)
    if way == 0:
        body = [("var", "count", 0), up("i", 0, LENGTH, ("var", "found", 0), up("j", 0, "i", when(("==", at("a", "j"), at("a", "i")), ("set", "found", 1))), when(("==", "found", 0), add("count", 1))), ("return", "count")]
    elif way == 1:
        body = [("array", "table", 100), over(dice, "i", ("set", at("table", at("a", "i")), 1)), ("var", "count", 0), up("j", 0, 100, add("count", at("table", "j"))), ("return", "count")]
    else:
        body = [("array", "known", LENGTH), ("var", "count", 0), up("i", 0, LENGTH, ("var", "j", 0), ("while", ("&&", ("<", "j", "count"), ("!=", at("known", "j"), at("a", "i"))), [add("j", 1)]),
                when(("==", "j", "count"), ("set", at("known", "count"), at("a", "i")), add("count", 1))), ("return", "count")]
    return [("distinct", ALL, body)]


def frequent(dice):
    """How often the most frequent value is there."""
    way = dice.randrange(3)
    if way == 0:
        body = [("var", "best", 0), over(dice, "i", ("var", "count", 0), over(dice, "j", when(("==", at("a", "i"), at("a", "j")), add("count", 1))), when((">", "count", "best"), ("set", "best", "count"))), ("return", "best")]
    elif way == 1:
        body = [("array", "table", 100), over(dice, "i", add(at("table", at("a", "i")), 1)), ("var", "best", at("table", 0)),
                up("j", 1, 100, when((">", at("table", "j"), "best"), ("set", "best", at("table", "j")))), ("return", "best")]
    else:
        body = [("array", "table", 100), ("var", "best", 0), over(dice, "i", ("var", "x", at("a", "i")), add(at("table", "x"), 1), when((">", at("table", "x"), "best"), ("set", "best", at("table", "x")))), ("return", "best")]
    return [("frequent", ALL, body)]


def window(dice):
    way = dice.randrange(3)
    if way == 0:
        body = [("var", "best", 0), up("i", 0, ("+", ("-", LENGTH, "k"), 1), ("var", "sum", 0), up("j", "i", ("+", "i", "k"), add("sum", at("a", "j"))), when((">", "sum", "best"), ("set", "best", "sum"))), ("return", "best")]
    elif way == 1:
        body = [("var", "sum", 0), up("i", 0, "k", add("sum", at("a", "i"))), ("var", "best", "sum"), up("i", "k", LENGTH,
                add("sum", ("-", at("a", "i"), at("a", ("-", "i", "k")))), when((">", "sum", "best"), ("set", "best", "sum"))), ("return", "best")]
    else:
        body = [("array", "sums", ("+", LENGTH, 1)), up("i", 0, LENGTH, ("set", at("sums", ("+", "i", 1)), ("+", at("sums", "i"), at("a", "i")))), ("var", "best", 0),
                up("j", "k", ("+", LENGTH, 1), ("var", "x", ("-", at("sums", "j"), at("sums", ("-", "j", "k")))), when((">", "x", "best"), ("set", "best", "x"))), ("return", "best")]
    return [("window", ("a", "k"), body)]


def inversions(dice):
    if dice.random() < 0.5:
        body = [("var", "count", 0), up("i", 0, LENGTH, up("j", ("+", "i", 1), LENGTH, when((">", at("a", "i"), at("a", "j")), add("count", 1)))), ("return", "count")]
    else:
        body = [("var", "count", 0), up("j", 1, LENGTH, ("var", "x", at("a", "j")), ("var", "i", ("-", "j", 1)), ("while", (">=", "i", 0), [when((">", at("a", "i"), "x"), add("count", 1)), add("i", 1, "-")])), ("return", "count")]
    return [("inversions", ALL, body)]


def product(dice):
    """The trace of the square of a matrix that the list fills row by row."""
    cell = lambda row, column: at("a", ("+", ("*", row, "k"), column))
    way = dice.randrange(3)
    if way == 0:
        body = [("var", "sum", 0), up("i", 0, "k", up("j", 0, "k", add("sum", ("*", cell("i", "j"), cell("j", "i"))))), ("return", "sum")]
    elif way == 1:
        body = [("array", "m", ("*", "k", "k")), up("i", 0, "k", up("j", 0, "k", ("var", "x", 0), up("d", 0, "k", add("x", ("*", cell("i", "d"), cell("d", "j")))), ("set", at("m", ("+", ("*", "i", "k"), "j")), "x"))),
                ("var", "sum", 0), up("i", 0, "k", add("sum", at("m", ("+", ("*", "i", "k"), "i")))), ("return", "sum")]
    else:
        inner = [("var", "x", 0), up("d", 0, "k", add("x", ("*", cell("i", "d"), cell("d", "i")))), ("return", "x")]
        return [("product", ("a", "k"), [("var", "sum", 0), up("i", 0, "k", add("sum", ("call", "cell", "a", "k", "i"))), ("return", "sum")]), ("cell", ("a", "k", "i"), inner)]
    return [("product", ("a", "k"), body)]


def collatz(dice):
    step = when(("==", ("%", "x", 2), 0), ("set", "x", ("/", "x", 2)), otherwise=[("set", "x", ("+", ("*", 3, "x"), 1))])
    way = dice.randrange(3)
    if way == 0:
        body = [("var", "count", 0), ("while", ("!=", "x", 1), [step, add("count", 1)]), ("return", "count")]
    elif way == 1:
        body = [when(("==", "x", 1), ("return", 0)), when(("==", ("%", "x", 2), 0), ("return", ("+", 1, ("call", "collatz", ("/", "x", 2))))), ("return", ("+", 1, ("call", "collatz", ("+", ("*", 3, "x"), 1))))]
    else:
        body = [("var", "count", 0), ("while", (">", "x", 1), [when(("==", ("%", "x", 2), 1), ("set", "x", ("+", ("*", "x", 3), 1)), add("count", 1)), ("set", "x", ("/", "x", 2)), add("count", 1)]), ("return", "count")]
    return [("collatz", ("x",), body)]


def power(dice):
    way = dice.randrange(3)
    if way == 0:
        body = [("var", "y", 1), up("i", 0, "k", ("set", "y", ("%", ("*", "y", "x"), 10007))), ("return", "y")]
    elif way == 1:
        body = [("var", "y", 1), ("while", (">", "k", 0), [when(("==", ("%", "k", 2), 1), ("set", "y", ("%", ("*", "y", "x"), 10007))), ("set", "x", ("%", ("*", "x", "x"), 10007)), ("set", "k", ("/", "k", 2))]), ("return", "y")]
    else:
        body = [when(("==", "k", 0), ("return", 1)), ("var", "y", ("call", "power", "x", ("/", "k", 2))), ("set", "y", ("%", ("*", "y", "y"), 10007)),
                when(("==", ("%", "k", 2), 1), ("set", "y", ("%", ("*", "y", "x"), 10007))), ("return", "y")]
    return [("power", ("x", "k"), body)]


def rotated(dice):
    """A checksum of the list after moving every element k places to the right."""
    way = dice.randrange(3)
    check = [("var", "sum", 0), up("i", 0, ("len", "b"), ("set", "sum", ("%", ("+", ("*", "sum", 31), at("b", "i")), 9973))), ("return", "sum")]
    if way == 0:
        body = [("array", "b", LENGTH), up("i", 0, LENGTH, ("set", at("b", ("%", ("+", "i", "k"), LENGTH)), at("a", "i"))), *check]
    elif way == 1:
        body = [("copy", "b", "a"), up("d", 0, "k", ("var", "t", at("b", ("-", ("len", "b"), 1))), down("j", ("-", ("len", "b"), 1), 1, ("set", at("b", "j"), at("b", ("-", "j", 1)))), ("set", at("b", 0), "t")), *check]
    else:
        body = [("var", "sum", 0), ("var", "j", ("-", LENGTH, "k")), up("i", 0, LENGTH, ("set", "sum", ("%", ("+", ("*", "sum", 31), at("a", "j")), 9973)), add("j", 1), when(("==", "j", LENGTH), ("set", "j", 0))), ("return", "sum")]
    return [("rotated", ("a", "k"), body)]


def groups(dice):
    """How many groups of neighbours have the same parity."""
    parity = lambda place: ("%", at("a", place), 2)
    way = dice.randrange(3)
    if way == 0:
        body = [("var", "count", 1), up("i", 1, LENGTH, when(("!=", parity("i"), parity(("-", "i", 1))), add("count", 1))), ("return", "count")]
    elif way == 1:
        body = [("var", "count", 0), ("var", "i", 0), ("while", ("<", "i", LENGTH), [("var", "x", parity("i")), add("count", 1), ("while", ("&&", ("<", "i", LENGTH), ("==", parity("i"), "x")), [add("i", 1)])]), ("return", "count")]
    else:
        body = [("var", "count", 0), ("var", "low", 2), up("i", 0, LENGTH, ("var", "x", parity("i")), when(("!=", "x", "low"), add("count", 1), ("set", "low", "x"))), ("return", "count")]
    return [("groups", ALL, body)]


def perfect(dice):
    way = dice.randrange(3)
    if way == 0:
        body = [("var", "count", 0), up("x", 2, "k", ("var", "sum", 0), up("d", 1, "x", when(("==", ("%", "x", "d"), 0), add("sum", "d"))), when(("==", "sum", "x"), add("count", 1))), ("return", "count")]
    elif way == 1:
        inner = [("var", "sum", 1), ("var", "d", 2), ("while", ("<=", "d", ("/", "x", 2)), [when(("==", ("%", "x", "d"), 0), add("sum", "d")), add("d", 1)]), ("return", "sum")]
        return [("perfect", ("k",), [("var", "count", 0), up("x", 2, "k", when(("==", ("call", "divisors", "x"), "x"), add("count", 1))), ("return", "count")]), ("divisors", ("x",), inner)]
    else:
        body = [("array", "sums", "k"), up("d", 1, "k", ("var", "j", ("*", 2, "d")), ("while", ("<", "j", "k"), [add(at("sums", "j"), "d"), add("j", "d")])), ("var", "count", 0),
                up("x", 2, "k", when(("==", at("sums", "x"), "x"), add("count", 1))), ("return", "count")]
    return [("perfect", ("k",), body)]


# Each part with the arguments that main gives it: lists are `a` (numbers) and `p` (sorted squares).
# An assignment has the first so many; some call those that come before them.
PARTS = [
    (total, "a"), (largest, "a"), (second, "a"), (mean, "a"), (median, "a"), (below, "p", 500), (divisor, 84, 126), (primes, 200),
    (rising, "a"), (distinct, "a"), (window, "a", 5), (product, "a", 7), (collatz, 27), (rotated, "a", 4), (place_of, "a", 42), (frequent, "a"),
    (inversions, "a"), (groups, "a"), (power, 7, 30), (perfect, 500), (palindromes, 500), (digits, 90817), (fibonacci, 20), (smallest, "a"), (multiples, "a", 3),
]


def main_function(parts):
    """Fills the lists, and prints what each part says."""
    body = [("array", "a", 60), ("var", "x", 7), up("i", 0, 60, ("set", "x", ("%", ("+", ("*", "x", 75), 74), 65537)), ("set", at("a", "i"), ("%", "x", 100))),
            ("array", "p", 40), up("i", 0, 40, ("set", at("p", "i"), ("*", "i", "i")))]
    body += [("print", part.__name__, ("call", part.__name__, *arguments)) for part, *arguments in parts]
    return ("main", (), body)
