import { Worker } from "node:worker_threads";
import type { Heartbeat, Lost } from "../../ports/index.ts";
import type { FromThread, HeartbeatOrder, ToThread } from "./serve-heartbeats.ts";

export interface HeartbeatOptions {
  /** The built file that calls `serveHeartbeats`. */
  readonly threadFile: string;
  readonly leaseMs: number;
  readonly graceMs?: number | undefined;
  readonly data: unknown;
}

const GRACE_MS = 5000;

/** Threads without a claim to keep. To start one costs more than all else that a step needs, so they are kept. */
const idle = new Map<string, Worker[]>();

/**
 * Hands a claim to a thread. A thread that ends by a fault of its own counts as a lost claim: nobody renews any more.
 */
export function startHeartbeat({
  threadFile,
  leaseMs,
  graceMs = GRACE_MS,
  data,
}: HeartbeatOptions): Heartbeat {
  const flag = new SharedArrayBuffer(4);
  const order: HeartbeatOrder = { leaseMs, graceMs, flag, data };
  const worker = idle.get(threadFile)?.pop() ?? new Worker(threadFile);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  const tell = (message: ToThread) => worker.postMessage(message);
  let isBroken = false;
  let stopping: Promise<void> | undefined;
  let lose: (lost: Lost) => void;
  let end: () => void;
  const lost = new Promise<Lost>((resolve) => (lose = resolve));
  const over = new Promise<void>((resolve) => (end = resolve));

  const hear = (message: FromThread) => {
    if ("lost" in message) lose(message.lost);
    else end();
  };
  const fail = (error: unknown) => {
    isBroken = true;
    if (stopping) return;
    Atomics.store(new Int32Array(flag), 0, 1);
    const what = error instanceof Error ? error.message : String(error);
    lose({ because: `the heartbeat failed: ${what}`, left: [] });
  };
  const leave = () => {
    isBroken = true;
    end();
  };
  worker.on("message", hear).on("error", fail).on("exit", leave);
  tell({ begin: order });
  // The main thread leaves when its work is done, whether or not somebody has stopped the heartbeat.
  worker.unref();

  const stop = async () => {
    if (!isBroken) {
      worker.ref();
      tell({ stop: true });
      await over;
    }
    worker.off("message", hear).off("error", fail).off("exit", leave);
    if (isBroken) return;
    worker.unref();
    const others = idle.get(threadFile);
    if (others) others.push(worker);
    else idle.set(threadFile, [worker]);
  };
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
    stop: () => (stopping ??= stop()),
  };
}
