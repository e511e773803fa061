"""Games of your own: the options of each heap, as a dictionary or a function.

>>> rules_text({1: [0], 3: [2, (1, 1)]})
'1: 0\\n2: \\n3: 2, 1+1'
>>> rules_text(lambda heap: range(heap), 2)
'1: 0\\n2: 0, 1'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Callable, Optional, Union

from .errors import BadCode
from .limits import whole

__all__ = ["Option", "Options", "rules_text"]

#: An option of a heap: the heap that is left, or the heaps.
Option = Union[int, "Iterable[int]"]

#: The greatest number of heaps that a list may have.
MAX_HEAPS = 255

#: The options of each heap from 1 on.
Options = Union["Mapping[int, Iterable[Option]]", "Callable[[int], Iterable[Option]]"]


def rules_text(options: Options, last_heap: Optional[int] = None) -> str:
    """Returns the lines of a list of options, which `misere solve @FILE` reads, too."""
    if isinstance(options, Mapping):
        if last_heap is not None:
            raise TypeError("last_heap is for a function; a dictionary names its heaps")
        listed = {whole("a heap", heap, MAX_HEAPS): _text(left) for heap, left in options.items()}
    elif last_heap is None:
        raise TypeError("give last_heap, the greatest heap for which the function is called")
    else:
        last = whole("last_heap", last_heap, MAX_HEAPS)
        listed = {heap: _text(options(heap)) for heap in range(1, last + 1)}
    if listed.get(0):
        raise BadCode("the heap 0 has no beans, and so no options")
    heaps = range(1, max(listed, default=0) + 1)
    return "\n".join(f"{heap}: {listed.get(heap, '')}" for heap in heaps)


def _text(options: "Iterable[Option]") -> str:
    """Returns the options of one heap."""
    left = (option if isinstance(option, Iterable) else (option,) for option in options)
    sums = ([str(whole("a heap", heap)) for heap in heaps] for heaps in left)
    return ", ".join("+".join(heaps) or "0" for heaps in sums)
