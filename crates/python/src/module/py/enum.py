# Enumerations.
class auto:
    def __init__(self, value=None):
        self.value = value

class nonmember:
    def __init__(self, value): self.value = value
class member:
    def __init__(self, value): self.value = value

def _is_descriptor(value):
    return hasattr(type(value), '__get__') or isinstance(value, (property, staticmethod, classmethod, type(lambda: 0), type(len)))

def _is_member_name(name, value):
    if name.startswith('__') and name.endswith('__'):
        return False
    if name.startswith('_') and name.endswith('_'):
        return False
    return not _is_descriptor(value) and not isinstance(value, nonmember)

class EnumType(type):
    @classmethod
    def __prepare__(metacls, cls, bases, **kwds):
        space = _Space()
        space._bases = bases
        return space
    def __new__(metacls, name, bases, namespace, *, boundary=None, **kwds):
        raw = dict(namespace)
        for base in bases:
            if isinstance(base, EnumType) and base.__dict__.get('_member_names_'):
                raise TypeError(f'<enum {name!r}> cannot extend {base!r}')
        items = [(k, v) for k, v in raw.items() if _is_member_name(k, v)]
        space = {k: v for k, v in raw.items() if not _is_member_name(k, v)}
        for key, value in list(space.items()):
            if isinstance(value, nonmember):
                space[key] = value.value
        cls = super().__new__(metacls, name, bases, space)
        type.__setattr__(cls, '_member_names_', [])
        type.__setattr__(cls, '_member_map_', {})
        type.__setattr__(cls, '_value2member_map_', {})
        if not items:
            return cls
        own_new = None
        for base in cls.__mro__:
            if '__new__' in base.__dict__ and base is not Enum and base is not object and not isinstance(base, EnumType):
                own_new = base
                break
            if isinstance(base, EnumType) and '__new__' in base.__dict__ and base is not Enum:
                own_new = base
                break
        data = None
        for base in cls.__mro__:
            if base in (int, str, float, tuple, bytes):
                data = base
                break
        values = []
        for key, value in items:
            if isinstance(value, member):
                value = value.value
            if isinstance(value, auto):
                value = cls._generate_next_value_(key, 1, len(values), list(values))
            args = value if isinstance(value, tuple) else (value,)
            if own_new is not None and isinstance(own_new, EnumType):
                made = own_new.__dict__['__new__'].__func__(cls, *args)
                if not hasattr(made, '_value_'):
                    object.__setattr__(made, '_value_', value)
                value = made._value_
            elif data is not None:
                if data is tuple:
                    made = data.__new__(cls, value)
                else:
                    made = data.__new__(cls, *args)
                if data is str or data is int:
                    value = data(*args)
                object.__setattr__(made, '_value_', value)
            else:
                made = object.__new__(cls)
                object.__setattr__(made, '_value_', value)
            object.__setattr__(made, '_name_', key)
            init = getattr(cls, '__init__')
            if init is not object.__init__ and any('__init__' in b.__dict__ for b in cls.__mro__ if isinstance(b, EnumType) and b is not Enum):
                made.__init__(*args)
            object.__setattr__(made, '__objclass__', cls)
            values.append(value)
            for known in cls._member_map_.values():
                if known._value_ == value:
                    made = known
                    break
            else:
                if not (isinstance(cls, EnumType) and issubclass(cls, Flag) and isinstance(value, int) and (value == 0 or value & (value - 1))):
                    cls._member_names_.append(key)
                object.__setattr__(made, '_sort_order_', len(cls._member_map_))
            cls._member_map_[key] = made
            type.__setattr__(cls, key, made)
            try:
                cls._value2member_map_.setdefault(value, made)
            except TypeError:
                pass
        type.__setattr__(cls, '__new__', Enum.__dict__['__new__'])
        return cls
    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1, boundary=None):
        if names is None:
            return cls.__new__(cls, value)
        if isinstance(names, str):
            names = names.replace(',', ' ').split()
        if isinstance(names, dict):
            pairs = list(names.items())
        else:
            names = list(names)
            pairs = [(n, start + i) if isinstance(n, str) else tuple(n) for i, n in enumerate(names)]
        space = {'__module__': module or '__main__', '__qualname__': qualname or value}
        space.update(pairs)
        bases = (cls,) if type is None else (type, cls)
        return EnumType.__new__(EnumType, value, bases, space)
    def __contains__(cls, value):
        if isinstance(value, cls):
            return True
        if not isinstance(value, Enum):
            raise TypeError(f"unsupported operand type(s) for 'in': '{type(value).__qualname__}' and '{cls.__class__.__qualname__}'")
        return False
    def __getitem__(cls, name):
        return cls._member_map_[name]
    def __getattr__(cls, name):
        raise AttributeError(name)
    def __iter__(cls):
        return (cls._member_map_[name] for name in cls._member_names_)
    def __reversed__(cls):
        return (cls._member_map_[name] for name in reversed(cls._member_names_))
    def __len__(cls):
        return len(cls._member_names_)
    def __bool__(cls):
        return True
    @property
    def __members__(cls):
        return dict(cls._member_map_)
    def __repr__(cls):
        return f'<flag {cls.__name__!r}>' if issubclass(cls, Flag) else f'<enum {cls.__name__!r}>'
    def __setattr__(cls, name, value):
        if name in cls.__dict__.get('_member_map_', {}):
            raise AttributeError(f'cannot reassign member {name!r}')
        super().__setattr__(name, value)
    def __delattr__(cls, name):
        if name in cls.__dict__.get('_member_map_', {}):
            raise AttributeError(f'{cls.__name__!r} cannot delete member {name!r}.')
        super().__delattr__(name)

EnumMeta = EnumType

class _Space(dict):
    def __setitem__(self, key, value):
        if key in self and _is_member_name(key, self[key]) and _is_member_name(key, value):
            raise TypeError(f'{key!r} already defined as {self[key]!r}')
        if isinstance(value, auto) and _is_member_name(key, value):
            make = self.get('_generate_next_value_')
            if make is None:
                make = next(b._generate_next_value_ for b in reversed(self._bases) if isinstance(b, EnumType))
            elif isinstance(make, staticmethod):
                make = make.__func__
            before = [v for k, v in self.items() if _is_member_name(k, v)]
            value = make(key, 1, len(before), before)
        super().__setitem__(key, value)

class Flag:
    pass

class Enum(metaclass=EnumType):
    def __new__(cls, value):
        for known in cls._member_map_.values():
            if known._value_ == value:
                return known
        if isinstance(value, cls):
            return value
        found = cls._missing_(value)
        if isinstance(found, cls):
            return found
        if found is None:
            raise ValueError(f'{value!r} is not a valid {cls.__qualname__}')
        raise TypeError(f'error in {cls.__name__}._missing_: returned {found!r} instead of None or a valid member')
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start
        return max(v for v in last_values if isinstance(v, int)) + 1
    @classmethod
    def _missing_(cls, value):
        return None
    @property
    def name(self): return self._name_
    @property
    def value(self): return self._value_
    def __repr__(self): return f'<{type(self).__name__}.{self._name_}: {self._value_!r}>'
    def __str__(self): return f'{type(self).__name__}.{self._name_}'
    def __format__(self, spec): return format(str(self), spec)
    def __hash__(self): return hash(self._name_)
    def __eq__(self, other): return self is other if not isinstance(self, (int, str)) else NotImplemented
    def __dir__(self): return ['__class__', '__doc__', '__module__', 'name', 'value']
    def __copy__(self): return self
    def __deepcopy__(self, memo): return self
    def __reduce_ex__(self, proto): return type(self), (self._value_,)

class ReprEnum(Enum):
    pass

class IntEnum(int, ReprEnum):
    def __str__(self): return int.__repr__(self._value_)
    def __format__(self, spec): return format(self._value_, spec)
    def __eq__(self, other): return self._value_ == (other._value_ if isinstance(other, IntEnum) else other)
    def __hash__(self): return hash(self._value_)

class StrEnum(str, ReprEnum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values): return name.lower()
    def __str__(self): return self._value_
    def __format__(self, spec): return format(self._value_, spec)
    def __eq__(self, other): return self._value_ == (other._value_ if isinstance(other, StrEnum) else other)
    def __hash__(self): return hash(self._value_)

def _bits(value):
    bit = 1
    while bit <= value:
        if value & bit:
            yield bit
        bit <<= 1

class Flag(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return 2 ** (max(last_values).bit_length()) if last_values else start
    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            return None
        every = 0
        for m in cls._member_map_.values():
            every |= m._value_
        if value < 0:
            value = every + 1 + value
        if value & ~every:
            raise ValueError(f'{cls!r} invalid value {value}\n    given 0b{value:b}\n  allowed 0b{every:b}')
        made = int.__new__(cls, value) if issubclass(cls, int) else object.__new__(cls)
        names = [m._name_ for m in cls if m._value_ & value]
        object.__setattr__(made, '_name_', '|'.join(names) if names else None)
        object.__setattr__(made, '_value_', value)
        return cls._value2member_map_.setdefault(value, made)
    def __iter__(self):
        return (type(self)(b) for b in _bits(self._value_))
    def __len__(self): return self._value_.bit_count()
    def __contains__(self, other):
        if not isinstance(other, type(self)):
            raise TypeError(f"unsupported operand type(s) for 'in': {type(other).__qualname__!r} and {type(self).__qualname__!r}")
        return other._value_ & self._value_ == other._value_
    def __bool__(self): return bool(self._value_)
    def _get(self, other):
        return other._value_ if isinstance(other, type(self)) else other if isinstance(other, int) and isinstance(self, int) else None
    def __or__(self, other):
        v = self._get(other)
        return NotImplemented if v is None else type(self)(self._value_ | v)
    def __and__(self, other):
        v = self._get(other)
        return NotImplemented if v is None else type(self)(self._value_ & v)
    def __xor__(self, other):
        v = self._get(other)
        return NotImplemented if v is None else type(self)(self._value_ ^ v)
    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__
    def __invert__(self):
        every = 0
        for m in type(self)._member_map_.values():
            every |= m._value_
        return type(self)(every & ~self._value_)
    def __repr__(self):
        if self._name_ is None:
            return f'<{type(self).__name__}: {self._value_!r}>'
        return f'<{type(self).__name__}.{self._name_}: {self._value_!r}>'
    def __str__(self):
        return f'{type(self).__name__}({self._value_!r})' if self._name_ is None else f'{type(self).__name__}.{self._name_}'

class IntFlag(int, ReprEnum, Flag):
    def __str__(self): return int.__repr__(self._value_)
    def __format__(self, spec): return format(self._value_, spec)
    def __eq__(self, other): return self._value_ == (other._value_ if isinstance(other, IntFlag) else other)
    def __hash__(self): return hash(self._value_)

def unique(enumeration):
    duplicates = [(alias, m.name) for alias, m in enumeration.__members__.items() if alias != m.name]
    if duplicates:
        details = ', '.join(f'{alias} -> {name}' for alias, name in duplicates)
        raise ValueError(f'duplicate values found in {enumeration!r}: {details}')
    return enumeration
