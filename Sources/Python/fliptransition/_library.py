"""The C library: where it is, and its functions (fliptransition.h)."""

from __future__ import annotations

import ctypes
import functools
import os
import pathlib
from typing import Any

from ._errors import LibraryError

#: The library that the wheel contains. It is VapourSynth's plugin, too.
_packaged = pathlib.Path(__file__).with_name("libfliptransition.so")


class Picture(ctypes.Structure):
    """fliptransition_picture: a picture in memory that the library may use during a call."""

    _fields_ = [("planes", ctypes.c_void_p * 4), ("strides", ctypes.c_ssize_t * 4)]


class Plane(ctypes.Structure):
    """fliptransition_plane: the size of one plane of a picture."""

    rows: int
    columns: int
    components: int
    sample_bytes: int

    _fields_ = [(name, ctypes.c_int) for name in ("rows", "columns", "components", "sample_bytes")]


_text, _handle, _int, _double = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_double
_picture = ctypes.POINTER(Picture)
_functions: list[tuple[str, Any, list[Any]]] = [
    ("version", _text, []),
    ("styles", _text, []),
    ("planes", _int, [_text, _int, _int, ctypes.POINTER(Plane)]),
    ("open", _handle, []),
    ("close", None, [_handle]),
    ("set", _int, [_handle, _text, _text]),
    ("set_format", _int, [_handle, _text, _int, _int]),
    ("ease", _int, [_handle, _double, ctypes.POINTER(_double)]),
    ("progress", _int, [_handle, _int, _int, ctypes.POINTER(_double)]),
    ("render", _int, [_handle, _double, _picture, _picture, _picture]),
    ("render_frame", _int, [_handle, _int, _int, _picture, _picture, _picture]),
    ("error", ctypes.c_size_t, [_handle, _text, ctypes.c_size_t]),
]


def _path() -> str:
    """FLIPTRANSITION_LIBRARY, the wheel's own file, or the name by which the system's loader finds it."""
    chosen = os.environ.get("FLIPTRANSITION_LIBRARY")
    return chosen or (str(_packaged) if _packaged.exists() else "libfliptransition.so.0")


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The library, whose calls let other threads of Python run."""
    path = _path()
    try:
        loaded = ctypes.CDLL(path)
        for name, result, arguments in _functions:
            function = getattr(loaded, "fliptransition_" + name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise LibraryError(f"{path} can't be used as libfliptransition: {error}") from error
    return loaded


def version() -> str:
    """The version of the library that is running, such as "0.1.0"."""
    return str(library().fliptransition_version().decode())


def vapoursynth_plugin() -> str:
    """The path of the plugin for VapourSynth, for core.std.LoadPlugin."""
    if not _packaged.exists():
        raise LibraryError(f"{_packaged} is not there (it comes with the wheel of fliptransition)")
    return str(_packaged)
