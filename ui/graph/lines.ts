import { type Edge, GAP, NODE, type PlacedStep, type Way } from "./place-steps.ts";

export type Point = readonly [x: number, y: number];

/**
 * Where a line goes from the end of one step to the beginning of the next, in the direction of the layers.
 *
 * Out of a folded layer, and into one, it goes between the rows: behind other steps it would look as if it began and
 * ended at each of them.
 */
export function pointsOf({ from, to }: Edge, way: Way): readonly Point[] {
  const point = (along: number, inside: number): Point =>
    way === "across" ? [along, inside] : [inside, along];
  const placeOf = ({ x, y }: PlacedStep) =>
    way === "across"
      ? { start: x, end: x + NODE.width, middle: y + NODE.height / 2 }
      : { start: y, end: y + NODE.height, middle: x + NODE.width / 2 };
  const row = ((way === "across" ? NODE.height : NODE.width) + GAP.steps) / 2;
  const [source, target] = [placeOf(from), placeOf(to)];
  const line = [point(source.end, source.middle)];
  if (from.layer.until > source.end)
    line.push(
      point(source.end + GAP.steps, source.middle + row),
      point(from.layer.until, source.middle + row),
    );
  if (to.layer.from < target.start)
    line.push(
      point(to.layer.from, target.middle - row),
      point(target.start - GAP.steps, target.middle - row),
    );
  line.push(point(target.start, target.middle));
  return line;
}
