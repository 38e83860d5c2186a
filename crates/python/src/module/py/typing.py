# Names for annotations: kept, never enforced.
import _machine

def _text(value):
    return _machine.annotation_text(value)

class _Special:
    def __init__(self, name):
        self._name = name
    def __repr__(self):
        return f'typing.{self._name}'
    def __call__(self, *args, **kwargs):
        raise TypeError(f'Cannot instantiate {self!r}')
    def __getitem__(self, params):
        return _Alias(self, params if isinstance(params, tuple) else (params,))
    def __or__(self, other):
        return Union[self, other]
    def __ror__(self, other):
        return Union[other, self]
    def __instancecheck__(self, value):
        raise TypeError(f'{self!r} cannot be used with isinstance()')

class _Alias:
    def __init__(self, origin, args):
        self._root, self.__args__ = origin, args
        self.__origin__ = getattr(origin, '_origin', origin)
    def _parts(self):
        return ', '.join('[' + ', '.join(_text(x) for x in a) + ']' if isinstance(a, list) else _text(a) for a in self.__args__)
    def __repr__(self):
        return f"{_text(self._root) if not isinstance(self._root, _Special) else repr(self._root)}[{self._parts()}]"
    def __getitem__(self, params):
        return _Alias(self._root, params if isinstance(params, tuple) else (params,))
    def __eq__(self, other):
        return isinstance(other, _Alias) and self._root is other._root and self.__args__ == other.__args__
    def __hash__(self):
        return hash((id(self._root), self.__args__))
    def __call__(self, *args, **kwargs):
        return self.__origin__(*args, **kwargs)
    def __or__(self, other):
        return Union[self, other]
    def __ror__(self, other):
        return Union[other, self]
    def __mro_entries__(self, bases):
        return (self.__origin__,) if isinstance(self.__origin__, type) else ()

class _UnionAlias(_Alias):
    def __repr__(self):
        args, none = self.__args__, type(None)
        if len(args) == 2 and none in args:
            other = args[0] if args[1] is none else args[1]
            return f'typing.Optional[{_text(other)}]'
        if none in args:
            inner = ', '.join(_text(a) for a in args if a is not none)
            return f'typing.Optional[typing.Union[{inner}]]'
        return f"typing.Union[{', '.join(_text(a) for a in args)}]"
    def __eq__(self, other):
        return isinstance(other, _UnionAlias) and set(self.__args__) == set(other.__args__)
    def __hash__(self):
        return hash(frozenset(self.__args__))

class _Union(_Special):
    def __getitem__(self, params):
        params = params if isinstance(params, tuple) else (params,)
        flat = []
        for p in params:
            p = type(None) if p is None else p
            for q in p.__args__ if isinstance(p, _UnionAlias) else (p,):
                if q not in flat:
                    flat.append(q)
        return flat[0] if len(flat) == 1 else _UnionAlias(self, tuple(flat))

class _Optional(_Special):
    def __getitem__(self, param):
        return Union[param, None]

class _Builtin(_Special):
    def __init__(self, name, origin):
        super().__init__(name)
        self._origin = self.__origin__ = origin
    def __call__(self, *args, **kwargs):
        return self._origin(*args, **kwargs)
    def __mro_entries__(self, bases):
        return (self._origin,)

Any, NoReturn, Never, ClassVar, Final, Literal, TypeAlias, Self, LiteralString, Annotated, Concatenate, TypeGuard, Required, NotRequired, Unpack = map(
    _Special, ('Any', 'NoReturn', 'Never', 'ClassVar', 'Final', 'Literal', 'TypeAlias', 'Self', 'LiteralString', 'Annotated',
               'Concatenate', 'TypeGuard', 'Required', 'NotRequired', 'Unpack'))
Union, Optional = _Union('Union'), _Optional('Optional')

import collections.abc as _abc
import collections as _collections
List, Dict, Set, FrozenSet, Tuple, Type = (
    _Builtin(n, o) for n, o in (('List', list), ('Dict', dict), ('Set', set), ('FrozenSet', frozenset), ('Tuple', tuple), ('Type', type)))
DefaultDict, OrderedDict, Counter, Deque, ChainMap = (
    _Builtin(n, o) for n, o in (('DefaultDict', _collections.defaultdict), ('OrderedDict', _collections.OrderedDict),
                                ('Counter', _collections.Counter), ('Deque', _collections.deque), ('ChainMap', _collections.ChainMap)))
(Callable, Iterable, Iterator, Generator, Sequence, MutableSequence, Mapping, MutableMapping, Collection, Container, Hashable,
 Sized, Reversible, AbstractSet, MutableSet, KeysView, ValuesView, ItemsView) = (
    _Builtin(n, getattr(_abc, o)) for n, o in (
        ('Callable', 'Callable'), ('Iterable', 'Iterable'), ('Iterator', 'Iterator'), ('Generator', 'Generator'),
        ('Sequence', 'Sequence'), ('MutableSequence', 'MutableSequence'), ('Mapping', 'Mapping'),
        ('MutableMapping', 'MutableMapping'), ('Collection', 'Collection'), ('Container', 'Container'),
        ('Hashable', 'Hashable'), ('Sized', 'Sized'), ('Reversible', 'Reversible'), ('AbstractSet', 'Set'),
        ('MutableSet', 'MutableSet'), ('KeysView', 'KeysView'), ('ValuesView', 'ValuesView'), ('ItemsView', 'ItemsView')))
Text, Hashable_ = str, None
TYPE_CHECKING = False

class TypeVar:
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        self.__name__, self.__constraints__, self.__bound__ = name, constraints, bound
        self._mark = '+' if covariant else '-' if contravariant else '~'
    def __repr__(self):
        return self._mark + self.__name__
    def __or__(self, other):
        return Union[self, other]
    def __ror__(self, other):
        return Union[other, self]

class ParamSpec(TypeVar):
    pass

class Generic:
    def __class_getitem__(cls, params):
        return _Alias(cls, params if isinstance(params, tuple) else (params,))

class _ProtocolMeta(_abc.Hashable.__class__):
    def _wanted(cls):
        names = []
        for base in cls.__mro__:
            if base.__dict__.get('_is_protocol') and base is not Protocol:
                names += [n for n in [*base.__dict__, *base.__dict__.get('__annotations__', {})] if not n.startswith('_') or n in
                          ('__call__', '__len__', '__iter__', '__enter__', '__exit__', '__next__', '__getitem__')]
        return names
    def __instancecheck__(cls, instance):
        if cls.__dict__.get('_is_protocol'):
            if not cls.__dict__.get('_is_runtime'):
                raise TypeError('Instance and class checks can only be used with @runtime_checkable protocols')
            return all(hasattr(instance, n) for n in cls._wanted())
        return super().__instancecheck__(instance)
    def __subclasscheck__(cls, subclass):
        if cls.__dict__.get('_is_protocol') and cls is not Protocol:
            return all(hasattr(subclass, n) for n in cls._wanted())
        return super().__subclasscheck__(subclass)

class Protocol(Generic, metaclass=_ProtocolMeta):
    _is_protocol = True
    def __init_subclass__(cls, **kwargs):
        cls._is_protocol = Protocol in cls.__bases__

class IO(Generic):
    pass
class TextIO(IO):
    pass
class BinaryIO(IO):
    pass
class SupportsInt(Protocol):
    pass
class SupportsFloat(Protocol):
    pass

def NewType(name, tp):
    def new(x):
        return x
    new.__name__ = new.__qualname__ = name
    new.__supertype__ = tp
    return new

def cast(typ, val): return val
def overload(func): return func
def final(f): return f
def no_type_check(f): return f
def runtime_checkable(cls):
    cls._is_runtime = True
    return cls
def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    if isinstance(obj, type):
        hints = {}
        for base in reversed(obj.__mro__):
            hints.update(base.__dict__.get('__annotations__', {}))
    else:
        hints = dict(obj.__annotations__)
    space = getattr(obj, '__globals__', _machine.caller_globals(1))
    return {k: eval(v, dict(space)) if isinstance(v, str) else v for k, v in hints.items()}
def get_origin(tp): return getattr(tp, '__origin__', None)
def get_args(tp): return getattr(tp, '__args__', ())

class _NamedTupleMeta(type):
    def __new__(cls, typename, bases, ns):
        types = ns.get('__annotations__', {})
        defaults = {}
        for name in types:
            if name in ns:
                defaults[name] = ns[name]
            elif defaults:
                raise TypeError(f'Non-default namedtuple field {name} cannot follow default field'
                                f"{'s' if len(defaults) > 1 else ''} {', '.join(defaults)}")
        made = _collections.namedtuple(typename, list(types), defaults=list(defaults.values()), module=ns['__module__'])
        made.__annotations__ = types
        for key, value in ns.items():
            if key not in ('__module__', '__qualname__', '__annotations__', '__orig_bases__') and key not in types:
                setattr(made, key, value)
        return made


class _NamedTuple:
    def __call__(self, typename, fields=(), /, **kwargs):
        fields = list(fields) or list(kwargs.items())
        made = _collections.namedtuple(typename, [n for n, _ in fields], module=_machine.caller_globals(1).get('__name__'))
        made.__annotations__ = dict(fields)
        return made
    def __mro_entries__(self, bases):
        return (_NamedTupleRoot,)

_NamedTupleRoot = type.__new__(_NamedTupleMeta, '_NamedTupleRoot', (), {})
NamedTuple = _NamedTuple()

class TypedDict(dict):
    def __init_subclass__(cls, total=True):
        pass
