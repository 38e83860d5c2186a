# Parts of the built-in functions that call the script's own functions.

def collect(iterable):
    return [item for item in iterable]

def search(iterable, wanted):
    for item in iterable:
        if item is wanted or item == wanted:
            return True
    return False

def any_of(iterable):
    for item in iterable:
        if item:
            return True
    return False

def all_of(iterable):
    for item in iterable:
        if not item:
            return False
    return True

def keys_of(key, items):
    return [key(item) for item in items]

def map_one(function, iterator):
    for item in iterator:
        yield function(item)

def map_many(function, *iterators):
    for items in zip(*iterators):
        yield function(*items)

def filter_true(function, iterator):
    for item in iterator:
        if item:
            yield item

def filter_by(function, iterator):
    for item in iterator:
        if function(item):
            yield item

def open_file(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    from io import _open
    return _open(file, mode, encoding, errors, newline)

def input_line(prompt=''):
    raise EOFError('EOF when reading a line')

open_file.__name__ = open_file.__qualname__ = 'open'
__install__(open=open_file, input=input_line)
