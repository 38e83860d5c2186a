# Operators as functions.
def lt(a, b): return a < b
def le(a, b): return a <= b
def eq(a, b): return a == b
def ne(a, b): return a != b
def ge(a, b): return a >= b
def gt(a, b): return a > b
def not_(a): return not a
def truth(a): return True if a else False
def is_(a, b): return a is b
def is_not(a, b): return a is not b
def add(a, b): return a + b
def sub(a, b): return a - b
def mul(a, b): return a * b
def truediv(a, b): return a / b
def floordiv(a, b): return a // b
def mod(a, b): return a % b
def pow(a, b): return a ** b
def matmul(a, b): return a @ b
def and_(a, b): return a & b
def or_(a, b): return a | b
def xor(a, b): return a ^ b
def lshift(a, b): return a << b
def rshift(a, b): return a >> b
def invert(a): return ~a
def neg(a): return -a
def pos(a): return +a
def abs(a): return a.__abs__() if hasattr(a, '__abs__') else (a if a >= 0 else -a)
def concat(a, b): return a + b
def contains(a, b): return b in a
def countOf(a, b): return sum(1 for x in a if x is b or x == b)
def indexOf(a, b):
    for i, x in enumerate(a):
        if x is b or x == b:
            return i
    raise ValueError('sequence.index(x): x not in sequence')
def getitem(a, b): return a[b]
def setitem(a, b, c): a[b] = c
def delitem(a, b): del a[b]
def iadd(a, b):
    a += b
    return a
def index(a): return a.__index__()

class itemgetter:
    def __init__(self, item, *items):
        self._items = (item, *items)
    def __call__(self, obj):
        if len(self._items) == 1:
            return obj[self._items[0]]
        return tuple(obj[i] for i in self._items)
    def __repr__(self):
        return f"operator.itemgetter({', '.join(map(repr, self._items))})"

class attrgetter:
    def __init__(self, attr, *attrs):
        self._attrs = (attr, *attrs)
    def _one(self, obj, path):
        for name in path.split('.'):
            obj = getattr(obj, name)
        return obj
    def __call__(self, obj):
        if len(self._attrs) == 1:
            return self._one(obj, self._attrs[0])
        return tuple(self._one(obj, a) for a in self._attrs)

class methodcaller:
    def __init__(self, name, /, *args, **kwargs):
        self._name, self._args, self._kwargs = name, args, kwargs
    def __call__(self, obj):
        return getattr(obj, self._name)(*self._args, **self._kwargs)
