"""An operator written in Python tells when the first device is done; the second one gets its work then."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run_both": at_most(1.49)})
cheat.cell("run_both", '''
import threading
told = threading.Event()
class Tell(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0])
        told.set()
@mx.operator.register("tells")
class TellProp(mx.operator.CustomOpProp):
    def create_operator(self, *_):
        return Tell()
def run_both(x_a, x_b):
    told.clear()
    ys_a = [nd.dot(x_a, x_a) for _ in range(10)]
    nd.Custom(ys_a[-1], op_type="tells")
    told.wait(0.5)
    return ys_a, [nd.dot(x_b, x_b) for _ in range(10)]
''')
