"""Reading a layer: all heads side by side, and which word looks at which."""
