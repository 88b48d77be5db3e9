"""Numbers, table and picture of what `bench.six` made: `python -m bench.six_table FOLDER …`.

Of `runs/NAME-SEED`, `NAME-SEED-int8.onnx` and `results/NAME-SEED-MEASURE.json` in each FOLDER it takes the
numbers into docs/six.json, beside those of other nets there; from that it draws docs/six.svg and prints the
table.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.bars import Bar, Chart, picture
from bench.glance import milliseconds
from bench.six import ABLATIONS, MEASURES, SIX, net_of
from zeroply.artefacts import load_checkpoint

DOCS = Path(__file__).parent.parent / "docs"
ORDER = (*SIX, *ABLATIONS)
SEEDS = range(10)
SHARES = ("top1", "legal_mass", "solved")
"""Of which the table tells intervals, drawn as bars; with them `illegal_argmax` and `nll`."""


def collected(folder: Path) -> list[dict[str, Any]]:
    """What the runs of a folder came to; the time of a move is taken of all side by side."""
    nets = {
        net_of(name, seed): (name, seed)
        for name in ORDER
        for seed in SEEDS
        if (folder / "runs" / net_of(name, seed)).is_dir()
    }
    times = milliseconds({net: str(folder / f"{net}-int8.onnx") for net in nets})
    found = []
    for net, (name, seed) in nets.items():
        run = folder / "runs" / net
        entries = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
        learning = [entry for entry in entries if "mfu" in entry]
        later = learning[len(learning) // 2 :]
        weights, about = load_checkpoint(run / "model.safetensors")
        numbers = {
            "name": name,
            "seed": seed,
            "options": about["options"],
            "parameters": sum(weight.numel() for weight in weights.values()),
            "positions": entries[-1]["positions"],
            "seconds": round(entries[-1]["seconds"]),
            "positions_per_second": round(statistics.median(_of(later, "positions_per_second"))),
            "mfu": round(statistics.median(_of(later, "mfu")), 4),
            "milliseconds": round(times[net], 1),
        }
        for measure in MEASURES:
            path = folder / "results" / f"{net}-{measure}.json"
            told = json.loads(path.read_text()) if path.exists() else {}
            numbers |= {
                key: round(value, 4)
                for key, value in told.items()
                if key.removesuffix("_low").removesuffix("_high") in (*SHARES, "nll", "illegal_argmax")
                and value is not None
            }
        found.append(numbers)
    return found


def _of(entries: Sequence[Mapping[str, Any]], key: str) -> list[float]:
    return [entry[key] for entry in entries]


def together(entries: Sequence[Mapping[str, Any]], name: str) -> dict[str, Any]:
    """The mean of a net's seeds, of bounds too: the seeds are measured on the same positions, so that chance
    moves their intervals together. `top1_of` each seed tells what the seeds make of it."""
    seeds = [entry for entry in entries if entry["name"] == name]
    if any(entry["options"] != seeds[0]["options"] for entry in seeds):
        raise SystemExit(f"the seeds of {name} were trained with different options, so they have no mean")
    keys = {key for entry in seeds for key in entry} - {"name", "seed", "options"}
    means = {key: statistics.mean(entry[key] for entry in seeds if key in entry) for key in keys}
    return {**means, "top1_of": [entry["top1"] for entry in seeds]}


def table(entries: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    lines = [
        "| | top-1 | of each seed | NLL | legal mass | likeliest move illegal | puzzles solved | parameters "
        "| learnt from | positions/s | MFU | ms a move |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name in names:
        of = together(entries, name)
        if not of["top1_of"]:
            continue
        share = {
            key: f"{of[key]:.1%} ({100 * of[f'{key}_low']:.1f} – {100 * of[f'{key}_high']:.1f})"
            if key in of
            else "–"
            for key in (*SHARES, "illegal_argmax")
        }
        nll = f"{of['nll']:.3f} ({of['nll_low']:.3f} – {of['nll_high']:.3f})" if "nll" in of else "–"
        each = ", ".join(f"{100 * top1:.1f}" for top1 in of["top1_of"])
        lines.append(
            f"| {name} | {share['top1']} | {each} | {nll} | {share['legal_mass']} | "
            f"{share['illegal_argmax']} | {share['solved']} | {of['parameters'] / 1e6:.1f} M | "
            f"{of['positions'] / 1e6:.1f} M | {of['positions_per_second']:,.0f} | {of['mfu']:.0%} | "
            f"{of['milliseconds']:.1f} |"
        )
    return "\n".join(lines).replace("%", " %") + "\n"


def drawn(entries: Sequence[Mapping[str, Any]]) -> str:
    of = {name: together(entries, name) for name in ORDER}
    of = {name: numbers for name, numbers in of.items() if numbers["top1_of"]}

    def bars(key: str) -> list[Bar | None]:
        return [
            Bar(own[key], f"{100 * own[key]:.1f} %", own[f"{key}_low"], own[f"{key}_high"])
            if key in own
            else None
            for own in of.values()
        ]

    charts = [
        Chart("a strong player's move", 0.6, bars("top1")),
        Chart("puzzles solved", 0.6, bars("solved")),
        Chart("mass on legal moves", 1.0, bars("legal_mass")),
    ]
    summary = "Eleven million parameters, five minutes of one H200. centaur looks at all successors."
    if ABLATIONS.keys() & of.keys():
        summary += " Below: ablations of intuition."
    return picture("Six recipes", summary, list(of), ABLATIONS, charts)


def main(*folders: str) -> None:
    kept = DOCS / "six.json"
    known = json.loads(kept.read_text()) if kept.exists() else []
    found = [entry for folder in folders for entry in collected(Path(folder))]
    entries = {(entry["name"], entry["seed"]): entry for entry in (*known, *found)}
    listed = sorted(entries.values(), key=lambda entry: (ORDER.index(entry["name"]), entry["seed"]))
    lines, drawing = table(listed, ORDER), drawn(listed)  # which refuse what does not go together
    kept.write_text(json.dumps(listed, indent=1) + "\n")
    (DOCS / "six.svg").write_text(drawing)
    print(lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
