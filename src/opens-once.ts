import type { Database } from "./ports/database.ts";
import type { OpenStoreOptions } from "./ports/index.ts";

export type Open = (options: OpenStoreOptions) => Promise<Database>;

/**
 * One database for everybody who asks in this process; after a failure it is opened anew.
 *
 * Calls come side by side. Whoever only looks may be about to find nothing, and whoever would make it must not get
 * that answer.
 */
export function opensOnce(open: Open): (options?: OpenStoreOptions) => Promise<Database> {
  let opened: Promise<Database> | undefined;
  const begin = (options: OpenStoreOptions): Promise<Database> => {
    opened = open(options).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return (options = { create: false }) => {
    if (opened === undefined) return begin(options);
    return options.create ? opened.catch(() => opened ?? begin(options)) : opened;
  };
}
