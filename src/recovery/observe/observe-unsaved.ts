import { flatten, type PlanStep, type StepStatus, toInstant } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { Seen } from "../rules/index.ts";
import type { PlanRow, StepRow } from "../../platform/index.ts";
import { readPlan } from "../../plans/index.ts";
import { stepsByAnchor, unreadFiles } from "./observe-plans.ts";
import { observeSteps } from "./observe-steps.ts";

/** What would be found in a plan that has no state yet, for a dry run, which gives it none. */
export async function observeUnsaved(ports: Ports, operand: string): Promise<readonly Seen[]> {
  const read = await readPlan(ports, operand);
  const now = toInstant(ports.clock.wallMs());
  const plan: PlanRow = {
    plan_path: read.key,
    plan_hash: read.hash,
    format: read.plan.format,
    phase_title: null,
    status: "active",
    created_at: now,
    updated_at: now,
    committed_hash: null,
  };
  const broken = read.plan.diagnostics.find(({ severity }) => severity === "error");
  if (broken)
    return [
      {
        kind: "plan",
        now: { file: "malformed" },
        facts: { plan: read.key, detail: `line ${broken.line}: ${broken.message}` },
      },
    ];
  const steps = await observeSteps(ports, {
    plan,
    rows: flatten(read.plan).map(({ step, parent }, index) => rowOf(read.key, step, parent, index)),
    inFile: stepsByAnchor(read),
    sessions: new Map(),
    verifiers: new Set(),
    proofs: new Map(),
    moment: {
      hostId: ports.machine.hostId,
      bootId: ports.machine.bootId,
      uptimeMs: ports.clock.uptimeMs(),
      now,
    },
  });
  return [...unreadFiles(read), ...steps];
}

/** As it would be saved: work in progress that no worker holds is pending. */
const SAVED: Readonly<Record<NonNullable<PlanStep["progress"]>["status"], StepStatus>> = {
  pending: "pending",
  in_progress: "pending",
  awaiting_verification: "awaiting_verification",
  completed: "completed",
  blocked: "blocked",
  failed: "blocked",
  on_hold: "on_hold",
};

const rowOf = (plan_path: string, step: PlanStep, parent: string | undefined, index: number): StepRow => ({
  plan_path,
  anchor: step.anchor,
  parent_anchor: parent ?? null,
  step_index: index,
  title: step.title,
  status: SAVED[step.progress?.status ?? "pending"],
  last_event: "saved",
  claimed_by: null,
  worktree_id: null,
  last_worktree_id: null,
  session_id: null,
  claimed_host: null,
  claim_seq: 0,
  claimed_at: null,
  lease_expires_at: null,
  lease_boot_id: null,
  lease_uptime_ms: null,
  heartbeat_at: null,
  started_at: null,
  completed_at: null,
  commit_hash: null,
  complete_reason: null,
  unmet_deps: 0,
  verification_attempts: step.progress?.verificationAttempts ?? 0,
  block_reason: step.progress?.reason ?? null,
  block_note: step.progress?.note ?? null,
  reopen_reason: null,
  content_hash: null,
  commit_ref: null,
  bound_to: null,
  stands_as: null,
  session_over: null,
});
