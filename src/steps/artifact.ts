import { ARTIFACT_KINDS, bareAnchor, cutSummary, Failure, HELD_STATUSES } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { insertArtifact } from "./sql/insert-artifact.ts";
import { lastArtifact } from "./sql/last-artifact.ts";
import { journal, type Repeatable } from "../journal/index.ts";
import type { Caller, StepAddress } from "./caller.ts";
import { numberOf, ownerParams, whyRefused } from "./owned-step.ts";
import { lockedStep, transact } from "../plans/index.ts";

export interface ArtifactRequest extends StepAddress, Repeatable {
  readonly caller: Caller;
  readonly kind: string;
  readonly summary: string;
  /** The whole of it, when the summary is not enough. */
  readonly content?: string | undefined;
}

export interface ArtifactAnswer {
  readonly planPath: string;
  readonly anchor: string;
  readonly artifactId: number;
  readonly kind: string;
}

/** The owner leaves a breadcrumb for the worker that comes after a crash. */
export async function artifact(ports: Ports, request: ArtifactRequest): Promise<ArtifactAnswer> {
  const { key } = ports.plans.locate(request.plan);
  const { caller, kind } = request;
  if (!(ARTIFACT_KINDS as readonly string[]).includes(kind)) {
    throw new Failure("artifact/unknown-kind", `"${kind}" is no kind of artifact.`, {
      kind,
      known: ARTIFACT_KINDS,
    });
  }
  if (request.content?.includes("\0"))
    throw new Failure("usage/wrong", "The content of an artifact is text; this holds a NUL character.", {});
  const summary = cutSummary(request.summary);
  const content = request.content === undefined ? undefined : ports.sha256(request.content);
  const subject = [key, bareAnchor(request.step), caller.worktree.id, caller.claim, kind, summary, content];
  return transact(ports, { verb: "artifact", subject, requestId: request.requestId }, async (sql) => {
    const step = await lockedStep(sql, key, request.step);
    const changed = await sql.run(insertArtifact, {
      ...ownerParams(step, caller),
      kind,
      summary,
      content: request.content ?? null,
      now: sql.now,
    });
    if (changed === 0) throw await whyRefused(sql, step, caller, HELD_STATUSES, "artifact");
    const recorded = await sql.get(lastArtifact, { plan_path: key, anchor: step.anchor });
    await journal(sql, {
      event: "artifact-recorded",
      plan: key,
      anchor: step.anchor,
      claim: await numberOf(sql, step, caller),
      worktree: caller.worktree.path,
      session: caller.session,
      detail: { kind, summary },
    });
    return { planPath: key, anchor: step.anchor, artifactId: recorded?.id ?? 0, kind };
  });
}
