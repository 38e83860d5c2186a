# Files and folders.
import _system
from os import path
from os.path import fspath, join as _join

sep, linesep, curdir, pardir, name = '/', '\n', '.', '..', 'posix'
environ = {}

class PathLike:
    pass

def getenv(key, default=None): return environ.get(key, default)
def getcwd(): return '/'
def getpid(): return 1
def cpu_count(): return 2

def listdir(path='.'): return list(_system.list(fspath(path)))
def remove(path): _system.remove(fspath(path))
unlink = remove
def rmdir(path): _system.rmdir(fspath(path))
def mkdir(path, mode=0o777): _system.mkdir(fspath(path), False)

def makedirs(name, mode=0o777, exist_ok=False):
    name = fspath(name)
    found = _system.stat(name)
    if found is not None:
        if exist_ok and found[0]:
            return
        raise FileExistsError(17, 'File exists', name)
    _system.mkdir(name, True)

def removedirs(name): rmdir(name)
def rename(src, dst): _system.rename(fspath(src), fspath(dst))
replace = rename

class stat_result:
    def __init__(self, found):
        self.st_size, self.st_mtime, self.st_mode = found[1], found[2] / 1000000, 0o40755 if found[0] else 0o100644
        self.st_mtime_ns = found[2] * 1000

def stat(path):
    found = _system.stat(fspath(path))
    if found is None:
        raise FileNotFoundError(2, 'No such file or directory', path)
    return stat_result(found)

class DirEntry:
    def __init__(self, folder, name):
        self.name, self.path = name, _join(folder, name)
    def is_dir(self): return path.isdir(self.path)
    def is_file(self): return path.isfile(self.path)
    def stat(self): return stat(self.path)
    def __fspath__(self): return self.path
    def __repr__(self): return f'<DirEntry {self.name!r}>'

class _Scan(list):
    def __enter__(self): return self
    def __exit__(self, *details): pass
    def close(self): pass

def scandir(path='.'):
    return _Scan(DirEntry(path, name) for name in listdir(path))

def walk(top, topdown=True, onerror=None, followlinks=False):
    top = fspath(top)
    try:
        names = listdir(top)
    except OSError as error:
        if onerror is not None:
            onerror(error)
        return
    folders = [n for n in names if path.isdir(_join(top, n))]
    files = [n for n in names if n not in folders]
    if topdown:
        yield top, folders, files
    for folder in folders:
        yield from walk(_join(top, folder), topdown, onerror)
    if not topdown:
        yield top, folders, files
