"""Attention Explorer: type numbers into the matrices of attention and watch every stage change."""

__version__ = "0.1.0"
