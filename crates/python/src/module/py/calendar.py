# Months and weeks.
from datetime import date as _date

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)
January, February = 1, 2
month_name = ['', 'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
month_abbr = [n[:3] for n in month_name]
day_name = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
day_abbr = [n[:3] for n in day_name]

class IllegalMonthError(ValueError):
    def __init__(self, month): self.month = month
    def __str__(self): return f'bad month number {self.month!r}; must be 1-12'

def isleap(year): return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
def leapdays(y1, y2):
    y1, y2 = y1 - 1, y2 - 1
    return (y2 // 4 - y1 // 4) - (y2 // 100 - y1 // 100) + (y2 // 400 - y1 // 400)
def weekday(year, month, day): return _date(year, month, day).weekday()
def monthrange(year, month):
    if not 1 <= month <= 12:
        raise IllegalMonthError(month)
    days = (31, 29 if isleap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]
    return weekday(year, month, 1), days

class Calendar:
    def __init__(self, firstweekday=0): self.firstweekday = firstweekday
    def itermonthdays(self, year, month):
        first, days = monthrange(year, month)
        before = (first - self.firstweekday) % 7
        for _ in range(before):
            yield 0
        for d in range(1, days + 1):
            yield d
        for _ in range(-(before + days) % 7):
            yield 0
    def monthdayscalendar(self, year, month):
        days = list(self.itermonthdays(year, month))
        return [days[i:i + 7] for i in range(0, len(days), 7)]

def monthcalendar(year, month): return Calendar().monthdayscalendar(year, month)

def timegm(tuple):
    year, month, day, hour, minute, second = tuple[:6]
    days = _date(year, month, 1).toordinal() - 719163 + day - 1
    return ((days * 24 + hour) * 60 + minute) * 60 + second
