# What a script may know of its interpreter.
import _machine

class _Out:
    encoding = 'utf-8'
    def __init__(self, name, error):
        self.name, self._error = name, error
    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f'write() argument must be str, not {type(text).__name__}')
        _machine.write_out(text, self._error)
        return len(text)
    def writelines(self, lines):
        for line in lines:
            self.write(line)
    def flush(self):
        pass
    def isatty(self):
        return False

class _VersionInfo(tuple):
    major, minor, micro, releaselevel, serial = 3, 11, 7, 'final', 0

stdout, stderr = _Out('<stdout>', False), _Out('<stderr>', True)
version_info = _VersionInfo((3, 11, 7, 'final', 0))
version = '3.11.7 (tidemark)'
platform, byteorder, maxsize, executable = 'linux', 'little', 9223372036854775807, ''
argv = ['']
path = []
modules = {}
float_info = None

def exit(code=None):
    raise SystemExit() if code is None else SystemExit(code)

def exc_info():
    exc = _machine.handled()
    return (None, None, None) if exc is None else (type(exc), exc, exc.__traceback__)

def getrecursionlimit():
    return 1000

def setrecursionlimit(limit):
    pass

def getsizeof(value, default=0):
    return 64

def intern(text):
    return text
