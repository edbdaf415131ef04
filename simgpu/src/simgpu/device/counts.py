"""An allocator's counts for each pool: bytes, blocks and segments, under PyTorch's names."""

from collections.abc import Sequence

BLOCKS = ("allocated_bytes", "requested_bytes", "allocation")
SEGMENTS = ("reserved_bytes", "segment")
_KINDS = (*BLOCKS, *SEGMENTS)
_FIRST = {BLOCKS: 0, SEGMENTS: len(BLOCKS)}


class Counts:
    """The counts of one device; a pool is the small one or the large one."""

    def __init__(self) -> None:
        self._now, self._freed, self._made, self._peak = (
            {small: [0] * len(_KINDS) for small in (False, True)} for _ in range(4)
        )
        self._peak_of_all = [0] * len(_KINDS)

    def take(self, small: bool, kinds: tuple[str, ...], amounts: Sequence[int]) -> None:
        """Count an allocation."""
        now, other, made = self._now[small], self._now[not small], self._made[small]
        peak, of_all = self._peak[small], self._peak_of_all
        i = _FIRST[kinds]
        for amount in amounts:
            made[i] += amount
            here = now[i] = now[i] + amount
            if here > peak[i]:
                peak[i] = here
            if here + other[i] > of_all[i]:
                of_all[i] = here + other[i]
            i += 1

    def give_back(self, small: bool, kinds: tuple[str, ...], amounts: Sequence[int]) -> None:
        """Count a release."""
        now, freed = self._now[small], self._freed[small]
        i = _FIRST[kinds]
        for amount in amounts:
            now[i] -= amount
            freed[i] += amount
            i += 1

    def reset_peaks(self) -> None:
        """Restart the peaks at the current values."""
        self._peak = {small: list(now) for small, now in self._now.items()}
        self._peak_of_all = [a + b for a, b in zip(*self._now.values(), strict=True)]

    def reset_sums(self) -> None:
        """Restart the sums of allocations and releases at 0."""
        self._made, self._freed = ({small: [0] * len(_KINDS) for small in (False, True)} for _ in range(2))

    def json(self) -> dict[str, dict[str, dict[str, int]]]:
        """Return the counts by kind, pool and metric."""
        found: dict[str, dict[str, dict[str, int]]] = {}
        for i, kind in enumerate(_KINDS):
            pools = {
                name: {"current": self._now[small][i], "peak": self._peak[small][i],
                       "allocated": self._made[small][i], "freed": self._freed[small][i]}
                for name, small in (("small_pool", True), ("large_pool", False))
            }  # fmt: skip
            whole = {metric: sum(p[metric] for p in pools.values()) for metric in ("current", "allocated", "freed")}
            found[kind] = pools | {"all": whole | {"peak": self._peak_of_all[i]}}
        return found
