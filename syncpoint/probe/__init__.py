"""The probe in the student's kernel: a Jupyter kernel that also answers the judge's requests.

Lives in an engine's environment (Python 3.9 or newer), so it imports nothing of the rest of the package.
It holds no expected value and takes no decision: it calls, watches and reports.
"""
