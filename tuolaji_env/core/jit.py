"""Compile policy: the only module that imports numba's decorators.

`kernel` compiles a function (cached on disk), `inline` does the same and forces it into its
callers.  numba optimises a kernel anew inside each of its callers, so that the time to compile
grows with the depth of calls: a `boundary` is compiled once and called through its address, and
a `driver`, what Python calls, sees to it that the boundaries below it are there.

With ``NUMBA_DISABLE_JIT=1`` all of them return the plain function, the bit intrinsics become
Python, and record fields are all int64 (`SMALL` to `MEDIUM`), so that plain arithmetic means what
the compiled one means.

The cache lies in folders named by a hash of the sources that a kernel may call (its own package
and the core): numba itself does not notice when only a callee in another file changed.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
from pathlib import Path
from typing import ClassVar

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.extending import intrinsic
from numba.np.numpy_support import from_dtype

COMPILED = not numba.config.DISABLE_JIT
SMALL = np.int8 if COMPILED else np.int64
SHORT = np.int16 if COMPILED else np.int64
MEDIUM = np.int32 if COMPILED else np.int64


@functools.cache
def cache_dir(package: Path) -> str:
    """Where the compiled kernels of a package (a folder) lie."""
    digest = hashlib.sha256(numba.__version__.encode())
    for folder in sorted({Path(__file__).resolve().parent, package}):
        for source in sorted(folder.glob("*.py")):
            digest.update(source.name.encode() + source.read_bytes())
    base = os.environ.get("TUOLAJI_CACHE_DIR") or numba.config.CACHE_DIR
    root = Path(base) if base else Path.home() / ".cache" / "tuolaji_env"
    return str(root / digest.hexdigest()[:16])


def _compile(function, **options):
    if not COMPILED:
        return function
    # The cache's place is read when the decorator runs; other packages keep their own.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = cache_dir(Path(function.__code__.co_filename).resolve().parent)
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    finally:
        numba.config.CACHE_DIR = before


_INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kernel(function):
    """Compile a kernel that other kernels call."""
    return _compile(function, **_INNER)


def inline(function):
    """Compile a small kernel into each of its callers."""
    return _compile(function, forceinline=True, **_INNER)


class Boundary:
    """A kernel with a fixed signature, compiled on first need, that kernels call by address."""

    of_callee: ClassVar[dict[int, Boundary]] = {}  # by the id of what kernels see

    def __init__(self, function, arguments, returns):
        self.symbol = f"tuolaji_{function.__module__}_{function.__name__}".replace(".", "_")
        self.arguments = tuple(map(_numba_type, arguments))
        self.returns = _numba_type(returns)
        self.dispatcher = _compile(function, **_INNER)
        self.ready = False

    def ensure(self) -> None:
        """Compile it, or load it from the cache, and publish its address.

        Those it calls come first: one that is loaded is linked at once, and asks for no callees.
        """
        if self.ready:
            return
        with global_compiler_lock:  # the first calls may come from several threads at once
            if self.ready:
                return
            ensure_callees(self.dispatcher.py_func)
            self.dispatcher.compile(self.returns(*self.arguments))
            (result,) = self.dispatcher.overloads.values()
            address = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
            llvmlite.binding.add_symbol(self.symbol, address)
            self.ready = True

    def callee(self):
        """The intrinsic that kernels see in the place of the function."""

        def call(typingctx, *args):
            self.ensure()

            def codegen(context, builder, signature, values):
                convention = context.call_conv
                kind = convention.get_function_type(self.returns, self.arguments)
                target = cgutils.get_or_insert_function(builder.module, kind, self.symbol)
                _, result = convention.call_function(
                    builder, target, self.returns, self.arguments, values
                )
                return result

            return self.returns(*self.arguments), codegen

        names = [f"a{i}" for i in range(len(self.arguments))]
        call.__signature__ = inspect.Signature(
            [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in ["ctx", *names]]
        )
        callee = intrinsic(call)
        Boundary.of_callee[id(callee)] = self
        return callee


def ensure_callees(function) -> None:
    """Ensure the boundaries that a function calls, itself or through kernels."""
    waiting, seen = [function], set()
    while waiting:
        function = waiting.pop()
        for name in function.__code__.co_names:
            value = function.__globals__.get(name)
            if id(value) in Boundary.of_callee:
                Boundary.of_callee[id(value)].ensure()
            elif hasattr(value, "py_func") and value not in seen:
                seen.add(value)
                waiting.append(value.py_func)


@functools.cache  # the types of records take long to make
def _numba_type(kind):
    if isinstance(kind, np.dtype):
        return from_dtype(kind)  # a dtype with a shape is a row within a record
    return {int: types.int64, bool: types.boolean, None: types.none}.get(kind, kind)


def boundary(*arguments, returns=None):
    """Compile a kernel apart from its callers.

    arguments: dtypes of records or of rows within them, int, bool, BYTES.
    """

    def decorate(function):
        return Boundary(function, arguments, returns).callee() if COMPILED else function

    return decorate


def driver(function):
    """Compile a kernel that Python calls; the boundaries below it come first."""
    if not COMPILED:
        return function
    compiled = _compile(function)
    ready = False

    @functools.wraps(function)
    def call(*args):
        nonlocal ready
        if not ready:
            ensure_callees(function)
            ready = True
        return compiled(*args)

    call.dispatcher = compiled  # what numba knows of it: its signatures, for tests
    return call


if COMPILED:

    @intrinsic
    def popcount(typingctx, x):
        """Number of set bits of a non-negative int64."""

        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def lowest(typingctx, x):
        """Index of the lowest set bit of an int64; 64 for zero."""

        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], context.get_constant(types.boolean, False))

        return types.int64(types.int64), codegen

    @intrinsic
    def highest(typingctx, x):
        """Index of the highest set bit of an int64; -1 for zero."""

        def codegen(context, builder, signature, args):
            zeros = builder.ctlz(args[0], context.get_constant(types.boolean, False))
            return builder.sub(context.get_constant(types.int64, 63), zeros)

        return types.int64(types.int64), codegen

    @intrinsic
    def _deposit(typingctx, bits, mask):
        """Bits of an int64, lowest first, at the places of the set bits of a mask (x86's PDEP)."""

        def codegen(context, builder, signature, args):
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word, word])
            pdep = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
            return builder.call(pdep, args)

        return types.int64(types.int64, types.int64), codegen

    @intrinsic
    def prefetch(typingctx, records, i, offset):
        """Ask for the cache line at a byte offset of record i, without waiting for it."""

        def codegen(context, builder, signature, values):
            array = context.make_array(signature.args[0])(context, builder, values[0])
            stride = cgutils.unpack_tuple(builder, array.strides)[0]
            byte = ir.IntType(8).as_pointer()
            place = builder.gep(
                builder.bitcast(array.data, byte),
                [builder.add(builder.mul(values[1], stride), values[2])],
            )
            word = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
            call = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            builder.call(call, [place, *(ir.Constant(word, n) for n in (1, 3, 1))])
            return context.get_dummy_value()

        return types.none(records, types.int64, types.int64), codegen

    @inline
    def mix(key, counter):
        """Counter-based generator (splitmix64's finaliser): 63 random bits as int64."""
        z = np.uint64(key) + np.uint64(counter) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
        return np.int64(z >> np.uint64(1))

else:

    def popcount(x):
        return int(x).bit_count()

    def lowest(x):
        x = int(x)
        return (x & -x).bit_length() - 1 if x else 64

    def highest(x):
        return int(x).bit_length() - 1

    def prefetch(records, i, offset):
        pass

    def mix(key, counter):
        mask = (1 << 64) - 1
        z = (int(key) + int(counter) * 0x9E3779B97F4A7C15) & mask
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
        z ^= z >> 31
        return z >> 1


@inline
def nth_bit_by_halves(mask, n):
    """`nth_bit` where the machine has no instruction for it."""
    place = 0
    for half in (32, 16, 8, 4, 2, 1):  # without branches, which would be hard to predict
        below = popcount(mask & ((1 << half) - 1))
        beyond = n >= below
        n -= below * beyond
        mask >>= half * beyond
        place += half * beyond
    return place


if COMPILED and "+bmi2" in cpu_target.target_context.codegen().magic_tuple()[2]:

    @inline
    def nth_bit(mask, n):
        """Index of the set bit of a mask that has n set bits below it."""
        return lowest(_deposit(1 << n, mask))

else:
    nth_bit = nth_bit_by_halves


@inline
def below(key, counter, n):
    """A random integer 0 <= x < n (n < 2**31) from draw `counter` of the stream `key`."""
    return ((mix(key, counter) >> 31) * n) >> 32
