import { plural, shellArgument, shellWord } from "../../domain/index.ts";
import type { PrepareAnswer } from "../../store/index.ts";
import type { ProposedSettings } from "../../views/index.ts";
import type { ChosenSettings } from "../../platform/config/index.ts";
import { askForSettings, detectedSettings } from "../choose-settings.ts";
import { defineCommand } from "../command.ts";
import { columns } from "../text/layout.ts";
import type { Paint } from "../text/paint.ts";
import { importableLines, importedLines } from "../text/show-import.ts";
import { nearPath } from "../text/holder.ts";
import { snakeCase } from "../../journal/index.ts";

/** Enough to show that boxes will do; in a large repository many files have some. */
const MOST_LISTS = 5;

export const initCommand = defineCommand({
  name: "init",
  more: `At a terminal it asks for the agent, the check that every step must pass, and the setup of a new worktree,
and suggests what it finds: installed agents, package.json, a Makefile, pyproject.toml, Cargo.toml and lock files.
Elsewhere, and with --yes, it takes what it finds. An existing pawl.toml stays as it is. It also finds what other
tools left: a database of Tugstate, Claude task files, specs and worktrees of Auto-Claude. --import takes their
progress over. Their files are only read, and importing again changes nothing.`,
  operands: [],
  options: {
    yes: { type: "flag", about: "Accept what it finds, without asking" },
    import: { type: "flag", about: "Import the progress that other tools recorded here" },
  },
  examples: ["pawl init", "pawl init --yes", "pawl init --import"],
  async run(context, { yes = false, import: isImport = false }) {
    const pawl = await context.pawl();
    const proposed = await pawl.proposedSettings();
    const askLine = yes || proposed.exists ? undefined : context.askLine;
    const chosen = askLine ? await askForSettings(askLine, proposed) : detectedSettings(proposed);
    const answer = await pawl.prepare({ chosen });
    const imported = isImport ? await pawl.importProgress({}) : undefined;
    const importable = await pawl.importable({});
    const { agent = null, check = null, worktreeSetup = null } = answer.settingsCreated ? chosen : {};
    return {
      data: snakeCase({
        ...answer,
        agent,
        check,
        worktreeSetup,
        asked: askLine !== undefined,
        importable,
        ...(imported && { imported: imported.plans }),
      }),
      text: (paint) =>
        [
          `${answer.created ? paint.green("Made") : "Found"} the database ${paint.plain(nearPath(answer.database, context.cwd))}.`,
          ...settingsText(
            answer,
            { chosen, proposed, isAsked: askLine !== undefined, cwd: context.cwd },
            paint,
          ),
          ...(imported
            ? importedLines(imported, paint)
            : importableLines(importable, "pawl init --import", paint)),
          ...plansText(answer, (answer.settingsCreated ? chosen : proposed).agent !== undefined, paint),
        ].join("\n"),
    };
  },
});

interface Written {
  readonly chosen: ChosenSettings;
  readonly proposed: ProposedSettings;
  readonly isAsked: boolean;
  readonly cwd: string;
}

/** What the new file sets, and where each value comes from. */
function settingsText(
  { settingsCreated, settingsFile }: PrepareAnswer,
  { chosen, proposed, isAsked, cwd }: Written,
  paint: Paint,
): readonly string[] {
  const path = paint.plain(nearPath(settingsFile, cwd));
  if (!settingsCreated) return [`Found ${path}; it stays as it is.`];
  const from = (source: string | undefined) => (isAsked || source === undefined ? "" : `from ${source}`);
  const row = (name: string, value: string | undefined, source: string) => [
    `  ${name}`,
    paint.bold(value ?? "none"),
    paint.dim(value === undefined ? "" : source),
  ];
  const line = (argv: readonly string[] | undefined) => argv?.map(shellArgument).join(" ");
  const { check, setup } = proposed;
  return [
    `${paint.green("Wrote")} ${path}${isAsked ? "" : " with what is found here; edit it where it is wrong"}:`,
    ...columns([
      row("agent", chosen.agent, isAsked ? "" : "installed"),
      row("check", line(chosen.check), from(check?.from)),
      row("worktree setup", line(chosen.worktreeSetup), from(setup?.from)),
    ])
      .split("\n")
      .map((one) => one.trimEnd()),
  ];
}

/** What is there to run; what has errors is shown before it is run. */
function plansText(
  { plansFound, checklistsFound, plansWithErrors, worktree }: PrepareAnswer,
  hasAgent: boolean,
  paint: Paint,
): readonly string[] {
  if (worktree === null)
    return ["Plans are in worktrees, and this is not one. Change into one; `git worktree add` creates one."];
  if (plansFound.length + checklistsFound.length === 0)
    return ["No plans found. Write one with: pawl plan new plan"];
  const errorsOf = new Map(plansWithErrors.map(({ planPath, errors }) => [planPath, errors]));
  const line = (kind: string) => (plan: string) => {
    const errors = errorsOf.get(plan);
    const next =
      errors === undefined
        ? `pawl run ${shellWord(plan)}`
        : `${plural(errors, "error")}; see: pawl plan check ${shellWord(plan)}`;
    return `  ${kind} ${paint.bold(plan)}: ${paint.plain(next)}`;
  };
  const lines = [
    ...plansFound.map(line("plan")),
    ...checklistsFound.slice(0, MOST_LISTS).map(line("checklist")),
  ];
  return hasAgent || [...plansFound, ...checklistsFound].every((plan) => errorsOf.has(plan))
    ? lines
    : [
        ...lines,
        "Name an agent with --agent, or in pawl.toml; `pawl agents` lists those that are installed.",
      ];
}
