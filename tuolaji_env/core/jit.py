"""Compile policy: the only module that imports numba's decorators.

`kernel` compiles a function (cached on disk), `inline` does the same and forces it into its
callers.  numba optimises a kernel anew inside each of its callers, so that the time to compile
grows with the depth of calls: a `boundary` is compiled once and called through its address, and
a `driver`, what Python calls, sees to it that the boundaries below it are there.

With ``NUMBA_DISABLE_JIT=1`` all of them return the plain function, the bit intrinsics become
Python, and record fields are all int64 (`SMALL`, `SHORT`), so that plain arithmetic means what
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
from numba.extending import intrinsic
from numba.np.numpy_support import from_dtype

COMPILED = not numba.config.DISABLE_JIT
SMALL = np.int8 if COMPILED else np.int64
SHORT = np.int16 if COMPILED else np.int64
BYTES = types.uint8[::1]  # of a boundary: a contiguous row of uint8


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

    def _store_codegen(context, builder, signature, values):
        array = context.make_array(signature.args[0])(context, builder, values[0])
        lanes = ir.VectorType(ir.IntType(8), 64)
        place = builder.bitcast(builder.gep(array.data, [values[1]]), lanes.as_pointer())
        counts = ir.Constant(lanes, [0] * 64)
        for word in values[2:]:
            bits = builder.bitcast(word, ir.VectorType(ir.IntType(1), 64))
            counts = builder.sub(counts, builder.sext(bits, lanes))  # minus -1 for each bit
        builder.store(counts, place, align=1)
        return context.get_dummy_value()

    @intrinsic
    def store_counts(typingctx, row, at, p0, p1, p2, p3):
        """Store for each k < 64 how many of four int64 have bit k, as byte at + k of a row.

        The row is contiguous uint8.  All 64 bytes are written without a bounds check: they must
        lie within the array that the row belongs to.
        """
        return types.none(row, *[types.int64] * 5), _store_codegen

    @intrinsic
    def store_counts_2(typingctx, row, at, p0, p1):
        """`store_counts` of two planes."""
        return types.none(row, *[types.int64] * 3), _store_codegen

    @intrinsic
    def store_byte(typingctx, row, at, number):
        """Store an int64 or a truth, below 256, as a byte of a row of uint8, unchecked."""

        def codegen(context, builder, signature, values):
            array = context.make_array(signature.args[0])(context, builder, values[0])
            byte = ir.IntType(8)
            narrow = values[2].type.width > 8
            value = (builder.trunc if narrow else builder.zext)(values[2], byte)
            builder.store(value, builder.gep(array.data, [values[1]]))
            return context.get_dummy_value()

        return types.none(row, types.int64, number), codegen

    @intrinsic
    def copy_bytes(typingctx, row, at, source, first, count):
        """Copy so many bytes of one row of uint8 to a place in another, unchecked."""

        def codegen(context, builder, signature, values):
            to, since = (
                builder.gep(context.make_array(kind)(context, builder, array).data, [offset])
                for kind, array, offset in zip(
                    signature.args[0:3:2], values[0:3:2], values[1:4:2], strict=True
                )
            )
            cgutils.raw_memcpy(builder, to, since, values[4], 1)
            return context.get_dummy_value()

        return types.none(row, types.int64, source, types.int64, types.int64), codegen

    @intrinsic
    def store_word(typingctx, row, at, word):
        """Store an int64 as bytes at .. at + 7 of a row of uint8, lowest first, unchecked."""

        def codegen(context, builder, signature, values):
            array = context.make_array(signature.args[0])(context, builder, values[0])
            place = builder.gep(array.data, [values[1]])
            builder.store(values[2], builder.bitcast(place, values[2].type.as_pointer()), align=1)
            return context.get_dummy_value()

        return types.none(row, types.int64, types.int64), codegen

    def _seat_bytes(unit):
        def codegen(context, builder, signature, values):
            array = context.make_array(signature.args[0])(context, builder, values[0])
            bits = signature.args[0].dtype.bitwidth
            lanes = ir.VectorType(ir.IntType(bits), 8)
            seats = builder.load(builder.bitcast(array.data, lanes.as_pointer()), align=1)
            if bits > 8:
                seats = builder.udiv(seats, ir.Constant(lanes, [unit] * 8))
                most = ir.Constant(lanes, [255] * 8)
                seats = builder.select(builder.icmp_unsigned(">", seats, most), most, seats)
                seats = builder.trunc(seats, ir.VectorType(ir.IntType(8), 8))
            return builder.bitcast(seats, ir.IntType(64))

        return codegen

    @intrinsic
    def seat_bytes(typingctx, numbers):
        """Non-negative numbers of seven seats as the bytes of an int64, at most 255 each.

        The top byte means nothing: what follows them in their record is read.
        """
        return types.int64(numbers), _seat_bytes(1)

    @intrinsic
    def seat_fives(typingctx, numbers):
        """As `seat_bytes`, each divided by five."""
        return types.int64(numbers), _seat_bytes(5)

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

    def store_counts(row, at, p0, p1, p2, p3):
        for k in range(64):
            row[at + k] = sum((int(plane) >> k) & 1 for plane in (p0, p1, p2, p3))

    def store_counts_2(row, at, p0, p1):
        store_counts(row, at, p0, p1, 0, 0)

    def store_byte(row, at, number):
        row[at] = number

    def copy_bytes(row, at, source, first, count):
        row[at : at + count] = source[first : first + count]

    def store_word(row, at, word):
        for i in range(8):
            row[at + i] = (int(word) >> 8 * i) & 255

    def seat_bytes(numbers):
        return sum(min(int(n), 255) << 8 * i for i, n in enumerate(numbers))

    def seat_fives(numbers):
        return seat_bytes([int(n) // 5 for n in numbers])

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
def below(key, counter, n):
    """A random integer 0 <= x < n (n < 2**31) from draw `counter` of the stream `key`."""
    return ((mix(key, counter) >> 31) * n) >> 32
