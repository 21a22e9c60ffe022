"""Questions about the instructions of object files, in SQL (DuckDB) and in expressions (Polars), in one process."""

from __future__ import annotations

import sys

import duckdb
import isagen
import polars as pl
import pyarrow as pa

MNEMONICS = "select mnemonic, count(*) as rows from insns group by mnemonic order by rows desc, mnemonic limit 5"
"""The most frequent mnemonics."""

STALLS = """
select field.value as stall, count(*) as rows
from (select unnest(fields) as field from insns) where field.name = 'stall' group by stall order by stall
"""
"""The scheduling codes: the number of cycles that the next instruction waits."""

PATTERN = """
with lines as (select *, lead(text) over (partition by file, object, section order by address) as next from insns)
select function, address, text, next from lines
where mnemonic = 'S2R' and next like 'IMAD%' order by function, address
"""
"""The places where an S2R precedes an IMAD."""


def main(paths: list[str]) -> tuple[list[tuple[object, ...]], ...]:
    """Answers the three questions for files, and the first one again with Polars."""
    batches = [pa.RecordBatchReader.from_stream(isagen.scan_object(path)).read_all() for path in paths]
    insns = pa.concat_tables(batches)
    with duckdb.connect() as connection:
        connection.register("insns", insns)
        answers = tuple(connection.execute(question).fetchall() for question in (MNEMONICS, STALLS, PATTERN))
    frame = pl.DataFrame(insns.select(["mnemonic"]))
    counted = frame.group_by("mnemonic").len().sort(["len", "mnemonic"], descending=[True, False]).head(5)
    assert [tuple(row) for row in counted.rows()] == answers[0]
    # Columns of Polars can also be passed in and returned.
    words = pl.Series([0x00500513, 0x00008067], dtype=pl.UInt32)
    said = pl.Series("said", isagen.disasm("rv64gc", words))
    assert said.struct.field("text").to_list() == ["li a0,5", "ret"]
    return answers


if __name__ == "__main__":
    for table in main(sys.argv[1:]):
        for row in table:
            print(*row, sep="\t")
        print()
