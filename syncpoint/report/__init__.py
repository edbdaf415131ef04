"""What people read of a result: reports as HTML and as text, timelines, misconceptions.  Decides no score."""
