"""Published scaling tables, typed in with their sources, and what their times and rates give.

A rate is turned into a time (T = W/rate), with W = D where the publication says nothing else. `expected`
was computed from the devices and times at full precision; `published` is what the source prints, rounded
or wrong as it stands there, and goes into the tables as an imported column.

Left out, because their numbers are not those of a scaling table:

- usl-specsdm91, usl-synthetic (github.com/cran/usl): parameters of a fitted curve, efficiency relative to
  the fit and not to a measured baseline;
- pypop-epoch-mpi (github.com/numericalalgorithmsgroup/pypop): products of POP factors, no time or rate;
- mlperf-v1.0-nvidia-bert-8-64 (github.com/mlcommons/training_results_v1.0): time to a quality target,
  which has a table of its own; its run times serve the tests of the spread;
- bigscience-pp-depth-logs: here with its achieved FLOP/s; its predicted pipeline bubble is no column.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tui.model.study import Experiment, Family, Run, Work, WorkModel


@dataclass(frozen=True)
class Reference:
    """One published table: devices D, times T in seconds, and what belongs to every row beside them."""

    id: str
    family: Family
    counts: str
    devices: tuple[int, ...]
    times: tuple[float, ...]
    source: str
    expected: dict[str, tuple[float | None, ...]]
    published: dict[str, tuple[float | None, ...]] = field(default_factory=dict)
    work: tuple[float, ...] = ()
    iterations: tuple[int, ...] = ()
    nodes: tuple[int, ...] = ()
    parameters: tuple[float, ...] = ()
    flop_per_unit: tuple[float, ...] = ()
    peak: float | None = None

    @property
    def experiment(self) -> Experiment:
        """The table as an experiment, the published numbers among its imported columns."""
        fixed = self.family == "strong"
        return Experiment(
            self.family,
            self.id,
            counts=self.counts,
            peak_flops_per_device=self.peak,
            work=Work(self.work[0], "units") if fixed and self.work else None,
            run=tuple(self._run(place, fixed) for place in range(len(self.devices))),
        )

    def _run(self, place: int, fixed: bool) -> Run:
        extra: dict[str, str | int | float | bool] = {
            column: value for column, values in self.published.items() if (value := values[place]) is not None
        }
        if self.iterations:
            extra["iterations"] = self.iterations[place]
        return Run(
            self.devices[place],
            (self.times[place],),
            work=self.work[place] if self.work and not fixed else None,
            work_model=WorkModel(flop_per_unit=self.flop_per_unit[place]) if self.flop_per_unit else None,
            parameters=self.parameters[place] if self.parameters else None,
            nodes=self.nodes[place] if self.nodes else None,
            extra=extra,
        )


def times_of(rates_per_device: tuple[float, ...]) -> tuple[float, ...]:
    """The times of W = D at these rates per device: T = D/(D·rate)."""
    return tuple(1 / rate for rate in rates_per_device)


# fmt: off
WEAK = (
    Reference(
        # The published efficiency is T1/(N·TN), the formula of strong scaling.
        id="romberg-weak-WRONG-formula", family="weak", counts="core",
        source="github.com/lewisndambiri/romberg-hpc4ds results/weak_scaling.csv",
        devices=(1, 2, 4, 8, 16, 32, 64),
        times=(
            9.985238, 11.508905, 15.866174, 10.608051, 104.272495, 24.855735, 24.295746
        ),
        expected={
            "efficiency": (
                1.0, 0.8676097335063588, 0.629341263999752, 0.941288649536093, 0.09576099622436386,
                0.4017277300389629, 0.41098709214362056
            ),
        },
        published={
            "efficiency": (
                1.0, 0.4338048667531794, 0.157335315999938, 0.11766108119201163, 0.005985062264022741,
                0.01255399156371759, 0.006421673314744071
            ),
        },
    ),
    Reference(
        # 1000 samples per rank; the published speedup is the scaled one.
        id="hpc-inference-weak", family="weak", counts="MPI rank",
        source="github.com/andre1012345/HPC-inference results/weak_scaling.csv",
        devices=(1, 2, 3, 4),
        times=(1.02507, 1.4027, 1.39411, 1.21213),
        work=(1000.0, 2000.0, 3000.0, 4000.0),
        expected={
            "efficiency": (1.0, 0.7307834889855278, 0.7352863116970684, 0.8456766188445134),
            "scaled_speedup": (1.0, 1.4615669779710556, 2.205858935091205, 3.3827064753780536),
        },
        published={
            "efficiency": (1.0, 0.7308, 0.7353, 0.8457),
            "speedup": (1.0, 1.4616, 2.2059, 3.3828),
        },
    ),
    Reference(
        # Rates per node, M particle steps/s; published to 0.1 %.
        id="lanl-sparta-weak-crossroads", family="weak", counts="node",
        source="github.com/lanl/benchmarks doc/sphinx/08_sparta/ats3--scale--main.csv",
        devices=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048),
        times=times_of((
            2652.11, 2643.31, 2565.86, 2575.35, 2475.57, 2386.72, 2284.68, 2229.74, 2194.72, 2159.56,
            2136.92, 2098.58
        )),
        expected={
            "efficiency": (
                1.0, 0.996681887252037, 0.967478724487295, 0.9710570074393595, 0.9334341335766616,
                0.8999325065702402, 0.8614574810245427, 0.8407418998457831, 0.8275373193419578,
                0.8142799506807786, 0.8057433515201103, 0.7912869375704626
            ),
            "rate_per_device": (
                2652.11, 2643.31, 2565.86, 2575.35, 2475.57, 2386.72, 2284.68, 2229.74, 2194.72, 2159.56,
                2136.92, 2098.58
            ),
        },
        published={
            "parallel_efficiency_percent": (
                100.0, 99.7, 96.7, 97.1, 93.3, 90.0, 86.1, 84.1, 82.8, 81.4, 80.6, 79.1
            ),
        },
    ),
    Reference(
        # Tokens/s per GPU at two counts.
        id="torchtitan-llama3-8b-FSDP", family="weak", counts="GPU",
        source="github.com/pytorch/torchtitan benchmarks/llama3_h100_202412_torchtitan.md tables 1 and 3",
        devices=(8, 128),
        times=times_of((5762, 5605)),
        expected={
            "efficiency": (1.0, 0.9727525164873307),
            "rate": (46096, 717440),
            "rate_per_device": (5762, 5605),
        },
    ),
    Reference(
        # Tokens/s per GPU at two counts.
        id="torchtitan-llama3-8b-FSDP+compile", family="weak", counts="GPU",
        source="github.com/pytorch/torchtitan benchmarks/llama3_h100_202412_torchtitan.md tables 1 and 3",
        devices=(8, 128),
        times=times_of((6667, 6514)),
        expected={
            "efficiency": (1.0, 0.9770511474426279),
            "rate": (53336, 833792),
            "rate_per_device": (6667, 6514),
        },
    ),
    Reference(
        # Samples/s per GPU; 16 GPUs are two machines.
        id="pytorch-ddp-bert-node-boundary", family="weak", counts="GPU",
        source="https://github.com/pytorch/pytorch/issues/17159 (mrshenli, 2019-09-01)",
        devices=(1, 2, 4, 8, 16),
        times=times_of((122, 115, 111, 110, 80)),
        nodes=(1, 1, 1, 1, 2),
        expected={
            "efficiency": (
                1.0, 0.9426229508196722, 0.9098360655737705, 0.9016393442622951, 0.6557377049180327
            ),
        },
    ),
    Reference(
        # LAMMPS rhodopsin, 32000 atoms per task.
        id="lammps-bench-rhodo-weak", family="weak", counts="MPI task",
        source="github.com/lammps/lammps bench/log.6Oct16.rhodo.{fixed.icc.1,fixed.icc.4,scaled.icc.4}",
        devices=(1, 4),
        times=(35.0316, 37.2028),
        work=(32000.0, 128000.0),
        expected={
            "efficiency": (1.0, 0.9416388013805411),
        },
    ),
)

MODEL_SIZE = (
    Reference(
        # The published percentages follow from no simple rule; 6 FLOP per parameter taken here.
        id="megatron-lm-v1.0-blog-model-parallel", family="model-size", counts="GPU",
        source="https://nv-adlr.github.io/MegatronLMV1 Table 1",
        devices=(1, 2, 4, 8),
        times=(1.288, 1.242, 1.357, 1.508),
        work=(8.0, 8.0, 8.0, 8.0),
        parameters=(1200000000.0, 2000000000.0, 4200000000.0, 8700000000.0),
        flop_per_unit=(7200000000.0, 12000000000.0, 25200000000.0, 52200000000.0),
        expected={
            "efficiency_by_arithmetic": (1.0, 0.8641975308641977, 0.8305084745762713, 0.7740384615384616),
        },
        published={
            "weak_scaling_percent": (100, 90.7, 86.5, 79.6),
        },
    ),
    Reference(
        # TFLOP/s per GPU, 312 at peak; above the first row because the model is larger.
        id="megatron-sc21-table1", family="model-size", counts="GPU",
        source="arXiv 2104.04473, Table 1",
        devices=(32, 64, 128, 256, 512, 1024, 1536, 1920, 2520, 3072),
        times=times_of((137.0, 138.0, 142.0, 135.0, 138.0, 140.0, 148.0, 155.0, 163.0, 163.0)),
        flop_per_unit=(1e12,) * 10,
        work=(32, 64, 128, 256, 512, 1024, 1536, 1920, 2520, 3072),
        peak=312e12,
        expected={
            "efficiency_by_arithmetic": (
                1.0, 1.0072992700729928, 1.0364963503649636, 0.9854014598540146, 1.0072992700729928,
                1.0218978102189782, 1.0802919708029197, 1.1313868613138687, 1.1897810218978102,
                1.1897810218978102
            ),
            "peak_share": (
                0.4391025641025641, 0.4423076923076923, 0.4551282051282051, 0.4326923076923077,
                0.4423076923076923, 0.44871794871794873, 0.47435897435897434, 0.4967948717948718,
                0.5224358974358975, 0.5224358974358975
            ),
        },
        published={
            "percent_of_peak": (44, 44, 46, 43, 44, 45, 47, 50, 52, 52),
        },
    ),
    Reference(
        # 4 sequences of 1024 tokens, 8 FLOP per parameter and token (recomputed activations).
        id="bigscience-pp-depth-logs", family="model-size", counts="GPU",
        source="github.com/bigscience-workshop/bigscience experiments/gpt2.md + experiments/gpt2-meg/*.out",
        devices=(16, 32, 64, 128, 256),
        times=(1.381, 1.618, 2.738, 4.234, 6.736),
        work=(4096.0,) * 5,
        parameters=(
            18000000000.0, 30000000000.0, 65000000000.0, 116000000000.0, 206000000000.0
        ),
        flop_per_unit=(
            144000000000.0, 240000000000.0, 520000000000.0, 928000000000.0, 1648000000000.0
        ),
        expected={
            "flops_per_device": (
                26693700217233.9, 18986402966625.5, 12154857560263.0, 7013698630136.99, 3914489311163.9
            ),
        },
    ),
)

WORK_GROWS_SQUARED = Reference(
    # Called weak, but the cells grow with the square of the nodes.
    id="hpcproject-not-weak-work-grows-N2", family="weak", counts="node",
    source="github.com/GiovanniBillo/HPCproject multinode_exp/RESULTS/weak_metrics.csv",
    devices=(1, 2, 4, 8, 16),
    times=(43.97, 95.77, 163.93, 323.04, 636.67),
    work=(100000000.0, 400000000.0, 1600000000.0, 6400000000.0, 25600000000.0),
    expected={
        "naive": (
            1.0, 0.45912081027461626, 0.26822424205453543, 0.1361131748390292, 0.06906246564154114
        ),
        "work_normalised": (
            1.0, 0.9182416205492325, 1.0728969682181417, 1.0889053987122337, 1.1049994502646583
        ),
    },
)
# fmt: on

GROMACS_NS_PER_DAY = {
    1: (1.025, 1.049),
    2: (2.09,),
    4: (3.818,),
    8: (7.005,),
    16: (10.206,),
    32: (17.897,),
    64: (28.497, 29.492),
    128: (23.759, 34.47),
}
"""Rates of jobs by nodes of 24 cores, 1.4 M atoms, 10000 steps; the two at 128 nodes are 45 % apart.

Source: github.com/hpc-uk/archer-benchmarks, apps/GROMACS/analysis/GROMACS_1400k-atoms_perf_analysis.ipynb
"""

SAME_JOB_FOUR_DAYS = (129.0, 217.0, 125.0, 225.0)
"""Seconds per step of the same 52B model on the same 64 GPUs, on four days.

Source: github.com/bigscience-workshop/bigscience, experiments/gpt2.md
"""
