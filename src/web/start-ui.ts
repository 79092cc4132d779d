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
import { stateStamp, fileStamp } from "./change-stamps.ts";
import { snakeCase } from "../journal/index.ts";

export interface UiSetting {
  readonly pawl: Pawl;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly port: number;
  readonly isReadOnly: boolean;
  /** How Pawl itself is started, for what works beside the page. */
  readonly program: readonly string[];
  readonly version: string;
}

export interface Ui {
  readonly port: number;
  /** Good for one window; `onUsed` is called when that window has come. */
  readonly newLink: (onUsed?: () => void) => string;
  readonly close: () => Promise<void>;
}

/** More than anybody decides before a call could still be repeated. */
const MOST_ANSWERS = 500;

/** Puts the page together: who may call, what is told, what is served. */
export async function startUi(setting: UiSetting): Promise<Ui> {
  const { pawl, env, isReadOnly, program, version } = setting;
  const { root } = await pawl.overview();
  const operand = (planPath: string): string => (root === null ? planPath : join(root, planPath));
  const nowMs = () => Math.round(performance.timeOrigin + performance.now());
  const keys = newKeys(nowMs);
  const feed = journalFeed({ pawl, signOf: (planPath) => fileStamp(operand(planPath)), nowMs });
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
    port: setting.port,
    nowMs,
  });
  return {
    port: served.port,
    newLink: (onUsed) => `http://127.0.0.1:${served.port}/#ticket=${keys.newTicket(onUsed)}`,
    async close() {
      feed.close();
      await served.close();
    },
  };
}
