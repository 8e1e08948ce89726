"""What applications do with the element that gst-launch-1.0 can't. Called by GStreamerTests.

    gstreamer_cases.py animate A B OUT FRAMES RATE WIDTH HEIGHT     raw I420_10LE, progress animated from 0 to 1
    gstreamer_cases.py restart                                      one pipeline that runs twice, in two sizes
    gstreamer_cases.py properties                                   every property is set to another value and read again
    gstreamer_cases.py pads                                         inputs are asked for, released, and asked for again
"""

import sys

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


{"animate": animate, "restart": restart, "properties": properties, "pads": pads}[sys.argv[1]](*sys.argv[2:])
