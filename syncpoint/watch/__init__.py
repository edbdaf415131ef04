"""``syncpoint watch``: submissions from the exchange to the feedback."""
