import { SPEC_FILE, SPEC_TEXTS } from "./formats/index.ts";
import type { Ports } from "../platform/ports/index.ts";

/** A folder that says what is to be built, with or without a plan for it. */
export interface Spec {
  /** What the plan is known by. */
  readonly key: string;
  /** The folder. */
  readonly path: string;
  /** The folder's own name: other tools call worktrees and branches after it. */
  readonly name: string;
}

/** The spec folder that a run was pointed at; undefined when it is a plan of another kind. */
export function findSpec({ plans, files }: Ports, operand: string): Spec | undefined {
  const { key, path } = plans.locate(operand);
  if (path === undefined) return undefined;
  const names = new Set((files.list(path) ?? []).map(({ name }) => name));
  if (![SPEC_FILE, ...SPEC_TEXTS].some((name) => names.has(name))) return undefined;
  return { key, path, name: key.split("/").at(-1) ?? key };
}
