import { lstatSync } from "node:fs";

/** The first of some numbered names that nothing has yet. */
export function freeName(nameOf: (number: number) => string): string {
  for (let number = 1; ; number += 1)
    if (lstatSync(nameOf(number), { throwIfNoEntry: false }) === undefined) return nameOf(number);
}
