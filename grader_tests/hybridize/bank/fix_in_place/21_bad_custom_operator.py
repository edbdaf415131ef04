# The lines with NumPy move into a CustomOp: the program calls Python back every time.
# breaks: 3
# misconception: compiled-once
import mxnet as mx


class _Divide(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        y = in_data[0]
        largest = numpy.abs(y.asnumpy()).max()
        self.assign(out_data[0], req[0], y / float(largest))


@mx.operator.register('divide_by_largest')
class _DivideProp(mx.operator.CustomOpProp):
    def list_arguments(self):
        return ['data']

    def list_outputs(self):
        return ['output']

    def infer_shape(self, in_shape):
        return [in_shape[0]], [in_shape[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return _Divide()


class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def hybrid_forward(self, F, x):
        h = F.relu(self.hidden(x)) + 1
        y = self.output(h)
        return F.Custom(y, op_type='divide_by_largest')
