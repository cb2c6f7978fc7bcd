"""Receipts: the first 40 bits of a hand-in's last hash, short enough to be read out loud.

Written in Douglas Crockford's base 32 (https://www.crockford.com/base32.html), whose digits leave out the
letters that are taken for others; read leniently, so that O is 0 and both I and L are 1.
"""

from __future__ import annotations

import re

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
PATTERN = r"[0-9A-Za-z]{4}-[0-9A-Za-z]{4}"
"""What a receipt looks like in a text, whoever typed it."""

_MEANT = str.maketrans("OIL", "011")
_IN_NAME = re.compile(rf"-({PATTERN})\.lab\b")


def receipt(last_hash: str) -> str:
    """The receipt of a hand-in whose last hash is this, like ``K7QD-2M9F``."""
    number = int(last_hash[:10], 16)
    digits = "".join(DIGITS[number >> shift & 31] for shift in range(35, -1, -5))
    return f"{digits[:4]}-{digits[4:]}"


def as_meant(text: str) -> str:
    """A receipt as somebody typed it, in the digits it can only mean."""
    return text.upper().translate(_MEANT)


def receipt_in_name(name: str) -> str:
    """The receipt in the name that the program gave a file, whatever was put around it; else nothing."""
    found = _IN_NAME.search(name)
    return as_meant(found[1]) if found else ""
