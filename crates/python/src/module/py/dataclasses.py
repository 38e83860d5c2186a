# Classes that are mostly data.
import _machine
from types import MappingProxyType as _Proxy

class _Mark:
    def __init__(self, name): self._name = name
    def __repr__(self): return self._name

MISSING, KW_ONLY = _Mark('MISSING'), _Mark('KW_ONLY')

class FrozenInstanceError(AttributeError):
    pass
FrozenInstanceError.__module__ = 'dataclasses'

class InitVar:
    def __init__(self, type): self.type = type
    def __class_getitem__(cls, type): return InitVar(type)
    def __repr__(self): return f'dataclasses.InitVar[{_machine.annotation_text(self.type)}]'

class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = self.type = None
        self.default, self.default_factory, self.init, self.repr = default, default_factory, init, repr
        self.hash, self.compare, self.kw_only = hash, compare, kw_only
        self.metadata = _Proxy(metadata or {})
        self._kind = 'field'
    def __repr__(self):
        return f'Field(name={self.name!r},type={self.type!r},default={self.default!r})'

def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None, kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError('cannot specify both default and default_factory')
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)

def _kind_of(annotation):
    text = annotation if isinstance(annotation, str) else ''
    if isinstance(annotation, InitVar) or annotation is InitVar or text.startswith(('InitVar', 'dataclasses.InitVar')):
        return 'initvar'
    shown = text or repr(annotation)
    if shown.startswith(('typing.ClassVar', 'ClassVar')):
        return 'classvar'
    return 'field'

def _collect(cls, kw_only):
    fields = {}
    for base in reversed(cls.__mro__[1:]):
        for f in getattr(base, '__dataclass_fields__', {}).values() if '__dataclass_fields__' in base.__dict__ else ():
            fields[f.name] = f
    keyword = kw_only
    for name, annotation in cls.__dict__.get('__annotations__', {}).items():
        if annotation is KW_ONLY or annotation in ('KW_ONLY', 'dataclasses.KW_ONLY'):
            keyword = True
            continue
        default = cls.__dict__.get(name, MISSING)
        f = default if isinstance(default, Field) else field(default=default)
        f.name, f.type, f._kind = name, annotation, _kind_of(annotation)
        if f.kw_only is MISSING:
            f.kw_only = keyword
        if f._kind == 'field' and type(f.default).__hash__ is None:
            raise ValueError(f'mutable default {type(f.default)} for field {name} is not allowed: use default_factory')
        fields[name] = f
        if isinstance(default, Field):
            if f.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, f.default)
    return fields

def _make_init(cls, fields, frozen):
    space = {'_MISSING': MISSING, '_set': object.__setattr__, '__name__': cls.__module__}
    ordered = [f for f in fields.values() if f._kind != 'classvar']
    plain = [f for f in ordered if f.init and not f.kw_only]
    keyword = [f for f in ordered if f.init and f.kw_only]
    seen = None
    for f in plain:
        if f.default is not MISSING or f.default_factory is not MISSING:
            seen = f.name
        elif seen is not None:
            raise TypeError(f'non-default argument {f.name!r} follows default argument')
    def parameter(f):
        if f.default is not MISSING:
            space[f'_d_{f.name}'] = f.default
            return f'{f.name}=_d_{f.name}'
        return f'{f.name}=_MISSING' if f.default_factory is not MISSING else f.name
    params = ['self'] + [parameter(f) for f in plain]
    if keyword:
        params.append('*')
        params += [parameter(f) for f in keyword]
    body, initvars = [], []
    def store(name, value):
        body.append(f'_set(self, {name!r}, {value})' if frozen else f'self.{name} = {value}')
    for f in ordered:
        if f._kind == 'initvar':
            initvars.append(f.name)
        elif f.default_factory is not MISSING:
            space[f'_f_{f.name}'] = f.default_factory
            if f.init:
                store(f.name, f'_f_{f.name}() if {f.name} is _MISSING else {f.name}')
            else:
                store(f.name, f'_f_{f.name}()')
        elif f.init:
            store(f.name, f.name)
        elif f.default is not MISSING and cls.__dict__.get('__slots__') is not None:
            space[f'_d_{f.name}'] = f.default
            store(f.name, f'_d_{f.name}')
    if hasattr(cls, '__post_init__'):
        body.append(f"self.__post_init__({', '.join(initvars)})")
    exec(f"def __init__({', '.join(params)}):\n" + ''.join(f'    {line}\n' for line in body or ['pass']), space)
    made = space['__init__']
    made.__qualname__ = f'{cls.__qualname__}.__init__'
    made.__annotations__ = {f.name: f.type for f in plain + keyword} | {'return': None}
    return made

def _set_new(cls, name, value):
    if name in cls.__dict__:
        return False
    value.__qualname__ = f'{cls.__qualname__}.{name}'
    value.__name__ = name
    setattr(cls, name, value)
    return True

def _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots):
    had_eq, own_hash = '__eq__' in cls.__dict__, cls.__dict__.get('__hash__', MISSING)
    fields = _collect(cls, kw_only)
    for base in cls.__mro__[1:]:
        params = base.__dict__.get('__dataclass_params__')
        if params is not None and params['frozen'] != frozen:
            raise TypeError('cannot inherit frozen dataclass from a non-frozen one' if frozen
                            else 'cannot inherit non-frozen dataclass from a frozen one')
    cls.__dataclass_fields__ = fields
    cls.__dataclass_params__ = {'frozen': frozen, 'eq': eq, 'order': order}
    real = [f for f in fields.values() if f._kind == 'field']
    compared = [f.name for f in real if f.compare]
    if order and not eq:
        raise ValueError('eq must be true if order is true')
    shown = [f.name for f in real if f.repr]
    if repr:
        running = []
        def show(self):
            if any(self is r for r in running):
                return '...'
            running.append(self)
            try:
                return type(self).__qualname__ + '(' + ', '.join(f'{n}={getattr(self, n)!r}' for n in shown) + ')'
            finally:
                running.pop()
        _set_new(cls, '__repr__', show)
    def values(self):
        return tuple(getattr(self, n) for n in compared)
    if eq and not had_eq:
        def equal(self, other):
            if other.__class__ is not self.__class__:
                return NotImplemented
            return values(self) == values(other)
        _set_new(cls, '__eq__', equal)
    if order:
        def maker(sign):
            def compare(self, other):
                if other.__class__ is not self.__class__:
                    return NotImplemented
                a, b = values(self), values(other)
                return a < b if sign == '<' else a <= b if sign == '<=' else a > b if sign == '>' else a >= b
            return compare
        for name, sign in (('__lt__', '<'), ('__le__', '<='), ('__gt__', '>'), ('__ge__', '>=')):
            if not _set_new(cls, name, maker(sign)):
                raise TypeError(f'Cannot overwrite attribute {name} in class {cls.__name__}. Consider using functools.total_ordering')
    if frozen:
        def refuse_set(self, name, value):
            if type(self) is cls or name in fields:
                raise FrozenInstanceError(f'cannot assign to field {name!r}')
            super(cls, self).__setattr__(name, value)
        def refuse_delete(self, name):
            if type(self) is cls or name in fields:
                raise FrozenInstanceError(f'cannot delete field {name!r}')
            super(cls, self).__delattr__(name)
        _set_new(cls, '__setattr__', refuse_set)
        _set_new(cls, '__delattr__', refuse_delete)
    hashed = [f.name for f in real if (f.compare if f.hash is None else f.hash)]
    explicit = own_hash is not MISSING and not (own_hash is None and had_eq)
    if unsafe_hash or (eq and frozen and not explicit):
        cls.__hash__ = lambda self: hash(tuple(getattr(self, n) for n in hashed))
    elif eq and not explicit:
        cls.__hash__ = None
    if match_args and '__match_args__' not in cls.__dict__:
        cls.__match_args__ = tuple(f.name for f in fields.values() if f.init and not f.kw_only and f._kind == 'field')
    if slots:
        space = {k: v for k, v in cls.__dict__.items() if k not in fields and k not in ('__dict__', '__weakref__')}
        space['__slots__'] = tuple(f.name for f in real)
        space['__qualname__'] = cls.__qualname__
        cls = type(cls)(cls.__name__, cls.__bases__, space)
    if init:
        made = _make_init(cls, fields, frozen)
        if '__init__' not in cls.__dict__:
            cls.__init__ = made
    if not cls.__doc__:
        cls.__doc__ = cls.__name__ + '(' + ', '.join(f.name for f in real) + ')'
    return cls

def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True,
              kw_only=False, slots=False, weakref_slot=False):
    def wrap(cls):
        return _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots)
    return wrap if cls is None else wrap(cls)

def fields(class_or_instance):
    found = getattr(class_or_instance, '__dataclass_fields__', None)
    if found is None:
        raise TypeError('must be called with a dataclass type or instance')
    return tuple(f for f in found.values() if f._kind == 'field')

def is_dataclass(obj):
    return hasattr(obj if isinstance(obj, type) else type(obj), '__dataclass_fields__')

def _is_instance(obj):
    return hasattr(type(obj), '__dataclass_fields__')

def _plain(obj, make):
    if _is_instance(obj):
        return make([(f.name, _plain(getattr(obj, f.name), make)) for f in fields(obj)])
    if isinstance(obj, tuple) and hasattr(obj, '_fields'):
        return type(obj)(*[_plain(v, make) for v in obj])
    if isinstance(obj, (list, tuple)):
        return type(obj)(_plain(v, make) for v in obj)
    if isinstance(obj, dict):
        return type(obj)((_plain(k, make), _plain(v, make)) for k, v in obj.items())
    from copy import deepcopy
    return deepcopy(obj)

def asdict(obj, *, dict_factory=dict):
    if not _is_instance(obj):
        raise TypeError('asdict() should be called on dataclass instances')
    return _plain(obj, dict_factory)

def astuple(obj, *, tuple_factory=tuple):
    if not _is_instance(obj):
        raise TypeError('astuple() should be called on dataclass instances')
    return _plain(obj, lambda pairs: tuple_factory([v for _, v in pairs]))

def replace(obj, /, **changes):
    if not _is_instance(obj):
        raise TypeError('replace() should be called on dataclass instances')
    for f in type(obj).__dataclass_fields__.values():
        if f._kind == 'classvar':
            continue
        if not f.init:
            if f.name in changes:
                raise ValueError(f'field {f.name} is declared with init=False, it cannot be specified with replace()')
            continue
        if f.name not in changes:
            if f._kind == 'initvar' and f.default is MISSING:
                raise ValueError(f'InitVar {f.name!r} must be specified with replace()')
            changes[f.name] = getattr(obj, f.name)
    return type(obj)(**changes)

def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    space, annotations = dict(namespace or {}), {}
    for item in fields:
        if isinstance(item, str):
            annotations[item] = 'typing.Any'
        elif len(item) == 2:
            annotations[item[0]] = item[1]
        else:
            annotations[item[0]] = item[1]
            space[item[0]] = item[2]
    space['__annotations__'] = annotations
    space.setdefault('__module__', 'types')
    return dataclass(type(cls_name, bases, space), **options)
