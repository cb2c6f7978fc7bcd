"""What can go wrong with a file, as exceptions whose text is one sentence that says what to do."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path


class FileError(Exception):
    """A file could not be read or saved; `path` is the file, the text one sentence."""

    def __init__(self, path: Path, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path


class FileMissing(FileError):
    """There is no file of this name."""


class FolderMissing(FileError):
    """The folder that the file should be in does not exist."""


class IsFolder(FileError):
    """The name belongs to a folder."""


class NotAFile(FileError):
    """The name belongs to a device, a pipe or a socket."""


class NotPermitted(FileError):
    """The file or its folder may not be read or written by this user."""


class ReadOnly(FileError):
    """The file system is mounted read-only."""


class NoSpace(FileError):
    """The disk, the quota or the size limit of the process is used up."""


class AlreadyThere(FileError):
    """A file of this name exists, and nobody agreed to replace it."""


class NameTooLong(FileError):
    """The file system does not take a name of this length."""


class Busy(FileError):
    """Another program is saving the same file and does not finish."""


class ChangedElsewhere(FileError):
    """The file is not the one that was read: changed, removed, or made by somebody else meanwhile."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(path, f"{path} {what}; it was not overwritten: reload it or save a copy")


_KINDS: dict[int, tuple[type[FileError], str]] = {
    errno.ENOTDIR: (FolderMissing, "a part of its path is a file, not a folder"),
    errno.EISDIR: (IsFolder, "it is a folder: give a file name"),
    errno.EACCES: (NotPermitted, "permission denied"),
    errno.EPERM: (NotPermitted, "permission denied"),
    errno.EROFS: (ReadOnly, "the disk is mounted read-only"),
    errno.ENOSPC: (NoSpace, "no space is left on the disk"),
    errno.EDQUOT: (NoSpace, "your disk quota is used up"),
    errno.EFBIG: (NoSpace, "it would exceed the file size limit"),
    errno.ENAMETOOLONG: (NameTooLong, "the name is too long"),
    errno.ELOOP: (FileMissing, "its symbolic links go round in a circle"),
}


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn the system's errors inside the block into the kinds above, for a file being read."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOENT:
            raise FileMissing(path, f"there is no file {path}") from error
        kind, why = _kind(error)
        raise kind(path, f"cannot read {path}: {why}") from error
    except ValueError as error:  # a NUL in the name never reaches the system
        raise FileMissing(path, f"cannot read {str(path)!r}: {error}") from error


@contextlib.contextmanager
def saving(path: Path) -> Iterator[None]:
    """Turn the system's errors inside the block into the kinds above, for a file being saved."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOENT:
            raise FolderMissing(path, f"cannot save {path}: there is no folder {path.parent}") from error
        kind, why = _kind(error)
        raise kind(path, f"cannot save {path}: {why}") from error
    except ValueError as error:
        raise FileError(path, f"cannot save {str(path)!r}: {error}") from error


def _kind(error: OSError) -> tuple[type[FileError], str]:
    fallback = (FileError, (error.strerror or str(error)).lower())
    return _KINDS.get(error.errno or 0, fallback)
