"""Headings in six languages: what their words say a column is, and the unit of its numbers.

English, Spanish, Portuguese, German, Italian and French, in any spelling of case, accents and separators:
"Num MPI ranks", `n_procs`, "Número de hilos", "TempoMS", "Laufzeit [s]".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass


def words_of(text: str) -> frozenset[str]:
    """The words of a list between blanks."""
    return frozenset(text.split())


_WORDS: Mapping[str, str] = {
    "devices": """
        device devices gpu gpus ngpu ngpus accelerator accelerators core cores ncore ncores cpu cpus
        ncpu ncpus processor processors pe pes npe npes nucleo nucleos coeur coeurs kern kerne
        rechenkerne procesador procesadores processador processadores processeur processeurs processore
        processori prozessor prozessoren dispositivo dispositivos appareils geraete gerate unites worker
        workers nworkers gcd gcds npus npu tpus tpu chips d
        aceleradores acceleratori beschleuniger accelerateurs prozessorkerne grafikkarten dispositivi
    """,
    "nodes": "node nodes nnode nnodes nodo nodos nodi noeud noeuds knoten nos",
    "ranks": """
        rank ranks nrank nranks mpi proc procs nproc nprocs np p process processes proceso procesos
        processo processos processi prozess prozesse processus task tasks ntask ntasks tarea tareas
        tarefa tarefas taches tache
        rang rangs rango rangos ranghi aufgabe aufgaben
    """,
    "threads": "thread threads nthread nthreads omp hilo hilos hebras fils filo fili smt",
    "time": """
        time times t runtime walltime walltimes wallclock wall elapsed duration looptime tiempo tiempos
        tempo tempi tempos temps zeit zeiten laufzeit laufzeiten dauer durata duree duracao duracion
        seconds secs sec timing latency makespan esecuzione timetaken exectime
        real rechenzeit ausfuhrungszeit ausfuehrungszeit wandzeit gesamtzeit gesamtlaufzeit ausfuhrungsdauer
    """,
    "speedup": """
        speedup speedups aceleracion aceleracao beschleunigung acceleration accelerazione ganancia
        ganho guadagno gain beschleunigungsfaktor
    """,
    "efficiency": """
        efficiency eff eficiencia effizienz efficacite efficience efficienza rendimiento
        rendimento rendement wirkungsgrad
    """,
    "ideal": "ideal expected theoretical teorico ideale idealer perfect linear",
    "rate": """
        throughput rate rates fom perf performance bandwidth bw fps ips gflops tflops mflops flops
        pflops mlups glups gbps mbps durchsatz debit tps teps gteps bandbreite mcells
        desempeno desempenho prestazioni velocidad velocidade velocita vitesse geschwindigkeit
    """,
    "size": """
        size sizes n m nx ny nz tamanho tamano tamanio taille groesse grosse dimension dimensions
        dimensione dims dim rows cols columns points puntos pontos cell cells particles atoms atomos
        photons grid mesh matrix problem elements elementos elems resolution input entrada samples dof
        dofs sims days filas columnas zellen gitter maille
        mailles celdas celulas celle cellules particulas particelle particules teilchen problemgrosse
    """,
    "work": "work trabajo trabalho arbeit travail lavoro tokens",
    "repeat": """
        rep reps repeat repeats repetition repetitions repeticao repeticion run runs trial trials ensaio
        ensayo prova wiederholung essai corrida sample attempt replica
        prueba muestra amostra teste lauf durchlauf ripetizione
    """,
    "step": """
        step iteration iter paso passo schritt pas epoch it timestep iteracion iteracao iterazione
    """,
    "iterations": """
        steps nsteps iterations iters niter niters pasos passos schritte cycles ncycles timesteps
        iteraciones iteracoes iterationen iterazioni
    """,
    "status": "status state estado etat stato zustand outcome result exit",
    "label": "label name case type config configuration nombre nome nom tipo modo",
    "family": "experiment scaling family",
    "stage": """
        compute comm communication allgather allreduce allreduction reducescatter redistribute halo
        exchange io collision propagation special kernel comp computation init setup load write read
        sync barrier wait solve assembly alltoall bcast broadcast gather scatter reduce transfer copy
        h2d d2h
    """,
    "share": """
        percent pct percentage fraction frac share ratio relative relativo relativa relatif cost costo
        coste
    """,
    "memory": "memory mem memoria rss maxrss speicher memoire",
    "part": """
        mean average avg median mediana promedio media medio moyenne mittel mittelwert best
    """,
    "spread": """
        stdev std stddev sd sigma var variance err error min max minimum maximum desvio desviacion iqr
        ci
        standardabweichung deviazione ecart
    """,
    "note": """
        note notes comment comments remark remarks nota notas observacao observaciones kommentar
        commentaire
        bemerkung bemerkungen anmerkung remarque osservazioni
    """,
    "date": "date fecha data datum timestamp",
    "total": """
        total totals overall gesamt totale totaux global aggregate sum all main taken used execution
        program ejecucion execucao
    """,
}
"""Words by what they say; a heading may have words of several kinds."""

KIND: dict[str, str] = {word: kind for kind, words in _WORDS.items() for word in words.split()}

# "pat" is what JUBE adds to the name of a value that it found by a pattern.
_FILLER = words_of(
    "num number no of the nr numero anzahl nombre de der des di do da del count cnt qty pro por par in and "
    "a im avec for pat"
)
_TIME_TOKENS = {
    **dict.fromkeys(
        ("s", "sec", "secs", "second", "seconds", "segundo", "segundos", "sekunde", "sekunden"), "s"
    ),
    **dict.fromkeys(("seconde", "secondes", "secondo", "secondi", "seg", "sek"), "s"),
    **dict.fromkeys(("ms", "msec", "msecs", "millis", "millisecond", "milliseconds", "milisegundos"), "ms"),
    **dict.fromkeys(("millisekunden", "millisecondes", "millisecondi", "milissegundos"), "ms"),
    **dict.fromkeys(("us", "usec", "usecs", "micros", "microsecond", "microseconds", "microsegundos"), "us"),
    **dict.fromkeys(
        ("ns", "nsec", "nanos", "nanosecond", "nanoseconds", "nanosegundos", "nanosekunden"), "ns"
    ),
    **dict.fromkeys(("minute", "minutes", "minutos", "minuten", "minuti", "mins"), "min"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "hora", "horas", "stunden", "heures", "ore"), "h"),
}
_ALONE = words_of(
    "seconds secs sec segundos sekunden secondes secondi minutes mins minutos minuten minuti "
    "hours hrs horas stunden heures"
)
"""Units that are a heading by themselves."""
_LETTERS = str.maketrans({"µ": "u", "μ": "u", "ß": "ss", "œ": "oe", "Œ": "Oe", "æ": "ae"})
_BRACKETS = re.compile(r"[\[({]([^\])}]*)[\])}]")
_PER_SECOND = re.compile(
    r"(?:/|\bper[ _]|_p_)\s*(?:cpu[ _-]?|wall[ _-]?)?(s|sec|second|ms|us|min|minute|h|hr|hour|day|d)s?\b",
    re.IGNORECASE,
)
_SECONDS_PER = re.compile(r"\b(s|sec|seconds|ms|us|ns|min|h|hours?|days?)\s*(?:/|per)\s*\w+", re.IGNORECASE)
_EACH = re.compile(
    r"(?:per|/|por|pro|par|je|por cada)[ _-]*(gpu|device|node|core|rank|proc|process|thread|cpu|nodo|hilo|"
    r"nucleo|knoten|kern|coeur|noeud|chip|accelerator)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:[A-Za-z]+\s*[=_: -]*)?(\d+)(?:\s*[A-Za-z]+)?|.*?[A-Za-z_ ](\d+)|[A-Za-z_ ]+[\[({](\d+)[\])}]"
)
_DENOMINATORS = {"sec": "s", "second": "s", "minute": "min", "hr": "h", "hour": "h", "d": "day", "hours": "h"}


@dataclass(frozen=True)
class Heading:
    """What the words of a heading say.

    Attributes:
        name: as it was read.
        words: in lower case, without accents, brackets and units.
        kinds: what they say, `KIND` of each that is known, in order.
        unit: of a time, or of what is in brackets.
        denominator: of a rate: `s` where it is something per second.
        each: what a rate or a size is stated for each of (`node`), empty for all together.
        equals: what it is for: `("N", "100000")` in "Time N=100000".
        number: where the heading is a count or ends in one: 4 for "4 threads", "time_4", "T(4)".
    """

    name: str
    words: tuple[str, ...]
    kinds: tuple[str, ...]
    unit: str = ""
    denominator: str = ""
    each: str = ""
    equals: tuple[str, str] | None = None
    number: str = ""

    def has(self, *kinds: str) -> bool:
        """Whether a word of one of these kinds is in it."""
        return any(kind in self.kinds for kind in kinds)


def heading(name: str) -> Heading:
    """Take a heading apart."""
    plain = _plain(name)
    equals = re.search(r"\b([A-Za-z]\w*)\s*=\s*([\d.,]+[kKMG]?(?:\s*[*x]\s*[\w ]+)?)\s*$", plain)
    body = plain[: equals.start()] if equals else plain
    per = _PER_SECOND.search(body)
    rest = body.replace(per[0], " ") if per else body
    each = _EACH.search(rest.lower().replace("_", " ").replace("-", " "))
    inverse = _SECONDS_PER.search(body) if per is None else None
    unit = next(filter(None, map(_unit_of, _BRACKETS.findall(body))), "")
    words = _tokens(_BRACKETS.sub(" ", body) if unit or not equals else body)
    if not unit and not per and len(words) > 1 and words[-1] in _TIME_TOKENS:
        unit = _TIME_TOKENS[words.pop()]
    elif not unit and len(words) == 1 and words[0] in _ALONE:
        unit = _TIME_TOKENS[words[0]]
    elif not unit and inverse is not None:
        unit = _TIME_TOKENS.get(inverse[1].lower(), "")
    number = _NUMBERED.fullmatch(plain.strip())
    kinds = tuple(KIND[word] for word in words if word in KIND)
    denominator = _DENOMINATORS.get(per[1].lower(), per[1].lower()) if per else ""
    if "rate" in kinds and unit in _TIME_TOKENS.values():
        denominator, unit = unit, ""  # throughput_mcells_s
    if KIND.get(unit.lower()) == "rate":
        kinds = (*kinds, "rate")  # (GFLOPS)
    return Heading(
        name,
        tuple(words),
        kinds,
        unit,
        denominator,
        each[1] if each else "",
        (equals[1], equals[2].strip()) if equals else None,
        (number[1] or number[2] or number[3] or "") if number else "",
    )


def amount(name: str) -> str:
    """What a rate is of, by its name: "samples" for "samples/s per GPU"; the name times s where it does not
    say.
    """
    per = _PER_SECOND.search(name)
    if per is None:
        return f"{name}·s"
    return _EACH.sub(" ", name.replace(per[0], " ")).strip(" _-/()[]") or f"{name}·s"


def _plain(name: str) -> str:
    """Without accents; μ as u, ß as ss, œ as oe."""
    text = unicodedata.normalize("NFKD", name.translate(_LETTERS))
    return "".join(mark for mark in text if not unicodedata.combining(mark))


def _tokens(text: str) -> list[str]:
    """Words of a heading, camel case taken apart; words that carry no meaning go."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})", " ", text)
    words = [word.lower() for word in re.findall(r"[A-Za-z]+|[%#]", apart)]
    joined = "".join(words)
    if joined in KIND and words[-1] not in _TIME_TOKENS:
        return [joined]
    return [word for word in words if word not in _FILLER]


def _unit_of(inside: str) -> str:
    """The unit in brackets: a time's, or what stands there."""
    word = inside.strip()
    if word.isdecimal():
        return ""
    return _TIME_TOKENS.get(word.lower(), "min" if word.lower() == "min" else word)
