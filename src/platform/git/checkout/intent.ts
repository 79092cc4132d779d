import * as fs from "node:fs";
import type { Files } from "../../ports/index.ts";
import type { FileChange } from "../files/diff-trees.ts";
import type { NumberedChange } from "./change-files.ts";
import type { RefUpdate } from "./ref-update.ts";
import { changesFile, type CheckoutPaths, intentFile, markOf, newTree, statIn } from "./checkout-paths.ts";

/** What is written down before the first file changes. */
export interface Intent {
  readonly ref: string;
  /** What lies in the files and the index before and after. */
  readonly from: string;
  readonly to: string;
  /** What the ref names before and after, where that is something else. */
  readonly head?: { readonly from: string; readonly to: string } | undefined;
  readonly isAddedNext?: boolean | undefined;
}

/** How the ref moves. */
export const refMove = ({ ref, from, to, head }: Intent): RefUpdate => ({ ref, from, to, ...head });

/** The same with every change, so that it can be taken back also when the commit is gone. */
export interface WholeIntent extends Intent {
  readonly changes: readonly NumberedChange[];
}

/** Each new file is noted as it looks, because a rename keeps its looks: so it is known again in its place. */
export function writeIntent(
  files: Files,
  place: CheckoutPaths,
  intent: Intent,
  changes: readonly NumberedChange[],
): void {
  const noted = changes.map(({ change }) => ({
    ...change,
    mark: markOf(statIn(newTree(place), change.path)),
  }));
  files.replace(changesFile(place), JSON.stringify({ ...intent, changes: noted }));
  files.replace(intentFile(place), JSON.stringify(intent));
}

/** Undefined where it cannot be read: a program or the disk damaged it. */
export function readIntent(place: CheckoutPaths): WholeIntent | undefined {
  try {
    const { changes, ...intent } = JSON.parse(fs.readFileSync(changesFile(place), "utf8")) as Intent & {
      readonly changes: readonly (FileChange & { readonly mark: string })[];
    };
    return {
      ...intent,
      changes: changes.map(({ mark, path, from, to }, number) => ({
        change: { path, from, to },
        number,
        mark,
      })),
    };
  } catch {
    return undefined;
  }
}
