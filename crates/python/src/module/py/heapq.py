# Heaps in lists.
def _list(heap, name='heappush'):
    if not isinstance(heap, list):
        raise TypeError(f'{name}() argument must be list, not {type(heap).__name__}')

def _up(heap, at):
    item = heap[at]
    while at > 0:
        parent = (at - 1) // 2
        if not item < heap[parent]:
            break
        heap[at] = heap[parent]
        at = parent
    heap[at] = item

def _down(heap, at):
    size, item, start = len(heap), heap[at], at
    child = 2 * at + 1
    while child < size:
        if child + 1 < size and not heap[child] < heap[child + 1]:
            child += 1
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    while at > start:
        parent = (at - 1) // 2
        if not item < heap[parent]:
            break
        heap[at] = heap[parent]
        at = parent
    heap[at] = item

def heappush(heap, item):
    _list(heap)
    heap.append(item)
    _up(heap, len(heap) - 1)

def heappop(heap):
    _list(heap)
    if not heap:
        raise IndexError('index out of range')
    last = heap.pop()
    if heap:
        first, heap[0] = heap[0], last
        _down(heap, 0)
        return first
    return last

def heapify(x):
    _list(x, 'heapify')
    for i in reversed(range(len(x) // 2)):
        _down(x, i)

def heappushpop(heap, item):
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        _down(heap, 0)
    return item

def heapreplace(heap, item):
    if not heap:
        raise IndexError('index out of range')
    first, heap[0] = heap[0], item
    _down(heap, 0)
    return first

def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]

def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:max(n, 0)]

def merge(*iterables, key=None, reverse=False):
    heads = []
    for order, it in enumerate(map(iter, iterables)):
        for x in it:
            heads.append([x if key is None else key(x), order, x, it])
            break
    while heads:
        best = heads[0]
        for h in heads[1:]:
            if (best[0] < h[0]) if reverse else (h[0] < best[0]):
                best = h
        yield best[2]
        for x in best[3]:
            best[0], best[2] = x if key is None else key(x), x
            break
        else:
            heads.remove(best)
