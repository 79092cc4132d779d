import { Failure } from "../domain/index.ts";
import type { Database, OpenStoreOptions } from "./ports/index.ts";

export type Open = (options: OpenStoreOptions) => Promise<Database>;

/**
 * One database for everybody who asks in this process; after a failure, and where another one was put in its place, it
 * is opened anew: a page or a server stays, and its next call is to find what a new command would.
 *
 * Calls come side by side. A reader may be about to find nothing, and a call that would make it must not get
 * that answer.
 */
export function lazyDatabase(open: Open): (options?: OpenStoreOptions) => Promise<Database> {
  let opened: Promise<Database> | undefined;
  const begin = (options: OpenStoreOptions): Promise<Database> => {
    const forget = (): void => {
      if (opened === mine) opened = undefined;
    };
    const mine = open(options).then(
      (database) => tellingLoss(database, forget),
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    opened = mine;
    return mine;
  };
  return (options = { create: false }) => {
    if (opened === undefined) return begin(options);
    return options.create ? opened.catch(() => opened ?? begin(options)) : opened;
  };
}

/**
 * Reports when the database turns out to be another one. It stays open for calls that are about to use it: they get the
 * same report. One that has only lost its log is still the same, and cannot be opened again.
 */
function tellingLoss(database: Database, tell: () => void): Database {
  const listen = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (
        error instanceof Failure &&
        error.problem === "store/replaced" &&
        error.details["path"] === database.where
      )
        tell();
      throw error;
    }
  };
  return {
    ...database,
    read: (work) => listen(database.read(work)),
    write: (work, how) => listen(database.write(work, how)),
  };
}
