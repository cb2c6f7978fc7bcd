"""Scripts for the tests of exercises in the app: each kind of step once, and tables."""

from __future__ import annotations

KINDS = """
[score]
show = "live"
[[step]]
id = "read"
kind = "read"
title = "[b]bold[/b] \\u001b[31mred"
text = "Look at [red]this[/red], [link=x]that[/link] and [ nothing. \\u001b]0;title\\u0007 \\u202e"
[[step]]
id = "talk"
kind = "pause"
discuss = true
text = "Say it to your neighbour."
[[step]]
id = "one"
kind = "observe"
points = 2
text = "Which is right?"
hints = ["Not the first.", "Not the third either."]
[[step.choice]]
id = "a"
text = "the first"
feedback = "No, not that."
[[step.choice]]
id = "b"
text = "the [b]second[/b]"
correct = true
feedback = "Yes."
[[step.choice]]
id = "c"
text = "the third"
feedback = "No, nor that."
[[step]]
id = "several"
kind = "classify"
select = "many"
points = 2
text = "Which two?"
[[step.choice]]
id = "x"
text = "this"
correct = true
feedback = "Of course."
[[step.choice]]
id = "y"
text = "not this"
feedback = "Never."
[[step.choice]]
id = "z"
text = "and this"
correct = true
feedback = "Clearly."
[[step]]
id = "line"
kind = "flaw"
points = 1
text = "Which line is wrong?"
[[step.line]]
id = "l1"
text = "devices: 4 -> 8"
feedback = "That is the point."
[[step.line]]
id = "l2"
text = "W:  2048 -> 1024"
flaw = true
feedback = "Yes."
[[step]]
id = "number"
kind = "compute"
points = 2
text = "How long?"
answer = "42"
unit = "s"
accept = ["s", "min"]
tol = "0.5%"
require_unit = true
hints = ["Twice.", "Twice 21."]
solution = "2 x 21 s is 42 s."
[[step]]
id = "extra"
kind = "compute"
optional = true
points = 1
text = "And twice that?"
answer = "84"
unit = "s"
tol = "0.5%"
[[step]]
id = "words"
kind = "reflect"
min_chars = 5
text = "What did you learn?"
"""
"""One step of each kind that needs no instrument."""

TABLES = """
[[data]]
id = "given"
family = "strong"
cover = ["speedup", "efficiency", "flags"]
rows = "devices, time_s\\n4, 40.0\\n8, 25.0\\n16, 17.0"
hidden_rows = [16]
[[data]]
id = "plan"
family = "strong"
rows = "devices, micro_batch, global_batch\\n4, 8, 1024\\n16, ?8, 1024"
[[data]]
id = "other"
family = "strong"
cover = ["efficiency"]
rows = "devices, time_s\\n2, 10.0\\n4, 8.0"
[[step]]
id = "scene"
kind = "read"
text = "Table given lists runs."
[[step]]
id = "efficiency"
kind = "compute"
points = 1
text = "What is the efficiency of given on 8?"
answer = "efficiency('given', 8)"
unit = "1"
decimals = 2
[[step]]
id = "guess"
kind = "predict"
points = 1
text = "What will the time of given be on 16?"
answer = "cell('given', 16, 'time_s')"
unit = "s"
tol = "5%"
[[step]]
id = "reveal"
kind = "play"
reveal = { data = "given", rows = [16] }
[[step]]
id = "fill"
kind = "runs"
table = "strong"
data = "plan"
points = 1
text = "Fill in table plan."
[[step]]
id = "again"
kind = "compute"
points = 1
text = "And the efficiency of other on 4?"
answer = "efficiency('other', 4)"
unit = "1"
decimals = 2
"""
"""Tables with hidden rows, blanks and covers."""
