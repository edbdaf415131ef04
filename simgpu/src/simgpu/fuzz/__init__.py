"""Hostile arguments for every operation that the device runs; not used by a device."""
