# Helpers for `with`.
import _machine
from functools import wraps
from abc import ABC, abstractmethod

class AbstractContextManager(ABC):
    def __enter__(self):
        return self
    @abstractmethod
    def __exit__(self, exc_type, exc_value, traceback):
        return None

class ContextDecorator:
    def _recreate_cm(self):
        return self
    def __call__(self, func):
        @wraps(func)
        def inner(*args, **kwds):
            with self._recreate_cm():
                return func(*args, **kwds)
        return inner

class _GeneratorContextManager(ContextDecorator):
    def __init__(self, func, args, kwds):
        self.gen = func(*args, **kwds)
        self.func, self.args, self.kwds = func, args, kwds
    def _recreate_cm(self):
        return type(self)(self.func, self.args, self.kwds)
    def __enter__(self):
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None
    def __exit__(self, typ, value, traceback):
        if typ is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        if value is None:
            value = typ()
        try:
            self.gen.throw(value)
        except StopIteration as exc:
            return exc is not value
        except RuntimeError as exc:
            if exc is value:
                return False
            if isinstance(value, StopIteration) and exc.__cause__ is value:
                return False
            raise
        except BaseException as exc:
            if exc is not value:
                raise
            return False
        raise RuntimeError("generator didn't stop after throw()")

def contextmanager(func):
    @wraps(func)
    def helper(*args, **kwds):
        return _GeneratorContextManager(func, args, kwds)
    return helper

class closing:
    def __init__(self, thing): self.thing = thing
    def __enter__(self): return self.thing
    def __exit__(self, *exc_info): self.thing.close()

class suppress:
    def __init__(self, *exceptions): self._exceptions = exceptions
    def __enter__(self): pass
    def __exit__(self, exctype, excinst, exctb):
        return exctype is not None and issubclass(exctype, self._exceptions)

class nullcontext:
    def __init__(self, enter_result=None): self.enter_result = enter_result
    def __enter__(self): return self.enter_result
    def __exit__(self, *excinfo): pass

class redirect_stdout:
    def __init__(self, new_target):
        self._new_target, self._old = new_target, []
    def __enter__(self):
        self._old.append(_machine.redirect(self._new_target))
        return self._new_target
    def __exit__(self, exctype, excinst, exctb):
        _machine.redirect(self._old.pop())

class ExitStack:
    def __init__(self):
        self._callbacks = []
    def __enter__(self):
        return self
    def enter_context(self, cm):
        cls = type(cm)
        if not hasattr(cls, '__enter__') or not hasattr(cls, '__exit__'):
            raise TypeError(f"'{cls.__module__}.{cls.__qualname__}' object does not support the context manager protocol")
        result = cm.__enter__()
        self._callbacks.append(cm.__exit__)
        return result
    def push(self, exit):
        self._callbacks.append(exit.__exit__ if hasattr(type(exit), '__exit__') else exit)
        return exit
    def callback(self, callback, /, *args, **kwds):
        self._callbacks.append(lambda *exc: callback(*args, **kwds) and False)
        return callback
    def pop_all(self):
        new = type(self)()
        new._callbacks, self._callbacks = self._callbacks, []
        return new
    def close(self):
        self.__exit__(None, None, None)
    def __exit__(self, *details):
        exc = details[1]
        received, pending = exc is not None, False
        suppressed = False
        while self._callbacks:
            callback = self._callbacks.pop()
            try:
                if callback(None if exc is None else type(exc), exc, None if exc is None else exc.__traceback__):
                    suppressed, pending, exc = True, False, None
            except BaseException as new:
                if new.__context__ is None and exc is not None and new is not exc:
                    new.__context__ = exc
                pending, exc = True, new
        if pending:
            raise exc
        return received and suppressed
