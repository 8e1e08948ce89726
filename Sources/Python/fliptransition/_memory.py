"""Pictures in memory of Python's objects, whose layout is checked before the C library gets their addresses."""

from __future__ import annotations

import contextlib
import ctypes
import math
import sys
from typing import Any, Sequence, cast

from ._errors import PictureError
from ._library import Picture, Plane


class _Buffer(ctypes.Structure):
    """Py_buffer, which is a part of CPython's stable interface (PEP 688, PEP 3118)."""

    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)),
        ("internal", ctypes.c_void_p),
    ]


_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = [ctypes.py_object, ctypes.POINTER(_Buffer), ctypes.c_int]
_release_buffer = ctypes.pythonapi.PyBuffer_Release
_release_buffer.argtypes = [ctypes.POINTER(_Buffer)]
_release_buffer.restype = None
#: PyBUF_STRIDES | PyBUF_FORMAT: memory with any strides, read-only or not.
_records_ro = 0x1C

#: The characters before a type's code that mean this machine's byte order.
_native_orders = "@=|<" if sys.byteorder == "little" else "@=|>!"
#: The codes of unsigned integers by their size, for buffers.
_codes = {1: "B", 2: "H"}


class Memory:
    """One object's memory, which stays where it is until the stack that it was lent to is closed."""

    def __init__(self, name: str, value: object, stack: contextlib.ExitStack, is_inner: bool = False) -> None:
        self.name = name
        self.value = value
        #: The size of a sample if samples are unsigned integers in native byte order; otherwise None.
        self.sample_bytes: int | None = None
        #: What the samples are, for error messages.
        self.type = ""
        self.address = 0
        self.shape: tuple[int, ...] = ()
        self.strides: tuple[int, ...] = ()
        self.is_readonly = True
        try:
            self._lend_buffer(value, stack)
        except (TypeError, BufferError, ValueError) as error:
            if isinstance(error, PictureError):
                raise
            # What an array interface refers to has to be a buffer, and not another interface, or itself.
            interface = None if is_inner else getattr(value, "__array_interface__", None)
            if interface is None:
                raise PictureError(
                    f"{name} is {_described(value)} (expected an array, or an object with the buffer protocol)"
                ) from None
            self._lend_array(interface, stack)

    def _lend_buffer(self, value: object, stack: contextlib.ExitStack) -> None:
        view = _Buffer()
        _get_buffer(value, ctypes.byref(view), _records_ro)
        stack.callback(_release_buffer, ctypes.byref(view))
        self.address = view.buf or 0
        self.shape = tuple(view.shape[: view.ndim]) if view.ndim else ()
        self.strides = tuple(view.strides[: view.ndim]) if view.ndim else ()
        self.is_readonly = bool(view.readonly)
        self.type = (view.format or b"B").decode("latin-1")
        plain = self.type[1:] if self.type[:1] in tuple(_native_orders) else self.type
        if _codes.get(view.itemsize) == plain:
            self.sample_bytes = view.itemsize

    def _lend_array(self, interface: Any, stack: contextlib.ExitStack) -> None:
        """Memory that `__array_interface__` describes: a dict of version 3 of NumPy's protocol."""
        try:
            shape = tuple(int(size) for size in interface["shape"])
            type_text = str(interface["typestr"])
            data = interface.get("data")
            strides = interface.get("strides")
            if interface.get("mask") is not None or min(shape, default=0) < 0:
                raise ValueError
            size = int(type_text[2:])
            if strides is None:
                strides = [size * math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
            strides = tuple(int(stride) for stride in strides)
            if len(strides) != len(shape):
                raise ValueError
            if isinstance(data, tuple):
                address, is_readonly = int(data[0]), bool(data[1])
                if address <= 0:
                    raise ValueError
            else:
                # The bytes of another object, such as a copy that Pillow makes.
                memory = Memory(self.name, self.value if data is None else data, stack, is_inner=True)
                offset = int(interface.get("offset", 0))
                room = math.prod(memory.shape) if memory.sample_bytes == 1 else 0
                whole = size * math.prod(shape)
                is_plain = strides == tuple(size * math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
                if not is_plain or offset < 0 or offset + whole > room or not memory.is_contiguous:
                    raise ValueError
                address, is_readonly = memory.address + offset, memory.is_readonly
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError):
            raise PictureError(
                f"the __array_interface__ of {self.name} doesn't describe an array (see NumPy's array interface)"
            ) from None
        self.address, self.shape, self.strides, self.is_readonly = address, shape, strides, is_readonly
        self.type = type_text
        if type_text[:1] in tuple(_native_orders) and type_text[1:] in ("u1", "u2"):
            self.sample_bytes = size

    @property
    def is_contiguous(self) -> bool:
        """Whether one sample follows another, in the order of C."""
        step = self.sample_bytes or 0
        for size, stride in zip(reversed(self.shape), reversed(self.strides)):
            if size > 1 and stride != step:
                return False
            step *= size
        return bool(self.sample_bytes)


class LentPicture:
    """A picture in the memory of one object, or of one for each plane."""

    def __init__(self, name: str, value: object, stack: contextlib.ExitStack) -> None:
        self.name = name
        self.value = value
        parts = list(cast("Sequence[object]", value)) if isinstance(value, (list, tuple)) else [value]
        if not 1 <= len(parts) <= 4:
            raise PictureError(f"{name} has {len(parts)} planes (expected 1...4)")
        names = [f"plane {index} of {name}" for index in range(len(parts))] if len(parts) > 1 else [name]
        self.memories = [Memory(title, part, stack) for title, part in zip(names, parts)]

    @property
    def is_raw(self) -> bool:
        """Whether all planes follow one another in bytes that have no shape."""
        return len(self.memories) == 1 and len(self.memories[0].shape) == 1

    def picture(self, planes: Sequence[Plane], written: bool = False) -> Picture:
        """The addresses for the library, after checking that `planes` lie there."""
        lent = Picture()
        for index, (address, stride) in enumerate(self._raw(planes) if self.is_raw else self._rows(planes)):
            lent.planes[index] = address
            lent.strides[index] = stride
        if written and any(memory.is_readonly for memory in self.memories):
            raise PictureError(f"{self.name} is read-only")
        return lent

    def _raw(self, planes: Sequence[Plane]) -> list[tuple[int, int]]:
        (memory,) = self.memories
        sample = planes[0].sample_bytes
        if memory.sample_bytes not in (1, sample) or not memory.is_contiguous:
            raise PictureError(f"{self.name} is not a row of bytes (its type is {memory.type!r})")
        expected = sum(plane.rows * row_bytes(plane) for plane in planes)
        count = memory.shape[0] * memory.sample_bytes
        if count != expected:
            raise PictureError(f"{self.name} has {count} bytes (expected {expected})")
        places: list[tuple[int, int]] = []
        address = memory.address
        for plane in planes:
            places.append((address, row_bytes(plane)))
            address += plane.rows * row_bytes(plane)
        _check_alignment(self.name, memory.address, 0, sample)
        return places

    def _rows(self, planes: Sequence[Plane]) -> list[tuple[int, int]]:
        if len(self.memories) != len(planes):
            raise PictureError(f"{self.name} has {len(self.memories)} planes (expected {len(planes)})")
        return [_place(memory, plane) for memory, plane in zip(self.memories, planes)]

    def new(self) -> object:
        """Memory for another picture of this kind, whose planes have been checked."""
        parts = [_like(memory) for memory in self.memories]
        if isinstance(self.value, (list, tuple)):
            return tuple(parts) if isinstance(self.value, tuple) else parts
        return parts[0]


def _like(memory: Memory) -> object:
    """A NumPy array for one, a bytearray for bytes, and a memoryview for other memory with a shape."""
    size = memory.sample_bytes or 1
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(memory.value, numpy.ndarray):
        return numpy.empty(memory.shape, f"u{size}")
    result = bytearray(size * math.prod(memory.shape))
    if len(memory.shape) == 1:
        return result
    return memoryview(result).cast(_codes[size], list(memory.shape))  # type: ignore[call-overload]


def row_bytes(plane: Plane) -> int:
    """The bytes of a row without padding."""
    return plane.columns * plane.components * plane.sample_bytes


def _place(memory: Memory, plane: Plane) -> tuple[int, int]:
    """The address and the stride of a plane, after checking that the object has its shape, type and layout."""
    shape = (plane.rows, plane.columns, plane.components)
    flat = (plane.rows, plane.columns * plane.components)
    if memory.shape != shape and memory.shape != flat:
        raise PictureError(f"{memory.name} has shape {memory.shape} (expected {shape if shape[2] > 1 else flat})")
    if memory.sample_bytes != plane.sample_bytes:
        expected = f"uint{8 * plane.sample_bytes} in native byte order"
        raise PictureError(f"{memory.name} has samples of type {memory.type!r} (expected {expected})")
    # From one sample or pixel to the next; where there is only one, the stride means nothing.
    step = plane.sample_bytes
    for size, stride in zip(memory.shape[:0:-1], memory.strides[:0:-1]):
        if size > 1 and stride != step:
            raise PictureError(
                f"the samples of {memory.name} don't follow one another in a row (numpy.ascontiguousarray makes them)"
            )
        step *= size
    stride = memory.strides[0] if plane.rows > 1 else step
    if abs(stride) < step:
        raise PictureError(
            f"the rows of {memory.name} overlap (numpy.ascontiguousarray makes a copy in which they don't)"
        )
    _check_alignment(memory.name, memory.address, stride, plane.sample_bytes)
    return memory.address, stride


def _check_alignment(name: str, address: int, stride: int, sample_bytes: int) -> None:
    if address % sample_bytes or stride % sample_bytes:
        raise PictureError(f"{name} has samples at odd addresses (numpy.ascontiguousarray or a copy aligns them)")


def _described(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
