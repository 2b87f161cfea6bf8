// The tree: x by the distance from the root, y by the rows of the leaves; without recursion, since
// trees can be deep. The rows of a node are those from `low` to `high`.
function layOut(t) {
  const n = t.row.length, total = n + t.left.length;
  const node = { n, total, left: t.left, right: t.right, x: new Float64Array(total),
    y: new Float64Array(total), low: new Int32Array(total), high: new Int32Array(total),
    parent: new Int32Array(total).fill(-1), far: 0 };
  for (let k = 0; k < n; ++k) node.low[k] = node.high[k] = t.row[k];
  for (let k = n; k < total; ++k) {
    const a = t.left[k - n], b = t.right[k - n];
    node.low[k] = Math.min(node.low[a], node.low[b]);
    node.high[k] = Math.max(node.high[a], node.high[b]);
    node.parent[a] = node.parent[b] = k;
  }
  for (let k = total - 1; k >= n; --k) for (const child of [t.left[k - n], t.right[k - n]]) {
    node.x[child] = node.x[k] + t.length[child];
    node.far = Math.max(node.far, node.x[child]);
  }
  node.far = node.far || 1;
  return node;
}
// The places of the nodes among the rows that are shown; NaN where none of a node's rows is.
function placeNodes() {
  const { n, total, y } = tree;
  for (let k = 0; k < n; ++k) y[k] = placeIn[tree.low[k]] < 0 ? NaN : placeIn[tree.low[k]];
  for (let k = n; k < total; ++k) {
    const a = y[tree.left[k - n]], b = y[tree.right[k - n]];
    y[k] = a !== a ? b : b !== b ? a : (a + b) / 2;
  }
}
const nodeX = k => 7 + tree.x[k] * (treeWidth - 14) / tree.far;

function paintTree(v, sy) {
  const rh = height(), py = k => sy + (tree.y[k] + 0.5) * rh;
  const low = bodyTop() - rh, high = view.clientHeight + rh;
  ink.lineWidth = 1; ink.strokeStyle = softColour(); ink.beginPath();
  for (let k = tree.n; k < tree.total; ++k) {
    if (tree.y[k] !== tree.y[k]) continue;
    const sides = [tree.left[k - tree.n], tree.right[k - tree.n]]
      .filter(side => tree.y[side] === tree.y[side]);
    const ys = sides.map(py);
    if (Math.max(...ys) < low || Math.min(...ys) > high) continue;
    sides.forEach((side, s) => {
      ink.moveTo(nodeX(side), ys[s]); ink.lineTo(nodeX(k), ys[s]); ink.lineTo(nodeX(k), py(k));
    });
  }
  ink.stroke();
  if (rh < 4) return;
  ink.strokeStyle = mix('#808080', 0.5); ink.setLineDash([1, 3]); ink.beginPath();
  for (let k = 0; k < tree.n; ++k) if (tree.y[k] >= v.r0 - 1 && tree.y[k] <= v.r1) {
    ink.moveTo(nodeX(k) + 2, py(k)); ink.lineTo(treeWidth, py(k));
  }
  ink.stroke(); ink.setLineDash([]);
}

// The inner node nearest to a point, within a few pixels; -1 if there is none.
function nodeAt(x, y) {
  const rh = height(), sy = bodyTop() - view.scrollTop;
  let best = -1, least = 8;
  for (let k = tree.n; k < tree.total; ++k) {
    if (tree.y[k] !== tree.y[k]) continue;
    const away = Math.hypot(nodeX(k) - x, sy + (tree.y[k] + 0.5) * rh - y);
    if (away < least) { least = away; best = k; }
  }
  return best;
}
// The smallest clade of a row that has more rows than are selected of it.
function widerClade(row) {
  let k = tree.low.subarray(0, tree.n).indexOf(row);
  const whole = () => {
    for (let r = tree.low[k]; r <= tree.high[k]; ++r) if (!selected.has(r)) return false;
    return true;
  };
  while (whole() && tree.parent[k] >= 0) k = tree.parent[k];
  return k;
}
