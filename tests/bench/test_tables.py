"""The bench of tables measures only what did its work."""

import pytest

from tests.bench.tables import WrongTable, check

MEDIANS = '{"1":100.1,"2":50.1}'


def test_the_table_that_pandas_would_make_is_taken() -> None:
    check('{"rows": [{"devices": 1, "time_s": 100.1}, {"devices": 2, "time_s": 50.1}]}', MEDIANS)


@pytest.mark.parametrize(
    "printed",
    [
        "",
        "rooflab: a fault of the program",
        '{"rows": []}',
        '{"rows": [{"devices": 1, "time_s": 100.1}]}',
        '{"rows": [{"devices": 1, "time_s": 100.1}, {"devices": 2, "time_s": 50.2}]}',
        '{"rows": [{"devices": 1}]}',
    ],
)
def test_anything_else_is_refused(printed: str) -> None:
    with pytest.raises(WrongTable):
        check(printed, MEDIANS)
