# Warnings are never shown: filters are taken and change nothing.

def simplefilter(action, category=Warning, lineno=0, append=False): return None

def filterwarnings(action, message='', category=Warning, module='', lineno=0, append=False): return None

def resetwarnings(): return None

def warn(message, category=None, stacklevel=1, source=None): return None

class catch_warnings:
    def __init__(self, *, record=False, module=None): self._record = record
    def __enter__(self): return [] if self._record else None
    def __exit__(self, *exc): return False
