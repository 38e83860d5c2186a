# Numbers: what is not native.
from _math import *

pi, e, tau = 3.141592653589793, 2.718281828459045, 6.283185307179586
inf, nan = float('inf'), float('nan')

def prod(iterable, *, start=1):
    for item in iterable:
        start = start * item
    return start

def perm(n, k=None):
    if k is None:
        return factorial(n)
    if k < 0 or n < 0:
        raise ValueError('n must be a non-negative integer' if n < 0 else 'k must be a non-negative integer')
    result = 1
    for i in range(k):
        result *= n - i
    return max(result, 0)

def hypot(*coordinates):
    largest = max((abs(float(c)) for c in coordinates), default=0.0)
    if largest == 0.0 or isinf(largest):
        return largest
    return largest * sqrt(fsum((c / largest) ** 2 for c in coordinates))

def dist(p, q):
    if len(p) != len(q):
        raise ValueError('both points must have the same number of dimensions')
    return hypot(*(a - b for a, b in zip(p, q)))

def remainder(x, y):
    x, y = float(x), float(y)
    if y == 0 or isinf(x):
        raise ValueError('math domain error')
    if isinf(y):
        return x
    a, b = abs(x), abs(y)
    m = fmod(a, b)
    c = b - m
    if m < c:
        r = m
    elif m > c:
        r = -c
    else:
        r = m - 2.0 * fmod(0.5 * (a - m), b)
    return copysign(1.0, x) * r

def nextafter(x, y):
    if x != x or y != y:
        return nan
    if x == y:
        return y
    if x == 0.0:
        return copysign(5e-324, y)
    m, e = frexp(abs(x))
    step = ldexp(1.0, max(e - 53, -1074))
    if (y > x) == (x > 0):
        return copysign(abs(x) + step, x)
    if m == 0.5 and e > -1021:
        step /= 2
    return copysign(abs(x) - step, x)

def ulp(x):
    x = abs(x)
    if x != x or isinf(x):
        return x
    m, e = frexp(x)
    return ldexp(1.0, max(e - 53, -1074)) if x else 5e-324

def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    if rel_tol < 0 or abs_tol < 0:
        raise ValueError('tolerances must be non-negative')
    if a == b:
        return True
    if isinf(a) or isinf(b):
        return False
    return abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)
