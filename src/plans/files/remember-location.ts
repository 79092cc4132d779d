import { resolve } from "node:path";
import type { FileStamp, PlanLocation } from "../../platform/ports/index.ts";
import { fileStamp, isUntouched } from "../../platform/index.ts";

type Locate = (operand: string) => PlanLocation;

/**
 * Gives the location of before while the same file lies there: a worker names its plan with every verb, and what is the
 * same file is the same plan. Only of files: a folder may hold another plan by now, and its times need not tell.
 */
export function rememberLocation(cwd: string, locate: Locate): Locate {
  let last:
    | { readonly operand: string; readonly location: PlanLocation; readonly look: FileStamp }
    | undefined;
  const keys = new Map<string, string>();
  return (operand) => {
    if (last?.operand === operand) {
      // Where it was found elsewhere than below `cwd`, nothing is here, and it is located anew.
      const look = fileStamp(resolve(cwd, operand));
      if (look !== undefined && isUntouched(last.look, look)) return last.location;
    }
    const found = locate(operand);
    // A file that becomes a link while a run works on it leads elsewhere, and stays the plan that it was.
    const key = keys.get(operand) ?? found.key;
    keys.set(operand, key);
    const located = { ...found, key };
    const look = located.path?.endsWith(".md") === true ? fileStamp(located.path) : undefined;
    if (look?.isFile() !== true) return located;
    const location = { ...located, look };
    last = { operand, location, look };
    return location;
  };
}
