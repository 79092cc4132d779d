import { Failure } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { publishPlan } from "./publish-plan.ts";

/** Keeps the request of a plan current beside a run. */
export interface Publisher {
  /** Something landed. The request is written once for all that lands while it is written. */
  readonly landed: () => void;
  /** Writes it for the last time, and waits for that. */
  readonly end: () => Promise<void>;
}

export interface Publishing {
  readonly plan: string;
  readonly branch: string;
  readonly warn: (text: string) => void;
  readonly report: (text: string) => void;
}

/** A service that cannot be reached, or a program that is not there, fails no run: it is said once. */
export function publisherOf(ports: Ports, { plan, branch, warn, report }: Publishing): Publisher {
  let isWarned = false;
  let isTold = false;
  let isWanted = false;
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    try {
      const published = await publishPlan(ports, { plan, branch });
      if (published === undefined) return;
      if (!isTold) report(`the request of this plan: ${published.url}`);
      isTold = true;
      if (published.failed.length > 0 && !isWarned) {
        isWarned = true;
        warn(
          `checks failed on ${published.url}: ${published.failed.join(", ")}. A draft stays one until they pass`,
        );
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (!isWarned) warn(`the request was not written: ${error.message}`);
      isWarned = true;
    }
  };
  const writeAll = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false;
      await write();
    }
    writing = undefined;
  };
  return {
    landed() {
      isWanted = true;
      writing ??= writeAll();
    },
    async end() {
      await writing;
      await write();
    },
  };
}
