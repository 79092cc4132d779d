import { plural } from "../../domain/index.ts";
import { padEnd, truncate, wrap } from "../text/layout.ts";
import type { Paint } from "../text/paint.ts";
import type { PictureNode, PlanPicture } from "./plan-picture.ts";

/** Layer by layer: what can be done at the same time stands together, with what each step waits for. */
export function drawText(picture: PlanPicture, paint: Paint): string {
  const { nodes, layers } = picture;
  const waits = waitsOf(picture);
  const width = nodes.reduce((widest, { anchor }) => Math.max(widest, Math.min(anchor.length, 28)), 0);
  const byLayer: string[][] = layers.map((_, index) => [paint.bold(`Layer ${index + 1}`)]);
  const stuck = [paint.red("Never ready, because they wait for each other or for such steps")];
  for (const node of nodes) {
    const block = node.layer === undefined ? stuck : byLayer[node.layer - 1]!;
    block.push(...nodeLines(node, waits.get(node.anchor) ?? "", width, paint));
  }
  const blocks = [...byLayer, ...(stuck.length > 1 ? [stuck] : []), pathLines(picture, paint)];
  return blocks.map((lines) => lines.join("\n")).join("\n\n");
}

/** What stands under a step: whose part it is, the steps it names, and that it has parts. */
function waitsOf({ nodes, edges }: PlanPicture): ReadonlyMap<string, string> {
  const named = new Map<string, string[]>(nodes.map(({ anchor }) => [anchor, []]));
  const withSubsteps = new Set<string>();
  for (const { from, to, kind } of edges) {
    if (kind === "dependency") named.get(from)?.push(to);
    else withSubsteps.add(from);
  }
  const notes = new Map<string, string>();
  for (const { anchor, parent } of nodes) {
    const waited = [...(named.get(anchor) ?? []), ...(withSubsteps.has(anchor) ? ["its substeps"] : [])];
    const parts = [
      ...(parent === undefined ? [] : [`part of ${parent}`]),
      ...(waited.length === 0 ? [] : [`waits for ${waited.join(", ")}`]),
    ];
    notes.set(anchor, parts.join("; "));
  }
  return notes;
}

function nodeLines(
  { anchor, title, isCritical }: PictureNode,
  note: string,
  width: number,
  paint: Paint,
): readonly string[] {
  const name = padEnd(truncate(paint.plain(anchor), width), width);
  const indent = 4 + width + 2;
  const room = Math.max(paint.columns - indent, 20);
  const mark = isCritical ? paint.yellow("*") : " ";
  const head = `  ${mark} ${isCritical ? paint.yellow(name) : paint.cyan(name)}  ${paint.plain(truncate(paint.plain(title), room))}`;
  const below =
    note === "" ? [] : wrap(paint.plain(note), room).map((line) => " ".repeat(indent) + paint.dim(line));
  return [head, ...below];
}

function pathLines({ criticalPath, nodes }: PlanPicture, paint: Paint): readonly string[] {
  if (nodes.length === 0) return [paint.plain("No steps.")];
  if (criticalPath.length === 0)
    return [paint.red("No step can ever be begun: all of them wait in a circle.")];
  const count = `* critical path: ${criticalPath.length} of ${plural(nodes.length, "step")}`;
  const path = wrap(paint.plain(criticalPath.join(" → ")), Math.max(paint.columns - 2, 20));
  return [paint.yellow(count), ...path.map((line) => `  ${paint.plain(line)}`)];
}
