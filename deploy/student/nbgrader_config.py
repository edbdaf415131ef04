"""nbgrader on a student's server: which exchange, and the assignments of one's own courses alone."""

import os

c = get_config()

c.Exchange.root = os.environ["SYNCPOINT_EXCHANGE"]
c.Exchange.path_includes_course = True
# The name that the hub knows: in a try without accounts Linux has only one for everybody.
c.CourseDirectory.student_id = os.environ["JUPYTERHUB_USER"]
c.Authenticator.plugin_class = "nbgrader.auth.jupyterhub.JupyterHubAuthPlugin"
