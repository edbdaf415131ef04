"""A cell that keeps its sandbox alive: it traces the first process there and takes away its parent-death signal."""

# Numbers of Linux on x86-64: ptrace requests, and the places of registers in struct user_regs_struct.
OUTLIVE = r"""
import ctypes, subprocess
subprocess.Popen(["sleep", "600"], start_new_session=True)

ATTACH, DETACH, PEEK, POKE, GET_REGISTERS, SET_REGISTERS, STEP, WALL = 16, 17, 1, 4, 12, 13, 9, 0x40000000
R_ARGUMENT_2, R_RESULT, R_ARGUMENT_1, R_ORIGINAL, R_NEXT = 13, 10, 14, 15, 16
PRCTL, PR_SET_PDEATHSIG = 157, 1

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]

if libc.ptrace(ATTACH, 1, None, None) == 0:
    libc.waitpid(1, None, WALL)
    before = (ctypes.c_ulonglong * 27)()
    libc.ptrace(GET_REGISTERS, 1, None, ctypes.addressof(before))
    place = before[R_NEXT]
    word = libc.ptrace(PEEK, 1, place, None) & (2**64 - 1)
    libc.ptrace(POKE, 1, place, (word & ~0xFFFF) | 0x050F)  # the instruction "syscall"
    call = (ctypes.c_ulonglong * 27)(*before)
    call[R_RESULT], call[R_ARGUMENT_1], call[R_ARGUMENT_2] = PRCTL, PR_SET_PDEATHSIG, 0
    call[R_ORIGINAL] = 2**64 - 1  # no restart of the call that was interrupted
    libc.ptrace(SET_REGISTERS, 1, None, ctypes.addressof(call))
    libc.ptrace(STEP, 1, None, None)
    libc.waitpid(1, None, WALL)
    libc.ptrace(POKE, 1, place, word)
    libc.ptrace(SET_REGISTERS, 1, None, ctypes.addressof(before))
    libc.ptrace(DETACH, 1, None, None)
"""
