"""Published strong-scaling tables; what the fields mean and what was left out: `reference_cases`."""

from tests.model.reference_cases import Reference

# fmt: off
STRONG = (
    Reference(
        # LAMMPS, 802176 atoms; published to six digits; the efficiency rises from 192 to 384.
        id="pawsey-lammps-water-800k", family="strong", counts="MPI process",
        source="github.com/PawseySC/supercomputing-user-training testing-job-runs/scaling-data",
        devices=(24, 48, 96, 192, 384, 768, 1536, 3072),
        times=(2876.22, 1488.54, 794.762, 454.81, 220.925, 121.548, 79.3502, 62.3691),
        expected={
            "speedup": (
                1.0, 1.9322423314119874, 3.618970207433169, 6.324003430003738, 13.018988344460789,
                23.663244150459075, 36.2471676189852, 46.11610557150896
            ),
            "efficiency": (
                1.0, 0.9661211657059937, 0.9047425518582922, 0.7905004287504672, 0.8136867715287993,
                0.7394763797018461, 0.5663619940466438, 0.36028207477741375
            ),
            "device_seconds": (
                69029.28, 71449.92, 76297.152, 87323.52, 84835.20000000001, 93348.864, 121881.9072,
                191597.8752
            ),
            "relative_cost": (
                1.0, 1.0350668585852265, 1.1052868000361586, 1.2650214517665548, 1.2289741396694274,
                1.3523082378955713, 1.7656552002280772, 2.775602978909819
            ),
        },
        published={
            "speedup": (1.0, 1.93224, 3.61897, 6.324, 13.019, 23.6632, 36.2472, 46.1161),
            "efficiency_percent": (100.0, 96.6121, 90.4743, 79.05, 81.3687, 73.9476, 56.6362, 36.0282),
            "relative_cost": (1.0, 1.03507, 1.10529, 1.26502, 1.22897, 1.35231, 1.76566, 2.7756),
        },
    ),
    Reference(
        # A program with a serial share of 0.15; the published 2.75 is 2.758 cut off.
        id="hpc-carpentry-amdahl", family="strong", counts="MPI process",
        source="github.com/carpentries-incubator/hpc-intro _episodes/17-parallel.md lines 422-439",
        devices=(1, 4, 8),
        times=(30.033, 10.888, 7.697),
        expected={
            "speedup": (1.0, 2.758357825128582, 3.90190983500065),
            "efficiency": (1.0, 0.6895894562821455, 0.4877387293750812),
            "karp_flatt": (None, 0.15004606044462201, 0.1500397182147257),
        },
        published={
            "speedup": (1.0, 2.75, 3.9),
        },
    ),
    Reference(
        # Romberg integration, level 16; efficiencies up to 1.19, unexplained.
        id="romberg-strong-L16", family="strong", counts="core",
        source="github.com/lewisndambiri/romberg-hpc4ds results/strong_scaling_L16.csv",
        devices=(1, 2, 4, 8, 16, 32),
        times=(176.169712, 74.069743, 39.969444, 21.21575, 9.723075, 5.545658),
        expected={
            "speedup": (
                1.0, 2.3784301776232706, 4.407609773105675, 8.303723035952064, 18.118723963355215,
                31.767143231695858
            ),
            "efficiency": (
                1.0, 1.1892150888116353, 1.1019024432764188, 1.037965379494008, 1.132420247709701,
                0.9927232259904956
            ),
        },
        published={
            "speedup": (
                1.0, 2.3784301776232706, 4.407609773105675, 8.303723035952064, 18.118723963355215,
                31.767143231695858
            ),
            "efficiency": (
                1.0, 1.1892150888116353, 1.1019024432764188, 1.037965379494008, 1.132420247709701,
                0.9927232259904956
            ),
        },
    ),
    Reference(
        # Published to two decimals; no gain beyond 16 threads.
        id="hpcproject-threads", family="strong", counts="thread",
        source="github.com/GiovanniBillo/HPCproject thread_exp/thread_speedup.csv",
        devices=(1, 2, 4, 8, 16, 32, 56, 84, 112),
        times=(982.23, 498.15, 251.01, 130.34, 69.22, 68.29, 73.35, 66.14, 63.97),
        expected={
            "speedup": (
                1.0, 1.9717554953327312, 3.9131110314330106, 7.535906091760012, 14.189973995954928,
                14.383218626446038, 13.391002044989776, 14.850771091623828, 15.354541191183367
            ),
            "efficiency": (
                1.0, 0.9858777476663656, 0.9782777578582527, 0.9419882614700015, 0.886873374747183,
                0.4494755820764387, 0.23912503651767456, 0.1767948939479027, 0.13709411777842292
            ),
        },
        published={
            "speedup": (1.0, 1.97, 3.91, 7.54, 14.19, 14.38, 13.39, 14.85, 15.35),
            "efficiency": (1.0, 0.99, 0.98, 0.94, 0.89, 0.45, 0.24, 0.18, 0.14),
        },
    ),
    Reference(
        # The speedup at 5 is not that of its own times.
        id="cs267-hw4-N100000", family="strong", counts="MPI task",
        source="github.com/charisliao/cs267-hw4 strong.csv + speedup.csv",
        devices=(1, 2, 4, 5, 8, 10, 20, 25, 40, 50),
        times=(
            0.0358203, 0.0210587, 0.0125946, 0.0101926, 0.00819789, 0.00721406, 0.00602391, 0.00687447,
            0.00643269, 0.00544852
        ),
        expected={
            "speedup": (
                1.0, 1.700973944260567, 2.84409985231766, 3.5143437395757706, 4.369453603305241,
                4.965345450412112, 5.946353780185959, 5.210627146529115, 5.568479127705517,
                6.5743174293202555
            ),
            "efficiency": (
                1.0, 0.8504869721302835, 0.711024963079415, 0.7028687479151541, 0.5461817004131552,
                0.4965345450412112, 0.29731768900929795, 0.2084250858611646, 0.13921197819263792,
                0.13148634858640512
            ),
        },
        published={
            "speedup": (
                1.0, 1.700973944, 2.844099852, 3.748111375, 4.369453603, 4.96534545, 5.94635378,
                5.210627147, 5.568479128, 6.574317429
            ),
        },
    ),
    Reference(
        # The baseline is another algorithm: sequential against asynchronous SGD.
        id="distributed-mlp-table", family="strong", counts="worker",
        source="github.com/mwasifshkeel/distributed-mlp results/speedup_table.txt",
        devices=(1, 2, 4, 8),
        times=(730.982, 156.368, 114.91, 100.059),
        expected={
            "speedup": (1.0, 4.674754425457894, 6.361343660255852, 7.3055097492479435),
            "efficiency": (1.0, 2.337377212728947, 1.590335915063963, 0.9131887186559929),
            "karp_flatt": (
                None, -0.5721700397547409, -0.12373400895416486, 0.013580557191754185
            ),
        },
        published={
            "speedup": (1.0, 4.675, 6.361, 7.306),
            "efficiency": (1.0, 2.337, 1.59, 0.913),
        },
    ),
    Reference(
        # Published to six decimals.
        id="lab3-sistope-wide-row1", family="strong", counts="thread",
        source="github.com/nicoolivaresg/lab3_sistope matlab/{times,speedup,efficiency}.csv row 1",
        devices=(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
        times=(
            1.04256, 0.53796, 0.37872, 0.31764, 0.40984, 0.36584, 0.32924, 0.31972, 0.36032, 0.34556,
            0.35328, 0.31708, 0.3304, 0.32332
        ),
        expected={
            "speedup": (
                1.0, 1.9379879544947578, 2.752851711026616, 3.2822062712504723, 2.5438219793089987,
                2.8497703914279464, 3.166565423399344, 3.2608532465907665, 2.8934280639431615,
                3.0170158583169346, 2.9510869565217392, 3.2880030276270973, 3.155447941888619,
                3.2245453420759618
            ),
            "efficiency": (
                1.0, 0.9689939772473789, 0.917617237008872, 0.8205515678126181, 0.5087643958617998,
                0.47496173190465774, 0.4523664890570491, 0.4076066558238458, 0.32149200710479575,
                0.3017015858316935, 0.2682806324110672, 0.2740002523022581, 0.24272676476066302,
                0.23032466729114012
            ),
        },
        published={
            "speedup": (
                1.0, 1.937988, 2.752851, 3.282206, 2.543822, 2.849771, 3.166565, 3.260853, 2.893428,
                3.017016, 2.951087, 3.288003, 3.155448, 3.224545
            ),
            "efficiency": (
                1.0, 0.968994, 0.917617, 0.820552, 0.508764, 0.474962, 0.452367, 0.407607, 0.321492,
                0.301702, 0.268281, 0.274, 0.242727, 0.230325
            ),
        },
    ),
    Reference(
        # The solver needs 15 iterations on one core and 46 on 112.
        id="lanl-umt-strong-iterations-grow", family="strong", counts="core",
        source="github.com/lanl/benchmarks doc/sphinx/06_umt/umt_run_artifacts/roci_spr_Problem1.csv",
        devices=(1, 8, 32, 56, 88, 112),
        times=(581.864, 100.527, 49.6981, 38.5321, 42.1732, 28.5231),
        iterations=(15, 22, 33, 42, 49, 46),
        expected={
            "efficiency": (
                1.0, 0.7235170650670965, 0.3658741481062657, 0.2696564311685211, 0.15678418780388753,
                0.18214059080935405
            ),
        },
    ),
    Reference(
        # LAMMPS rhodopsin, 32000 atoms.
        id="lammps-bench-rhodo-strong", family="strong", counts="MPI task",
        source="github.com/lammps/lammps bench/log.6Oct16.rhodo.{fixed.icc.1,fixed.icc.4,scaled.icc.4}",
        devices=(1, 4),
        times=(35.0316, 9.39107),
        work=(32000.0, 32000.0),
        expected={
            "speedup": (1.0, 3.730309751710934),
            "efficiency": (1.0, 0.9325774379277335),
        },
    ),
    Reference(
        # Made by hand, to check by hand.
        id="spec-synthetic-exact", family="strong", counts="device",
        source="constructed",
        devices=(4, 8, 16),
        times=(100.0, 50.0, 40.0),
        expected={
            "speedup": (1, 2, 2.5),
            "efficiency": (1, 1, 0.625),
            "device_seconds": (400, 400, 640),
            "karp_flatt": (None, 0.0, 0.20000000000000004),
        },
    ),
)
