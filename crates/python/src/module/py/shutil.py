# Copying and deleting trees.
import _system, os

class Error(OSError):
    pass
class SameFileError(Error):
    pass

def rmtree(path, ignore_errors=False, onerror=None):
    path = os.fspath(path)
    try:
        found = _system.stat(path)
        if found is None:
            raise FileNotFoundError(2, 'No such file or directory', path)
        if not found[0]:
            raise NotADirectoryError(20, 'Not a directory', path)
        _system.rmtree(path)
    except OSError as error:
        if ignore_errors:
            return
        if onerror is not None:
            onerror(os.rmdir, path, (type(error), error, error.__traceback__))
            return
        raise

def copyfile(src, dst, *, follow_symlinks=True):
    src, dst = os.fspath(src), os.fspath(dst)
    if os.path.abspath(src) == os.path.abspath(dst):
        raise SameFileError(f'{src!r} and {dst!r} are the same file')
    _system.write(dst, _system.read(src))
    return dst

def copy(src, dst, *, follow_symlinks=True):
    src, dst = os.fspath(src), os.fspath(dst)
    if os.path.isdir(dst):
        dst = os.path.join(dst, os.path.basename(src))
    return copyfile(src, dst)
copy2 = copy

def copytree(src, dst, symlinks=False, ignore=None, copy_function=copy, ignore_dangling_symlinks=False, dirs_exist_ok=False):
    names = os.listdir(src)
    ignored = ignore(src, names) if ignore is not None else set()
    os.makedirs(dst, exist_ok=dirs_exist_ok)
    for name in names:
        if name in ignored:
            continue
        a, b = os.path.join(src, name), os.path.join(dst, name)
        if os.path.isdir(a):
            copytree(a, b, symlinks, ignore, copy_function, ignore_dangling_symlinks, dirs_exist_ok)
        else:
            copy_function(a, b)
    return dst

def move(src, dst, copy_function=copy):
    src, dst = os.fspath(src), os.fspath(dst)
    if os.path.isdir(dst):
        dst = os.path.join(dst, os.path.basename(src.rstrip('/')))
    os.rename(src, dst)
    return dst

def ignore_patterns(*patterns):
    from glob import _match
    return lambda path, names: {n for n in names for p in patterns if _match(n, p)}
