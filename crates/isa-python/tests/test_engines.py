"""Engines with several processes give the same answer as one process, even if one of their processes is killed. Opt-in: `ISAGEN_ENGINES=1`, with Ray, PySpark and
Java installed. `ISAGEN_CORPUS=FOLDER` gives them the files of that folder."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT, SAXPY

EXAMPLES = ROOT / "crates/isa-python/examples"
sys.path.insert(0, str(EXAMPLES))

pa = pytest.importorskip("pyarrow")
opt_in = pytest.mark.skipif("ISAGEN_ENGINES" not in os.environ, reason="ISAGEN_ENGINES=1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cubins, a program, a wheel, and other files; or the folder of `ISAGEN_CORPUS`."""
    if "ISAGEN_CORPUS" in os.environ:
        return Path(os.environ["ISAGEN_CORPUS"])
    folder = tmp_path_factory.mktemp("corpus")
    for path in [*sorted((ROOT / "tests/cubins").glob("*/*.cubin"))[:6], ROOT / "tests/programs/collatz"]:
        shutil.copy(path, folder)
    shutil.make_archive(str(folder / "wheel"), "zip", SAXPY.parent)
    (folder / "wheel.zip").rename(folder / "some-1.0-py3-none-any.whl")
    (folder / "README.txt").write_text("no code")
    return folder


def test_questions_in_sql() -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("polars")
    import sql

    mnemonics, stalls, pattern = sql.main([str(SAXPY)])
    assert mnemonics == [("NOP", 12), ("IMAD", 4), ("BRA", 2), ("EXIT", 2), ("ISETP", 2)]
    assert stalls[0] == (0, 13) and sum(int(str(rows)) for _, rows in stalls) == 32
    assert pattern == [("saxpy", 32, "S2R R3, SR_TID.X", "IMAD R0, R0, c[0x0][0x0], R3")]


@pytest.fixture(scope="module")
def expected(folder: Path) -> pa.Table:
    """The answer of one process."""
    import corpus

    return corpus.one_process(str(folder))


def victim(folder: Path) -> str:
    """The file in the middle: the process that works on it is killed."""
    import corpus

    paths = corpus.paths(folder)
    return paths[len(paths) // 2]


def check_peaks(capsys: pytest.CaptureFixture[str]) -> None:
    """Each worker has had 1 GiB of memory at most."""
    printed = capsys.readouterr().out
    with capsys.disabled():
        print(printed.splitlines()[-1])
    peaks = [int(peak) for peak in re.findall(r"(\d+) MiB", printed)]
    assert peaks and max(peaks) <= 1024, printed


def test_one_process(expected: pa.Table, tmp_path: Path) -> None:
    import corpus

    answer = expected
    assert "ISAGEN_CORPUS" in os.environ or set(answer["arch"].to_pylist()) >= {"sm_80", "riscv64"}
    saxpy = corpus.total(corpus.counts(str(SAXPY)))
    assert sum(saxpy["rows"].to_pylist()) == 32 and {"arch": "sm_80", "mnemonic": "EXIT", "stall": 5, "rows": 2} in saxpy.to_pylist()
    if shutil.which("fc-list") or sys.modules.get("matplotlib"):
        pytest.importorskip("matplotlib")
        corpus.plot(answer, str(tmp_path / "plot.png"))
        assert (tmp_path / "plot.png").stat().st_size > 10_000


def dies_once(marker: Path, of: str) -> None:
    """Kills a process, once: this one, or the executor that this one works for."""
    try:
        marker.touch(exist_ok=False)
    except FileExistsError:
        return
    pid = os.getpid()
    while of == "executor":
        pid = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
        if "java" in os.readlink(f"/proc/{pid}/exe"):
            break
    os.kill(pid, signal.SIGKILL)


@opt_in
@pytest.mark.parametrize("kills", [False, True])
def test_ray(folder: Path, expected: pa.Table, tmp_path: Path, kills: bool, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ray")
    import corpus_ray
    import ray

    marker, tests, killed_at = tmp_path / "killed", str(Path(__file__).parent), victim(folder)

    def counts(batch: pa.Table) -> Iterator[pa.Table]:
        sys.path[:0] = [str(EXAMPLES), tests]
        import corpus_ray

        for table in corpus_ray.counts(batch):
            if kills and batch["path"][0].as_py() == killed_at:
                from test_engines import dies_once

                dies_once(marker, "worker")
            yield table

    corpus_ray.start()
    try:
        assert corpus_ray.answer(str(folder), task=counts).equals(expected)
    finally:
        ray.shutdown()
    assert marker.exists() == kills
    check_peaks(capsys)


@opt_in
@pytest.mark.parametrize("kills", [False, True])
def test_spark(folder: Path, expected: pa.Table, tmp_path: Path, kills: bool, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("there is no Java")
    import corpus_spark

    marker, tests, killed_at = tmp_path / "killed", str(Path(__file__).parent), victim(folder)

    def counts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        sys.path[:0] = [str(EXAMPLES), tests]
        import corpus_spark

        for batch in batches:
            for part in corpus_spark.counts(iter([batch])):
                if kills and batch["path"][0].as_py() == killed_at:
                    from test_engines import dies_once

                    dies_once(marker, "executor")
                yield part

    session = corpus_spark.start()
    try:
        assert corpus_spark.answer(session, str(folder), task=counts).equals(expected)
    finally:
        session.stop()
    assert marker.exists() == kills
    check_peaks(capsys)
