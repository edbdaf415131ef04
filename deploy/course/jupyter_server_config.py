"""Serves the dashboard behind the hub's login: jupyter-server-proxy starts it on a socket that is closed to others."""

import os
import sys
from pathlib import Path

c = get_config()

token = os.environ["SYNCPOINT_DASHBOARD_TOKEN"]
c.ServerProxy.servers = {
    "dashboard": {
        "command": [
            str(Path(sys.executable).with_name("syncpoint")),
            "dashboard",
            "--course",
            os.environ["SYNCPOINT_COURSE"],
            "--unix-socket",
            "{unix_socket}",
            "--prefix",
            "{base_url}dashboard",
            "--origin",
            os.environ["SYNCPOINT_ORIGIN"],
            "--formgrader",
            "{base_url}formgrader",
        ],
        "unix_socket": True,
        "absolute_url": True,
        "timeout": 60,
        "environment": {"SYNCPOINT_DASHBOARD_TOKEN": token},
        "launcher_entry": {"title": "Dashboard", "path_info": f"dashboard/?token={token}"},
    }
}
