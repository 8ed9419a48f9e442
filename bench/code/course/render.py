"""Programs as Java, C or Python."""

import random

from course.student import REMARKS, parts_of, plain
from course.tasks import LISTS

RESERVED = {"list", "input", "len", "sum", "max", "min", "copy", "index"}
STRENGTH = {"||": 1, "&&": 2, "==": 3, "!=": 3, "<": 4, ">": 4, "<=": 4, ">=": 4, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6}
ENDINGS = {"java": "java", "c": "c", "python": "py"}


def render(student, language):
    return {"java": Java, "c": C, "python": Python}[language](student).program()


class Language:
    def __init__(self, student):
        self.functions, self.layout = student.functions, student.layout
        self.names = {role: self.cased(name) for role, name in student.names.items()}
        self.dice = random.Random(student.layout["seed"])
        self.lines, self.scopes = [], []

    def cased(self, name):
        first, *rest = name.split("_")
        name = first + "".join(part.capitalize() for part in rest) if self.layout["camel"] else name
        return name + "_" if name in RESERVED else name

    def line(self, depth, text):
        self.lines.append(" " * (self.layout["indent"] * depth) + text)

    def expression(self, node, outer=0):
        if isinstance(node, int):
            return str(node)
        if isinstance(node, str):
            return self.names[node]
        kind = node[0]
        if kind == "at":
            return f"{self.names[node[1]]}[{self.expression(node[2])}]"
        if kind == "len":
            return self.length(node[1])
        if kind == "call":
            return f"{self.names[node[1]]}({', '.join(map(self.argument, node[2:]))})"
        if kind in ("max", "min"):
            return self.extreme(kind, self.expression(node[1]), self.expression(node[2]))
        strength = STRENGTH[kind]
        left, right = self.expression(node[1], strength), self.expression(node[2], strength + 1)
        text = f"{left} {self.OPERATORS.get(kind, kind)} {right}"
        return f"({text})" if strength < outer else text

    def argument(self, node):
        return self.expression(node)

    def upfront(self, depth, body):
        """Declares every number of a function at its head, as C once wanted it."""
        if self.layout["upfront"]:
            names = [part[1] for part in parts_of(body) if isinstance(part, tuple) and part and part[0] in ("var", "for")]
            for name in dict.fromkeys(name for name in names if name not in self.scopes[0]):
                self.line(depth, f"int {self.names[name]};")
                self.scopes[0].add(name)

    def block(self, depth, body):
        self.scopes.append(set())
        for statement in body:
            if self.dice.random() < self.layout["remarks"] and statement[0] != "print":
                self.line(depth, f"{self.REMARK} {self.dice.choice(REMARKS)}")
            self.statement(depth, statement)
        self.scopes.pop()

    def declare(self, name):
        """Whether it has to be declared: nothing around has done so."""
        if any(name in scope for scope in self.scopes):
            return False
        self.scopes[-1].add(name)
        return True


class Braces(Language):
    OPERATORS, REMARK = {}, "//"

    def statement(self, depth, statement):
        kind, *rest = statement
        show = self.expression
        if kind == "var":
            self.line(depth, f"{'int ' if self.declare(rest[0]) else ''}{show(rest[0])} = {show(rest[1])};")
        elif kind == "set":
            self.line(depth, f"{show(rest[0])} = {show(rest[1])};")
        elif kind == "add":
            place, operator, value = rest
            short = value == 1 and operator in "+-" and self.layout["short"]
            self.line(depth, f"{show(place)}{operator * 2};" if short else f"{show(place)} {operator}= {show(value)};")
        elif kind == "if":
            self.braced(depth, f"if ({show(rest[0])})", rest[1])
            if rest[2]:
                self.braced(depth, "else", rest[2])
        elif kind == "while":
            self.braced(depth, f"while ({show(rest[0])})", rest[1])
        elif kind == "for":
            self.loop(depth, *rest)
        elif kind == "each":
            self.each(depth, *rest)
        elif kind == "array":
            self.array(depth, rest[0], show(rest[1]))
        elif kind == "copy":
            self.copy(depth, *rest)
        elif kind == "return":
            self.line(depth, f"return {show(rest[0])};")
        elif kind == "break":
            self.line(depth, "break;")
        elif kind == "print":
            self.printed(depth, rest[0], show(rest[1]))

    def counted(self, depth, item, name, body):
        """A loop over elements, with a counter that nothing around has."""
        counter = "i" if not any("i" in scope for scope in self.scopes) else "j"
        self.loop(depth, counter, 0, ("len", name), 1, [("var", item, ("at", name, counter)), *body])

    def loop(self, depth, name, begin, end, step, body):
        self.scopes.append(set())
        kind = "int " if self.declare(name) else ""
        show = self.expression
        if step == 2:
            test = f"{show(name)} <= {show(plain(('-', end, 1)), 5)}"
        elif step > 0:
            test = f"{show(name)} < {show(end, 5)}"
        else:
            test = f"{show(name)} >= {end + 1}" if isinstance(end, int) else f"{show(name)} > {show(end, 5)}"
        tick = f"{show(name)}{'++' if step > 0 else '--'}" if self.layout["short"] else f"{show(name)} {'+' if step > 0 else '-'}= 1"
        self.braced(depth, f"for ({kind}{show(name)} = {show(begin)}; {test}; {tick})", body)
        self.scopes.pop()

    def braced(self, depth, head, body, function=False):
        simple = not function and len(body) == 1 and body[0][0] in ("set", "add", "return", "break")
        if simple and not self.layout["braces"]:
            self.line(depth, head)
            self.statement(depth + 1, body[0])
            return
        if self.layout["brace_below"]:
            self.line(depth, head)
            self.line(depth, "{")
        else:
            self.line(depth, head + " {")
        if function:
            self.upfront(depth + 1, body)
        self.block(depth + 1, body)
        self.line(depth, "}")


class Java(Braces):
    def program(self):
        self.line(0, "public class Main {")
        if self.layout["show"] == "helper":
            show = ["", f"static void {self.names['show']}(String label, int number) {{", 'System.out.println(label + ": " + number);', "}"]
            for depth, text in zip((0, 1, 2, 1), show):
                self.line(depth, text)
        for name, parameters, body in self.functions:
            self.line(0, "")
            self.scopes = [set(parameters)]
            if name == "main":
                self.braced(1, "public static void main(String[] args)", body, True)
                continue
            given = ", ".join(("int[] " if parameter in LISTS else "int ") + self.names[parameter] for parameter in parameters)
            self.braced(1, f"static int {self.names[name]}({given})", body, True)
        self.line(0, "}")
        return "\n".join(self.lines) + "\n"

    def length(self, name):
        return f"{self.names[name]}.length"

    def array(self, depth, name, size):
        self.line(depth, f"int[] {self.names[name]} = new int[{size}];")

    def copy(self, depth, name, other):
        self.line(depth, f"int[] {self.names[name]} = {self.names[other]}.clone();")

    def each(self, depth, item, name, body):
        if any(item in scope for scope in self.scopes):
            return self.counted(depth, item, name, body)
        self.scopes.append({item})
        self.braced(depth, f"for (int {self.names[item]} : {self.names[name]})", body)
        return self.scopes.pop()

    def extreme(self, kind, left, right):
        return f"Math.{kind}({left}, {right})"

    def printed(self, depth, label, value):
        way = self.layout["show"]
        if way == "helper":
            self.line(depth, f'{self.names["show"]}("{label}", {value});')
        elif way == "format":
            self.line(depth, f'System.out.printf("{label}: %d%n", {value});')
        elif way == "variable":
            self.line(depth, f"int {self.cased(label + '_result')} = {value};")
            self.line(depth, f'System.out.println("{label}: " + {self.cased(label + "_result")});')
        else:
            self.line(depth, f'System.out.println("{label}: " + {value});')


class C(Braces):
    def program(self):
        self.lines += ["#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>", ""]
        heads = {}
        for name, parameters, _ in self.functions:
            given = [f"int *{self.names[one]}, int {self.length(one)}" if one in LISTS else f"int {self.names[one]}" for one in parameters]
            heads[name] = f"int {'main' if name == 'main' else self.names[name]}({', '.join(given) or 'void'})"
        self.lines += [f"{head};" for name, head in heads.items() if name != "main"]
        for name, parameters, body in self.functions:
            self.line(0, "")
            self.scopes = [set(parameters)]
            self.braced(0, heads[name], [*body, ("return", 0)] if name == "main" else body, True)
        return "\n".join(self.lines) + "\n"

    def length(self, name):
        return f"{self.names[name]}_n"

    def argument(self, node):
        return f"{self.names[node]}, {self.length(node)}" if node in LISTS else self.expression(node)

    def array(self, depth, name, size):
        self.line(depth, f"int {self.length(name)} = {size};")
        self.line(depth, f"int *{self.names[name]} = calloc({self.length(name)}, sizeof(int));")

    def copy(self, depth, name, other):
        self.array(depth, name, self.length(other))
        self.line(depth, f"memcpy({self.names[name]}, {self.names[other]}, {self.length(name)} * sizeof(int));")

    def extreme(self, kind, left, right):
        return f"({left} {'>' if kind == 'max' else '<'} {right} ? {left} : {right})"

    def printed(self, depth, label, value):
        if self.layout["show"] == "variable":
            self.line(depth, f"int {self.cased(label + '_result')} = {value};")
            value = self.cased(label + "_result")
        self.line(depth, f'printf("{label}: %d\\n", {value});')

    def each(self, depth, item, name, body):
        self.counted(depth, item, name, body)


class Python(Language):
    OPERATORS, REMARK = {"&&": "and", "||": "or", "/": "//"}, "#"

    def program(self):
        for name, parameters, body in self.functions:
            given = ", ".join(self.names[parameter] for parameter in parameters)
            self.line(0, f"def {'main' if name == 'main' else self.names[name]}({given}):")
            self.block(1, body)
            self.lines += [""] * (2 if self.layout["braces"] else 1)
        self.lines += ['if __name__ == "__main__":', " " * self.layout["indent"] + "main()"] if self.layout["short"] else ["main()"]
        return "\n".join(self.lines) + "\n"

    def length(self, name):
        return f"len({self.names[name]})"

    def extreme(self, kind, left, right):
        return f"{kind}({left}, {right})"

    def statement(self, depth, statement):
        kind, *rest = statement
        show = self.expression
        if kind in ("var", "set"):
            self.line(depth, f"{show(rest[0])} = {show(rest[1])}")
        elif kind == "add":
            self.line(depth, f"{show(rest[0])} {rest[1]}= {show(rest[2])}")
        elif kind == "if":
            self.line(depth, f"if {show(rest[0])}:")
            self.block(depth + 1, rest[1])
            if rest[2]:
                self.line(depth, "else:")
                self.block(depth + 1, rest[2])
        elif kind == "while":
            self.line(depth, f"while {show(rest[0])}:")
            self.block(depth + 1, rest[1])
        elif kind == "for":
            name, begin, end, step, body = rest
            span = show(end) if begin == 0 and step > 0 else f"{show(begin)}, {show(end)}" + (", -1" if step < 0 else "")
            self.line(depth, f"for {show(name)} in range({span}):")
            self.block(depth + 1, body)
        elif kind == "each":
            self.line(depth, f"for {show(rest[0])} in {show(rest[1])}:")
            self.block(depth + 1, rest[2])
        elif kind == "array":
            self.line(depth, f"{show(rest[0])} = [0] * {show(rest[1], 7)}")
        elif kind == "copy":
            self.line(depth, f"{show(rest[0])} = list({show(rest[1])})")
        elif kind == "return":
            self.line(depth, f"return {show(rest[0])}")
        elif kind == "break":
            self.line(depth, "break")
        elif kind == "print":
            way, value = self.layout["show"], show(rest[1])
            if way == "variable":
                self.line(depth, f"{self.cased(rest[0] + '_result')} = {value}")
                value = self.cased(rest[0] + "_result")
            self.line(depth, f'print(f"{rest[0]}: {{{value}}}")' if way == "format" else f'print("{rest[0]}:", {value})')
