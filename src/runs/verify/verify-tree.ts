import { DEFAULT_LEASE_SECONDS, isCutOff, toInstant } from "../../domain/index.ts";
import { runSettingsOf, workflowOf } from "../../agents/index.ts";
import { type Interruption, NEVER, type Ports, type Worktree } from "../../platform/ports/index.ts";
import { openIfThere } from "../../journal/index.ts";
import { enter, openSession } from "../../sessions/index.ts";
import {
  checksKey,
  type Evidence,
  insertTreeVerdict,
  listTreeVerdicts,
  ownEvidence,
  type Verdict,
} from "../../verification/index.ts";
import { agentPauses } from "../assign/agent-pauses.ts";
import type { Reporter } from "../work/run-event.ts";
import { runSupervised } from "../work/run-command.ts";
import type { Worker } from "../work/worker.ts";
import { prepareCheckout } from "./check-folder.ts";
import { evidenceOf, wasCut } from "./verify-step.ts";

/** A tree that a command is to pass on, whatever it is for. */
export interface TreeCheck {
  readonly tree: string;
  /** What `HEAD` is where it is checked. */
  readonly head: string;
  readonly argv: readonly string[];
  /** As in `TreeVerdictRow`: `merge`, `sync`, `full` … */
  readonly kind: string;
  readonly plan?: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** Whether an earlier verdict is left aside. */
  readonly again?: boolean | undefined;
}

export type TreeVerdict =
  | { readonly kind: "verdict"; readonly verdict: Verdict; readonly isKnown: boolean }
  /** A person asked for the end, or something outside ended the check: it has not answered. */
  | { readonly kind: "cut" };

/**
 * The newest verdict about a tree by a command, if there is one. A step may have passed more than that command.
 *
 * `anyPlace`: also what was checked in a worktree, as steps are where a clean checkout costs much.
 */
export async function knownTreeVerdict(
  ports: Ports,
  {
    tree,
    argv,
    anyPlace = false,
  }: Pick<TreeCheck, "tree" | "argv"> & { readonly anyPlace?: boolean | undefined },
): Promise<Verdict | undefined> {
  const database = await openIfThere(ports);
  const rows = (await database?.read((sql) => sql.all(listTreeVerdicts, { tree }))) ?? [];
  const [key, own] = [keyOf(argv), JSON.stringify(argv)];
  const isOf = (checks: string) =>
    (JSON.parse(checks) as readonly unknown[]).some((one) => JSON.stringify(one) === own);
  const found = rows.find(
    ({ checks, outcome, place }) =>
      (anyPlace || place === "clean") && (checks === key || (outcome === "passed" && isOf(checks))),
  );
  if (found === undefined) return undefined;
  const { outcome, because } = found;
  return { outcome, because, evidence: JSON.parse(found.evidence) as readonly Evidence[], tree };
}

const keyOf = (argv: readonly string[]): string =>
  checksKey([{ kind: "command", source: "configured", argv }])!;

/**
 * Runs a command on exactly one tree, in a clean checkout beside the worker's worktree, and keeps the verdict.
 *
 * A tree that has passed is not checked again. One that failed or timed out is: people ask again because they changed
 * something around it.
 */
export async function verifyTree(worker: Worker, check: TreeCheck): Promise<TreeVerdict> {
  const { ports, session } = worker;
  const { tree, argv, kind, plan } = check;
  const known = check.again ? undefined : await knownTreeVerdict(ports, check);
  if (known?.outcome === "passed") return { kind: "verdict", verdict: known, isKnown: true };
  const seen = await runOn(worker, check);
  if (seen === undefined) return { kind: "cut" };
  const verdict = { outcome: seen.outcome, because: becauseOf(seen), evidence: [seen], tree };
  const database = await ports.database();
  await database.write((sql) =>
    sql.run(insertTreeVerdict, {
      tree,
      checks: keyOf(argv),
      place: "clean",
      worktree_id: session.worktree.id,
      kind,
      plan_path: plan ?? null,
      anchor: null,
      claim: null,
      session_id: session.id,
      outcome: verdict.outcome,
      because: verdict.because,
      evidence: JSON.stringify(verdict.evidence),
      now: sql.now,
    }),
  );
  return { kind: "verdict", verdict, isKnown: false };
}

/** Undefined when it was cut off. */
async function runOn(
  worker: Worker,
  { tree, head, argv, kind, timeoutMs }: TreeCheck,
): Promise<Evidence | undefined> {
  const { ports, session, settings } = worker;
  const { cwd, failed } = await prepareCheckout(worker, { tree, head });
  const checked = argv.join(" ");
  if (worker.interruption.signal() !== undefined) return undefined;
  if (failed) {
    const at = toInstant(ports.clock.wallMs());
    return { ...ownEvidence({ ...failed, outcome: "failed", tree, at }), where: "clean" };
  }
  // What lies in the worktree is of no concern here, and the checkpoint needs a tree of it.
  const lying = await (await ports.commits()).head(session.worktree);
  const known = lying && { head: lying, tree: await (await ports.branches()).treeOf(lying) };
  const { end } = await runSupervised(worker, {
    command: {
      name: kind,
      type: "verify",
      timeoutMs: timeoutMs ?? settings.verify.timeoutMs,
      maxTurns: undefined,
    },
    place: { iteration: 1, position: -1, specId: undefined },
    held: undefined,
    agent: undefined,
    argv,
    cwd,
    heart: undefined,
    again: false,
    checked,
    known: known || undefined,
  });
  if (wasCut(worker, undefined, end) || isCutOff(end.verdict)) return undefined;
  const outcome =
    end.verdict.outcome === "timed_out" ? "timed_out" : end.exitCode === 0 ? "passed" : "failed";
  return { ...evidenceOf(checked, outcome, end, tree), where: "clean" };
}

const SAYS = { passed: "passed", failed: "failed", timed_out: "took too long" } as const;

const becauseOf = ({ checked, outcome }: Evidence): string =>
  outcome === "passed" ? `passed: ${checked}` : `${checked} ${SAYS[outcome]}`;

export interface VerifierRequest {
  readonly plan: string | undefined;
  /** How the plan is called from here. */
  readonly operand: string | undefined;
  readonly worktree: Worktree;
  readonly interruption?: Interruption | undefined;
  readonly report?: Reporter | undefined;
}

/**
 * Lets something verify trees outside of any step, in a session of its own: after a kill its commands are found by it,
 * and ended.
 */
export async function withVerifier<T>(
  ports: Ports,
  { plan, operand, worktree, interruption, report }: VerifierRequest,
  work: (worker: Worker) => Promise<T>,
): Promise<T> {
  const locks = await ports.locks();
  return locks.duringOneOf(CHECK_FOLDERS, async (checkFolder) => {
    await enter(ports, { stop: [{ worktreeId: worktree.id }] });
    const worker = await verifier(ports, { plan, operand, worktree, interruption, report }, checkFolder);
    try {
      return await work(worker);
    } finally {
      await worker.session.end("completed");
    }
  });
}

/** Several verify at a time, each in a folder of its own; it stays for the next one, with what its set-up installed. */
const CHECK_FOLDERS: readonly string[] = Array.from({ length: 8 }, (_, index) => `tree~${index + 1}`);

async function verifier(
  ports: Ports,
  { plan, operand, worktree, interruption, report }: Required<VerifierRequest>,
  checkFolder: string,
): Promise<Worker> {
  const settings = runSettingsOf(ports);
  const running = await ports.running();
  const session = await openSession(ports, { plan: operand, worktree });
  let checkpoints = 0;
  return {
    number: 1,
    ports,
    running,
    settings,
    config: {
      plan,
      workflow: settings.workflow,
      agent: settings.agent ?? "command",
      workers: 1,
      wait: false,
      leaseSeconds: DEFAULT_LEASE_SECONDS,
    },
    workflow: workflowOf(settings, settings.workflow),
    session,
    nextCheckpoint: () => (checkpoints += 1),
    hasBegun: () => true,
    plan,
    operand,
    branch: undefined,
    integration: undefined,
    only: undefined,
    interruption: interruption ?? NEVER,
    pauses: agentPauses(),
    report: report ?? (() => undefined),
    warn: () => undefined,
    checkFolder,
  };
}
