import { Failure, MAX_PLAN_BYTES } from "../../domain/index.ts";
import { parseSource, SPEC_FILE } from "../../plans/formats/index.ts";
import type { Files } from "../../platform/ports/index.ts";

/** What is to be thought of the plan in a spec folder. */
export type SpecPlanState =
  | { readonly kind: "valid"; readonly bytes: Uint8Array }
  | { readonly kind: "missing" }
  /** Not carried out and not repaired: its author learns what is wrong. */
  | {
      readonly kind: "invalid";
      readonly bytes: Uint8Array | undefined;
      readonly problems: readonly string[];
    };

/** No person and no agent reads more than this. */
const MOST_PROBLEMS = 50;

export function checkSpecPlan(files: Files, folder: string): SpecPlanState {
  const path = `${folder}/${SPEC_FILE}`;
  const entry = files.list(folder)?.find(({ name }) => name === SPEC_FILE);
  if (!entry) return { kind: "missing" };
  let bytes: Uint8Array | undefined;
  try {
    if (entry.kind === "link") return { kind: "invalid", bytes, problems: [`${SPEC_FILE} is a link`] };
    bytes = files.read(path, MAX_PLAN_BYTES);
    const { diagnostics } = parseSource({ bytes, file: SPEC_FILE }, SPEC_FILE);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (errors.length === 0) return { kind: "valid", bytes };
    const problems = errors.map(({ line, column, message, hint }) => `${line}:${column}: ${message} ${hint}`);
    return { kind: "invalid", bytes, problems: problems.slice(0, MOST_PROBLEMS) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { kind: "invalid", bytes, problems: [error.message] };
  }
}
