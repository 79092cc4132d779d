import { Failure, fromInstant, isOlder, plural } from "../../domain/index.ts";
import type { Database, Ports, StoreFacts } from "../../platform/ports/index.ts";
import { findInconsistencies, forgottenPlans, listPlans, writeBack } from "../../plans/index.ts";
import { listUnheldResults, loadFinishIntents } from "../../commits/index.ts";
import { type Check, check, type CheckResult, type DoctorCheck, guarded, runCheck } from "./check.ts";
import { checkDamage } from "./check-damage.ts";
import { GIT_CHECKS } from "./check-git-side.ts";
import { holdLateCommit, lateRef } from "../../steps/index.ts";
import { enter } from "../../sessions/index.ts";
import { runSettingsOf } from "../../agents/index.ts";

export interface DoctorRequest {
  readonly fix?: boolean | undefined;
  /** Reads every object of git's; takes as long as `git fsck`. */
  readonly full?: boolean | undefined;
}

export interface DoctorAnswer {
  readonly checks: readonly Check[];
  readonly summary: { readonly passed: number; readonly warnings: number; readonly failures: number };
  readonly fixed: readonly string[];
}

const OLDEST_GIT = "2.31";

/** In the order in which they are printed. What git cannot read makes others fail, and with `fix` it is repaired by then. */
const CHECKS: Readonly<Record<string, DoctorCheck>> = {
  git: { run: ({ ports }) => gitCheck(ports) },
  state_db: { run: async ({ opened }) => opened },
  git_objects: {
    needs: "no damage",
    run: ({ ports, fix, full, fixed }) => checkDamage(ports, { fix, full }, fixed),
  },
  state_integrity: { needs: "state", run: ({ database }) => integrityCheck(database) },
  state_plans: { needs: "state", run: ({ ports, database }) => orphanCheck(ports, database) },
  plan_files: {
    needs: "state",
    run: ({ ports, database, fix, fixed }) => fileCheck(ports, database, fix, fixed),
  },
  sessions: { needs: "state", run: ({ ports, fix, fixed }) => sessionCheck(ports, fix, fixed) },
  commits: { needs: "state", run: ({ ports, fix, fixed }) => commitCheck(ports, fix, fixed) },
  late_results: {
    needs: "state",
    run: ({ ports, database, fix, fixed }) => lateCheck(ports, database, fix, fixed),
  },
  writable: { run: async ({ ports }) => writeCheck(ports) },
  settings: { run: ({ ports }) => settingsCheck(ports) },
  ...GIT_CHECKS,
};

/** Looks at everything Pawl rests on. `fix` repairs what can be repaired without losing anything. */
export async function doctor(ports: Ports, request: DoctorRequest): Promise<DoctorAnswer> {
  const { fix = false, full = false } = request;
  const fixed: string[] = [];
  const examination = { ports, ...(await openCheck(ports)), fix, full, fixed };
  const checks: Check[] = [];
  for (const [name, row] of Object.entries(CHECKS)) checks.push(...(await runCheck(name, row, examination)));
  const count = (status: Check["status"]) => checks.filter((check) => check.status === status).length;
  return {
    checks,
    summary: { passed: count("pass"), warnings: count("warn"), failures: count("fail") },
    fixed,
  };
}

async function gitCheck(ports: Ports): Promise<CheckResult> {
  try {
    const version = await ports.git.version();
    return isOlder(version, OLDEST_GIT)
      ? check("warn", `git ${version} is older than ${OLDEST_GIT}; some verbs may not work.`, {
          version,
        })
      : check("pass", `git ${version}`, { version });
  } catch (error) {
    return check("fail", error instanceof Error ? error.message : String(error));
  }
}

/** A database that opens can still be one that nothing can be written to, and a commit needs more than it. */
function writeCheck({ files, repository: { commonDir }, stateDir }: Ports): CheckResult {
  const problems = [stateDir, ...["", "/objects", "/refs"].map((folder) => `${commonDir}${folder}`)].filter(
    (path) => !files.mayWrite(path),
  );
  return problems.length === 0
    ? check("pass", "Pawl can write to the folders of its state and of git.")
    : check("fail", "Pawl cannot claim or commit: it cannot write to these.", {
        problems,
      });
}

/** What only runs read, such as agents and workflows; the rest of the file was read before anything else. */
async function settingsCheck(ports: Ports): Promise<CheckResult> {
  runSettingsOf(ports);
  return ports.files.exists(ports.settingsFile)
    ? check("pass", `${ports.settingsFile} can be read.`)
    : check("pass", "No pawl.toml; all settings have their defaults.");
}

async function openCheck(ports: Ports): Promise<{ opened: CheckResult; database: Database | undefined }> {
  try {
    const database = await ports.database();
    const opens = `${database.where} opens (${database.engine}).`;
    const details = { where: database.where, engine: database.engine };
    return { opened: storeCheck(ports, opens, details, await database.facts()), database };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { opened: await closedCheck(ports, error), database: undefined };
  }
}

async function closedCheck(ports: Ports, error: Failure): Promise<CheckResult> {
  const details = { code: error.code, ...error.details };
  if (error.problem !== "plan/not-initialised")
    return check("fail", `${error.message} ${error.hint}`, details);
  const message = `No plan has state yet; \`pawl state init <plan>\` makes the database ${storeOf(error)}.`;
  const { lookAtServer } = ports;
  if (!lookAtServer) return check("pass", message, details);
  return guarded(async () => {
    const facts = await lookAtServer();
    const found = storeCheck(ports, message, details, facts);
    return facts["may_migrate"] === "true"
      ? found
      : { ...found, status: "fail", message: `${found.message} ${NO_SCHEMA}` };
  });
}

const NO_SCHEMA =
  "Without that right nothing can be saved there; docs/many-machines.md lists what the role needs.";

/** Where the state will be: a server or a file, whichever the store named when it found none. */
function storeOf({ details: { server, path } }: Failure): string {
  if (typeof server === "string") return `on ${server}`;
  return typeof path === "string" ? path : "here";
}

/** Leases of other machines are judged by the server's clock, so a wrong clock here only misleads people. */
const CLOCK_TOLERANCE_MS = 5000;

function storeCheck(
  { clock }: Ports,
  opens: string,
  about: CheckResult["details"],
  facts: StoreFacts,
): CheckResult {
  const serverNow = facts["server_now"];
  const clockMs = typeof serverNow === "string" ? clock.wallMs() - fromInstant(serverNow) : 0;
  const warnings = [
    ...(facts["read_only"] === "true" ? ["The server only takes reads."] : []),
    ...(Math.abs(clockMs) > CLOCK_TOLERANCE_MS
      ? [`This machine's clock differs by ${Math.round(clockMs / 1000)} s.`]
      : []),
  ];
  return check(
    warnings.length > 0 ? "warn" : "pass",
    [`${opens}${serverText(facts, clockMs)}`, ...warnings].join(" "),
    { ...about, clock_difference_ms: clockMs, ...facts },
  );
}

/** What people ask of a server first; an embedded database has none of it. */
function serverText(facts: StoreFacts, clockMs: number): string {
  if (facts["server_version"] === undefined) return "";
  const rights = facts["may_migrate"] === "true" ? "may" : "may not";
  const what = facts["schema_version"] === undefined ? "make the schema" : "change the schema";
  const wire = facts["encryption"] === "none" ? "not encrypted" : `encrypted with ${facts["encryption"]}`;
  return (
    ` Server ${facts["server_version"]}, ${facts["latency_ms"]} ms away, ${wire};` +
    ` clocks differ by ${clockMs} ms; ${facts["role"]} ${rights} ${what}.`
  );
}

async function integrityCheck(database: Database): Promise<CheckResult> {
  const damage = await database.check();
  // What is damaged need not be asked for its meaning.
  const contradictions =
    damage.length > 0 ? [] : await database.read((sql) => sql.all(findInconsistencies, {}));
  const problems = [
    ...damage,
    ...contradictions.map((row) => `${row.plan_path} ${row.anchor}: ${row.problem}`),
  ];
  return problems.length === 0
    ? check("pass", "Every row is intact.")
    : check("fail", `${plural(problems.length, "problem")} in the database.`, {
        problems,
      });
}

async function orphanCheck(ports: Ports, database: Database): Promise<CheckResult> {
  const plans = await database.read((sql) => sql.all(listPlans, {}));
  const forgotten = await forgottenPlans(ports);
  if (forgotten.length > 0)
    return check("warn", forgotten.map(({ message, hint }) => `${message} ${hint}`).join(" "), {
      forgotten: forgotten.map(({ details }) => details["plan_path"]),
    });
  const orphans = plans.map((plan) => plan.plan_path).filter((key) => !ports.plans.existsAnywhere(key));
  return orphans.length === 0
    ? check("pass", `${plural(plans.length, "plan")}, none orphaned.`)
    : check(
        "warn",
        `${orphans.length} of ${plural(plans.length, "plan")} ${orphans.length === 1 ? "has" : "have"} no file ${ports.storeIsShared ? "in this clone" : "any more"}: ${orphans.join(", ")}.`,
        { orphans },
      );
}

/** Plan files that carry status and do not show what the state says: a write was cut off, or another program changed them. */
async function fileCheck(
  ports: Ports,
  database: Database,
  fix: boolean,
  fixed: string[],
): Promise<CheckResult> {
  const plans = await database.read((sql) => sql.all(listPlans, {}));
  const behind: string[] = [];
  const problems: string[] = [];
  for (const { plan_path } of plans) {
    const found = await writeBack(ports, plan_path, { dryRun: !fix });
    problems.push(...found.problems.map(({ name, message }) => `${name}: ${message}`));
    if (fix) fixed.push(...found.files.map((file) => `brought ${file} up to date`));
    else behind.push(...found.files);
  }
  if (problems.length > 0)
    return check("warn", `${plural(problems.length, "plan file")} cannot be kept up to date.`, {
      problems,
      behind,
    });
  return behind.length === 0
    ? check("pass", "Plan files show what the state says.")
    : check(
        "warn",
        `${plural(behind.length, "plan file")} behind the state; \`pawl doctor --fix\` brings them up to date.`,
        { behind },
      );
}

/** Sessions whose process died are distinguished from living ones; `fix` records their end and sweeps their files. */
async function sessionCheck(ports: Ports, fix: boolean, fixed: string[]): Promise<CheckResult> {
  if (fix) fixed.push(...(await enter(ports)).ended.map((id) => `recorded that session ${id} ended`));
  const stale = ports.lifelines.stale();
  if (fix) {
    for (const id of stale) {
      ports.lifelines.forget(id);
      fixed.push(`removed the lifeline of session ${id}`);
    }
  }
  const left = fix ? [] : stale;
  return left.length === 0
    ? check("pass", "No stale lifelines.")
    : check(
        "warn",
        `${plural(left.length, "lifeline file")} of ended sessions; \`pawl doctor --fix\` removes them.`,
        { stale: left },
      );
}

/** Results that came too late and whose commit git may still collect; `fix` keeps them where they are still there. */
async function lateCheck(
  ports: Ports,
  database: Database,
  fix: boolean,
  fixed: string[],
): Promise<CheckResult> {
  const unheld = await database.read((sql) => sql.all(listUnheldResults, {}));
  const left: string[] = [];
  for (const { plan_path, anchor, claim, commit_hash } of unheld) {
    if (claim === null || commit_hash === null) continue;
    const late = { anchor, claim, commit: commit_hash, ref: lateRef(plan_path, anchor, claim) };
    const ref = fix ? await holdLateCommit(ports, plan_path, late) : undefined;
    if (ref === undefined) left.push(`${plan_path} ${anchor} (${commit_hash})`);
    else fixed.push(`kept the late result of ${anchor} at ${ref}`);
  }
  return left.length === 0
    ? check("pass", "Every late result is kept.")
    : check("warn", `No ref keeps the late result of ${left.join(", ")}.`, { results: left });
}

/** Commits that were begun and of which the state does not know the end; `fix` finishes those whose owner is gone. */
async function commitCheck(ports: Ports, fix: boolean, fixed: string[]): Promise<CheckResult> {
  const { finishIntents } = await loadFinishIntents();
  const reports = await finishIntents(ports, { dryRun: !fix });
  for (const { outcome, planPath, anchor, commit } of reports)
    if (fix && outcome !== "open") fixed.push(`${outcome} ${planPath} ${anchor} (${commit ?? "no commit"})`);
  const left = reports.filter(({ outcome }) => !fix || outcome === "open");
  return left.length === 0
    ? check("pass", "No commit was left half done.")
    : check(
        "warn",
        left
          .map(
            ({ planPath, anchor, worktree, because }) => `${planPath} ${anchor} in ${worktree}: ${because}`,
          )
          .join("; "),
        { commits: left },
      );
}
