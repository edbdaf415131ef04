"""A training by several ranks, as its log and its network show it, and that of a network alone.

Rank r has device r + 1.  Nothing here needs a mark: the log itself says which passes were trained.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from devices import Devices
from ranks import COLLECTIVES

from syncpoint.graders import EngineArray, Event, Message, Opaque, is_number, joined, kind_of, message, saw
from syncpoint.graders.device_log import PEER, UPLOAD, Operation, fingerprint

WARM_UP = 2  # batches of an epoch in which the host may wait: DistributedDataParallel does in its second one
PIXEL, LABEL = 4, 8  # bytes
STILL = 1e-6  # of numbers that are about 1; plain gradient descent leaves them as they are


@dataclass(frozen=True)
class Training:
    """What the ranks did.

    sizes: of the batches of an epoch.  returned: what each rank returned.  params: of each rank those of the network
    that it returned.  start, right: parameters, before and after; right has one list for each way to divide a batch.
    losses: for each of these ways the mean loss of each epoch.  data_passes: how often each rank went through the
    batches.  thawed: how many frozen parameters of the returned networks ask for a gradient.  replaced: the functions
    of the student's that ours stood for.
    """

    size: int
    sizes: tuple[int, ...]
    epochs: int
    log: Devices
    returned: list[Any]
    params: list[list[EngineArray]]
    start: list[np.ndarray]
    right: list[list[np.ndarray]]
    losses: list[list[float]]
    data_passes: list[int]
    thawed: int = 0
    replaced: tuple[str, ...] = ()

    def is_right(self) -> bool:
        """Whether the parameters are right, nothing races, and no batch is waited for."""
        try:
            self.check_params()
            self.check_waits()
        except AssertionError:
            return False
        return True

    def _saw(self, seen: Message, log: Iterable[Event] = ()) -> AbstractContextManager[None]:
        """As `saw`; the sentence begins with the student's functions that ours replaced."""
        if self.replaced:
            seen = message(
                "Your {functions} did not pass, so `train` was judged with the course's own version. {seen}",
                functions=joined(self.replaced),
                seen=seen,
            )
        return saw(seen, log)

    @property
    def passes_each(self) -> int:
        """How often all ranks went through the batches in each epoch; 1 if they differ."""
        (first, *others) = self.data_passes
        return 1 if first % self.epochs or set(others) - {first} else first // self.epochs

    # --- what it returned -----------------------------------------------------------------------------------------

    def check_returned(self) -> None:
        """Fail unless each rank returned a network and a list."""
        for one in self.returned:
            pair = isinstance(one, (tuple, list)) and len(one) == 2 and isinstance(one[0], Opaque)
            kind = kind_of(one)
            said = message("train should return the network and a list of losses; yours returned {kind}.", kind=kind)
            with self._saw(said):
                assert pair and isinstance(one[1], (tuple, list))
        devices = [{one.device for one in mine} for mine in self.params]
        with self._saw(
            message(
                "The network of rank r should be on device r. Networks that are: {at_home} of {size}.",
                at_home=self._at_home,
                size=self.size,
            )
        ):
            assert self._at_home == self.size, devices

    @property
    def _at_home(self) -> int:
        """How many ranks have returned their own network, on their device."""
        return sum(
            len(mine) == len(self.start) and all(one.device == rank + 1 for one in mine)
            for rank, mine in enumerate(self.params)
        )

    def check_collectives(self) -> None:
        """Fail if an update follows from what a rank copied from another device: only threads can do that."""
        copied = 0
        for mine, params in zip(self.trained, self.params, strict=True):
            stop = frozenset(one.number for one in params)
            copied += any(one.label == PEER for one in self.log.ancestors([update for _, update in mine], stop))
        with self._saw(
            message(
                "Ranks whose updates use copies from another device instead of collectives: {copied}.", copied=copied
            )
        ):
            assert not copied

    def check_params(self) -> None:
        """Fail unless all ranks have the parameters that the training of one network gives."""
        self.check_returned()
        self.log.check_no_race()
        wrong = sum(not any(self._is(mine, right) for right in self.right) for mine in self.params)
        with self._saw(
            message(
                "Ranks without the parameters that training with all examples gives: {wrong} of {size}.",
                wrong=wrong,
                size=self.size,
            )
        ):
            assert not wrong

    def _is(self, mine: list[EngineArray], right: list[np.ndarray]) -> bool:
        """Whether parameters are right; of a small change, rounding is a part."""
        return all(
            one.values.shape == wanted.shape
            and np.linalg.norm(one.values - wanted) <= 0.05 * np.linalg.norm(wanted - before) + 2e-3
            for one, wanted, before in zip(mine, right, self.start, strict=True)
        )

    def check_still(self) -> None:
        """Fail if numbers changed that got no gradient; the right ones must come from a network without ReLU."""
        changed = sum(
            int((abs(one.values - before)[right == before] > STILL).sum())
            for mine in self.params
            for one, right, before in zip(mine, self.right[0], self.start, strict=True)
        )
        with self._saw(message("Values in the networks that changed without a gradient: {changed}.", changed=changed)):
            assert not changed

    def check_frozen(self) -> None:
        """Fail if a frozen parameter asks for a gradient after the training."""
        with self._saw(
            message("Frozen parameters that ask for a gradient after the training: {thawed}.", thawed=self.thawed)
        ):
            assert not self.thawed

    def check_one_pass(self) -> None:
        """Fail if a rank went through the batches more than once in an epoch."""
        self.check_returned()
        self.log.check_no_race()  # labels that are read too early may stop the training, and may not
        with self._saw(
            message(
                "Epochs: {epochs}. Passes of the ranks over batches: {passes}.",
                epochs=self.epochs,
                passes=", ".join(map(str, self.data_passes)),
            )
        ):
            assert all(count <= self.epochs for count in self.data_passes)  # code that keeps them needs no more

    def check_losses(self) -> None:
        """Fail unless all ranks have returned the mean losses of the epochs."""
        self.check_returned()
        self.log.check_no_race()
        lists = [list(one[1]) for one in self.returned]
        with self._saw(
            message(
                "For {epochs} epochs the lists of losses have {lists}.",
                epochs=self.epochs,
                lists=", ".join(str(len(one)) for one in lists),
            )
        ):
            assert all(len(one) == self.epochs for one in lists)
        with self._saw(message("A loss should be a number; yours is {kind}.", kind=kind_of(lists[0][0]))):
            assert all(is_number(loss) for one in lists for loss in one)
        with self._saw(message("The ranks do not have the same losses.")):
            assert all(np.allclose(one, lists[0], rtol=1e-5) for one in lists)
        good = max(int(np.isclose(lists[0], right, rtol=1e-4).sum()) for right in self.losses)
        with self._saw(
            message(
                "Epochs whose loss is the mean of the mean losses of their batches: {good} of {epochs}.",
                good=good,
                epochs=self.epochs,
            )
        ):
            assert good == self.epochs

    # --- what the devices did -------------------------------------------------------------------------------------

    @cached_property
    def trained(self) -> list[list[tuple[Operation, Operation]]]:
        """Of each rank the operations that begin its trained passes, and their updates.

        A bias is read in forward passes alone.  A pass is trained if an update of the first parameter follows from it.
        """
        self.check_returned()
        return [self._trained(mine) for mine in self.params]

    @property
    def passes(self) -> list[list[tuple[Operation, Operation]]]:
        """The same; fails if a batch was not trained."""
        found, wanted = self.trained, len(self.sizes) * self.epochs
        self.check_not_on_the_host()
        counts = ", ".join(str(len(mine)) for mine in found)
        with self._saw(
            message(
                "Updates of the returned networks that were computed from a forward pass, for each rank: "
                "{counts}; batches: {wanted}.",
                counts=counts,
                wanted=wanted,
            )
        ):
            assert all(len(mine) == wanted for mine in found)
        return found

    def _trained(self, params: list[EngineArray]) -> list[tuple[Operation, Operation]]:
        weight, bias = params[0].number, params[1].number
        stop = frozenset(one.number for one in params)
        begins = {one for one in self.log.uses(bias) if bias not in one.outputs}
        found, claimed = [], set()
        for update in self.log.writers(weight):
            needed = self.log.ancestors([update], stop, claimed)
            claimed |= needed
            if needed & begins:
                found.append((min(needed & begins, key=lambda one: one.place), update))
        return found

    @cached_property
    def brought(self) -> list[int]:
        """The bytes that each rank's device got from the host, next to the parameters that the ranks began with.

        A copy of these may hold one, or all.
        """
        given = {fingerprint([one]) for one in self.start} | {fingerprint(self.start)}
        own = self.log.brought(lambda event: event.label == UPLOAD and event.values not in given)
        return [own[device] for device in range(1, self.size + 1)]

    def check_not_on_the_host(self) -> None:
        """Fail if a device got other parameters from the host than those that the ranks began with.

        Of anything else (batches, single numbers) there is room for half as much.
        """
        whole = sum(one.nbytes for one in self.start)
        text = joined((f"{100 * nbytes / whole:.0f}%" for nbytes in self.brought), commas=True)
        with self._saw(
            message(
                "Numbers that the host made and sent to the devices, compared with all parameters: {shares}. "
                "Train on the devices.",
                shares=text,
            )
        ):
            assert max(self.brought) <= whole / 2

    def check_waits(self) -> None:
        """Fail if the host waited from the third pass of a whole epoch on, and before its last one is enqueued."""
        count, waits = len(self.sizes), []
        for rank, mine in enumerate(self.trained):
            for first in range(0, len(mine) - count + 1, count) if count > WARM_UP else ():
                begin, end = mine[first + WARM_UP][0].place, mine[first + count - 1][1].place
                between = [place for place in self.log.waits if begin < place < end]
                waits += [place for place in between if rank + 1 in self.log.events[place].reads]
        with self._saw(
            message(
                "Waits of the host between the batches of an epoch: {count}, the first one by {first_wait}.",
                count=len(waits),
                first_wait=self.log.word_of(sorted(waits)),
            ),
            self.log.events,
        ):
            assert not waits

    def check_parts(self, pixels: int) -> None:
        """Fail unless each rank sent its share of the pictures to its device, no more, and got no others."""
        other = 0
        for mine, params in zip(self.passes, self.params, strict=True):
            stop = frozenset(one.number for one in params)
            needed = set().union(*(self.log.ancestors([begin], stop) for begin, _ in mine))
            other += any(one.label in COLLECTIVES or one.label == PEER for one in needed)
        with self._saw(
            message("Ranks that computed with examples which they got from another rank: {other}.", other=other)
        ):
            assert not other
        self.check_shares(pixels)

    def check_shares(self, pixels: int) -> None:
        """Fail unless each rank sent to its device its share of the pictures and labels, and no more."""
        whole = self.epochs * sum(self.sizes) * (pixels * PIXEL + LABEL)
        shares = [nbytes / whole for nbytes in self.brought]
        text = joined((f"{100 * share:.0f}%" for share in shares), commas=True)
        with self._saw(message("Share of all batches that each rank sent to its device: {shares}.", shares=text)):
            assert max(shares) <= 1.2 / self.size
