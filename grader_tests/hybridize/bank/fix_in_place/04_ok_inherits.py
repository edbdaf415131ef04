# A subclass of the broken net; maximum and minimum instead of abs.
class FixedNet(BrokenNet):
    def hybrid_forward(self, F, x):
        h = F.relu(self.hidden(x)) + 1
        y = self.output(h)
        highest, lowest = F.max(y), F.min(y)
        largest = F.broadcast_maximum(highest, -lowest)
        return F.broadcast_div(y, largest)
