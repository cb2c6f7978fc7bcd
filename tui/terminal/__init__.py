"""What the terminal can do, and what happens when it goes away."""
