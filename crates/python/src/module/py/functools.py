# Functions about functions.
WRAPPER_ASSIGNMENTS = ('__module__', '__name__', '__qualname__', '__doc__', '__annotations__')
WRAPPER_UPDATES = ('__dict__',)
_missing = object()

def reduce(function, iterable, initial=_missing, /):
    iterator = iter(iterable)
    if initial is _missing:
        try:
            value = next(iterator)
        except StopIteration:
            raise TypeError('reduce() of empty iterable with no initial value') from None
    else:
        value = initial
    for item in iterator:
        value = function(value, item)
    return value

def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    for name in assigned:
        try:
            value = getattr(wrapped, name)
        except AttributeError:
            continue
        setattr(wrapper, name, value)
    for name in updated:
        getattr(wrapper, name).update(getattr(wrapped, name, {}))
    wrapper.__wrapped__ = wrapped
    return wrapper

def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    return lambda wrapper: update_wrapper(wrapper, wrapped, assigned, updated)

class partial:
    def __new__(cls, /, *args, **keywords):
        if not args:
            raise TypeError("type 'partial' takes at least one argument")
        func, *rest = args
        if not callable(func):
            raise TypeError('the first argument must be callable')
        self = super().__new__(cls)
        if isinstance(func, partial):
            rest = list(func.args) + rest
            keywords = {**func.keywords, **keywords}
            func = func.func
        self.func, self.args, self.keywords = func, tuple(rest), keywords
        return self
    def __call__(self, /, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})
    def __repr__(self):
        parts = [repr(self.func), *map(repr, self.args), *(f'{k}={v!r}' for k, v in self.keywords.items())]
        return f"functools.partial({', '.join(parts)})"

class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        self.func, self.args, self.keywords = func, args, keywords
    def __get__(self, obj, cls=None):
        func, args, keywords = self.func, self.args, self.keywords
        def method(*more, **named):
            bound = func.__get__(obj, cls) if hasattr(func, '__get__') else partial(func, obj)
            return bound(*args, *more, **{**keywords, **named})
        return method

def cmp_to_key(mycmp):
    class K:
        __slots__ = ['obj']
        def __init__(self, obj):
            self.obj = obj
        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0
        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0
        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0
        def __le__(self, other):
            return mycmp(self.obj, other.obj) <= 0
        def __ge__(self, other):
            return mycmp(self.obj, other.obj) >= 0
    return K

class _CacheInfo(tuple):
    hits = property(lambda self: self[0])
    misses = property(lambda self: self[1])
    maxsize = property(lambda self: self[2])
    currsize = property(lambda self: self[3])
    def __repr__(self):
        return 'CacheInfo(hits=%r, misses=%r, maxsize=%r, currsize=%r)' % tuple(self)

def _key(args, kwargs, typed):
    key = args
    if kwargs:
        key += (_missing,)
        for item in kwargs.items():
            key += item
    if typed:
        key += tuple(type(v) for v in args) + tuple(type(v) for v in kwargs.values())
    return key

class _Cached:
    def __init__(self, function, maxsize, typed):
        self._function, self._maxsize, self._typed = function, maxsize, typed
        self._cache, self._hits, self._misses = {}, 0, 0
        update_wrapper(self, function)
    def __call__(self, *args, **kwargs):
        key = _key(args, kwargs, self._typed)
        cache = self._cache
        if key in cache:
            self._hits += 1
            value = cache[key]
            if self._maxsize is not None:
                del cache[key]
                cache[key] = value
            return value
        self._misses += 1
        value = self._function(*args, **kwargs)
        if self._maxsize != 0:
            cache[key] = value
            if self._maxsize is not None and len(cache) > self._maxsize:
                del cache[next(iter(cache))]
        return value
    def __get__(self, obj, cls=None):
        return self if obj is None else partial(self, obj)
    def cache_info(self):
        return _CacheInfo((self._hits, self._misses, self._maxsize, len(self._cache)))
    def cache_clear(self):
        self._cache.clear()
        self._hits = self._misses = 0
    def cache_parameters(self):
        return {'maxsize': self._maxsize, 'typed': self._typed}

def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _Cached(maxsize, 128, typed)
    return lambda function: _Cached(function, None if maxsize is None else max(maxsize, 0), typed)

def cache(function):
    return _Cached(function, None, False)

class cached_property:
    def __init__(self, func):
        self.func, self.attrname, self.__doc__ = func, None, func.__doc__
    def __set_name__(self, owner, name):
        self.attrname = name
    def __get__(self, obj, cls=None):
        if obj is None:
            return self
        values = obj.__dict__
        if self.attrname not in values:
            values[self.attrname] = self.func(obj)
        return values[self.attrname]

def total_ordering(cls):
    have = {name for name in ('__lt__', '__le__', '__gt__', '__ge__') if getattr(cls, name) is not getattr(object, name, None)}
    if not have:
        raise ValueError('must define at least one ordering operation: < > <= >=')
    def from_lt(self, other):
        return type(self).__lt__(self, other)
    root = max(have)
    def negate(result):
        return result if result is NotImplemented else not result
    def either(result, self, other):
        return result if result is NotImplemented else result or self == other
    def both(result, self, other):
        return result if result is NotImplemented else result and self != other
    makers = {
        '__lt__': {
            '__gt__': lambda self, other: both(negate(self.__lt__(other)), self, other),
            '__le__': lambda self, other: either(self.__lt__(other), self, other),
            '__ge__': lambda self, other: negate(self.__lt__(other)),
        },
        '__le__': {
            '__ge__': lambda self, other: either(negate(self.__le__(other)), self, other),
            '__lt__': lambda self, other: both(self.__le__(other), self, other),
            '__gt__': lambda self, other: negate(self.__le__(other)),
        },
        '__gt__': {
            '__lt__': lambda self, other: both(negate(self.__gt__(other)), self, other),
            '__ge__': lambda self, other: either(self.__gt__(other), self, other),
            '__le__': lambda self, other: negate(self.__gt__(other)),
        },
        '__ge__': {
            '__le__': lambda self, other: either(negate(self.__ge__(other)), self, other),
            '__gt__': lambda self, other: both(self.__ge__(other), self, other),
            '__lt__': lambda self, other: negate(self.__ge__(other)),
        },
    }
    for name, function in makers[root].items():
        if name not in have:
            function.__name__ = name
            setattr(cls, name, function)
    return cls

def singledispatch(func):
    registry = {object: func}
    def dispatch(cls):
        for base in cls.__mro__:
            if base in registry:
                return registry[base]
        return func
    def register(cls, function=None):
        if function is None:
            if isinstance(cls, type):
                return lambda f: register(cls, f)
            function = cls
            cls = next(v for k, v in function.__annotations__.items() if k != 'return')
        registry[cls] = function
        return function
    def wrapper(*args, **kwargs):
        if not args:
            raise TypeError(f'{func.__name__} requires at least 1 positional argument')
        return dispatch(type(args[0]))(*args, **kwargs)
    wrapper.register, wrapper.dispatch, wrapper.registry = register, dispatch, registry
    return update_wrapper(wrapper, func)

class singledispatchmethod:
    def __init__(self, func):
        self.dispatcher, self.func = singledispatch(func), func
    def register(self, cls, method=None):
        return self.dispatcher.register(cls, method)
    def __get__(self, obj, cls=None):
        def method(*args, **kwargs):
            return self.dispatcher.dispatch(type(args[0]))(obj, *args, **kwargs)
        return method
