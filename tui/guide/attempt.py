"""An exercise beside the working instrument: the session, and the lab as it stands next to it.

Both are folds over the same events, so that a resumed exercise finds the fields, the marks and the trials
of its lab as they were. What a session refuses, its lab does not do either.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tui.events import LAB_EVENTS, Event, InputsSet, Locked, Played, Predicted, Reset
from tui.guide.events import Assisted, FreeOff, FreeOn, Next, Revised, Withdrawn
from tui.guide.exercise import Exercise
from tui.guide.script import Predict
from tui.guide.session import apply
from tui.guide.state import NOTHING, Feedback, Session, Tone, begin
from tui.guide.trials import locked, play_asked
from tui.model import trial
from tui.model.trial import Lab, Phase


@dataclass(frozen=True)
class Attempt:
    """One exercise being done in the app."""

    session: Session
    lab: Lab = field(default_factory=Lab)
    said: Feedback = NOTHING
    """What the last event was answered with."""
    intro: tuple[str, ...] = ()
    """What is read before the first step; anything that happens puts it away."""
    before_free: Lab | None = None
    """The lab as it was when free play began."""

    @property
    def on_roofline(self) -> bool:
        """Whether the lab is the exercise's instrument."""
        return self.session.exercise.script.instrument == "roofline"

    @property
    def inputs_open(self) -> bool:
        """Whether I and B may be typed now."""
        return self.lab.phase is Phase.SETTING and (self.session.free or not locked(self.session))

    @property
    def prediction_open(self) -> bool:
        """Whether the prediction may be typed into the lab's own field now."""
        if self.lab.phase is not Phase.SETTING or self.session.free:
            return self.lab.phase is Phase.SETTING
        return isinstance(self.session.step, Predict) and not self.session.state.done


def resumed(exercise: Exercise, seed: str, events: Iterable[Event]) -> Attempt:
    """The exercise that stored events lead to; an animation that was cut off has not been played."""
    attempt = Attempt(begin(exercise, seed))
    for event in events:
        attempt = advance(attempt, event)
    lab = attempt.lab
    if lab.phase is Phase.PLAYING:
        lab = replace(lab, phase=Phase.SETTING, trials=lab.trials[:-1])
    return replace(attempt, lab=lab, said=NOTHING)


def advance(attempt: Attempt, event: Event) -> Attempt:
    """The exercise after `event`; what cannot happen now changes nothing and says why."""
    if attempt.intro:
        attempt = replace(attempt, intro=())
        if isinstance(event, Next):
            return attempt
    if attempt.session.free and isinstance(event, LAB_EVENTS):
        return replace(attempt, lab=trial.apply(attempt.lab, event), said=NOTHING)
    if isinstance(event, Locked):
        refusal = play_asked(attempt.session)
        if refusal.tone is Tone.REFUSED:
            return replace(attempt, said=refusal)
    session, said = apply(attempt.session, event)
    after = replace(attempt, session=session, said=said)
    if isinstance(event, FreeOn):
        return replace(after, before_free=attempt.lab, lab=_set_free(attempt.lab))
    if isinstance(event, FreeOff):
        return replace(after, lab=attempt.before_free or attempt.lab, before_free=None)
    if said.tone in (Tone.ASK, Tone.REFUSED) or not attempt.on_roofline:
        return after
    return replace(after, lab=_lab_after(attempt.lab, event, session))


def _set_free(lab: Lab) -> Lab:
    """The same trials and inputs, with nothing locked."""
    return Lab(cap=lab.cap, intensity=lab.intensity, bandwidth=lab.bandwidth, trials=lab.trials)


def _lab_after(lab: Lab, event: Event, session: Session) -> Lab:
    if isinstance(event, Assisted):
        return trial.apply(trial.apply(lab, Reset()), InputsSet(*session.inputs))
    if isinstance(event, Withdrawn):
        return trial.apply(lab, Predicted(""))
    if isinstance(event, Revised):
        return trial.apply(lab, Predicted(event.text))
    if isinstance(event, Played) and lab.phase is Phase.SETTING:
        lab = trial.apply(lab, Locked())  # done in plain text, where nothing is animated
    return trial.apply(lab, event)


def moment(attempt: Attempt) -> tuple[object, ...]:
    """What decides where the focus belongs: while it stays, so does the focus, wherever a person put it."""
    session = attempt.session
    done = session.step is None or session.state.done
    asked = attempt.said.tone is Tone.ASK
    return (
        session.here,
        bool(attempt.intro),
        done,
        session.practising,
        session.free,
        attempt.lab.phase,
        asked,
    )
