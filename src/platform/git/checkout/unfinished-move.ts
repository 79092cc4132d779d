import { existsSync } from "node:fs";
import { checkoutPaths, hasFolders, intentFile } from "./checkout-paths.ts";

/** Whether a call left anything at all: one that was killed before it began, or after it was done, or that still runs. */
export const hasLeftovers = ({ path, gitDir }: { readonly path: string; readonly gitDir: string }): boolean =>
  existsSync(path) && hasFolders(checkoutPaths(path, gitDir));

/** Whether a killed call left something to go on with. */
export const isUnfinished = ({ path, gitDir }: { readonly path: string; readonly gitDir: string }): boolean =>
  existsSync(path) && existsSync(intentFile(checkoutPaths(path, gitDir)));
