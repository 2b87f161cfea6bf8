#!/usr/bin/env python3
"""Trains contexts of residues: classes by the letters around a residue, the log odds by which two
classes are more or less often aligned than their letters say, and factors of gap openings.

  scripts/train_context.py DATA... --output protein_context.json

DATA are directories of families with references, and the halves of them, as of scripts/tune.py;
only the training half is seen. Each residue gets an embedding and a unary term from the 13 letters
around it, by a net with one hidden layer. In a pair-HMM (that of --parameters) the log odds of
matching two residues are those of their letters plus the scalar product of their embeddings plus
both unary terms; the net is trained on the likelihood of the references given the sequences. A
correction of the log odds of all pairs of letters is trained along, so that the net does not learn
it, and is thrown away. The embeddings are then clustered (k-means) into --classes classes, and
the rule that finds the class of a residue is written in integers.

Then the factors are trained by which gaps open more or less often between two residues than
elsewhere: one by the letter and one by the class of the residue before the gap, and the same of the
residue behind it. The classes have their share of the parameter set there. Each of the four tables
of logarithms has the mean 0 over all residues: how often gaps open is a matter of the parameter
set. --classes-of FILE takes the classes of a file as they are, and trains only these factors.

--hold-out 0.5 leaves every second family out, and says what the posteriors of its references are
without contexts, with the net, and with the classes as they are written, their log odds at several
strengths (the full one is too much), and so with the gap openings; the classes of --classes-of may
have seen these families. Needs the packages numpy, scipy and numba (pip install numba scipy). The
same seed gives the same file on a machine.
"""
import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable, Optional

from benchmark.datasets import sample
from benchmark.errors import BenchmarkError
from tuning import families
from tuning.families import Member

ROOT = Path(__file__).resolve().parent.parent
KNOWN_HALVES = Path(__file__).resolve().parent / "tuning" / "halves.tsv"
PARAMETERS = ROOT / "datasets" / "parameters" / "protein.json"
SHARES = (0.4, 0.6, 0.8, 1.0)  # of the log odds that are reported on
OPENING_SHARES = (0.5, 0.75, 1.0, 1.25)
OPENINGS = " Gap openings: "  # begins what the source of a file says of them


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("data", type=Path, nargs="+", metavar="DATA", help="directories of families")
    add("-o", "--output", type=Path, required=True, metavar="FILE", help="the contexts (JSON)")
    add("--parameters", type=Path, default=PARAMETERS, metavar="FILE",
        help="whose pair-HMM the contexts refine (datasets/parameters/protein.json)")
    add("--half", choices=[*families.HALVES, "all"], default="training", help="(training)")
    add("--halves", type=Path, default=KNOWN_HALVES, help="halves of known families")
    add("--classes", type=int, default=8, metavar="N", help="2 to 64; accord takes 8 (8)")
    add("--classes-of", type=Path, metavar="FILE", help="train only gap openings, for its classes")
    add("--epochs", type=int, default=30, metavar="N", help="of the net (30)")
    add("--gap-epochs", type=int, default=8, metavar="N", help="of the gap openings (8)")
    add("--seed", type=int, default=1, help="of all random numbers (1)")
    add("--subset", type=int, default=0, metavar="N", help="train on N families, for a quick try")
    add("--hold-out", type=float, default=0.0, metavar="SHARE",
        help="share of the families that is left out, and reported on (0)")
    add("-j", "--threads", type=int, default=0, help="(all)")
    args = parser.parse_args()
    if not (2 <= args.classes <= 64 and args.epochs >= 1 and args.gap_epochs >= 1
            and 0 <= args.hold_out < 1):
        parser.error("--classes is 2 to 64, --epochs and --gap-epochs at least 1, --hold-out at "
                     "least 0 and below 1")
    return args


def read_parameters(path: Path) -> dict[str, Any]:
    """A parameter file."""
    try:
        parameters: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BenchmarkError(f"{path}: {error}") from None
    return parameters


def chosen_members(args: argparse.Namespace) -> list[Member]:
    """The families of the half that was asked for, or some of them spread evenly."""
    known = families.read_halves(args.halves) if args.halves.exists() else {}
    members = [m for m in families.find_members(args.data, known) if args.half in (m.half, "all")]
    if args.subset:
        kept = set(sample([m.family for m in members], args.subset))
        members = [m for m in members if m.family in kept]
    if not members:
        raise BenchmarkError(f"no families in the half '{args.half}'",
                             "--half all takes every family")
    return members


def split(count: int, share: float) -> tuple[list[int], list[int]]:
    """Families to train on, and those held out, which are spread evenly."""
    held_out = [k for k in range(count) if int((k + 1) * share) > int(k * share)]
    return sorted(set(range(count)) - set(held_out)), held_out


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
        from tuning.context import openings, residues, training
        from tuning.context.classes import contexts_of, read_contexts, write_contexts
        from tuning.context.pair_hmm import pair_hmm
    except ImportError as error:
        raise BenchmarkError(f"{error.name} is not installed",
                             "python3 -m pip install numpy scipy numba") from None
    if args.threads:
        numba.set_num_threads(min(args.threads, numba.get_num_threads()))
    if not args.output.resolve().parent.is_dir():
        raise BenchmarkError(f"{args.output.parent} is not a directory", "make it first")
    parameters = read_parameters(args.parameters)
    hmm = pair_hmm(parameters, str(args.parameters))
    given = read_contexts(args.classes_of) if args.classes_of else None
    members = chosen_members(args)
    data = residues.read_residues(members)
    trained, held_out = split(len(data.family_first) - 1, args.hold_out)
    if not trained:
        raise BenchmarkError("no family is left to train on", "--hold-out takes a smaller share")
    say(f"{len(trained)} families to train on, {len(held_out)} held out, "
        f"{len(data.first) - 1} sequences, {len(data.letters)} residues")
    command = source(args, members, parameters["name"], len(trained))
    if given:
        net, (contexts, origin) = None, given
        origin = origin.split(OPENINGS, maxsplit=1)[0]
    else:
        net = training.train(data, trained, hmm, training.Settings(
            epochs=args.epochs, seed=args.seed), progress("net"))
        contexts = contexts_of(net, data, trained, args.classes, args.seed)
        origin = (f"{command}: a net of the letters around a residue, trained on the likelihood of "
                  "the reference alignments; its embeddings clustered into classes.")
        command = "by the same command"
    contexts = openings.train_openings(data, trained, hmm, contexts, openings.COURSE._replace(
        epochs=args.gap_epochs, seed=args.seed), progress("gap openings"))
    for name, chosen in (("trained on", trained), ("held out", held_out)):
        for what, *how in cases(data, hmm, net, contexts) if chosen else ():
            print(f"{name}, {what}: {training.evaluate(data, chosen, hmm, *how)}")
    write_contexts(args.output, contexts,
                   f"{origin}{OPENINGS}{command}, trained on the same likelihood with "
                   f"{hmm.context_share:g} of the classes' log odds.")


def cases(data: Any, hmm: Any, net: Optional[Any],
          contexts: Any) -> Iterator[tuple[str, Any, Any, Any]]:
    """What is reported on, and what evaluate() takes for it."""
    yield "without contexts", hmm.log_odds, None, None
    if net:
        yield "with the net", hmm.log_odds + net.table, net.features(data), None
    for share in SHARES:
        yield (f"with {share:g} of the classes' log odds", hmm.log_odds,
               contexts.features(data, share), None)
    features = contexts.features(data, hmm.context_share)
    log_openings = contexts.log_openings(data)
    for share in OPENING_SHARES:
        yield (f"with {hmm.context_share:g} of the classes' log odds and {share:g} of the gap "
               "openings", hmm.log_odds, features, share * log_openings)


def source(args: argparse.Namespace, members: list[Member], name: str, trained: int) -> str:
    """The command and its data, for the file."""
    sets = ", ".join(sorted({m.family.dataset for m in members}))
    of_net = () if args.classes_of else ("classes", "epochs")
    options = f" --classes-of {args.classes_of.name}" if args.classes_of else ""
    options += "".join(f" --{option.replace('_', '-')} {getattr(args, option)}" for option in
                       (*of_net, "gap_epochs", "seed", "subset", "hold_out")
                       if getattr(args, option))
    half = "all families" if args.half == "all" else f"the {args.half} half"
    return (f"scripts/train_context.py --half {args.half}{options} on the pair-HMM of the "
            f"parameter set {name}, on {half} of {sets} (scripts/tuning/halves.tsv; {trained} "
            "families of proteins)")


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
