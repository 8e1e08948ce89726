"""What can go wrong, each kind as a class of its own, and each error as one sentence."""

from __future__ import annotations


class FlipTransitionError(Exception):
    """The base of all errors that this package raises."""


class OptionError(FlipTransitionError, ValueError):
    """An option is unknown, its value is out of range, or options don't fit each other."""


class FormatError(FlipTransitionError, ValueError):
    """A pixel format is unknown or not drawn, or a side of the picture is outside 1...16384."""


class PictureError(FlipTransitionError, ValueError):
    """A picture's memory doesn't fit: its type, shape, dtype, strides or alignment, or it can't be written."""


class ArgumentError(FlipTransitionError, ValueError):
    """An argument other than a picture or an option is wrong, such as a progress outside 0...1."""


class ClosedError(FlipTransitionError, ValueError):
    """The transition has been closed."""


class LibraryError(FlipTransitionError, OSError):
    """libfliptransition can't be loaded."""


class ProgramMissingError(FlipTransitionError, FileNotFoundError):
    """The program fliptransition isn't installed."""


class ProgramError(FlipTransitionError):
    """The program failed. The output is as it was before."""

    def __init__(self, message: str, exit_code: int, kind: str | None = None) -> None:
        super().__init__(message)
        #: The exit code (docs/JSON.md lists them); negative if a signal ended the program.
        self.exit_code = exit_code
        #: The kind of the error as in docs/JSON.md, if the program said it.
        self.kind = kind

    def __reduce__(self) -> tuple[type[ProgramError], tuple[str, int, str | None]]:
        return type(self), (str(self), self.exit_code, self.kind)


class Cancelled(FlipTransitionError):
    """The run was cancelled. The output is as it was before."""
