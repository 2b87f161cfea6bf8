"""Chromium without a screen, driven through a pair of pipes by the DevTools protocol: for tests
that need time to pass in a page, and for pictures of pages."""
import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Optional

CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome")
                 if (path := shutil.which(name))), None)


class Chromium:
    """One page of a browser whose profile is a folder. Sizes are in pixels of the page."""

    def __init__(self, profile: Path, width: int = 1200, height: int = 600) -> None:
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{commands} 4>&{answers}', "bash", str(CHROMIUM),
             "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--disable-features=IsolateSandboxedIframes",  # a frame is of the same target
             f"--user-data-dir={profile}", f"--window-size={width},{height}", "about:blank"],
            pass_fds=(commands, answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.buffer = b""
        self.count = 0
        self.session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def __enter__(self) -> "Chromium":
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        os.close(self.commands)  # the browser ends
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.answers)

    def message(self) -> dict[str, Any]:
        """The next message of the browser."""
        while b"\0" not in self.buffer:
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise RuntimeError("Chromium ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        found: dict[str, Any] = json.loads(text)
        return found

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """The result of a method of the protocol."""
        self.count += 1
        command: dict[str, object] = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") != self.count:
                continue
            if "error" in message:
                raise RuntimeError(f"{method}: {message['error']}")
            result: dict[str, Any] = message["result"]
            return result

    def run(self, script: str, **context: object) -> Any:
        """What an expression is in the page; of a promise, what it becomes."""
        done = self.call("Runtime.evaluate", expression=script, awaitPromise=True,
                         returnByValue=True, userGesture=True, **context)
        if "exceptionDetails" in done:
            raise RuntimeError(json.dumps(done["exceptionDetails"]))
        return done["result"].get("value")

    def run_in_frame(self, script: str) -> Any:
        """The same in the document of the only frame of the page, beside its scripts."""
        frame = self.call("Page.getFrameTree")["frameTree"]["childFrames"][0]["frame"]["id"]
        for _ in range(20):
            world = self.call("Page.createIsolatedWorld", frameId=frame)["executionContextId"]
            try:
                return self.run(script, contextId=world)
            except RuntimeError as error:  # a document that was replaced meanwhile has run nothing
                if "Cannot find context" not in str(error):
                    raise
        raise RuntimeError("the frame loads one document after another")

    def open(self, address: str, ready: str, seconds: float = 60) -> float:
        """Opens a page and waits until an expression is true in it; the seconds that it took."""
        self.call("Page.navigate", url="about:blank")
        started = time.monotonic()
        self.call("Page.navigate", url=address)
        script = ("(() => { try { return location.href !== 'about:blank' && "
                  f"Boolean({ready}); }} catch {{ return false; }} }})()")
        while not self.run(script):
            if time.monotonic() - started > seconds:
                raise RuntimeError(f"{address}: not ready in {seconds} s")
            time.sleep(0.01)
        return time.monotonic() - started

    def picture(self) -> bytes:
        """What is seen, as WebP."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="webp",
                                          quality=70)["data"])
