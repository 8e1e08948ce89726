"""Pictures that ffmpeg makes, and the program's frames between them, as raw bytes."""

import atexit
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

#: An odd size, so that chroma sizes are rounded up.
WIDTH, HEIGHT = 101, 75

#: For each pixel format, the planar one in which the program writes the same samples.
PLANAR = {
    "gray": "gray", "gray16le": "gray16le", "rgb24": "gbrp", "bgr24": "gbrp", "rgba": "gbrap", "bgra": "gbrap",
    "rgb48le": "gbrp16le", "yuv420p": "yuv420p", "yuv420p10le": "yuv420p10le", "yuv422p12le": "yuv422p12le",
    "yuv444p16le": "yuv444p16le", "yuva420p": "yuva420p", "nv12": "yuv420p",
}  # fmt: skip

#: Formats of every kind.
FORMATS = (
    "gray gray10 gray16 rgb24 bgr0 rgba rgb48 rgba64 ya8 yuv420p yuv422p10 yuv444p16 yuva420p gbrp gbrap12 nv12".split()
)

FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="fliptransition-tests-"))
atexit.register(shutil.rmtree, FOLDER)
PROGRAM = os.environ.get("FLIPTRANSITION", "fliptransition")


def run(*words):
    """Runs a program, which has to succeed, and returns its standard output."""
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    if done.returncode:
        raise AssertionError(f"{words} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def ffmpeg(*words):
    return run("ffmpeg", "-nostdin", "-v", "error", "-y", *words)


def clip(name, source, frames=30, *words, rate=30, size="128x96", codec=("-c:v", "ffv1")):
    """A clip that ffmpeg's generator `source` makes."""
    path = FOLDER / name
    if not path.exists():
        source += (":" if "=" in source else "=") + f"s={size}:r={rate}"
        ffmpeg("-f", "lavfi", "-i", source, "-frames:v", frames, *words, *codec, path)
    return path


def frames(path, pixel_format, *words):
    """The decoded frames of a video as raw bytes, without any change of the frame rate."""
    return ffmpeg("-i", path, *words, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", pixel_format, "-")


def count(path):
    """The frames of a video, as ffprobe counts them by decoding."""
    words = ["-v", "error", "-select_streams", "v:0", "-count_frames", "-show_entries", "stream=nb_read_frames"]
    return int(run("ffprobe", *words, "-of", "csv=p=0", path).decode().strip().rstrip(","))


def pictures(pixel_format):
    """Two pictures: each as raw bytes of `pixel_format`, and as a file of the equivalent planar format."""
    planar = PLANAR[pixel_format]
    alpha = ",format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*X/W'" if re.search("gbrap|yuva", planar) else ""
    raw = ["-f", "rawvideo", "-pix_fmt", planar, "-s", f"{WIDTH}x{HEIGHT}", "-i"]
    made = []
    for source in ["testsrc2", "mandelbrot"]:
        planes, file = FOLDER / f"{source}-{planar}.raw", FOLDER / f"{source}-{planar}.nut"
        if not file.exists():
            filters = f"format=gbrp,crop={WIDTH}:{HEIGHT}:0:0{alpha},format={planar}"
            ffmpeg(
                "-f", "lavfi", "-i", f"{source}=s=128x96:r=1", "-frames:v", 1, "-vf", filters, "-f", "rawvideo", planes
            )
            ffmpeg(*raw, planes, "-c:v", "rawvideo", file)
        made.append((ffmpeg(*raw, planes, "-pix_fmt", pixel_format, "-f", "rawvideo", "-"), file))
    return made


def still(files, pixel_format, progress, **options):
    """The frame that the program writes between two files, as raw bytes of `pixel_format`."""
    planar = PLANAR[pixel_format]
    out = FOLDER / "still.nut"
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    coding = ["--video-codec", "rawvideo", "--pix-fmt", planar]
    run(PROGRAM, "still", *files, out, "-y", *coding, "--at", progress, *words)
    return ffmpeg("-i", out, "-pix_fmt", pixel_format, "-f", "rawvideo", "-")


def shapes(pixel_format, width, height):
    """The shapes of a picture's planes. They are FFmpeg's, written here, and not asked of the library."""
    name = pixel_format.removesuffix("le")
    half = ((height + 1) // 2, (width + 1) // 2)
    packed = {"rgb24": 3, "bgr24": 3, "rgb48": 3, "rgba": 4, "bgra": 4, "bgr0": 4, "rgba64": 4, "ya8": 2}
    chroma = {
        "yuv420p": [half] * 2,
        "yuv420p10": [half] * 2,
        "yuva420p": [half] * 2 + [(height, width)],
        "yuv422p10": [(height, half[1])] * 2,
        "yuv422p12": [(height, half[1])] * 2,
        "nv12": [(*half, 2)],
    }
    if name in packed:
        return [(height, width, packed[name])]
    full = 4 if name.startswith("gbra") else 3 if name.startswith(("gbr", "yuv444")) else 1
    return [(height, width)] * full if name not in chroma else [(height, width)] + chroma[name]


def is_deep(pixel_format):
    """Whether samples have 16 bits in memory."""
    return pixel_format != "nv12" and bool(re.search("(10|12|16|48|64)(le)?$", pixel_format))


def planes(data, pixel_format, width=WIDTH, height=HEIGHT):
    """The NumPy arrays of a picture that ffmpeg wrote."""
    import numpy

    dtype = numpy.dtype("<u2" if is_deep(pixel_format) else "u1")
    arrays, place = [], 0
    for shape in shapes(pixel_format, width, height):
        count = int(numpy.prod(shape))
        arrays.append(numpy.frombuffer(data, dtype, count, place).reshape(shape))
        place += count * dtype.itemsize
    assert place == len(data), (pixel_format, place, len(data))
    return tuple(arrays)


class Case(unittest.TestCase):
    maxDiff = None

    def assertSame(self, drawn, expected, message=""):
        """That two frames are the same bytes."""
        drawn, expected = bytes(drawn), bytes(expected)
        if drawn == expected:
            return
        different = sum(a != b for a, b in zip(drawn, expected))
        self.assertEqual(len(drawn), len(expected), message)
        self.assertEqual(different, 0, f"{message}: {different} of {len(drawn)} bytes differ")
