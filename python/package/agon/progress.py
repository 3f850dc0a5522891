"""Progress of long work: a bar of tqdm if it is installed, after two seconds of work.

>>> import agon
>>> agon.progress.show(False)   # never a bar
>>> agon.progress.show(True)    # a bar of tqdm, the default
"""

from typing import Any, Callable, Optional, Union

__all__ = ["show"]

#: True for tqdm, False for nothing, or a function.
_shown: "Union[bool, Callable[[str, int, Optional[int], int], None]]" = True


def show(how: "Union[bool, Callable[[str, int, Optional[int], int], None]]") -> None:
    """Sets how progress is shown: True, False, or a function that gets the task, what is done, the total or None, and
    the number of nodes."""
    global _shown
    _shown = how


class _Called:
    """Progress for a function."""

    def __init__(self, function) -> None:
        self.update = function

    def close(self) -> None:
        pass


class _Bar:
    """A bar of tqdm."""

    def __init__(self, tqdm) -> None:
        self.tqdm = tqdm
        self.bar: Any = None
        self.task = ""

    def update(self, task: str, done: int, total: "Optional[int]", nodes: int) -> None:
        if self.bar is not None and self.task != task:
            self.close()
        if self.bar is None:
            self.bar, self.task = self.tqdm(desc=task, total=total, leave=False), task
        # The number of units may become known, or change with a new phase of the work.
        self.bar.total, self.bar.n = total, done
        self.bar.bar_format = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}{postfix}" if total else "{desc}: {elapsed}{postfix}"
        if nodes:
            self.bar.set_postfix_str(f"{nodes:,} nodes", refresh=False)
        self.bar.refresh()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


def _begin():
    """What shows the progress of a piece of work; None to show nothing."""
    if callable(_shown):
        return _Called(_shown)
    if not _shown:
        return None
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    return _Bar(tqdm)
