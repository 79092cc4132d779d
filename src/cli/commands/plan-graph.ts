import { Failure } from "../../domain/index.ts";
import { PLAN } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { planExitCode, issuesOf, loadPlan } from "../load-plan.ts";
import { drawMermaid } from "../plan-graph/draw-mermaid.ts";
import { drawSvg } from "../plan-graph/draw-svg.ts";
import { drawText } from "../plan-graph/draw-text.ts";
import { pictureOf, type PlanPicture } from "../plan-graph/plan-picture.ts";
import { plainPaint, type Paint } from "../text/paint.ts";

type Pen = (picture: PlanPicture, paint: Paint) => string;

/** A drawing for another program: uncoloured, whatever the terminal can do. */
const uncoloured =
  (draw: (picture: PlanPicture) => string): Pen =>
  (picture, paint) =>
    draw(picture)
      .split("\n")
      .map((line) => paint.plain(line))
      .join("\n");

const PENS: ReadonlyMap<string, Pen> = new Map([
  ["text", drawText],
  ["mermaid", uncoloured(drawMermaid)],
  ["svg", uncoloured(drawSvg)],
]);

export const planGraphCommand = defineCommand({
  name: "plan graph",
  more: `Steps of one layer can run at the same time. The critical path is the longest chain of steps that wait for one
another. A step waits for its substeps, and a substep for what its step waits for.`,
  operands: [PLAN],
  options: {
    format: {
      type: "text",
      value: "FORMAT",
      choices: [...PENS.keys()],
      about: "text, mermaid or svg (text)",
    },
  },
  examples: ["pawl plan graph plan.md", "pawl plan graph plan.md --format svg > plan.svg"],
  run: async (context, { format = "text" }, [operand = ""]) => {
    const draw = PENS.get(format);
    if (!draw) {
      throw new Failure("usage/wrong", `There is no format ${format}; use text, mermaid or svg.`, { format });
    }
    const { planPath, plan } = loadPlan(context, operand);
    const picture = pictureOf(plan);
    return {
      data: {
        plan_path: planPath,
        format,
        nodes: picture.nodes.map(({ anchor, title, parent, layer, isCritical }) => ({
          anchor,
          title,
          parent_anchor: parent ?? null,
          layer: layer ?? null,
          critical: isCritical,
        })),
        edges: picture.edges.map(({ from, to, kind }) => ({ anchor: from, waits_for: to, kind })),
        layers: picture.layers,
        critical_path: picture.criticalPath,
        graph: draw(picture, plainPaint(80)),
      },
      issues: issuesOf(plan),
      exitCode: planExitCode(plan),
      text: (paint) => draw(picture, paint),
    };
  },
});
