import { describe, expect, it } from "vitest";
import { pointsOf } from "../../ui/graph/lines.ts";
import { NODE, placeSteps } from "../../ui/graph/place-steps.ts";
import type { StepLine } from "../../ui/types.ts";

const step = (index: number, depends_on: readonly string[] = []) =>
  ({
    anchor: `step-${index}`,
    step_index: index,
    lane: "ready",
    parent_anchor: null,
    depends_on,
  }) as unknown as StepLine;

/** Forty that wait for nothing, and forty that wait for one of them each: both layers are folded. */
const FOLDED = Array.from({ length: 80 }, (_, index) =>
  step(index, index < 40 ? [] : [`step-${index - 40}`]),
);

describe.each(["across", "down"] as const)("lines between folded layers, %s", (way) => {
  it("pass between other steps and never behind one", () => {
    const { nodes, edges } = placeSteps(FOLDED, way);
    expect(edges).toHaveLength(40);
    const behind = edges.flatMap((edge) => {
      const points = pointsOf(edge, way);
      // Only where a line runs along a layer can it be hidden; the curves lie in the gaps.
      const runs = points.slice(1).flatMap(([x2, y2], index) => {
        const [x1, y1] = points[index]!;
        return x1 === x2 || y1 === y2 ? [{ x1, y1, x2, y2 }] : [];
      });
      return nodes.filter(
        ({ step: { anchor }, x, y }) =>
          anchor !== edge.from.step.anchor &&
          anchor !== edge.to.step.anchor &&
          runs.some(
            ({ x1, y1, x2, y2 }) =>
              Math.min(x1, x2) < x + NODE.width &&
              Math.max(x1, x2) > x &&
              Math.min(y1, y2) < y + NODE.height &&
              Math.max(y1, y2) > y,
          ),
      );
    });
    expect(behind).toEqual([]);
  });

  it("begin at the one step and end at the other", () => {
    for (const edge of placeSteps(FOLDED, way).edges) {
      const points = pointsOf(edge, way);
      const [[x1, y1], [x2, y2]] = [points[0]!, points.at(-1)!];
      const [from, to] = [edge.from, edge.to];
      expect([x1, y1]).toEqual(
        way === "across"
          ? [from.x + NODE.width, from.y + NODE.height / 2]
          : [from.x + NODE.width / 2, from.y + NODE.height],
      );
      expect([x2, y2]).toEqual(
        way === "across" ? [to.x, to.y + NODE.height / 2] : [to.x + NODE.width / 2, to.y],
      );
    }
  });
});
