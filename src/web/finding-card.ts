import { createHash } from "node:crypto";
import { Failure } from "../domain/index.ts";
import type { FindingView } from "../recovery/index.ts";
import { type RepairName, REPAIRS, ruleOf } from "../recovery/rules/index.ts";
import type { Jobs } from "./jobs.ts";
import { answerData } from "./answer-data.ts";
import type { FindingCard, OfferedRepair } from "./wire.ts";

/** As `recover --dry-run --json` prints it. */
interface Printed extends Omit<FindingView, "planPath" | "runId" | "ofRun"> {
  readonly plan_path: string | null;
  readonly run_id: string | null;
  readonly of_run: string | null;
}

/**
 * Looks by a process of its own, as the doctor does: git, files and every open step are read, and no other call is
 * kept waiting in here meanwhile.
 */
export async function readFindings(jobs: Pick<Jobs, "ask">): Promise<readonly FindingCard[]> {
  const { findings } = answerData(await jobs.ask(["recover", "--dry-run"]));
  if (Array.isArray(findings)) return (findings as readonly Printed[]).map(cardOf);
  throw new Failure("internal/bug", "`pawl recover` printed nothing.", {});
}

function cardOf({ plan_path: planPath, run_id: runId, of_run: ofRun, ...finding }: Printed): FindingCard {
  const automatic = finding.automatic && offered(finding.automatic);
  const choices = finding.choices.map((choice) => ({ key: choice.key, ...offered(choice) }));
  const { rule, subject, found } = finding;
  const { title } = ruleOf(rule);
  return {
    ...finding,
    title,
    planPath,
    runId,
    ofRun,
    automatic,
    choices,
    version: digest([rule, subject, found, automatic, choices]),
  };
}

const offered = ({
  repair,
  because,
}: {
  readonly repair: string;
  readonly because: string;
}): OfferedRepair => ({
  repair: repair as RepairName,
  label: REPAIRS[repair as RepairName].label.replace(/^\[.\] /, ""),
  because,
});

/** Short, and the same for the same. */
export const digest = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);
