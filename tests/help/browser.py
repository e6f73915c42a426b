"""A browser to look at pages with: headless Chromium, spoken to over its DevTools pipe with the standard library alone.

    with Browser() as browser:
        page = browser.open(path, width=390, height=844)      or an address, http://..
        page.screenshot(png)          the whole page
        page.evaluate("1 + 1")        the value of a JavaScript expression
        page.requests                 addresses that the page asked for, its own first
        page.messages                 what the console said: errors, refused content
"""
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PACKAGE = "chromium-headless-shell or chromium (apt)"
PATIENCE = 60.0


def find():
    """The program, or None."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def beyond(fd, least=10):
    """The same pipe under a number from `least` on."""
    other = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, least)
    os.close(fd)
    return other


class Page:
    def __init__(self, browser, session):
        self.browser, self.session, self.requests, self.messages, self.loaded = browser, session, [], [], False

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def note(self, method, params):
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Log.entryAdded":
            self.messages.append(params["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.messages.append(str(params["exceptionDetails"].get("text")))
        elif method == "Page.loadEventFired":
            self.loaded = True

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description"))
        return answer["result"].get("value")

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def pdf(self, path):
        Path(path).write_bytes(base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"]))


class Browser:
    """Ends with the block; everything it needs lives in a folder of its own."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="triad-browser-")
        to_read, self.output = os.pipe()
        self.input, to_write = os.pipe()
        # the browser reads commands from descriptor 3 and writes answers to 4: ours must lie beyond those
        to_read, to_write = beyond(to_read), beyond(to_write)
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"import os, sys; os.dup2({to_read}, 3); os.dup2({to_write}, 4); "
             "os.execvp(sys.argv[1], sys.argv[1:])", find(), "--headless", "--no-sandbox",
             "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-proxy-server",
             f"--user-data-dir={self.folder.name}/profile", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(f"{self.folder.name}/said", "wb"), env={**os.environ, "HOME": self.folder.name})
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.answers, self.pages = b"", 0, {}, {}
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.output)
        os.close(self.input)
        for _try in range(20):
            try:
                self.folder.cleanup()
                return
            except OSError:  # its children may be writing still
                time.sleep(0.1)

    def call(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        number = self.number
        self.wait(lambda: number in self.answers, method)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def wait(self, done, what, patience=PATIENCE):
        deadline = time.monotonic() + patience
        while not done():
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                raise TimeoutError(f"the browser did not answer within {patience} s: {what}")
            piece = os.read(self.input, 1 << 20)
            if not piece:
                raise RuntimeError("the browser ended: " + Path(self.folder.name, "said").read_text(errors="replace")[-600:])
            *whole, self.buffer = (self.buffer + piece).split(b"\0")
            for message in map(json.loads, whole):
                self.take(message)

    def take(self, message):
        if "id" in message:
            self.answers[message["id"]] = message
        elif message.get("sessionId") in self.pages:
            self.pages[message["sessionId"]].note(message["method"], message["params"])

    def open(self, path, width=1280, height=900, mobile=False):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session)
        for domain in ("Page", "Network", "Log", "Runtime"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        page.call("Page.navigate", url=path if str(path).startswith("http://") else Path(path).resolve().as_uri())
        self.wait(lambda: page.loaded, f"loading {path}")
        return page
