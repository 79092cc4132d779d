import { type MessagePort, parentPort, receiveMessageOnPort } from "node:worker_threads";
import type { ProcessRecord, RenewLease } from "../../ports/index.ts";
import { processTable } from "../process-table.ts";
import { stopCommandProcesses } from "../supervise/stop-command-processes.ts";
import { sleep } from "../../index.ts";
import { systemClock } from "../system-clock.ts";
import { renewUntilLost } from "./renew-until-lost.ts";

/** One claim to keep. `data` is for what makes the renewals. */
export interface HeartbeatOrder {
  readonly leaseMs: number;
  readonly graceMs: number;
  /** One number, shared: 1 once the claim is lost. */
  readonly flag: SharedArrayBuffer;
  readonly data: unknown;
}

export type ToThread =
  | { readonly begin: HeartbeatOrder }
  | { readonly watch: ProcessRecord }
  | { readonly unwatch: ProcessRecord }
  | { readonly stop: true };

export type FromThread =
  | { readonly lost: { readonly because: string; readonly left: readonly number[] } }
  /** It was stopped, and can be given another claim. */
  | { readonly stopped: true };

type MakeRenewal = (data: unknown) => Promise<RenewLease>;

/** A claim that is kept at this moment. */
interface Keeping {
  readonly watched: Map<number, ProcessRecord>;
  readonly stop: AbortController;
}

/**
 * The body of the heartbeat's thread: keeps one claim after the other.
 *
 * When the claim is lost it ends the agents itself, and only then tells the main thread: that one may be busy for
 * minutes, in which an agent could write over its successor's work.
 */
export function serveHeartbeats(makeRenewal: MakeRenewal): void {
  const port = parentPort!;
  let keeping: Keeping | undefined;
  const hear = (message: ToThread) => {
    if ("begin" in message) {
      keeping = { watched: new Map(), stop: new AbortController() };
      void keep(port, message.begin, keeping, hear, makeRenewal);
    } else if ("watch" in message) keeping?.watched.set(message.watch.pid, message.watch);
    else if ("unwatch" in message) keeping?.watched.delete(message.unwatch.pid);
    else keeping?.stop.abort();
  };
  port.on("message", hear);
}

async function keep(
  port: MessagePort,
  { leaseMs, graceMs, flag, data }: HeartbeatOrder,
  { watched, stop }: Keeping,
  hear: (message: ToThread) => void,
  makeRenewal: MakeRenewal,
): Promise<void> {
  const tell = (message: FromThread) => port.postMessage(message);
  const because = await renewUntilLost({
    renew: lazily(makeRenewal, data),
    leaseMs,
    clock: systemClock,
    sleep: (ms, wake) => sleep(ms, wake ? AbortSignal.any([stop.signal, wake]) : stop.signal),
    isStopped: () => stop.signal.aborted,
  });
  if (because !== undefined) {
    Atomics.store(new Int32Array(flag), 0, 1);
    // Whoever was told of before the flag was up must be heard of now; whoever comes later sees the flag.
    for (let left = receiveMessageOnPort(port); left !== undefined; left = receiveMessageOnPort(port))
      hear(left.message as ToThread);
    const ends = await Promise.all(
      [...watched.values()].map((record) =>
        stopCommandProcesses(
          { record, table: processTable, isChild: true, self: process.pid },
          { graceMs: () => graceMs, uptimeMs: systemClock.uptimeMs },
        ),
      ),
    );
    tell({ lost: { because, left: ends.flatMap(({ left }) => left.map(({ pid }) => pid)) } });
  }
  if (!stop.signal.aborted)
    await new Promise((resolve) => {
      stop.signal.addEventListener("abort", resolve, { once: true });
    });
  tell({ stopped: true });
}

/** What renews is made with the first renewal; when that fails, the next one tries again. */
function lazily(makeRenewal: MakeRenewal, data: unknown): RenewLease {
  let made: Promise<RenewLease> | undefined;
  return async () => {
    made ??= makeRenewal(data).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return (await made)();
  };
}
