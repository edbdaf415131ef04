"""A hub for a class: JupyterHub with nbgrader's exchange, formgrader and the dashboard (docs/how-to/hub.md)."""
