import { plural, shellWord } from "../../domain/index.ts";
import type { Check } from "../../recovery/index.ts";
import type { MergeAnswer } from "../../worktrees/index.ts";
import { answerData } from "../answer-data.ts";
import type { PageContext } from "../page-context.ts";
import type { OptionName, PreviewField } from "../wire.ts";
import type { StartingPoints } from "../../views/index.ts";
import type { Action, ActionSubject } from "./action.ts";
import { needed, notPossible, stale } from "./needed.ts";

const planOf = ({ operand }: PageContext, subject: ActionSubject): string => operand(needed(subject, "plan"));

const merge: Action = {
  name: "merge",
  label: "Merge",
  about: "Merges a plan's branch into its base, whole or not at all",
  async preview(context, subject) {
    const would = await context.pawl.mergeWorktree({ target: planOf(context, subject), dryRun: true });
    if (would.alreadyMerged) throw notPossible(`${would.baseBranch} has all of ${would.branchName} already.`);
    return {
      title: `Merge ${would.branchName} into ${would.baseBranch}`,
      effects: [
        `${would.baseBranch} gets ${plural(would.steps.length, "step")} and ${plural(would.files.length, "changed file")}.`,
        ...(would.checkout === null ? [] : [`The checkout ${would.checkout} is updated, too.`]),
        verificationEffect(would),
        ...would.warnings.map((warning) => `Note: ${warning}.`),
      ],
      keeps: ["A trial merge found no conflicts.", "The branch stays."],
      version: `${would.branchTip} ${would.baseTip}`,
      needsReason: false,
      isGrave: false,
    };
  },
  async act(context, subject, { version }) {
    const [branchTip = "", baseTip = ""] = version.split(" ");
    const target = planOf(context, subject);
    const seen = { branchTip, baseTip };
    const would = await context.pawl.mergeWorktree({ target, seen, dryRun: true });
    if (would.verification?.outcome !== "pending") return context.pawl.mergeWorktree({ target, seen });
    // A check takes minutes, so it is a process of its own.
    const args = ["worktree", "merge", target, "--if-at", `${branchTip}:${baseTip}`];
    return { job: context.jobs.start("merge", needed(subject, "plan"), args) };
  },
};

/** What is verified before the base moves, and whether that is known already. */
function verificationEffect({ verification, baseBranch }: MergeAnswer): string {
  const check = verification?.check ?? "";
  if (verification?.outcome === "passed")
    return `Verified: ${check} has passed on exactly these files, so it is not run again.`;
  const again = verification?.known ? `${check} has failed on exactly these files before. It` : check;
  return verification?.outcome === "pending"
    ? `${again} runs on ${verification.known ? "them again" : "exactly these files"} first, in a clean checkout. If it fails, ${baseBranch} stays where it is.`
    : "Not verified: pawl.toml names no check ([verify] command).";
}

async function hashOf(context: PageContext, subject: ActionSubject): Promise<string> {
  return (await context.pawl.stepLines({ plan: planOf(context, subject), most: 1 })).planHash;
}

/** What `run --dry-run --json` prints, as far as it is said here. */
interface WouldRun {
  readonly workers: number;
  readonly branch: string | null;
  readonly writes_plan?: boolean;
  readonly verify: readonly string[];
  readonly steps: readonly { readonly anchor: string; readonly title: string; readonly status: string }[];
}

const stepsOf = (steps: WouldRun["steps"]): readonly string[] => {
  const of = (...statuses: readonly string[]) => steps.filter(({ status }) => statuses.includes(status));
  const [open, done, stopped] = [of("pending"), of("completed"), of("blocked", "on_hold")];
  const first = open[0];
  const verb = (some: readonly unknown[]): string => (some.length === 1 ? "is" : "are");
  return [
    first === undefined
      ? "No step is open: the run ends at once."
      : `${plural(open.length, "step")} ${verb(open)} open: it begins with ${first.anchor} "${first.title}".`,
    ...(done.length > 0 ? [`${plural(done.length, "completed step")} ${verb(done)} not redone.`] : []),
    ...(stopped.length > 0
      ? [`${plural(stopped.length, "step")} ${verb(stopped)} blocked or on hold, and not run.`]
      : []),
  ];
};

/** The options of `pawl run` by the names of their fields. */
const RUN_OPTIONS = [
  ["agent", "--agent"],
  ["workflow", "--workflow"],
  ["workers", "--workers"],
  ["max_steps", "--max-steps"],
  ["max_cost", "--max-cost"],
  ["max_minutes", "--max-minutes"],
] as const satisfies readonly (readonly [OptionName, string])[];

/** Each as one word, so that no value can be taken for an option. */
const runArguments = ({ options }: ActionSubject): readonly string[] => [
  ...RUN_OPTIONS.flatMap(([name, flag]) => (options[name] === undefined ? [] : [`${flag}=${options[name]}`])),
  ...(options.wait === "1" ? ["--wait"] : []),
];

/** As a person types it. */
export function spacedOption(argument: string): string {
  const [flag = "", value] = argument.split(/=(.*)/s);
  return value === undefined ? flag : `${flag} ${shellWord(value)}`;
}

/** What `run --dry-run` takes of them. */
const isPreviewed = (argument: string): boolean => /^--(agent|workflow|workers)=/.test(argument);

function runFields(
  { agents, workflows, workflow }: StartingPoints,
  agent: string | null,
): readonly PreviewField[] {
  const here = agents.filter(({ isHere }) => isHere).map(({ name }) => name);
  return [
    {
      name: "agent",
      label: "Agent",
      kind: "choice",
      choices: [...(agent === null ? [] : [agent]), ...here.filter((name) => name !== agent)],
    },
    {
      name: "workflow",
      label: "Workflow",
      kind: "choice",
      choices: [workflow, ...workflows.filter((name) => name !== workflow)],
    },
    { name: "workers", label: "Workers", kind: "number", placeholder: "1" },
    { name: "max_steps", label: "Steps at most", kind: "number", placeholder: "all" },
    { name: "max_cost", label: "Dollars at most", kind: "text", placeholder: "no limit" },
    { name: "max_minutes", label: "Minutes at most", kind: "text", placeholder: "no limit" },
    { name: "wait", label: "Wait for usage limits and continue", kind: "flag" },
  ];
}

const run: Action = {
  name: "run",
  label: "Run",
  about: "Starts an agent on a plan",
  async preview(context, subject) {
    const plan = needed(subject, "plan");
    const version = await hashOf(context, subject);
    const [overview, points] = await Promise.all([context.pawl.overview(), context.pawl.startingPoints()]);
    const fields = runFields(points, overview.agent);
    const agent = subject.options.agent ?? overview.agent ?? fields[0]!.choices?.[0] ?? null;
    if (agent === null)
      throw notPossible(
        "No agent is installed here. Install one, such as claude or codex, or name a program in pawl.toml (`agent`).",
      );
    const chosen = {
      ...subject,
      options: { ...subject.options, ...(overview.agent === null ? { agent } : {}) },
    };
    const args = runArguments(chosen);
    // Reading a large plan takes a while, so it is done by a process of its own.
    const would = answerData(
      await context.jobs.ask(["run", context.operand(plan), ...args.filter(isPreviewed), "--dry-run"]),
    ) as unknown as WouldRun;
    const branch = would.branch ?? "the branch of its worktree";
    return {
      title: `Run ${plan}`,
      effects: [
        would.workers === 1
          ? `${agent} starts in a worktree of its own and does one step after the other.`
          : `${would.workers} of ${agent} start, each in a worktree of its own, and do one step after the other.`,
        ...stepsOf(would.steps),
        `A step is committed to ${branch} once this holds: ${would.verify.join("; ")}.`,
      ],
      keeps: [
        would.writes_plan === true
          ? `In your checkout only ${plan} changes: its boxes are ticked as steps are completed. Nothing is merged.`
          : "Your checkout is not touched, and nothing is merged.",
        "Uncommitted work of an agent stays in its worktree; Pawl saves a snapshot after each command.",
        "It keeps running when you close this page; after a crash you can resume it where it stopped.",
      ],
      version,
      needsReason: false,
      isGrave: false,
      fields,
      command: ["pawl run", shellWord(plan), ...args.map(spacedOption)].join(" "),
    };
  },
  async act(context, subject, { version }) {
    const plan = needed(subject, "plan");
    if ((await hashOf(context, subject)) !== version) throw stale(plan);
    const { agent } = await context.pawl.overview();
    const first = agent ?? (await context.pawl.startingPoints()).agents.find(({ isHere }) => isHere)?.name;
    const options = { ...(agent === null && first ? { agent: first } : {}), ...subject.options };
    const args = runArguments({ ...subject, options });
    return { job: context.jobs.start("run", plan, ["run", context.operand(plan), ...args]) };
  },
};

/** A plan that has no state yet. */
const read: Action = {
  name: "read",
  label: "Read this plan",
  about: "Saves a plan's steps, dependencies and checklists as state",
  async preview(_context, subject) {
    return {
      title: `Read ${needed(subject, "plan")}`,
      effects: [
        "Pawl saves its steps, dependencies and checklists as state, so that workers can claim them.",
      ],
      keeps: ["The file stays as it is."],
      version: "unread",
      needsReason: false,
      isGrave: false,
    };
  },
  act: async (context, subject) =>
    answerData(await context.jobs.ask(["state", "init", "--", planOf(context, subject)])),
};

const SLUG = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** A plan that is not there yet. */
const create: Action = {
  name: "create",
  label: "Create a plan",
  about: "Writes the skeleton of a plan (`pawl plan new`)",
  async preview(_context, { options: { name = "", title } }) {
    const file = `${name === "" ? "my-plan" : name}.md`;
    return {
      title: "Create a plan",
      effects: [
        `${file} will be a valid plan of two steps, for you to overwrite in your editor.`,
        "It appears here at once. Read this plan saves it as state; Run starts an agent.",
      ],
      keeps: ["An existing file stays as it is."],
      version: "new",
      needsReason: false,
      isGrave: false,
      fields: [
        { name: "name", label: "Name of the file, without .md", kind: "text", placeholder: "my-plan" },
        { name: "title", label: "Title", kind: "text", placeholder: "What it is for" },
      ],
      command: [
        "pawl plan new",
        ...(title ? [`--title ${shellWord(title)}`] : []),
        shellWord(name || "my-plan"),
      ].join(" "),
    };
  },
  async act({ jobs }, { options: { name = "my-plan", title } }) {
    const slug = name.replace(/\.md$/, "");
    if (!SLUG.test(slug))
      throw notPossible("A plan is named by lower-case letters, digits, dots, dashes and underscores.");
    return answerData(await jobs.ask(["plan", "new", ...(title ? [`--title=${title}`] : []), "--", slug]));
  },
};

/** What `demo --json` prints, as far as it is said here. */
interface MadeDemo {
  readonly folder: string;
  readonly plan_path: string;
}

/** For a person who wants to see Pawl at work before they write a plan. */
const demo: Action = {
  name: "demo",
  label: "Try the demo",
  about: "Makes a repository of its own (`pawl demo`) and runs its plan with a script that plays the agent",
  preview: async () => ({
    title: "Try the demo",
    effects: [
      "A new repository is made in a temporary folder, with a plan of ten steps.",
      "Three workers run the plan there. Their agent is a script (agent.mjs): it calls no model and costs nothing.",
      "One step fails its check at first, so that you see what Pawl does then. The demo takes about a minute.",
      "The run has a page of its own, which you open from here in a new tab.",
    ],
    keeps: [
      "This repository is not touched.",
      "The new folder stays until you delete it; the demo's page shows where it is.",
    ],
    version: "demo",
    needsReason: false,
    isGrave: false,
    command: "pawl demo",
  }),
  async act({ jobs }) {
    const { folder, plan_path: plan } = answerData(await jobs.ask(["demo"])) as unknown as MadeDemo;
    const { link } = answerData(await jobs.serve(["run", plan, "--workers=3"], folder));
    return { folder, link };
  },
};

interface Examined {
  readonly checks?: readonly Pick<Check, "name" | "status" | "message" | "details">[];
}

/** What `pawl doctor --fix` can repair: files of ended sessions, and plan files that nothing but time keeps behind. */
const isFixable = ({ status, details }: NonNullable<Examined["checks"]>[number]): boolean =>
  status !== "pass" && ("stale" in details || ("behind" in details && !("problems" in details)));

const fix: Action = {
  name: "fix",
  label: "Fix what Pawl can fix",
  about: "Runs `pawl doctor --fix`",
  async preview({ jobs }) {
    const { checks = [] } = answerData(await jobs.ask(["doctor"])) as Examined;
    const found = checks.filter(isFixable);
    const left = checks.filter((check) => check.status !== "pass" && !isFixable(check));
    return {
      title: "Fix what Pawl can fix",
      effects:
        found.length === 0
          ? ["Nothing to fix now; the checks run again."]
          : found.map(({ name, message }) => `${name.replaceAll("_", " ")}: ${message}`),
      keeps: [
        "It removes only Pawl's leftovers: files of ended sessions and stale locks.",
        "No work, commit, branch or worktree is touched.",
        ...left.map(
          ({ name, message }) =>
            `Not fixed, because you must decide: ${name.replaceAll("_", " ")}. ${message}`,
        ),
      ],
      version: JSON.stringify(found),
      needsReason: false,
      isGrave: false,
    };
  },
  act: async ({ jobs }) => ({ job: jobs.start("fix", "doctor", ["doctor", "--fix"]) }),
};

export const PLAN_ACTIONS: readonly Action[] = [merge, run, create, read, demo, fix];
