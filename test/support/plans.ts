/** What a generated step has; everything but the anchor can be left out. */
export interface StepSpec {
  readonly number: string;
  readonly title?: string;
  readonly dependsOn?: readonly string[];
  readonly tasks?: readonly string[];
  readonly tests?: readonly string[];
  readonly checkpoints?: readonly string[];
}

/** Writes a plan in the tugplan format. A number with a dot makes a substep of the step before the dot. */
export function planText(steps: readonly StepSpec[], title = "A plan for tests"): string {
  const section = (name: string, lines: readonly string[] | undefined) =>
    lines === undefined || lines.length === 0
      ? []
      : ["", `**${name}:**`, ...lines.map((line) => `- [ ] ${line}`)];
  const blocks = steps.map((step) => {
    const level = step.number.includes(".") ? "#####" : "####";
    const anchor = `step-${step.number.replaceAll(".", "-")}`;
    return [
      `${level} Step ${step.number}: ${step.title ?? `Work ${step.number}`} {#${anchor}}`,
      ...(step.dependsOn?.length
        ? ["", `**Depends on:** ${step.dependsOn.map((target) => `#${target}`).join(", ")}`]
        : []),
      ...section("Tasks", step.tasks),
      ...section("Tests", step.tests),
      ...section("Checkpoint", step.checkpoints),
    ].join("\n");
  });
  return [
    `## Phase 1.0: ${title} {#phase}`,
    "",
    "### Execution Steps {#execution-steps}",
    "",
    blocks.join("\n\n---\n\n"),
    "",
  ].join("\n");
}

/** A plan of `count` steps without dependencies or items. */
export const flatPlan = (count: number): string =>
  planText(Array.from({ length: count }, (_, index) => ({ number: String(index + 1) })));

/** Two dependent steps, one with substeps: enough for most verbs. */
export const SMALL_PLAN = planText([
  {
    number: "0",
    title: "Lay the ground",
    tasks: ["dig", "level"],
    tests: ["is it flat"],
    checkpoints: ["inspected"],
  },
  { number: "1", title: "Build", dependsOn: ["step-0"], tasks: ["raise the walls"] },
  { number: "1.1", title: "North wall", tasks: ["bricks", "mortar"] },
  { number: "1.2", title: "South wall", dependsOn: ["step-1-1"], tasks: ["bricks"] },
  { number: "2", title: "Paint", dependsOn: ["step-1"], tasks: ["choose a colour"] },
]);
