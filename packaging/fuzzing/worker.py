"""One process that reads damaged files, within limits, and tells of each what came of it."""

import random
import sys
import tempfile
import time
import traceback
from pathlib import Path

from fuzzing.judge import judge
from fuzzing.mutate import mutated
from fuzzing.samples import samples

MOST_MEMORY = 1 << 30  # bytes, above what Python and its libraries take by themselves
MOST_SECONDS = 5.0


def work(seed: int, cases: range) -> None:
    """Prints `begin NUMBER` and `NUMBER KIND OUTCOME`, where OUTCOME is read, refused or `fault …`."""
    files = samples()
    if "torch" in files:
        import torch  # noqa: F401  before memory is limited: it maps gigabytes that it does not use
    limited, slowest = limit_memory(), 0.0
    with tempfile.TemporaryDirectory(prefix="attention-explorer-fuzz-") as folder:
        for number in cases:
            print("begin", number, flush=True)
            kind, suffix, content = case(files, seed, number)
            path = Path(folder) / f"case-{number}{suffix}"
            path.write_bytes(content)
            began = time.process_time()
            outcome = verdict(kind, path)
            seconds = time.process_time() - began
            slowest = max(slowest, seconds)
            if seconds > MOST_SECONDS:
                outcome = f"fault it took {seconds:.1f} s"
            path.unlink()
            print(number, kind, outcome, flush=True)
    print("slowest", round(slowest * 1000), flush=True)
    if limited:
        import resource

        print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, flush=True)


def case(files: dict[str, list[tuple[str, bytes]]], seed: int, number: int) -> tuple[str, str, bytes]:
    """Kind, suffix and content of a case: always the same for the same seed and number."""
    rng = random.Random(f"{seed}/{number}")
    kind = list(files)[number % len(files)]
    suffix, content = rng.choice(files[kind])
    _, other = rng.choice(files[kind])
    return kind, suffix, mutated(kind, content, other, rng)


def verdict(kind: str, path: Path) -> str:
    """What came of a file."""
    try:
        return judge(kind, path)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        told = " ".join(str(error).split())[:200]
        return f"fault {type(error).__name__} at {Path(where.filename).name}:{where.lineno}: {told}"


def limit_memory() -> bool:
    """True where this system can: more than it has now plus MOST_MEMORY is refused to this process."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (ImportError, OSError):
        return False
    now = pages * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MOST_MEMORY, now + MOST_MEMORY))
    return True


if __name__ == "__main__":
    work(int(sys.argv[1]), range(int(sys.argv[2]), int(sys.argv[3])))
