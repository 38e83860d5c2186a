# Iterators about iterators.
import operator as _operator

def _number(x):
    if not isinstance(x, (int, float, complex)) and not hasattr(x, '__add__'):
        raise TypeError('a number is required')

class _Made:
    """An iterator around a generator, with its own name."""
    def __iter__(self):
        return self
    def __next__(self):
        return next(self._it)

class count(_Made):
    def __init__(self, start=0, step=1):
        if isinstance(start, str):
            raise TypeError('a number is required')
        self._n, self._step = start, step
    def __next__(self):
        n = self._n
        self._n = n + self._step
        return n
    def __repr__(self):
        return f'count({self._n!r})' if self._step == 1 else f'count({self._n!r}, {self._step!r})'

class cycle(_Made):
    def __init__(self, iterable):
        self._it = self._run(iter(iterable))
    def _run(self, it):
        saved = []
        for x in it:
            yield x
            saved.append(x)
        while saved:
            for x in saved:
                yield x

class repeat(_Made):
    def __init__(self, object, times=None):
        self._object, self._times = object, times if times is None else max(times, 0)
    def __next__(self):
        if self._times is not None:
            if self._times == 0:
                raise StopIteration
            self._times -= 1
        return self._object
    def __repr__(self):
        return f'repeat({self._object!r})' if self._times is None else f'repeat({self._object!r}, {self._times})'

class chain(_Made):
    def __init__(self, *iterables):
        self._it = self._run(iterables)
    def _run(self, iterables):
        for iterable in iterables:
            for x in iterable:
                yield x
    @classmethod
    def from_iterable(cls, iterables):
        made = cls()
        made._it = made._run(iterables)
        return made

class islice(_Made):
    def __init__(self, iterable, *args):
        s = slice(*args)
        for name, value in (('Stop', s.stop), ('Start', s.start)):
            if value is not None and (not isinstance(value, int) or value < 0):
                if len(args) == 1:
                    raise ValueError('Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.')
                raise ValueError('Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.')
        if s.step is not None and (not isinstance(s.step, int) or s.step < 1):
            raise ValueError('Step for islice() must be a positive integer or None.')
        self._it = self._run(iter(iterable), s.start or 0, s.stop, s.step or 1)
    def _run(self, it, start, stop, step):
        at = 0
        wanted = start
        while stop is None or at < stop:
            if stop is not None and wanted >= stop:
                while at < stop:
                    try:
                        next(it)
                    except StopIteration:
                        return
                    at += 1
                return
            try:
                x = next(it)
            except StopIteration:
                return
            if at == wanted:
                yield x
                wanted += step
            at += 1

class takewhile(_Made):
    def __init__(self, predicate, iterable):
        self._it = self._run(predicate, iter(iterable))
    def _run(self, predicate, it):
        for x in it:
            if not predicate(x):
                return
            yield x

class dropwhile(_Made):
    def __init__(self, predicate, iterable):
        self._it = self._run(predicate, iter(iterable))
    def _run(self, predicate, it):
        for x in it:
            if not predicate(x):
                yield x
                break
        for x in it:
            yield x

class filterfalse(_Made):
    def __init__(self, predicate, iterable):
        self._it = self._run(predicate or bool, iter(iterable))
    def _run(self, predicate, it):
        for x in it:
            if not predicate(x):
                yield x

class starmap(_Made):
    def __init__(self, function, iterable):
        self._it = self._run(function, iter(iterable))
    def _run(self, function, it):
        for args in it:
            yield function(*iter(args))

class compress(_Made):
    def __init__(self, data, selectors):
        self._it = (d for d, s in zip(data, selectors) if s)

class accumulate(_Made):
    def __init__(self, iterable, func=None, *, initial=None):
        self._it = self._run(iter(iterable), func or _operator.add, initial)
    def _run(self, it, func, total):
        if total is None:
            try:
                total = next(it)
            except StopIteration:
                return
        yield total
        for x in it:
            total = func(total, x)
            yield total

class pairwise(_Made):
    def __init__(self, iterable):
        self._it = self._run(iter(iterable))
    def _run(self, it):
        try:
            a = next(it)
        except StopIteration:
            return
        for b in it:
            yield a, b
            a = b

class zip_longest(_Made):
    def __init__(self, *iterables, fillvalue=None):
        self._it = self._run([iter(i) for i in iterables], fillvalue)
    def _run(self, its, fill):
        done = object()
        active = len(its)
        its = list(its)
        ended = [False] * len(its)
        while active:
            row = []
            for i, it in enumerate(its):
                if ended[i]:
                    row.append(fill)
                    continue
                x = next(it, done)
                if x is done:
                    active -= 1
                    if not active:
                        return
                    ended[i] = True
                    x = fill
                row.append(x)
            yield tuple(row)

class product(_Made):
    def __init__(self, *iterables, repeat=1):
        if repeat < 0:
            raise ValueError('repeat argument cannot be negative')
        pools = [tuple(i) for i in iterables] * repeat
        self._it = self._run(pools)
    def _run(self, pools):
        if any(not p for p in pools):
            return
        at = [0] * len(pools)
        while True:
            yield tuple(p[i] for p, i in zip(pools, at))
            k = len(pools) - 1
            while k >= 0:
                at[k] += 1
                if at[k] < len(pools[k]):
                    break
                at[k] = 0
                k -= 1
            if k < 0:
                return

class permutations(_Made):
    def __init__(self, iterable, r=None):
        pool = tuple(iterable)
        if r is not None and not isinstance(r, int):
            raise TypeError('Expected int as r')
        r = len(pool) if r is None else r
        if r < 0:
            raise ValueError('r must be non-negative')
        self._it = self._run(pool, r, ())
    def _run(self, pool, r, chosen):
        if r > len(pool):
            return
        if len(chosen) == r:
            yield tuple(pool[i] for i in chosen)
            return
        for i in range(len(pool)):
            if i not in chosen:
                yield from self._run(pool, r, chosen + (i,))

def _check_r(r):
    if r < 0:
        raise ValueError('r must be non-negative')

class combinations(_Made):
    def __init__(self, iterable, r):
        _check_r(r)
        self._it = self._run(tuple(iterable), r)
    def _run(self, pool, r):
        n = len(pool)
        if r > n:
            return
        at = list(range(r))
        while True:
            yield tuple(pool[i] for i in at)
            k = r - 1
            while k >= 0 and at[k] == k + n - r:
                k -= 1
            if k < 0:
                return
            at[k] += 1
            for j in range(k + 1, r):
                at[j] = at[j - 1] + 1

class combinations_with_replacement(_Made):
    def __init__(self, iterable, r):
        _check_r(r)
        self._it = self._run(tuple(iterable), r)
    def _run(self, pool, r):
        n = len(pool)
        if not n and r:
            return
        at = [0] * r
        while True:
            yield tuple(pool[i] for i in at)
            k = r - 1
            while k >= 0 and at[k] == n - 1:
                k -= 1
            if k < 0:
                return
            at[k:] = [at[k] + 1] * (r - k)

class groupby(_Made):
    def __init__(self, iterable, key=None):
        self._source, self._key = iter(iterable), key
        self._have, self._value, self._current = False, None, None
        self._group = None
        self._done = False
    def _advance(self):
        if self._done:
            return False
        try:
            self._value = next(self._source)
        except StopIteration:
            self._done, self._have = True, False
            return False
        self._current = self._value if self._key is None else self._key(self._value)
        self._have = True
        return True
    def __next__(self):
        if self._group is not None:
            wanted, group = self._group
            self._group = None
            while self._have and self._current == wanted:
                if not self._advance():
                    break
        elif not self._have:
            self._advance()
        if not self._have:
            raise StopIteration
        key = self._current
        self._group = mark = (key, object())
        return key, self._items(mark)
    def _items(self, mark):
        while self._group is mark and self._have and self._current == mark[0]:
            yield self._value
            if not self._advance():
                return

def tee(iterable, n=2):
    it = iter(iterable)
    queues = [[] for _ in range(n)]
    def run(mine):
        while True:
            if not mine:
                try:
                    x = next(it)
                except StopIteration:
                    return
                for q in queues:
                    q.append(x)
            yield mine.pop(0)
    return tuple(run(q) for q in queues)
