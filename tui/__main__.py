"""`python -m tui` is `rooflab`."""

import sys

from tui.cli import main

sys.exit(main())
