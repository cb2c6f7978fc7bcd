"""One file per foreign format, and their registry; no screen."""
