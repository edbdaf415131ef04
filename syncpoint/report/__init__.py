"""Reports for people: HTML and text, timelines, misconceptions.  Decides no score."""
