"""Where the program is run: on the bare terminal, in tmux, in GNU screen, over a real sshd."""

from __future__ import annotations

import getpass
import os
import shlex
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.terminal.harness import PATIENCE, Session


def need(program: str) -> str:
    """The path of a program; the test is skipped without it, or fails where CI asks for all of them."""
    path = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if path is None:
        reason = f"{program} is not installed"
        if os.environ.get("ROOFLAB_REQUIRE_TERMINAL"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@contextmanager
def bare(args: list[str], env: dict[str, str]) -> Iterator[Session]:
    """The terminal itself."""
    session = Session(args, env)
    try:
        yield session
    finally:
        session.close()


@contextmanager
def in_tmux(args: list[str], env: dict[str, str]) -> Iterator[Session]:
    """A tmux server of its own."""
    tmux = need("tmux")
    # The path of a socket is limited to about 100 characters, pytest's folders are longer.
    with TemporaryDirectory(prefix="rl-") as folder:
        env = {**env, "TMUX_TMPDIR": folder}
        server = [tmux, "-L", "rooflab", "-f", os.devnull]
        try:
            with bare([*server, "new-session", *args], env) as session:
                yield session
        finally:
            subprocess.run([*server, "kill-server"], env=env, capture_output=True, check=False)


@contextmanager
def in_screen(args: list[str], env: dict[str, str], settings: str = "") -> Iterator[Session]:
    """A GNU screen of its own, with its defaults (no altscreen, no -U) or other settings."""
    screen = need("screen")
    with TemporaryDirectory(prefix="rl-") as folder:
        os.chmod(folder, 0o700)
        env = {**env, "SCREENDIR": folder}
        try:
            rc = Path(folder).with_suffix(".rc")
            rc.write_text(settings)
            with bare([screen, "-c", str(rc), "-S", "rooflab", *args], env) as session:
                yield session
        finally:
            subprocess.run([screen, "-S", "rooflab", "-X", "quit"], env=env, capture_output=True, check=False)


@contextmanager
def over_ssh(args: list[str], env: dict[str, str]) -> Iterator[Session]:
    """A real sshd on a port of its own, with keys of its own."""
    sshd, ssh, keygen = need("sshd"), need("ssh"), need("ssh-keygen")
    with TemporaryDirectory(prefix="rl-") as name:
        folder = Path(name)
        for key in ("host", "user"):
            subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", str(folder / key)], check=True)
        port = _free_port()
        config = folder / "sshd_config"
        config.write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nPidFile none\n"
            f"AuthorizedKeysFile {folder}/user.pub\nStrictModes no\nPermitRootLogin yes\n"
            "PasswordAuthentication no\nUsePAM no\nPrintMotd no\nPrintLastLog no\n"
        )
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(exist_ok=True)  # sshd's empty folder for its unprivileged half
        log = folder / "log"
        server = subprocess.Popen([sshd, "-D", "-f", str(config), "-E", str(log)])
        try:
            _wait_for_port(port, log)
            wanted = ["env", *(f"{key}={value}" for key, value in env.items() if key != "PATH"), *args]
            line = [ssh, "-F", os.devnull, "-i", str(folder / "user"), "-p", str(port), "-q", "-tt"]
            options = ("StrictHostKeyChecking=no", f"UserKnownHostsFile={os.devnull}", "BatchMode=yes")
            line += [part for option in options for part in ("-o", option)]
            with bare([*line, f"{getpass.getuser()}@127.0.0.1", shlex.join(wanted)], env) as session:
                yield session
        finally:
            server.kill()
            server.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for_port(port: int, log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            continue
    raise AssertionError(f"sshd does not listen: {log.read_text() if log.exists() else 'no log'}")
