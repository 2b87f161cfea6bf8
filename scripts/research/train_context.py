#!/usr/bin/env python3
"""Trains contexts of residues: classes by the letters around a residue, the log odds by which two
classes are more or less often aligned than their letters say, and factors of gap openings.

  scripts/research/train_context.py DATA... --chains FILE --pairs DIR --output protein_context.json

DATA are directories of families with references, and the halves of them, as of tune.py beside it;
only the training half is seen. All families of --pairs DIR are seen; those whose
names have the same first word (up to '_') are of one superfamily. --chains FILE is a table of
protein chains (columns set, guarded, sequence, structure, mask; .xz is unpacked); the
chains of the set train are seen unless they are guarded:

  scripts/research/train_context.py D/balibase3 D/homstrad D/oxbench D/oxbench-x D/prefab4 \
    D/sabmark --pairs D/structure/tm_pairs --chains D/structure/secondary_structure.tsv.xz -o FILE

First a net with one hidden layer learns to tell helix, strand and other from the 21 letters around
a residue of the chains. What it says of the residues of the families is clustered (k-means), and
the rule that gives the nearest cluster is where training begins. In a pair-HMM (that of
--parameters) the log odds of matching two residues are those of their letters and those of their
classes. Rule and table are trained on the mean posterior probability of the pairs of the
references: a residue is a mixture of classes, which hardens. Then the rule is written in integers,
and the table is trained once more for the classes as they now are, along with factors of gap
openings by the letter and the class of the residue before a gap, and of the one behind it. The
tables of these have the mean 0 over all residues: how often gaps open is a matter of the parameter
set. Without --chains the classes are those of the built-in file, and tables alone are
trained, which takes fewer families.

--hold-out 0.5 leaves every second family (or superfamily) out, and says what the posteriors of its
references are with letters alone, with the log odds of the classes at several strengths, and with
several shares of the gap openings. Needs the packages numpy, scipy and numba (pip install numba
scipy). The same seed gives the same file on a machine.
"""
import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Callable, Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

# pylint: disable=wrong-import-position
from benchmark.datasets import sample  # noqa: E402
from benchmark.errors import BenchmarkError  # noqa: E402
from benchmark.measured import HALVES  # noqa: E402
from tuning import families  # noqa: E402
from tuning.families import Member  # noqa: E402

BUILT_IN = ROOT / "datasets" / "parameters" / "protein_context.json"
PARAMETERS = ROOT / "datasets" / "parameters" / "protein.json"
SHARES = (0.6, 0.8, 1.0)  # of the log odds that are reported on
OPENING_SHARES = (0.5, 1.0)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("data", type=Path, nargs="+", metavar="DATA", help="directories of families")
    add("--chains", type=Path, metavar="FILE", help="secondary structure (TSV)")
    add("--pairs", type=Path, metavar="DIR", help="more families; all are seen")
    add("-o", "--output", type=Path, required=True, metavar="FILE", help="the contexts (JSON)")
    add("--parameters", type=Path, default=PARAMETERS, metavar="FILE",
        help="whose pair-HMM the contexts refine (datasets/parameters/protein.json)")
    add("--half", choices=[*families.HALVES, "all"], default="training", help="(training)")
    add("--halves", type=Path, default=HALVES, help="halves of known families")
    add("--classes", type=int, default=8, metavar="N", help="2 to 64; accord takes 8 (8)")
    add("--state-epochs", type=int, default=12, metavar="N", help="of the net of states (12)")
    add("--epochs", type=int, default=5, metavar="N", help="of the classes (5)")
    add("--table-epochs", type=int, default=4, metavar="N", help="of the tables alone (4)")
    add("--seed", type=int, default=1, help="of all random numbers (1)")
    add("--subset", type=int, default=0, metavar="N", help="train on N families, for a quick try")
    add("--hold-out", type=float, default=0.0, metavar="SHARE",
        help="share of the families that is left out, and reported on (0)")
    add("-j", "--threads", type=int, default=0, help="(all)")
    args = parser.parse_args()
    if not (2 <= args.classes <= 64 and 0 <= args.hold_out < 1
            and min(args.state_epochs, args.epochs, args.table_epochs) >= 1):
        parser.error("--classes is 2 to 64, all epochs are at least 1, --hold-out at least 0 and "
                     "below 1")
    return args


def read_parameters(path: Path) -> dict[str, Any]:
    """A parameter file."""
    try:
        parameters: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BenchmarkError(f"{path}: {error}") from None
    return parameters


def chosen_members(args: argparse.Namespace) -> list[Member]:
    """The families of the half that was asked for, or some of them spread evenly, and those of
    --pairs, or as many of them."""
    known = families.read_halves(args.halves) if args.halves.exists() else {}
    members = [m for m in families.find_members(args.data, known) if args.half in (m.half, "all")]
    if not members:
        raise BenchmarkError(f"no families in the half '{args.half}'",
                             "--half all takes every family")
    chosen = []
    for part in (members, families.find_members([args.pairs], {}) if args.pairs else []):
        kept = set(sample([m.family for m in part], args.subset or len(part)))
        chosen += [m for m in part if m.family in kept]
    return chosen


def split(members: Sequence[Member], share: float,
          pairs: Optional[Path]) -> tuple[list[int], list[int]]:
    """Places of families to train on, and of those held out, which are spread evenly; those of a
    superfamily of --pairs keep together."""
    def group(member: Member) -> tuple[str, str, str]:
        family = member.family
        is_pair = pairs is not None and pairs in family.path.parents
        return (family.dataset, family.group,
                family.name.split("_")[0] if is_pair else family.name)

    groups = list(dict.fromkeys(group(member) for member in members))
    held_out = {groups[k] for k in range(len(groups)) if int((k + 1) * share) > int(k * share)}
    places = range(len(members))
    return ([k for k in places if group(members[k]) not in held_out],
            [k for k in places if group(members[k]) in held_out])


def say(text: str) -> None:
    """A line of progress."""
    print(text, file=sys.stderr, flush=True)


def progress(what: str) -> Callable[[int, object], None]:
    """Says what epochs of a training came to."""
    begin = time.monotonic()
    return lambda epoch, quality: say(f"{what}, epoch {epoch}: {quality}, "
                                      f"{time.monotonic() - begin:.0f} s")


def run(args: argparse.Namespace) -> None:
    """Trains, reports and writes."""
    try:  # pylint: disable=import-outside-toplevel
        import numba
        from tuning.context import residues
        from tuning.context.classes import write_contexts
        from tuning.context.pair_hmm import pair_hmm
        from tuning.context.structure import read_chains
    except ImportError as error:
        raise BenchmarkError(f"{error.name} is not installed",
                             "python3 -m pip install numpy scipy numba") from None
    if args.threads:
        numba.set_num_threads(min(args.threads, numba.get_num_threads()))
    if not args.output.resolve().parent.is_dir():
        raise BenchmarkError(f"{args.output.parent} is not a directory", "make it first")
    parameters = read_parameters(args.parameters)
    hmm = pair_hmm(parameters, str(args.parameters))
    chains = read_chains(args.chains) if args.chains else None
    data, members = residues.read_residues(chosen_members(args))
    trained, held_out = split(members, args.hold_out, args.pairs)
    if not trained:
        raise BenchmarkError("no family is left to train on", "--hold-out takes a smaller share")
    say(f"{len(trained)} families to train on, {len(held_out)} held out, "
        f"{len(data.first) - 1} sequences, {len(data.letters)} residues")
    contexts = trained_contexts(args, data, trained, hmm, chains)
    for name, chosen in (("trained on", trained), ("held out", held_out)):
        for dataset in sorted({members[k].family.dataset for k in chosen}):
            these = [k for k in chosen if members[k].family.dataset == dataset]
            for what, quality in qualities(data, these, hmm, contexts):
                print(f"{name}, {dataset}, {what}: {quality}")
    write_contexts(args.output, contexts, source(args, members, parameters["name"], len(trained)))


def trained_contexts(args: argparse.Namespace, data: Any, trained: list[int], hmm: Any,
                     chains: Optional[tuple[Any, Any]]) -> Any:
    """The method: states, clusters, the rule and its tables, integers, tables once more."""
    # pylint: disable=import-outside-toplevel
    from tuning.context import classes, kernels, structure, training
    if chains:
        net = structure.train_states(*chains, structure.Course(
            epochs=args.state_epochs, seed=args.seed), progress("states"))
        vector, size = classes.first_rule(net, classes.centroids_of(
            structure.logits(net, data), data, trained, args.classes, args.seed))
        training.train(data, trained, hmm, vector, size, training.Course(
            epochs=args.epochs, seed=args.seed), None, progress("classes"))
        contexts = classes.in_integers(kernels.views_of(vector, size), data)
    else:
        contexts, _ = classes.read_contexts(BUILT_IN)
    vector, size = contexts.rule()
    training.train(data, trained, hmm, vector, size, training.Course(
        epochs=args.table_epochs, first_temperature=0, seed=args.seed),
        classes.frequencies_of(contexts, data), progress("tables"))
    return classes.with_tables(contexts, kernels.views_of(vector, size))


def qualities(data: Any, families_: list[int], hmm: Any,
              contexts: Any) -> Iterator[tuple[str, Any]]:
    """For each report, its name and the quality of the posteriors of its families."""
    from tuning.context import training  # pylint: disable=import-outside-toplevel
    classes, openings = contexts.classes_of(data), contexts.log_openings(data)
    for share in (0.0, *SHARES):
        yield (f"with {share:g} of the classes' log odds",
               training.evaluate(data, families_, hmm, classes, share * contexts.log_odds,
                                 0 * openings))
    for share in OPENING_SHARES:
        yield (f"with {hmm.context_share:g} of the classes' log odds and {share:g} of the gap "
               "openings",
               training.evaluate(data, families_, hmm, classes,
                                 hmm.context_share * contexts.log_odds, share * openings))


def source(args: argparse.Namespace, members: Sequence[Member], name: str, trained: int) -> str:
    """The command and its data, for the file."""
    sets = ", ".join(sorted({m.family.dataset for m in members}))
    of_net = ("classes", "state_epochs", "epochs") if args.chains else ()
    options = "".join(f" --{option.replace('_', '-')} {getattr(args, option)}" for option in
                      (*of_net, "table_epochs", "seed", "subset", "hold_out")
                      if getattr(args, option))
    half = "all families" if args.half == "all" else f"the {args.half} half"
    what = ("a net of the letters around a residue that tells its secondary structure, trained on "
            f"the chains of {args.chains.name} and clustered into classes, which were trained with "
            "their log odds and factors of gap openings" if args.chains else
            f"the classes of {BUILT_IN.name}, with log odds and factors of gap openings trained")
    return (f"scripts/research/train_context.py --half {args.half}{options} on the pair-HMM of the "
            f"parameter set {name}, on {half} of {sets} (scripts/benchmark/halves.tsv; {trained} "
            f"families of proteins, with all of --pairs): {what} on the posteriors of the pairs "
            "of the references.")


def main() -> int:
    """The exit status."""
    try:
        run(arguments())
    except BenchmarkError as error:
        print(f"train_context.py: {error}"
              + (f"\ntrain_context.py: {error.hint}" if error.hint else ""), file=sys.stderr)
        return error.status
    return 0


if __name__ == "__main__":
    sys.exit(main())
