"""``syncpoint watch``: the head of the queue of hand-ins, from the exchange to the feedback."""
