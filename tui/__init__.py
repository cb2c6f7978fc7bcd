"""rooflab: a roofline and scaling lab instrument for the terminal."""

__version__ = "0.1.0"
