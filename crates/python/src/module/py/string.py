# Character classes and simple templates.
whitespace = ' \t\n\r\x0b\x0c'
ascii_lowercase = 'abcdefghijklmnopqrstuvwxyz'
ascii_uppercase = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
ascii_letters = ascii_lowercase + ascii_uppercase
digits = '0123456789'
hexdigits = digits + 'abcdef' + 'ABCDEF'
octdigits = '01234567'
punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
printable = digits + ascii_letters + punctuation + whitespace

def capwords(s, sep=None):
    return (sep or ' ').join(part.capitalize() for part in s.split(sep))

class Template:
    def __init__(self, template):
        self.template = template
    def _run(self, values, safe):
        text, out, at = self.template, [], 0
        while at < len(text):
            c = text[at]
            if c != '$':
                out.append(c)
                at += 1
                continue
            rest = text[at + 1:]
            if rest[:1] == '$':
                out.append('$')
                at += 2
                continue
            braced = rest[:1] == '{'
            name = ''
            for c in rest[1:] if braced else rest:
                if c.isascii() and (c == '_' or c.isalnum()):
                    name += c
                else:
                    break
            size = len(name) + (2 if braced else 0)
            if not name or name[0].isdigit() or (braced and rest[size - 1:size] != '}'):
                if not safe:
                    line = text.count('\n', 0, at) + 1
                    column = at - text.rfind('\n', 0, at)
                    raise ValueError(f'Invalid placeholder in string: line {line}, col {column}')
                out.append('$')
                at += 1
                continue
            if safe and name not in values:
                out.append(text[at:at + 1 + size])
            else:
                out.append(str(values[name]))
            at += 1 + size
        return ''.join(out)
    def substitute(self, mapping={}, /, **kws):
        return self._run({**mapping, **kws}, False)
    def safe_substitute(self, mapping={}, /, **kws):
        return self._run({**mapping, **kws}, True)
