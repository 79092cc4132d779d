import { existsSync } from "node:fs";
import { forwardPlace, hasPlace, intentFile } from "./checkout-paths.ts";

/** Whether a call left anything at all: one that was killed before it began, or after it was done, or that still runs. */
export const hasRemains = ({ path, gitDir }: { readonly path: string; readonly gitDir: string }): boolean =>
  existsSync(path) && hasPlace(forwardPlace(path, gitDir));

/** Whether a killed call left something to go on with. */
export const isUnfinished = ({ path, gitDir }: { readonly path: string; readonly gitDir: string }): boolean =>
  existsSync(path) && existsSync(intentFile(forwardPlace(path, gitDir)));
