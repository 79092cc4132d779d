import type { Ports } from "../platform/ports/index.ts";

/** What to call a plan by its key. From a folder that has a file of the same name, that one would be meant. */
export function planPathFromHere({ plans, repository }: Ports, key: string): string {
  if (plans.locate(key).key === key) return key;
  return `${repository.mainTopLevel ?? repository.topLevel ?? ""}/${key}`;
}
