import { plural } from "../../domain/index.ts";
import type { Check } from "../../recovery/index.ts";
import type { MergeAnswer } from "../../worktrees/index.ts";
import { answerData } from "../answer-data.ts";
import type { PageContext } from "../page-context.ts";
import type { Action, Subject } from "./action.ts";
import { needed, notPossible, stale } from "./needed.ts";

const planOf = ({ operand }: PageContext, subject: Subject): string => operand(needed(subject, "plan"));

const merge: Action = {
  name: "merge",
  label: "Merge",
  about: "Brings a plan's branch to its base, whole or not at all",
  async preview(context, subject) {
    const would = await context.pawl.mergeWorktree({ target: planOf(context, subject), dryRun: true });
    if (would.alreadyMerged) throw notPossible(`${would.baseBranch} has all of ${would.branchName} already.`);
    return {
      title: `Merge ${would.branchName} into ${would.baseBranch}`,
      effects: [
        `${would.baseBranch} gets ${plural(would.steps.length, "step")} and ${plural(would.files.length, "changed file")}.`,
        ...(would.checkout === null ? [] : [`The checkout ${would.checkout} is brought along.`]),
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
  return verification?.outcome === "pending"
    ? `${check} runs on exactly these files first, in a clean checkout. If it fails, ${baseBranch} stays where it is.`
    : "Not verified: pawl.toml names no check ([verify] command).";
}

async function hashOf(context: PageContext, subject: Subject): Promise<string> {
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
      ? "No step is open: it ends as soon as it has seen that."
      : `${plural(open.length, "step")} ${verb(open)} open: it begins with ${first.anchor} "${first.title}".`,
    ...(done.length > 0 ? [`${plural(done.length, "finished step")} ${verb(done)} not done again.`] : []),
    ...(stopped.length > 0
      ? [`${plural(stopped.length, "step")} ${verb(stopped)} blocked or on hold, and left so.`]
      : []),
  ];
};

const run: Action = {
  name: "run",
  label: "Run",
  about: "Starts an agent on a plan",
  async preview(context, subject) {
    const plan = needed(subject, "plan");
    const version = await hashOf(context, subject);
    const { agent } = await context.pawl.overview();
    if (agent === null)
      throw notPossible("No agent is configured: set `agent` in pawl.toml, or use `pawl run`.");
    // Reading a large plan takes a while, so it is done by a process of its own.
    const would = answerData(
      await context.jobs.ask(["run", context.operand(plan), "--dry-run"]),
    ) as unknown as WouldRun;
    const branch = would.branch ?? "the branch of its worktree";
    return {
      title: `Run ${plan}`,
      effects: [
        would.workers === 1
          ? `${agent} is started in a worktree of its own, and given one step after the other.`
          : `${would.workers} of ${agent} are started, each in a worktree of its own, and given one step after the other.`,
        ...stepsOf(would.steps),
        `A step is committed to ${branch} once this holds: ${would.verify.join("; ")}.`,
      ],
      keeps: [
        would.writes_plan === true
          ? `In your checkout only ${plan} changes: its boxes are ticked as steps are completed. Nothing is merged.`
          : "Your checkout is not touched, and nothing is merged.",
        "What an agent has not committed stays in its worktree, and is kept by snapshots between its commands.",
        "It keeps running when you close this page. If it is cut off, you can resume it.",
      ],
      version,
      needsReason: false,
      isGrave: false,
    };
  },
  async act(context, subject, { version }) {
    const plan = needed(subject, "plan");
    if ((await hashOf(context, subject)) !== version) throw stale(plan);
    return { job: context.jobs.start("run", plan, ["run", context.operand(plan)]) };
  },
};

/** A plan that has no state yet. */
const read: Action = {
  name: "read",
  label: "Read this plan",
  about: "Gives a plan state: its steps, dependencies and checklists",
  async preview(_context, subject) {
    return {
      title: `Read ${needed(subject, "plan")}`,
      effects: [
        "Its steps, dependencies and checklists are read into the state, so that they can be claimed.",
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
          ? ["There is nothing to fix now; the check runs again."]
          : found.map(({ name, message }) => `${name.replaceAll("_", " ")}: ${message}`),
      keeps: [
        "It removes only Pawl's own leftovers: files of ended sessions and stale locks.",
        "No work, commit, branch or worktree is touched.",
        ...left.map(
          ({ name, message }) =>
            `Not fixed, because you decide about it: ${name.replaceAll("_", " ")}. ${message}`,
        ),
      ],
      version: JSON.stringify(found),
      needsReason: false,
      isGrave: false,
    };
  },
  act: async ({ jobs }) => ({ job: jobs.start("fix", "doctor", ["doctor", "--fix"]) }),
};

export const PLAN_ACTIONS: readonly Action[] = [merge, run, read, fix];
