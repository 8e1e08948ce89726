"""Hands docs/examples/python/fliptransition.py what it has to refuse, and prints a line for each: "name: ValueError".

What it has to take is printed as "name: taken".
"""

import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs/examples/python"))
from fliptransition import Transition

WIDTH, HEIGHT = 640, 360
rgb = Transition("rgb24", WIDTH, HEIGHT)
deep = Transition("yuv420p10le", WIDTH, HEIGHT)
nv12 = Transition("nv12", WIDTH, HEIGHT)
generator = numpy.random.default_rng(1)
a, b = (generator.integers(0, 256, (HEIGHT, WIDTH, 3), numpy.uint8) for _ in "ab")
y, u, v = (numpy.full(shape, 64, numpy.uint16) for shape in [(360, 640), (180, 320), (180, 320)])
luma, chroma = a[:, :, 0].copy(), numpy.zeros((180, 320, 2), numpy.uint8)


def odd(picture):
    """The same samples at odd addresses."""
    memory = numpy.zeros(picture.nbytes + 1, numpy.uint8)
    shifted = memory[1:].view(picture.dtype).reshape(picture.shape)
    shifted[...] = picture
    return shifted


REFUSED = {
    "too few rows in b": lambda: rgb.frame(0.5, a, b[:100].copy()),
    "too few rows in a": lambda: rgb.frame(0.5, a[:355], b),
    "too few rows in both": lambda: rgb.frame(0.5, a[:355], b[:355]),
    "too many rows": lambda: rgb.frame(0.5, numpy.vstack([a, a]), b),
    "too few columns": lambda: rgb.frame(0.5, a[:, :639].copy(), b),
    "four components": lambda: rgb.frame(0.5, numpy.dstack([a, luma]), b),
    "two dimensions": lambda: rgb.frame(0.5, luma, luma),
    "four dimensions": lambda: rgb.frame(0.5, a[numpy.newaxis], b[numpy.newaxis]),
    "nothing in it": lambda: rgb.frame(0.5, a[:0], b[:0]),
    "float32": lambda: rgb.frame(0.5, a.astype("f4"), b.astype("f4")),
    "float64 in b": lambda: rgb.frame(0.5, a, b.astype(float)),
    "int8": lambda: rgb.frame(0.5, a.astype("i1"), b),
    "uint16 where 8 bits are": lambda: rgb.frame(0.5, a.astype("u2"), b.astype("u2")),
    "uint8 where 10 bits are": lambda: deep.frame(0.5, [p.astype("u1") for p in (y, u, v)], [y, u, v]),
    "the other byte order": lambda: deep.frame(0.5, [p.astype(p.dtype.newbyteorder()) for p in (y, u, v)], [y, u, v]),
    "five planes": lambda: rgb.frame(0.5, [a] * 5, b),
    "no plane": lambda: rgb.frame(0.5, [], b),
    "a plane missing": lambda: deep.frame(0.5, [y, u], [y, u, v]),
    "an array for three planes": lambda: deep.frame(0.5, y, y),
    "chroma too small": lambda: deep.frame(0.5, [y, u[:90].copy(), v], [y, u, v]),
    "chroma of the wrong width": lambda: nv12.frame(0.5, [luma, chroma[:, :, :1].copy()], [luma, chroma]),
    "columns apart": lambda: rgb.frame(0.5, numpy.dstack([a, luma])[:, :, :3], b),
    "columns first": lambda: rgb.frame(0.5, numpy.asfortranarray(a), b),
    "mirrored columns": lambda: rgb.frame(0.5, a[:, ::-1], b),
    "one row for all": lambda: rgb.frame(0.5, numpy.broadcast_to(a[:1], a.shape), b),
    "odd addresses": lambda: deep.frame(0.5, [odd(y), u, v], [y, u, v]),
    "no array": lambda: rgb.frame(0.5, a.tolist(), b),
    "nothing": lambda: rgb.frame(0.5, None, b),
    "progress as text": lambda: rgb.frame("x", a, b),
    "progress as nothing": lambda: rgb.frame(None, a, b),
    "progress beyond 1": lambda: rgb.frame(1.5, a, b),
    "progress that is no number": lambda: rgb.frame(float("nan"), a, b),
    "time as text": lambda: rgb.ease("0.5"),
    "width of 0": lambda: Transition("rgb24", 0, HEIGHT),
    "width beyond 32 bits": lambda: Transition("rgb24", 2**32 + WIDTH, HEIGHT),
    "width with a fraction": lambda: Transition("rgb24", 640.5, HEIGHT),
    "unknown format": lambda: Transition("rgb565", WIDTH, HEIGHT),
    "format that is no text": lambda: Transition(24, WIDTH, HEIGHT),
    "unknown option": lambda: Transition("rgb24", WIDTH, HEIGHT, colour="red"),
    "value outside its law": lambda: Transition("rgb24", WIDTH, HEIGHT, spine=2),
    "text that ends early": lambda: Transition("rgb24", WIDTH, HEIGHT, style="flip\0fold"),
}

TAKEN = {
    "booleans": lambda: Transition("rgb24", WIDTH, HEIGHT, reverse=True).frame(0.5, a, b),
    "numpy's booleans": lambda: Transition("rgb24", WIDTH, HEIGHT, reverse=numpy.bool_(False)).frame(0.5, a, b),
    "tuples": lambda: Transition("rgb24", WIDTH, HEIGHT, viewpoint=(0.25, 0.75)).frame(0.5, a, b),
    "numpy's numbers": lambda: rgb.frame(numpy.float32(0.5), a, b),
    "padded rows": lambda: rgb.frame(0.5, numpy.zeros((HEIGHT, 700, 3), numpy.uint8)[:, :WIDTH], b),
    "rows upside down": lambda: rgb.frame(0.5, a[::-1], b),
    "memory that can't be written": lambda: rgb.frame(0.5, numpy.frombuffer(a.tobytes(), "u1").reshape(a.shape), b),
    "flat rows": lambda: rgb.frame(0.5, a.reshape(HEIGHT, WIDTH * 3), b),
    "two planes": lambda: nv12.frame(0.5, [luma, chroma], [luma, chroma]),
    "three planes": lambda: deep.frame(0.5, [y, u, v], [y, u, v]),
    "one plane in a list": lambda: rgb.frame(0.5, [a], [b]),
}
for name in "gray gray12le gbrp gbrap10le yuv411p yuva444p16le nv42 ya8 ya16le rgb48le bgra64le 0bgr".split():
    def whole(name=name):
        flip = Transition(name, 7, 5)
        planes = [numpy.zeros(shape, dtype) for shape, dtype in flip._layout]
        return flip.frame(0.5, planes, planes_of_other(planes))
    def planes_of_other(planes):
        return [plane.copy() for plane in planes]
    TAKEN["every plane of " + name] = whole

for name, call in REFUSED.items():
    try:
        call()
        print(f"{name}: taken")
    except Exception as error:
        print(f"{name}: {'ValueError' if isinstance(error, ValueError) else repr(error)}", flush=True)
for name, call in TAKEN.items():
    call()
    print(f"{name}: taken", flush=True)
# Rows upside down are the picture upside down.
assert (rgb.frame(0, a[::-1], b) == a[::-1]).all() and (rgb.frame(1, a, b) == b).all()
print("end")
