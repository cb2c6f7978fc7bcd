"""The study file, reports, and the one way a file is written; no screen."""
