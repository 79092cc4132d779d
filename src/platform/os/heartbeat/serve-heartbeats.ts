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

export type Order =
  | { readonly begin: HeartbeatOrder }
  | { readonly watch: ProcessRecord }
  | { readonly unwatch: ProcessRecord }
  | { readonly stop: true };

type Told =
  | { readonly lost: { readonly because: string; readonly left: readonly number[] } }
  /** It was stopped, and nothing more comes about it. */
  | { readonly stopped: true };

/** Which claim a message is about, by a number that the main thread gave it. */
interface OfClaim {
  readonly claim: number;
}
export type ToThread = OfClaim & Order;
export type FromThread = OfClaim & Told;

type MakeRenewal = (data: unknown) => Promise<RenewLease>;

/** A claim that is kept at this moment. */
interface Keeping {
  readonly watched: Map<number, ProcessRecord>;
  readonly stop: AbortController;
}

/**
 * The body of the heartbeat's thread: keeps the claims of all workers of the process.
 *
 * When the claim is lost it ends the agents itself, and only then tells the main thread: that one may be busy for
 * minutes, in which an agent could write over its successor's work.
 */
export function serveHeartbeats(makeRenewal: MakeRenewal): void {
  const port = parentPort!;
  const kept = new Map<number, Keeping>();
  const hear = (message: ToThread) => {
    const { claim } = message;
    const keeping = kept.get(claim);
    if ("begin" in message) {
      const begun = { watched: new Map(), stop: new AbortController() };
      kept.set(claim, begun);
      const tell = (said: Told) => {
        if ("stopped" in said) kept.delete(claim);
        port.postMessage({ claim, ...said } satisfies FromThread);
      };
      void keep(message.begin, begun, { tell, hearRest: () => hearRest(port, hear), makeRenewal });
    } else if ("watch" in message) keeping?.watched.set(message.watch.pid, message.watch);
    else if ("unwatch" in message) keeping?.watched.delete(message.unwatch.pid);
    else keeping?.stop.abort();
  };
  port.on("message", hear);
}

/** What has arrived and was not taken up yet. */
function hearRest(port: MessagePort, hear: (message: ToThread) => void): void {
  for (let left = receiveMessageOnPort(port); left !== undefined; left = receiveMessageOnPort(port))
    hear(left.message as ToThread);
}

interface Keeper {
  readonly tell: (message: Told) => void;
  readonly hearRest: () => void;
  readonly makeRenewal: MakeRenewal;
}

async function keep(
  { leaseMs, graceMs, flag, data }: HeartbeatOrder,
  { watched, stop }: Keeping,
  { tell, hearRest: takeUp, makeRenewal }: Keeper,
): Promise<void> {
  const because = await renewUntilLost({
    renew: lazily(makeRenewal, data),
    leaseMs,
    clock: systemClock,
    sleep: (ms, wake) => sleep(ms, wake ? AbortSignal.any([stop.signal, wake]) : stop.signal),
    isStopped: () => stop.signal.aborted,
  });
  if (because !== undefined) {
    Atomics.store(new Int32Array(flag), 0, 1);
    // A command that was named before the flag was up must be known now; a later one sees the flag.
    takeUp();
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
