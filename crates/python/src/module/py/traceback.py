# The texts of exceptions.
import _machine
from sys import stderr

def format_tb(tb, limit=None):
    return [_machine.format_tb(tb)]

def format_exception_only(exc, value=None):
    exc = value if isinstance(exc, type) or exc is None else exc
    if exc is None:
        return ['NoneType: None\n']
    lines = [_machine.exception_line(exc)]
    for note in getattr(exc, '__notes__', ()):
        lines.append(f'{note}\n')
    return lines

def format_exception(exc, value=None, tb=None, limit=None, chain=True):
    exc = value if value is not None else exc
    parts, seen = [], []
    while exc is not None and not any(exc is s for s in seen):
        seen.append(exc)
        lines = []
        if exc.__traceback__ is not None:
            lines.append('Traceback (most recent call last):\n')
            lines.extend(format_tb(exc.__traceback__))
        lines.extend(format_exception_only(exc))
        parts.append(lines)
        if not chain:
            break
        if exc.__cause__ is not None:
            parts.append(['\nThe above exception was the direct cause of the following exception:\n\n'])
            exc = exc.__cause__
        elif exc.__context__ is not None and not exc.__suppress_context__:
            parts.append(['\nDuring handling of the above exception, another exception occurred:\n\n'])
            exc = exc.__context__
        else:
            break
    return [line for lines in reversed(parts) for line in lines]

def format_exc(limit=None, chain=True):
    exc = _machine.handled()
    return 'NoneType: None\n' if exc is None else ''.join(format_exception(exc, chain=chain))

def print_exc(limit=None, file=None, chain=True):
    print(format_exc(), end='', file=stderr if file is None else file)

def print_exception(exc, value=None, tb=None, limit=None, file=None, chain=True):
    print(''.join(format_exception(exc, value, tb)), end='', file=stderr if file is None else file)
