import { truncate } from "../text/layout.ts";
import { safeText } from "../../domain/index.ts";
import type { PictureNode, PlanPicture } from "./plan-picture.ts";

const BOX = { width: 230, height: 46, gapX: 70, gapY: 18, margin: 24 };

interface Placed {
  readonly node: PictureNode;
  readonly x: number;
  readonly y: number;
}

/**
 * A picture of its own, without scripts, fonts or links: one column per layer, time from left to right.
 *
 * Steps without a layer stand in a last column. Within a column they keep the order of the plan, which is the order
 * people know.
 */
export function drawSvg(picture: PlanPicture): string {
  const placed = place(picture);
  const width = extent(placed, ({ x }) => x + BOX.width);
  const height = extent(placed, ({ y }) => y + BOX.height);
  const lines = picture.edges.flatMap(({ from, to, kind }) => {
    const [later, earlier] = [placed.get(from), placed.get(to)];
    if (!later || !earlier) return [];
    const isCritical = later.node.isCritical && earlier.node.isCritical;
    return [edge(earlier, later, `${kind}${isCritical ? " critical" : ""}`)];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="pawl-graph" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>Dependency graph, ${placed.size} steps</title>`,
    STYLE,
    ...lines,
    ...[...placed.values()].map(box),
    "</svg>",
  ].join("\n");
}

// Named, because a style inside a picture reaches the whole page that the picture is put into.
const STYLE = `<style>
.pawl-graph{font:13px system-ui,sans-serif;background:#fff}
.pawl-graph rect{fill:#f6f8fa;stroke:#8c959f}
.pawl-graph text{fill:#1f2328}
.pawl-graph .anchor{fill:#57606a;font-size:11px}
.pawl-graph path{fill:none;stroke:#8c959f}
.pawl-graph .substep{stroke-dasharray:4 3}
.pawl-graph .critical{stroke:#bf8700;stroke-width:2}
</style>`;

function place({ nodes, layers }: PlanPicture): ReadonlyMap<string, Placed> {
  const taken: number[] = [];
  const placed = new Map<string, Placed>();
  for (const node of nodes) {
    const column = (node.layer ?? layers.length + 1) - 1;
    const row = taken[column] ?? 0;
    taken[column] = row + 1;
    const x = BOX.margin + column * (BOX.width + BOX.gapX);
    const y = BOX.margin + row * (BOX.height + BOX.gapY);
    placed.set(node.anchor, { node, x, y });
  }
  return placed;
}

function extent(placed: ReadonlyMap<string, Placed>, end: (one: Placed) => number): number {
  let furthest = BOX.margin;
  for (const one of placed.values()) furthest = Math.max(furthest, end(one));
  return furthest + BOX.margin;
}

function edge(earlier: Placed, later: Placed, kind: string): string {
  const [x1, y1] = [earlier.x + BOX.width, earlier.y + BOX.height / 2];
  const [x2, y2] = [later.x, later.y + BOX.height / 2];
  const bend = BOX.gapX * 0.6;
  return `<path class="${kind}" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"/>`;
}

function box({ node, x, y }: Placed): string {
  const kind = node.isCritical ? ' class="critical"' : "";
  return [
    `<g><title>${xml(`${node.anchor}: ${node.title}`)}</title>`,
    `<rect${kind} x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6"/>`,
    `<text class="anchor" x="${x + 10}" y="${y + 17}">${xml(truncate(safeText(node.anchor), 36))}</text>`,
    `<text x="${x + 10}" y="${y + 35}">${xml(truncate(safeText(node.title), 32))}</text></g>`,
  ].join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Safe text has no controls and no lone surrogates; XML forbids two more characters. */
const xml = (text: string): string =>
  safeText(text)
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
