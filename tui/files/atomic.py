"""The one way a file is written: all of it or nothing, and never over somebody else's work.

`write` puts the new bytes into a hidden temporary file of the same folder, brings them to the disk,
and only then gives them the file's name. Whoever reads the name, at any moment and after any kill,
finds the whole old file or the whole new one.

What was read is remembered as a `Fingerprint` of its bytes. A save hands the fingerprint back, and a
file that no longer matches it is left alone (`ChangedElsewhere`). Two programs that save the same file
at once take turns by a lock on the file itself, which the system drops when its holder dies; where a
network file system has no locks, the check still runs directly before the rename.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from .errors import Busy, ChangedElsewhere, FileMissing, NotAFile, reading, saving

LOCK_PATIENCE_S = 2.0
"""How long a save waits for another program's save of the same file; one takes milliseconds."""

LOCK_LOOK_S = 0.01
"""How often a waiting save looks whether the other one has finished."""

STALE_AFTER_S = 3600.0
"""Age at which a temporary file can only be what a killed save left behind."""

PRIVATE = 0o600
SHARED = 0o666
"""Permission bits of new files: in the state folder, and elsewhere (less the user's umask)."""


@dataclass(frozen=True)
class Fingerprint:
    """Identity of a file's content; times and inodes are left out, as copying or touching changes nothing."""

    size: int
    sha256: str

    @classmethod
    def of(cls, data: bytes) -> Fingerprint:
        """The fingerprint of these bytes."""
        return cls(len(data), hashlib.sha256(data).hexdigest())


@dataclass(frozen=True)
class Contents:
    """What was read, and the fingerprint that a later save has to hand back."""

    data: bytes
    fingerprint: Fingerprint


def read(path: Path) -> Contents:
    """The bytes of a file.

    Raises:
        FileError: one of its kinds, each with one sentence (missing, a folder, no permission, …).
    """
    with reading(path):
        descriptor = _open(path)
        try:
            data = _read_all(descriptor)
        finally:
            os.close(descriptor)
    return Contents(data, Fingerprint.of(data))


def stream(path: Path) -> BinaryIO:
    """The bytes of a file as a stream, for readers that keep only a part of a large one. Errors as `read`."""
    with reading(path):
        return os.fdopen(_open(path), "rb")


def _open(path: Path) -> int:
    # Without O_NONBLOCK a pipe without a writer would hold the program for ever.
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        _insist_on_file(path, os.fstat(descriptor))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def write(path: Path, data: bytes, expected: Fingerprint | None, *, mode: int = SHARED) -> Fingerprint:
    """Save `data` as the whole content of `path`, on the disk when this returns.

    `expected` is the fingerprint of what was read or last written there; None where there was no file.
    A symbolic link stays a link, its target is written. An existing file keeps its permission bits,
    access list and owner as far as the system allows; `mode` is for a new one.

    Raises:
        ChangedElsewhere: when the file is not the one expected; nothing was written.
        FileError: another of its kinds; the file is as it was, and no temporary file is left.
    """
    with saving(path):
        target = Path(os.path.realpath(path))
        temporary = target.with_name(f"{_temporary_prefix(target)}{os.urandom(4).hex()}")
        try:
            before = _status(target)
            _fill(temporary, data, target, before, mode)
            if before is None:
                _publish_new(temporary, target, data, expected)
            else:
                _replace(temporary, target, data, expected)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        _sync_folder(target.parent)
    return Fingerprint.of(data)


def overwrite(path: Path, data: bytes, *, mode: int = SHARED) -> Fingerprint:
    """Save `data` whatever `path` holds now: for a replacement that was agreed to.

    Raises:
        FileError: as `write`; also when the file changes in the very moment.
    """
    try:
        found = read(path).fingerprint
    except FileMissing:
        found = None
    return write(path, data, found, mode=mode)


def sweep(path: Path) -> int:
    """Remove what killed saves of this very file left beside it over an hour ago; how many that were.

    Ages are taken against the file's own folder listing, so two machines' clocks are never compared
    closer than the hour. Nothing is raised: this is housekeeping.
    """
    target = Path(os.path.realpath(path))
    prefix = _temporary_prefix(target)
    removed = 0
    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if entry.name.startswith(prefix):
                with contextlib.suppress(OSError):
                    if time.time() - entry.stat(follow_symlinks=False).st_mtime > STALE_AFTER_S:
                        os.unlink(entry.path)
                        removed += 1
    return removed


def _temporary_prefix(target: Path) -> str:
    """Hidden, the same for every save of one file, and short: a long name must not grow past the limit."""
    return f".rooflab-{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:12]}-"


def _status(target: Path) -> os.stat_result | None:
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return None
    _insist_on_file(target, status)
    return status


def _insist_on_file(path: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(status.st_mode):
        # A rename would put a plain file in the place of, say, /dev/null.
        raise NotAFile(path, f"{path} is a device or a pipe, not a file")


def _read_all(descriptor: int) -> bytes:
    chunks = []
    while chunk := os.read(descriptor, 1 << 20):
        chunks.append(chunk)
    return b"".join(chunks)


def _fill(temporary: Path, data: bytes, target: Path, before: os.stat_result | None, mode: int) -> None:
    """Write the temporary file and bring it to the disk; never readable to more people than the target."""
    first = mode if before is None else PRIVATE
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, first)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        if before is not None:
            _take_over(descriptor, target, before)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)  # a full quota on a network disk may only show here


def _take_over(descriptor: int, target: Path, before: os.stat_result) -> None:
    """Owner, group, access list and permission bits of the old file, as far as this user may set them."""
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (before.st_uid, before.st_gid):
        try:
            os.fchown(descriptor, before.st_uid, before.st_gid)
        except OSError:
            with contextlib.suppress(OSError):
                os.fchown(descriptor, -1, before.st_gid)
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(target):
                with contextlib.suppress(OSError):
                    os.setxattr(descriptor, name, os.getxattr(target, name))
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))


def _publish_new(temporary: Path, target: Path, data: bytes, expected: Fingerprint | None) -> None:
    if expected is not None:
        raise ChangedElsewhere(target, _difference(expected, None))
    try:
        os.link(temporary, target)  # unlike rename, this fails where somebody was faster
    except FileExistsError:
        theirs = read(target)
        if theirs.data != data:
            raise ChangedElsewhere(target, _difference(None, theirs.fingerprint)) from None
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        os.rename(temporary, target)


_NO_HARD_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV}


def _replace(temporary: Path, target: Path, data: bytes, expected: Fingerprint | None) -> None:
    with _claimed(target) as found:
        # Our own bytes are no foreign change: an earlier save may have got through and failed to say so.
        if found != expected and found != Fingerprint.of(data):
            raise ChangedElsewhere(target, _difference(expected, found))
        os.replace(temporary, target)


def _difference(expected: Fingerprint | None, found: Fingerprint | None) -> str:
    if found is None:
        return "was removed or renamed since it was read"
    return "was made by another program meanwhile" if expected is None else "was changed by another program"


@contextlib.contextmanager
def _claimed(target: Path) -> Iterator[Fingerprint | None]:
    """Hold the file against other saves and yield what it holds now; None when it is gone."""
    descriptor = _open_locked(target)
    if descriptor is None:
        yield None
        return
    try:
        yield Fingerprint.of(_read_all(descriptor))
    finally:
        os.close(descriptor)  # drops the lock


def _open_locked(target: Path) -> int | None:
    """A descriptor of the file that bears the name now, locked where the file system has locks.

    A waiting save may find that its lock is on the file that the other save has just replaced; then it
    starts over with the new one. Opening for writing respects a file that was made read-only on purpose,
    which a rename alone would not.
    """
    deadline = time.monotonic() + LOCK_PATIENCE_S
    while True:
        try:
            descriptor = os.open(target, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
        try:
            if _lock(descriptor) and _bears_name(descriptor, target):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        if time.monotonic() > deadline:
            raise Busy(target, f"another program is saving {target} and does not finish")
        # A lock has no timeout of its own. A wait inside the system could only be cut short by a signal,
        # which goes to the main thread and not to the one that saves, or by a second thread that would hang
        # there for as long as the other program does. So this looks again until the patience is over.
        time.sleep(LOCK_LOOK_S)


def _lock(descriptor: int) -> bool:
    """False while another program holds the lock; True also where locks do not work at all."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EINTR)
    return True


def _bears_name(descriptor: int, target: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(target))
    except FileNotFoundError:
        return False


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut; folders that cannot be opened or synced are let be."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EBADF, errno.ENOSYS):
            raise
    finally:
        os.close(descriptor)
