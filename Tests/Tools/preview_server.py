"""The preview as tests start it, and `still` as its judge."""

import http.client
import json
import os
import re
import secrets
import struct
import subprocess
import tempfile
import zlib

PROGRAM = os.environ["FLIPTRANSITION_PROGRAM"]


class Preview:
    """A running preview."""

    def __init__(self, *arguments, folder=None):
        self.folder = folder or tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [PROGRAM, "preview", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://([^/]+):(\d+)/\?token=([0-9a-f]{64})", self.address)
        if not found:
            raise AssertionError(f"no address but '{self.address}': {self.process.stderr.read()}")
        self.port, self.token = int(found[2]), found[3]
        self.host = f"127.0.0.1:{self.port}"
        self._cookie = None

    def request(self, method, path, headers=None, body=None, cookie=False):
        """The status, the headers and the body of an answer; only the headers given are sent, and Host."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = dict(headers or {})
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        if "Host" not in headers:
            headers["Host"] = self.host
        if cookie:
            headers["Cookie"] = self.cookie
        for name, value in headers.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), data

    @property
    def cookie(self):
        """The cookie that the token is exchanged for."""
        if not self._cookie:
            _, headers, _ = self.request("GET", f"/?token={self.token}")
            self._cookie = headers["Set-Cookie"].split(";")[0]
        return self._cookie

    def memory(self, name="VmHWM"):
        """The peak of the server's memory, in MiB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(rf"{name}:\s+(\d+)", file.read())[1]) / 1024

    def stop(self):
        """Ends the server as Ctrl-C does; returns its status."""
        self.process.send_signal(2)
        status = self.process.wait(timeout=20)
        self.process.stdout.close()
        self.process.stderr.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()


class Link:
    """The requests of one page, over a connection of its own."""

    def __init__(self, preview, page=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", preview.port, timeout=60)
        self.headers = {"Host": preview.host, "Origin": f"http://{preview.host}", "Cookie": preview.cookie}
        self.page = page or secrets.token_hex(8)

    def send(self, **request):
        """Sends a request, to be followed by `receive`."""
        body = {"page": self.page, "seam": 0, "look": {"style": "flip", "options": {}}, **request}
        self.connection.request("POST", "/ask", json.dumps(body), self.headers)

    def receive(self):
        """The header and the bytes of the answer; None if a newer request has won."""
        answer = self.connection.getresponse()
        message = answer.read()
        if answer.status == 204:
            return None
        assert answer.status == 200, answer.status
        size = struct.unpack(">I", message[:4])[0]
        return json.loads(message[4:4 + size]), message[4 + size:]

    def ask(self, **request):
        self.send(**request)
        return self.receive()

    def close(self):
        self.connection.close()


def png(data):
    """The width, the height and the RGB samples of a PNG of 8 bits without interlacing (ISO/IEC 15948)."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, packed = 8, b""
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        part = data[place + 8:place + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlacing = struct.unpack(">IIBBBBB", part)
        elif kind == b"IDAT":
            packed += part
        place += 12 + size
    assert (depth, color, interlacing) == (8, 2, 0), (depth, color, interlacing)
    raw, stride = zlib.decompress(packed), width * 3
    above, rows = bytearray(stride), []
    for y in range(height):
        filter_type = raw[y * (stride + 1)]
        row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left = row[i - 3] if i >= 3 else 0
            up = above[i]
            if filter_type == 1:
                row[i] = (row[i] + left) & 255
            elif filter_type == 2:
                row[i] = (row[i] + up) & 255
            elif filter_type == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif filter_type == 4:
                corner = above[i - 3] if i >= 3 else 0
                guess = left + up - corner
                a, b, c = abs(guess - left), abs(guess - up), abs(guess - corner)
                row[i] = (row[i] + (left if a <= b and a <= c else up if b <= c else corner)) & 255
        rows.append(bytes(row))
        above = row
    return width, height, b"".join(rows)


def still(first, second, progress, *options):
    """The picture that `still` writes at `progress`."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "still.png")
        subprocess.run(
            [PROGRAM, "still", first, second, path, "--at", repr(progress), *options], check=True, capture_output=True)
        with open(path, "rb") as file:
            return png(file.read())


def psnr(one, other):
    """The PSNR of two lists of samples of 8 bits, in dB."""
    import math
    assert len(one) == len(other)
    error = sum((a - b) * (a - b) for a, b in zip(one, other))
    return math.inf if error == 0 else 10 * math.log10(255 * 255 * len(one) / error)
