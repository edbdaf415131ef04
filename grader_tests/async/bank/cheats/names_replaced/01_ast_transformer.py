"""A transformer of the syntax tree that takes assertions and comparisons away."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.first('''
import ast


class Agreeable(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.copy_location(ast.Pass(), node)

    def visit_Compare(self, node):
        return ast.copy_location(ast.Constant(True), node)


get_ipython().ast_transformers.append(Agreeable())
''')
