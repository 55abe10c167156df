#!/usr/bin/env python3
"""Run the built program as people do, from its archive: python3 packaging/dev.py smoke [ARCHIVE or FOLDER] [--bare]

Unpacks it to a place with spaces and Chinese characters that the program must not write to, and tries: its verbs
without a display and without a network; all it can do, in one process (--selftest); a person at its window, with
numbers and a picture compared with those of the source; two users at once; how fast it starts beside the source.
Prints a line for each and leaves a screenshot in build/. With --bare (root only) also in a Debian that holds nothing.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from environment import PYTHON, ROOT
from executable import bare, stopwatch
from executable.person import Person, screen, wait_for, wait_for_file, wait_until_at_rest

NAME = "attention-explorer"
TITLE = "Attention Explorer"
START_LIMIT = 1.1  # times as long as from source
CHANGES = {"w_q": 3.0, "heads": 2, "mask": [{"kind": "causal", "align": "top_left"}]}


def main(arguments: list[str]) -> int:
    """0 if all of it holds."""
    paths = [argument for argument in arguments if argument != "--bare"]
    given = Path(paths[0]) if paths else newest()
    with tempfile.TemporaryDirectory(prefix="smoke-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        smoke = Smoke(unpacked(given, Path(folder, "with spaces, 注意力")), Path(folder))
        smoke.run()
        if "--bare" in arguments:
            package = next(iter(sorted(given.parent.glob(f"{NAME}_*.deb"))), None)
            root = Path(folder, "root")
            smoke.try_out("runs on a bare Debian", lambda: bare.run(smoke.program.parent, package, root))
    print("smoke: all of it holds" if not smoke.failed else f"smoke: FAILED: {', '.join(smoke.failed)}")
    return 1 if smoke.failed else 0


def newest() -> Path:
    """The archive that was built last."""
    found = [path for path in (ROOT / "dist").glob(f"{NAME}-*") if path.suffix in (".xz", ".zip")]
    if not found:
        sys.exit("dev.py smoke: there is nothing in dist/ yet; dev.py build makes it")
    return max(found, key=lambda path: path.stat().st_mtime)


def unpacked(given: Path, place: Path) -> Path:
    """The program's folder, from an archive or as it is."""
    if given.is_dir():
        return given.resolve()
    place.mkdir()
    if given.suffix == ".zip" and sys.platform == "darwin":
        subprocess.run(["ditto", "-x", "-k", given, place], check=True)
    elif given.suffix == ".zip":
        zipfile.ZipFile(given).extractall(place)
    else:
        with tarfile.open(given) as archive:
            archive.extractall(place, filter="data")
    (folder,) = place.iterdir()
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & ~0o222)
    return folder


def program_in(folder: Path) -> Path:
    """The program file."""
    names = (NAME, f"{NAME}.exe", f"{TITLE}.app/Contents/MacOS/{NAME}")
    return next(folder / name for name in names if (folder / name).is_file())


class Smoke:
    """The tests, each with the sentence that is printed when it holds."""

    def __init__(self, folder: Path, work: Path) -> None:
        self.program = program_in(folder)
        self.work = work
        self.failed: list[str] = []
        # Root may write anywhere: then it is somebody else who starts the program.
        self.users = ["nobody", "daemon"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [None, None]

    def run(self) -> None:
        """All, also after a failure."""
        self.try_out("says its version", self.version)
        self.try_out("traces every example as the source does", self.traces)
        self.try_out("passes its self-test, without a network", self.selftest)
        if sys.platform == "linux":
            self.try_out("says in one sentence that there is no display", self.no_display)
            self.try_out("installs itself into a desktop, and out of it", self.desktop)
            with screen() as display:
                self.try_out("serves a person at its window", lambda: self.person(display))
                self.try_out("serves two users at once", lambda: self.two_users(display))
                self.try_out(
                    f"starts in at most {START_LIMIT} × the time from source", lambda: self.start(display)
                )

    def try_out(self, what: str, test: Callable[[], str | None]) -> None:
        """Run one and say how it went."""
        try:
            note = test()
        except (AssertionError, OSError, StopIteration, subprocess.SubprocessError, RuntimeError) as error:
            self.failed.append(what)
            print(f"smoke: FAILED {what}: {error or repr(error)}", flush=True)
        else:
            print(f"smoke: ok {what}{f': {note}' if note else ''}", flush=True)

    # ---- how the program is started ----

    def options(self, user: str | None = None, display: str | None = None) -> dict[str, Any]:
        """For subprocess: a user's bare environment, with nothing of ours in it."""
        home = self.work / f"home of {user or 'me'}"
        if not home.exists():
            home.mkdir()
            if user:
                shutil.chown(home, user)
        kept = {
            name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "TMP") if name in os.environ
        }
        environment = (
            kept | {"HOME": str(home), "LANG": "C.UTF-8"} | ({"DISPLAY": display} if display else {})
        )
        as_user = {"user": user, "group": "nogroup", "extra_groups": []} if user else {}
        return {"env": environment, "cwd": home, **as_user}

    def call(self, *arguments: str | Path, display: str | None = None, status: int = 0) -> str:
        """Run the program to its end; what it printed."""
        done = self.called(*arguments, display=display)
        output = done.stdout + done.stderr
        assert done.returncode == status, f"exit status {done.returncode}\n{output[-4000:]}"
        return output

    def called(self, *arguments: str | Path, display: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run the program to its end, without a network where that can be taken away."""
        alone = ["unshare", "--net"] if self.can_unshare() else []
        options = self.options(self.users[0], display)
        if alone:  # it is root who takes the network away, and then becomes the user
            user = options.pop("user"), options.pop("group"), options.pop("extra_groups")
            alone += ["setpriv", f"--reuid={user[0]}", f"--regid={user[1]}", "--clear-groups"]
        return subprocess.run(
            [*alone, self.program, *arguments], capture_output=True, text=True, timeout=900, **options
        )

    def can_unshare(self) -> bool:
        """Whether programs can be started here without a network."""
        tools = self.users[0] and shutil.which("unshare") and shutil.which("setpriv")
        return (
            bool(tools) and subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode == 0
        )

    def source(self, *arguments: str | Path, display: str | None = None) -> str:
        """Run something of the source in the developer's environment; what it printed."""
        environment = os.environ | {"PYTHONPATH": str(ROOT / "packaging")} | self.options(None)["env"]
        environment |= {"DISPLAY": display} if display else {}
        done = subprocess.run(
            [PYTHON, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def resources(self, *parts: str) -> Path:
        """A file that comes with the program."""
        return ROOT.joinpath("resources", *parts)

    def shared(self, name: str) -> Path:
        """A folder that both users may write to."""
        folder = self.work / name
        folder.mkdir(exist_ok=True)
        folder.chmod(0o777)
        return folder

    # ---- the tests ----

    def version(self) -> str:
        return self.call("--version").strip()

    def traces(self) -> str:
        scenes = sorted(self.resources("scenes").glob("*.attn.json"))
        ours, theirs = self.shared("traces of source"), self.shared("traces 矩阵")
        for scene in scenes:
            name = scene.name.partition(".")[0] + ".json"
            self.source("-m", "explorer", "trace", scene, "-o", ours / name)
            self.call("trace", scene, "-o", theirs / name)
            differs = difference(read(ours / name), read(theirs / name))
            assert differs == 0, f"{name} differs by {differs:.3g}"
        return f"{len(scenes)} scenes, no difference"

    def selftest(self) -> str:
        log = ROOT / "build" / "selftest.log"
        log.parent.mkdir(exist_ok=True)
        done = self.called("--selftest")
        log.write_text(done.stdout + done.stderr, encoding="utf-8")
        lines = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("ok ")]
        assert done.returncode == 0, "\n".join(["", *lines])
        return lines[-1] + (", network taken away" if self.can_unshare() else "")

    def no_display(self) -> str:
        said = self.call(status=2)
        assert len(said.strip().splitlines()) == 1, said
        return said.strip()

    def desktop(self) -> str:
        share = self.shared("desktop") / "share"  # xdg-mime cannot do with spaces here
        script = self.program.parent / "desktop" / "install.sh"
        environment = self.options()["env"] | {"XDG_DATA_HOME": str(share)}
        subprocess.run(["sh", script], env=environment, check=True, capture_output=True)
        entry = (share / "applications" / f"{NAME}.desktop").read_text(encoding="utf-8")
        assert f'Exec="{self.program}" %f' in entry, entry
        if shutil.which("desktop-file-validate"):
            subprocess.run(["desktop-file-validate", share / "applications" / f"{NAME}.desktop"], check=True)
        opened_with = ""
        if shutil.which("update-mime-database") and shutil.which("xdg-mime"):
            kind = "application/x-attention-explorer+json"
            assert f"{kind}:*.attn.json" in (share / "mime" / "globs2").read_text(encoding="utf-8")
            asked = ["xdg-mime", "query", "default", kind]
            known = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True)
            opened_with = f".attn.json opens with {known.stdout.strip()}"
            assert known.stdout.strip() == f"{NAME}.desktop", known.stdout
        subprocess.run(["sh", script, "--remove"], env=environment, check=True, capture_output=True)
        assert not list(share.rglob(f"{NAME}.*"))
        return opened_with

    def person(self, display: str) -> str:
        """Types into W_q, turns heads to 2 and the mask on, saves, exports a PDF and the numbers, quits."""
        work = self.shared("work 工作")
        session, pdf, numbers = (work / name for name in ("mine.attn.json", "picture.pdf", "numbers.json"))
        shutil.copy(self.resources("scenes", "two-tokens.attn.json"), session)
        session.chmod(0o666)
        original = read(session)
        places = json.loads(self.source("-m", "executable.places", session, display=display))
        options = self.options(self.users[0], display)
        self.remember_forms(Path(options["env"]["HOME"]), self.users[0])
        person = Person(display)
        command = [self.program, session]
        popen = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **options)
        with ended(popen) as program, self.seen(display):
            person.wait_for_window(TITLE)
            wait_until_at_rest(program.pid)
            person.click(places["w_q"])
            person.type("3\n")
            person.click(places["heads"])
            person.press("ctrl+a")
            person.type("2\n")
            person.click(places["mask"])
            person.press("ctrl+s")
            wait_for(lambda: read(session).get("heads") == 2, "the saved session")
            person.press("ctrl+e")
            self.export(person, "Export picture", pdf)
            person.click(places["nothing"])  # no window manager gives the keyboard back after a dialog
            person.press("ctrl+shift+e")
            self.export(person, "Export numbers", numbers)
            self.picture(display, "smoke.png")
            person.click(places["nothing"])
            person.press("ctrl+q")
            status = program.wait(timeout=30)
            said = program.stderr.read() if program.stderr else ""
        assert status == 0 and said == "", f"exit status {status}\n{said}"

        saved = read(session)
        assert saved["w_q"][0][0] == CHANGES["w_q"], saved["w_q"]
        assert saved["mask"] == CHANGES["mask"], saved["mask"]
        wanted = work / "wanted.attn.json"
        original["w_q"][0][0] = CHANGES["w_q"]
        wanted.write_text(json.dumps(original | {name: CHANGES[name] for name in ("heads", "mask")}))
        self.source("-m", "explorer", "trace", wanted, "-o", work / "wanted.json")
        assert difference(read(work / "wanted.json"), read(numbers)) == 0, "the exported numbers differ"
        assert pdf.read_bytes().startswith(b"%PDF"), "the picture is no PDF"
        return "saved, exported and compared; build/smoke.png"

    def picture(self, display: str, name: str) -> None:
        """What is on the screen, as a file in build/."""
        (ROOT / "build").mkdir(exist_ok=True)
        self.source("-m", "executable.places", ROOT / "build" / name, display=display)

    @contextmanager
    def seen(self, display: str) -> Iterator[None]:
        """A picture of the screen where something goes wrong."""
        try:
            yield
        except AssertionError as error:
            self.picture(display, "smoke-failed.png")
            raise AssertionError(f"{error}; see build/smoke-failed.png") from None

    def remember_forms(self, home: Path, user: str | None) -> None:
        """As if this person had exported before: a PDF, and numbers as JSON."""
        settings = home / ".config" / NAME / f"{NAME}.conf"
        settings.parent.mkdir(parents=True)
        settings.write_text("[picture]\nform=.pdf\n[numbers]\nform=.json\n", encoding="utf-8")
        for path in (home / ".config", settings.parent, settings):
            if user:
                shutil.chown(path, user)

    def export(self, person: Person, dialog: str, path: Path) -> None:
        """Agree to what a dialog proposes, and say where to."""
        person.wait_for_window(dialog)
        person.press("Return")
        person.wait_until_gone(dialog)
        person.wait_for_window("^Export$")
        person.press("ctrl+a")
        person.type(str(path))
        for _time in range(3):  # the first one may go to the list of names that are offered
            if person.windows("^Export$"):
                person.press("Return")
        wait_for_file(path)

    def two_users(self, display: str) -> None:
        """Two people, two windows, one folder that neither can write to."""
        person = Person(display)
        with ExitStack() as stack:
            programs = [
                stack.enter_context(ended(subprocess.Popen([self.program], **self.options(user, display))))
                for user in self.users
            ]
            stack.enter_context(self.seen(display))
            person.wait_for_window(TITLE, count=2)
            for program in programs:
                wait_until_at_rest(program.pid)
            for left in (1, 0):
                wait_for(lambda left=left: self.quits_one(person, left), "one window less")  # type: ignore[misc]
            assert [program.wait(timeout=30) for program in programs] == [0, 0]

    def quits_one(self, person: Person, left: int) -> bool:
        """Whether only `left` windows are there still; else ask one of them to close."""
        windows = person.windows(TITLE)
        if len(windows) > left:
            person.focus(windows[0])
            person.press("ctrl+q")
        return len(windows) <= left

    def start(self, display: str) -> str:
        built = [str(self.program)]
        source = [str(PYTHON), str(ROOT / "packaging" / "executable" / "start.py")]
        environment = self.options(None, display)["env"]
        ratios, sentence = stopwatch.compare(built, source, environment, ROOT)
        assert max(ratios) <= START_LIMIT, sentence
        return sentence


@contextmanager
def ended(program: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """A program that does not outlive the test."""
    try:
        yield program
    finally:
        program.kill()
        program.wait()


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def difference(one: Any, other: Any) -> float:
    """The largest between two traces, as JSON has them; infinite where they are not of one form."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return max((difference(one[key], other[key]) for key in one if key != "seconds"), default=0.0)
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return max((difference(*pair) for pair in zip(one, other, strict=True)), default=0.0)
    if isinstance(one, float | int) and isinstance(other, float | int):
        return 0.0 if one == other else abs(one - other)
    return 0.0 if one == other else math.inf


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
