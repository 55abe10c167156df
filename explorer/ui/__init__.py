"""Everything that draws. Reads Scenes and Traces, edits through the Document, and imports no torch."""
