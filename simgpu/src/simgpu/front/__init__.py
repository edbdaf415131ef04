"""The front end, which the student's process loads.

Its tensors are numbers of storages on the device, and it holds no values.
"""
