import { Failure } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { listLateResults, listPlans } from "../plans/index.ts";
import { diagnosis, doctor, type FindingView } from "../recovery/index.ts";
import { type AgentOutlook, ruleOf } from "../recovery/rules/index.ts";
import { openIfThere } from "../journal/index.ts";

/** One thing that is broken or left over. */
export interface LeftOver extends AgentOutlook {
  /** The situation, by the name that recovery knows it by. */
  readonly rule: string;
  /** What it is about: a step, a session, a check. */
  readonly subject: string;
  readonly found: string;
}

export interface RecoverReport {
  readonly leftOvers: readonly LeftOver[];
  /** How many of them wait for a person. */
  readonly forPeople: number;
}

/** The diagnosis, results that came too late, and what the checks say. Changes nothing. */
export async function recoverReport(ports: Ports): Promise<RecoverReport> {
  const leftOvers = [...(await findings(ports)), ...(await lateResults(ports)), ...(await checks(ports))];
  return { leftOvers, forPeople: leftOvers.filter(({ who }) => who === "person").length };
}

const DECIDES: AgentOutlook = { who: "person", next: "A person decides." };

function outlookOf({ rule, automatic, choices, weight }: FindingView): AgentOutlook {
  if (choices.length > 0) return DECIDES;
  const { forAgents } = ruleOf(rule);
  if (forAgents) return forAgents;
  if (automatic)
    return {
      who: "none",
      next: `Nothing: it is repaired before the next run, because ${automatic.because}.`,
    };
  return weight === "decide" ? DECIDES : { who: "none", next: "Nothing: a person knows of it." };
}

/** Recovery that cannot even look is a left-over of its own: agents must not take silence for health. */
async function findings(ports: Ports): Promise<readonly LeftOver[]> {
  try {
    return (await diagnosis(ports, {})).map((finding) => ({
      rule: finding.rule,
      subject: finding.subject,
      found: finding.found,
      ...outlookOf(finding),
    }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const next = "A person repairs it; until then it is unknown what is left over.";
    return [{ rule: error.problem, subject: "recover", found: error.message, who: "person", next }];
  }
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
          who: "none",
          next: "Nothing: it is kept, and a person may compare it with what there is.",
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
      who: status === "fail" ? ("person" as const) : ("none" as const),
      next: status === "fail" ? "A person fixes it." : "Continue working.",
    }));
}
