"""A browser without a screen, driven by chromedriver, and a server of the files of the page."""
import functools
import http.server
import json
import shutil
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element in the protocol


class Server:
    """Gives out a folder on a free port, and keeps the paths that were asked for. `headers` are
    sent with each file."""

    def __init__(self, folder: Path, headers: dict[str, str]) -> None:
        asked: list[str] = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            """Keeps the path in place of a log, and adds headers."""

            def log_request(self, code: object = "-", size: object = "-") -> None:
                asked.append(self.path)

            def end_headers(self) -> None:
                for name, value in headers.items():
                    self.send_header(name, value)
                super().end_headers()

        self.asked = asked
        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/"

    def close(self) -> None:
        """Ends the server."""
        self.server.shutdown()
        self.server.server_close()


class Browser:
    """A session of Chromium; `downloads` gets the files that it saves."""

    def __init__(self, downloads: Path) -> None:
        driver = shutil.which("chromedriver")
        assert driver, "no chromedriver (Debian: chromium-driver)"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        # pylint: disable-next=consider-using-with
        self.driver = subprocess.Popen([driver, f"--port={port}"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        self.address = f"http://127.0.0.1:{port}/session"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        options = {"args": arguments, "prefs": {"download.default_directory": str(downloads)}}
        while self.driver.poll() is None:  # however slow the machine is
            try:
                made = self.request("POST", "", {"capabilities": {
                    "alwaysMatch": {"goog:chromeOptions": options}}})
                break
            except urllib.error.URLError:  # the driver starts
                time.sleep(0.1)
        else:
            raise RuntimeError(f"chromedriver ended with {self.driver.returncode}")
        self.address += "/" + made["sessionId"]
        self.request("POST", "/timeouts", {"script": 900_000, "pageLoad": 120_000})

    def request(self, method: str, path: str, body: object = None) -> Any:
        """A command of the WebDriver protocol; its value."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=1000) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from error

    def open(self, address: str) -> None:
        """Opens a page."""
        self.request("POST", "/url", {"url": address})

    def run(self, script: str, *arguments: object) -> Any:
        """What a script, the body of an async function, returns."""
        found = self.request("POST", "/execute/async", {
            "script": "const done = arguments[arguments.length - 1];"
                      f"(async (...given) => {{ {script} }})(...arguments)"
                      ".then((value) => done({value}), (error) => done({error: String(error)}));",
            "args": list(arguments)})
        if "error" in found:
            raise RuntimeError(found["error"])
        return found.get("value")

    def choose_file(self, element: str, path: Path) -> None:
        """Chooses a file in the input with this id."""
        found = self.request("POST", "/element", {"using": "css selector", "value": "#" + element})
        self.request("POST", f"/element/{found[ELEMENT]}/value", {"text": str(path)})

    def close(self) -> None:
        """Ends the browser."""
        try:
            self.request("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(30)
