import { plural } from "../../domain/plural.ts";
import type { Workplace } from "../workplace.ts";
import type { Action, Subject } from "./action.ts";
import { needed, notPossible, stale } from "./needed.ts";

const planOf = ({ operand }: Workplace, subject: Subject): string => operand(needed(subject, "plan"));

const merge: Action = {
  name: "merge",
  label: "Merge",
  about: "Brings a plan's branch to its base, whole or not at all",
  async preview(workplace, subject) {
    const would = await workplace.pawl.mergeWorktree({ target: planOf(workplace, subject), dryRun: true });
    if (would.alreadyMerged) throw notPossible(`${would.baseBranch} has all of ${would.branchName} already.`);
    return {
      title: `Merge ${would.branchName} into ${would.baseBranch}`,
      effects: [
        `${would.baseBranch} gets ${plural(would.steps.length, "step")} and ${plural(would.files.length, "changed file")}.`,
        ...(would.checkout === null ? [] : [`The checkout ${would.checkout} is brought along.`]),
        ...would.warnings.map((warning) => `Note: ${warning}.`),
      ],
      keeps: ["There are no conflicts: it was tried in memory.", "The branch stays."],
      version: `${would.branchTip} ${would.baseTip}`,
      needsReason: false,
      isGrave: false,
    };
  },
  async act(workplace, subject, { version }) {
    const [branchTip = "", baseTip = ""] = version.split(" ");
    return workplace.pawl.mergeWorktree({ target: planOf(workplace, subject), seen: { branchTip, baseTip } });
  },
};

async function hashOf(workplace: Workplace, subject: Subject): Promise<string> {
  return (await workplace.pawl.stepLines({ plan: planOf(workplace, subject), most: 1 })).planHash;
}

const run: Action = {
  name: "run",
  label: "Run",
  about: "Starts an agent on a plan",
  async preview(workplace, subject) {
    const version = await hashOf(workplace, subject);
    const { agent } = await workplace.pawl.overview();
    if (agent === null)
      throw notPossible("No agent is configured: set `agent` in pawl.toml, or use `pawl run`.");
    return {
      title: `Run ${needed(subject, "plan")}`,
      effects: [
        `${agent} is started in a worktree of its own and given one ready step after the other.`,
        "Each step that passes its verification is committed to the plan's branch.",
      ],
      keeps: [
        "Your checkout is not touched.",
        "It goes on when this page is closed; its session can be resumed.",
      ],
      version,
      needsReason: false,
      isGrave: false,
    };
  },
  async act(workplace, subject, { version }) {
    const plan = needed(subject, "plan");
    if ((await hashOf(workplace, subject)) !== version) throw stale(plan);
    return { job: workplace.jobs.start("run", plan, ["run", workplace.operand(plan)]) };
  },
};

/** A plan that has no state yet. */
const read: Action = {
  name: "read",
  label: "Read this plan",
  about: "Gives a plan state: its steps, dependencies and checklists",
  async preview(_workplace, subject) {
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
  act: (workplace, subject) => workplace.pawl.init({ plan: planOf(workplace, subject) }),
};

const mend: Action = {
  name: "mend",
  label: "Mend what can be mended",
  about: "Runs `pawl doctor --fix`",
  async preview() {
    return {
      title: "Mend what can be mended",
      effects: ["What `pawl doctor --fix` repairs without losing anything is repaired."],
      keeps: ["Nothing is removed that is not saved."],
      version: "doctor",
      needsReason: false,
      isGrave: false,
    };
  },
  act: async ({ jobs }) => ({ job: jobs.start("mend", "doctor", ["doctor", "--fix"]) }),
};

export const PLAN_ACTIONS: readonly Action[] = [merge, run, read, mend];
