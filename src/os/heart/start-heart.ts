import { Worker } from "node:worker_threads";
import { toInstant } from "../../domain/instant.ts";
import type { Heart, Lost } from "../../ports/hearts.ts";
import type { FromThread, ThreadInput, ToThread } from "./serve-heart.ts";

export interface HeartOptions {
  /** The built file that calls `serveHeart`. */
  readonly threadFile: string;
  readonly leaseMs: number;
  readonly graceMs?: number | undefined;
  readonly data: unknown;
}

const GRACE_MS = 5000;

/** Starts the thread. A thread that ends by a fault of its own counts as a lost claim: nobody beats any more. */
export function startHeart({ threadFile, leaseMs, graceMs = GRACE_MS, data }: HeartOptions): Heart {
  const flag = new SharedArrayBuffer(4);
  const input: ThreadInput = { leaseMs, graceMs, flag, data };
  const worker = new Worker(threadFile, { workerData: input });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  const tell = (message: ToThread) => worker.postMessage(message);
  let lastBeatMs: number | undefined;
  let isStopped = false;

  const lost = new Promise<Lost>((resolve) => {
    worker.on("message", (message: FromThread) => {
      if ("beatMs" in message) lastBeatMs = message.beatMs;
      else resolve(message.lost);
    });
    worker.on("error", (error) => {
      if (isStopped) return;
      Atomics.store(new Int32Array(flag), 0, 1);
      const what = error instanceof Error ? error.message : String(error);
      resolve({ because: `the heartbeat failed: ${what}`, left: [] });
    });
  });
  const gone = new Promise<void>((resolve) => {
    worker.once("exit", () => resolve());
  });
  // The main thread leaves when its work is done, whether or not somebody has stopped the heart.
  worker.unref();

  const isLost = () => Atomics.load(new Int32Array(flag), 0) === 1;

  return {
    watch(record) {
      tell({ watch: record });
      // Told first and asked then: the thread does it the other way round, so one of the two ends the command.
      return !isLost();
    },
    unwatch: (record) => tell({ unwatch: record }),
    isLost,
    lost,
    lastBeatAt: () => (lastBeatMs === undefined ? undefined : toInstant(lastBeatMs)),
    async stop() {
      isStopped = true;
      worker.ref();
      tell({ stop: true });
      await gone;
    },
  };
}
