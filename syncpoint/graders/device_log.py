"""Reads a device's log for graders: what a visible test reads it with as well."""

from ..observe.device_log import COPYING, DOWNLOAD, LOOK, NEVER, PEER, UPLOAD, DeviceLog, Operation, fingerprint

__all__ = ["COPYING", "DOWNLOAD", "LOOK", "NEVER", "PEER", "UPLOAD", "DeviceLog", "Operation", "fingerprint"]
