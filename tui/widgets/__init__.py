"""The widgets the tabs are made of."""
