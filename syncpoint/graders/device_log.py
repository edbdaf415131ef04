"""Reads a device's log, for graders and for visible tests."""

from ..observe.device_log import COPYING, DOWNLOAD, LOOK, NEVER, PEER, UPLOAD, DeviceLog, Operation, fingerprint

__all__ = ["COPYING", "DOWNLOAD", "LOOK", "NEVER", "PEER", "UPLOAD", "DeviceLog", "Operation", "fingerprint"]
