# Paths as objects.
import os
from os import path as _path

class PurePath:
    def __new__(cls, *args):
        self = object.__new__(PosixPath if cls is Path else PurePosixPath if cls is PurePath else cls)
        root, parts = '', []
        for arg in args:
            text = arg._text if isinstance(arg, PurePath) else os.fspath(arg)
            if text.startswith('/'):
                root, parts = '/', []
            parts += [p for p in text.split('/') if p and p != '.']
        self._root, self._names = root, parts
        self._text = root + '/'.join(parts) or '.'
        return self
    def __init__(self, *args):
        pass
    def _make(self, root, names): return type(self)(root + '/'.join(names))
    root = property(lambda self: self._root)
    drive = ''
    anchor = root
    parts = property(lambda self: ((self._root,) if self._root else ()) + tuple(self._names))
    name = property(lambda self: self._names[-1] if self._names else '')
    @property
    def suffix(self):
        name = self.name
        at = name.rfind('.')
        return name[at:] if 0 < at < len(name) - 1 else ''
    @property
    def suffixes(self):
        name = self.name
        return [] if name.endswith('.') else ['.' + s for s in name.lstrip('.').split('.')[1:]]
    @property
    def stem(self):
        name = self.name
        at = name.rfind('.')
        return name[:at] if 0 < at < len(name) - 1 else name
    @property
    def parent(self): return self._make(self._root, self._names[:-1]) if self._names else self
    @property
    def parents(self):
        return _Parents(self._make(self._root, self._names[:i]) for i in reversed(range(len(self._names))))
    def __truediv__(self, other):
        return type(self)(self, other) if isinstance(other, (str, PurePath)) or hasattr(other, '__fspath__') else NotImplemented
    def __rtruediv__(self, other): return type(self)(other, self) if isinstance(other, str) else NotImplemented
    def joinpath(self, *others): return type(self)(self, *others)
    def _named(self):
        if not self.name:
            raise ValueError(f'{self!r} has an empty name')
    def with_name(self, name):
        self._named()
        if not name or '/' in name or name == '.':
            raise ValueError(f'Invalid name {name!r}')
        return self._make(self._root, self._names[:-1] + [name])
    def with_stem(self, stem): return self.with_name(stem + self.suffix)
    def with_suffix(self, suffix):
        if '/' in suffix or (suffix and not suffix.startswith('.')) or suffix == '.':
            raise ValueError(f'Invalid suffix {suffix!r}')
        self._named()
        return self.with_name(self.stem + suffix)
    def is_absolute(self): return bool(self._root)
    def as_posix(self): return self._text
    def _within(self, other):
        return self._root == other._root and self._names[:len(other._names)] == other._names
    def is_relative_to(self, *other): return self._within(type(self)(*other))
    def relative_to(self, *other):
        base = type(self)(*other)
        if not self._within(base):
            raise ValueError(f'{self._text!r} is not in the subpath of {base._text!r} OR one path is relative and the other is absolute.')
        return self._make('', self._names[len(base._names):])
    def match(self, pattern):
        from glob import _match
        wanted = type(self)(pattern)
        names = list(self.parts)
        want = list(wanted.parts)
        if wanted._root and len(names) != len(want) or len(want) > len(names):
            return False
        return all(_match(n, w) for n, w in zip(reversed(names), reversed(want)))
    def __fspath__(self): return self._text
    def __str__(self): return self._text
    def __repr__(self): return f'{type(self).__name__}({self._text!r})'
    def __hash__(self): return hash(self._text)
    def __eq__(self, other): return self._text == other._text if isinstance(other, PurePath) else NotImplemented
    def __lt__(self, other): return self.parts < other.parts if isinstance(other, PurePath) else NotImplemented
    def __le__(self, other): return self.parts <= other.parts if isinstance(other, PurePath) else NotImplemented
    def __gt__(self, other): return self.parts > other.parts if isinstance(other, PurePath) else NotImplemented
    def __ge__(self, other): return self.parts >= other.parts if isinstance(other, PurePath) else NotImplemented

class _Parents(tuple):
    def __getitem__(self, at):
        if isinstance(at, int) and not -len(self) <= at < len(self):
            raise IndexError(at)
        return tuple.__getitem__(self, at)
    def __repr__(self): return '<PurePosixPath.parents>'

class PurePosixPath(PurePath):
    pass

class Path(PurePath):
    @classmethod
    def cwd(cls): return cls(os.getcwd())
    def exists(self): return _path.exists(self._text)
    def is_file(self): return _path.isfile(self._text)
    def is_dir(self): return _path.isdir(self._text)
    def stat(self): return os.stat(self._text)
    def resolve(self, strict=False): return type(self)(_path.abspath(self._text))
    absolute = resolve
    def iterdir(self): return (self / name for name in os.listdir(self._text))
    def glob(self, pattern):
        from glob import iglob
        return (type(self)(p) for p in iglob(_path.join(self._text, pattern), recursive=True))
    def rglob(self, pattern): return self.glob('**/' + pattern)
    def open(self, mode='r', buffering=-1, encoding=None, errors=None, newline=None):
        return open(self._text, mode, buffering, encoding, errors, newline)
    def read_text(self, encoding=None, errors=None):
        with self.open('r', encoding=encoding, errors=errors) as f:
            return f.read()
    def read_bytes(self):
        with self.open('rb') as f:
            return f.read()
    def write_text(self, data, encoding=None, errors=None, newline=None):
        if not isinstance(data, str):
            raise TypeError(f'data must be str, not {type(data).__name__}')
        with self.open('w', encoding=encoding) as f:
            return f.write(data)
    def write_bytes(self, data):
        with self.open('wb') as f:
            return f.write(data)
    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        if exist_ok and self.is_dir():
            return
        if parents:
            os.makedirs(self._text)
        else:
            os.mkdir(self._text)
    def touch(self, mode=0o666, exist_ok=True):
        with self.open('a'):
            pass
    def unlink(self, missing_ok=False):
        try:
            os.remove(self._text)
        except FileNotFoundError:
            if not missing_ok:
                raise
    def rmdir(self): os.rmdir(self._text)
    def rename(self, target):
        os.rename(self._text, os.fspath(target))
        return type(self)(target)
    replace = rename

class PosixPath(Path, PurePosixPath):
    pass
