"""Guard pages around PyTorch's memory, on Linux: a kernel that leaves a tensor's storage ends the process.

``libc10`` gets its memory from ``posix_memalign``. Here it gets separate pages for each storage, between two guard
pages; the storage ends where the second begins, or begins where the first ends.
"""

import ctypes
import mmap
import struct
from pathlib import Path

import torch

PAGE = mmap.PAGESIZE
ALIGNMENT = 16
"""The alignment that vector instructions need; up to this many bytes less one may follow a storage."""
SLACK = 0xA5
"""The content of the rest of a storage's pages."""
NONE, READ, WRITE = 0, 1, 2
PRIVATE, ANONYMOUS, FAILED = 2, 0x20, ctypes.c_void_p(-1).value


class OutOfBounds(Exception):
    """A kernel wrote outside a storage, where there is no guard page."""


class Guard:
    """Installed once for a process, which should be a child that ends soon.

    Args:
        at_end: Storages end at a guard page, where what is beyond them is read or written; else they begin at one.
    """

    def __init__(self, at_end: bool = True) -> None:
        self.at_end = at_end
        self.blocks: dict[int, tuple[int, int, int]] = {}
        libc = ctypes.CDLL(None)
        self._mmap, self._munmap, self._mprotect = libc.mmap, libc.munmap, libc.mprotect
        self._mmap.restype, size = ctypes.c_void_p, ctypes.c_size_t
        self._mmap.argtypes = [ctypes.c_void_p, size, *[ctypes.c_int] * 3, ctypes.c_long]
        self._munmap.argtypes, self._mprotect.argtypes = [ctypes.c_void_p, size], [ctypes.c_void_p, size, ctypes.c_int]
        self._free = libc.free
        self._free.argtypes, self._free.restype = [ctypes.c_void_p], None
        self._allocate_there = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, size, size)(self._allocate)
        self._release_there = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._release)
        library = str(Path(torch.__file__).with_name("lib") / "libc10.so")
        for symbol, function in (("posix_memalign", self._allocate_there), ("free", self._release_there)):
            self._replace(library, symbol, ctypes.cast(function, ctypes.c_void_p).value or 0)

    def _allocate(self, place: int, alignment: int, nbytes: int) -> int:
        pages = -(-nbytes // PAGE) * PAGE
        start = self._mmap(None, pages + 2 * PAGE, READ | WRITE, PRIVATE | ANONYMOUS, -1, 0)
        if start in (None, FAILED):
            return 12  # ENOMEM
        inside = start + PAGE
        self._mprotect(start, PAGE, NONE)
        self._mprotect(inside + pages, PAGE, NONE)
        address = inside + (pages - nbytes) // ALIGNMENT * ALIGNMENT if self.at_end else inside
        self.blocks[address] = start, pages, nbytes
        ctypes.memset(inside, SLACK, address - inside)
        ctypes.memset(address + nbytes, SLACK, inside + pages - address - nbytes)
        ctypes.c_void_p.from_address(place).value = address
        return 0

    def _release(self, address: int | None) -> None:
        block = self.blocks.pop(address or 0, None)
        if block is None:
            self._free(address)
        else:
            self._munmap(block[0], block[1] + 2 * PAGE)

    def read_only(self, tensor: torch.Tensor, on: bool) -> None:
        """Forbid writes to a storage, or allow them again."""
        if tensor.untyped_storage().nbytes():
            start, pages, _ = self.blocks[tensor.untyped_storage().data_ptr()]
            self._mprotect(start + PAGE, pages, READ if on else READ | WRITE)

    def check(self) -> None:
        """Check the memory around all storages.

        Raises:
            OutOfBounds: a kernel has written there.
        """
        for address, (start, pages, nbytes) in list(self.blocks.items()):
            inside = start + PAGE
            for at, size in ((inside, address - inside), (address + nbytes, inside + pages - address - nbytes)):
                if ctypes.string_at(at, size) != bytes([SLACK]) * size:
                    raise OutOfBounds(f"beside a storage of {nbytes} bytes")

    def _replace(self, library: str, symbol: str, function: int) -> None:
        """Redirect a library's calls to a function."""
        maps = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]
        base = min(int(m[0].split("-")[0], 16) for m in maps if m[-1] == library)
        found = 0
        for offset in _slots(Path(library).read_bytes(), symbol.encode()):
            slot = base + offset
            self._mprotect(slot // PAGE * PAGE, PAGE, READ | WRITE)
            ctypes.c_void_p.from_address(slot).value = function
            found += 1
        if not found:
            raise RuntimeError(f"{library} does not call {symbol}")


def _slots(elf: bytes, symbol: bytes) -> list[int]:
    """Return offsets at which a 64-bit ELF library stores the address of a function that it calls."""
    (table,), (size, count) = struct.unpack_from("<Q", elf, 0x28), struct.unpack_from("<HH", elf, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, table + n * size) for n in range(count)]
    found = []
    for _, kind, _, _, at, length, link, _, _, entry in sections:
        if kind != 4:  # SHT_RELA
            continue
        symbols = sections[link]
        strings = sections[symbols[6]]
        for place in range(at, at + length, entry):
            offset, info, _ = struct.unpack_from("<QQq", elf, place)
            name = strings[4] + struct.unpack_from("<I", elf, symbols[4] + (info >> 32) * 24)[0]
            if info >> 32 and elf[name : name + len(symbol) + 1] == symbol + b"\0":
                found.append(offset)
    return found
