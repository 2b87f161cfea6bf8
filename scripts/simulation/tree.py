"""Trees that a family evolves down."""
import math
from typing import NamedTuple, Optional

from model import Dice, Model


class Node(NamedTuple):
    """A node of the tree; parents stand before children, the root has parent -1."""

    parent: int
    length: float
    name: str


def birth_death_tree(dice: Dice, n: int, death: float) -> list[Node]:
    """A random tree with n leaves that live at its end: two lineages at the root, births at rate
    1, deaths at rate `death`; branches are stretched by 0.5 to 1.5, so there is no exact clock."""
    if n == 1:
        return [Node(-1, 0.0, "seq1")]
    while True:
        parent, born, ended = [-1, 0, 0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
        alive, time = [1, 2], 0.0
        while alive:
            time += dice.waiting(len(alive) * (1 + death))
            if len(alive) == n:  # this wait only gives the youngest leaves some length
                break
            node = alive.pop(dice.below(len(alive)))
            ended[node] = time
            if dice.uniform() * (1 + death) >= death:
                for _ in range(2):
                    alive.append(len(parent))
                    parent.append(node)
                    born.append(time)
                    ended.append(time)
        if alive:
            break
    for node in alive:
        ended[node] = time
    kept = [False] * len(parent)
    for node in alive:
        while node >= 0 and not kept[node]:
            kept[node] = True
            node = parent[node]
    number: dict[int, int] = {-1: -1}
    nodes: list[Node] = []
    names = {node: f"seq{rank + 1}" for rank, node in enumerate(dice.shuffle(alive))}
    for node in range(len(parent)):
        if kept[node]:
            number[node] = len(nodes)
            length = (ended[node] - born[node]) * (0.5 + dice.uniform())
            nodes.append(Node(number[parent[node]], length, names.get(node, "")))
    return nodes


def leaf_numbers(nodes: list[Node]) -> list[int]:
    """The nodes without children."""
    inner = {node.parent for node in nodes}
    return [i for i in range(len(nodes)) if i not in inner]


def distance(nodes: list[Node], depth: list[float], x: int, y: int) -> float:
    """Length of the path between two nodes."""
    total = depth[x] + depth[y]
    while x != y:  # parents have lower numbers, so the higher one goes up
        x, y = (nodes[x].parent, y) if x > y else (x, nodes[y].parent)
    return total - 2 * depth[x]


def scaled(nodes: list[Node], height: Optional[float], identity: Optional[float],
           model: Model) -> list[Node]:
    """The tree with this mean distance from root to leaf, or this mean expected identity of two
    leaves (of at most 40 leaves)."""
    leaves = leaf_numbers(nodes)
    if len(leaves) < 2:
        return nodes
    depth: list[float] = []
    for node in nodes:
        depth.append((depth[node.parent] if depth else 0.0) + node.length)
    factor = 1.0
    if identity is not None:
        some = leaves[::(len(leaves) + 39) // 40]
        apart = [distance(nodes, depth, x, y) for x in some for y in some if x < y]
        low, high = 0.0, 100.0 / max(max(apart), 1e-9)
        for _ in range(60):
            factor = (low + high) / 2
            mean = math.fsum(model.identity(factor * t) for t in apart) / len(apart)
            low, high = (factor, high) if mean > identity else (low, factor)
    elif height is not None:
        factor = height / (math.fsum(depth[leaf] for leaf in leaves) / len(leaves))
    return [Node(node.parent, node.length * factor, node.name) for node in nodes]
