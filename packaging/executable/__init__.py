"""The standalone executable: what is in it and how it is made. `packaging/build.py` puts the parts to work."""
