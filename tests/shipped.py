"""What the bundled chess net says of itself, so that tests of what is shown hold for the next one, too."""

from __future__ import annotations

from zeroply.players.load import load_network
from zeroply.players.ratings import HIGHEST as USUAL_HIGHEST
from zeroply.players.ratings import LOWEST as USUAL_LOWEST

ABOUT = load_network("chess", threads=1).about
BLOCKS: int = ABOUT["options"]["depth"]
HEADS: int = ABOUT["options"]["heads"]
LOWEST, HIGHEST = ABOUT["training"].get("people", (USUAL_LOWEST, USUAL_HIGHEST))
STRONGEST_ENGINE: int = ABOUT["training"]["strongest"]["engine"]
KNOWS = f"the model knows players from {LOWEST} to {HIGHEST}"
NO_SUCH_LAYER = f"there is no layer {BLOCKS}. Layers are 0 to {BLOCKS - 1}"
NO_SUCH_HEAD = f"there is no head {HEADS}. Heads are 0 to {HEADS - 1}"
