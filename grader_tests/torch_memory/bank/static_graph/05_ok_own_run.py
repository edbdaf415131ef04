# Asks the compiler itself.
def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


import contextlib
import io
import linecache


def predict_graphs(cases):
    told = []
    for number, (lines, sizes) in enumerate(cases):
        source = "def program(y):\n" + "".join(f"    {line}\n" for line in lines) + "    return y\n"
        names, found = {"torch": torch}, []
        exec(compile(source, f"<program {number}>", "exec"), names)

        def backend(graph, inputs, found=found):
            found.append(graph)
            return graph.forward

        torch.compiler.reset()
        program = torch.compile(names["program"], backend=backend)
        with contextlib.redirect_stdout(io.StringIO()):
            for size in sizes:
                program(torch.rand(size))
        told.append(len(found))
    torch.compiler.reset()
    return told


def save_program(net, x, path):
    program = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    torch.export.save(program, path)
