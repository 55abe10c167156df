"""Tables from outside: files, drops and pastes into a grid, and the dialog that asks what a file leaves open."""
