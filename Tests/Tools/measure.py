"""Runs a program and measures what it costs.

    python3 measure.py FILE PROGRAM [ARGUMENT...]

Writes to FILE the processor time in seconds, of the program and the helper programs that it has waited for, and the largest
peak memory of one of these processes in bytes. Ends with the program's exit code.
"""

import os
import sys

process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(process, 0)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    # ru_maxrss is in KiB on Linux.
    file.write(f"{usage.ru_utime + usage.ru_stime} {usage.ru_maxrss << 10}\n")
sys.exit(os.waitstatus_to_exitcode(status))
