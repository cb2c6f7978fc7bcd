"""One module per tab of the instrument."""
