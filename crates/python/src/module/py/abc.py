# Abstract classes.
import _machine

def abstractmethod(funcobj):
    funcobj.__isabstractmethod__ = True
    return funcobj

def _is_abstract(value):
    if isinstance(value, property):
        return any(getattr(f, '__isabstractmethod__', False) for f in (value.fget, value.fset, value.fdel) if f is not None)
    if isinstance(value, (staticmethod, classmethod)):
        value = value.__func__
    return getattr(value, '__isabstractmethod__', False)

class ABCMeta(type):
    def __new__(mcls, name, bases, namespace, /, **kwargs):
        cls = super().__new__(mcls, name, bases, namespace, **kwargs)
        names = {name for name, value in namespace.items() if _is_abstract(value)}
        for base in bases:
            for inherited in getattr(base, '__abstractmethods__', ()):
                if _is_abstract(getattr(cls, inherited, None)):
                    names.add(inherited)
        _machine.set_class_attribute(cls, '__abstractmethods__', frozenset(names))
        _machine.set_class_attribute(cls, '_abc_registry', [])
        return cls
    def register(cls, subclass):
        cls._abc_registry.append(subclass)
        return subclass
    def __instancecheck__(cls, instance):
        return cls.__subclasscheck__(type(instance))
    def __subclasscheck__(cls, subclass):
        if cls in subclass.__mro__:
            return True
        hook = getattr(cls, '__subclasshook__', None)
        if hook is not None:
            answer = hook(subclass)
            if answer is not NotImplemented:
                return answer
        for known in cls.__dict__.get('_abc_registry', ()):
            if issubclass(subclass, known):
                return True
        for derived in cls.__subclasses__():
            if issubclass(subclass, derived):
                return True
        return False

class ABC(metaclass=ABCMeta):
    __slots__ = ()
