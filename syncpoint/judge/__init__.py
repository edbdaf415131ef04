"""The trusted side: runs submissions through the sandbox, lets pytest modules judge, scores and explains."""
