"""What is true: pure functions over frozen dataclasses; no screen, no files."""
