"""The peer of a bulk table: pandas reads the CSV file and takes the median of each count."""

import sys

import pandas as pd

runs = pd.read_csv(sys.argv[1])
print(runs.groupby("devices")["time_s"].median().to_json())
