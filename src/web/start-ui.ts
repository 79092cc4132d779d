import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { toInstant } from "../domain/index.ts";
import type { Pawl } from "../api.ts";
import { journalFeed } from "./feed.ts";
import { readFindings } from "./finding-card.ts";
import { findingsCache } from "./findings-cache.ts";
import { pawlJobs } from "./jobs.ts";
import { newKeys } from "./keys.ts";
import { dedupeCalls } from "./dedupe-calls.ts";
import { pageFolder } from "./page-folder.ts";
import { loadPage } from "./page-files.ts";
import { servePage } from "./serve.ts";
import { changeStamp, folderStamp, foundPlans, stateStamp } from "./change-stamps.ts";
import { snakeCase } from "../journal/index.ts";

export interface UiSetting {
  readonly pawl: Pawl;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Undefined for the repository's own. */
  readonly port: number | undefined;
  readonly isReadOnly: boolean;
  /** How Pawl itself is started, for what works beside the page. */
  readonly program: readonly string[];
  readonly version: string;
}

export interface Ui {
  readonly port: number;
  /** Good for one window; `onUsed` is called when that window has come. */
  readonly newLink: (onUsed?: () => void) => string;
  /** Resolves once no window is open; `onStaying` is called first when one is. */
  readonly whenUnwatched: (onStaying: () => void) => Promise<void>;
  readonly close: () => Promise<void>;
}

const QUIET_LOOK_MS = 500;
const QUIET_LOOKS = 4;

/** More than a person decides before a call could still be repeated. */
const MOST_ANSWERS = 500;

const FIRST_PORT = 20_000;
const PORTS = 12_000;

/** One port for each repository, below those that systems hand out by themselves: bookmarks and open tabs keep working. */
export const portOf = (folder: string): number =>
  FIRST_PORT + (createHash("sha256").update(folder).digest().readUInt32BE(0) % PORTS);

/** Puts the page together: who may call, what is sent, what is served. */
export async function startUi(setting: UiSetting): Promise<Ui> {
  const { pawl, env, isReadOnly, program, version } = setting;
  const { root } = await pawl.overview();
  const operand = (planPath: string): string => (root === null ? planPath : join(root, planPath));
  const nowMs = () => Math.round(performance.timeOrigin + performance.now());
  const keys = newKeys(nowMs);
  const feed = journalFeed({
    pawl,
    signOf: (planPath) => changeStamp(operand(planPath)),
    signOfPlans: foundPlans(pawl, () => folderStamp(root)),
    nowMs,
  });
  const jobs = pawlJobs({
    program,
    cwd: root ?? setting.cwd,
    env,
    now: () => toInstant(nowMs()),
    onChange: (job) => feed.publish({ kind: "job", data: snakeCase({ job }) }),
  });
  const findings = findingsCache({
    look: () => readFindings(jobs),
    sign: () => stateStamp(pawl, operand),
    nowMs,
    pause,
  });
  const dedupe = dedupeCalls(MOST_ANSWERS);
  const context = {
    pawl,
    jobs,
    feed,
    findings,
    dedupe,
    operand,
    isReadOnly,
    version,
    newTicket: () => keys.newTicket(),
  };
  const served = await servePage({
    context,
    keys,
    page: loadPage(pageFolder()),
    ports: setting.port === undefined ? [portOf(root ?? setting.cwd), 0] : [setting.port],
    nowMs,
  });
  return {
    port: served.port,
    newLink: (onUsed) => `http://127.0.0.1:${served.port}/#ticket=${keys.newTicket(onUsed)}`,
    async whenUnwatched(onStaying) {
      if (feed.listeners() === 0) return;
      onStaying();
      // A window that is loaded again is away for a moment.
      for (let quiet = 0; quiet < QUIET_LOOKS; quiet = feed.listeners() === 0 ? quiet + 1 : 0)
        await pause(QUIET_LOOK_MS);
    },
    async close() {
      feed.close();
      await served.close();
    },
  };
}
