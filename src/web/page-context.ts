import type { Pawl } from "../api.ts";
import type { Feed } from "./feed.ts";
import type { FindingsCache } from "./findings-cache.ts";
import type { Jobs } from "./jobs.ts";
import type { Dedupe } from "./dedupe-calls.ts";

/** What routes and actions work with. They read and act through the verbs, never around them. */
export interface PageContext {
  readonly pawl: Pawl;
  readonly jobs: Jobs;
  readonly feed: Feed;
  readonly findings: FindingsCache;
  /** For decisions: each is carried out once, however often it is sent. */
  readonly dedupe: Dedupe;
  /** How a plan is called from here: people see it by its path in the repository. */
  readonly operand: (planPath: string) => string;
  readonly isReadOnly: boolean;
  readonly newTicket: () => string;
  readonly version: string;
}
