# Texts and bytes as files, and files as questions to the outside.
import _system

class UnsupportedOperation(OSError, ValueError):
    pass

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
UnsupportedOperation.__module__ = 'io'

class IOBase:
    closed = False
    def __enter__(self):
        self._check()
        return self
    def __exit__(self, kind, value, trace):
        self.close()
    def close(self):
        self.closed = True
    def flush(self):
        pass
    def isatty(self):
        return False
    def _check(self):
        if self.closed:
            raise ValueError('I/O operation on closed file.')
    def __iter__(self):
        self._check()
        return self
    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line
    def readlines(self, hint=-1):
        return list(self)
    def writelines(self, lines):
        for line in lines:
            self.write(line)

class _Buffer(IOBase):
    def __init__(self, data, readable=True, writable=True):
        self._data, self._at = data, 0
        self._readable, self._writable = readable, writable
    def readable(self):
        return self._readable
    def writable(self):
        return self._writable
    def seekable(self):
        return True
    def tell(self):
        self._check()
        return self._at
    def seek(self, offset, whence=0):
        self._check()
        if whence == 1:
            offset += self._at
        elif whence == 2:
            offset += len(self._data)
        if offset < 0:
            raise ValueError(f'Negative seek position {offset}')
        self._at = offset
        return offset
    def truncate(self, size=None):
        self._check()
        size = self._at if size is None else size
        self._data = self._data[:size]
        return size
    def read(self, size=-1):
        self._check()
        if not self._readable:
            raise UnsupportedOperation('not readable')
        if size is None or size < 0:
            end = len(self._data)
        else:
            end = self._at + size
        part = self._data[self._at:end]
        self._at += len(part)
        return part
    def readline(self, size=-1):
        self._check()
        if not self._readable:
            raise UnsupportedOperation('not readable')
        found = self._data.find(self._newline, self._at)
        end = len(self._data) if found < 0 else found + 1
        if size is not None and size >= 0:
            end = min(end, self._at + size)
        part = self._data[self._at:end]
        self._at += len(part)
        return part
    def write(self, part):
        self._check()
        if not self._writable:
            raise UnsupportedOperation('not writable')
        part = self._accept(part)
        size = len(self._data)
        if self._at == size:
            self._data += part
        else:
            if self._at > size:
                self._data += self._pad * (self._at - size)
            self._data = self._data[:self._at] + part + self._data[self._at + len(part):]
        self._at += len(part)
        return len(part)

class StringIO(_Buffer):
    _newline, _pad = '\n', '\0'
    def __init__(self, initial_value='', newline='\n'):
        if initial_value is not None and not isinstance(initial_value, str):
            raise TypeError(f'initial_value must be str or None, not {type(initial_value).__name__}')
        super().__init__(initial_value or '')
    def _accept(self, part):
        if not isinstance(part, str):
            raise TypeError(f'string argument expected, got {type(part).__name__!r}')
        return part
    def getvalue(self):
        self._check()
        return self._data

class BytesIO(_Buffer):
    _newline, _pad = b'\n', b'\0'
    def __init__(self, initial_bytes=b''):
        super().__init__(bytes(initial_bytes))
    def _accept(self, part):
        if isinstance(part, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        return bytes(part)
    def getvalue(self):
        self._check()
        return self._data

class _File(_Buffer):
    def __init__(self, name, mode, data, readable, writable, dirty):
        super().__init__(data, readable, writable)
        self.name, self.mode, self._dirty = name, mode, dirty
        # `open(…).write(…)` leaves no reference to the file, so the file is closed at once. Without counts of
        # references the first write of a file outside `with` goes to the outside as it is made.
        self._through = True
    def __enter__(self):
        self._through = False
        return super().__enter__()
    def write(self, part):
        count = super().write(part)
        self._dirty = True
        if self._through:
            self._through = False
            self.flush()
        return count
    def truncate(self, size=None):
        size = super().truncate(size)
        self._dirty = True
        return size
    def flush(self):
        self._check()
        if self._dirty:
            _system.write(self.name, self._encoded())
            self._dirty = False
    def close(self):
        if not self.closed:
            self.flush()
            self.closed = True
    def __exit__(self, kind, value, trace):
        self.close()

class TextIOWrapper(_File):
    _newline, _pad = '\n', '\0'
    encoding = 'UTF-8'
    def _accept(self, part):
        if not isinstance(part, str):
            raise TypeError(f'write() argument must be str, not {type(part).__name__}')
        return part
    def _encoded(self):
        return self._data.encode(self.encoding)
    def __repr__(self):
        return f"<_io.TextIOWrapper name={self.name!r} mode={self.mode!r} encoding={self.encoding!r}>"

class BufferedFile(_File):
    _newline, _pad = b'\n', b'\0'
    def _accept(self, part):
        if isinstance(part, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        return bytes(part)
    def _encoded(self):
        return self._data

def _open(file, mode='r', encoding=None, errors=None, newline=None):
    if hasattr(file, '__fspath__'):
        file = file.__fspath__()
    if not isinstance(file, str):
        raise TypeError(f'expected str, bytes or os.PathLike object, not {type(file).__name__}')
    kinds = [c for c in mode if c in 'rwxa']
    if len(kinds) != 1 or any(c not in 'rwxabt+' for c in mode):
        raise ValueError(f'invalid mode: {mode!r}')
    kind, binary, both = kinds[0], 'b' in mode, '+' in mode
    stat = _system.stat(file)
    if kind == 'x' and stat is not None:
        raise FileExistsError(17, 'File exists', file)
    if stat is not None and stat[0]:
        raise IsADirectoryError(21, 'Is a directory', file)
    data = b''
    if kind == 'r' or (kind == 'a' and stat is not None):
        data = _system.read(file)
    elif kind != 'a':
        _system.write(file, b'')
    if binary:
        made = BufferedFile(file, mode, data, kind == 'r' or both, kind != 'r' or both, False)
    else:
        text = data.decode(encoding or 'utf-8', errors or 'strict')
        if newline is None:
            text = text.replace('\r\n', '\n').replace('\r', '\n')
        made = TextIOWrapper(file, mode, text, kind == 'r' or both, kind != 'r' or both, kind == 'a' and stat is None)
        if encoding:
            made.encoding = encoding
    if kind == 'a':
        made._at = len(made._data)
    return made

open = _open
