"""Texts of the hub's pages for students: JupyterHub's and ours, by the names that `templates/` use.

All other texts stay English: pages for the hub's administrators, and rare errors.
"""

WORDS = {
    # --- on every page ---
    "logo": "JupyterHub logo",
    "home": "Home",
    "services": "Services",
    "navigation": "Toggle navigation",
    "dark": "Toggle dark mode",
    "logout": "Logout",
    "login": "Login",
    "no script": "JupyterHub requires JavaScript.",
    "allow script": "Please enable it to proceed.",
    "error": "Error",
    "close": "Close",
    "the error": "The error",
    # --- the login ---
    "sign in": "Sign in",
    "name": "Username:",
    "password": "Password:",
    "show": "Show password",
    "hide": "Hide password",
    "refused": "Invalid username or password",
    "insecure": "Warning: JupyterHub seems to be served over an unsecured HTTP connection. We strongly recommend "
    "enabling HTTPS for JupyterHub.",
    "logged out": "Successfully logged out.",
    # --- while a server starts or stops ---
    "starting": "Your server is starting up.",
    "wait for it": "You will be redirected automatically when it's ready for you.",
    "progress": "Start of the server",
    "complete": "Complete",
    "log": "Event log",
    "requested": "Server requested",
    "spawning": "Spawning server...",
    "ready": "Server ready at {url}",
    "failed": "Spawn failed",
    "failed why": "Spawn failed: {why}",
    "cancelled": "Spawn cancelled",
    "stop server": "Stop Server",
    "stopping": "Stopping...",
    "stopping server": "Stopping server...",
    "stopped": "Server stopped successfully!",
    "not stopped": "Error stopping server",
    "is stopping": "Your server is stopping.",
    "after stopping": "You will be able to start it again once it has finished stopping.",
    "refresh": "refresh",
    # --- where no server runs ---
    "home page": "JupyterHub home page",
    "start": "Start My Server",
    "my server": "My Server",
    "stop": "Stop My Server",
    "feedback": "Feedback and Questions",
    "not running": "Server not running",
    "start it": "Your server is not running. Would you like to start it?",
    "restarts": "Your server is not running. It will be restarted automatically. If you are not redirected in a few "
    "seconds, click below to launch your server.",
    "launch": "Launch Server",
    "relaunch": "Relaunch Server",
    "start failed": "The latest attempt to start your server has failed. Would you like to retry starting it?",
    # --- errors ---
    "forbidden": "Forbidden",
    "not found": "Not found",
    "no access": "No access to resources or resources not found",
    "internal": "Internal Server Error",
    "unavailable": "Service Unavailable",
    "unreachable": "Failed to reach your server. Please try again later. Contact admin if the issue persists.",
    "failed before": "Failed to start your server on the last attempt. Please contact admin if the issue persists.",
    "full": "The hub is full, so your server cannot start yet. Your work is safe. Try again in a few minutes.",
    "crowded": "Many people are starting their servers right now. Your work is safe. Try again in a minute.",
    "too many": "Please wait",
    "moons": "Jupyter has lots of moons, but this is not one...",
    "back": "Back to your own page",
    "launch refused": "This link does not open here. Open it again on your learning platform. If that does not help, "
    "ask your teacher.",
}
