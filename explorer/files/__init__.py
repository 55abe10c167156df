"""Disk and clipboard text <-> Scene and Trace."""
