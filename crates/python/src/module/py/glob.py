# Names that match a pattern.
import os

def _match(name, pattern):
    if not pattern:
        return not name
    c = pattern[0]
    if c == '*':
        return any(_match(name[i:], pattern[1:]) for i in range(len(name) + 1))
    if not name:
        return False
    if c == '?':
        return _match(name[1:], pattern[1:])
    if c == '[':
        end = pattern.find(']', 2)
        if end > 0:
            chars, wanted = pattern[1:end], True
            if chars[0] in '!^':
                chars, wanted = chars[1:], False
            inside, i = False, 0
            while i < len(chars):
                if i + 2 < len(chars) and chars[i + 1] == '-':
                    inside = inside or chars[i] <= name[0] <= chars[i + 2]
                    i += 3
                else:
                    inside = inside or chars[i] == name[0]
                    i += 1
            return inside == wanted and _match(name[1:], pattern[end + 1:])
    return name[0] == c and _match(name[1:], pattern[1:])

def has_magic(s): return any(c in s for c in '*?[')

def _names(folder):
    try:
        return os.listdir(folder or '.')
    except OSError:
        return []

def _tree(folder):
    yield folder
    for name in _names(folder):
        path = os.path.join(folder, name)
        if not name.startswith('.') and os.path.isdir(path):
            yield from _tree(path)

def _glob(folder, parts, recursive):
    part, rest = parts[0], parts[1:]
    if part == '**' and recursive:
        for inner in _tree(folder):
            if rest:
                yield from _glob(inner, rest, recursive)
            else:
                yield inner if inner else ''
                for name in _names(inner):
                    path = os.path.join(inner, name)
                    if not os.path.isdir(path):
                        yield path
        return
    if not has_magic(part):
        path = os.path.join(folder, part) if part else (folder + '/' if not folder.endswith('/') else folder)
        if rest:
            yield from _glob(path, rest, recursive)
        elif os.path.isdir(path) if not part else os.path.exists(path):
            yield path
        return
    for name in _names(folder):
        if _match(name, part) and (part.startswith('.') or not name.startswith('.')):
            path = os.path.join(folder, name)
            if rest:
                if os.path.isdir(path):
                    yield from _glob(path, rest, recursive)
            else:
                yield path

def iglob(pathname, *, root_dir=None, recursive=False, include_hidden=False):
    pathname = os.fspath(pathname)
    start = '/' if pathname.startswith('/') else ''
    parts = pathname.lstrip('/').split('/') if start else pathname.split('/')
    return (p for p in _glob(start, parts, recursive) if p)

def glob(pathname, *, root_dir=None, recursive=False, include_hidden=False):
    return list(iglob(pathname, recursive=recursive))

def escape(pathname):
    return ''.join(f'[{c}]' if c in '*?[' else c for c in pathname)
