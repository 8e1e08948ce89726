"""Talks to `fliptransition serve --stdio` without a client library, message by message.

    python3 agent_talk.py SCRIPT PROGRAM [ARGUMENT...]

SCRIPT has a step on each line. A JSON text is sent as it is; after one with an id, the talk goes on when the response is there.
Further steps are

    !send TEXT            sends TEXT and waits for nothing
    !bytes N              sends a line of N letters
    !nest N               sends N opening brackets
    !hex DIGITS           sends these bytes and a line break
    !part TEXT            sends TEXT without a line break
    !await METHOD         waits for a notification of this method
    !until PATTERN        waits until a file matches the pattern
    !kill NUMBER          sends this signal to the program

At the end, closes the program's standard input and waits for the program. Prints every line that it has written, then a line
with its exit status and its peak memory in bytes.
"""

import glob
import json
import queue
import subprocess
import sys
import threading
import time

PATIENCE = 120


def memory(process):
    """The peak resident memory of a process in bytes; 0 if it is gone."""
    try:
        with open(f"/proc/{process}/status", encoding="utf-8") as file:
            return next((int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        steps = [line.rstrip("\n") for line in file if line.strip()]
    program = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    lines = queue.Queue()

    def read():
        for line in program.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    heard = []

    def hear(fits):
        """Waits for a message that fits; those that came before it count as well."""
        deadline = time.monotonic() + PATIENCE
        for message in heard:
            if fits(message):
                return
        while True:
            line = lines.get(timeout=max(0.1, deadline - time.monotonic()))
            if line is None:
                raise SystemExit("the program has ended")
            sys.stdout.write(line.decode("utf-8"))
            message = json.loads(line)
            heard.append(message)
            if fits(message):
                return

    def send(data):
        try:
            program.stdin.write(data)
            program.stdin.flush()
        except BrokenPipeError:
            pass

    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "!send":
            send(rest.encode() + b"\n")
        elif word == "!bytes":
            for _ in range(int(rest) >> 20):
                send(b"x" * (1 << 20))
            send(b"x" * (int(rest) & (1 << 20) - 1) + b"\n")
        elif word == "!nest":
            send(b"[" * int(rest) + b"\n")
        elif word == "!hex":
            send(bytes.fromhex(rest) + b"\n")
        elif word == "!part":
            send(rest.encode())
        elif word == "!await":
            hear(lambda message: isinstance(message, dict) and message.get("method") == rest)
        elif word == "!until":
            deadline = time.monotonic() + PATIENCE
            while not glob.glob(rest, include_hidden=True):
                if time.monotonic() > deadline:
                    raise SystemExit(f"there is no {rest}")
                time.sleep(0.01)
        elif word == "!kill":
            program.send_signal(int(rest))
        else:
            send(step.encode() + b"\n")
            message = json.loads(step)
            parts = message if isinstance(message, list) else [message]
            ids = [part["id"] for part in parts if isinstance(part, dict) and "id" in part]
            for id in ids:
                hear(lambda answer: any(
                    part.get("id") == id and "method" not in part
                    for part in (answer if isinstance(answer, list) else [answer])))
    peak = memory(program.pid)
    try:
        program.stdin.close()
    except BrokenPipeError:
        pass
    program.wait(timeout=PATIENCE)
    while (line := lines.get(timeout=PATIENCE)) is not None:
        sys.stdout.write(line.decode("utf-8"))
    print(json.dumps({"status": program.returncode, "peak": peak}))


main()
