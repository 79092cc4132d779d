import type { Sql } from "../platform/ports/index.ts";
import { findPlan } from "./sql/find-plan.ts";
import { formatCarriesStatus } from "./formats/index.ts";

/** The format of the plan that a transaction has read; most have, and need not ask again. */
const seen = new WeakMap<Sql, string>();

export function rememberFormat<T extends { readonly format: string }>(sql: Sql, plan: T): T {
  seen.set(sql, plan.format);
  return plan;
}

/** Whether the plan's files say how far its steps are, as of this transaction. */
export async function carriesStatus(sql: Sql, key: string): Promise<boolean> {
  const format = seen.get(sql) ?? (await sql.get(findPlan, { plan_path: key }))?.format;
  return format !== undefined && formatCarriesStatus(format);
}
