"""Attacks the preview as other pages, other programs and broken clients could, and asks it without a browser.

    preview_attacks.py CASE CLIP CLIP
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time

from preview_server import PROGRAM, Link, Preview, png, still

# All that is served.
PATHS = ("/", "/preview.js", "/preview.css", "/link.js", "/hand.js", "/controls.js", "/info.json", "/catalogue.json",
         "/cell/0/0/1")


def raw(preview, data, address="127.0.0.1"):
    """What the server answers to these bytes, until it closes the connection or says nothing for 3 s."""
    with socket.create_connection((address, preview.port), timeout=3) as link:
        answer = b""
        try:
            link.sendall(data)
            while part := link.recv(1 << 16):
                answer += part
        except (TimeoutError, ConnectionError):
            pass
        return answer


def works(preview):
    """Whether the page is still served, and pictures are drawn."""
    assert preview.request("GET", "/preview.js", cookie=True)[0] == 200
    link = Link(preview)
    header, picture = link.ask(kind="frame", width=64, progress=0.5)
    assert header["progress"] == 0.5 and picture[:2] == b"\xff\xd8"
    link.close()


def hosts(clips):
    """A name of another site that stands for this address is refused, before anything else is looked at."""
    with Preview(*clips) as preview:
        port = preview.port
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"127.0.0.1.evil:{port}",
                     f"localhost.:{port}", f"127.0.0.1:{port}@evil.example", "", None):
            for path in (f"/?token={preview.token}", *PATHS):
                assert preview.request("GET", path, {"Host": host, "Cookie": preview.cookie})[0] in (400, 403), (host, path)
        twice = f"GET / HTTP/1.1\r\nHost: {preview.host}\r\nHost: evil.example\r\nCookie: {preview.cookie}\r\n\r\n"
        assert b" 403 " in raw(preview, twice.encode()).split(b"\r\n")[0]
        # A second request that comes along with a first one is looked at as well.
        lines = [f"GET /motion.js HTTP/1.1\r\nHost: {host}\r\nCookie: {preview.cookie}\r\n\r\n"
                 for host in (preview.host, "evil.example")]
        answers = raw(preview, "".join(lines).encode())
        assert answers.count(b"HTTP/1.1 200 ") == 1 and answers.count(b"HTTP/1.1 403 ") == 1, answers[:2000]
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}", f"[::1]:{port}"):
            assert preview.request("GET", "/", {"Host": host, "Cookie": preview.cookie})[0] == 200, host
        works(preview)


def tokens(clips):
    """Without the token or the cookie there is nothing, and the cookie is out of reach for scripts and other sites."""
    with Preview(*clips) as preview:
        for path in (*PATHS, "/?token=", f"/?token={'0' * 64}", f"/?token={preview.token[:-1]}", f"/?x&token={preview.token}"):
            for cookie in (None, "x=y", preview.cookie[:-1], preview.cookie.replace("=", "2=")):
                assert preview.request("GET", path, {"Cookie": cookie})[0] == 403, (path, cookie)
        status, headers, _ = preview.request("GET", f"/?token={preview.token}")
        assert status == 200
        for word in ("HttpOnly", "SameSite=Strict", "Path=/"):
            assert word in headers["Set-Cookie"], headers
        # The cookie is not the token, so that seeing one doesn't give the other.
        assert preview.token not in headers["Set-Cookie"]
        for path in PATHS:
            status, headers, _ = preview.request("GET", path, cookie=True)
            assert status == 200, path
            assert preview.request("HEAD", path, cookie=True)[::2] == (200, b"")
            assert preview.request("HEAD", path)[0] == 403
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert headers["Content-Security-Policy"].startswith("default-src 'self';")
            assert "unsafe" not in headers["Content-Security-Policy"] and "http" not in headers["Content-Security-Policy"]
            assert "Access-Control-Allow-Origin" not in headers


def origins(clips):
    """Messages are taken from the page itself only, and nothing else can be sent."""
    with Preview(*clips) as preview:
        own = f"http://{preview.host}"
        # An empty message is none, but this is said only to the page.
        for origin in (None, "http://evil.example", "null", f"https://{preview.host}", own + "0", own + "/", ""):
            assert preview.request("POST", "/ask", {"Origin": origin, "Cookie": preview.cookie})[0] == 403, origin
        assert preview.request("POST", "/ask", {"Origin": own, "Cookie": preview.cookie})[0] == 400
        assert preview.request("POST", "/ask", {"Origin": own})[0] == 403
        assert preview.request("POST", "/ask", {"Origin": own, "Cookie": preview.cookie + "0"})[0] == 403
        assert preview.request("POST", "/ask?x", {"Origin": own, "Cookie": preview.cookie})[0] == 405
        assert preview.request("GET", "/ask", cookie=True)[0] == 404
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
            for origin, status in ((None, 403), ("http://evil.example", 403), (own, 405)):
                found = preview.request(method, "/", {"Origin": origin, "Cookie": preview.cookie})[0]
                assert found == status, (method, origin, found)
        # A page of another site that asks with the user's cookie gets nothing.
        assert preview.request("GET", "/info.json", {"Origin": "http://evil.example", "Cookie": preview.cookie})[0] == 403
        works(preview)


def paths(clips):
    """No path leads out of what is served, however it is written."""
    with Preview(*clips) as preview:
        for path in ("/../etc/passwd", "/%2e%2e/etc/passwd", "/..%2fetc/passwd", "//etc/passwd", "/etc/passwd", "/./preview.js",
                     "/preview.js/..", "/preview.js?x", "/cell/0/0/../1", "/cell/-1/0/1", "/cell/0/99/1", "/cell/0/0/6",
                     "/cell/0/0/0", "/cell/99999999999999999999/0/1", "/cell/0/0/1/", "/cell/a/b/c", "/index.html",
                     "/export.html", "file:///etc/passwd", f"http://{preview.host}/info.json", "/" + "a" * 5000, "*"):
            status, _, body = preview.request("GET", path, cookie=True)
            assert status in (403, 404), (path, status)
            assert b"root:" not in body
        link = Link(preview)
        # Looks are names and values of the catalogue; files can't be named.
        for look in ({"style": "/etc/passwd", "options": {}}, {"style": "flip", "options": {"sound": "/etc/passwd"}},
                     {"style": "flip", "options": {"gesture": "/etc/passwd"}}, {"style": "flip", "named": "../x", "options": {}},
                     {"style": "flip=gesture=/etc/passwd", "options": {}},
                     {"style": "flip", "options": {"easing": "x" * 201}}):
            for kind in ("frame", "describe", "film", "save"):
                header, data = link.ask(kind=kind, look=look, width=64)
                assert header.get("error") and not data, (look, kind, header)
        for seam in (-1, 1, 99):
            assert link.ask(kind="frame", seam=seam)[0]["error"]
        link.close()
        works(preview)


def bodies(clips):
    """A request of 100 MB is refused without being read, and so are long heads and messages."""
    with Preview(*clips) as preview:
        works(preview)
        before = preview.memory()
        head = (f"POST /ask HTTP/1.1\r\nHost: {preview.host}\r\nOrigin: http://{preview.host}\r\n"
                f"Cookie: {preview.cookie}\r\nConnection: close\r\n")
        with socket.create_connection(("127.0.0.1", preview.port), timeout=10) as link:
            sent, answer = 0, b""
            link.sendall((head + "Content-Length: 104857600\r\n\r\n").encode())
            try:
                while sent < 100 << 20:
                    sent += link.send(bytes(1 << 16))
                answer = link.recv(100)
            except ConnectionError:
                pass
            # What was sent in vain may have lost the answer, which a request without a body always gets.
            assert sent < 50 << 20 and (not answer or b" 413 " in answer), (sent, answer)
        assert b" 413 " in raw(preview, (head + "Content-Length: 104857600\r\n\r\n").encode())[:30]
        get = head.replace("POST /ask", "GET /")
        for lines, status in (
                (head + f"Content-Length: {(6 << 20) + 1}", b"413"), (head + "Transfer-Encoding: chunked", b"413"),
                (head + "Content-Length: 2\r\nContent-Length: 3", b"413"), (head + "Content-Length: -1", b"400"),
                (head + "Content-Length: 2\r\nTransfer-Encoding: chunked", b"413"), (head + "Content-Length: 9" * 9, b"400"),
                (get + "Content-Length: 104857600", b"413"), (get + "Transfer-Encoding: chunked", b"413")):
            answer = raw(preview, (lines + "\r\n\r\n").encode())
            assert answer.split(b" ")[1] == status, (lines, answer[:200])
        # Of what is small enough, the answer isn't lost with what was sent in vain, as it may be below.
        for request, status in (((get + "X: " + "a" * 200_000 + "\r\n\r\n").encode(), b"431"),
                                (get.encode() + b"X: y\r\n" * 30_000 + b"\r\n", b"431"),
                                (b"\x16\x03\x01 / HTTP\r\n\r\n", b"400")):
            answer = raw(preview, request)
            assert answer.split(b" ")[1:2] == [status], (request[-30:], answer[:200])
        assert b" 200 " not in raw(preview, (get + "X: " + "a" * (4 << 20) + "\r\n\r\n").encode())[:30]
        assert b" 200 " not in raw(preview, b"\x16\x03\x01" + os.urandom(2000))[:30]
        frame = {"page": "x", "kind": "frame", "seam": 0, "look": {"style": "flip", "options": {}}}
        for message in ("{", "[]", json.dumps({"kind": "frame"}), "null", "x" * (6 << 20),
                        json.dumps({**frame, "samples": [[1, 1, "fly", 0, 0]]})):
            found = raw(preview, (head + f"Content-Length: {len(message)}\r\n\r\n{message}").encode())
            assert found.startswith(b"HTTP/1.1 400 "), (message[:80], found[:80])
        works(preview)
        # 100 MB would show; so would what was sent of them.
        assert preview.memory() < before + 60, (before, preview.memory())


def idlers(clips):
    """200 connections that say nothing, and two that say it slowly, leave the page alone and are closed."""
    with Preview(*clips) as preview:
        links = [socket.create_connection(("127.0.0.1", preview.port)) for _ in range(200)]
        works(preview)
        own = f"Host: {preview.host}\r\nOrigin: http://{preview.host}\r\nCookie: {preview.cookie}\r\n"
        begun = [f"GET / HTTP/1.1\r\n{own}X: ", f"POST /ask HTTP/1.1\r\n{own}Content-Length: 1000\r\n\r\n"]
        slow = [socket.create_connection(("127.0.0.1", preview.port), timeout=30) for _ in begun]
        for link, text in zip(slow, begun):
            link.sendall(text.encode())
        closed = set()
        for _ in range(100):
            for link in set(slow) - closed:
                try:
                    link.sendall(b"a")
                except ConnectionError:
                    closed.add(link)
            time.sleep(0.3)
            if len(closed) == 2:
                break
        assert len(closed) == 2, "a request that takes longer than 30 s is still being read"
        works(preview)
        for link in links:
            link.settimeout(20)
            assert link.recv(1) == b""
            link.close()
        # More than there may be: some wait, and there is room again afterwards.
        links = [socket.create_connection(("127.0.0.1", preview.port)) for _ in range(400)]
        time.sleep(0.5)
        for link in links:
            link.close()
        works(preview)


def pages(clips):
    """Eight pages have hands of their own; of a ninth one, the server goes on with what it shows."""
    with Preview(*clips) as preview:
        links = [Link(preview) for _ in range(9)]
        for number, link in enumerate(links):
            link.ask(kind="frame", width=64, progress=0.1 * number)
        for number in (8, 1, 7):
            assert links[number].ask(kind="frame", width=64, shownProgress=0.35)[0]["progress"] == 0.1 * number
        assert links[0].ask(kind="frame", width=64, shownProgress=0.35)[0]["progress"] == 0.35
        for link in links:
            link.close()


def waits(clips):
    """The newest request for a picture wins, and an answer may take longer than a request."""
    with Preview(*clips) as preview:
        drawn, older, newest, other = links = [Link(preview, page="hand") for _ in range(4)]
        for link in links:
            link.ask(kind="describe")
        drawn.send(kind="frame", exact=True, width=1920, progress=0.1)
        older.send(kind="frame", width=64, progress=0.2)
        # Requests are taken in the order in which they come.
        other.ask(kind="describe")
        newest.send(kind="frame", width=64, progress=0.3)
        assert older.receive() is None
        assert drawn.receive()[0]["progress"] == 0.1 and newest.receive()[0]["progress"] == 0.3
        drawn.send(kind="film", width=1920)
        other.ask(kind="describe")
        with socket.create_connection(("127.0.0.1", preview.port), timeout=20) as idle:
            preview.process.send_signal(signal.SIGSTOP)
            assert not select.select([drawn.connection.sock], [], [], 0.1)[0], "the film was there too early"
            time.sleep(11)
            preview.process.send_signal(signal.SIGCONT)
            assert idle.recv(1) == b""
        assert drawn.receive()[1][4:8] == b"ftyp"
        for link in links:
            link.close()


def files(clips):
    """Nothing is written but the file that the command line names, and that only with a gesture that completes."""
    with Preview(*clips, "--save-gesture", "hand.json") as preview:
        places = [preview.folder, os.path.dirname(os.path.abspath(clips[0]))]
        before = [sorted(os.listdir(place)) for place in places]
        link = Link(preview)
        drag = [[i * 16, 1, "down" if i == 0 else "up" if i == 30 else "move", 0.9 - 0.02 * i, 0.5] for i in range(31)]
        cancelled = [[0, 1, "down", 0.9, 0.5], [1000, 1, "move", 0.8, 0.5], [2000, 1, "cancel", 0.8, 0.5]]
        for kind in ("frame", "describe", "film", "trace"):
            assert not link.ask(kind=kind, width=320, samples=drag, shown=640)[0].get("error")
        assert link.ask(kind="save", samples=cancelled, shown=640)[0]["error"]
        assert before == [sorted(os.listdir(place)) for place in places]
        assert link.ask(kind="save", samples=drag, shown=640)[0]["saved"] == "hand.json"
        assert sorted(os.listdir(preview.folder)) == sorted(before[0] + ["hand.json"])
        assert before[1] == sorted(os.listdir(places[1]))
        # The preview's own file is replaced.
        assert link.ask(kind="save", samples=drag, shown=641)[0]["saved"] == "hand.json"
        link.close()
    # One that somebody else wrote meanwhile is not, and the page gets a sentence.
    with Preview(*clips, "--save-gesture", "hand.json") as preview:
        path = os.path.join(preview.folder, "hand.json")
        with open(path, "w") as file:
            file.write("mine")
        link = Link(preview)
        error = link.ask(kind="save", samples=drag, shown=640)[0]["error"]
        assert "hand.json" in error and "Cocoa" not in error, error
        assert open(path).read() == "mine"
        os.remove(path)
        os.mkdir(path)
        error = link.ask(kind="save", samples=drag, shown=640)[0]["error"]
        assert "hand.json" in error and "Cocoa" not in error, error
        link.close()
    with Preview(*clips) as preview:
        link = Link(preview)
        header, data = link.ask(kind="save", samples=drag, shown=640)
        assert "saved" not in header and json.loads(data)["style"] == "flip"
        link.close()


def opens(clips):
    """The browser gets a file that only the user can read, since all users can read its command line."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "xdg-open")
        with open(program, "w") as file:
            file.write(f'#!/bin/sh\nstat -c %a "$1" "$(dirname "$1")" >{folder}/modes\ncp "$1" {folder}/page\n'
                       f'printf %s "$*" >{folder}/given.part\nmv {folder}/given.part {folder}/given\n')
        os.chmod(program, 0o755)
        os.environ["PATH"] = folder + ":" + os.environ["PATH"]
        with Preview(*clips, "--open") as preview:
            for _ in range(200):
                if os.path.exists(f"{folder}/given"):
                    break
                time.sleep(0.05)
            given = open(f"{folder}/given").read()
            assert preview.token not in given and os.path.exists(given), given
            assert open(f"{folder}/modes").read().split() == ["600", "700"]
            assert f"url={preview.address}\"" in open(f"{folder}/page").read()
            with open(f"/proc/{preview.process.pid}/cmdline") as file:
                assert preview.token not in file.read()
            preview.stop()
            assert not os.path.exists(os.path.dirname(given))


def sources(clips):
    """Projects and decks are shown as their clips are, and the film of a join has a second on both sides."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = (os.path.abspath(clip) for clip in clips)
        project = os.path.join(folder, "film.yaml")
        with open(project, "w") as file:
            file.write(f"transition: card\nclips:\n  - {{file: {first}, start: 0.5, end: 2.8}}\n  - {second}\n")
        slides = os.path.join(folder, "slides")
        os.mkdir(slides)
        for number, clip in enumerate((first, second)):
            subprocess.run(
                ["ffmpeg", "-v", "error", "-i", clip, "-frames:v", "1", f"{slides}/{number}.png"], check=True)
        # The project has the 30 (29.97) frames per second of its longer clip, the second, and slides have 25.
        for arguments, pair, word, rate in (
                ([project], [first + "#t=0.5,2.8", second], f"fliptransition {project} out.mp4", 30),
                ([slides], [f"{slides}/0.png", f"{slides}/1.png"],
                 f"fliptransition {slides} out.mp4 --transition card", 25)):
            with Preview(*arguments) as preview:
                info = json.loads(preview.request("GET", "/info.json", cookie=True)[2])
                assert len(info["seams"]) == 1
                link = Link(preview)
                look = {"style": "card", "options": {}}
                _, data = link.ask(kind="frame", look=look, width=info["width"], progress=0.3, exact=True)
                # A deck of pictures has frames of its own size.
                size = f"{info['width']}x{info['height']}"
                assert png(data) == still(*pair, 0.3, "--style", "card", "--size", size), arguments
                assert link.ask(kind="describe", look=look)[0]["command"] == word
                _, film = link.ask(kind="film", look=look, width=320)
                link.close()
            path = os.path.join(folder, "film.mp4")
            with open(path, "wb") as file:
                file.write(film)
            count = subprocess.run(
                ["ffprobe", "-v", "error", "-select_streams", "v", "-count_frames", "-show_entries",
                 "stream=nb_read_frames", "-of", "csv=p=0", path], check=True, capture_output=True, text=True).stdout
            # A second, the transition's 0.6 s, which both clips share, and another second.
            assert int(count.strip(", \n")) == 2.6 * rate, count


def blurs(clips):
    """A page that rests has the motion blur of a frame of the film, and one that moves has none."""
    look = {"style": "push", "options": {"shutter": "360"}}
    with Preview(*clips, "--style", "push", "--shutter", "360") as preview:
        info = json.loads(preview.request("GET", "/info.json", cookie=True)[2])
        link = Link(preview)
        for progress in (0, 0.3, 0.5, 1):
            _, data = link.ask(kind="frame", look=look, width=info["width"], progress=progress, exact=True)
            assert png(data) == still(*clips, progress, "--style", "push", "--shutter", "360"), progress
        _, data = link.ask(kind="frame", look=look, width=info["width"], progress=0.5)
        link.close()
    assert data[:2] == b"\xff\xd8", "a JPEG file"


def books(clips):
    """Spreads of a book are turned as flips that bend, and look as in the film."""
    with tempfile.TemporaryDirectory() as folder:
        pages = os.path.join(folder, "pages")
        os.mkdir(pages)
        for number in range(4):
            source = f"testsrc2=size=200x300:rate=1,hue=h={90 * number}"
            subprocess.run(
                ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-frames:v", "1", f"{pages}/{number}.png"], check=True)
        film = os.path.join(folder, "film.mkv")
        subprocess.run([PROGRAM, "-q", pages, film, "--book", "ltr", "--video-codec", "ffv1"], check=True)
        with Preview(pages, "--book", "ltr") as preview:
            info = json.loads(preview.request("GET", "/info.json", cookie=True)[2])
            looks = [seam["look"] for seam in info["seams"]]
            assert [look["style"] for look in looks] == ["flip", "flip"], looks
            link = Link(preview)
            # Each spread stays for 4 s of 25 frames, the middle of the 15 frames of a turn is the eighth.
            for seam, frame in ((0, 107), (1, 207)):
                header, data = link.ask(
                    kind="frame", seam=seam, look=looks[seam], width=info["width"], progress=0.5, exact=True)
                picture = os.path.join(folder, f"{seam}.png")
                with open(picture, "wb") as file:
                    file.write(data)
                told = subprocess.run(
                    ["ffmpeg", "-v", "info", "-i", film, "-i", picture, "-lavfi",
                     f"[0:v]select=eq(n\\,{frame}),setpts=N,format=gbrp[a];[1:v]setpts=N,format=gbrp[b];[a][b]psnr",
                     "-f", "null", "-"],
                    check=True, capture_output=True, text=True).stderr
                found = told.split("average:")[1].split()[0]
                assert found == "inf" or float(found) > 40, (seam, found)
            header, _ = link.ask(kind="frame", seam=0, look={"style": "fold", "options": {}}, width=320, progress=0.5)
            assert "no style fold" in header["error"], header
            link.close()


def ends(clips):
    """It ends by itself when nobody uses it, and with Ctrl-C even while a page waits for a film."""
    with Preview(*clips, "--idle", "1s") as preview:
        assert preview.process.wait(timeout=20) == 0
    with Preview(*clips) as preview:
        film, other = Link(preview), Link(preview)
        film.send(kind="film", width=1920)
        other.ask(kind="describe")
        assert preview.stop() == 0


CASES = {
    case.__name__: case
    for case in (hosts, tokens, origins, paths, bodies, idlers, pages, waits, files, sources, opens, ends, blurs, books)}

if __name__ == "__main__":
    CASES[sys.argv[1]](sys.argv[2:])
