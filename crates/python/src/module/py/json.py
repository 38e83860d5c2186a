# JSON texts.
_inf = float('inf')

class JSONDecodeError(ValueError):
    def __init__(self, msg, doc, pos):
        line = doc.count('\n', 0, pos) + 1
        column = pos - doc.rfind('\n', 0, pos)
        super().__init__(f'{msg}: line {line} column {column} (char {pos})')
        self.msg, self.doc, self.pos, self.lineno, self.colno = msg, doc, pos, line, column
JSONDecodeError.__module__ = 'json.decoder'

_ESCAPES = {'"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\f': '\\f', '\b': '\\b'}

def _quote(text, ensure_ascii):
    if text.isascii() and text.isprintable() and '"' not in text and '\\' not in text:
        return f'"{text}"'
    out = []
    for c in text:
        n = ord(c)
        if c in _ESCAPES:
            out.append(_ESCAPES[c])
        elif n < 32:
            out.append(f'\\u{n:04x}')
        elif ensure_ascii and n > 126:
            if n > 0xffff:
                n -= 0x10000
                out.append(f'\\u{0xd800 + (n >> 10):04x}\\u{0xdc00 + (n & 0x3ff):04x}')
            else:
                out.append(f'\\u{n:04x}')
        else:
            out.append(c)
    return '"' + ''.join(out) + '"'

class JSONEncoder:
    item_separator, key_separator = ', ', ': '
    def __init__(self, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, sort_keys=False, indent=None,
                 separators=None, default=None):
        self.skipkeys, self.ensure_ascii, self.check_circular = skipkeys, ensure_ascii, check_circular
        self.allow_nan, self.sort_keys = allow_nan, sort_keys
        self.indent = ' ' * indent if isinstance(indent, int) and not isinstance(indent, bool) else indent
        if separators is not None:
            self.item_separator, self.key_separator = separators
        elif indent is not None:
            self.item_separator = ','
        if default is not None:
            self.default = default
    def default(self, o):
        raise TypeError(f'Object of type {type(o).__name__} is not JSON serializable')
    def encode(self, o):
        return ''.join(self._parts(o, 0, []))
    def iterencode(self, o, _one_shot=False):
        return iter(self._parts(o, 0, []))
    def _float(self, o):
        if o != o or o in (_inf, -_inf):
            if not self.allow_nan:
                raise ValueError('Out of range float values are not JSON compliant')
            return 'NaN' if o != o else 'Infinity' if o > 0 else '-Infinity'
        return float.__repr__(o)
    def _key(self, key):
        if isinstance(key, str):
            return key
        if key is True: return 'true'
        if key is False: return 'false'
        if key is None: return 'null'
        if isinstance(key, int): return int.__repr__(key)
        if isinstance(key, float): return self._float(key)
        if self.skipkeys:
            return None
        raise TypeError(f'keys must be str, int, float, bool or None, not {type(key).__name__}')
    def _parts(self, o, level, above):
        if isinstance(o, str): return [_quote(o, self.ensure_ascii)]
        if o is None: return ['null']
        if o is True: return ['true']
        if o is False: return ['false']
        if isinstance(o, int): return [int.__repr__(o)]
        if isinstance(o, float): return [self._float(o)]
        if self.check_circular and any(o is a for a in above):
            raise ValueError('Circular reference detected')
        above = above + [o]
        if isinstance(o, (list, tuple)):
            if not o:
                return ['[]']
            parts = [self._parts(item, level + 1, above) for item in o]
            return self._wrap('[', ']', parts, level)
        if isinstance(o, dict):
            if not o:
                return ['{}']
            parts = []
            for key, value in sorted(o.items()) if self.sort_keys else o.items():
                name = self._key(key)
                if name is not None:
                    parts.append([_quote(name, self.ensure_ascii), self.key_separator, *self._parts(value, level + 1, above)])
            return self._wrap('{', '}', parts, level) if parts else ['{}']
        return self._parts(self.default(o), level, above)
    def _wrap(self, opening, closing, parts, level):
        out = [opening]
        if self.indent is None:
            first, sep, end = '', self.item_separator, ''
        else:
            first = '\n' + self.indent * (level + 1)
            sep, end = self.item_separator + first, '\n' + self.indent * level
        for i, part in enumerate(parts):
            out.append(sep if i else first)
            out.extend(part)
        out.append(end + closing)
        return out

def dumps(obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None, indent=None, separators=None,
          default=None, sort_keys=False, **kw):
    return (cls or JSONEncoder)(skipkeys=skipkeys, ensure_ascii=ensure_ascii, check_circular=check_circular, allow_nan=allow_nan,
                                indent=indent, separators=separators, default=default, sort_keys=sort_keys, **kw).encode(obj)

def dump(obj, fp, **kw):
    fp.write(dumps(obj, **kw))

_SPACE = ' \t\n\r'
_UNESCAPE = {'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

class JSONDecoder:
    def __init__(self, *, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, strict=True, object_pairs_hook=None):
        self.object_hook, self.object_pairs_hook, self.strict = object_hook, object_pairs_hook, strict
        self.parse_float, self.parse_int = parse_float or float, parse_int or int
        self.parse_constant = parse_constant or (lambda c: {'NaN': _inf - _inf, 'Infinity': _inf, '-Infinity': -_inf}[c])
    def decode(self, s):
        at = self._skip(s, 0)
        obj, end = self.raw_decode(s, at)
        end = self._skip(s, end)
        if end != len(s):
            raise JSONDecodeError('Extra data', s, end)
        return obj
    def raw_decode(self, s, idx=0):
        return self._value(s, idx)
    def _skip(self, s, at):
        size = len(s)
        while at < size and s[at] in _SPACE:
            at += 1
        return at
    def _value(self, s, at):
        c = s[at:at + 1]
        if c == '"':
            return self._string(s, at + 1)
        if c == '{':
            return self._object(s, at + 1)
        if c == '[':
            return self._array(s, at + 1)
        for word, value in (('null', None), ('true', True), ('false', False)):
            if s.startswith(word, at):
                return value, at + len(word)
        for word in ('NaN', 'Infinity', '-Infinity'):
            if s.startswith(word, at):
                return self.parse_constant(word), at + len(word)
        return self._number(s, at)
    def _run(self, s, at):
        while at < len(s) and '0' <= s[at] <= '9':
            at += 1
        return at
    def _number(self, s, start):
        at = start + (s[start:start + 1] == '-')
        end = at + 1 if s[at:at + 1] == '0' else self._run(s, at)
        if end == at:
            raise JSONDecodeError('Expecting value', s, start)
        whole = True
        if s[end:end + 1] == '.':
            more = self._run(s, end + 1)
            if more > end + 1:
                end, whole = more, False
        if s[end:end + 1] in ('e', 'E'):
            sign = end + 1 + (s[end + 1:end + 2] in ('+', '-') and s[end + 1:end + 2] != '')
            more = self._run(s, sign)
            if more > sign:
                end, whole = more, False
        text = s[start:end]
        return (self.parse_int(text) if whole else self.parse_float(text)), end
    def _string(self, s, at):
        begin, parts = at - 1, []
        while True:
            quote = s.find('"', at)
            if quote < 0:
                quote = len(s)
            slash = s.find('\\', at, quote)
            end = quote if slash < 0 else slash
            piece = s[at:end]
            if self.strict and not piece.isprintable():
                for i, c in enumerate(piece):
                    if c < ' ':
                        raise JSONDecodeError('Invalid control character at', s, at + i)
            parts.append(piece)
            if end >= len(s):
                raise JSONDecodeError('Unterminated string starting at', s, begin)
            if slash < 0:
                return ''.join(parts), end + 1
            c = s[end + 1:end + 2]
            if not c:
                raise JSONDecodeError('Unterminated string starting at', s, begin)
            if c != 'u':
                if c not in _UNESCAPE:
                    raise JSONDecodeError('Invalid \\escape', s, end)
                parts.append(_UNESCAPE[c])
                at = end + 2
                continue
            code = self._hex(s, end + 1)
            at = end + 6
            if 0xd800 <= code <= 0xdbff and s[at:at + 2] == '\\u':
                low = self._hex(s, at + 1)
                if 0xdc00 <= low <= 0xdfff:
                    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
                    at += 6
            parts.append('\ufffd' if 0xd800 <= code <= 0xdfff else chr(code))
    def _hex(self, s, at):
        digits = s[at + 1:at + 5]
        if len(digits) != 4 or any(d not in '0123456789abcdefABCDEF' for d in digits):
            raise JSONDecodeError('Invalid \\uXXXX escape', s, at)
        return int(digits, 16)
    def _object(self, s, at):
        pairs = []
        at = self._skip(s, at)
        if s[at:at + 1] == '}':
            at += 1
        else:
            while True:
                if s[at:at + 1] != '"':
                    raise JSONDecodeError('Expecting property name enclosed in double quotes', s, at)
                key, at = self._string(s, at + 1)
                at = self._skip(s, at)
                if s[at:at + 1] != ':':
                    raise JSONDecodeError("Expecting ':' delimiter", s, at)
                at = self._skip(s, at + 1)
                value, at = self._value(s, at)
                pairs.append((key, value))
                at = self._skip(s, at)
                c = s[at:at + 1]
                if c == '}':
                    at += 1
                    break
                if c != ',':
                    raise JSONDecodeError("Expecting ',' delimiter", s, at)
                at = self._skip(s, at + 1)
        if self.object_pairs_hook is not None:
            return self.object_pairs_hook(pairs), at
        made = dict(pairs)
        return (made if self.object_hook is None else self.object_hook(made)), at
    def _array(self, s, at):
        items = []
        at = self._skip(s, at)
        if s[at:at + 1] == ']':
            return items, at + 1
        while True:
            value, at = self._value(s, at)
            items.append(value)
            at = self._skip(s, at)
            c = s[at:at + 1]
            if c == ']':
                return items, at + 1
            if c != ',':
                raise JSONDecodeError("Expecting ',' delimiter", s, at)
            at = self._skip(s, at + 1)

def loads(s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, object_pairs_hook=None, **kw):
    if isinstance(s, (bytes, bytearray)):
        s = bytes(s).decode('utf-8')
    elif not isinstance(s, str):
        raise TypeError(f'the JSON object must be str, bytes or bytearray, not {type(s).__name__}')
    elif s.startswith('\ufeff'):
        raise JSONDecodeError('Unexpected UTF-8 BOM (decode using utf-8-sig)', s, 0)
    return (cls or JSONDecoder)(object_hook=object_hook, parse_float=parse_float, parse_int=parse_int, parse_constant=parse_constant,
                                object_pairs_hook=object_pairs_hook, **kw).decode(s)

def load(fp, **kw):
    return loads(fp.read(), **kw)
