import type { Ports } from "../../platform/ports/index.ts";
import { openIfThere } from "../../journal/open-if-there.ts";
import { Failure, orNothing } from "../../domain/errors.ts";

/** One thing that `doctor` looked at. */
export interface Check {
  readonly name: string;
  readonly status: "pass" | "warn" | "fail";
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export const check = (
  name: string,
  status: Check["status"],
  message: string,
  details: Check["details"] = {},
): Check => ({ name, status, message, details });

/** A damaged part fails some looks and not others; each says so for itself. */
export async function guarded(name: string, look: () => Promise<Check>): Promise<Check> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return check(name, "fail", error.message, { code: error.code, ...error.details });
  }
}

/** The same for what needs the database: where that cannot be opened, its own check has failed, and this one is left out. */
export async function guardedByState(ports: Ports, name: string, look: () => Promise<Check>): Promise<Check> {
  try {
    await openIfThere(ports);
  } catch (error) {
    orNothing(error);
    return check(name, "warn", "Not checked: the database cannot be opened.");
  }
  return guarded(name, look);
}
