"""What the program reports, as data. Each object also has the JSON that it was made from (docs/JSON.md)."""

from __future__ import annotations

import dataclasses
import fractions
import pathlib
from typing import Any, Mapping


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far a run is."""

    #: The frames that are done.
    frames: int
    #: All frames of the output; None while the number isn't known.
    total: int | None
    #: Frames a second, and how many times as fast as the film plays; None at the very beginning.
    fps: float | None
    speed: float | None
    #: What has been written so far.
    bytes: int | None
    #: How long the run has taken.
    seconds: float | None

    @property
    def fraction(self) -> float | None:
        """The part of the frames that are done, 0...1."""
        return self.frames / self.total if self.total else None

    @staticmethod
    def of(event: Mapping[str, Any]) -> Progress:
        """From a line of `--progress json`."""
        get = event.get
        return Progress(int(event["frames"]), get("total"), get("fps"), get("speed"), get("bytes"), get("seconds"))


@dataclasses.dataclass(frozen=True)
class Output:
    """The video that is made."""

    path: str
    container: str
    width: int
    height: int
    frame_rate: fractions.Fraction
    frames: int
    #: How long the video plays.
    seconds: float
    #: FFmpeg's names.
    pixel_format: str
    video_codec: str


@dataclasses.dataclass(frozen=True)
class Input:
    """A clip, and the frames of the output at which it is seen."""

    path: str
    start: int
    frames: int


@dataclasses.dataclass(frozen=True)
class Join:
    """What happens between two clips."""

    #: The clip before it, counted from 0.
    after: int
    #: The transition as `--transition` takes it.
    transition: str
    #: The first frame of the output that is in the transition, and how many there are.
    start: int
    frames: int
    #: How many frames were asked for; the clips may be too short for them.
    asked_frames: int


@dataclasses.dataclass(frozen=True)
class Plan:
    """What will be done."""

    output: Output
    inputs: tuple[Input, ...]
    joins: tuple[Join, ...]
    warnings: tuple[str, ...]
    json: Mapping[str, Any] = dataclasses.field(repr=False)

    @staticmethod
    def of(document: Mapping[str, Any]) -> Plan:
        """From the JSON of `plan --json`, or the plan in a report."""
        output = document["output"]
        return Plan(
            Output(
                output["path"], output["container"], output["width"], output["height"],
                fractions.Fraction(output["frameRate"]), output["frames"], output["seconds"], output["pixelFormat"],
                output["videoCodec"],
            ),
            tuple(Input(entry["path"], entry["start"], entry["frames"]) for entry in document["inputs"]),
            tuple(
                Join(entry["after"], entry["transition"], entry["start"], entry["frames"], entry["askedFrames"])
                for entry in document["joins"]
            ),
            tuple(document.get("warnings", ())),
            document,
        )  # fmt: skip


@dataclasses.dataclass(frozen=True)
class JoinResult:
    """What was made."""

    path: pathlib.Path
    plan: Plan
    #: The frames that were drawn or encoded again, and those whose packets were copied.
    frames_encoded: int
    frames_copied: int
    #: The size of the file.
    bytes: int
    #: How long the run took.
    seconds: float
    warnings: tuple[str, ...]
    json: Mapping[str, Any] = dataclasses.field(repr=False)

    @property
    def frames(self) -> int:
        """The frames of the output."""
        return self.plan.output.frames

    @staticmethod
    def of(path: pathlib.Path, report: Mapping[str, Any]) -> JoinResult:
        """From the JSON of `--report`."""
        return JoinResult(
            path, Plan.of(report["plan"]), report["framesEncoded"], report["framesCopied"], report["bytes"],
            report["seconds"], tuple(report.get("warnings", ())), report,
        )  # fmt: skip
