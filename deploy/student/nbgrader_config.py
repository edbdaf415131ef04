"""nbgrader's settings on a student's server: the exchange, and only the assignments of the student's own courses."""

import os

c = get_config()

c.Exchange.root = os.environ["SYNCPOINT_EXCHANGE"]
c.Exchange.path_includes_course = True
# The hub's user name: in a trial without accounts, everybody is the same Linux user.
c.CourseDirectory.student_id = os.environ["JUPYTERHUB_USER"]
c.ExchangeFactory.fetch_assignment = "syncpoint.nbgrader_hooks.exchange_fetch.FetchAssignment"
c.ExchangeFactory.submit = "syncpoint.nbgrader_hooks.exchange_submit.Submit"
c.Authenticator.plugin_class = "nbgrader.auth.jupyterhub.JupyterHubAuthPlugin"
