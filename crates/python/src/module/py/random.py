# Pseudo-random numbers: the Mersenne twister, from a seed or from the clock of the outside.
import math as _math
from itertools import accumulate as _accumulate
from bisect import bisect as _bisect

class Random:
    def __init__(self, x=None):
        self.gauss_next = None
        self.seed(x)
    def seed(self, a=None, version=2):
        self.gauss_next = None
        if a is None:
            import _system
            a = _system.now()
        if isinstance(a, float):
            a = hash(a)
        elif isinstance(a, (str, bytes, bytearray)):
            raise NotImplementedError('random seeds that are texts are not supported here')
        elif not isinstance(a, int):
            raise TypeError('The only supported seed types are: None,\nint, float, str, bytes, and bytearray.')
        a = abs(int(a))
        key = []
        while a:
            key.append(a & 0xffffffff)
            a >>= 32
        self._by_array(key or [0])
    def _by_array(self, key):
        mt = [19650218]
        for i in range(1, 624):
            mt.append((1812433253 * (mt[-1] ^ (mt[-1] >> 30)) + i) & 0xffffffff)
        i, j = 1, 0
        for _ in range(max(624, len(key))):
            mt[i] = ((mt[i] ^ ((mt[i - 1] ^ (mt[i - 1] >> 30)) * 1664525)) + key[j] + j) & 0xffffffff
            i, j = i + 1, j + 1
            if i >= 624:
                mt[0], i = mt[623], 1
            if j >= len(key):
                j = 0
        for _ in range(623):
            mt[i] = ((mt[i] ^ ((mt[i - 1] ^ (mt[i - 1] >> 30)) * 1566083941)) - i) & 0xffffffff
            i += 1
            if i >= 624:
                mt[0], i = mt[623], 1
        mt[0] = 0x80000000
        self._mt, self._at = mt, 624
    def _twist(self):
        mt = self._mt
        for k in range(624):
            y = (mt[k] & 0x80000000) | (mt[(k + 1) % 624] & 0x7fffffff)
            mt[k] = mt[(k + 397) % 624] ^ (y >> 1) ^ (0x9908b0df if y & 1 else 0)
        self._at = 0
    def _word(self):
        if self._at >= 624:
            self._twist()
        y = self._mt[self._at]
        self._at += 1
        y ^= y >> 11
        y ^= (y << 7) & 0x9d2c5680
        y ^= (y << 15) & 0xefc60000
        return y ^ (y >> 18)
    def random(self):
        return ((self._word() >> 5) * 67108864.0 + (self._word() >> 6)) * (1.0 / 9007199254740992.0)
    def getrandbits(self, k):
        if k < 0:
            raise ValueError('number of bits must be non-negative')
        result, shift = 0, 0
        while k > 0:
            word = self._word()
            if k < 32:
                word >>= 32 - k
            result |= word << shift
            shift += 32
            k -= 32
        return result
    def getstate(self): return (3, (*self._mt, self._at), self.gauss_next)
    def setstate(self, state):
        self._mt, self._at, self.gauss_next = list(state[1][:-1]), state[1][-1], state[2]
    def _below(self, n):
        k = n.bit_length()
        r = self.getrandbits(k)
        while r >= n:
            r = self.getrandbits(k)
        return r
    def randbytes(self, n): return self.getrandbits(n * 8).to_bytes(n, 'little')
    def randrange(self, start, stop=None, step=1):
        for value in (start, stop, step):
            if value is not None and not isinstance(value, int):
                raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")
        if stop is None:
            if start > 0:
                return self._below(start)
            raise ValueError('empty range for randrange()')
        width = stop - start
        if step == 1:
            if width > 0:
                return start + self._below(width)
            raise ValueError(f'empty range for randrange() ({start}, {stop}, {width})')
        n = (width + step - 1) // step if step > 0 else (width + step + 1) // step
        if not step:
            raise ValueError('zero step for randrange()')
        if n <= 0:
            raise ValueError('empty range for randrange()')
        return start + step * self._below(n)
    def randint(self, a, b): return self.randrange(a, b + 1)
    def choice(self, seq):
        if not len(seq):
            raise IndexError('Cannot choose from an empty sequence')
        return seq[self._below(len(seq))]
    def shuffle(self, x):
        for i in reversed(range(1, len(x))):
            j = self._below(i + 1)
            x[i], x[j] = x[j], x[i]
    def sample(self, population, k, *, counts=None):
        from collections.abc import Sequence
        if not isinstance(population, Sequence):
            raise TypeError('Population must be a sequence.  For dicts or sets, use sorted(d).')
        n = len(population)
        if not 0 <= k <= n:
            raise ValueError('Sample larger than population or is negative')
        result, setsize = [None] * k, 21
        if k > 5:
            setsize += 4 ** _math.ceil(_math.log(k * 3, 4))
        if n <= setsize:
            pool = list(population)
            for i in range(k):
                j = self._below(n - i)
                result[i] = pool[j]
                pool[j] = pool[n - i - 1]
        else:
            selected = set()
            for i in range(k):
                j = self._below(n)
                while j in selected:
                    j = self._below(n)
                selected.add(j)
                result[i] = population[j]
        return result
    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if cum_weights is None:
            if weights is None:
                if not n:
                    raise IndexError('Cannot choose from an empty sequence')
                return [population[_math.floor(self.random() * (n + 0.0))] for _ in range(k)]
            cum_weights = list(_accumulate(weights))
        if len(cum_weights) != n:
            raise ValueError('The number of weights does not match the population')
        total = cum_weights[-1] + 0.0
        if total <= 0.0:
            raise ValueError('Total of weights must be greater than zero')
        return [population[_bisect(cum_weights, self.random() * total, 0, n - 1)] for _ in range(k)]
    def uniform(self, a, b): return a + (b - a) * self.random()
    def triangular(self, low=0.0, high=1.0, mode=None):
        u = self.random()
        c = 0.5 if mode is None else (mode - low) / (high - low)
        if u > c:
            u, c = 1.0 - u, 1.0 - c
            low, high = high, low
        return low + (high - low) * _math.sqrt(u * c)
    def normalvariate(self, mu=0.0, sigma=1.0):
        while True:
            u1, u2 = self.random(), 1.0 - self.random()
            z = 4 * _math.exp(-0.5) / _math.sqrt(2.0) * (u1 - 0.5) / u2
            if z * z / 4.0 <= -_math.log(u2):
                return mu + z * sigma
    def gauss(self, mu=0.0, sigma=1.0):
        z, self.gauss_next = self.gauss_next, None
        if z is None:
            x2pi = self.random() * 2.0 * _math.pi
            g2rad = _math.sqrt(-2.0 * _math.log(1.0 - self.random()))
            z = _math.cos(x2pi) * g2rad
            self.gauss_next = _math.sin(x2pi) * g2rad
        return mu + z * sigma
    def lognormvariate(self, mu, sigma): return _math.exp(self.normalvariate(mu, sigma))
    def expovariate(self, lambd=1.0): return -_math.log(1.0 - self.random()) / lambd
    def gammavariate(self, alpha, beta):
        if alpha > 1.0:
            ainv = _math.sqrt(2.0 * alpha - 1.0)
            bbb, ccc = alpha - _math.log(4.0), alpha + ainv
            while True:
                u1 = self.random()
                if not 1e-7 < u1 < 0.9999999:
                    continue
                u2 = 1.0 - self.random()
                v = _math.log(u1 / (1.0 - u1)) / ainv
                x = alpha * _math.exp(v)
                z = u1 * u1 * u2
                r = bbb + ccc * v - x
                if r + 1.0 + _math.log(4.5) - 4.5 * z >= 0.0 or r >= _math.log(z):
                    return x * beta
        if alpha == 1.0:
            return -_math.log(1.0 - self.random()) * beta
        while True:
            u = self.random()
            b = (_math.e + alpha) / _math.e
            p = b * u
            x = p ** (1.0 / alpha) if p <= 1.0 else -_math.log((b - p) / alpha)
            u1 = self.random()
            if p > 1.0:
                if u1 <= x ** (alpha - 1.0):
                    return x * beta
            elif u1 <= _math.exp(-x):
                return x * beta
    def betavariate(self, alpha, beta):
        y = self.gammavariate(alpha, 1.0)
        return y / (y + self.gammavariate(beta, 1.0)) if y else 0.0

class _Shared:
    """One generator for the whole script, seeded from the clock when it is first used."""
    made = None

def _shared():
    if _Shared.made is None:
        _Shared.made = Random()
    return _Shared.made

def seed(a=None, version=2):
    _Shared.made = Random(a)

def _forward(name):
    def call(*args, **kwargs):
        return getattr(_shared(), name)(*args, **kwargs)
    call.__name__ = call.__qualname__ = name
    return call

for _name in ('random', 'getrandbits', 'getstate', 'setstate', 'randbytes', 'randrange', 'randint', 'choice', 'shuffle', 'sample',
              'choices', 'uniform', 'triangular', 'normalvariate', 'gauss', 'lognormvariate', 'expovariate', 'gammavariate', 'betavariate'):
    globals()[_name] = _forward(_name)
SystemRandom = Random
