# Paths as texts.
import _system

sep, curdir, pardir, extsep, altsep = '/', '.', '..', '.', None

def fspath(path):
    if isinstance(path, (str, bytes)):
        return path
    if hasattr(type(path), '__fspath__'):
        return path.__fspath__()
    raise TypeError(f'expected str, bytes or os.PathLike object, not {type(path).__name__}')

def join(a, *p):
    for part in (a, *p):
        if not isinstance(part, (str, bytes)) and not hasattr(type(part), '__fspath__'):
            raise TypeError(f'join() argument must be str, bytes, or os.PathLike object, not {type(part).__name__!r}')
    path = fspath(a)
    for b in map(fspath, p):
        if b.startswith('/'):
            path = b
        elif not path or path.endswith('/'):
            path += b
        else:
            path += '/' + b
    return path

def split(p):
    p = fspath(p)
    i = p.rfind('/') + 1
    head, tail = p[:i], p[i:]
    if head and head != '/' * len(head):
        head = head.rstrip('/')
    return head, tail

def basename(p): return split(p)[1]
def dirname(p): return split(p)[0]

def splitext(p):
    p = fspath(p)
    slash, dot = p.rfind('/'), p.rfind('.')
    if dot > slash:
        name = slash + 1
        while name < dot:
            if p[name] != '.':
                return p[:dot], p[dot:]
            name += 1
    return p, ''

def splitdrive(p): return '', fspath(p)
def isabs(s): return fspath(s).startswith('/')
def normcase(s): return fspath(s)

def normpath(path):
    path = fspath(path)
    if not path:
        return '.'
    slashes = 1 if path.startswith('/') else 0
    if path.startswith('//') and not path.startswith('///'):
        slashes = 2
    parts = []
    for part in path.split('/'):
        if part in ('', '.'):
            continue
        if part != '..' or (not slashes and not parts) or (parts and parts[-1] == '..'):
            parts.append(part)
        elif parts:
            parts.pop()
    return '/' * slashes + '/'.join(parts) or '.'

def abspath(path):
    path = fspath(path)
    return normpath(path if path.startswith('/') else '/' + path)

realpath = abspath

def relpath(path, start='.'):
    a = [p for p in abspath(start).split('/') if p]
    b = [p for p in abspath(path).split('/') if p]
    i = 0
    while i < len(a) and i < len(b) and a[i] == b[i]:
        i += 1
    return '/'.join(['..'] * (len(a) - i) + b[i:]) or '.'

def commonprefix(m):
    if not m:
        return ''
    low, high = min(m), max(m)
    for i, c in enumerate(low):
        if c != high[i]:
            return low[:i]
    return low

def commonpath(paths):
    paths = [fspath(p) for p in paths]
    if not paths:
        raise ValueError('commonpath() arg is an empty sequence')
    absolute = {p.startswith('/') for p in paths}
    if len(absolute) > 1:
        raise ValueError("Can't mix absolute and relative paths")
    parts = [[c for c in p.split('/') if c and c != '.'] for p in paths]
    low, high = min(parts), max(parts)
    common = low
    for i, c in enumerate(low):
        if c != high[i]:
            common = low[:i]
            break
    return ('/' if True in absolute else '') + '/'.join(common)

def expanduser(path): return fspath(path)
def expandvars(path): return fspath(path)

def _stat(path): return _system.stat(fspath(path))
def exists(path): return _stat(path) is not None
lexists = exists
def isfile(path):
    found = _stat(path)
    return found is not None and not found[0]
def isdir(s):
    found = _stat(s)
    return found is not None and found[0]
def islink(path): return False
def _must(path):
    found = _stat(path)
    if found is None:
        raise FileNotFoundError(2, 'No such file or directory', path)
    return found
def getsize(filename): return _must(filename)[1]
def getmtime(filename): return _must(filename)[2] / 1000000
getatime = getctime = getmtime
def samefile(a, b): return abspath(a) == abspath(b)
