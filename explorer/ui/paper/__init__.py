"""Worksheets on paper: type, matrices, pages."""
