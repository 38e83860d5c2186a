# The abstract classes of containers.
from abc import ABCMeta, abstractmethod

def _has(cls, *names):
    for name in names:
        for base in cls.__mro__:
            if name in base.__dict__:
                if base.__dict__[name] is None:
                    return False
                break
        else:
            return False
    return True

class _One(metaclass=ABCMeta):
    _needs = ()
    @classmethod
    def __subclasshook__(cls, subclass):
        needs = cls.__dict__.get('_needs')
        if needs:
            return _has(subclass, *needs) or NotImplemented
        return NotImplemented
    def __class_getitem__(cls, item):
        return cls

class Hashable(_One): _needs = ('__hash__',)
class Iterable(_One): _needs = ('__iter__',)
class Iterator(Iterable):
    _needs = ('__next__', '__iter__')
    def __iter__(self):
        return self
class Generator(Iterator): _needs = ('send', 'throw', 'close', '__next__')
class Reversible(Iterable): _needs = ('__reversed__', '__iter__')
class Sized(_One): _needs = ('__len__',)
class Container(_One): _needs = ('__contains__',)
class Callable(_One):
    @classmethod
    def __subclasshook__(cls, subclass):
        if subclass.__name__ in ('function', 'builtin_function_or_method', 'method', 'method_descriptor', 'type'):
            return True
        return _has(subclass, '__call__') or NotImplemented
class Collection(Sized, Iterable, Container): _needs = ('__len__', '__iter__', '__contains__')

class Sequence(Reversible, Collection):
    _needs = ()
    @abstractmethod
    def __getitem__(self, index):
        raise IndexError
    @abstractmethod
    def __len__(self):
        return 0
    def __iter__(self):
        i = 0
        try:
            while True:
                yield self[i]
                i += 1
        except IndexError:
            return
    def __contains__(self, value):
        return any(v is value or v == value for v in self)
    def __reversed__(self):
        for i in reversed(range(len(self))):
            yield self[i]
    def index(self, value, start=0, stop=None):
        for i, v in enumerate(self):
            if v is value or v == value:
                return i
        raise ValueError
    def count(self, value):
        return sum(1 for v in self if v is value or v == value)

class MutableSequence(Sequence):
    @abstractmethod
    def __setitem__(self, index, value):
        raise IndexError
    @abstractmethod
    def __delitem__(self, index):
        raise IndexError
    @abstractmethod
    def insert(self, index, value):
        raise IndexError
    def append(self, value):
        self.insert(len(self), value)
    def clear(self):
        while len(self):
            self.pop()
    def reverse(self):
        n = len(self)
        for i in range(n // 2):
            self[i], self[n - i - 1] = self[n - i - 1], self[i]
    def extend(self, values):
        for v in list(values):
            self.append(v)
    def pop(self, index=-1):
        v = self[index]
        del self[index]
        return v
    def remove(self, value):
        del self[self.index(value)]
    def __iadd__(self, values):
        self.extend(values)
        return self

class Set(Collection):
    _needs = ()
    def __le__(self, other): return len(self) <= len(other) and all(v in other for v in self)
    def __lt__(self, other): return len(self) < len(other) and self <= other
    def __ge__(self, other): return len(self) >= len(other) and all(v in self for v in other)
    def __gt__(self, other): return len(self) > len(other) and self >= other
    def __eq__(self, other): return len(self) == len(other) and self <= other
    @classmethod
    def _from_iterable(cls, it): return cls(it)
    def __and__(self, other): return self._from_iterable(v for v in other if v in self)
    def __or__(self, other): return self._from_iterable(v for s in (self, other) for v in s)
    def __sub__(self, other): return self._from_iterable(v for v in self if v not in other)
    def isdisjoint(self, other): return not any(v in self for v in other)

class MutableSet(Set):
    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

_absent = object()

class Mapping(Collection):
    _needs = ()
    @abstractmethod
    def __getitem__(self, key):
        raise KeyError
    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default
    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True
    def keys(self): return KeysView(self)
    def items(self): return ItemsView(self)
    def values(self): return ValuesView(self)
    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())
    __reversed__ = None

class MutableMapping(Mapping):
    @abstractmethod
    def __setitem__(self, key, value):
        raise KeyError
    @abstractmethod
    def __delitem__(self, key):
        raise KeyError
    def pop(self, key, default=_absent):
        try:
            value = self[key]
        except KeyError:
            if default is _absent:
                raise
            return default
        del self[key]
        return value
    def popitem(self):
        try:
            key = next(iter(self))
        except StopIteration:
            raise KeyError from None
        value = self[key]
        del self[key]
        return key, value
    def clear(self):
        for key in list(self):
            del self[key]
    def update(self, other=(), /, **kwds):
        if hasattr(other, 'keys'):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in kwds.items():
            self[key] = value
    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default

class MappingView(Sized):
    _needs = ()
    def __init__(self, mapping): self._mapping = mapping
    def __len__(self): return len(self._mapping)
    def __repr__(self): return f'{type(self).__name__}({self._mapping!r})'
class KeysView(MappingView, Set):
    def __contains__(self, key): return key in self._mapping
    def __iter__(self): return iter(self._mapping)
    @classmethod
    def _from_iterable(cls, it): return set(it)
class ItemsView(MappingView, Set):
    def __contains__(self, item):
        key, value = item
        try:
            v = self._mapping[key]
        except KeyError:
            return False
        return v is value or v == value
    def __iter__(self):
        for key in self._mapping:
            yield (key, self._mapping[key])
    @classmethod
    def _from_iterable(cls, it): return set(it)
class ValuesView(MappingView, Collection):
    def __contains__(self, value): return any(v is value or v == value for v in self)
    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]

for _cls in (tuple, str, range, bytes, list, bytearray): Sequence.register(_cls)
for _cls in (list, bytearray): MutableSequence.register(_cls)
for _cls in (set, frozenset): Set.register(_cls)
MutableSet.register(set)
Mapping.register(dict)
MutableMapping.register(dict)
