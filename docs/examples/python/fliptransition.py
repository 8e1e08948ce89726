"""Frames of page flips, folds and card flips between two numpy arrays, by way of libfliptransition.

    import numpy
    from fliptransition import Transition

    flip = Transition("rgb24", 640, 360, style="fold", mode="cubic")
    frame = flip.frame(0.4, a, b)          # arrays of shape (360, 640, 3), uint8

The library is found as the system finds libraries; FLIPTRANSITION_LIBRARY names another place.
"""

import ctypes
import os
import sys

import numpy

_library = ctypes.CDLL(os.environ.get("FLIPTRANSITION_LIBRARY", "libfliptransition.so.0"))


class _Picture(ctypes.Structure):
    _fields_ = [("planes", ctypes.c_void_p * 4), ("strides", ctypes.c_ssize_t * 4)]


_text, _handle, _picture = ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(_Picture)
for _name, _result, _arguments in [
    ("version", _text, []),
    ("style_name", _text, [ctypes.c_int]),
    ("supports_format", ctypes.c_int, [_text]),
    ("open", _handle, []),
    ("close", None, [_handle]),
    ("set", ctypes.c_int, [_handle, _text, _text]),
    ("set_format", ctypes.c_int, [_handle, _text, ctypes.c_int, ctypes.c_int]),
    ("ease", ctypes.c_int, [_handle, ctypes.c_double, ctypes.POINTER(ctypes.c_double)]),
    ("render", ctypes.c_int, [_handle, ctypes.c_double, _picture, _picture, _picture]),
    ("error", ctypes.c_size_t, [_handle, _text, ctypes.c_size_t]),
]:
    _function = getattr(_library, "fliptransition_" + _name)
    _function.restype, _function.argtypes = _result, _arguments


class TransitionError(Exception):
    """What the library says: one sentence."""


def version():
    return _library.fliptransition_version().decode()


class Transition:
    """A transition between pictures of one pixel format (FFmpeg's name) and size; options as on the command line."""

    def __init__(self, pixel_format, width, height, **options):
        self._flip = _library.fliptransition_open()
        for name, value in options.items():
            self._check(_library.fliptransition_set(self._flip, name.replace("_", "-").encode(), str(value).encode()))
        self._check(_library.fliptransition_set_format(self._flip, pixel_format.encode(), width, height))

    def __del__(self):
        if getattr(self, "_flip", None):
            _library.fliptransition_close(self._flip)

    def ease(self, time):
        """Progress at `time`, both 0...1, by the transition's easing."""
        progress = ctypes.c_double()
        self._check(_library.fliptransition_ease(self._flip, time, ctypes.byref(progress)))
        return progress.value

    def frame(self, progress, a, b):
        """The frame at `progress`, 0...1, between `a` and `b`: an array each, or a list with an array for each plane."""
        result = [numpy.empty_like(plane) for plane in _planes(a)]
        pictures = [ctypes.byref(_lend(planes)) for planes in (_planes(a), _planes(b), result)]
        self._check(_library.fliptransition_render(self._flip, progress, *pictures))
        return result if isinstance(a, (list, tuple)) else result[0]

    def _check(self, status):
        if status:
            sentence = ctypes.create_string_buffer(1024)
            _library.fliptransition_error(self._flip, sentence, len(sentence))
            raise TransitionError(sentence.value.decode())


def _planes(picture):
    return list(picture) if isinstance(picture, (list, tuple)) else [picture]


def _lend(planes):
    """The planes' memory as it is, where the samples of a row lie side by side."""
    lent = _Picture()
    for index, plane in enumerate(planes):
        if plane.strides[1:] != numpy.empty(plane.shape[1:], plane.dtype).strides:
            raise ValueError("rows of an array have to be contiguous (numpy.ascontiguousarray makes them so)")
        lent.planes[index], lent.strides[index] = plane.ctypes.data, plane.strides[0]
    return lent


def main():
    """python3 fliptransition.py a.ppm b.ppm out.ppm 0.4 style=card ..."""
    a, b, out, progress = sys.argv[1:5]
    first, second = _read_ppm(a), _read_ppm(b)
    options = dict(word.split("=", 1) for word in sys.argv[5:])
    height, width, _ = first.shape
    frame = Transition("rgb24", width, height, **options).frame(float(progress), first, second)
    with open(out, "wb") as file:
        file.write(b"P6 %d %d 255\n" % (width, height) + frame.tobytes())


def _read_ppm(path):
    with open(path, "rb") as file:
        words = file.read().split(maxsplit=3)
    width, height = int(words[1]), int(words[2])
    return numpy.frombuffer(words[3][-width * height * 3 :], numpy.uint8).reshape(height, width, 3)


if __name__ == "__main__":
    main()
