import { Failure } from "../../domain/index.ts";
import { leaseSeconds, RUN_LEASE_OPTION } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { PAGE_BESIDE_OPTIONS, withPage } from "../open-page.ts";
import { programHere } from "../program-here.ts";
import { amountOf, countOf, LIMIT_OPTIONS, timeOf, WAIT_OPTIONS } from "../run-options.ts";
import { reportedRun } from "../reported-run.ts";
import { alreadyRunning, type NextWork, nextWork } from "../resume-or-start.ts";
import { EXISTING_CHOICES } from "../../runs/index.ts";
import { askAboutBuild, existingChoice } from "../existing-build.ts";
import { previewText } from "../text/show-preview.ts";
import { forPeople } from "../text/for-people.ts";
import { paragraph } from "../text/paragraph.ts";
import { asking } from "../text/show-findings.ts";
import { snakeCase } from "../../journal/index.ts";

export const runPlanCommand = defineCommand({
  name: "run",
  more: `Each worker has a worktree and a branch of its own; its finished steps land on the plan's branch. Progress goes to stderr, the summary to stdout; with --json each event is a line of JSON and the answer is the last line. Ctrl-C
stops the agents, keeps their work and prints how to continue; after any crash \`pawl resume\` continues where it stopped. With
--ui the page is served by the same process, and stays for as long as one of its windows is open.

The plan may be a spec folder (\`.auto-claude/specs/NAME\`). Without a valid plan in it the agent writes one first;
Pawl returns a plan with errors to it, at most 3 times. If a build exists already, Pawl's or in a worktree of another
tool, you choose whether to continue, review, merge or put it aside: at a terminal Pawl asks, elsewhere --existing or
--auto-continue decides.`,
  operands: [
    { name: "plan", about: "The plan file; the only plan here when left out", required: false },
    {
      name: "command…",
      about: "After --: a program that does the work, the prompt on its stdin",
      required: false,
    },
  ],
  options: {
    agent: {
      type: "text",
      value: "NAME",
      about: "The agent, and after commas its fallbacks (`agent` of pawl.toml)",
    },
    workflow: {
      type: "text",
      value: "NAME",
      about: "The workflow (`workflow` of pawl.toml, else implement)",
    },
    workers: { type: "number", value: "N", about: "How many agents run at once (1)" },
    "max-steps": { type: "number", value: "N", about: "End after so many steps" },
    "auto-continue": { type: "flag", about: "Continue an existing build without asking" },
    existing: {
      type: "text",
      value: "CHOICE",
      about: "What to do with an existing build of a spec folder",
      choices: EXISTING_CHOICES,
    },
    worktree: { type: "text", value: "PATH", about: "Work in this worktree and commit to its branch" },
    "resume-or-start": {
      type: "flag",
      about:
        "Resume an interrupted run, else start one, else say that all steps are completed: for nightly jobs",
    },
    "dry-run": { type: "flag", about: "Print what would be done, and do nothing" },
    ...LIMIT_OPTIONS,
    ...WAIT_OPTIONS,
    ...RUN_LEASE_OPTION,
    ...PAGE_BESIDE_OPTIONS,
  },
  examples: [
    "pawl run plan.md --agent claude",
    "pawl run plan.md --workers 3 --wait",
    "pawl run plan.md --agent claude,codex --max-cost 20",
    "pawl run plan.md --ui",
    "pawl run plan.md --resume-or-start --wait",
    "pawl run plan.md -- ./my-agent",
    "pawl run .auto-claude/specs/001-login --auto-continue",
  ],
  async run(context, values, operands, after) {
    const [plan, extra] = operands.slice(0, operands.length - after.length);
    if (extra !== undefined)
      throw new Failure("usage/wrong", `${extra} is one plan too many; a command goes after --.`, {
        word: extra,
      });
    const argv = programHere(after, context);
    const pawl = await context.pawl();
    const asked = {
      plan,
      argv,
      agent: values.agent,
      workflow: values.workflow,
      workers: countOf(values.workers, "--workers"),
      worktree: values.worktree,
    };
    if (values["dry-run"]) {
      const preview = await pawl.previewRun(asked);
      return { data: snakeCase(preview), text: (paint) => previewText(preview, paint) };
    }
    const limits = {
      maxCost: amountOf(values["max-cost"], "--max-cost"),
      maxMinutes: amountOf(values["max-minutes"], "--max-minutes"),
      wait: values.wait,
      maxWaitMs: timeOf(values["max-wait"], "--max-wait"),
      interruption: context.interruption(),
    };
    const next: NextWork = values["resume-or-start"]
      ? nextWork(await pawl.listRuns({ plan }))
      : { kind: "start" };
    if (next.kind === "running") return alreadyRunning(next.run);
    if (next.kind === "resume")
      return withPage(context, values, () =>
        reportedRun(context, (listeners) => pawl.resume({ id: next.session, ...limits, ...listeners }), {
          hasPage: values.ui,
        }),
      );
    const { progress } = context;
    // At a terminal the person is asked before anything begins.
    const decider = context.ask && {
      ask: asking(context),
      tell: (text: string) => progress.line(paragraph(forPeople(text, Date.now()), 2, progress.columns())),
    };
    return withPage(context, values, () =>
      reportedRun(
        context,
        (listeners) =>
          pawl.run({
            ...asked,
            maxSteps: countOf(values["max-steps"], "--max-steps"),
            existing: existingChoice(values),
            ask: context.ask && askAboutBuild(context.ask, progress.columns),
            decider,
            ...limits,
            leaseSeconds: leaseSeconds(values["lease-duration"]),
            ...listeners,
          }),
        { hasPage: values.ui },
      ),
    );
  },
});
