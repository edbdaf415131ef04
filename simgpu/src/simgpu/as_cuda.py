"""``python -m simgpu.as_cuda [--card T4] program.py [arguments]`` runs a program for CUDA on the simulated device."""

import argparse
import os
import runpy
import sys

from simgpu.cuda_patches import CARDS, as_cuda


def main() -> None:
    """Run the program as Python would."""
    parser = argparse.ArgumentParser(prog="python -m simgpu.as_cuda", description=__doc__)
    parser.add_argument("--card", choices=CARDS, help="simulate the memory of a card")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    as_cuda(options.card)
    sys.argv = [options.program, *options.arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(options.program))
    runpy.run_path(options.program, run_name="__main__")


if __name__ == "__main__":
    main()
