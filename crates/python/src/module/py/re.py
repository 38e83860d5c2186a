# Regular expressions.
import _re
from enum import IntFlag as _IntFlag

class RegexFlag(_IntFlag):
    NOFLAG = 0
    IGNORECASE = I = 2
    LOCALE = L = 4
    MULTILINE = M = 8
    DOTALL = S = 16
    UNICODE = U = 32
    VERBOSE = X = 64
    ASCII = A = 256
    def __repr__(self):
        names = [m.name for m in RegexFlag if m.value & self.value and m.value]
        return '|'.join('re.' + n for n in names) or 're.NOFLAG'
    __str__ = __repr__

NOFLAG, I, IGNORECASE, M, MULTILINE, S, DOTALL = RegexFlag.NOFLAG, RegexFlag.I, RegexFlag.I, RegexFlag.M, RegexFlag.M, RegexFlag.S, RegexFlag.S
U, UNICODE, X, VERBOSE, A, ASCII, L, LOCALE = (RegexFlag.U, RegexFlag.U, RegexFlag.X, RegexFlag.X, RegexFlag.A, RegexFlag.A,
                                              RegexFlag.L, RegexFlag.L)

class error(Exception):
    def __init__(self, msg, pattern=None, pos=None):
        self.msg, self.pattern, self.pos = msg, pattern, pos
        if pos is not None:
            msg = f'{msg} at position {pos}'
            if pattern is not None and '\n' in pattern:
                line = pattern.count('\n', 0, pos) + 1
                self.lineno, self.colno = line, pos - pattern.rfind('\n', 0, pos)
                msg = f'{msg} (line {line}, column {self.colno})'
        super().__init__(msg)
error.__module__ = 're'
PatternError = error

class Match:
    def __init__(self, pattern, string, spans, pos, endpos):
        self.re, self.string, self._spans, self.pos, self.endpos = pattern, string, spans, pos, endpos
    def _index(self, group):
        if isinstance(group, str):
            group = self.re.groupindex.get(group, -1)
        if not isinstance(group, int) or not 0 <= group <= self.re.groups:
            raise IndexError('no such group')
        return group
    def _text(self, index, default=None):
        a, b = self._spans[2 * index], self._spans[2 * index + 1]
        return default if a < 0 or b < 0 else self.string[a:b]
    def group(self, *groups):
        if not groups:
            return self._text(0)
        if len(groups) == 1:
            return self._text(self._index(groups[0]))
        return tuple(self._text(self._index(g)) for g in groups)
    def __getitem__(self, group): return self._text(self._index(group))
    def groups(self, default=None): return tuple(self._text(i, default) for i in range(1, self.re.groups + 1))
    def groupdict(self, default=None): return {n: self._text(i, default) for n, i in self.re.groupindex.items()}
    def start(self, group=0): return self._spans[2 * self._index(group)]
    def end(self, group=0): return self._spans[2 * self._index(group) + 1]
    def span(self, group=0): return self.start(group), self.end(group)
    def expand(self, template): return _expand(_template(self.re, template), self)
    @property
    def lastindex(self):
        best, place = None, -1
        for i in range(1, self.re.groups + 1):
            if self._spans[2 * i + 1] > place:
                best, place = i, self._spans[2 * i + 1]
        return best
    @property
    def lastgroup(self):
        return next((n for n, i in self.re.groupindex.items() if i == self.lastindex), None)
    def __repr__(self): return f'<re.Match object; span={self.span()!r}, match={self.group()!r}>'
    def __copy__(self): return self
    def __deepcopy__(self, memo): return self

class Pattern:
    def __init__(self, pattern, flags):
        text = pattern.decode('latin-1') if isinstance(pattern, bytes) else pattern
        made = _re.compile(text, int(flags) | (256 if isinstance(pattern, bytes) else 0))
        if made[0] is None:
            raise error(made[1], text, made[2])
        self._handle, self.groups, self.groupindex, self.flags = made
        self.pattern = pattern
    def _text(self, string):
        if isinstance(self.pattern, str):
            if isinstance(string, str):
                return string
            if isinstance(string, (bytes, bytearray)):
                raise TypeError('cannot use a string pattern on a bytes-like object')
        elif isinstance(string, (bytes, bytearray)):
            return bytes(string).decode('latin-1')
        elif isinstance(string, str):
            raise TypeError('cannot use a bytes pattern on a string-like object')
        raise TypeError(f"expected string or bytes-like object, got '{type(string).__name__}'")
    def _find(self, string, pos, endpos, mode):
        text = self._text(string)
        size = len(text)
        endpos = size if endpos is None else max(0, min(endpos, size))
        pos = max(0, min(pos, size))
        spans = _re.find(self._handle, text, pos, endpos, mode)
        return None if spans is None else Match(self, string, spans, pos, endpos)
    def search(self, string, pos=0, endpos=None): return self._find(string, pos, endpos, 0)
    def match(self, string, pos=0, endpos=None): return self._find(string, pos, endpos, 1)
    def fullmatch(self, string, pos=0, endpos=None): return self._find(string, pos, endpos, 2)
    def _all(self, string, pos=0, endpos=None, limit=0):
        text = self._text(string)
        endpos = len(text) if endpos is None else endpos
        return [Match(self, string, spans, pos, endpos) for spans in _re.find_all(self._handle, text, pos, endpos, limit)]
    def finditer(self, string, pos=0, endpos=None): return iter(self._all(string, pos, endpos))
    def findall(self, string, pos=0, endpos=None):
        empty = string[:0]
        found = self._all(string, pos, endpos)
        if self.groups == 0:
            return [m.group() for m in found]
        if self.groups == 1:
            return [m._text(1, empty) for m in found]
        return [m.groups(empty) for m in found]
    def split(self, string, maxsplit=0):
        parts, at = [], 0
        for m in self._all(string, 0, None, maxsplit):
            parts.append(string[at:m.start()])
            parts.extend(m.groups())
            at = m.end()
        parts.append(string[at:])
        return parts
    def subn(self, repl, string, count=0):
        if callable(repl):
            make = repl
        else:
            template = _template(self, repl)
            make = lambda m: _expand(template, m)
        found = self._all(string, 0, None, count)
        parts, at = [], 0
        for m in found:
            if at < m.start():
                parts.append(string[at:m.start()])
            parts.append(make(m))
            at = m.end()
        parts.append(string[at:])
        return string[:0].join(parts), len(found)
    def sub(self, repl, string, count=0): return self.subn(repl, string, count)[0]
    def __eq__(self, other):
        return self.pattern == other.pattern and self.flags == other.flags if isinstance(other, Pattern) else NotImplemented
    def __hash__(self): return hash((self.pattern, self.flags))
    def __repr__(self):
        extra = self.flags & ~32
        shown = '' if not extra or isinstance(self.pattern, bytes) else f', {RegexFlag(extra)!r}'
        return f're.compile({self.pattern!r}{shown})'
    def __copy__(self): return self
    def __deepcopy__(self, memo): return self

_ESCAPES = {'n': '\n', 't': '\t', 'r': '\r', 'f': '\f', 'v': '\v', 'a': '\a', 'b': '\b', '\\': '\\', '0': '\0'}

def _template(pattern, repl):
    """A list of texts and group numbers."""
    if isinstance(repl, bytes):
        return [p.encode('latin-1') if isinstance(p, str) else p for p in _template(pattern, repl.decode('latin-1'))]
    if not isinstance(repl, str):
        raise TypeError(f'decoding to str: need a bytes-like object, {type(repl).__name__} found')
    parts, at = [], 0
    while at < len(repl):
        slash = repl.find('\\', at)
        if slash < 0:
            parts.append(repl[at:])
            break
        parts.append(repl[at:slash])
        c = repl[slash + 1:slash + 2]
        at = slash + 2
        if c == 'g':
            if repl[at:at + 1] != '<':
                raise error('missing <', repl, at)
            end = repl.find('>', at)
            if end < 0:
                raise error('missing >, unterminated name', repl, at + 1)
            name = repl[at + 1:end]
            if not name:
                raise error('missing group name', repl, at + 1)
            if name.isdigit():
                group = int(name)
            elif name in pattern.groupindex:
                group = pattern.groupindex[name]
            elif name.isidentifier():
                raise IndexError(f'unknown group name {name!r}')
            else:
                raise error(f'bad character in group name {name!r}', repl, at + 1)
            if group > pattern.groups:
                raise error(f'invalid group reference {group}', repl, at + 1)
            parts.append(group)
            at = end + 1
        elif c.isdigit() and c != '0':
            digits = c
            if repl[at:at + 1].isdigit():
                digits += repl[at]
                at += 1
            if int(digits) > pattern.groups:
                raise error(f'invalid group reference {digits}', repl, slash + 1)
            parts.append(int(digits))
        elif c in _ESCAPES and c:
            parts.append(_ESCAPES[c])
        elif c.isascii() and c.isalpha():
            raise error(f'bad escape \\{c}', repl, slash)
        elif not c:
            raise error('bad escape (end of pattern)', repl, slash)
        else:
            parts.append('\\' + c)
    return parts

def _expand(template, match):
    empty = match.string[:0]
    return empty.join([match._text(p, empty) if isinstance(p, int) else p for p in template])

_cache = {}

def compile(pattern, flags=0):
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError('cannot process flags argument with a compiled pattern')
        return pattern
    if not isinstance(pattern, (str, bytes)):
        raise TypeError('first argument must be string or compiled pattern')
    key = (type(pattern), pattern, int(flags))
    found = _cache.get(key)
    if found is None:
        found = _cache[key] = Pattern(pattern, flags)
    return found

def search(pattern, string, flags=0): return compile(pattern, flags).search(string)
def match(pattern, string, flags=0): return compile(pattern, flags).match(string)
def fullmatch(pattern, string, flags=0): return compile(pattern, flags).fullmatch(string)
def findall(pattern, string, flags=0): return compile(pattern, flags).findall(string)
def finditer(pattern, string, flags=0): return compile(pattern, flags).finditer(string)
def split(pattern, string, maxsplit=0, flags=0): return compile(pattern, flags).split(string, maxsplit)
def sub(pattern, repl, string, count=0, flags=0): return compile(pattern, flags).sub(repl, string, count)
def subn(pattern, repl, string, count=0, flags=0): return compile(pattern, flags).subn(repl, string, count)
def purge(): _cache.clear()

def escape(pattern):
    special = '()[]{}?*+-|^$\\.&~# \t\n\r\v\f'
    if isinstance(pattern, bytes):
        return escape(pattern.decode('latin-1')).encode('latin-1')
    return ''.join('\\' + c if c in special else c for c in pattern)
