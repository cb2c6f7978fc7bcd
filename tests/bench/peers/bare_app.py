"""A bare Textual app: six tabs, three inputs and a table, nothing else."""

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.widgets import DataTable, Input, TabbedContent, TabPane

LABELS = ("Roofline", "Strong", "Weak", "Limits", "Target", "Exercises")


class BareApp(App[None]):
    """The least that could hold the lab."""

    CSS = "#inputs { height: 3; } Input { width: 1fr; }"

    def compose(self) -> ComposeResult:
        with TabbedContent():
            for number, label in enumerate(LABELS, 1):
                with TabPane(f"{number} {label}"):
                    if number == 1:
                        with Horizontal(id="inputs"):
                            yield Input(placeholder="I")
                            yield Input(placeholder="B")
                            yield Input(placeholder="predict")
                        yield DataTable()

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        table.add_columns("#", "I", "B", "attainable", "limit")
        table.add_rows([(1, 8, 50, 400, "memory"), (2, 8, 100, 800, "memory"), (3, 8, 200, 1000, "COMPUTE")])
        self.query(Input).first().focus()


if __name__ == "__main__":
    BareApp().run(mouse=False)
