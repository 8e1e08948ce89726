"""What applications do with the element that gst-launch-1.0 can't. Called by GStreamerTests.

    gstreamer_cases.py animate A B OUT FRAMES RATE WIDTH HEIGHT     raw I420_10LE, progress animated from 0 to 1
    gstreamer_cases.py restart                                      one pipeline that runs twice, in two sizes
    gstreamer_cases.py properties                                   every property is set to another value and read again
    gstreamer_cases.py pads                                         inputs are asked for, released, and asked for again
    gstreamer_cases.py refusals                                     the errors of pipelines that go on for half a second
    gstreamer_cases.py formats                                      the output's format for pairs of inputs
    gstreamer_cases.py mistakes                                     what a running pipeline says of wrong values, and its frames
    gstreamer_cases.py resize                                       both inputs change their size while frames are made
"""

import sys
import time

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstController", "1.0")
from gi.repository import GObject, Gst, GstController  # noqa: E402

Gst.init(None)


def play(pipeline):
    """Runs a pipeline to its end, which has to be no error."""
    pipeline.set_state(Gst.State.PLAYING)
    kinds = Gst.MessageType.EOS | Gst.MessageType.ERROR
    message = pipeline.get_bus().timed_pop_filtered(60 * Gst.SECOND, kinds)
    pipeline.set_state(Gst.State.NULL)
    if not message or message.type == Gst.MessageType.ERROR:
        raise SystemExit(f"failed: {message.parse_error()[0].message if message else 'it has not ended'}")


def animate(a, b, out, frames, rate, width, height):
    parse = f"rawvideoparse format=i420-10le width={width} height={height} framerate={rate}/1"
    caps = "capssetter caps=video/x-raw,colorimetry=bt709,chroma-site=mpeg2"
    pipeline = Gst.parse_launch(
        f"fliptransition name=m style=fold mode=cubic easing=linear ! filesink location={out} "
        f"filesrc location={a} ! {parse} ! {caps} ! m.sink_0 filesrc location={b} ! {parse} ! {caps} ! m.sink_1"
    )
    source = GstController.InterpolationControlSource.new()
    source.props.mode = GstController.InterpolationMode.LINEAR
    element = pipeline.get_by_name("m")
    element.add_control_binding(GstController.DirectControlBinding.new_absolute(element, "progress", source))
    source.set(0, 0.0)
    source.set((int(frames) - 1) * Gst.SECOND // int(rate), 1.0)
    play(pipeline)


def restart():
    pipeline = Gst.parse_launch(
        "fliptransition name=m duration=1 ! fakesink name=out signal-handoffs=true "
        "videotestsrc num-buffers=9 ! capsfilter name=first ! m. videotestsrc num-buffers=9 ! capsfilter name=second ! m."
    )
    sizes = []
    pipeline.get_by_name("out").connect("handoff", lambda sink, buffer, pad: sizes.append(buffer.get_size()))
    for width in [64, 96]:
        for name in ["first", "second"]:
            caps = f"video/x-raw,format=GRAY8,width={width},height=48,framerate=10/1"
            pipeline.get_by_name(name).props.caps = Gst.Caps.from_string(caps)
        play(pipeline)
    print(*sizes)


def properties():
    element = Gst.ElementFactory.make("fliptransition")
    own = [spec for spec in element.list_properties() if spec.owner_type.name == "FlipTransition"]
    for spec in own:
        before = element.get_property(spec.name)
        if before != spec.default_value and spec.value_type != GObject.TYPE_STRING:
            raise SystemExit(f"{spec.name} is {before} at first, and its default {spec.default_value}")
        if spec.value_type == GObject.TYPE_STRING:
            after = "#12345678" if spec.default_value else "0.25"
        elif spec.value_type == GObject.TYPE_BOOLEAN:
            after = not before
        elif spec.value_type.is_a(GObject.TYPE_ENUM):
            after = type(before)(int(before) + 1)
        else:
            after = spec.maximum
        element.set_property(spec.name, after)
        now = element.get_property(spec.name)
        if now != after:
            raise SystemExit(f"{spec.name} is {now}, and {after} has been set")
        print(spec.name, "animated" if spec.flags & 512 else "set")


def pads():
    element = Gst.ElementFactory.make("fliptransition")
    first, second = element.request_pad_simple("sink_%u"), element.request_pad_simple("sink_%u")
    print(first.name, second.name, element.request_pad_simple("sink_%u"))
    element.release_request_pad(first)
    print(element.request_pad_simple("sink_1"), element.request_pad_simple("sink_2"), element.get_children_count())
    print(element.request_pad_simple("sink_%u").name, element.get_child_by_name("sink_1").name)


def refusals():
    plain = "video/x-raw,format=I420,width=64,height=48"
    sources = {
        "progressive": f"videotestsrc num-buffers=20 ! {plain}",
        "interlaced": f"videotestsrc num-buffers=20 ! {plain},interlace-mode=interleaved",
        "of bytes": f"appsrc name=a caps={plain},framerate=10/1",
        "sizeless": "appsrc name=a format=time caps=video/x-raw,format=I420,framerate=10/1",
    }
    for first, second in [
        ("progressive", "interlaced"), ("interlaced", "progressive"), ("interlaced", "interlaced"), ("interlaced", ""),
        ("of bytes", "progressive"), ("sizeless", "progressive"),
    ]:  # fmt: skip
        pipeline = Gst.parse_launch(
            f"fliptransition name=m ! fakesink {sources[first]} ! m.sink_0"
            + (f" {sources[second]} ! m.sink_1" if second else "")
        )
        source = pipeline.get_by_name("a")
        if source:
            buffer = Gst.Buffer.new_allocate(None, 64 * 48 * 3 // 2, None)
            buffer.pts, buffer.duration = 0, Gst.SECOND // 10
            source.emit("push-buffer", buffer)
            source.emit("end-of-stream")
        pipeline.set_state(Gst.State.PLAYING)
        # An application that doesn't look at its messages at once.
        time.sleep(0.5)
        said = []
        while message := pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR):
            if message.src.name == "m":
                said.append(message.parse_error()[0].message)
        pipeline.set_state(Gst.State.NULL)
        print(f"{first}, {second}:", *said)


def formats():
    for first, second, after in [
        ("I420", "I420_10LE", ""), ("I420_10LE", "NV12", ""), ("GRAY8", "I420", ""), ("Y444", "I420_10LE", ""),
        ("RGBA", "I420_10LE", ""), ("GRAY16_LE", "GBR", ""), ("NV12", "NV12", ""), ("A420", "Y444_16LE", ""),
        ("I420", "I420", ",chroma-site=mpeg2"), ("I420_10LE", "I420_10LE", ",format=I420"),
        ("I420", "I420", ",colorimetry=bt709"), ("P010_10LE", "P010_10LE", ""), ("YUY2", "UYVY", ""),
        ("v210", "I420", ""), ("AYUV", "NV12", ""), ("ARGB64", "RGB", ""), ("P010_10LE", "NV12", ",format=I420"),
    ]:  # fmt: skip
        pipeline = Gst.parse_launch(
            f"fliptransition name=m ! video/x-raw{after} ! fakesink name=out "
            + " ".join(
                f"videotestsrc num-buffers=3 ! video/x-raw,format={name},width=64,height=48 ! m."
                for name in (first, second)
            )
        )
        found = []
        pad = pipeline.get_by_name("out").get_static_pad("sink")
        pad.connect("notify::caps", lambda pad, _: found.append(pad.get_current_caps()))
        play(pipeline)
        print(first, second + after, "->", next(caps for caps in found if caps).get_structure(0).get_string("format"))


def mistakes():
    pipeline = Gst.parse_launch(
        "fliptransition name=m duration=1 background=teal ! fakesink name=out sync=false signal-handoffs=true "
        + " ".join("videotestsrc num-buffers=30 ! video/x-raw,format=I420,width=64,height=48 ! m." for _ in range(2))
    )
    element = pipeline.get_by_name("m")
    frames = []
    wrong = {5: ("background", "zzz"), 10: ("easing", "nosuch"), 15: ("duration", "0,6"), 20: ("background", "navy")}

    def count(sink, buffer, pad):
        frames.append(buffer)
        if len(frames) in wrong:
            name, value = wrong[len(frames)]
            element.set_property(name, value)
            print(f"{name}={value} -> {element.get_property(name)}")

    pipeline.get_by_name("out").connect("handoff", count)
    pipeline.set_state(Gst.State.PLAYING)
    kinds = Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.WARNING
    said = []
    while (message := pipeline.get_bus().timed_pop_filtered(60 * Gst.SECOND, kinds)).type == Gst.MessageType.WARNING:
        said.append(message.parse_warning()[0].message)
    pipeline.set_state(Gst.State.NULL)
    print(len(frames), "frames," if message.type == Gst.MessageType.EOS else "frames and an error,", *said, sep="\n")


def resize():
    pipeline = Gst.parse_launch(
        "fliptransition name=m duration=2 ! fakesink sync=true "
        + " ".join(f"appsrc name=a{number} format=time ! m.sink_{number}" for number in range(2))
    )
    for source in [pipeline.get_by_name("a0"), pipeline.get_by_name("a1")]:
        for index in range(8):
            width, height = (320, 240) if index < 4 else (160, 120)
            caps = Gst.Caps.from_string(f"video/x-raw,format=I420,width={width},height={height},framerate=10/1")
            buffer = Gst.Buffer.new_allocate(None, width * height * 3 // 2, None)
            buffer.pts, buffer.duration = index * Gst.SECOND // 10, Gst.SECOND // 10
            source.set_property("caps", caps)
            source.emit("push-sample", Gst.Sample.new(buffer, caps, None, None))
        source.emit("end-of-stream")
    sizes = []
    output = pipeline.get_by_name("m").get_static_pad("src")

    def note(pad, info):
        sizes.append(info.get_buffer().get_size())
        # Another negotiation, while caps of the other size may already be waiting in the inputs.
        pad.send_event(Gst.Event.new_reconfigure())
        return Gst.PadProbeReturn.OK

    output.add_probe(Gst.PadProbeType.BUFFER, note)
    play(pipeline)
    print(*sizes)


cases = [animate, restart, properties, pads, refusals, formats, mistakes, resize]
{case.__name__: case for case in cases}[sys.argv[1]](*sys.argv[2:])
