"""Measures the Python package and the VapourSynth plugin beside the C library that they are made of; scripts/bench calls it.

python3 python_bench.py [ROUNDS]: each round draws all frames of one transition of 18 frames at 1080p in every way, one after the
other. The table has the least processor time of all rounds for a frame, that of all threads, and ratios of these.
"""

import ctypes
import sys
import time

import numpy

import fliptransition
from fliptransition import _library

try:
    import vapoursynth
except ImportError:
    vapoursynth = None

WIDTH, HEIGHT, LENGTH = 1920, 1080, 18
STYLE = dict(style="flip")
generator = numpy.random.default_rng(1)


def picture(shapes):
    """A smooth picture that differs everywhere, as one array for each plane."""
    planes = []
    for rows, columns, *components in shapes:
        wave = numpy.add.outer(numpy.arange(rows) * generator.random(), numpy.arange(columns) * generator.random())
        plane = (128 + 100 * numpy.sin(wave / 40)).astype(numpy.uint8)
        planes.append(numpy.ascontiguousarray(numpy.stack([plane] * components[0], -1) if components else plane))
    return planes


def c_library(name, a, b, outs):
    """Draws into each of `outs` in turn by calling the C library with addresses that were looked up once: what every way
    includes."""
    library = _library.library()
    lent = []
    for planes in (a, b, *outs):
        lent.append(_library.Picture())
        for index, plane in enumerate(planes):
            lent[-1].planes[index], lent[-1].strides[index] = plane.ctypes.data, plane.strides[0]
    first, second, *targets = [ctypes.byref(value) for value in lent]
    progress = ctypes.c_double()

    def run():
        handle = library.fliptransition_open()
        library.fliptransition_set(handle, b"style", STYLE["style"].encode())
        library.fliptransition_set_format(handle, name.encode(), WIDTH, HEIGHT)
        for index in range(LENGTH):
            library.fliptransition_progress(handle, index, LENGTH, ctypes.byref(progress))
            assert not library.fliptransition_render(handle, progress, first, second, targets[index % len(targets)])
        library.fliptransition_close(handle)

    return run


def package(name, a, b, out):
    """Draws with the package, which checks every array of every frame."""

    def run():
        with fliptransition.Transition(**STYLE) as flip:
            for index in range(LENGTH):
                flip.draw(flip.progress(index, LENGTH), a, b, out, format=name)

    return run


def looped(a, b):
    """Two clips of VapourSynth, each of one frame that is repeated and kept: only what joins them is measured."""
    core = vapoursynth.core
    core.num_threads = 1
    core.std.LoadPlugin(fliptransition.vapoursynth_plugin())
    clips = []
    for planes in (a, b):
        blank = core.std.BlankClip(None, WIDTH, HEIGHT, vapoursynth.YUV420P8, 1, 30, 1)
        frame = blank.get_frame(0).copy()
        for index, plane in enumerate(planes):
            numpy.asarray(frame[index])[...] = plane
        one = core.std.ModifyFrame(blank, blank, lambda n, f, frame=frame: frame)
        clips.append(core.std.Loop(one, LENGTH))
        clips[-1].get_frame(0)
    return clips


def requested(make, caches):
    """Requests all frames of the clip that `make` returns, which VapourSynth's default keeps (`caches`) and each of which is
    otherwise drawn into the memory of the last one."""

    def run():
        node = make()
        vapoursynth.core.std.SetVideoCache(node, mode=-1 if caches else 0)
        for index in range(LENGTH):
            node.get_frame(index).close()

    return run


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    half = (HEIGHT // 2, WIDTH // 2)
    planar = [picture([(HEIGHT, WIDTH), half, half]) for _ in range(3)]
    packed = [picture([(HEIGHT, WIDTH, 3)]) for _ in range(3)]
    kept = [picture([(HEIGHT, WIDTH), half, half]) for _ in range(LENGTH)]
    ways = {
        ("yuv420p", "C library"): c_library("yuv420p", *planar[:2], planar[2:]),
        ("yuv420p", f"C library, {LENGTH} frames in turn"): c_library("yuv420p", *planar[:2], kept),
        ("yuv420p", "Python"): package("yuv420p", *planar),
        ("rgb24", "C library"): c_library("rgb24", *packed[:2], packed[2:]),
        ("rgb24", "Python"): package("rgb24", *packed),
    }
    if vapoursynth:
        clips, core = looped(*planar[:2]), vapoursynth.core
        makers = {
            "VapourSynth": lambda: core.fliptransition.Join(*clips, length=LENGTH, **STYLE),
            "VapourSynth's own Merge": lambda: core.std.Merge(*clips, weight=[0.3]),
        }
        for caller, make in makers.items():
            ways["yuv420p", caller] = requested(make, caches=False)
            ways["yuv420p", f"{caller}, default cache"] = requested(make, caches=True)
    times = {way: [] for way in ways}
    for _ in range(rounds + 1):
        for way, run in ways.items():
            begin = time.process_time()
            run()
            times[way].append((time.process_time() - begin) / LENGTH)
    print(f"{STYLE['style']}, {WIDTH}x{HEIGHT}, one thread, the least of {rounds} rounds\n")
    print("| format | called from | CPU ms a frame | x C library |\n| --- | --- | --- | --- |")
    # The first round warms caches up.
    least = {way: min(values[1:]) for way, values in times.items()}
    for (name, caller), value in sorted(least.items()):
        print(f"| {name} | {caller} | {value * 1000:.3f} | {value / least[name, 'C library']:.3f} |")
    if not vapoursynth:
        print("\nVapourSynth is missing (it needs Python 3.12).")


if __name__ == "__main__":
    main()
