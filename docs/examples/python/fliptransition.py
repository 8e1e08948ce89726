"""Frames of page flips, folds and card flips between two numpy arrays, drawn by libfliptransition.

    import numpy
    from fliptransition import Transition

    flip = Transition("rgb24", 640, 360, style="fold", mode="cubic")
    frame = flip.frame(0.4, a, b)          # arrays of shape (360, 640, 3), uint8

The system's loader finds the library; FLIPTRANSITION_LIBRARY names another file.
"""

import ctypes
import operator
import os
import re
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


class TransitionError(ValueError):
    """What the library refuses, as one sentence."""


def version():
    return _library.fliptransition_version().decode()


class Transition:
    """A transition between pictures of one pixel format (FFmpeg's name) and size; options as on the command line.

    Option values are strings, numbers, booleans, or tuples of numbers: `viewpoint=(0.5, 0.2)`, `reverse=True`.
    """

    def __init__(self, pixel_format, width, height, **options):
        self._flip = _library.fliptransition_open()
        if not self._flip:
            raise MemoryError("there is no memory for a transition")
        self._width, self._height = _size("width", width), _size("height", height)
        for name, value in options.items():
            self._check(_library.fliptransition_set(self._flip, _bytes(name.replace("_", "-")), _option(value)))
        name = _bytes(pixel_format)
        self._check(_library.fliptransition_set_format(self._flip, name, self._width, self._height))
        self._layout = _layout(name.decode(), self._width, self._height)

    def __del__(self):
        if getattr(self, "_flip", None):
            _library.fliptransition_close(self._flip)

    def ease(self, time):
        """The progress at `time` by the transition's easing; both are 0...1."""
        progress = ctypes.c_double()
        self._check(_library.fliptransition_ease(self._flip, _number("time", time), ctypes.byref(progress)))
        return progress.value

    def frame(self, progress, a, b):
        """The frame at `progress`, 0...1, between `a` and `b`: each is an array, or a list with one array per plane.

        Arrays have the shape (rows, columns), or (rows, columns, components) if a plane holds several, and the dtype
        uint8, or uint16 for samples of more than 8 bits. Anything else raises ValueError.
        """
        from_planes, to_planes = self._planes("a", a), self._planes("b", b)
        # The library knows only strides, so the result has the shapes that were checked, and memory of its own.
        result = [numpy.empty(plane.shape, plane.dtype) for plane in from_planes]
        pictures = [ctypes.byref(_lend(planes)) for planes in (from_planes, to_planes, result)]
        self._check(_library.fliptransition_render(self._flip, _number("progress", progress), *pictures))
        return result if isinstance(a, (list, tuple)) else result[0]

    def _planes(self, name, picture):
        """The arrays of a picture, each of them checked: the library can't know how large they are."""
        planes = list(picture) if isinstance(picture, (list, tuple)) else [picture]
        if len(planes) != len(self._layout):
            raise ValueError(f"{name} has {len(planes)} planes (expected {len(self._layout)})")
        for index, (plane, (shape, dtype)) in enumerate(zip(planes, self._layout)):
            where = name if len(planes) == 1 else f"plane {index} of {name}"
            if not isinstance(plane, numpy.ndarray):
                raise ValueError(f"{where} is no numpy array but {type(plane).__name__}")
            flat = (shape[0], shape[1] * shape[2]) if len(shape) == 3 else shape
            if plane.shape != shape and plane.shape != flat:
                raise ValueError(f"{where} has shape {plane.shape} (expected {shape})")
            if plane.dtype != dtype:
                raise ValueError(f"{where} has dtype {plane.dtype} (expected {dtype})")
            if not plane[0].flags.c_contiguous:
                raise ValueError(f"the rows of {where} are not contiguous (numpy.ascontiguousarray makes them so)")
        return planes

    def _check(self, status):
        if status:
            sentence = ctypes.create_string_buffer(1024)
            _library.fliptransition_error(self._flip, sentence, len(sentence))
            raise TransitionError(sentence.value.decode(errors="replace"))


def _size(name, value):
    try:
        size = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} is {value!r} (expected a whole number)") from None
    if not 1 <= size <= 16384:
        raise ValueError(f"{name} is {size} (expected 1...16384)")
    return size


def _number(name, value):
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise ValueError(f"{name} is {value!r} (expected a number in 0...1)")


def _bytes(text):
    if not isinstance(text, str) or "\0" in text:
        raise ValueError(f"{text!r} is no text that the library can read")
    return text.encode()


def _option(value):
    """An option's value as on the command line; None is the default."""
    if value is None:
        return None
    if isinstance(value, (bool, numpy.bool_)):
        return b"true" if value else b"false"
    if isinstance(value, (list, tuple)):
        return _bytes(",".join(str(part) for part in value))
    return _bytes(str(value))


_packed = "rgb24 bgr24 rgba bgra argb abgr rgb0 bgr0 0rgb 0bgr rgb48 bgr48 rgba64 bgra64 ya8 ya16".split()
# Columns and rows of luma per sample of chroma.
_steps = {"420": (2, 2), "422": (2, 1), "444": (1, 1), "440": (1, 2), "411": (4, 1)}
_steps_of_two_planes = {"nv12": (2, 2), "nv21": (2, 2), "nv16": (2, 1), "nv24": (1, 1), "nv42": (1, 1)}


def _layout(name, width, height):
    """The shape and dtype of each plane of a pixel format that the library knows."""
    plain = re.sub("(?<=[0-9])[lb]e$", "", name)
    one, two = numpy.dtype(numpy.uint8), numpy.dtype(numpy.uint16)
    if plain in _packed:
        components = 2 if plain.startswith("ya") else 3 if re.search("24|48", plain) else 4
        return [((height, width, components), two if re.search("16|48|64", plain) else one)]
    if plain in _steps_of_two_planes:
        x, y = _steps_of_two_planes[plain]
        return [((height, width), one), ((-(-height // y), -(-width // x), 2), one)]
    planar = re.fullmatch("(?:(gray)|gbr(a?)p|yuv(a?)(4[0-9][0-9])p)([0-9]*)", plain)
    if not planar:
        raise ValueError(f"the shapes of {name} are not known here")
    gray, gbr_alpha, yuv_alpha, chroma, depth = planar.groups()
    full, dtype = (height, width), two if depth else one
    x, y = _steps.get(chroma, (1, 1))
    small = (-(-height // y), -(-width // x))
    shapes = [full] if gray else [full, small, small] if chroma else [full, full, full]
    return [(shape, dtype) for shape in shapes + [full] * bool(gbr_alpha or yuv_alpha)]


def _lend(planes):
    """A picture that refers to the planes' memory."""
    lent = _Picture()
    for index, plane in enumerate(planes):
        lent.planes[index] = plane.ctypes.data
        # numpy's stride means nothing if there is a single row.
        lent.strides[index] = plane.strides[0] if plane.shape[0] > 1 else plane[0].nbytes
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
