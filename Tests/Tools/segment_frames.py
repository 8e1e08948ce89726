#!/usr/bin/env python3
"""Prints a hash of every frame of a timeline's H.264 segments, decoded by ffmpeg from their packets alone.

    segment_frames.py JOBDIR PROGRAM [FILM]

With FILM, the film that was assembled from them, it ends with 1 unless the film's frames are the same. It reads segments by
their description in Sources/FlipSplice/Segments/PacketFile.swift and shares no code with the program.
"""

import json
import subprocess
import sys


def packets(data):
    """The encoder's extradata, and then each packet."""
    assert data[:8] == b"flippkt1"
    place = 8

    def number():
        nonlocal place
        place += 8
        return int.from_bytes(data[place - 8 : place], "little", signed=True)

    def chunk():
        nonlocal place
        size = number()
        place += size
        return data[place - size : place]

    chunk()  # the encoder and its settings
    yield chunk()
    number()  # the reorder depth
    number()  # the number of frames
    count = 0
    while data[place] == 1:
        place += 1
        fields = [number() for _ in range(5)]
        for _ in range(fields[4]):
            number()
            chunk()
        yield chunk()
        count += 1
    place += 1
    assert number() == count and place == len(data), "the segment is cut off"


def hashes(arguments, data=None):
    """The hash of each frame that ffmpeg decodes."""
    command = ["ffmpeg", "-v", "error", "-xerror", *arguments, "-map", "0:v", "-vsync", "passthrough", "-f", "framemd5", "-"]
    text = subprocess.run(command, input=data, check=True, stdout=subprocess.PIPE).stdout.decode()
    return [line.split(",")[-1].strip() for line in text.splitlines() if not line.startswith("#")]


def main():
    directory, program = sys.argv[1:3]
    status = subprocess.run([program, "jobs", "status", directory, "--json"], check=True, stdout=subprocess.PIPE).stdout
    found = []
    for job in json.loads(status):
        if job["kind"] == "segment":
            with open(f"{directory}/outputs/{job['hash']}.segment", "rb") as file:
                found += hashes(["-f", "h264", "-i", "-"], b"".join(packets(file.read())))
    if len(sys.argv) < 4:
        print("\n".join(found))
        return
    film = hashes(["-i", sys.argv[3]])
    if film != found:
        differing = [index for index, pair in enumerate(zip(film, found)) if pair[0] != pair[1]]
        sys.exit(f"the film has {len(film)} frames, its segments {len(found)}; the first that differ: {differing[:5]}")
    print(f"{len(film)} frames are those of the segments")


main()
