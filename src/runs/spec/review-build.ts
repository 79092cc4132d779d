import type { Instant, StepStatus } from "../../domain/index.ts";
import type { DiffStat, Ports } from "../../platform/ports/index.ts";
import { listSteps } from "../../plans/index.ts";
import { listVerdicts } from "../../verification/index.ts";
import type { FoundBuild } from "./find-build.ts";

/** What was built so far: the steps, what verification said about each, and what changed. */
export interface BuildReview {
  readonly build: FoundBuild;
  readonly steps: readonly ReviewedStep[];
  readonly diff: DiffStat;
}

export interface ReviewedStep {
  readonly anchor: string;
  readonly title: string;
  readonly status: StepStatus;
  readonly commit: string | null;
  readonly verdicts: readonly {
    readonly attempt: number;
    readonly outcome: string;
    readonly because: string;
    readonly at: Instant;
  }[];
}

/** Looks, and changes nothing. */
export async function reviewBuild(ports: Ports, key: string, build: FoundBuild): Promise<BuildReview> {
  const database = await ports.database();
  const steps = await database.read(async (sql) => {
    const reviewed: ReviewedStep[] = [];
    for (const { anchor, title, status, commit_hash } of await sql.all(listSteps, { plan_path: key })) {
      const verdicts = await sql.all(listVerdicts, { plan_path: key, anchor });
      reviewed.push({
        anchor,
        title,
        status,
        commit: commit_hash,
        verdicts: verdicts.map(({ attempt, outcome, because, recorded_at }) => ({
          attempt,
          outcome,
          because,
          at: recorded_at,
        })),
      });
    }
    return reviewed;
  });
  const branches = await ports.branches();
  return {
    build,
    steps,
    diff: await branches.diffStat(build.baseCommit, `refs/heads/${build.branch}`),
  };
}
