"""What the commands of `rooflab` do, one module each; nothing heavy is loaded before it is needed."""
