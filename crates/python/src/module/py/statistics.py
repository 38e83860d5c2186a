# Means and spreads.
import math as _math

class StatisticsError(ValueError):
    pass
StatisticsError.__module__ = 'statistics'

def _ratio_sum(data):
    n, d = 0, 1
    for x in data:
        a, b = x.as_integer_ratio()
        n, d = n * b + a * d, d * b
        g = _math.gcd(n, d) or 1
        n, d = n // g, d // g
    return n, d

def _back(n, d, data):
    if all(isinstance(x, int) for x in data):
        return n // d if n % d == 0 else n / d
    return n / d

def mean(data):
    data = list(data)
    if not data:
        raise StatisticsError('mean requires at least one data point')
    n, d = _ratio_sum(data)
    return _back(n, d * len(data), data)

def fmean(data, weights=None):
    data = list(data)
    if not data:
        raise StatisticsError('fmean requires at least one data point')
    return _math.fsum(data) / len(data)

def median(data):
    data = sorted(data)
    n = len(data)
    if n == 0:
        raise StatisticsError('no median for empty data')
    return data[n // 2] if n % 2 else (data[n // 2 - 1] + data[n // 2]) / 2

def median_low(data):
    data = sorted(data)
    if not data:
        raise StatisticsError('no median for empty data')
    return data[(len(data) - 1) // 2]

def median_high(data):
    data = sorted(data)
    if not data:
        raise StatisticsError('no median for empty data')
    return data[len(data) // 2]

def _counts(data):
    counts = {}
    for x in data:
        counts[x] = counts.get(x, 0) + 1
    return counts

def mode(data):
    counts = _counts(data)
    if not counts:
        raise StatisticsError('no mode for empty data')
    return max(counts, key=counts.get)

def multimode(data):
    counts = _counts(data)
    most = max(counts.values(), default=0)
    return [x for x, c in counts.items() if c == most]

def _squares(data):
    n, d = _ratio_sum(data)
    size = len(data)
    a, b = 0, 1
    for x in data:
        p, q = x.as_integer_ratio()
        u, v = p * d * size - n * q, q * d * size
        a, b = a * v * v + u * u * b, b * v * v
        g = _math.gcd(a, b) or 1
        a, b = a // g, b // g
    return a, b

def pvariance(data, mu=None):
    data = list(data)
    if not data:
        raise StatisticsError('pvariance requires at least one data point')
    a, b = _squares(data)
    return _back(a, b * len(data), data)

def variance(data, xbar=None):
    data = list(data)
    if len(data) < 2:
        raise StatisticsError('variance requires at least two data points')
    a, b = _squares(data)
    return _back(a, b * (len(data) - 1), data)

def pstdev(data, mu=None): return _math.sqrt(pvariance(data))

def stdev(data, xbar=None):
    data = list(data)
    if len(data) < 2:
        raise StatisticsError('stdev requires at least two data points')
    return _math.sqrt(variance(data))

def quantiles(data, *, n=4, method='exclusive'):
    if n < 1:
        raise StatisticsError('n must be at least 1')
    data = sorted(data)
    size = len(data)
    if size < 2:
        raise StatisticsError('must have at least two data points')
    result = []
    for i in range(1, n):
        if method == 'inclusive':
            j, delta = divmod(i * (size - 1), n)
            result.append((data[j] * (n - delta) + data[j + 1] * delta) / n)
        else:
            j = i * (size + 1) // n
            j = 1 if j < 1 else size - 1 if j > size - 1 else j
            delta = i * (size + 1) - j * n
            result.append((data[j - 1] * (n - delta) + data[j] * delta) / n)
    return result

def geometric_mean(data): return _math.exp(fmean(map(_math.log, data)))

def harmonic_mean(data, weights=None):
    data = list(data)
    if not data:
        raise StatisticsError('harmonic_mean requires at least one data point')
    return len(data) / sum(1 / x for x in data)
