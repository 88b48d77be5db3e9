"""The table of six: each recipe with some eleven million parameters, the same games, five minutes of a GPU.

`python -m bench.six [SEED]` prints the commands that make and measure the nets; `bench.six_table` makes a
table and a picture of what they leave. `un2300` and `uneng` are arrays of chess-games-2300 and of
chess-engine-games, puzzles-test.csv the puzzles that docs/results.md says were held out.
"""

from __future__ import annotations

import sys

CORPORA = "c2018 eng=0.2"
SIX = {
    "intuition": "intuition --set width=512 --set depth=5 --set conditioning=players "
    "--set evaluation_weight=0.2 --set warmup=300 --set decay=0.6 --set steps=4700",
    "smolgen": "smolgen --set depth=6 --set batch=2048 --set rate=5e-4 --set epochs=1.2554",
    "castle": "castle --set move_layers=3 --set board_layers=3 --set hidden=256 --set history=128 "
    "--set batch=1024 --set rate=5e-4 --set forget=0.1 --set epochs=10.182 --set decay_epochs=6",
    "minustwo": "minustwo --set width=256 --set depth=8 --set heads=8 --set inner=1024 --set batch=2048 "
    "--set rate=4e-4 --set warmup=500 --set epochs=1.41",
    "centaur": "centaur --set width=384 --set depth=6 --set heads=8 --set inner=1536 --set batch=2048 "
    "--set rate=1e-3 --set steps=6754",
    "elephant": "elephant --set width=384 --set depth=6 --set inner=1536 --set batch=128 --set rate=1e-3 "
    "--set patience=0 --set epochs=3.0319",
}
"""Recipe and options; as long as makes five minutes, by the steps that each does in a second, alone."""
ABLATIONS = {
    "no geometry": f"{SIX['intuition']} --set bias=none",
    "no history": f"{SIX['intuition']} --set history=0",
    "unique positions": f"{SIX['intuition']} --positions unique",
}
"""What `intuition` is without its parts, and with the positions of minustwo."""
MEASURES = {
    "accuracy": "c2018 --limit 20000",
    "legality": "c2018 --limit 6000",
    "puzzles": "puzzles-test.csv --limit 5000",
}
FEWER = {
    "centaur": {"accuracy": "c2018 --limit 1200", "puzzles": "puzzles-test.csv --limit 1000"},
    "elephant": {**MEASURES, "accuracy": "c2018 --limit 5000", "legality": "c2018 --limit 1500"},
}
"""Of nets that take long: centaur has no policy and looks at all successors, elephant reads whole games."""


def net_of(name: str, seed: int) -> str:
    return f"{name.replace(' ', '-')}-{seed}"


def commands(seed: int) -> str:
    """Corpora first, then each net."""
    lines = [
        'zeroply data build c2018 un2300 --where "year >= 2018" --validation 0.003 --test 0.01',
        "zeroply data build eng uneng --validation 0.005 --test 0.01",
    ]
    for name, words in {**SIX, **ABLATIONS}.items():
        net = net_of(name, seed)
        recipe, _, options = words.partition(" ")
        lines += [
            f"zeroply train {recipe} {CORPORA} --out runs/{net} --seed {seed} {options}",
            f"zeroply export runs/{net} {net}.onnx",
            f"zeroply export runs/{net} {net}-int8.onnx --int8",
            *(
                f"zeroply eval {measure} {net}.onnx {data} --json results/{net}-{measure}.json"
                for measure, data in FEWER.get(recipe, MEASURES).items()
            ),
        ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(commands(int(sys.argv[1]) if sys.argv[1:] else 0))
