import type { Database, Ports } from "../../platform/ports/index.ts";
import { openIfThere } from "../../journal/index.ts";
import { Failure, orNothing } from "../../domain/index.ts";

/** One thing that `doctor` checked. */
export interface Check extends CheckResult {
  readonly name: string;
}

export interface CheckResult {
  readonly status: "pass" | "warn" | "fail";
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What a check may use. */
export interface Examination {
  readonly ports: Ports;
  /** Undefined where there is none, or it does not open. */
  readonly database: Database | undefined;
  /** How the database opened. */
  readonly opened: CheckResult;
  readonly fix: boolean;
  /** Reads every object of git's. */
  readonly full: boolean;
  /** What was repaired; each check adds its own. */
  readonly fixed: string[];
}

/** One row of the table of checks. */
export interface DoctorCheck {
  /**
   * `state`: left out where no database is open. `no damage`: only said to be left out where there is a database that
   * does not open, because the check would fail for that reason alone.
   */
  readonly needs?: "state" | "no damage";
  readonly run: (examination: Examination & { readonly database: Database }) => Promise<CheckResult>;
}

export const check = (
  status: CheckResult["status"],
  message: string,
  details: CheckResult["details"] = {},
): CheckResult => ({ status, message, details });

/** A damaged part fails some checks and not others; each says so for itself. */
export async function guarded(run: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return check("fail", error.message, { code: error.code, ...error.details });
  }
}

/** Runs one row; none is shown that needs a state where there is none. */
export async function runCheck(
  name: string,
  { needs, run }: DoctorCheck,
  examination: Examination,
): Promise<readonly Check[]> {
  const { ports, database } = examination;
  if (needs === "state" && database === undefined) return [];
  if (needs === "no damage" && !(await canOpen(ports)))
    return [{ name, ...check("warn", "Not checked: the database cannot be opened.") }];
  return [{ name, ...(await guarded(() => run({ ...examination, database: database! }))) }];
}

async function canOpen(ports: Ports): Promise<boolean> {
  try {
    await openIfThere(ports);
    return true;
  } catch (error) {
    orNothing(error);
    return false;
  }
}
