"""Expressions in scripts: exact, small, and walked, never evaluated as Python.

Python's own parser makes the tree, because its grammar is the one people expect of `a * b ** 2`; every
node is then looked at, and whatever is not listed here is refused. Limits on length, on nodes, on powers
and on the size of every intermediate number keep a hostile script from costing time.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from tui.guide.data import DataError
from tui.guide.findings import did_you_mean
from tui.guide.functions import FUNCTIONS, NAMES, Scope
from tui.model.quantity import format_number

LONGEST = 200
MOST_NODES = 120
LARGEST_POWER = 512
MOST_BITS = 16_000
"""Size of an intermediate number; the largest honest one (11/10 to the power of 512) has 1,800."""

_NUMERAL = re.compile(r"(\d{1,60}(\.\d{0,60})?|\.\d{1,60})([eE][+-]?\d{1,2})?")


class ExpressionError(ValueError):
    """An expression cannot be read or worked out; the text is one sentence."""


@dataclass(frozen=True)
class Expression:
    """An expression that was looked through; what it works out to depends on the scope."""

    text: str
    tree: ast.expr
    calls: tuple[tuple[str, tuple[str, ...]], ...]
    """Functions called, with those arguments that are numbers or quoted names as written."""
    names: frozenset[str]

    @property
    def is_bare_number(self) -> bool:
        """Whether neither the model nor the data is used."""
        return not self.calls and not self.names


@lru_cache(maxsize=2048)
def parse(text: str, *, rule: bool = False) -> Expression:
    """Look through an expression.

    Args:
        rule: whether it is a `when`, which may compare and know `answer`.

    Raises:
        ExpressionError: when it is too long, no expression, or has a part that is not allowed.
    """
    if len(text) > LONGEST:
        raise ExpressionError(f"longer than {LONGEST} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python comments on odd code; here it is only refused
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ExpressionError("not an expression: check signs and parentheses") from None
    nodes = list(ast.walk(tree))
    if len(nodes) > MOST_NODES:
        raise ExpressionError(f"more than {MOST_NODES} parts")
    walker = _Walker(text.strip(), rule)
    walker.check(tree, boolean=rule)
    return Expression(text.strip(), tree, tuple(walker.calls), frozenset(walker.names))


def evaluate(expression: Expression, scope: Scope) -> Fraction:
    """The exact value of an expression.

    Raises:
        ExpressionError: when a name has no value here, data are missing, or it divides by zero.
    """
    value = _worked_out(expression, scope)
    assert isinstance(value, Fraction)
    return value


def holds(expression: Expression, scope: Scope) -> bool:
    """Whether a rule is true; raises as `evaluate`."""
    return bool(_worked_out(expression, scope))


def _worked_out(expression: Expression, scope: Scope) -> Fraction | bool:
    try:
        return _Evaluator(expression.text, scope).value(expression.tree)
    except DataError as error:
        raise ExpressionError(str(error)) from None
    except ZeroDivisionError:
        raise ExpressionError("divides by zero") from None
    except ValueError as error:  # the model refuses negative inputs, times of 0
        raise ExpressionError(str(error)) from None


_BINARY: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Fraction, Fraction], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class _Walker:
    """Looks at every node and notes what is called."""

    def __init__(self, text: str, rule: bool) -> None:
        self._text = text
        self._rule = rule
        self.calls: list[tuple[str, tuple[str, ...]]] = []
        self.names: set[str] = set()

    def check(self, node: ast.expr, *, boolean: bool) -> None:
        if isinstance(node, (ast.Compare, ast.BoolOp)):
            if not boolean:
                raise ExpressionError('comparisons are for "when" only, and not inside a sum')
            self._check_rule(node)
        elif boolean:
            raise ExpressionError('"when" needs a comparison, like answer > cap')
        elif isinstance(node, ast.BinOp) and type(node.op) in (*_BINARY, ast.Pow):
            self.check(node.left, boolean=False)
            self.check(node.right, boolean=False)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            self.check(node.operand, boolean=False)
        elif isinstance(node, ast.Call):
            self._check_call(node)
        elif isinstance(node, ast.Name):
            self._check_name(node)
        elif isinstance(node, ast.Constant):
            number(node, self._text)
        else:
            raise ExpressionError(f"not allowed here: {type(node).__name__}")

    def _check_rule(self, node: ast.Compare | ast.BoolOp) -> None:
        if isinstance(node, ast.BoolOp):
            for each in node.values:
                self.check(each, boolean=True)
            return
        for operand in (node.left, *node.comparators):
            self.check(operand, boolean=False)
        for sign in node.ops:
            if type(sign) not in _COMPARE:
                raise ExpressionError(f"not allowed here: {type(sign).__name__}")

    def _check_name(self, node: ast.Name) -> None:
        known = [name for name in NAMES if self._rule or name != "answer"]
        if node.id in FUNCTIONS:
            raise ExpressionError(f'"{node.id}" is a function: call it, like {node.id}(…)')
        if node.id == "answer" and not self._rule:
            raise ExpressionError('"answer" has a value in "when" only')
        if node.id not in known:
            raise ExpressionError(f'unknown name "{node.id}"{did_you_mean(node.id, known)}')
        self.names.add(node.id)

    def _check_call(self, node: ast.Call) -> None:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise ExpressionError(f"not allowed here: {type(node.func).__name__}")
        name = node.func.id
        function = FUNCTIONS.get(name)
        if function is None:
            raise ExpressionError(f'unknown function "{name}"{did_you_mean(name, FUNCTIONS)}')
        wanted = len(function.takes)
        if len(node.args) != wanted and not (function.many and len(node.args) > wanted):
            raise ExpressionError(f"{name}() takes {wanted} arguments, not {len(node.args)}")
        written = []
        for place, each in enumerate(node.args):
            kind = function.takes[min(place, wanted - 1)]
            if kind == "number":
                self.check(each, boolean=False)
            elif not isinstance(each, ast.Constant):
                raise ExpressionError(f"{name}() takes a {kind} written out, as a number or in quotes")
            elif isinstance(each.value, str):
                written.append(each.value)
            else:
                number(each, self._text)
                written.append(source(each, self._text))
        self.calls.append((name, tuple(written)))


class _Evaluator:
    def __init__(self, text: str, scope: Scope) -> None:
        self._text = text
        self._scope = scope

    def value(self, node: ast.expr) -> Fraction | bool:
        if isinstance(node, ast.BoolOp):
            results = (self.value(each) for each in node.values)
            return all(results) if isinstance(node.op, ast.And) else any(results)
        if isinstance(node, ast.Compare):
            return self._compared(node)
        return self._sum(node)

    def _compared(self, node: ast.Compare) -> bool:
        values = [self._sum(each) for each in (node.left, *node.comparators)]
        pairs = zip(node.ops, values, values[1:], strict=False)
        return all(_COMPARE[type(sign)](left, right) for sign, left, right in pairs)

    def _sum(self, node: ast.expr) -> Fraction:
        result = self._raw(node)
        if max(result.numerator.bit_length(), result.denominator.bit_length()) > MOST_BITS:
            raise ExpressionError("an intermediate number is too large")
        return result

    def _raw(self, node: ast.expr) -> Fraction:
        if isinstance(node, ast.BinOp):
            left, right = self._sum(node.left), self._sum(node.right)
            return (
                _power(left, right) if isinstance(node.op, ast.Pow) else _BINARY[type(node.op)](left, right)
            )
        if isinstance(node, ast.UnaryOp):
            operand = self._sum(node.operand)
            return -operand if isinstance(node.op, ast.USub) else operand
        if isinstance(node, ast.Call):
            assert isinstance(node.func, ast.Name)
            function = FUNCTIONS[node.func.id]
            return function.call(self._scope, *self._arguments(node, function.takes))
        if isinstance(node, ast.Name):
            value = NAMES[node.id](self._scope)
            if value is None:
                raise ExpressionError(f'"{node.id}" has no value here: no set step came before')
            assert isinstance(value, Fraction)
            return value
        assert isinstance(node, ast.Constant)
        return number(node, self._text)

    def _arguments(self, node: ast.Call, takes: tuple[str, ...]) -> Iterator[object]:
        for place, each in enumerate(node.args):
            kind = takes[min(place, len(takes) - 1)]
            if kind == "number":
                yield self._sum(each)
                continue
            assert isinstance(each, ast.Constant)
            written = each.value if isinstance(each.value, str) else source(each, self._text)
            if kind != "data":
                yield written
                continue
            found = self._scope.data.get(written)
            if found is None:
                near = did_you_mean(written, self._scope.data)
                raise ExpressionError(f'there is no data "{written}"{near}')
            yield found


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > LARGEST_POWER:
        raise ExpressionError(f"powers are whole numbers up to {LARGEST_POWER}")
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits * abs(int(exponent)) > MOST_BITS:
        raise ExpressionError("an intermediate number is too large")
    power = base ** int(exponent)
    assert isinstance(power, Fraction)
    return power


def source(node: ast.expr, text: str) -> str:
    """The characters of a node; positions in the tree count bytes."""
    return text.encode()[node.col_offset : node.end_col_offset].decode() if node.lineno == 1 else ""


def number(node: ast.Constant, text: str) -> Fraction:
    """The exact value of a number as it was written: 0.1 is one tenth."""
    written = source(node, text)
    if not _NUMERAL.fullmatch(written):
        what = f"the name {node.value!r} here" if isinstance(node.value, str) else written or "this constant"
        raise ExpressionError(f"not allowed here: {what}; numbers are decimals like 12.5")
    return Fraction(Decimal(written))


def say(expression: Expression, scope: Scope) -> str:
    """The names of an expression with their values, for a message: `(I=8, B=200)`."""
    known = [(name, NAMES[name](scope)) for name in NAMES if name in expression.names]
    listed = ", ".join(f"{name}={format_number(value)}" for name, value in known if value is not None)
    return f" ({listed})" if listed else ""
