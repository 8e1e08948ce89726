"""Writes OpenTimelineIO files with the Python package, and says what each has to show, by the package's own times.

    otio_cases.py write FOLDER MEDIA.json    NAME.otio and NAME.json (what is expected) for every case
    otio_cases.py check FILE.otio            what the package makes of a file, as JSON

MEDIA.json names the clips: {"a": {"path": ..., "frames": 60, "rate": 24}, ...}; "a25" is one of another rate, "ramp" and
"ramp2" have audio whose level is the time, "first" seconds ahead.
"""

import json
import math
import os
import sys
import urllib.parse

import opentimelineio as otio

T = otio.opentime.RationalTime
R = otio.opentime.TimeRange


def seconds(time):
    return time.value / time.rate


class Case:
    """A timeline in the making."""

    def __init__(self, media, rate=24):
        self.media = media
        self.rate = rate
        self.timeline = otio.schema.Timeline("case", global_start_time=T(0, rate))
        self.track = self.add_track()

    def add_track(self, kind="Video"):
        track = otio.schema.Track(kind.lower(), kind=kind)
        self.timeline.tracks.append(track)
        return track

    def range(self, start, frames):
        return R(T(start, self.rate), T(frames, self.rate))

    def clip(self, name, start, frames, available=None, offset=0, url=None, warp=None, freeze=False):
        entry = self.media[name]
        if available is None:
            available = entry["frames"] * self.rate // entry["rate"] if name in ("a25",) else entry["frames"]
        reference = otio.schema.ExternalReference(
            url or entry["path"], available_range=self.range(offset, available))
        clip = otio.schema.Clip(name, reference, self.range(start + offset, frames))
        if warp is not None:
            clip.effects.append(otio.schema.LinearTimeWarp("warp", time_scalar=warp))
        if freeze:
            clip.effects.append(otio.schema.FreezeFrame())
        return clip

    def gap(self, frames):
        return otio.schema.Gap(source_range=self.range(0, frames))

    def dissolve(self, before, after, name="", kind="SMPTE_Dissolve", **metadata):
        return otio.schema.Transition(
            name, kind, in_offset=T(before, self.rate), out_offset=T(after, self.rate), metadata=metadata)


def warp_of(clip):
    speed = 1.0
    for effect in clip.effects:
        if isinstance(effect, otio.schema.LinearTimeWarp):
            speed *= effect.time_scalar
    return speed


def shown(media, item, time):
    """What `item` shows at `time` in its own coordinates: [] for nothing, [[clip, frame]] else."""
    if not isinstance(item, otio.schema.Clip) or not item.enabled:
        return []
    start = item.trimmed_range().start_time
    available = item.available_range()
    at = seconds(start) + (seconds(time) - seconds(start)) * warp_of(item) - seconds(available.start_time)
    entry = media[item.name]
    # The edge frames stand in for what is not there.
    last = round(seconds(available.duration) * entry["rate"]) - 1
    frame = min(max(math.floor(at * entry["rate"] + 1e-6), 0), last)
    return [[item.name, frame]]


def at_time(media, item, time):
    """What is seen of `item` at `time` (in its coordinates): a list of [clip, frame, weight], black for the rest."""
    if isinstance(item, otio.schema.Stack):
        for child in reversed([child for child in item if getattr(child, "kind", "Video") == "Video"]):
            inner = item.transformed_time(time, child)
            if child.trimmed_range().contains(inner):
                seen = at_time(media, child, inner)
                if seen is not None:
                    return seen
        return None
    if not isinstance(item, otio.schema.Track):
        return None if isinstance(item, otio.schema.Gap) else [[n, f, 1.0] for n, f in shown(media, item, time)]
    for index, child in enumerate(item):
        if isinstance(child, otio.schema.Transition):
            span = item.trimmed_range_of_child(child) if 0 < index < len(item) - 1 else None
            before = item[index - 1] if index > 0 else None
            after = item[index + 1] if index + 1 < len(item) else None
            cut = item.range_of_child(after).start_time if after else item.range_of_child(before).end_time_exclusive()
            first = cut - child.in_offset
            count = round((child.in_offset + child.out_offset).value)
            step = round((time - first).value)
            if 0 <= step < count:
                part = (step + 1) / (count + 1)
                result = []
                for side, weight in ((before, 1 - part), (after, part)):
                    if side is not None:
                        local = time - item.range_of_child(side).start_time + side.trimmed_range().start_time
                        result += [[n, f, weight] for n, f in shown(media, side, local)]
                return result
    child = item.child_at_time(time, shallow_search=True)
    if child is None:
        return None
    return at_time(media, child, item.transformed_time(time, child))


def pictures(case):
    tracks = case.timeline.tracks
    count = round(otio.opentime.RationalTime.rescaled_to(
        max(t.trimmed_range().duration for t in tracks if t.kind == "Video"), case.rate).value)
    return [at_time(case.media, tracks, T(k, case.rate)) or [] for k in range(count)]


def sounds(case):
    """Where sounds of constant gain lie: [begin, end, second of the file there, its level's lead]; and fades."""
    steady, fades = [], []
    for track in case.timeline.tracks:
        if track.kind != "Audio":
            continue
        for index, child in enumerate(track):
            if isinstance(child, otio.schema.Transition):
                cut = track.range_of_child(track[index + 1]).start_time
                fades.append([seconds(cut - child.in_offset), seconds(cut + child.out_offset)])
            elif isinstance(child, otio.schema.Clip):
                place = track.range_of_child(child)
                first = seconds(child.trimmed_range().start_time) - seconds(child.available_range().start_time)
                steady.append([seconds(place.start_time), seconds(place.end_time_exclusive()), first,
                    case.media[child.name]["first"]])
    return {"steady": steady, "fades": fades}


CASES = {}


def case(fill):
    """Names a case as its function, which fills an empty timeline, or returns one that it has made instead."""
    def made(media):
        empty = Case(media)
        return fill(empty) or empty
    CASES[fill.__name__.replace("_", "-")] = made


@case
def cuts(c):
    c.track.extend([c.clip("a", 10, 12), c.clip("b", 0, 7), c.clip("a", 40, 20)])


@case
def one_clip(c):
    c.track.append(c.clip("b", 5, 21))


@case
def uneven_offsets(c):
    c.track.extend([
        c.clip("a", 10, 20), c.dissolve(3, 7), c.clip("b", 15, 24), c.dissolve(8, 1), c.clip("c", 20, 18),
        c.dissolve(0, 5), c.clip("a", 30, 12), c.dissolve(4, 0), c.clip("b", 30, 9)])


@case
def transitions_fill_a_clip(c):
    c.track.extend([c.clip("a", 10, 20), c.dissolve(2, 6), c.clip("b", 20, 10), c.dissolve(4, 3), c.clip("c", 20, 18)])


@case
def short_handles(c):
    # b has 3 frames before its part, a has 2 after its own.
    c.track.extend([c.clip("a", 30, 28), c.dissolve(6, 8), c.clip("b", 3, 30)])
    c.held = 9


@case
def short_available_range(c):
    c.track.extend([c.clip("a", 5, 20, available=27), c.dissolve(5, 5), c.clip("b", 10, 20, available=40)])


@case
def gaps(c):
    c.track.extend([c.gap(5), c.clip("a", 10, 12), c.gap(9), c.clip("b", 0, 7), c.gap(3)])


@case
def fades_with_black(c):
    c.track.extend([
        c.dissolve(0, 6), c.clip("a", 10, 20), c.dissolve(4, 5), c.gap(12), c.dissolve(3, 4), c.clip("b", 10, 20),
        c.dissolve(7, 0)])


@case
def time_warps(c):
    c.track.extend([
        c.clip("a", 4, 20, warp=2.0), c.clip("b", 10, 30, warp=0.5), c.clip("c", 6, 16, warp=1.5),
        c.clip("a", 7, 20, warp=1 / 3)])


@case
def warped_transitions(c):
    c.track.extend([c.clip("a", 4, 12, warp=2.0), c.dissolve(4, 6), c.clip("b", 20, 20, warp=0.5)])


@case
def freeze(c):
    c.track.extend([c.clip("a", 33, 15, freeze=True), c.clip("b", 2, 10), c.dissolve(2, 3), c.clip("c", 8, 12, freeze=True)])


@case
def nested_stack(c):
    inner = otio.schema.Stack("inner", source_range=c.range(4, 22))
    low, high = otio.schema.Track("low"), otio.schema.Track("high")
    low.extend([c.clip("b", 10, 40)])
    high.extend([c.gap(10), c.clip("c", 5, 8), c.gap(6)])
    inner.extend([low, high])
    c.track.extend([c.clip("a", 0, 10), inner, c.clip("a", 20, 10)])


@case
def nested_track(c):
    inner = otio.schema.Track("inner", source_range=c.range(3, 30))
    inner.extend([c.clip("b", 10, 20), c.dissolve(4, 4), c.clip("c", 10, 20)])
    c.track.extend([c.clip("a", 0, 10), inner, c.gap(4)])


@case
def two_video_tracks(c):
    c.track.extend([c.clip("a", 0, 50)])
    c.add_track().extend([c.gap(12), c.clip("b", 5, 10), c.gap(8), c.clip("c", 9, 6)])


@case
def over_a_dissolve(c):
    c.track.extend([c.clip("a", 10, 20), c.dissolve(5, 5), c.clip("b", 10, 20)])
    c.add_track().extend([c.gap(30), c.clip("c", 0, 8)])


@case
def ntsc_film(empty):
    media = empty.media
    c = Case({**media, "a": media["n"], "b": media["m"]}, rate=24000 / 1001)
    c.track.extend([c.clip("a", 10, 20), c.dissolve(3, 5), c.clip("b", 12, 25), c.clip("a", 41, 9)])
    return c


@case
def media_timecode(c):
    c.timeline.global_start_time = T(86400, 24)
    c.track.extend([c.clip("a", 10, 12, offset=86400), c.dissolve(2, 2), c.clip("b", 7, 12, offset=1000)])


@case
def relative_paths(c):
    media = c.media
    name = os.path.basename(media["b"]["path"])
    c.track.extend([
        c.clip("a", 10, 12, url="file://" + urllib.parse.quote(media["a"]["path"])),
        c.clip("b", 4, 6, url=urllib.parse.quote(name)), c.clip("b", 30, 6, url=name)])


@case
def disabled_clip(c):
    c.track.extend([c.clip("a", 10, 12), c.clip("b", 4, 6), c.clip("c", 9, 9)])
    c.track[1].enabled = False


@case
def not_numbers(c):
    c.track.extend([c.clip("a", 10, 12), c.clip("b", 4, 6)])
    c.track[0].metadata["x"] = {"nan": float("nan"), "inf": float("inf"), "minus": float("-inf")}


@case
def other_rate(c):
    c.track.extend([c.clip("a25", 6, 30), c.clip("a", 0, 5)])


@case
def named_looks(c):
    c.track.extend([
        c.clip("a", 10, 20), c.dissolve(3, 5, "fold=mode=cubic", "Custom_Transition"), c.clip("b", 15, 20),
        c.dissolve(3, 5, "Page Turn", "Custom_Transition"), c.clip("c", 15, 20),
        c.dissolve(3, 5, "x", "Custom_Transition", fliptransition={"style": "card", "direction": "backward"}),
        c.clip("a", 15, 20), c.dissolve(3, 5, "Cube Spin", "Custom_Transition"), c.clip("b", 15, 20),
        c.dissolve(3, 5, "x", "Custom_Transition", fliptransition={"style": "blinds", "strips": 12, "stagger": 0.5}),
        c.clip("c", 15, 20), c.dissolve(3, 5, "Edge Wipe", "Custom_Transition"), c.clip("a", 15, 20),
        c.dissolve(3, 5, "slide=mode=uncover", "Custom_Transition"), c.clip("b", 15, 20)])
    c.looks = ["fold=mode=cubic", "curl=mode=book", "card=direction=backward", "cube", "blinds=strips=12:stagger=0.5",
               "wipe", "slide=mode=uncover"]


@case
def two_audio_tracks(c):
    c.track.extend([c.clip("a", 0, 60), c.clip("b", 0, 36)])
    c.add_track("Audio").extend([c.gap(6), c.clip("ramp", 24, 30), c.dissolve(4, 6), c.clip("ramp2", 48, 30)])
    c.add_track("Audio").extend([c.clip("ramp2", 0, 12), c.gap(36), c.clip("ramp", 96, 24)])


def write(folder, media):
    for name, function in CASES.items():
        c = function(media)
        path = os.path.join(folder, name + ".otio")
        otio.adapters.write_to_file(c.timeline, path)
        looks = getattr(c, "looks", None)
        expected = {
            "rate": c.rate, "pictures": pictures(c), "sounds": sounds(c), "looks": looks or [],
            "held": getattr(c, "held", 0)}
        with open(os.path.join(folder, name + ".json"), "w") as file:
            json.dump(expected, file)


def check(path):
    timeline = otio.adapters.read_from_file(path)
    again = otio.adapters.read_from_string(otio.adapters.write_to_string(timeline, "otio_json"), "otio_json")
    tracks = []
    for track in timeline.tracks:
        items = []
        for child in track:
            if isinstance(child, otio.schema.Transition):
                items.append({
                    "kind": child.transition_type, "in": child.in_offset.value, "out": child.out_offset.value,
                    "name": child.name})
            else:
                place = child.trimmed_range()
                items.append({
                    "kind": type(child).__name__, "start": place.start_time.value, "frames": place.duration.value})
        tracks.append({"kind": track.kind, "frames": track.duration().value, "items": items})
    print(json.dumps({
        "tracks": tracks, "rate": timeline.global_start_time.rate, "frames": timeline.duration().value,
        "isSame": timeline.is_equivalent_to(again)}))


if __name__ == "__main__":
    if sys.argv[1] == "write":
        with open(sys.argv[3]) as file:
            write(sys.argv[2], json.load(file))
    else:
        check(sys.argv[2])
