# The clock of the outside.
import _system

timezone, altzone, daylight, tzname = 0, 0, 0, ('UTC', 'UTC')

def sleep(secs):
    if not isinstance(secs, (int, float)):
        raise TypeError(f"'{type(secs).__name__}' object cannot be interpreted as an integer")
    if secs < 0:
        raise ValueError('sleep length must be non-negative')
    _system.sleep(round(secs * 1000000))

def time(): return _system.now() / 1000000
def time_ns(): return _system.now() * 1000
monotonic = perf_counter = process_time = time
monotonic_ns = perf_counter_ns = time_ns

class struct_time(tuple):
    def __new__(cls, items):
        return super().__new__(cls, tuple(items))
    tm_year = property(lambda self: self[0])
    tm_mon = property(lambda self: self[1])
    tm_mday = property(lambda self: self[2])
    tm_hour = property(lambda self: self[3])
    tm_min = property(lambda self: self[4])
    tm_sec = property(lambda self: self[5])
    tm_wday = property(lambda self: self[6])
    tm_yday = property(lambda self: self[7])
    tm_isdst = property(lambda self: self[8])
    tm_zone = 'UTC'
    tm_gmtoff = 0
    def __repr__(self):
        names = ('tm_year', 'tm_mon', 'tm_mday', 'tm_hour', 'tm_min', 'tm_sec', 'tm_wday', 'tm_yday', 'tm_isdst')
        return f"time.struct_time({', '.join(f'{n}={v}' for n, v in zip(names, self))})"

def gmtime(secs=None):
    from datetime import datetime
    secs = time() if secs is None else secs
    if not isinstance(secs, (int, float)):
        raise TypeError(f"'{type(secs).__name__}' object cannot be interpreted as an integer")
    d = datetime.utcfromtimestamp(int(secs // 1))
    return struct_time((d.year, d.month, d.day, d.hour, d.minute, d.second, d.weekday(), d.timetuple()[7], 0))

localtime = gmtime

def mktime(t):
    from datetime import datetime
    return float((datetime(*t[:6]) - datetime(1970, 1, 1)).total_seconds())

def strftime(format, t=None):
    from datetime import datetime
    t = gmtime() if t is None else t
    if not isinstance(t, tuple):
        raise TypeError('Tuple or struct_time argument required')
    if len(t) != 9:
        raise TypeError('strftime(): illegal time tuple argument')
    return datetime(*t[:6]).strftime(format)

def strptime(string, format='%a %b %d %H:%M:%S %Y'):
    from datetime import datetime
    d = datetime.strptime(string, format)
    return struct_time((d.year, d.month, d.day, d.hour, d.minute, d.second, d.weekday(), d.timetuple()[7], -1))

def ctime(secs=None): return strftime('%a %b %e %H:%M:%S %Y', gmtime(secs))
def asctime(t=None): return strftime('%a %b %e %H:%M:%S %Y', t)
