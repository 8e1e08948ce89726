"""A client of the Chrome DevTools protocol, for pages in a headless Chromium: only Python's standard library."""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request


class WebSocket:
    """A WebSocket as a client has it (RFC 6455), for text messages."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13",
        ]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            part = self.socket.recv(4096)
            if not part:
                break
            self.rest += part
        self.rest = self.rest.partition(b"\r\n\r\n")[2]

    def _take(self, count):
        while len(self.rest) < count:
            part = self.socket.recv(1 << 16)
            if not part:
                raise ConnectionError("the WebSocket was closed")
            self.rest += part
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def send(self, text):
        data = text.encode()
        head = b"\x81"
        if len(data) < 126:
            head += bytes([0x80 | len(data)])
        elif len(data) < 1 << 16:
            head += b"\xfe" + struct.pack(">H", len(data))
        else:
            head += b"\xff" + struct.pack(">Q", len(data))
        mask = os.urandom(4)
        whole = (mask * (len(data) // 4 + 1))[:len(data)]
        masked = (int.from_bytes(data, "big") ^ int.from_bytes(whole, "big")).to_bytes(len(data), "big")
        self.socket.sendall(head + mask + masked)

    def receive(self):
        """The next message's bytes."""
        message = b""
        while True:
            first, second = self._take(2)
            size = second & 127
            if size == 126:
                size = struct.unpack(">H", self._take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self._take(8))[0]
            data = self._take(size)
            if first & 15 in (0, 1, 2):
                message += data
                if first & 128:
                    return message
            elif first & 15 == 8:
                raise ConnectionError("the WebSocket was closed")

    def close(self):
        self.socket.close()


class Browser:
    """A Chromium with one page."""

    def __init__(self, width=1280, height=800, touch=False, dark=False):
        self.folder = tempfile.mkdtemp()
        program = os.environ.get("FLIPTRANSITION_CHROMIUM") or shutil.which("chromium")
        arguments = [
            program, "--headless=new", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={self.folder}",
            "--no-first-run", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
            "--autoplay-policy=no-user-gesture-required", "--force-color-profile=srgb", "about:blank",
        ]
        self.process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file = os.path.join(self.folder, "DevToolsActivePort")
        for _ in range(600):
            if os.path.exists(port_file) and "\n" in open(port_file).read():
                break
            time.sleep(0.05)
        self.port = int(open(port_file).read().split("\n")[0])
        for _ in range(100):
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/json/list") as answer:
                pages = [row for row in json.load(answer) if row["type"] == "page"]
            if pages:
                break
            time.sleep(0.05)
        path = pages[0]["webSocketDebuggerUrl"].split(f":{self.port}")[1]
        self.link = WebSocket("127.0.0.1", self.port, path)
        self.number = 0
        self.events = []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.size(width, height, touch)
        self.colors(dark)

    def call(self, method, **parameters):
        """The result of a method of the protocol."""
        number = self.start(method, **parameters)
        return self.finish(number)

    def start(self, method, **parameters):
        """Calls a method without waiting for its result; returns its number."""
        self.number += 1
        self.link.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        return self.number

    def finish(self, number):
        """The result of the call with this number."""
        while True:
            message = json.loads(self.link.receive())
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{message['error']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def size(self, width, height, touch=False):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch, maxTouchPoints=5 if touch else 1)

    def colors(self, dark):
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def evaluate(self, expression):
        """The value of a JavaScript expression, which is awaited."""
        result = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:600])
        return result["result"].get("value")

    def wait(self, expression, seconds=20):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.evaluate(expression)
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f"not within {seconds} s: {expression}")

    def open(self, address):
        self.call("Page.navigate", url=address)

    def mouse(self, kind, x, y, wait=True):
        """A trusted event of the mouse: Pressed, Moved or Released."""
        number = self.start(
            "Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, button="left",
            buttons=0 if kind == "Released" else 1, clickCount=0 if kind == "Moved" else 1)
        return self.finish(number) if wait else number

    def touch(self, kind, points):
        self.call(
            "Input.dispatchTouchEvent", type=f"touch{kind}",
            touchPoints=[{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)])

    def key(self, key, code=None, text="", modifiers=0, number=0):
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=key, code=code or key, modifiers=modifiers,
                windowsVirtualKeyCode=number, **extra)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.link.close()
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
