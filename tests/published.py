"""Tables that somebody published, for tests that type them in and compare what comes out."""

from __future__ import annotations

PAWSEY = [
    ("24", "2876.22", "1.000", "1.000", "1.000"),
    ("48", "1488.54", "0.966", "1.932", "1.035"),
    ("96", "794.762", "0.905", "3.619", "1.105"),
    ("192", "454.81", "0.791", "6.324", "1.265"),
    ("384", "220.925", "0.814", "13.019", "1.229"),
    ("768", "121.548", "0.739", "23.663", "1.352"),
    ("1536", "79.3502", "0.566", "36.247", "1.766"),
    ("3072", "62.3691", "0.360", "46.116", "2.776"),
]
"""Cores and seconds, then efficiency, speedup and relative cost, of a published table rounded to what the
screen shows: https://github.com/PawseySC/supercomputing-user-training, testing-job-runs/scaling-data."""
