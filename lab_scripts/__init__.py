"""The exercises that ship with rooflab: TOML scripts and their CSV data."""
