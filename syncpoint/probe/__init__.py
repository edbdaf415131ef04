"""What runs in the student's kernel: a Jupyter kernel that also answers the judge's requests.

Lives in the engine environment (Python 3.9 to 3.11), so it imports nothing of the rest of the package.
It holds no expected value and takes no decision: it calls, watches and reports.
"""
