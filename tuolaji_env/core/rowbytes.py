"""Bytes of rows: whole segments of a row of uint8 at once, unchecked, and in Python alike.

What is stored may reach beyond what is told (the docstrings say how far); it must lie within the
array that the row belongs to.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from .jit import COMPILED

BYTES = types.CPointer(types.uint8)  # of a boundary: where an array of bytes begins

if COMPILED:

    @intrinsic
    def start_of(typingctx, array):
        """Where a contiguous array begins: what rows are written to and read from.

        Kernels count the references to arrays that they hand to each other, which takes longer
        than to write a segment; to a place they do not.  Its array must outlive it.
        """
        if array.layout != "C" or not array.mutable:
            raise TypingError("rows lie in arrays that are contiguous and not read-only")

        def codegen(context, builder, signature, values):
            return context.make_array(array)(context, builder, values[0]).data

        return types.CPointer(array.dtype)(array), codegen

    def _place(builder, values, kind):
        """`at` numbers on from the start of a row, as a pointer to something else."""
        return builder.bitcast(builder.gep(values[0], [values[1]]), kind.as_pointer())

    def _store_codegen(count):
        """Store how many of the words have each of `count` bits, as bytes of a row."""

        def codegen(context, builder, signature, values):
            byte, lanes = ir.IntType(8), ir.VectorType(ir.IntType(8), count)
            counts = ir.Constant(lanes, [0] * count)
            # Each byte of a word goes to eight lanes, which look at a bit of it each.
            eighth = ir.Constant(
                ir.VectorType(ir.IntType(32), count), [k // 8 for k in range(count)]
            )
            bit = ir.Constant(lanes, [1 << k % 8 for k in range(count)])
            for word in values[2:]:
                eight = builder.bitcast(word, ir.VectorType(byte, 8))
                spread = builder.shuffle_vector(
                    eight, ir.Constant(eight.type, ir.Undefined), eighth
                )
                there = builder.icmp_unsigned("==", builder.and_(spread, bit), bit)
                counts = builder.sub(counts, builder.sext(there, lanes))  # minus -1 for each bit
            builder.store(counts, _place(builder, values, lanes), align=1)
            return context.get_dummy_value()

        return codegen

    @intrinsic
    def store_counts(typingctx, row, at, p0, p1, p2, p3):
        """Store for each k < 64 how many of four int64 have bit k, as byte at + k of a row.

        All 64 bytes are written without a bounds check: they must lie within the array that the
        row belongs to.
        """
        return types.none(row, *[types.int64] * 5), _store_codegen(64)

    @intrinsic
    def store_counts_2(typingctx, row, at, p0, p1):
        """`store_counts` of two planes."""
        return types.none(row, *[types.int64] * 3), _store_codegen(64)

    @intrinsic
    def store_32_bits(typingctx, row, at, word):
        """Store the lowest 32 bits of an int64 as bytes at .. at + 31 of a row, unchecked."""
        return types.none(row, types.int64, types.int64), _store_codegen(32)

    @intrinsic
    def clear_bytes(typingctx, row, at, count):
        """Make so many bytes of a row zero."""

        def codegen(context, builder, signature, values):
            cgutils.memset(builder, builder.gep(values[0], [values[1]]), values[2], 0)
            return context.get_dummy_value()

        return types.none(row, types.int64, types.int64), codegen

    @intrinsic
    def store_byte(typingctx, row, at, number):
        """Store an int64 or a truth, below 256, as a byte of a row of uint8, unchecked."""

        def codegen(context, builder, signature, values):
            byte = ir.IntType(8)
            narrow = values[2].type.width > 8
            value = (builder.trunc if narrow else builder.zext)(values[2], byte)
            builder.store(value, builder.gep(values[0], [values[1]]))
            return context.get_dummy_value()

        return types.none(row, types.int64, number), codegen

    @intrinsic
    def copy_32(typingctx, row, at, source, first):
        """Copy 32 bytes of one row of uint8 to a place in another, unchecked."""

        def codegen(context, builder, signature, values):
            lanes = ir.VectorType(ir.IntType(8), 32)
            to, since = (_place(builder, pair, lanes) for pair in (values[:2], values[2:]))
            builder.store(builder.load(since, align=1), to, align=1)
            return context.get_dummy_value()

        return types.none(row, types.int64, source, types.int64), codegen

    @intrinsic
    def store_word(typingctx, row, at, word):
        """Store an int64 as bytes at .. at + 7 of a row of uint8, lowest first, unchecked."""

        def codegen(context, builder, signature, values):
            builder.store(values[2], _place(builder, values, values[2].type), align=1)
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

else:

    def start_of(array):
        return array.reshape(-1)

    def store_counts(row, at, p0, p1, p2, p3):
        for k in range(64):
            row[at + k] = sum((int(plane) >> k) & 1 for plane in (p0, p1, p2, p3))

    def store_counts_2(row, at, p0, p1):
        store_counts(row, at, p0, p1, 0, 0)

    def store_32_bits(row, at, word):
        for k in range(32):
            row[at + k] = (int(word) >> k) & 1

    def clear_bytes(row, at, count):
        row[at : at + count] = 0

    def store_byte(row, at, number):
        row[at] = number

    def copy_32(row, at, source, first):
        row[at : at + 32] = source[first : first + 32]

    def store_word(row, at, word):
        for i in range(8):
            row[at + i] = (int(word) >> 8 * i) & 255

    def seat_bytes(numbers):
        return sum(min(int(n), 255) << 8 * i for i, n in enumerate(numbers))

    def seat_fives(numbers):
        return seat_bytes([int(n) // 5 for n in numbers])
