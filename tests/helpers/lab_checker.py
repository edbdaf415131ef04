"""JupyterLab with jupyterlab-a11y-checker, which looks at notebooks for what people with a screen reader miss."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from classroom import ROOT
from dashboard_server import free_port
from playwright.sync_api import Browser, Page

EXTENSIONS = ROOT / ".venv-site" / "share" / "jupyter"
PATIENCE = 120_000  # milliseconds
SCAN = """async path => {
    const app = window.jupyterapp
    await app.restored
    const widget = await app.commands.execute("docmanager:open", {path, factory: "Notebook"})
    await widget.context.ready
    await widget.revealed
    app.shell.activateById(widget.id)
    while (app.shell.currentWidget !== widget) {  // the checker looks at the notebook that is shown
        app.shell.activateById(widget.id)
        await new Promise(done => setTimeout(done, 50))
    }
    const found = await app.commands.execute("jupyterlab-a11y-checker:scan-notebook")
    widget.dispose()
    return JSON.stringify(found)
}"""


@contextmanager
def lab_with_checker(folder: Path, browser: Browser) -> Iterator[Page]:
    """JupyterLab over a folder, without kernels."""
    port = free_port()
    options = [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=", "--no-browser"]
    options += ["--allow-root", "--LabApp.expose_app_in_browser=True", f"--ServerApp.root_dir={folder}"]
    environment = {**os.environ, "JUPYTER_PATH": str(EXTENSIONS), "JUPYTER_CONFIG_DIR": str(folder / ".config")}
    command = [sys.executable, "-m", "jupyterlab", *options]
    server = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        for line in server.stderr:
            if "is running at" in line:
                break
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"http://127.0.0.1:{port}/lab?reset")
        page.wait_for_function("() => window.jupyterapp && window.jupyterapp.commands.hasCommand("
                               "'jupyterlab-a11y-checker:scan-notebook')")  # fmt: skip
        yield page
        page.close()
    finally:
        server.terminate()
        server.wait()


def issues(page: Page, path: str) -> str:
    """What the checker says of a notebook, as JSON."""
    return page.evaluate(SCAN, path)
