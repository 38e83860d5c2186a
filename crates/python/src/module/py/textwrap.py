# Paragraphs.
def _chunks(text):
    chunks, word = [], ''
    for part in text.split(' '):
        pieces = part.split('-')
        glued = [p + '-' for p in pieces[:-1] if p or True] + [pieces[-1]]
        if any(not p or not p[:1].isalpha() for p in pieces):
            glued = [part]
        chunks.append([g for g in glued if g])
    return [c for c in chunks if c]

def wrap(text, width=70, *, initial_indent='', subsequent_indent='', break_long_words=True, max_lines=None,
         placeholder=' [...]', **options):
    if width <= 0:
        raise ValueError(f'invalid width {width!r} (must be > 0)')
    words = _chunks(' '.join(text.split()))
    queue = []
    for pieces in words:
        for i, piece in enumerate(pieces):
            queue.append((piece, i > 0))
    lines, line, size = [], '', 0
    indent = initial_indent
    at = 0
    while at < len(queue):
        piece, glued = queue[at]
        room = width - len(indent)
        joined = piece if not line else (line + piece if glued else line + ' ' + piece)
        if len(joined) <= room:
            line = joined
            at += 1
            continue
        if line:
            lines.append(indent + line)
            line, indent = '', subsequent_indent
            continue
        if break_long_words:
            lines.append(indent + piece[:room])
            queue[at] = (piece[room:], True)
            indent = subsequent_indent
        else:
            lines.append(indent + piece)
            at += 1
            indent = subsequent_indent
    if line:
        lines.append(indent + line)
    if max_lines is not None and len(lines) > max_lines:
        lines = lines[:max_lines]
        prefix = subsequent_indent if max_lines > 1 else initial_indent
        words = lines[-1][len(prefix):].split(' ')
        while words and len(prefix + ' '.join(words) + placeholder) > width:
            words.pop()
        lines[-1] = (prefix + ' '.join(words) + placeholder) if words else prefix + placeholder.lstrip()
    return lines

def fill(text, width=70, **options):
    return '\n'.join(wrap(text, width, **options))

def shorten(text, width, *, placeholder=' [...]', **options):
    text = ' '.join(text.split())
    if len(text) <= width:
        return text
    if len(placeholder.lstrip()) > width:
        raise ValueError('placeholder too large for max width')
    words = text.split(' ')
    while words and len(' '.join(words)) + len(placeholder) > width:
        words.pop()
    return ' '.join(words) + placeholder if words else placeholder.lstrip()

def dedent(text):
    lines = [line if line.strip() else ('\n' if line.endswith('\n') else '') for line in text.splitlines(True)]
    margin = None
    for line in lines:
        if line.strip():
            indent = line[:len(line) - len(line.lstrip(' \t'))]
            if margin is None:
                margin = indent
            else:
                while not indent.startswith(margin):
                    margin = margin[:-1]
    margin = margin or ''
    return ''.join(line[len(margin):] if line.strip() else line for line in lines)

def indent(text, prefix, predicate=None):
    test = predicate or (lambda line: line.strip())
    return ''.join(prefix + line if test(line) else line for line in text.splitlines(True))
