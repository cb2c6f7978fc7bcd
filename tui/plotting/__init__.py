"""A PlotSpec becomes rows of styled cells; the only importer of plotext."""
