# What has no end, or is too large or too deep, is an error that a program can catch.
a = []
for _ in range(2000):
    a = [a]
try:
    repr(a)
except RecursionError as e:
    print("repr", e)
b = []
for _ in range(2000):
    b = [b]
try:
    print(a == b)
except RecursionError as e:
    print("eq", e)
class R:
    def __repr__(self): return f"<{self!r}>"
try:
    repr(R())
except RecursionError as e:
    print("own repr", type(e).__name__)
class G:
    def __getattr__(self, n): return getattr(self, n + "x")
try:
    G().a
except RecursionError as e:
    print("getattr")
class E:
    def __eq__(self, o): return self == o
try:
    E() == E()
except RecursionError as e:
    print("own eq")
def deep(n): return sorted([n], key=lambda x: deep(x + 1))
try:
    deep(0)
except RecursionError:
    print("sorted")
try:
    x = 10 ** 10 ** 10
except (OverflowError, MemoryError) as e:
    print(type(e).__name__)
try:
    "a" * 10 ** 12
except MemoryError as e:
    print("mem")
try:
    list(range(10 ** 12))
except MemoryError as e:
    print("mem2")
def g():
    try:
        yield 1
        yield 2
    finally:
        print("closed")
it = g()
print(next(it))
it.close()
print(list(it))
t = ()
for _ in range(300):
    t = (t,)
try:
    hash(t); repr(t)
except RecursionError:
    print("tuple")
print(sum(i for i in range(200000)), len([str(i) for i in range(50000)]))
d = {i: str(i) for i in range(20000)}
for k in list(d): del d[k]
print(len(d))
