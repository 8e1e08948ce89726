"""The program fliptransition, which works on files: join, render, still and plan."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import threading
import time
from typing import Any, Callable, Mapping, Protocol, Sequence, Union, cast

from ._errors import ArgumentError, Cancelled, FlipTransitionError, ProgramError, ProgramMissingError
from ._results import JoinResult, Plan, Progress
from ._transition import OptionValue, option_text

Path = Union[str, "os.PathLike[str]"]
#: A list gives an option several times.
ProgramOption = Union[OptionValue, "list[str]", "list[OptionValue]"]

#: What interrupts a run. Unlike SIGINT, it isn't ignored by what a script starts in the background.
_interruption = signal.SIGTERM
#: How a run ends that was interrupted: with the program's exit code, or by a signal, before the program catches it.
_interrupted = (130, -signal.SIGINT, -signal.SIGTERM)
#: How long the program may take to remove what it has begun, in seconds.
_patience = 30.0


class Event(Protocol):
    """What says that a run is to end: a threading.Event or a multiprocessing.Event."""

    def is_set(self) -> bool: ...


def program() -> str:
    """The path of the program: FLIPTRANSITION, the one that PATH has, or that of fliptransition-bin beside this Python."""
    chosen = os.environ.get("FLIPTRANSITION")
    path = shutil.which(chosen or "fliptransition")
    if path is None and chosen is None:
        # PATH lacks the programs of a virtual environment that isn't activated.
        path = shutil.which("fliptransition", path=sysconfig.get_path("scripts"))
    if path is None:
        missing = f"FLIPTRANSITION names {chosen}, which is no program" if chosen else "PATH has no fliptransition"
        raise ProgramMissingError(f"{missing} (install fliptransition-bin, or name the program in FLIPTRANSITION)")
    return path


def join(
    clips: Sequence[Path],
    out: Path,
    *,
    progress: Callable[[Progress], object] | None = None,
    cancel: Event | None = None,
    **options: ProgramOption,
) -> JoinResult:
    """Makes the video `out` of clips, slides, a project or a timeline, as the program does, and returns its report.

    Options are those of the command line with underscores: `style="fold"`, `duration="18f"`, `video_codec="ffv1"`,
    `overwrite=True`, `transition=["flip", "cut"]`. `progress` is called in this thread. If it raises an error, or if
    `cancel` is set, the program is interrupted, and `out` is as it was before. Then its error is raised, or Cancelled.
    Ctrl-C does the same, and raises KeyboardInterrupt.

    Raises ProgramError if the program fails, ProgramMissingError if there is none, and ArgumentError for what is no
    path or has a NUL in it.
    """
    return _made("join", _paths(clips), out, progress, cancel, options)


def still(a: Path, b: Path, out: Path, *, at: float = 0.5, **options: ProgramOption) -> pathlib.Path:
    """Writes the frame at the progress `at`, 0...1, of a transition between two clips or pictures into `out`.

    Options and errors are those of `join`; `out` is returned.
    """
    _run("still", [*_paths([a, b]), _path(out), f"--at={float(at)}", *_words(options)])
    return pathlib.Path(out)


def plan(clips: Sequence[Path], out: Path, **options: ProgramOption) -> Plan:
    """What `join` with the same arguments would do. Nothing is written. Errors are those of `join`."""
    return Plan.of(_document(_run("plan", [*_paths(clips), _path(out), "--json", *_words(options)])))


# MARK: Words


def _paths(paths: Sequence[Path]) -> list[str]:
    if isinstance(paths, (str, bytes, os.PathLike)):
        raise ArgumentError("clips is one path (expected a list of paths)")
    return [_path(path) for path in paths]


def _path(path: Path) -> str:
    text = os.fspath(path)
    if not isinstance(text, str) or text in ("", "-") or "\0" in text:
        raise ArgumentError(f"{text!r} is no path of a file")
    return "./" + text if text.startswith("-") else text


def _words(options: Mapping[str, ProgramOption]) -> list[str]:
    words: list[str] = []
    for keyword, value in options.items():
        name = "--" + keyword.replace("_", "-")
        if value is True:
            words.append(name)
        elif value is not None and value is not False:
            values = value if isinstance(value, list) else [value]
            words += [f"{name}={option_text(single)}" for single in values]
    if any("\0" in word for word in words):
        raise ArgumentError("an option has a zero byte in its value")
    return words


# MARK: Runs


def _made(
    command: str,
    inputs: list[str],
    out: Path,
    progress: Callable[[Progress], object] | None,
    cancel: Event | None,
    options: Mapping[str, ProgramOption],
) -> JoinResult:
    """Makes the video `out` and reads the program's report."""
    target = pathlib.Path(_path(out))
    with tempfile.TemporaryDirectory(prefix="fliptransition-") as folder:
        report = os.path.join(folder, "report.json")
        words = [command, *inputs, _path(out), "--progress=json", f"--report={report}", *_words(options)]
        _follow([program(), *words], progress, cancel)
        with open(report, encoding="utf-8") as file:
            return JoinResult.of(target, _document(file.read()))


def _document(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    if document.get("schema") != 1:
        raise FlipTransitionError(f"the program's JSON has schema {document.get('schema')} (expected 1)")
    return document


def _run(command: str, words: list[str]) -> str:
    with _started([program(), command, *words], subprocess.PIPE) as process:
        try:
            output, said = process.communicate()
        except BaseException:
            _end(process)
            raise
    if process.returncode:
        raise _failure(process.returncode, said.splitlines(), None)
    return output


def _started(words: list[str], output: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, encoding="utf-8", errors="replace"
    )


def _failure(exit_code: int, lines: Sequence[str], event: Mapping[str, Any] | None) -> FlipTransitionError:
    """The error that the program's last words say."""
    if exit_code in _interrupted:
        return Cancelled("the run was interrupted")
    if event is not None:
        return ProgramError(str(event["message"]), exit_code, event.get("kind"))
    said = [line for line in lines if line.strip()]
    marked = [line for line in said if line.startswith("fliptransition: error: ")]
    message = (marked or said or [f"fliptransition ended with {exit_code}"])[-1]
    return ProgramError(message.replace("fliptransition: error: ", "", 1), exit_code)


def _follow(words: list[str], progress: Callable[[Progress], object] | None, cancel: Event | None) -> None:
    """Runs the program and passes its progress on. Raises an error unless the program succeeds."""
    process = _started(words, subprocess.DEVNULL)
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
    reader.start()
    error: Mapping[str, Any] | None = None
    others: list[str] = []
    # When the wait for a program that was told to end is over.
    deadline: float | None = None
    try:
        while True:
            if cancel is not None and deadline is None and cancel.is_set():
                process.send_signal(_interruption)
                deadline = time.monotonic() + _patience
            try:
                # An event can't wake this thread, so it is looked at now and then.
                line = lines.get(timeout=None if cancel is None else 0.05)
            except queue.Empty:
                if deadline is None:
                    continue
                if time.monotonic() > deadline:
                    raise Cancelled("the run was interrupted") from None
                # A program that has ended may have left its standard error to one that it started.
                if process.poll() is not None:
                    deadline = min(deadline, time.monotonic() + 1)
                continue
            if line is None:
                break
            event = _event(line)
            if event is None:
                others.append(line)
            elif event["event"] == "error":
                error = event
            elif event["event"] == "progress" and progress is not None and deadline is None:
                progress(Progress.of(event))
        process.wait()
    except BaseException:
        _end(process, _patience if deadline is None else max(deadline - time.monotonic(), 0))
        raise
    finally:
        # What has ended leaves nothing to read, unless something else holds the pipe. Then it is left to the reader, since
        # closing it would wait for that one.
        reader.join(1)
        if process.stderr is not None and not reader.is_alive():
            process.stderr.close()
    if process.returncode:
        raise _failure(process.returncode, others, error)


def _read(process: subprocess.Popen[str], lines: queue.SimpleQueue[str | None]) -> None:
    if process.stderr is not None:
        for line in process.stderr:
            lines.put(line)
    lines.put(None)


def _event(line: str) -> dict[str, Any] | None:
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return cast("dict[str, Any]", event) if isinstance(event, dict) and "event" in event else None


def _end(process: subprocess.Popen[str], patience: float = _patience) -> None:
    """Interrupts the program, waits at most `patience` seconds until it has removed what it had begun, and then kills it."""
    process.send_signal(_interruption)
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        # In a call of the system that can't be interrupted, not even this ends it at once.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1)
