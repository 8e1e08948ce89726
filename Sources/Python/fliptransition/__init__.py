"""Page flips, folds and card flips between pictures in memory, and between clips in files.

    import fliptransition

    fold = fliptransition.Transition("fold", mode="cubic")
    frame = fold.draw(fold.ease(0.4), a, b)                                # arrays of shape (height, width, 3)

    fliptransition.join(["a.mp4", "b.mp4"], "out.mp4", style="fold")       # needs the program fliptransition
"""

from ._errors import (
    ArgumentError,
    Cancelled,
    ClosedError,
    FlipTransitionError,
    FormatError,
    LibraryError,
    OptionError,
    PictureError,
    ProgramError,
    ProgramMissingError,
)
from ._library import vapoursynth_plugin, version
from ._program import join, plan, program, still
from ._results import Input, Join, JoinResult, Output, Plan, Progress
from ._styles import NamedLook, Style, StyleOption, styles
from ._transition import Transition

__all__ = [
    "ArgumentError",
    "Cancelled",
    "ClosedError",
    "FlipTransitionError",
    "FormatError",
    "Input",
    "Join",
    "JoinResult",
    "LibraryError",
    "NamedLook",
    "OptionError",
    "Output",
    "PictureError",
    "Plan",
    "ProgramError",
    "ProgramMissingError",
    "Progress",
    "Style",
    "StyleOption",
    "Transition",
    "join",
    "plan",
    "program",
    "still",
    "styles",
    "vapoursynth_plugin",
    "version",
]


def __getattr__(name: str) -> str:
    # __version__ is looked up when it is asked for, since the library is loaded for it.
    if name == "__version__":
        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
