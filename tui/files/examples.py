"""The commented files that `rooflab new` writes: small studies to replace with one's own.

Their numbers are made up, and they say so.
"""

from __future__ import annotations

from collections.abc import Mapping

from tui.model.study import Family

_STRONG = """\
# A strong-scaling study: the same work on more and more devices.
# THE NUMBERS ARE MADE UP. Put your own in their place; every key that is "optional" can go.
# Lines that begin with # are remarks; rooflab keeps them when it changes this file.

format = 1
title = "Example: strong scaling of one training update"

[machine]                                # optional: where it was measured and how it is billed
name = "cluster A"
device = "GPU with 80 GiB"
devices_per_node = 8
charged = "node"                         # "node": whole nodes are billed, "device": only what is used
price = 2.4                              # optional, for one device-hour
currency = "EUR"
# The ladder of networks, smallest first. Doubling within one is not comparable with doubling across two.
domains = [ { name = "node", devices = 8 }, { name = "leaf switch", devices = 32 } ]

[[experiment]]
family = "strong"
name = "update time at batch 1024"
counts = "GPU"                           # what `devices` counts: GPU, node, core, rank
time_means = "one update"                # "one update", "main loop" or "whole job"
baseline = 8                             # optional; without it the smallest completed count is taken
baseline_kind = "smallest feasible"      # "best serial", "one device" or "smallest feasible"
memory_per_device_gib = 80
# The work that every time completes, whatever the count. If it changes, it is no strong scaling.
work = { amount = 4194304, of = "tokens", sequences = 1024, lengths = "all 4096", optimizer = "AdamW" }

  # One block for each job. Two jobs with the same count are repeats; times inside one job are its steps.
  [[experiment.run]]
  devices = 8
  times_s = [40.2, 40.5, 40.1]
  global_batch = 1024                    # optional: batch and layout let rooflab check that W is the same
  micro_batch = 2
  accumulation = 64
  dp = 8
  nodes = 1
  memory_gib = 61.5

  [[experiment.run]]
  devices = 16
  times_s = [21.0, 21.2, 21.1]
  global_batch = 1024
  micro_batch = 2
  accumulation = 32
  dp = 16
  nodes = 2
  memory_gib = 48.0
  note = "one leaf switch"

  [[experiment.run]]
  devices = 32
  times_s = [11.6, 11.9, 11.7]
  global_batch = 1024
  micro_batch = 1                        # the local shape changed here: allowed, and noted in the table
  accumulation = 32
  dp = 32
  nodes = 4
  memory_gib = 37.5

  # A job that did not finish is a result too.
  [[experiment.run]]
  devices = 4
  status = "out-of-memory"               # "completed", "failed", "out-of-memory" or "stopped"
"""

_WEAK = """\
# A weak-scaling study: the work grows with the devices, so that each keeps a declared amount.
# THE NUMBERS ARE MADE UP. Put your own in their place; every key that is "optional" can go.
# Lines that begin with # are remarks; rooflab keeps them when it changes this file.

format = 1
title = "Example: weak scaling of a stencil code"

[machine]                                # optional
name = "cluster A"
device = "GPU with 80 GiB"
devices_per_node = 4

[[experiment]]
family = "weak"
name = "16 million cells per GPU"
counts = "GPU"                           # what `devices` counts: GPU, node, core, rank
time_means = "main loop"                 # "one update", "main loop" or "whole job"
# What each device keeps. `flop_per_unit_position` (optional) is for work whose cost grows with the length of
# a sequence: equal tokens in longer sequences are not equal arithmetic.
work_model = { per_device = 16000000, of = "cells", flop_per_unit = 1800 }

  # One block for each job; `work` is the whole amount, over all devices.
  [[experiment.run]]
  devices = 1
  work = 16000000
  times_s = [102.4]
  local_shape = "256x250x250"

  [[experiment.run]]
  devices = 4
  work = 64000000
  times_s = [105.9]
  local_shape = "256x250x250"

  [[experiment.run]]
  devices = 4                            # the same count again: a second job, so a repeat
  work = 64000000
  times_s = [106.3]
  local_shape = "256x250x250"

  [[experiment.run]]
  devices = 16
  work = 256000000
  times_s = [113.0]
  local_shape = "256x250x250"
  note = "four nodes, one switch"
"""

_MODEL_SIZE = """\
# A model-size study: larger models, a family of its own that is never mixed with strong or weak scaling.
# THE NUMBERS ARE MADE UP. Put your own in their place; every key that is "optional" can go.
# Lines that begin with # are remarks; rooflab keeps them when it changes this file.

format = 1
title = "Example: three model sizes"

[[experiment]]
family = "model-size"
name = "update time at 4 million tokens"
counts = "GPU"                           # what `devices` counts: GPU, node, core, rank
time_means = "one update"                # "one update", "main loop" or "whole job"
peak_flops_per_device = 989e12           # optional: gives the share of peak
peak_source = "data sheet, dense BF16"

  # `work` with `amount` in FLOP would give achieved FLOP/s; with tokens it gives tokens/s.
  [[experiment.run]]
  label = "1.3B"
  devices = 16
  parameters = 1.3e9
  work = { amount = 4194304, of = "tokens" }
  times_s = [6.1, 6.2, 6.1]
  dp = 16

  [[experiment.run]]
  label = "6.7B"
  devices = 64
  parameters = 6.7e9
  work = { amount = 4194304, of = "tokens" }
  times_s = [7.4, 7.5, 7.4]
  dp = 32
  tp = 2

  [[experiment.run]]
  label = "13B"
  devices = 128
  parameters = 13e9
  work = { amount = 4194304, of = "tokens" }
  times_s = [7.9, 7.9, 8.0]
  dp = 32
  tp = 4
"""

_TARGET = """\
# A time-to-target study: work and time until the model is good enough. A fast step is no proof of that.
# THE NUMBERS ARE MADE UP. Put your own in their place; every key that is "optional" can go.
# Lines that begin with # are remarks; rooflab keeps them when it changes this file.

format = 1
title = "Example: time to a loss of 2.80"

[[experiment]]
family = "target"
name = "validation loss 2.80"
counts = "GPU"                           # what `devices` counts: GPU, node, core, rank
time_means = "whole job"                 # "one update", "main loop" or "whole job"
baseline = 8

  # One block for each seed. `work_to_target` is counted in the same unit everywhere, here samples.
  [[experiment.run]]
  label = "batch 256"
  devices = 8
  global_batch = 256
  schedule = "cosine, 2000 warm-up updates"
  seed = 1
  updates = 40000
  work_to_target = 10240000
  time_to_target_s = 36000
  reached = true
  quality = 2.79

  [[experiment.run]]
  label = "batch 256"
  devices = 8
  global_batch = 256
  schedule = "cosine, 2000 warm-up updates"
  seed = 2
  updates = 41000
  work_to_target = 10496000
  time_to_target_s = 36900
  reached = true
  quality = 2.80

  [[experiment.run]]
  label = "batch 2048"
  devices = 64
  global_batch = 2048
  schedule = "cosine, 500 warm-up updates"
  seed = 1
  updates = 6600
  work_to_target = 13516800
  time_to_target_s = 6500
  reached = true
  quality = 2.80

  # A seed that missed the target stays in the study; it is never left out of the count.
  [[experiment.run]]
  label = "batch 2048"
  devices = 64
  global_batch = 2048
  schedule = "cosine, 500 warm-up updates"
  seed = 2
  updates = 10000
  reached = false
  quality = 2.86
"""

EXAMPLES: Mapping[Family, str] = {
    "strong": _STRONG,
    "weak": _WEAK,
    "model-size": _MODEL_SIZE,
    "target": _TARGET,
}
"""The text of an example study of each family."""
