"""Transitions: frames between two pictures in memory."""

from __future__ import annotations

import contextlib
import ctypes
import operator
import os
import threading
import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeVar, Union, overload

from ._errors import ArgumentError, ClosedError, FlipTransitionError, FormatError, OptionError, PictureError
from ._library import Plane, library
from ._memory import LentPicture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer


class SupportsArrayInterface(Protocol):
    """An array as NumPy describes it to other packages."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...


OptionValue = Union[str, int, float, "tuple[float, ...]", None]
if TYPE_CHECKING:
    Plane_ = Union[SupportsArrayInterface, Buffer]
    Picture = Union[Plane_, Sequence[Plane_]]
Array = TypeVar("Array", bound="SupportsArrayInterface")
Out = TypeVar("Out", bound="Picture")

#: The pixel formats of arrays whose format isn't named, by the components of a pixel and the bytes of a sample.
_formats = {
    (1, 1): "gray", (2, 1): "ya8", (3, 1): "rgb24", (4, 1): "rgba",
    (1, 2): "gray16", (2, 2): "ya16", (3, 2): "rgb48", (4, 2): "rgba64",
}  # fmt: skip
_kinds: dict[int, type[FlipTransitionError]] = {1: PictureError, 2: OptionError, 3: FormatError}


class Transition:
    """A style with its options, which draws frames between two pictures in memory.

        with Transition("fold", mode="cubic") as fold:
            frame = fold.draw(0.4, a, b)            # arrays of shape (height, width, 3), uint8

    Options are those of the command line, with underscores: `shadow_color="navy"`, `viewpoint=(0.5, 0.2)`,
    `reverse=True`; also `look`, `background`, `threads`, `range`, `matrix`, `transfer` and `chroma_location`. None is the
    default.

    Any thread may call any method. Calls on one transition take turns, and other threads of Python run while it draws;
    to draw in parallel, make a transition for each thread, or set `threads`. A child of os.fork can use the transitions
    of its parent. After `close`, drawing raises ClosedError.

    Raises OptionError for an unknown option, for a value outside of its range, and for options that don't go together;
    ArgumentError for text with a NUL; and LibraryError if the library can't be loaded.
    """

    def __init__(self, style: str | None = None, **options: OptionValue) -> None:
        self._is_closed = False
        #: The library's object; None before it is needed, and in a forked child until then.
        self._handle: int | None = None
        self._forget()
        if style is not None:
            options = {"style": style, **options}
        self._given = dict(options)
        self._options = [_option(name.replace("_", "-"), value) for name, value in options.items()]
        try:
            self.ease(0)
        except BaseException:
            self.close()
            raise
        _living.add(self)

    def __repr__(self) -> str:
        """The call that makes the transition, such as Transition(style='fold', mode='cubic')."""
        words = (f"{name.replace('-', '_')}={value!r}" for name, value in self._given.items())
        return f"Transition({', '.join(words)}){' (closed)' if self._is_closed else ''}"

    def _forget(self) -> None:
        """Leaves the library's object behind. Called in a forked child, in which its threads don't exist, and in which
        nobody would ever release a lock that another thread of the parent held."""
        self._lock = threading.Lock()
        self._handle = None
        self._format: tuple[str, int, int] | None = None

    # MARK: Life

    def close(self) -> None:
        """Frees what the transition holds, and ends its threads. A drawing in another thread is waited for."""
        with self._lock:
            self._is_closed = True
            handle, self._handle = self._handle, None
            if handle:
                library().fliptransition_close(handle)

    @property
    def closed(self) -> bool:
        """Whether the transition has been closed."""
        return self._is_closed

    def __enter__(self) -> Transition:
        if self._is_closed:
            raise _closed()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()

    # MARK: Time

    def ease(self, time: float) -> float:
        """The progress after easing at `time`, both 0...1.

        Raises ArgumentError for other times, and ClosedError.
        """
        progress, moment = ctypes.c_double(), _number("time", time)
        with self._lock:
            self._check(library().fliptransition_ease(self._open(), moment, ctypes.byref(progress)), ArgumentError)
        return progress.value

    def progress(self, index: int, count: int) -> float:
        """The progress after easing of frame `index`, counted from 0, of a transition of `count` frames, 0...1.

        These are the frames that `fliptransition join` draws. Raises ArgumentError unless 0 <= index < count, and
        ClosedError.
        """
        progress = ctypes.c_double()
        numbers = _whole("index", index), _whole("count", count)
        with self._lock:
            self._check(
                library().fliptransition_progress(self._open(), *numbers, ctypes.byref(progress)), ArgumentError
            )
        return progress.value

    # MARK: Pictures

    @overload
    def draw(
        self, progress: float, a: Picture, b: Picture, out: Out, *, format: str | None = None,
        width: int | None = None, height: int | None = None,
    ) -> Out: ...  # fmt: skip

    @overload
    def draw(
        self, progress: float, a: bytes | bytearray, b: Picture, out: None = None, *, format: str | None = None,
        width: int | None = None, height: int | None = None,
    ) -> bytearray: ...  # fmt: skip

    @overload
    def draw(
        self, progress: float, a: Array, b: Picture, out: None = None, *, format: str | None = None,
        width: int | None = None, height: int | None = None,
    ) -> Array: ...  # fmt: skip

    @overload
    def draw(
        self, progress: float, a: tuple[Array, ...], b: Picture, out: None = None, *, format: str | None = None,
        width: int | None = None, height: int | None = None,
    ) -> tuple[Array, ...]: ...  # fmt: skip

    @overload
    def draw(
        self, progress: float, a: list[Array], b: Picture, out: None = None, *, format: str | None = None,
        width: int | None = None, height: int | None = None,
    ) -> list[Array]: ...  # fmt: skip

    @overload
    def draw(
        self, progress: float, a: Picture, b: Picture, out: None = None, *, format: str | None = None,
        width: int | None = None, height: int | None = None,
    ) -> Any: ...  # fmt: skip

    def draw(
        self, progress: float, a: object, b: object, out: object = None, *, format: str | None = None,
        width: int | None = None, height: int | None = None,
    ) -> object:  # fmt: skip
        """Draws the frame at `progress`, 0...1 after easing, between the pictures `a` and `b`; 0 gives exactly `a`.

        A picture is an array, or a list or tuple of arrays, one for each plane. Arrays are objects with the buffer
        protocol or `__array_interface__`: of shape (height, width) or (height, width, components), with uint8, or
        uint16 for samples of more than 8 bits. `format` is FFmpeg's name of the pixel format. Without it, one component
        is gray, 3 are RGB, 4 RGBA, with 8 or 16 bits. Bytes without a shape (bytes, bytearray, array.array) contain one
        plane after the other without padding, and need `format`, `width` and `height`.

        The frame is drawn into `out`, or into a new picture like `a` (bytes become a bytearray), and returned. Nothing
        is copied, so the samples of a row must follow one another; rows may be padded, or lie bottom up.

        Raises PictureError for memory that doesn't fit or is shared by `out` and another picture, FormatError for a
        format that isn't drawn and for sides outside 1...16384 pixels, ArgumentError for any other argument, and
        ClosedError. Then nothing has been drawn.
        """
        moment = _number("progress", progress)
        return self._draw(library().fliptransition_render, (moment,), (a, b, out), format, width, height)

    def draw_frame(
        self, index: int, count: int, a: Picture, b: Picture, out: Any = None, *, format: str | None = None,
        width: int | None = None, height: int | None = None,
    ) -> Any:  # fmt: skip
        """Draws frame `index`, counted from 0, of a transition that lasts for `count` frames, as the program does: at the
        progress that `progress` returns or, with the option `shutter`, with motion blur, which `draw` doesn't have.

        Pictures, results and errors are those of `draw`.
        """
        frame = (_whole("index", index), _whole("count", count))
        return self._draw(library().fliptransition_render_frame, frame, (a, b, out), format, width, height)

    def _draw(
        self, function: Any, moment: tuple[float, ...], pictures: tuple[object, object, object], format: str | None,
        width: int | None, height: int | None,
    ) -> object:  # fmt: skip
        """Calls a function of the library that draws a frame."""
        a, b, out = pictures
        with contextlib.ExitStack() as stack:
            first, second = LentPicture("a", a, stack), LentPicture("b", b, stack)
            name, size, planes = _described(first, format, width, height)
            from_, to = first.picture(planes), second.picture(planes)
            result = first.new() if out is None else out
            into = LentPicture("out", result, stack).picture(planes, written=True)
            with self._lock:
                self._prepare(name, *size)
                lent = [ctypes.byref(picture) for picture in (from_, to, into)]
                self._check(function(self._open(), *moment, *lent), PictureError)
        return result

    # MARK: Calls

    def _open(self) -> int:
        """The library's object, with its options. Called while the lock is held."""
        if self._is_closed:
            raise _closed()
        if self._handle is None:
            self._handle = library().fliptransition_open()
            if not self._handle:
                raise MemoryError("there is no memory for a transition")
            for name, text in self._options:
                self._check(library().fliptransition_set(self._handle, name, text))
        return self._handle

    def _prepare(self, name: str, width: int, height: int) -> None:
        """Sets the format unless it is set already."""
        if self._format == (name, width, height):
            return
        self._check(library().fliptransition_set_format(self._open(), name.encode(), width, height))
        self._format = (name, width, height)

    def _check(self, status: int, argument: type[FlipTransitionError] = ArgumentError) -> None:
        """Raises an error if a call failed: `argument`, if an argument is invalid."""
        if status:
            sentence = ctypes.create_string_buffer(2048)
            library().fliptransition_error(self._handle, sentence, len(sentence))
            kind = argument if status == 1 else _kinds.get(status, FlipTransitionError)
            raise kind(sentence.value.decode(errors="replace"))


#: All transitions, for forked children.
_living: weakref.WeakSet[Transition] = weakref.WeakSet()


def _forget_all() -> None:
    for transition in list(_living):
        transition._forget()


os.register_at_fork(after_in_child=_forget_all)


def _closed() -> ClosedError:
    return ClosedError("the transition has been closed")


def _described(
    picture: LentPicture, name: str | None, width: int | None, height: int | None
) -> tuple[str, tuple[int, int], list[Plane]]:
    """The pixel format, the size and the planes of pictures, as they are given or as the first picture shows them."""
    memory = picture.memories[0]
    shape = memory.shape
    if not 1 <= len(shape) <= 3:
        raise PictureError(f"{picture.name} has {len(shape)} dimensions (expected 2 or 3)")
    if name is None:
        if picture.is_raw or len(picture.memories) > 1:
            raise FormatError("bytes and planes need a pixel format (format='yuv420p')")
        components = shape[2] if len(shape) == 3 else 1
        name = _formats.get((components, memory.sample_bytes or 0))
        if name is None:
            raise PictureError(
                f"{picture.name} has shape {shape} and type {memory.type!r} (expected 1...4 components in uint8 or "
                "uint16)"
            )
    encoded = _encoded("format", name)
    if picture.is_raw and (width is None or height is None):
        raise ArgumentError("pictures in bytes need width and height")
    planes = (Plane * 4)()
    if width is None and len(shape) == 2:
        # A row of a plane with several components may be flat.
        if not library().fliptransition_planes(encoded, 1, 1, planes):
            raise _unsupported(name)
        width = shape[1] // planes[0].components
    size = (
        _whole("width", shape[1] if width is None else width),
        _whole("height", shape[0] if height is None else height),
    )
    count = library().fliptransition_planes(encoded, *size, planes)
    if not count:
        if not all(1 <= side <= 16384 for side in size):
            raise FormatError(f"invalid size {size[0]}x{size[1]} (expected 1...16384 pixels a side)")
        raise _unsupported(name)
    return name, size, list(planes[:count])


def _unsupported(name: str) -> FormatError:
    return FormatError(f"pixel format {name!r} is not drawn (expected one such as rgb24, yuv420p10, nv12 or gray)")


def option_text(value: OptionValue) -> str:
    """An option's value as on the command line."""
    if isinstance(value, (list, tuple)):
        return ",".join(str(part) for part in value)
    text = str(value)
    return text.lower() if text in ("True", "False") else text


def _option(name: str, value: OptionValue) -> tuple[bytes, bytes | None]:
    """An option's name and value for the library."""
    text = None if value is None else _encoded(f"option {name}", option_text(value))
    return _encoded("an option's name", name), text


def _encoded(what: str, text: object) -> bytes:
    if not isinstance(text, str) or "\0" in text:
        raise ArgumentError(f"{what} is {text!r} (expected text)")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise ArgumentError(f"{what} is {text!r} (expected text)") from None


def _number(name: str, value: float) -> float:
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            number = float(value)
            if 0 <= number <= 1:
                return number
    except (TypeError, ValueError, OverflowError):
        pass
    raise ArgumentError(f"{name} is {value!r} (expected a number in 0...1)")


def _whole(name: str, value: SupportsIndex) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentError(f"{name} is {value!r} (expected a whole number)") from None
    # As many as the library takes; it says itself what is out of range.
    return max(-(2**31), min(number, 2**31 - 1))
