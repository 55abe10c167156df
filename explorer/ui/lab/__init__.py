"""The lab: tools that compare, break, bend and cost the current scene.

To add a tool: a class derived from Tool in a file of its own here, and a line in TOOLS (lab.py).
"""
