# Dates and times. A date counts days and a datetime microseconds of its wall clock since 1970.
import _system

MINYEAR, MAXYEAR = 1, 9999
_US = 1000000
_DAY = 86400 * _US
_MONTHS = ('January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December')
_DAYS = ('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday')
_EPOCH_ORDINAL = 719163

def _leap(y): return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)
def _days_in(y, m): return 29 if m == 2 and _leap(y) else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[m - 1]

def _to_days(y, m, d):
    y -= m <= 2
    era = y // 400
    yoe = y - era * 400
    doy = (153 * (m + (-3 if m > 2 else 9)) + 2) // 5 + d - 1
    return era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468

def _from_days(days):
    z = days + 719468
    era = z // 146097
    doe = z - era * 146097
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    m = mp + 3 if mp < 10 else mp - 9
    return yoe + era * 400 + (m <= 2), m, doy - (153 * mp + 2) // 5 + 1

def _int(x):
    if isinstance(x, float):
        raise TypeError("'float' object cannot be interpreted as an integer")
    if not hasattr(x, '__index__'):
        raise TypeError(f"'{type(x).__name__}' object cannot be interpreted as an integer")
    return x.__index__()

def _check_date(y, m, d):
    y, m, d = _int(y), _int(m), _int(d)
    if not MINYEAR <= y <= MAXYEAR:
        raise ValueError(f'year {y} is out of range')
    if not 1 <= m <= 12:
        raise ValueError('month must be in 1..12')
    if not 1 <= d <= _days_in(y, m):
        raise ValueError('day is out of range for month')
    return y, m, d

def _check_time(h, mi, s, us):
    h, mi, s, us = _int(h), _int(mi), _int(s), _int(us)
    if not 0 <= h <= 23:
        raise ValueError('hour must be in 0..23')
    if not 0 <= mi <= 59:
        raise ValueError('minute must be in 0..59')
    if not 0 <= s <= 59:
        raise ValueError('second must be in 0..59')
    if not 0 <= us <= 999999:
        raise ValueError('microsecond must be in 0..999999')
    return ((h * 60 + mi) * 60 + s) * _US + us

def _round(x):
    if isinstance(x, int):
        return x
    n, d = x.as_integer_ratio()
    q, r = divmod(n, d)
    return q + 1 if 2 * r > d or (2 * r == d and q % 2) else q

class timedelta:
    def __new__(cls, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        total = 0
        for name, value, unit in (('days', days, _DAY), ('seconds', seconds, _US), ('microseconds', microseconds, 1),
                                  ('milliseconds', milliseconds, 1000), ('minutes', minutes, 60 * _US),
                                  ('hours', hours, 3600 * _US), ('weeks', weeks, 7 * _DAY)):
            if not isinstance(value, (int, float)):
                raise TypeError(f'unsupported type for timedelta {name} component: {type(value).__name__}')
            total += value * unit if isinstance(value, int) else _round(value * unit)
        return cls._make(total)
    @classmethod
    def _make(cls, micros):
        if abs(micros // _DAY) > 999999999:
            raise OverflowError(f'days={micros // _DAY}; must have magnitude <= 999999999')
        self = object.__new__(cls)
        self._micros = micros
        return self
    days = property(lambda self: self._micros // _DAY)
    seconds = property(lambda self: self._micros % _DAY // _US)
    microseconds = property(lambda self: self._micros % _US)
    def total_seconds(self): return self._micros / _US
    def __repr__(self):
        parts = [f'{n}={v}' for n, v in (('days', self.days), ('seconds', self.seconds), ('microseconds', self.microseconds)) if v]
        return f"datetime.timedelta({', '.join(parts) or '0'})"
    def __str__(self):
        s = self.seconds
        text = f'{s // 3600}:{s // 60 % 60:02}:{s % 60:02}'
        if self.days:
            text = f"{self.days} day{'' if abs(self.days) == 1 else 's'}, {text}"
        return f'{text}.{self.microseconds:06}' if self.microseconds else text
    def __hash__(self): return hash(self._micros)
    def __bool__(self): return self._micros != 0
    def __eq__(self, o): return self._micros == o._micros if isinstance(o, timedelta) else NotImplemented
    def __lt__(self, o): return self._micros < o._micros if isinstance(o, timedelta) else NotImplemented
    def __le__(self, o): return self._micros <= o._micros if isinstance(o, timedelta) else NotImplemented
    def __gt__(self, o): return self._micros > o._micros if isinstance(o, timedelta) else NotImplemented
    def __ge__(self, o): return self._micros >= o._micros if isinstance(o, timedelta) else NotImplemented
    def __neg__(self): return timedelta._make(-self._micros)
    def __pos__(self): return self
    def __abs__(self): return timedelta._make(abs(self._micros))
    def __add__(self, o): return timedelta._make(self._micros + o._micros) if isinstance(o, timedelta) else NotImplemented
    __radd__ = __add__
    def __sub__(self, o): return timedelta._make(self._micros - o._micros) if isinstance(o, timedelta) else NotImplemented
    def __rsub__(self, o): return timedelta._make(o._micros - self._micros) if isinstance(o, timedelta) else NotImplemented
    def __mul__(self, o):
        if isinstance(o, int):
            return timedelta._make(self._micros * o)
        if isinstance(o, float):
            n, d = o.as_integer_ratio()
            return timedelta._make(_even(self._micros * n, d))
        return NotImplemented
    __rmul__ = __mul__
    def __truediv__(self, o):
        if isinstance(o, timedelta):
            return self._micros / o._micros
        if isinstance(o, int):
            return timedelta._make(_even(self._micros, o))
        if isinstance(o, float):
            n, d = o.as_integer_ratio()
            return timedelta._make(_even(self._micros * d, n))
        return NotImplemented
    def __floordiv__(self, o):
        if isinstance(o, timedelta):
            return self._micros // o._micros
        return timedelta._make(self._micros // o) if isinstance(o, int) else NotImplemented
    def __mod__(self, o): return timedelta._make(self._micros % o._micros) if isinstance(o, timedelta) else NotImplemented
    def __divmod__(self, o):
        if not isinstance(o, timedelta):
            return NotImplemented
        q, r = divmod(self._micros, o._micros)
        return q, timedelta._make(r)

def _even(n, d):
    if d == 0:
        raise ZeroDivisionError('integer division or modulo by zero')
    if d < 0:
        n, d = -n, -d
    q, r = divmod(n, d)
    return q + 1 if 2 * r > d or (2 * r == d and q % 2) else q

timedelta.min = timedelta(-999999999)
timedelta.max = timedelta._make(1000000000 * _DAY - 1)
timedelta.resolution = timedelta(microseconds=1)

class tzinfo:
    def utcoffset(self, dt): raise NotImplementedError('a tzinfo subclass must implement utcoffset()')
    def dst(self, dt): return None
    def tzname(self, dt): raise NotImplementedError('a tzinfo subclass must implement tzname()')

def _offset_text(micros, sep=':'):
    sign, micros = ('-', -micros) if micros < 0 else ('+', micros)
    s, us = divmod(micros, _US)
    text = f'{sign}{s // 3600:02}{sep}{s // 60 % 60:02}'
    if s % 60 or us:
        text += f'{sep}{s % 60:02}'
    return f'{text}.{us:06}' if us else text

class timezone(tzinfo):
    def __init__(self, offset, name=None):
        if not isinstance(offset, timedelta):
            raise TypeError(f'timezone() argument 1 must be datetime.timedelta, not {type(offset).__name__}')
        if not -_DAY < offset._micros < _DAY:
            raise ValueError('offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), '
                             f'not {offset!r}.')
        self._micros, self._name = offset._micros, name
    def utcoffset(self, dt): return timedelta._make(self._micros)
    def dst(self, dt): return None
    def tzname(self, dt):
        if self._name is not None:
            return self._name
        return 'UTC' + _offset_text(self._micros) if self._micros else 'UTC'
    def __eq__(self, other): return isinstance(other, timezone) and self._micros == other._micros
    def __hash__(self): return hash(self._micros)
    def __str__(self): return self.tzname(None)
    def __repr__(self):
        if self is timezone.utc:
            return 'datetime.timezone.utc'
        name = '' if self._name is None else f', {self._name!r}'
        return f'datetime.timezone({timedelta._make(self._micros)!r}{name})'

timezone.utc = UTC = timezone(timedelta(0))
timezone.min, timezone.max = timezone(-timedelta(hours=23, minutes=59)), timezone(timedelta(hours=23, minutes=59))

def _check_zone(zone):
    if zone is not None and not isinstance(zone, tzinfo):
        raise TypeError(f"tzinfo argument must be None or of a tzinfo subclass, not type '{type(zone).__name__}'")
    return zone

class IsoCalendarDate(tuple):
    year = property(lambda self: self[0])
    week = property(lambda self: self[1])
    weekday = property(lambda self: self[2])
    def __repr__(self): return f'datetime.IsoCalendarDate(year={self[0]}, week={self[1]}, weekday={self[2]})'

class date:
    def __new__(cls, year, month=None, day=None):
        if month is None:
            if not isinstance(year, int):
                raise TypeError(f"'{type(year).__name__}' object cannot be interpreted as an integer")
            raise TypeError("function missing required argument 'month' (pos 2)")
        if day is None:
            raise TypeError("function missing required argument 'day' (pos 3)")
        return cls._make(_to_days(*_check_date(year, month, day)))
    @classmethod
    def _make(cls, days):
        if not -719162 <= days <= 2932896:
            raise OverflowError('date value out of range')
        self = object.__new__(cls)
        self._days = days
        return self
    year = property(lambda self: _from_days(self._days)[0])
    month = property(lambda self: _from_days(self._days)[1])
    day = property(lambda self: _from_days(self._days)[2])
    @classmethod
    def today(cls): return cls.fromtimestamp(_system.now() / _US)
    @classmethod
    def fromtimestamp(cls, t): return date._make(int(t // 86400))
    @classmethod
    def fromordinal(cls, n):
        if n < 1:
            raise ValueError('ordinal must be >= 1')
        return cls(*_from_days(n - _EPOCH_ORDINAL))
    @classmethod
    def fromisoformat(cls, text):
        if not isinstance(text, str):
            raise TypeError('fromisoformat: argument must be str')
        try:
            return cls(*_read_date(text))
        except _Bad:
            raise ValueError(f'Invalid isoformat string: {text!r}') from None
    @classmethod
    def fromisocalendar(cls, year, week, day): return cls(*_from_days(_iso_days(year, week, day)))
    def toordinal(self): return self._days + _EPOCH_ORDINAL
    def weekday(self): return (self._days + 3) % 7
    def isoweekday(self): return self.weekday() + 1
    def isocalendar(self):
        thursday = self._days - self.weekday() + 3
        year = _from_days(thursday)[0]
        return IsoCalendarDate((year, (thursday - _to_days(year, 1, 1)) // 7 + 1, self.weekday() + 1))
    def timetuple(self):
        from time import struct_time
        y, m, d = _from_days(self._days)
        return struct_time((y, m, d, 0, 0, 0, self.weekday(), self._days - _to_days(y, 1, 1) + 1, -1))
    def replace(self, year=None, month=None, day=None):
        y, m, d = _from_days(self._days)
        return type(self)(y if year is None else year, m if month is None else month, d if day is None else day)
    def isoformat(self): return '%04d-%02d-%02d' % _from_days(self._days)
    __str__ = isoformat
    def __repr__(self): return 'datetime.date(%d, %d, %d)' % _from_days(self._days)
    def ctime(self): return self.strftime('%a %b %e %H:%M:%S %Y')
    def strftime(self, format): return _strftime(format, self._days, 0, None, None)
    def __format__(self, spec): return self.strftime(spec) if spec else str(self)
    def __hash__(self): return hash(('date', self._days))
    def _other(self, o): return isinstance(o, date) and not isinstance(o, datetime)
    def __eq__(self, o): return self._days == o._days if self._other(o) else NotImplemented
    def __lt__(self, o): return self._days < o._days if self._other(o) else _refuse(self, o, '<')
    def __le__(self, o): return self._days <= o._days if self._other(o) else _refuse(self, o, '<=')
    def __gt__(self, o): return self._days > o._days if self._other(o) else _refuse(self, o, '>')
    def __ge__(self, o): return self._days >= o._days if self._other(o) else _refuse(self, o, '>=')
    def __add__(self, o): return type(self)._make(self._days + o.days) if isinstance(o, timedelta) else NotImplemented
    __radd__ = __add__
    def __sub__(self, o):
        if isinstance(o, timedelta):
            return type(self)._make(self._days - o.days)
        return timedelta(self._days - o._days) if self._other(o) else NotImplemented

def _refuse(a, b, sign):
    if isinstance(b, date):
        kinds = [f'{type(x).__module__}.{type(x).__name__}' for x in (a, b)]
        raise TypeError(f"can't compare {kinds[0]} to {kinds[1]}")
    return NotImplemented

date.min, date.max, date.resolution = date(1, 1, 1), date(9999, 12, 31), timedelta(1)

class time:
    def __new__(cls, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        return cls._make(_check_time(hour, minute, second, microsecond), _check_zone(tzinfo))
    @classmethod
    def _make(cls, micros, zone=None):
        self = object.__new__(cls)
        self._micros, self._tzinfo = micros, zone
        return self
    fold = 0
    hour = property(lambda self: self._micros // (3600 * _US))
    minute = property(lambda self: self._micros // (60 * _US) % 60)
    second = property(lambda self: self._micros // _US % 60)
    microsecond = property(lambda self: self._micros % _US)
    tzinfo = property(lambda self: self._tzinfo)
    @classmethod
    def fromisoformat(cls, text):
        if not isinstance(text, str):
            raise TypeError('fromisoformat: argument must be str')
        try:
            micros, zone = _read_time(text[1:] if text[:1] == 'T' else text)
        except _Bad:
            raise ValueError(f'Invalid isoformat string: {text!r}') from None
        return cls._make(micros, zone)
    def utcoffset(self): return None if self._tzinfo is None else self._tzinfo.utcoffset(None)
    def tzname(self): return None if self._tzinfo is None else self._tzinfo.tzname(None)
    def dst(self): return None
    def replace(self, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        pick = lambda new, old: old if new is None else new
        return type(self)(pick(hour, self.hour), pick(minute, self.minute), pick(second, self.second),
                          pick(microsecond, self.microsecond), self._tzinfo if tzinfo is True else tzinfo)
    def isoformat(self, timespec='auto'):
        return _time_text(self._micros, timespec) + ('' if self._tzinfo is None else _offset_text(self.utcoffset()._micros))
    __str__ = isoformat
    def __repr__(self):
        parts = [self.hour, self.minute]
        if self._micros % (60 * _US):
            parts.append(self.second)
            if self.microsecond:
                parts.append(self.microsecond)
        zone = '' if self._tzinfo is None else f', tzinfo={self._tzinfo!r}'
        return f"datetime.time({', '.join(map(str, parts))}{zone})"
    def strftime(self, format): return _strftime(format, _to_days(1900, 1, 1), self._micros, self.utcoffset(), self.tzname())
    def __format__(self, spec): return self.strftime(spec) if spec else str(self)
    def _key(self):
        offset = self.utcoffset()
        return self._micros - (0 if offset is None else offset._micros)
    def __hash__(self): return hash(('time', self._key()))
    def __eq__(self, o): return self._key() == o._key() and (self._tzinfo is None) == (o._tzinfo is None) if isinstance(o, time) else NotImplemented
    def _pair(self, o):
        if (self._tzinfo is None) != (o._tzinfo is None):
            raise TypeError("can't compare offset-naive and offset-aware times")
        return self._key(), o._key()
    def __lt__(self, o):
        if not isinstance(o, time): return NotImplemented
        a, b = self._pair(o)
        return a < b
    def __le__(self, o):
        if not isinstance(o, time): return NotImplemented
        a, b = self._pair(o)
        return a <= b
    def __gt__(self, o):
        if not isinstance(o, time): return NotImplemented
        a, b = self._pair(o)
        return a > b
    def __ge__(self, o):
        if not isinstance(o, time): return NotImplemented
        a, b = self._pair(o)
        return a >= b

time.min, time.max, time.resolution = time(0, 0), time(23, 59, 59, 999999), timedelta(microseconds=1)

def _time_text(micros, timespec='auto'):
    s, us = divmod(micros, _US)
    h, mi, s = s // 3600, s // 60 % 60, s % 60
    if timespec == 'auto':
        timespec = 'microseconds' if us else 'seconds'
    if timespec == 'hours': return f'{h:02}'
    if timespec == 'minutes': return f'{h:02}:{mi:02}'
    if timespec == 'seconds': return f'{h:02}:{mi:02}:{s:02}'
    if timespec == 'milliseconds': return f'{h:02}:{mi:02}:{s:02}.{us // 1000:03}'
    if timespec == 'microseconds': return f'{h:02}:{mi:02}:{s:02}.{us:06}'
    raise ValueError('Unknown timespec value')

class datetime(date):
    def __new__(cls, year, month=None, day=None, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        if month is None or day is None:
            name, at = ('month', 2) if month is None else ('day', 3)
            if not isinstance(year, int):
                raise TypeError(f"'{type(year).__name__}' object cannot be interpreted as an integer")
            raise TypeError(f"function missing required argument '{name}' (pos {at})")
        days = _to_days(*_check_date(year, month, day))
        micros = _check_time(hour, minute, second, microsecond)
        return cls._at(days * _DAY + micros, _check_zone(tzinfo))
    @classmethod
    def _at(cls, micros, zone=None):
        if not -719162 <= micros // _DAY <= 2932896:
            raise OverflowError('date value out of range')
        self = object.__new__(cls)
        self._micros, self._tzinfo = micros, zone
        return self
    fold = 0
    _days = property(lambda self: self._micros // _DAY)
    hour = property(lambda self: self._micros // (3600 * _US) % 24)
    minute = property(lambda self: self._micros // (60 * _US) % 60)
    second = property(lambda self: self._micros // _US % 60)
    microsecond = property(lambda self: self._micros % _US)
    tzinfo = property(lambda self: self._tzinfo)
    @classmethod
    def now(cls, tz=None):
        now = _system.now()
        return cls._at(now) if tz is None else cls._at(now, UTC).astimezone(tz)
    @classmethod
    def utcnow(cls): return cls._at(_system.now())
    @classmethod
    def today(cls): return cls.now()
    @classmethod
    def fromtimestamp(cls, t, tz=None):
        made = cls._at(_round(t * _US) if isinstance(t, float) else t * _US)
        return made if tz is None else made.replace(tzinfo=UTC).astimezone(tz)
    @classmethod
    def utcfromtimestamp(cls, t): return cls._at(_round(t * _US) if isinstance(t, float) else t * _US)
    @classmethod
    def fromordinal(cls, n): return cls._at((n - _EPOCH_ORDINAL) * _DAY)
    @classmethod
    def combine(cls, date, time, tzinfo=True):
        return cls._at(date._days * _DAY + time._micros, time._tzinfo if tzinfo is True else tzinfo)
    @classmethod
    def fromisoformat(cls, text):
        if not isinstance(text, str):
            raise TypeError('fromisoformat: argument must be str')
        try:
            at = _date_length(text)
            days = _to_days(*_check_date(*_read_date(text[:at])))
            rest = text[at:]
            micros, zone = _read_time(rest[1:]) if rest else (0, None)
            if rest and len(rest) == 1:
                raise _Bad
        except _Bad:
            raise ValueError(f'Invalid isoformat string: {text!r}') from None
        return cls._at(days * _DAY + micros, zone)
    @classmethod
    def strptime(cls, text, format): return _strptime(cls, text, format)
    def date(self): return date._make(self._days)
    def time(self): return time._make(self._micros % _DAY)
    def timetz(self): return time._make(self._micros % _DAY, self._tzinfo)
    def utcoffset(self): return None if self._tzinfo is None else self._tzinfo.utcoffset(self)
    def tzname(self): return None if self._tzinfo is None else self._tzinfo.tzname(self)
    def dst(self): return None if self._tzinfo is None else self._tzinfo.dst(self)
    def _utc(self):
        offset = self.utcoffset()
        return self._micros - (0 if offset is None else offset._micros)
    def timestamp(self): return self._utc() / _US
    def timetuple(self):
        from time import struct_time
        y, m, d = _from_days(self._days)
        isdst = -1 if self._tzinfo is None or self.dst() is None else 0
        return struct_time((y, m, d, self.hour, self.minute, self.second, self.weekday(), self._days - _to_days(y, 1, 1) + 1, isdst))
    def utctimetuple(self):
        items = tuple(datetime._at(self._utc()).timetuple())
        from time import struct_time
        return struct_time(items[:8] + (0,))
    def astimezone(self, tz=None):
        if tz is None:
            tz = UTC
        elif not isinstance(tz, tzinfo):
            raise TypeError(f'tzinfo argument must be None or of a tzinfo subclass, not type {type(tz).__name__!r}')
        utc = self._utc()
        return type(self)._at(utc + tz.utcoffset(self)._micros, tz)
    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        y, m, d = _from_days(self._days)
        pick = lambda new, old: old if new is None else new
        return type(self)(pick(year, y), pick(month, m), pick(day, d), pick(hour, self.hour), pick(minute, self.minute),
                          pick(second, self.second), pick(microsecond, self.microsecond), self._tzinfo if tzinfo is True else tzinfo)
    def isoformat(self, sep='T', timespec='auto'):
        offset = self.utcoffset()
        return ('%04d-%02d-%02d' % _from_days(self._days)) + sep + _time_text(self._micros % _DAY, timespec) + (
            '' if offset is None else _offset_text(offset._micros))
    def __str__(self): return self.isoformat(' ')
    def __repr__(self):
        parts = [*_from_days(self._days), self.hour, self.minute]
        if self._micros % (60 * _US):
            parts.append(self.second)
            if self.microsecond:
                parts.append(self.microsecond)
        zone = '' if self._tzinfo is None else f', tzinfo={self._tzinfo!r}'
        return f"datetime.datetime({', '.join(map(str, parts))}{zone})"
    def ctime(self): return self.strftime('%a %b %e %H:%M:%S %Y')
    def strftime(self, format): return _strftime(format, self._days, self._micros % _DAY, self.utcoffset(), self.tzname())
    def __hash__(self): return hash(('datetime', self._utc()))
    def _pair(self, o):
        if (self._tzinfo is None) != (o._tzinfo is None):
            raise TypeError("can't compare offset-naive and offset-aware datetimes")
        return self._utc(), o._utc()
    def __eq__(self, o):
        if not isinstance(o, datetime):
            return NotImplemented
        return (self._tzinfo is None) == (o._tzinfo is None) and self._utc() == o._utc()
    def __lt__(self, o):
        if not isinstance(o, datetime): return _refuse(self, o, '<')
        a, b = self._pair(o)
        return a < b
    def __le__(self, o):
        if not isinstance(o, datetime): return _refuse(self, o, '<=')
        a, b = self._pair(o)
        return a <= b
    def __gt__(self, o):
        if not isinstance(o, datetime): return _refuse(self, o, '>')
        a, b = self._pair(o)
        return a > b
    def __ge__(self, o):
        if not isinstance(o, datetime): return _refuse(self, o, '>=')
        a, b = self._pair(o)
        return a >= b
    def __add__(self, o): return type(self)._at(self._micros + o._micros, self._tzinfo) if isinstance(o, timedelta) else NotImplemented
    __radd__ = __add__
    def __sub__(self, o):
        if isinstance(o, timedelta):
            return type(self)._at(self._micros - o._micros, self._tzinfo)
        if not isinstance(o, datetime):
            return NotImplemented
        if (self._tzinfo is None) != (o._tzinfo is None):
            raise TypeError("can't subtract offset-naive and offset-aware datetimes")
        return timedelta._make(self._utc() - o._utc())

datetime.min, datetime.max = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)
datetime.resolution = timedelta(microseconds=1)

class _Bad(Exception):
    pass

def _digits(text):
    if not text.isdigit() or not text.isascii():
        raise _Bad
    return int(text)

def _iso_days(year, week, day):
    if not MINYEAR <= year <= MAXYEAR:
        raise ValueError(f'Year is out of range: {year}')
    first = _to_days(year, 1, 4)
    monday = first - (first + 3) % 7
    last = _to_days(year, 12, 28)
    weeks = ((last - (last + 3) % 7) - monday) // 7 + 1
    if not 1 <= week <= weeks:
        raise ValueError(f'Invalid week: {week}')
    if not 1 <= day <= 7:
        raise ValueError(f'Invalid weekday: {day} (range is [1, 7])')
    return monday + (week - 1) * 7 + day - 1

def _date_length(text):
    if text[4:5] == '-':
        if text[5:6] == 'W':
            return 10 if text[8:9] == '-' else 8
        return 10
    if text[4:5] == 'W':
        return 8 if text[7:8].isdigit() and not text[7:9].isdigit() else 7
    return 8

def _read_date(text):
    if len(text) < 7:
        raise _Bad
    year = _digits(text[:4])
    dash = text[4] == '-'
    rest = text[5:] if dash else text[4:]
    if rest[:1] == 'W':
        week = _digits(rest[1:3])
        rest = rest[3:]
        if dash and rest:
            if rest[0] != '-':
                raise _Bad
            rest = rest[1:]
        if len(rest) > 1:
            raise _Bad
        return _from_days(_iso_days(year, week, _digits(rest) if rest else 1))
    if dash:
        if len(text) != 10 or text[7] != '-':
            raise _Bad
        return year, _digits(text[5:7]), _digits(text[8:10])
    if len(text) != 8:
        raise _Bad
    return year, _digits(text[4:6]), _digits(text[6:8])

def _read_clock(text):
    parts, at = [], 0
    colon = text[2:3] == ':'
    while at < len(text) and len(parts) < 3:
        if parts:
            if colon:
                if text[at] != ':':
                    break
                at += 1
            elif not text[at].isdigit():
                break
        if len(text[at:at + 2]) != 2:
            raise _Bad
        parts.append(_digits(text[at:at + 2]))
        at += 2
    micros = 0
    if at < len(text):
        if len(parts) != 3 or text[at] not in '.,':
            raise _Bad
        digits = text[at + 1:]
        _digits(digits)
        micros = int(digits[:6].ljust(6, '0'))
    if not parts:
        raise _Bad
    return parts + [0] * (3 - len(parts)) + [micros]

def _read_time(text):
    zone, at = None, -1
    for i, c in enumerate(text):
        if c in '+-Z':
            at = i
            break
    clock = text
    if at >= 0:
        clock, tail = text[:at], text[at:]
        if tail == 'Z':
            zone = UTC
        else:
            h, m, s, us = _read_clock(tail[1:])
            micros = ((h * 60 + m) * 60 + s) * _US + us
            micros = -micros if tail[0] == '-' else micros
            zone = timezone(timedelta._make(micros)) if micros else UTC
    h, m, s, us = _read_clock(clock)
    return _check_time(h, m, s, us), zone

def _strftime(format, days, micros, offset, name):
    y, m, d = _from_days(days)
    weekday = (days + 3) % 7
    yday = days - _to_days(y, 1, 1) + 1
    s, us = divmod(micros, _US)
    h, mi, s = s // 3600, s // 60 % 60, s % 60
    out, at = [], 0
    while at < len(format):
        c = format[at]
        if c != '%' or at + 1 == len(format):
            out.append(c)
            at += 1
            continue
        code = format[at + 1]
        at += 2
        if code == 'Y': text = str(y)
        elif code == 'm': text = f'{m:02}'
        elif code == 'd': text = f'{d:02}'
        elif code == 'e': text = f'{d:2}'
        elif code == 'H': text = f'{h:02}'
        elif code == 'I': text = f'{(h + 11) % 12 + 1:02}'
        elif code == 'M': text = f'{mi:02}'
        elif code == 'S': text = f'{s:02}'
        elif code == 'f': text = f'{us:06}'
        elif code == 'p': text = 'AM' if h < 12 else 'PM'
        elif code == 'j': text = f'{yday:03}'
        elif code == 'y': text = f'{y % 100:02}'
        elif code == 'C': text = f'{y // 100:02}'
        elif code == 'a': text = _DAYS[weekday][:3]
        elif code == 'A': text = _DAYS[weekday]
        elif code in 'bh': text = _MONTHS[m - 1][:3]
        elif code == 'B': text = _MONTHS[m - 1]
        elif code == 'w': text = str((weekday + 1) % 7)
        elif code == 'u': text = str(weekday + 1)
        elif code == 'U': text = f'{(yday + 6 - (weekday + 1) % 7) // 7:02}'
        elif code == 'W': text = f'{(yday + 6 - weekday) // 7:02}'
        elif code in 'GVg':
            iso = date._make(days).isocalendar()
            text = f'{iso[1]:02}' if code == 'V' else str(iso[0]) if code == 'G' else f'{iso[0] % 100:02}'
        elif code == 'Z': text = name or ''
        elif code == 'z': text = '' if offset is None else _offset_text(offset._micros, '')
        elif code == '%': text = '%'
        elif code == 'n': text = '\n'
        elif code == 't': text = '\t'
        elif code == 'c': text = _strftime('%a %b %e %H:%M:%S %Y', days, micros, offset, name)
        elif code in 'xD': text = f'{m:02}/{d:02}/{y % 100:02}'
        elif code in 'XT': text = f'{h:02}:{mi:02}:{s:02}'
        elif code == 'F': text = f'{y}-{m:02}-{d:02}'
        elif code == 'R': text = f'{h:02}:{mi:02}'
        elif code == 'r': text = f'{(h + 11) % 12 + 1:02}:{mi:02}:{s:02} ' + ('AM' if h < 12 else 'PM')
        elif code == 's': text = str(days * 86400 + micros // _US - (0 if offset is None else offset._micros // _US))
        else: text = '%' + code
        out.append(text)
    return ''.join(out)

_FIELDS = {'Y': (4, 4, 1, 9999), 'm': (1, 2, 1, 12), 'd': (1, 2, 1, 31), 'H': (1, 2, 0, 23), 'I': (1, 2, 1, 12), 'M': (1, 2, 0, 59),
           'S': (1, 2, 0, 61), 'y': (2, 2, 0, 99), 'j': (1, 3, 1, 366), 'w': (1, 1, 0, 6), 'u': (1, 1, 1, 7), 'U': (1, 2, 0, 53), 'W': (1, 2, 0, 53)}

def _scan(format, text):
    """Reads a text by a format; returns the fields and where it ended, or None if it does not match."""
    found, at, i = {}, 0, 0
    while i < len(format):
        c = format[i]
        i += 1
        if c.isspace():
            if not text[at:at + 1].isspace():
                return None
            while text[at:at + 1].isspace():
                at += 1
            while i < len(format) and format[i].isspace():
                i += 1
            continue
        if c != '%':
            if text[at:at + 1].lower() != c.lower():
                return None
            at += 1
            continue
        code = format[i]
        i += 1
        if code == '%':
            if text[at:at + 1] != '%':
                return None
            at += 1
        elif code in _FIELDS:
            low, high, least, most = _FIELDS[code]
            end = at
            while end < len(text) and end - at < high and text[end].isdigit():
                end += 1
            while end > at and end - at > low and int(text[at:end]) > most:
                end -= 1
            if end - at < low or not least <= int(text[at:end]) <= most:
                return None
            found[code] = int(text[at:end])
            at = end
        elif code == 'f':
            end = at
            while end < len(text) and end - at < 6 and text[end].isdigit():
                end += 1
            if end == at:
                return None
            found['f'] = int(text[at:end].ljust(6, '0'))
            at = end
        elif code in 'aAbBp':
            names = {'a': [n[:3] for n in _DAYS], 'A': _DAYS, 'b': [n[:3] for n in _MONTHS], 'B': _MONTHS, 'p': ('AM', 'PM')}[code]
            for n in sorted(range(len(names)), key=lambda n: -len(names[n])):
                if text[at:at + len(names[n])].lower() == names[n].lower():
                    found[code] = n
                    at += len(names[n])
                    break
            else:
                return None
        elif code == 'z':
            if text[at:at + 1] == 'Z':
                found['z'], at = 0, at + 1
                continue
            sign = {'+': 1, '-': -1}.get(text[at:at + 1])
            if sign is None:
                return None
            digits = ''
            end = at + 1
            while end < len(text) and len(digits) < 4 and (text[end].isdigit() or text[end] == ':'):
                digits += text[end] if text[end] != ':' else ''
                end += 1
            if len(digits) != 4:
                return None
            found['z'], at = sign * (int(digits[:2]) * 60 + int(digits[2:])) * 60 * _US, end
        elif code == 'Z':
            for n in ('UTC', 'GMT'):
                if text[at:at + 3].upper() == n:
                    found['Z'], at = n, at + 3
                    break
            else:
                return None
    return found, at

_LONG = {'D': '%m/%d/%y', 'T': '%H:%M:%S', 'F': '%Y-%m-%d', 'R': '%H:%M', 'c': '%a %b %d %H:%M:%S %Y', 'x': '%m/%d/%y', 'X': '%H:%M:%S'}

def _strptime(cls, text, format):
    if not isinstance(text, str):
        raise TypeError(f'strptime() argument 1 must be str, not {type(text).__name__}')
    out, i = '', 0
    while i < len(format):
        if format[i] != '%':
            out += format[i]
            i += 1
            continue
        if i + 1 == len(format):
            raise ValueError(f"stray % in format '{format}'")
        code = format[i + 1]
        if code in 'cxX':
            out += _LONG[code]
        elif code not in 'YmdHIMSyjwuUWfaAbBpzZ%GV':
            raise ValueError(f"'{code}' is a bad directive in format '{format}'")
        else:
            out += '%' + code
        i += 2
    scanned = _scan(out, text)
    if scanned is None:
        raise ValueError(f'time data {text!r} does not match format {format!r}')
    found, at = scanned
    if at != len(text):
        raise ValueError(f'unconverted data remains: {text[at:]}')
    year = found.get('Y')
    if year is None:
        year = 1900
        if 'y' in found:
            year = found['y'] + (2000 if found['y'] <= 68 else 1900)
    month = found.get('m') or (found['b'] + 1 if 'b' in found else found['B'] + 1 if 'B' in found else 1)
    day = found.get('d', 1)
    hour = found.get('H', 0)
    if 'I' in found:
        hour = found['I'] % 12 + (12 if found.get('p') else 0)
    if 'j' in found and 'm' not in found:
        year, month, day = _from_days(_to_days(year, 1, 1) + found['j'] - 1)
    zone = None
    if 'z' in found:
        zone = timezone(timedelta._make(found['z'])) if found['z'] else UTC
    elif 'Z' in found:
        zone = None
    return cls(year, month, day, hour, found.get('M', 0), found.get('S', 0), found.get('f', 0), zone)
