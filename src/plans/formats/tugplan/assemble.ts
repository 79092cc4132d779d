import type { PlanStep } from "../../../domain/index.ts";
import type { Report } from "../diagnostics.ts";
import { anchorSteps } from "./anchor-steps.ts";
import { parentsOf } from "./family.ts";
import type { OutlinedStep } from "./outline.ts";
import { resolveDependencies } from "./resolve-dependencies.ts";
import type { StepContent } from "./step-content.ts";

/** Puts the steps together: names, families, dependencies, content. Returns the top-level ones in file order. */
export function assemble(
  outlined: readonly OutlinedStep[],
  contents: readonly StepContent[],
  report: Report,
): readonly PlanStep[] {
  const anchors = anchorSteps(outlined, report);
  const parents = parentsOf(outlined);
  const dependencies = resolveDependencies(
    outlined.map(({ number, summary }, index) => ({
      number,
      summary,
      anchor: anchors[index]!,
      parent: parents[index],
      dependsOn: contents[index]!.dependsOn,
    })),
    report,
  );
  const topLevel: PlanStep[] = [];
  const substeps = outlined.map((): PlanStep[] => []);
  for (const [index, { title, index: line }] of outlined.entries()) {
    const { items, commit, references, body } = contents[index]!;
    const parent = parents[index];
    const siblings = parent === undefined ? topLevel : substeps[parent]!;
    siblings.push({
      anchor: anchors[index]!,
      title,
      line: line + 1,
      dependsOn: dependencies[index]!,
      items,
      substeps: substeps[index]!,
      commit,
      references,
      body,
    });
  }
  return topLevel;
}
