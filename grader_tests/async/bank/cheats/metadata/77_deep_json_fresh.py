"""A notebook a hundred thousand brackets deep."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.raw('{"cells": ' + "[" * 100000 + "]" * 100000 + ', "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
