import { Failure } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { listLateResults, listPlans } from "../plans/index.ts";
import { doctor, type FindingView, recoverAll } from "../recovery/index.ts";
import { attention } from "../views/index.ts";
import { openIfThere } from "../journal/index.ts";

/** One thing that is broken or left over. */
export interface LeftOver {
  /** The situation, by the name that recovery knows it by. */
  readonly rule: string;
  /** What it is about: a step, a session, a check. */
  readonly subject: string;
  readonly found: string;
  /** Who can do something about it. */
  readonly who: "nobody" | "agent" | "person";
  /** What happens next, or what that one can do. */
  readonly next: string;
}

export interface RecoverReport {
  readonly leftOvers: readonly LeftOver[];
  /** How many of them wait for a person. */
  readonly forPeople: number;
}

/** What a dry `recover` finds, what no rule is about, and what the checks say. Changes nothing. */
export async function recoverReport(ports: Ports): Promise<RecoverReport> {
  const leftOvers = [
    ...(await findings(ports)),
    ...(await stopped(ports)),
    ...(await lateResults(ports)),
    ...(await checks(ports)),
  ];
  return { leftOvers, forPeople: leftOvers.filter(({ who }) => who === "person").length };
}

/** What an agent can be told to do, or to wait for. People's commands are not among it. */
type Outlook = Pick<LeftOver, "who" | "next">;

const DECIDES: Outlook = { who: "person", next: "A person decides." };

/** Where it follows neither from choices nor from a repair that needs none. */
const BY_RULE: Readonly<Record<string, Outlook>> = {
  "awaiting-verification": {
    who: "agent",
    next: "Claim it in its worktree and submit it again; or the next run does.",
  },
  "paused-by-limit": { who: "person", next: "A person lets it go on when the limit is over." },
  "verification-escalated": { who: "person", next: "A person decides whether it is tried again." },
  "malformed-file": { who: "person", next: "A person mends the file." },
  "plan-changed": { who: "person", next: "A person brings the file back, or lets it be." },
};

function outlookOf({ rule, automatic, choices }: FindingView): Outlook {
  if (choices.length > 0) return DECIDES;
  const known = BY_RULE[rule];
  if (known) return known;
  return automatic
    ? { who: "nobody", next: `Nothing: it is repaired before the next run, because ${automatic.because}.` }
    : DECIDES;
}

/** Recovery that cannot even look is a left-over of its own: agents must not take silence for health. */
async function findings(ports: Ports): Promise<readonly LeftOver[]> {
  try {
    const answer = await recoverAll(ports, { dryRun: true });
    return answer.findings.map((finding) => ({
      rule: finding.rule,
      subject: finding.subject,
      found: finding.found,
      ...outlookOf(finding),
    }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const next = "A person mends it; until then nobody can tell what is left over.";
    return [{ rule: error.problem, subject: "recover", found: error.message, who: "person", next }];
  }
}

/** Steps that were stopped for reasons that no rule is about. */
async function stopped(ports: Ports): Promise<readonly LeftOver[]> {
  return (await attention(ports))
    .filter(({ weight }) => weight === "decide")
    .map(({ rule, planPath, anchor, title, because }) => ({
      rule,
      subject: `${planPath}#${anchor}`,
      found: `${title}: ${because}`,
      ...DECIDES,
    }));
}

async function lateResults(ports: Ports): Promise<readonly LeftOver[]> {
  const database = await openIfThere(ports);
  if (database === undefined) return [];
  return database.read(async (sql) => {
    const found: LeftOver[] = [];
    for (const { plan_path } of await sql.all(listPlans, {}))
      for (const { anchor, claim, held_ref } of await sql.all(listLateResults, { plan_path }))
        found.push({
          rule: "late-result",
          subject: `${plan_path}#${anchor}`,
          found: `a result of claim ${claim ?? "?"} came too late${held_ref === null ? "" : ` and is kept at ${held_ref}`}`,
          who: "person",
          next: "A person looks whether it is better than what there is.",
        });
    return found;
  });
}

async function checks(ports: Ports): Promise<readonly LeftOver[]> {
  const answer = await doctor(ports, { fix: false });
  return answer.checks
    .filter(({ status }) => status !== "pass")
    .map(({ name, message, status }) => ({
      rule: "doctor",
      subject: name,
      found: message,
      who: status === "fail" ? ("person" as const) : ("nobody" as const),
      next: status === "fail" ? "A person mends it." : "Work can go on.",
    }));
}
