import { runSettingsOf } from "../../agents/index.ts";
import type { ApproveMerge } from "../../commits/index.ts";
import { Failure, shellWord } from "../../domain/index.ts";
import type { Interruption, Ports, Worktree } from "../../platform/ports/index.ts";
import { storeIdOf } from "../../sessions/index.ts";
import type { Verdict, VerifySettings } from "../../verification/index.ts";
import {
  type MergeCandidate,
  type MergeVerification,
  type MergeVerifier,
  solvingHint,
} from "../../worktrees/index.ts";
import type { Reporter } from "../work/run-event.ts";
import {
  knownTreeVerdict,
  type TreeCheck,
  type TreeVerdict,
  verifyTree,
  withVerifier,
} from "./verify-tree.ts";

/** Runs a check on a tree, beside any worktree. */
type RunCheck = (check: TreeCheck) => Promise<TreeVerdict>;

interface Setting {
  /** As in `TreeVerdictRow`. */
  readonly kind: "merge" | "sync";
  readonly interruption?: Interruption | undefined;
  readonly report?: Reporter | undefined;
  /** In a session of its own unless said otherwise. */
  readonly run?: RunCheck | undefined;
}

/** Verifies what a base and a plan's branch make together, by the command that the settings name. */
export function baseVerifier(ports: Ports, { kind, interruption, report, run }: Setting): MergeVerifier {
  const verify = verifySettings(ports);
  const argv = verify?.command;
  if (verify === undefined || argv === undefined) {
    const none = async ({ tree }: MergeCandidate) => notVerified(tree);
    return { look: none, verify: none };
  }
  const check = argv.join(" ");
  const inSession: RunCheck = async (wanted) => {
    const worktree = await anyWorktree(ports);
    const place = { plan: wanted.plan, operand: undefined, worktree, interruption, report };
    return withVerifier(ports, place, (worker) => verifyTree(worker, wanted));
  };
  return {
    async look({ tree }) {
      const verdict = await knownTreeVerdict(ports, { tree, argv, anyPlace: verify.clean !== true });
      if (verdict?.outcome === "passed") return passed(verdict, check, true);
      const known = verdict !== undefined;
      const because = known ? `${check} failed on it, and runs again first` : `${check} runs on it first`;
      return { outcome: "pending", because, check, tree, known };
    },
    async verify(candidate) {
      const { tree, plan, from: head } = candidate;
      const seen = await (run ?? inSession)({ tree, head, argv, kind, plan });
      if (seen.kind === "cut") throw cutOff(candidate, check);
      if (seen.verdict.outcome !== "passed") throw REJECTED[kind](candidate, seen.verdict);
      return passed(seen.verdict, check, seen.isKnown);
    },
  };
}

/** Verifies a merge that belongs to no claim before the plan's branch moves to it. */
export const mergeApproval =
  (ports: Ports, setting: Omit<Setting, "kind"> = {}): ApproveMerge =>
  async ({ plan, branch, tip, from, tree }) => {
    const verifier = baseVerifier(ports, { ...setting, kind: "sync" });
    const candidate = { tree, branch, base: from, from: tip, plan };
    if ((await verifier.look(candidate)).outcome === "pending") await verifier.verify(candidate);
  };

/** Undefined where the settings name nothing to verify with: then nothing else in them is read. */
const verifySettings = (ports: Ports): VerifySettings | undefined =>
  ports.settings.tables?.verify === undefined ? undefined : runSettingsOf(ports).verify;

const notVerified = (tree: string): MergeVerification => ({
  outcome: "not_verified",
  because: "pawl.toml names no check: [verify] command is not set",
  check: null,
  tree,
  known: false,
});

const passed = ({ because, tree }: Verdict, check: string, known: boolean): MergeVerification => ({
  outcome: "passed",
  because,
  check,
  tree,
  known,
});

/** The main checkout, or another worktree where there is none: the session of a check is on record for it. */
export async function anyWorktree(ports: Ports): Promise<Worktree> {
  const listed = await (await ports.worktrees()).list();
  const found = listed.find(({ isBare, isMissing }) => !isBare && !isMissing);
  return found === undefined
    ? { path: ports.repository.commonDir, id: storeIdOf(ports, "main") }
    : ports.repository.worktree(found.path);
}

const cutOff = ({ branch, base }: MergeCandidate, check: string): Failure =>
  new Failure("merge/cut-off", `${check} was stopped before it had verified ${branch} with ${base}.`, {
    branch_name: branch,
    base_branch: base,
    check,
  });

/** The last of them say what failed; all of them are in the log and in the verdict. */
const MOST_LINES = 20;

function detailsOf({ branch, base, tree, plan }: MergeCandidate, { outcome, evidence }: Verdict) {
  const failed = evidence.findLast((one) => one.outcome !== "passed");
  const exit = failed?.exitCode == null ? "" : ` (exit ${failed.exitCode})`;
  const check = failed?.checked ?? "The check";
  return {
    said: `${check} ${outcome === "timed_out" ? "took too long" : `failed${exit}`} on ${branch} and ${base} together, in a clean checkout.`,
    details: {
      // The command that a hint names is then complete.
      ...(plan === undefined ? {} : { plan_path: plan }),
      branch_name: branch,
      base_branch: base,
      check,
      outcome,
      exit_code: failed?.exitCode ?? null,
      tree,
      output: (failed?.output ?? "").trimEnd().split("\n").slice(-MOST_LINES),
    },
  };
}

const REJECTED: Readonly<Record<Setting["kind"], (candidate: MergeCandidate, verdict: Verdict) => Failure>> =
  {
    merge(candidate, verdict) {
      const { said, details } = detailsOf(candidate, verdict);
      const { plan, branch, base } = candidate;
      const again = `\`pawl worktree merge ${shellWord(plan ?? branch)}\``;
      const after = `Then ${again} again. With \`--unverified REASON\` it merges without the check and records that.`;
      const hint = wayOut(candidate, details.check, after);
      return new Failure("merge/rejected", `${said} ${staysAt(base, candidate)}`, details, hint);
    },
    sync(candidate, verdict) {
      const { said, details } = detailsOf(candidate, verdict);
      const where = staysAt(candidate.branch, candidate);
      const hint = wayOut(candidate, details.check, "Steps then build on both.");
      return new Failure("sync/rejected", `${said} ${where}`, details, hint);
    },
  };

const wayOut = ({ plan, base }: MergeCandidate, check: string, after: string) =>
  solvingHint(plan, base, { solve: `change what is needed so that \`${check}\` passes`, after });

const staysAt = (name: string, { from }: MergeCandidate): string => `${name} stays at ${from.slice(0, 12)}.`;
