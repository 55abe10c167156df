"""Grids of numbers: one matrix of the Document each, edited as in a spreadsheet."""
