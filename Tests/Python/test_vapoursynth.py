"""VapourSynth's frames are the program's."""

import pathlib
import subprocess
import sys
import sysconfig
import unittest

import numpy

import fliptransition
import support
from support import FOLDER, PROGRAM, Case, clip, frames, pictures, run, still

try:
    import vapoursynth
except ImportError:
    raise unittest.SkipTest("needs VapourSynth's package, which needs Python 3.12 (scripts/python)")

#: Divisible by 4, since chroma of VapourSynth has whole samples only.
WIDTH, HEIGHT = 96, 72

#: The options of ffmpeg's filter setparams, as its help lists them.
SETPARAMS = subprocess.run(["ffmpeg", "-v", "error", "-h", "filter=setparams"], capture_output=True, text=True).stdout
PYTHON_LIBRARY = pathlib.Path(sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME"))

core = vapoursynth.core
core.std.LoadPlugin(fliptransition.vapoursynth_plugin())
join, draw = core.fliptransition.Join, core.fliptransition.Frame

#: VapourSynth's format for each of FFmpeg's.
FORMATS = {
    "yuv420p": vapoursynth.YUV420P8, "yuv420p10le": vapoursynth.YUV420P10, "yuv420p16le": vapoursynth.YUV420P16,
    "yuv422p12le": vapoursynth.YUV422P12, "yuv444p": vapoursynth.YUV444P8, "yuv444p16le": vapoursynth.YUV444P16,
    "gbrp": vapoursynth.RGB24, "gbrp10le": vapoursynth.RGB30, "gbrp16le": vapoursynth.RGB48,
    "gray": vapoursynth.GRAY8, "gray16le": vapoursynth.GRAY16, "yuv440p": vapoursynth.YUV440P8,
    "yuv411p": vapoursynth.YUV411P8,
}  # fmt: skip


def order(name):
    """VapourSynth's plane for each of FFmpeg's, which has green first."""
    return [1, 2, 0] if name.startswith("gbr") else [0] if name.startswith("gray") else [0, 1, 2]


def loaded(data, name, count, width=WIDTH, height=HEIGHT, **properties):
    """A clip of the raw frames `data`, as ffmpeg writes them."""
    blank = core.std.BlankClip(None, width, height, FORMATS[name], count, 30, 1, keep=True)

    def fill(n, f):
        frame, place = f.copy(), n * (len(data) // count)
        for plane in order(name):
            samples = numpy.asarray(frame[plane])
            samples[...] = numpy.frombuffer(data, samples.dtype, samples.size, place).reshape(samples.shape)
            place += samples.nbytes
        frame.props.update(properties)
        return frame

    return core.std.ModifyFrame(blank, blank, fill)


def saved(node, name):
    """The frames of a clip as ffmpeg writes them; VapourSynth draws several at a time."""
    parts = []
    for frame in node.frames(prefetch=6):
        for plane in order(name):
            parts.append(frame[plane].tobytes())
    return b"".join(parts)


class JoinTests(Case):
    def clips(self, name, *words):
        """Two clips in a pixel format, of 13 and 11 frames."""
        filters = f"crop={WIDTH}:{HEIGHT}:0:0,format={name}"
        # Since FFmpeg 7, encoders take these from the frames alone.
        tags = dict(zip(words[::2], words[1::2]))
        for word, key in [
            ("-color_primaries", "color_primaries"), ("-color_trc", "color_trc"),
            ("-chroma_sample_location", "chroma_location"),
        ]:  # fmt: skip
            if word in tags and key in SETPARAMS:
                filters += f",setparams={key}={tags[word]}"
        # Raw video can't say what its samples mean.
        ending, codec = (".mkv", "ffv1") if words else (".nut", "rawvideo")
        tag = "-".join(word.strip("-") for word in words)
        return [
            clip(f"join-{source}-{name}{tag}{ending}", source, count, "-vf", filters, *words, codec=("-c:v", codec))
            for source, count in [("testsrc2", 13), ("mandelbrot", 11)]
        ]

    def compare(self, name, words=(), properties={}, untold=(), **options):
        """`untold` are options that the program reads from the clips."""
        a, b = self.clips(name, *words)
        out = FOLDER / "program.nut"
        flags = [f"--{key.replace('_', '-')}={value}" for key, value in options.items() if key not in untold]
        codec = "rawvideo" if name in ("gbrp", "yuv440p", "yuv411p") else "ffv1"
        run(PROGRAM, a, b, out, "-y", "--duration", "7f", "--video-codec", codec, "--pix-fmt", name, *flags)
        expected = frames(out, name)
        nodes = [loaded(frames(path, name), name, count, **properties) for path, count in [(a, 13), (b, 11)]]
        values = {key: [float(part) for part in value.split(",")] if key == "viewpoint" else value
                  for key, value in options.items()}  # fmt: skip
        if not words and not name.startswith("gbr"):
            # Without tags, the program takes the matrix of pictures of this size to be that of BT.601.
            values.setdefault("matrix", "bt601")
        joined = join(*nodes, length=7, **values)
        self.assertEqual((joined.num_frames, joined.fps), (17, nodes[0].fps))
        self.assertSame(saved(joined, name), expected, name)

    def test_frames_are_the_programs_in_every_format(self):
        for name in FORMATS:
            with self.subTest(name):
                self.compare(name, style="card", background="teal", shadow_color="navy")

    def test_styles_and_options(self):
        for options in [
            dict(style="fold", mode="cubic", easing="cubic-out"), dict(style="fold", creases=3),
            dict(style="curl", angle=-20.0, paper="linen"), dict(style="flip", viewpoint="0.25,0.75", spine=0.4),
            dict(look="venetian"), dict(style="wipe", softness=0.3, direction="backward"),
            dict(style="push", shutter=270.0), dict(look="cinema"),
        ]:  # fmt: skip
            with self.subTest(**options):
                self.compare("yuv420p", **options)

    def test_properties_say_what_samples_mean(self):
        words = ["-color_range", "pc", "-colorspace", "smpte170m", "-chroma_sample_location", "center"]
        tagged = [word for word in words]
        for properties in [dict(_Range=1), dict(_ColorRange=0)]:
            with self.subTest(**properties):
                properties |= dict(_Matrix=6, _ChromaLocation=1)
                self.compare("yuv420p", tagged, properties, style="card", background="teal", corner_radius=9)

    def test_paper_in_hdr_is_diffuse_white(self):
        words = ["-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_primaries", "bt2020"]
        for properties, options in [(dict(_Transfer=16), {}), ({}, dict(transfer="pq"))]:
            with self.subTest(**options):
                properties |= dict(_Matrix=9)
                self.compare("yuv420p10le", words, properties, {"transfer"}, style="curl", paper_opacity=1.0, **options)

    def test_arguments_prevail_over_properties(self):
        a, b = (
            core.std.BlankClip(None, 64, 48, vapoursynth.YUV444P8, 4, 30, 1, color=color)
            for color in ([16, 128, 128],) * 2
        )
        tagged = core.std.SetFrameProps(a, _Matrix=9, _Range=1)
        for keywords, expected in [({}, 67), (dict(range="limited"), 74), (dict(matrix="bt601"), 76)]:
            # Red's luma: Kr of ITU-T H.273 times 255, or 16 + Kr * 219.
            shown = draw(tagged, b, progress=0.5, style="card", background="red", **keywords).get_frame(0)
            self.assertEqual(shown[0][0, 0], expected, keywords)

    def test_frames_outside_are_passed_on(self):
        a, b = (core.std.BlankClip(None, 64, 48, vapoursynth.GRAY8, 5, 30, 1, color=value) for value in (10, 200))
        marked = core.std.FrameEval(a, lambda n: a.std.SetFrameProps(Mark=n))
        joined = join(marked, b, length=1)
        self.assertEqual(joined.num_frames, 9)
        self.assertEqual([joined.get_frame(n)[0][0, 0] for n in (0, 3, 5, 8)], [10, 10, 200, 200])
        self.assertEqual([joined.get_frame(n).props.get("Mark") for n in (3, 4, 5)], [3, 4, None])
        # All of both clips may overlap.
        self.assertEqual(join(a, b, length=5).num_frames, 5)

    @unittest.skipUnless(
        sysconfig.get_config_var("Py_ENABLE_SHARED") and PYTHON_LIBRARY.exists(),
        f"vspipe needs Python's shared library (Debian's {PYTHON_LIBRARY.name.split('.so')[0]})",
    )
    def test_vspipe(self):
        a, b = self.clips("yuv420p")
        script = FOLDER / "join.vpy"
        for path in (a, b):
            path.with_suffix(".raw").write_bytes(frames(path, "yuv420p"))
        script.write_text(
            f"import sys; sys.path[:0] = {[str(pathlib.Path(__file__).parent), *sys.path]!r}\n"
            "import vapoursynth, fliptransition\n"
            "from test_vapoursynth import loaded, join\n"
            f"a = loaded(open({str(a.with_suffix('.raw'))!r}, 'rb').read(), 'yuv420p', 13)\n"
            f"b = loaded(open({str(b.with_suffix('.raw'))!r}, 'rb').read(), 'yuv420p', 11)\n"
            "join(a, b, length=7, style='fold').set_output()\n"
        )
        tools = pathlib.Path(sys.executable).parent
        # vspipe finds Python by a file of settings, which is written here rather than into the user's folder.
        settings = ["env", f"XDG_CONFIG_HOME={FOLDER}"]
        run(*settings, tools / "vapoursynth", "config")
        piped = run(*settings, tools / "vspipe", "-c", "y4m", script, "-")
        words = ["ffmpeg", "-v", "error", "-f", "yuv4mpegpipe", "-i", "-", "-f", "rawvideo", "-"]
        decoded = subprocess.run(words, input=piped, capture_output=True)
        out = FOLDER / "piped.nut"
        run(PROGRAM, a, b, out, "-y", "--duration", "7f", "--style", "fold", "--video-codec", "ffv1")
        self.assertSame(decoded.stdout, frames(out, "yuv420p"), decoded.stderr.decode())


class FrameTests(Case):
    def test_frames_are_stills(self):
        for name in ["gray", "gray16le", "yuv444p16le"]:
            (first, first_file), (second, second_file) = pictures(name)
            nodes = [loaded(data, name, 1, support.WIDTH, support.HEIGHT) for data in (first, second)]
            node = draw(*nodes, progress=0.35, style="fold", mode="cubic")
            expected = still([first_file, second_file], name, 0.35, style="fold", mode="cubic")
            self.assertSame(saved(node, name), expected, name)

    def test_frame_n_is_made_of_frames_n(self):
        a, b = (core.std.BlankClip(None, 64, 48, vapoursynth.GRAY8, 3, 30, 1, color=value) for value in (10, 200))
        changing = core.std.FrameEval(a, lambda n: core.std.BlankClip(a, color=10 + n))
        node = draw(changing, b, progress=0)
        self.assertEqual((node.num_frames, [node.get_frame(n)[0][0, 0] for n in range(3)]), (3, [10, 11, 12]))


class RefusalTests(Case):
    def blank(self, width=64, height=48, format=vapoursynth.YUV420P8, length=10, rate=30):
        return core.std.BlankClip(None, width, height, format, length, rate, 1, keep=True)

    def test_what_does_not_fit_is_refused_with_a_sentence(self):
        plain, other = self.blank(), self.blank(format=vapoursynth.YUV444P8)
        varying = core.std.Splice([plain, self.blank(width=32)], mismatch=True)
        floating = self.blank(format=vapoursynth.RGBS)
        for word, function, clips, keywords in [
            ("YUV420P8, and clip b YUV444P8", join, (plain, other), {}),
            ("64x48, and clip b 32x48", join, (plain, self.blank(width=32)), {}),
            ("30/1 frames a second, and clip b 25/1", join, (plain, self.blank(rate=25)), {}),
            ("varies", join, (varying, varying), {}),
            ("RGBS is not drawn", join, (floating, floating), {}),
            ("YUV410P8 is not drawn", join, (self.blank(format=vapoursynth.YUV410P8),) * 2, {}),
            ("length is 11, and clip a has only 10 frames", join, (plain, self.blank(length=20)), dict(length=11)),
            ("length is 11, and clip b has only 10 frames", join, (self.blank(length=20), plain), dict(length=11)),
            ("length 0", join, (plain, plain), dict(length=0)),
            ("length -3", join, (plain, plain), dict(length=-3)),
            ("unknown style 'nope'", join, (plain, plain), dict(style="nope")),
            ("spine", join, (plain, plain), dict(spine=2.0)),
            ("creases means nothing for style flip", join, (plain, plain), dict(creases=2)),
            ("viewpoint", join, (plain, plain), dict(viewpoint=[0.5])),
            ("range", join, (plain, plain), dict(range="tv")),
            ("0...1", draw, (plain, plain), dict(progress=1.5)),
            ("0...1", draw, (plain, plain), dict(progress=float("nan"))),
            ("b must not be shorter", draw, (plain, self.blank(length=9)), dict(progress=0.5)),
            ("YUV420P8, and clip b YUV444P8", draw, (plain, other), dict(progress=0.5)),
            ("expected 1...16384", join, (self.blank(width=16386, height=2),) * 2, {}),
        ]:  # fmt: skip
            if function is join:
                keywords = dict(length=5) | keywords
            with self.subTest(word), self.assertRaises(vapoursynth.Error) as caught:
                function(*clips, **keywords)
            self.assertIn(word, str(caught.exception))
            self.assertTrue(str(caught.exception).startswith(("Join: ", "Frame: ")), caught.exception)


class ArgumentTests(Case):
    def test_every_option_of_the_catalog_is_an_argument(self):
        names = {part.split(":")[0] for part in join.signature.split(";") if part}
        options = {option.keyword for style in fliptransition.styles() for option in style.options}
        extra = {"a", "b", "length", "style", "look", "background", "range", "matrix", "transfer", "chroma_location"}
        self.assertEqual(names, options | extra)


if __name__ == "__main__":
    unittest.main()
