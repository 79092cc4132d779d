import { isAbsolute, relative, resolve, sep } from "node:path";
import { Failure, safeText, shellWord } from "../../domain/index.ts";
import type { CommitAnswer } from "../../commits/index.ts";
import type { VerifiedCommit } from "../../runs/index.ts";
import type { Interruption } from "../../platform/ports/index.ts";
import { CALLER_OPTIONS, REQUEST_OPTION, whoCalls } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { nextAfter } from "../text/next-call.ts";
import type { Paint } from "../text/paint.ts";
import { type Issue, snakeCase } from "../../journal/index.ts";

export const commitCommand = defineCommand({
  name: "commit",
  more: `Commits everything that changed in the worktree, or exactly the paths given, with the user's hooks and
signing. The message is the plan's own when none is given; the trailers name the plan and the step and are signed, so
that Pawl can restore the state from git. If the step cannot be completed, the commit stays and the answer says why.
After a crash the same command continues where the first one stopped; it never commits twice. Where pawl.toml names a
check, Pawl runs it first and commits only what passes. After a failed check you still hold the step; the third
failure, or a timeout, blocks it for a person.`,
  operands: [{ name: "path…", about: "Only these; everything that changed when left out", required: false }],
  options: {
    plan: { type: "text", value: "PLAN", about: "The plan file; PAWL_PLAN when left out" },
    step: {
      type: "text",
      value: "STEP",
      about: "The step's anchor, with or without #; PAWL_STEP when left out",
    },
    message: {
      type: "text",
      value: "TEXT",
      about: "The message; the plan's commit line or the title when left out",
    },
    ...CALLER_OPTIONS,
    "allow-empty": { type: "flag", about: "Commit even if nothing changed" },
    unverified: {
      type: "text",
      value: "REASON",
      about: "Commit without the checks of pawl.toml (for people); the reason stays in the journal",
    },
    ...REQUEST_OPTION,
  },
  examples: [
    "pawl commit --plan plan.md --step step-1 --worktree .",
    'pawl commit --plan plan.md --step step-1 --worktree . --message "Add the parser" src/parser.ts test',
  ],
  async run(context, values, operands) {
    const { env, cwd } = context;
    const plan = values.plan ?? (env["PAWL_PLAN"] || undefined);
    const step = values.step ?? (env["PAWL_STEP"] || undefined);
    if (plan === undefined || step === undefined)
      throw new Failure("usage/wrong", `commit needs --${plan === undefined ? "plan" : "step"}.`, {});
    const who = whoCalls(context, { ...values, worktree: values.worktree ?? (env["PAWL_WORKTREE"] || ".") });
    if (values.unverified?.trim() === "")
      throw new Failure("usage/wrong", "--unverified needs a reason.", {});
    let interruption: Interruption | undefined;
    const pawl = await context.pawl();
    const answer = await pawl.commit({
      plan,
      step,
      ...who,
      message: values.message,
      paths: operands.length === 0 ? undefined : operands.map((path) => pathFrom(cwd, who.worktree, path)),
      allowEmpty: values["allow-empty"],
      requestId: values["request-id"],
      unverified: values.unverified,
      interruption: () => (interruption ??= context.interruption()),
      onEvent({ event }) {
        if (event === "verifying" && (context.progress.mode === "lines" || context.progress.mode === "live"))
          context.progress.line(`Verifying ${safeText(step)} before it is committed.`);
      },
    });
    if ("verification" in answer && !answer.completed) {
      const { refusedCommit } = await import("../text/refused-commit.ts");
      return refusedCommit(answer, { ...values, worktree: who.worktree }, interruption?.signal());
    }
    const next = await nextAfter(context, {
      plan: answer.planPath,
      step: answer.anchor,
      worktree: who.worktree,
    });
    return {
      data: snakeCase(answer),
      issues: issuesOf(answer),
      text: (paint) => textOf(answer, who.worktree, next, paint),
    };
  },
});

/** As typed inside the worktree; from elsewhere, relative to its top level. */
function pathFrom(cwd: string, worktree: string, path: string): string {
  if (path === "") throw new Failure("usage/wrong", "A path is empty.", {});
  if (isAbsolute(path)) return path;
  const inside = relative(resolve(cwd, worktree), cwd);
  const isOutside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOutside ? path : resolve(cwd, path);
}

const issuesOf = ({ warnings }: Answer): readonly Issue[] =>
  warnings.map((message) => ({
    code: "W002",
    name: "commit/warning",
    severity: "warning" as const,
    message,
    hint: "The commit stays; inspect it with `git show`.",
  }));

type Answer = CommitAnswer | VerifiedCommit;

/** The commit is there, so what is left is the step's own way to its end, with that commit. */
const unfinishedStep = ({ planPath, anchor, commitHash }: Answer, worktree: string, paint: Paint): string =>
  `  then: pawl state complete ${paint.plain(`${shellWord(planPath)} ${shellWord(anchor)} --worktree ${shellWord(worktree)}`)} --commit ${shortOf(commitHash)}`;

const shortOf = (commit: string | null): string => (commit ?? "").slice(0, 12);

function textOf(answer: Answer, worktree: string, next: (paint: Paint) => string, paint: Paint): string {
  const { filesStaged: files, anchor } = answer;
  const what = `${shortOf(answer.commitHash)} (${files.length} file${files.length === 1 ? "" : "s"})`;
  const verb = answer.resumed ? "Found the commit" : "Committed";
  const first = `${paint.green(verb)} ${what} for ${paint.bold(anchor)}.`;
  if (answer.stateUpdateFailed)
    return `${first}\n${paint.yellow("Not completed:")} ${paint.plain(answer.stateFailureReason ?? "")}\n${unfinishedStep(answer, worktree, paint)}`;
  const second = `${paint.green("Completed")} ${paint.bold(anchor)}.`;
  const third = answer.allStepsCompleted ? paint.green("All steps are completed.") : next(paint);
  const checked =
    "verification" in answer
      ? [`${paint.green("Verified")} ${paint.bold(anchor)}: ${paint.plain(answer.verification.because)}.`]
      : [];
  return [...checked, first, second, third].join("\n");
}
