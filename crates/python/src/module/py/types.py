# The types of the interpreter's own objects.
import _machine

(FunctionType, BuiltinFunctionType, MethodType, ModuleType, GeneratorType, MappingProxyType, UnionType, GenericAlias,
 CodeType, TracebackType, CellType, _keys, _values, _items) = _machine.types()
LambdaType = FunctionType
BuiltinMethodType = BuiltinFunctionType
NoneType = type(None)
EllipsisType = type(...)
NotImplementedType = type(NotImplemented)

class SimpleNamespace:
    def __init__(self, /, **kwargs):
        self.__dict__.update(kwargs)
    def __repr__(self):
        items = (f'{k}={v!r}' for k, v in self.__dict__.items())
        return f"{'namespace' if type(self) is SimpleNamespace else type(self).__name__}({', '.join(items)})"
    def __eq__(self, other):
        if isinstance(self, SimpleNamespace) and isinstance(other, SimpleNamespace):
            return self.__dict__ == other.__dict__
        return NotImplemented

def new_class(name, bases=(), kwds=None, exec_body=None):
    space = {}
    if exec_body is not None:
        exec_body(space)
    return type(name, bases, space)
