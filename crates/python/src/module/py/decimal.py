# Decimal numbers: sign, digits and exponent, rounded by a context.
import _machine

ROUND_DOWN, ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_CEILING = 'ROUND_DOWN', 'ROUND_HALF_UP', 'ROUND_HALF_EVEN', 'ROUND_CEILING'
ROUND_FLOOR, ROUND_UP, ROUND_HALF_DOWN, ROUND_05UP = 'ROUND_FLOOR', 'ROUND_UP', 'ROUND_HALF_DOWN', 'ROUND_05UP'

class DecimalException(ArithmeticError): pass
class InvalidOperation(DecimalException): pass
class ConversionSyntax(InvalidOperation): pass
class DivisionByZero(DecimalException, ZeroDivisionError): pass
class DivisionUndefined(InvalidOperation, ZeroDivisionError): pass
class Inexact(DecimalException): pass
class Rounded(DecimalException): pass
class Overflow(Inexact, Rounded): pass
class FloatOperation(DecimalException, TypeError): pass

class Context:
    def __init__(self, prec=28, rounding=ROUND_HALF_EVEN, Emin=-999999, Emax=999999, capitals=1, clamp=0, flags=None, traps=None):
        self.prec, self.rounding, self.Emin, self.Emax, self.capitals = prec, rounding, Emin, Emax, capitals
        self.traps, self.flags = traps or {}, flags or {}
    def copy(self): return Context(self.prec, self.rounding, self.Emin, self.Emax)
    def create_decimal(self, num='0'): return Decimal(num)._fix(self)

_current = [Context()]
DefaultContext = Context()
def getcontext(): return _current[-1]
def setcontext(context): _current[-1] = context

class localcontext:
    def __init__(self, ctx=None, **changes):
        self._new = (ctx or getcontext()).copy()
        for name, value in changes.items():
            setattr(self._new, name, value)
    def __enter__(self):
        _current.append(self._new)
        return self._new
    def __exit__(self, *details):
        _current.pop()

def _round_off(n, drop, rounding, negative):
    """n with `drop` decimal digits cut off, rounded."""
    if drop <= 0:
        return n * 10 ** -drop
    unit = 10 ** drop
    q, r = divmod(n, unit)
    if not r:
        return q
    twice = 2 * r
    if rounding == ROUND_HALF_EVEN: up = twice > unit or (twice == unit and q % 2)
    elif rounding == ROUND_HALF_UP: up = twice >= unit
    elif rounding == ROUND_HALF_DOWN: up = twice > unit
    elif rounding == ROUND_UP: up = True
    elif rounding == ROUND_CEILING: up = not negative
    elif rounding == ROUND_FLOOR: up = negative
    elif rounding == ROUND_05UP: up = q % 10 in (0, 5)
    else: up = False
    return q + 1 if up else q

def _read(text):
    text = text.strip().replace('_', '')
    sign, body = 0, text
    if body[:1] in ('+', '-'):
        sign, body = int(body[0] == '-'), body[1:]
    low = body.lower()
    if low in ('inf', 'infinity'): return sign, 0, 'F'
    if low in ('nan', 'snan'): return sign, 0, 'n'
    exponent = 0
    if 'e' in low:
        low, _, tail = low.partition('e')
        digits = tail[1:] if tail[:1] in ('+', '-') else tail
        if not digits.isdigit():
            return None
        exponent = int(tail)
    whole, point, part = low.partition('.')
    if not (whole + part).isdigit() or not (whole + part).isascii():
        return None
    return sign, int(whole + part), exponent - len(part)

class Decimal:
    def __new__(cls, value='0', context=None):
        if isinstance(value, Decimal):
            return cls._make(*value._parts)
        if isinstance(value, bool) or isinstance(value, int):
            return cls._make(int(value < 0), abs(int(value)), 0)
        if isinstance(value, float):
            if value != value: return cls._make(0, 0, 'n')
            if value in (float('inf'), -float('inf')): return cls._make(int(value < 0), 0, 'F')
            n, d = value.as_integer_ratio()
            power = d.bit_length() - 1
            return cls._make(int(n < 0 or repr(value).startswith('-')), abs(n) * 5 ** power, -power)
        if isinstance(value, str):
            parts = _read(value)
            if parts is None:
                raise InvalidOperation([ConversionSyntax])
            return cls._make(*parts)
        if isinstance(value, (tuple, list)):
            sign, digits, exponent = value
            return cls._make(sign, int(''.join(map(str, digits)) or '0'), exponent)
        raise TypeError(f'conversion from {type(value).__name__} to Decimal is not supported')
    @classmethod
    def _make(cls, sign, digits, exponent):
        self = object.__new__(cls)
        self.__dict__['_values'] = (sign, digits, exponent)
        self.__dict__['_text'] = _show(sign, digits, exponent)
        return self
    @property
    def _parts(self):
        found = self.__dict__.get('_values')
        if found is None:
            found = self.__dict__['_values'] = _read(self._text)
        return found
    @classmethod
    def from_float(cls, f): return cls(f)
    def _special(self): return isinstance(self._parts[2], str)
    def _fix(self, context=None):
        context = context or getcontext()
        sign, n, e = self._parts
        if isinstance(e, str):
            return self
        size = len(str(n)) if n else 1
        if size <= context.prec:
            return self
        drop = size - context.prec
        n = _round_off(n, drop, context.rounding, sign)
        e += drop
        if len(str(n)) > context.prec:
            n //= 10
            e += 1
        return Decimal._make(sign, n, e)
    def __str__(self): return self._text
    def __repr__(self): return f"Decimal('{self._text}')"
    def __hash__(self):
        if self._special(): return hash(self._text)
        if self == self.to_integral_value(): return hash(int(self))
        return hash(float(self)) if Decimal(float(self)) == self else hash(self._text)
    def __bool__(self): return self._special() or self._parts[1] != 0
    def __int__(self):
        sign, n, e = self._parts
        if e == 'n': raise ValueError('cannot convert NaN to integer')
        if e == 'F': raise OverflowError('cannot convert Infinity to integer')
        n = n * 10 ** e if e >= 0 else n // 10 ** -e
        return -n if sign else n
    __trunc__ = __int__
    def __float__(self):
        return float(self._text)
    def _scaled(self, e):
        sign, n, own = self._parts
        n *= 10 ** (own - e)
        return -n if sign else n
    def _other(self, other):
        if isinstance(other, Decimal): return other
        if isinstance(other, int): return Decimal(other)
        return None
    def _nan(self, *others):
        return any(o._parts[2] == 'n' for o in (self, *others))
    def _compare(self, other):
        if self._special() or other._special():
            a, b = float(self._text), float(other._text)
            return (a > b) - (a < b)
        e = min(self._parts[2], other._parts[2])
        a, b = self._scaled(e), other._scaled(e)
        return (a > b) - (a < b)
    def _cmp_other(self, other):
        return Decimal(other) if isinstance(other, float) else self._other(other)
    def __eq__(self, other):
        other = self._cmp_other(other)
        return NotImplemented if other is None else not self._nan(other) and self._compare(other) == 0
    def _order(self, other, test):
        other = self._cmp_other(other)
        if other is None: return NotImplemented
        if self._nan(other): raise InvalidOperation([InvalidOperation])
        return test(self._compare(other))
    def __lt__(self, other): return self._order(other, lambda c: c < 0)
    def __le__(self, other): return self._order(other, lambda c: c <= 0)
    def __gt__(self, other): return self._order(other, lambda c: c > 0)
    def __ge__(self, other): return self._order(other, lambda c: c >= 0)
    def compare(self, other): return Decimal(self._compare(self._cmp_other(other)))
    def _sum(self, other, minus):
        if self._special() or other._special():
            a, b = float(self._text), float(other._text)
            return Decimal(a - b if minus else a + b)
        e = min(self._parts[2], other._parts[2])
        a, b = self._scaled(e), other._scaled(e)
        total = a - b if minus else a + b
        sign = int(total < 0)
        if not total and self._parts[0] and other._parts[0] != minus:
            sign = 1
        return Decimal._make(sign, abs(total), e)._fix()
    def __add__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else self._sum(other, 0)
    __radd__ = __add__
    def __sub__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else self._sum(other, 1)
    def __rsub__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else other._sum(self, 1)
    def __mul__(self, other):
        other = self._other(other)
        if other is None: return NotImplemented
        if self._special() or other._special(): return Decimal(float(self._text) * float(other._text))
        a, b = self._parts, other._parts
        return Decimal._make(a[0] ^ b[0], a[1] * b[1], a[2] + b[2])._fix()
    __rmul__ = __mul__
    def _divide(self, other):
        if self._special() or other._special(): return Decimal(float(self._text) / float(other._text))
        a, b = self._parts, other._parts
        sign = a[0] ^ b[0]
        if not b[1]:
            if not a[1]: raise InvalidOperation([DivisionUndefined])
            raise DivisionByZero([DivisionByZero])
        if not a[1]: return Decimal._make(sign, 0, a[2] - b[2])
        prec = getcontext().prec
        shift = max(0, len(str(b[1])) - len(str(a[1])) + prec + 1)
        e = a[2] - b[2] - shift
        q, r = divmod(a[1] * 10 ** shift, b[1])
        if r:
            if q % 5 == 0: q += 1
        else:
            while e < a[2] - b[2] and q % 10 == 0:
                q //= 10
                e += 1
        return Decimal._make(sign, q, e)._fix()
    def __truediv__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else self._divide(other)
    def __rtruediv__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else other._divide(self)
    def _divmod(self, other):
        if not other._parts[1]:
            if not self._parts[1]: raise InvalidOperation([DivisionUndefined])
            raise DivisionByZero([DivisionByZero])
        e = min(self._parts[2], other._parts[2])
        a, b = abs(self._scaled(e)), abs(other._scaled(e))
        q, r = divmod(a, b)
        return Decimal._make(self._parts[0] ^ other._parts[0], q, 0), Decimal._make(self._parts[0], r, e)._fix()
    def __floordiv__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else self._divmod(other)[0]
    def __rfloordiv__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else other._divmod(self)[0]
    def __mod__(self, other):
        other = self._other(other)
        if other is None: return NotImplemented
        if not other._parts[1]: raise InvalidOperation([InvalidOperation])
        return self._divmod(other)[1]
    def __rmod__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else other % self
    def __divmod__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else self._divmod(other)
    def __pow__(self, other, modulo=None):
        other = self._other(other)
        if other is None: return NotImplemented
        sign, n, e = other._parts
        if e >= 0 or int(other) == other:
            power = abs(int(other))
            own = self._parts
            made = Decimal._make(own[0] if power % 2 else 0, own[1] ** power, own[2] * power)
            return Decimal(1)._divide(made) if other < 0 else made._fix()
        return Decimal(repr(float(self) ** float(other)))
    def __neg__(self):
        sign, n, e = self._parts
        return Decimal._make(0 if not n and not isinstance(e, str) else 1 - sign, n, e)._fix()
    def __pos__(self):
        sign, n, e = self._parts
        return Decimal._make(sign if n or isinstance(e, str) else 0, n, e)._fix()
    def __abs__(self): return Decimal._make(0, *self._parts[1:])._fix()
    copy_abs = lambda self: Decimal._make(0, *self._parts[1:])
    copy_negate = lambda self: Decimal._make(1 - self._parts[0], *self._parts[1:])
    def sqrt(self, context=None):
        sign, n, e = self._parts
        if sign and n: raise InvalidOperation([InvalidOperation])
        from math import isqrt
        prec = getcontext().prec
        ideal = e // 2
        if e % 2:
            n, e = n * 10, e - 1
        shift = max(0, prec + 2 - (len(str(n)) + 1) // 2)
        root = isqrt(n * 100 ** shift)
        exact = root * root == n * 100 ** shift
        e = e // 2 - shift
        if exact:
            while e < ideal and root % 10 == 0:
                root //= 10
                e += 1
        elif root % 5 == 0:
            root += 1
        return Decimal._make(0, root, e)._fix()
    def quantize(self, exp, rounding=None, context=None):
        exp = self._other(exp)
        sign, n, e = self._parts
        if self._special() or exp._special(): raise InvalidOperation([InvalidOperation])
        target = exp._parts[2]
        made = _round_off(n, target - e, rounding or getcontext().rounding, sign)
        if len(str(made)) > getcontext().prec: raise InvalidOperation([InvalidOperation])
        return Decimal._make(sign, made, target)
    def to_integral_value(self, rounding=None, context=None):
        sign, n, e = self._parts
        if isinstance(e, str) or e >= 0: return self
        return Decimal._make(sign, _round_off(n, -e, rounding or getcontext().rounding, sign), 0)
    to_integral = to_integral_value
    def __round__(self, ndigits=None):
        if ndigits is None: return int(self.to_integral_value(ROUND_HALF_EVEN))
        return self.quantize(Decimal._make(0, 1, -ndigits), ROUND_HALF_EVEN)
    def __floor__(self): return int(self.to_integral_value(ROUND_FLOOR))
    def __ceil__(self): return int(self.to_integral_value(ROUND_CEILING))
    def normalize(self, context=None):
        sign, n, e = self._fix()._parts
        if isinstance(e, str): return self
        if not n: return Decimal._make(sign, 0, 0)
        while n % 10 == 0:
            n //= 10
            e += 1
        return Decimal._make(sign, n, e)
    def as_tuple(self):
        sign, n, e = self._parts
        return DecimalTuple(sign, tuple(map(int, str(n))), e)
    def as_integer_ratio(self):
        from math import gcd
        sign, n, e = self._parts
        n, d = (n * 10 ** e, 1) if e >= 0 else (n, 10 ** -e)
        g = gcd(n, d) or 1
        return (-n // g if sign else n // g), d // g
    def adjusted(self):
        return len(str(self._parts[1])) - 1 + self._parts[2]
    def is_nan(self): return self._parts[2] == 'n'
    def is_infinite(self): return self._parts[2] == 'F'
    def is_finite(self): return not self._special()
    def is_zero(self): return not self._special() and self._parts[1] == 0
    def is_signed(self): return bool(self._parts[0])
    def copy_sign(self, other): return Decimal._make(other._parts[0], *self._parts[1:])
    def max(self, other): return self if self >= other else self._other(other)
    def min(self, other): return self if self <= other else self._other(other)
    def __copy__(self): return self
    def __deepcopy__(self, memo): return self
    def __setattr__(self, name, value):
        raise AttributeError(f"'decimal.Decimal' object has no attribute {name!r}")
    def __format__(self, spec):
        if not spec:
            return str(self)
        kind = spec[-1] if spec[-1] in 'eEfFgGn%' else ''
        head = spec[:-1] if kind else spec
        body, point, places = head.partition('.')
        value = self
        if kind == '%':
            value = Decimal._make(self._parts[0], self._parts[1], self._parts[2] + 2)
        if point and kind in ('f', 'F', '%'):
            value = value.quantize(Decimal._make(0, 1, -int(places)), getcontext().rounding)
        elif point and kind in ('', 'g', 'G', 'n'):
            value = value._fix(Context(prec=max(int(places), 1), rounding=getcontext().rounding))
        elif point and kind in ('e', 'E'):
            value = value._fix(Context(prec=int(places) + 1, rounding=getcontext().rounding))
        if kind in ('e', 'E') and not value._special():
            sign, n, e = value._parts
            digits = str(n)
            if point and len(digits) <= int(places):
                e -= int(places) + 1 - len(digits)
                digits = digits.ljust(int(places) + 1, '0')
            power = e + len(digits) - 1
            text = ('-' if sign else '') + digits[0] + ('.' + digits[1:] if digits[1:] else '') + '%s%+d' % (kind, power)
        else:
            text = _fixed(*value._parts) if kind in ('f', 'F', '%') else value._text
        suffix = '%' if kind == '%' else ''
        grouped = ',' in body or '_' in body
        sign, digits = ('-', text[1:]) if text.startswith('-') else ('', text)
        if grouped:
            mark = ',' if ',' in body else '_'
            whole, dot, part = digits.partition('.')
            digits = format(int(whole), mark) + dot + part
            body = body.replace(mark, '')
        if '+' in body and not sign: sign = '+'
        if ' ' in body[:2] and not sign and body[1:2] not in ('<', '>', '^', '='): sign = ' '
        text = sign + digits + suffix
        if body[:1] == '0' or (body[:1] in '+- ' and body[1:2] == '0'):
            return sign + (digits + suffix).rjust(int(body.lstrip('+- ') or 0) - len(sign), '0')
        body = body.replace('+', '') if body[1:2] not in ('<', '>', '^') else body
        if body and body[-1].isdigit() and not any(c in body for c in '<>^='):
            body = '>' + body
        return format(text, body)

def _fixed(sign, n, e):
    if isinstance(e, str): return _show(sign, n, e)
    digits = str(n)
    if e >= 0: digits += '0' * e
    else:
        digits = digits.rjust(1 - e, '0')
        digits = digits[:e] + '.' + digits[e:]
    return ('-' if sign else '') + digits

def _show(sign, n, e):
    mark = '-' if sign else ''
    if e == 'F': return mark + 'Infinity'
    if e == 'n': return mark + 'NaN'
    digits = str(n)
    left = e + len(digits)
    if e <= 0 and left > -6:
        point = left
        tail = ''
    else:
        point = 1
        tail = 'E%+d' % (left - 1) if left != 1 else ''
    if point <= 0:
        text = '0.' + '0' * -point + digits
    elif point >= len(digits):
        text = digits + '0' * (point - len(digits))
    else:
        text = digits[:point] + '.' + digits[point:]
    return mark + text + tail

from collections import namedtuple
DecimalTuple = namedtuple('DecimalTuple', 'sign digits exponent')
