import { plural, shellArgument } from "../../domain/index.ts";
import type { RunPreview } from "../../runs/index.ts";
import { shorten } from "./layout.ts";
import { nameWidth } from "./name-column.ts";
import type { Paint } from "./paint.ts";

const CONTAINED = {
  own: ", in the agent's own sandbox",
  pawl: ", in bubblewrap: only its worktree, Pawl's state and temporary files can be written",
  not: ", not contained",
} as const;

/** What a run would do, for people. */
export function previewText(preview: RunPreview, paint: Paint): string {
  const { planPath, workers, workflow, commands, verify, branch, steps } = preview;
  const open = steps.filter(({ status }) => status !== "completed");
  const done = steps.length - open.length;
  return [
    `Would run ${paint.bold(planPath)} with ${plural(workers, "worker")}: ${plural(open.length, "step")} to do, ${done} done.`,
    ...open.map(({ anchor, title, status, dependsOn }) => {
      const state = status === "pending" ? "" : ` ${paint.yellow(status.replaceAll("_", " "))}`;
      const names = dependsOn.map((one) => shorten(one, nameWidth(paint.columns)));
      const after = names.length === 0 ? "" : paint.dim(` after ${names.join(", ")}`);
      const name = shorten(anchor, nameWidth(paint.columns));
      return `  ${paint.bold(name)} ${paint.plain(title)}${state}${after}`;
    }),
    `For each, as workflow ${paint.plain(workflow)} says:`,
    ...commands.flatMap(({ name, argv, env, permissions, contained, shortfall }) => [
      `  ${paint.bold(name)}  ${paint.plain(shellLine(argv, env))}`,
      ...(permissions === null ? [] : [paint.dim(`    ${permissions}${CONTAINED[contained ?? "not"]}`)]),
      ...(shortfall === undefined ? [] : [`    ${paint.yellow(shortfall)}`]),
    ]),
    "Done when:",
    ...verify.map((check) => `  ${paint.plain(check)}`),
    branch === null
      ? "Committed to the branch of that worktree."
      : `Each worker commits to a branch of its own, brought to ${paint.bold(branch)}.`,
    ...(branch === null
      ? []
      : [
          preview.writesPlan
            ? `Nothing is merged. In your checkout only ${paint.bold(planPath)} changes: it shows the progress.`
            : "Your checkout is not touched, and nothing is merged.",
        ]),
  ].join("\n");
}

const shellLine = (argv: readonly string[], env: Readonly<Record<string, string>>): string =>
  [
    ...Object.entries(env).map(([name, value]) => `${name}=${shellArgument(value)}`),
    ...argv.map(shellArgument),
  ].join(" ");
