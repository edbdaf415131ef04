"""The trusted side: runs submissions in the sandbox, judges them with pytest modules, scores and explains."""
