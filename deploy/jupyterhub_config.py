"""JupyterHub's settings, made from hub.toml; `deploy/hub.py run` starts the hub with them.

Each course is a service of the hub: a Jupyter server in the course folder, under the course's own account, with
formgrader and the dashboard.  So instructors and TAs share one gradebook, and no grader's own server can read it.
"""

import os
import secrets
import ssl
import sys
from importlib.metadata import entry_points
from pathlib import Path
from urllib.parse import urlsplit

from jupyterhub.utils import random_port

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from deploy.languages import AsksFor, Readers, words_for  # noqa: E402
from deploy.settings import read_hub  # noqa: E402

TOOLS = Path(sys.executable).parent
PATIENCE = 120  # seconds that a server may take to answer when a class logs in at once
hub = read_hub(Path(os.environ["SYNCPOINT_HUB"]))
# In a trial everybody runs as the current user; Jupyter needs an option if that is root.
as_root = [] if hub.accounts or os.geteuid() else ["--allow-root"]
# A terminal keeps its server's PATH, which has the tools: a login shell, the default, would replace it.
arguments = [*as_root, "--ServerApp.terminado_settings=shell_command=/bin/bash"]
common = {
    "PATH": f"{TOOLS}:/usr/local/bin:/usr/bin:/bin",  # nbgrader calls alembic as a program
    "JUPYTER_PATH": str(hub.kernels),
    "SYNCPOINT_EXCHANGE": str(hub.exchange),
}

c = get_config()

# --- the hub itself ---
c.JupyterHub.bind_url = hub.bind
c.JupyterHub.hub_port = hub.hub_port
c.JupyterHub.db_url = f"sqlite:///{hub.private}/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = str(hub.private / "cookie_secret")
c.ConfigurableHTTPProxy.command = [str(HERE / "node_modules" / ".bin" / "configurable-http-proxy")]
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{hub.proxy_port}"
c.ConfigurableHTTPProxy.pid_file = str(hub.private / "proxy.pid")

# --- who may log in: everybody in hub.toml ---
c.Authenticator.allowed_users = set(hub.people)
c.Authenticator.allow_existing_users = False
c.Authenticator.admin_users = set(hub.admins)
if hub.directory is not None:
    server = urlsplit(hub.directory.server)
    c.JupyterHub.authenticator_class = "ldap"
    c.LDAPAuthenticator.server_address = server.hostname
    c.LDAPAuthenticator.tls_strategy = "on_connect" if server.scheme == "ldaps" else "before_bind"
    if server.port:
        c.LDAPAuthenticator.server_port = server.port
    # Send passwords only to a server with a valid certificate; by default, the library does not check one.
    c.LDAPAuthenticator.tls_kwargs = {
        "validate": ssl.CERT_REQUIRED,
        "ca_certs_file": str(hub.directory.ca) if hub.directory.ca else None,
    }
    c.LDAPAuthenticator.bind_dn_template = [hub.directory.user]
elif hub.accounts:
    c.JupyterHub.authenticator_class = "pam"
else:
    c.JupyterHub.authenticator_class = "shared-password"
    c.SharedPasswordAuthenticator.user_password = hub.password_file.read_text().strip()
if hub.accounts:
    c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
else:
    c.JupyterHub.spawner_class = "jupyterhub.spawner.SimpleLocalProcessSpawner"
    c.SimpleLocalProcessSpawner.home_dir_template = str(hub.state / "homes" / "{username}")

# --- links of a learning platform ---
if hub.lti:
    from deploy.launches import LEEWAY, settings_of, with_launches

    (password,) = entry_points(group="jupyterhub.authenticators", name=c.JupyterHub.authenticator_class)
    c.JupyterHub.authenticator_class = with_launches(password.load(), hub)
    c.LTI13Authenticator.update(settings_of(hub))
    c.LTI13LaunchValidator.time_leeway = LEEWAY

# --- languages; rosters are read at the start for logged-in users, and at each login ---
readers = Readers(hub)
readers.read()


async def greet(authenticator, handler, person):
    """Look up a user's language before their first page."""
    await readers.refresh()
    return person


def asks_for(request):
    """Store the browser's language; a function, because traitlets copies other objects."""
    return AsksFor(request)


c.Authenticator.post_auth_hook = greet
c.JupyterHub.template_vars = {"say": lambda user: words_for(readers, user)}
c.JupyterHub.tornado_settings = {"transforms": [asks_for]}

# --- each user's own server, mainly for students ---
c.JupyterHub.active_server_limit = hub.servers
# A limit for each process: a notebook that uses too much memory gets a MemoryError, and everything else continues.
limits = ["prlimit", f"--data={hub.memory_mib * 2**20}"] if hub.memory_mib else []
c.Spawner.cmd = [*limits, str(TOOLS / "jupyterhub-singleuser")]
idle = round(60 * hub.idle_minutes)
c.Spawner.args = [
    *arguments,
    f"--MappingKernelManager.cull_idle_timeout={idle}",
    f"--MappingKernelManager.cull_interval={min(idle, 300)}",
    "--MappingKernelManager.cull_connected=True",  # an open page is no activity
    f"--ServerApp.shutdown_no_activity_timeout={idle}",
]
c.Spawner.default_url = "/lab"
c.Spawner.http_timeout = PATIENCE
c.Spawner.environment = {
    **common,
    "JUPYTER_CONFIG_PATH": str(HERE / "student"),
    "SYNCPOINT_LANGUAGE": lambda spawner: readers.of(spawner.user.name),  # the language of %syncpoint's messages
}
# nbgrader requests a student's groups from the hub.
c.Spawner.server_token_scopes = [
    "users:activity!user",
    "access:servers!server",
    "read:users:name!user",
    "read:users:groups!user",
]

# --- the courses ---
c.JupyterHub.template_paths = [str(HERE / "templates")]
c.JupyterHub.load_groups = {
    f"nbgrader-{name}": {"users": [*course.graders, *course.students]} for name, course in hub.courses.items()
}
c.JupyterHub.load_roles = [
    {"name": f"graders-of-{name}", "users": list(course.graders), "scopes": [f"access:services!service={name}"]}
    for name, course in hub.courses.items()
]
c.JupyterHub.services = []
for name, course in hub.courses.items():
    token = secrets.token_urlsafe(24)
    own = {} if hub.accounts else {"HOME": str(hub.state / "homes" / course.account)}
    c.JupyterHub.services.append(
        {
            "name": name,
            "url": f"http://127.0.0.1:{random_port()}",
            "command": [str(TOOLS / "jupyterhub-singleuser"), *arguments],
            "cwd": str(course.folder),
            "oauth_no_confirm": True,
            "timeout": PATIENCE,
            "environment": {
                **common,
                **own,
                "JUPYTER_CONFIG_PATH": str(HERE / "course"),
                "JUPYTERHUB_DEFAULT_URL": "/lab",
                "SYNCPOINT_COURSE": str(course.folder),
                "SYNCPOINT_ORIGIN": hub.origin,
                "SYNCPOINT_DASHBOARD_TOKEN": token,
            },
            # templates/page.html shows these in the hub's menu to users who may open them.
            "info": {"pages": {"formgrader": "formgrader", "dashboard": f"dashboard/?token={token}", "files": "lab"}},
            **({"user": course.account} if hub.accounts else {}),
        }
    )

graders = {name for course in hub.courses.values() for name in course.graders}


def landing(handler):
    """Return the first page after login: for graders the hub's page with their courses, for others their server."""
    user = handler.current_user
    return f"{handler.hub.base_url}home" if user and user.name in graders else ""


c.JupyterHub.default_url = landing
