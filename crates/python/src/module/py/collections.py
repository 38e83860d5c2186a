# Containers beyond the built-in ones.
import _machine

_KEYWORDS = frozenset(
    'False None True and as assert async await break class continue def del elif else except finally for from global '
    'if import in is lambda nonlocal not or pass raise return try while with yield'.split())

class _Field:
    def __init__(self, index):
        self._index, self.__doc__ = index, f'Alias for field number {index}'
    def __get__(self, obj, cls=None):
        return self if obj is None else tuple.__getitem__(obj, self._index)
    def __set__(self, obj, value):
        raise AttributeError("can't set attribute")
    def __delete__(self, obj):
        raise AttributeError("can't delete attribute")

def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(',', ' ').split()
    names = [str(n) for n in field_names]
    if rename:
        seen = set()
        for i, name in enumerate(names):
            if not name.isidentifier() or name in _KEYWORDS or name.startswith('_') or name in seen:
                names[i] = f'_{i}'
            seen.add(name)
    for name in [typename, *names]:
        if not name.isidentifier():
            raise ValueError(f'Type names and field names must be valid identifiers: {name!r}')
        if name in _KEYWORDS:
            raise ValueError(f'Type names and field names cannot be a keyword: {name!r}')
    seen = set()
    for name in names:
        if name.startswith('_') and not rename:
            raise ValueError(f'Field names cannot start with an underscore: {name!r}')
        if name in seen:
            raise ValueError(f'Encountered duplicate field name: {name!r}')
        seen.add(name)
    defaults = () if defaults is None else tuple(defaults)
    if len(defaults) > len(names):
        raise TypeError('Got more default values than field names')
    fields = tuple(names)
    filled = dict(zip(names[len(names) - len(defaults):], defaults))
    count = len(fields)
    parameters = ''.join(f', {n}=_filled[{n!r}]' if n in filled else f', {n}' for n in fields)
    space = {'_filled': filled, '_tuple_new': tuple.__new__, '__name__': f'namedtuple_{typename}'}
    source = f'def __new__(_cls{parameters}):\n    return _tuple_new(_cls, ({"".join(n + ", " for n in fields)}))\n'
    exec(source, space)
    new = space['__new__']
    new.__qualname__ = f'{typename}.__new__'
    def make(cls, iterable):
        result = tuple.__new__(cls, iterable)
        if len(result) != count:
            raise TypeError(f'Expected {count} arguments, got {len(result)}')
        return result
    def replace(self, /, **kwds):
        result = type(self)._make(kwds.pop(n, v) for n, v in zip(fields, self))
        if kwds:
            raise ValueError(f'Got unexpected field names: {list(kwds)!r}')
        return result
    def shown(self):
        return type(self).__name__ + '(' + ', '.join(f'{n}={v!r}' for n, v in zip(fields, self)) + ')'
    namespace = {
        '__doc__': f"{typename}({', '.join(fields)})",
        '__slots__': (),
        '_fields': fields,
        '_field_defaults': filled,
        '__new__': new,
        '_make': classmethod(make),
        '_replace': replace,
        '__repr__': shown,
        '_asdict': lambda self: dict(zip(self._fields, self)),
        '__getnewargs__': lambda self: tuple(self),
        '__match_args__': fields,
        '__module__': module or _machine.caller_globals(1).get('__name__', '__main__'),
    }
    for index, name in enumerate(fields):
        namespace[name] = _Field(index)
    return type(typename, (tuple,), namespace)

class defaultdict(dict):
    def __init__(self, default_factory=None, /, *args, **kwargs):
        if default_factory is not None and not callable(default_factory):
            raise TypeError('first argument must be callable or None')
        super().__init__(*args, **kwargs)
        self.default_factory = default_factory
    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        self[key] = value = self.default_factory()
        return value
    def __repr__(self):
        return f'defaultdict({self.default_factory!r}, {dict.__repr__(self)})'
    def copy(self):
        return type(self)(self.default_factory, self)
    __copy__ = copy
    def __or__(self, other):
        new = self.copy()
        new.update(other)
        return new

class OrderedDict(dict):
    def __repr__(self):
        return f'{type(self).__name__}({list(self.items())!r})' if self else f'{type(self).__name__}()'
    def popitem(self, last=True):
        if not self:
            raise KeyError('dictionary is empty')
        key = next(reversed(self)) if last else next(iter(self))
        value = dict.pop(self, key)
        return key, value
    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return list(self.items()) == list(other.items())
        return dict.__eq__(self, other)
    __hash__ = None
    def copy(self):
        return type(self)(self)
    @classmethod
    def fromkeys(cls, iterable, value=None):
        return cls((k, value) for k in iterable)
    def __or__(self, other):
        new = type(self)(self)
        new.update(other)
        return new

class Counter(dict):
    def __init__(self, iterable=None, /, **kwds):
        super().__init__()
        self.update(iterable, **kwds)
    def __missing__(self, key):
        return 0
    def update(self, iterable=None, /, **kwds):
        if iterable is not None:
            if isinstance(iterable, dict):
                for key, count in iterable.items():
                    self[key] = self.get(key, 0) + count
            else:
                for key in iterable:
                    self[key] = self.get(key, 0) + 1
        for key, count in kwds.items():
            self[key] = self.get(key, 0) + count
    def subtract(self, iterable=None, /, **kwds):
        if iterable is not None:
            pairs = iterable.items() if isinstance(iterable, dict) else ((k, 1) for k in iterable)
            for key, count in pairs:
                self[key] = self.get(key, 0) - count
        for key, count in kwds.items():
            self[key] = self.get(key, 0) - count
    def most_common(self, n=None):
        items = sorted(self.items(), key=lambda kv: kv[1], reverse=True)
        return items if n is None else items[:n]
    def elements(self):
        for key, count in self.items():
            for _ in range(count):
                yield key
    def total(self):
        return sum(self.values())
    def copy(self):
        return type(self)(self)
    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError('Counter.fromkeys() is undefined.  Use Counter(iterable) instead.')
    def __delitem__(self, key):
        if key in self:
            dict.__delitem__(self, key)
    def __repr__(self):
        if not self:
            return f'{type(self).__name__}()'
        return f'{type(self).__name__}({dict(self.most_common())!r})'
    def _combine(self, other, how):
        if not isinstance(other, Counter):
            return NotImplemented
        result = Counter()
        for key in [*self, *(k for k in other if k not in self)]:
            count = how(self[key], other[key])
            if count > 0:
                result[key] = count
        return result
    def __add__(self, other): return self._combine(other, lambda a, b: a + b)
    def __sub__(self, other): return self._combine(other, lambda a, b: a - b)
    def __or__(self, other): return self._combine(other, max)
    def __and__(self, other): return self._combine(other, min)
    def __pos__(self): return self._combine(Counter(), lambda a, b: a)
    def __neg__(self): return Counter()._combine(self, lambda a, b: a - b)
    def __eq__(self, other):
        if not isinstance(other, Counter):
            return dict.__eq__(self, other)
        return all(self[k] == other[k] for c in (self, other) for k in c)
    __hash__ = None
    def __le__(self, other): return all(self[k] <= other[k] for c in (self, other) for k in c)
    def __lt__(self, other): return self <= other and self != other
    def __ge__(self, other): return all(self[k] >= other[k] for c in (self, other) for k in c)
    def __gt__(self, other): return self >= other and self != other

class deque:
    def __init__(self, iterable=(), maxlen=None):
        if maxlen is not None and maxlen < 0:
            raise ValueError('maxlen must be non-negative')
        self._items, self._maxlen, self._changes = [], maxlen, 0
        self.extend(iterable)
    maxlen = property(lambda self: self._maxlen)
    def append(self, x):
        self._changes += 1
        self._items.append(x)
        if self._maxlen is not None and len(self._items) > self._maxlen:
            del self._items[0]
    def appendleft(self, x):
        self._changes += 1
        self._items.insert(0, x)
        if self._maxlen is not None and len(self._items) > self._maxlen:
            del self._items[-1]
    def extend(self, iterable):
        for x in list(iterable) if iterable is self else iterable:
            self.append(x)
    def extendleft(self, iterable):
        for x in list(iterable) if iterable is self else iterable:
            self.appendleft(x)
    def pop(self):
        if not self._items:
            raise IndexError('pop from an empty deque')
        self._changes += 1
        return self._items.pop()
    def popleft(self):
        if not self._items:
            raise IndexError('pop from an empty deque')
        self._changes += 1
        return self._items.pop(0)
    def rotate(self, n=1):
        if self._items:
            self._changes += 1
            n %= len(self._items)
            self._items[:] = self._items[-n:] + self._items[:-n] if n else self._items
    def clear(self):
        self._changes += 1
        self._items.clear()
    def copy(self):
        return type(self)(self, self._maxlen)
    __copy__ = copy
    def count(self, x):
        return self._items.count(x)
    def index(self, x, *bounds):
        for i, item in enumerate(self._items):
            if (item is x or item == x) and (not bounds or i >= bounds[0]) and (len(bounds) < 2 or i < bounds[1]):
                return i
        raise ValueError(f'{x!r} is not in deque')
    def insert(self, i, x):
        if self._maxlen is not None and len(self._items) >= self._maxlen:
            raise IndexError('deque already at its maximum size')
        self._changes += 1
        self._items.insert(i, x)
    def remove(self, x):
        if x not in self._items:
            raise ValueError(f'{x!r} is not in deque')
        self._changes += 1
        self._items.remove(x)
    def reverse(self):
        self._items.reverse()
    def _index(self, i):
        if isinstance(i, slice) or not hasattr(i, '__index__'):
            raise TypeError(f"sequence index must be integer, not '{type(i).__name__}'")
        if not -len(self._items) <= i < len(self._items):
            raise IndexError('deque index out of range')
        return i
    def __getitem__(self, i): return self._items[self._index(i)]
    def __setitem__(self, i, x): self._items[self._index(i)] = x
    def __delitem__(self, i):
        self._changes += 1
        del self._items[self._index(i)]
    def __len__(self): return len(self._items)
    def __bool__(self): return bool(self._items)
    def __contains__(self, x): return x in self._items
    def __iter__(self):
        changes = self._changes
        for i in range(len(self._items)):
            if self._changes != changes:
                raise RuntimeError('deque mutated during iteration')
            yield self._items[i]
        if self._changes != changes:
            raise RuntimeError('deque mutated during iteration')
    def __reversed__(self): return reversed(self._items)
    def __repr__(self):
        tail = '' if self._maxlen is None else f', maxlen={self._maxlen}'
        return f'{type(self).__name__}({self._items!r}{tail})'
    def __eq__(self, other): return self._items == other._items if isinstance(other, deque) else NotImplemented
    def __lt__(self, other): return self._items < other._items if isinstance(other, deque) else NotImplemented
    __hash__ = None
    def __add__(self, other):
        if not isinstance(other, deque):
            raise TypeError(f'can only concatenate deque (not "{type(other).__name__}") to deque')
        new = self.copy()
        new.extend(other)
        return new
    def __iadd__(self, other):
        self.extend(other)
        return self
    def __mul__(self, n): return type(self)(self._items * n, self._maxlen)

from collections.abc import MutableMapping as _MutableMapping, MutableSequence as _MutableSequence

class ChainMap(_MutableMapping):
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]
    def __missing__(self, key):
        raise KeyError(key)
    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        return self.__missing__(key)
    def get(self, key, default=None):
        return self[key] if key in self else default
    def __len__(self): return len(set().union(*self.maps))
    def __iter__(self):
        d = {}
        for mapping in reversed(self.maps):
            d.update(dict.fromkeys(mapping))
        return iter(d)
    def __contains__(self, key): return any(key in m for m in self.maps)
    def __bool__(self): return any(self.maps)
    def __repr__(self): return f"{type(self).__name__}({', '.join(map(repr, self.maps))})"
    def new_child(self, m=None, **kwargs):
        m = kwargs if m is None else {**m, **kwargs} if kwargs else m
        return type(self)(m, *self.maps)
    parents = property(lambda self: type(self)(*self.maps[1:]))
    def __setitem__(self, key, value): self.maps[0][key] = value
    def __delitem__(self, key):
        try:
            del self.maps[0][key]
        except KeyError:
            raise KeyError(f'Key not found in the first mapping: {key!r}')

class UserDict(_MutableMapping):
    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)
    def __len__(self): return len(self.data)
    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(type(self), '__missing__'):
            return type(self).__missing__(self, key)
        raise KeyError(key)
    def __setitem__(self, key, item): self.data[key] = item
    def __delitem__(self, key): del self.data[key]
    def __iter__(self): return iter(self.data)
    def __contains__(self, key): return key in self.data
    def __repr__(self): return repr(self.data)

class UserList(_MutableSequence):
    def __init__(self, initlist=None):
        self.data = list(initlist or [])
    def __len__(self): return len(self.data)
    def __getitem__(self, i): return type(self)(self.data[i]) if isinstance(i, slice) else self.data[i]
    def __setitem__(self, i, v): self.data[i] = v
    def __delitem__(self, i): del self.data[i]
    def insert(self, i, v): self.data.insert(i, v)
    def __repr__(self): return repr(self.data)
    def __eq__(self, other): return self.data == (other.data if isinstance(other, UserList) else other)

from collections import abc
