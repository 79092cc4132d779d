import type { Clock, RunningCommand } from "../../platform/ports/index.ts";

export interface SilenceWatch {
  readonly clock: Clock;
  readonly sleep: (ms: number, wake: AbortSignal) => Promise<void>;
  /** How long an agent may print nothing and change no file. */
  readonly silenceMs: number;
  readonly progress: RunningCommand["progress"];
  /** The tree of what is in the worktree; undefined where git cannot say. */
  readonly tree: () => Promise<string | undefined>;
  readonly treeBefore: string;
  readonly over: AbortSignal;
  readonly onSilence: () => void;
}

/** A nap that took so much longer than it was to take means that the machine slept, and the agent with it. */
const OVERSLEPT_MS = 5000;
const LONGEST_NAP_MS = 30_000;

/**
 * Notices an agent that has stopped doing anything.
 *
 * Output is watched all the time, files only when there was no output for so long: that costs a look at the whole
 * worktree. Silence counts from the last sign of either. A machine that slept wakes the agent and this watch at once,
 * so the time begins anew then.
 */
export async function watchSilence(watch: SilenceWatch): Promise<void> {
  const { clock, sleep, silenceMs, progress, over } = watch;
  let tree: string | undefined = watch.treeBefore;
  let bytes = progress().bytes;
  let signMs = clock.uptimeMs();
  while (!over.aborted) {
    const napMs = Math.min(Math.max(signMs + silenceMs - clock.uptimeMs(), 1), LONGEST_NAP_MS);
    const beganMs = clock.uptimeMs();
    await sleep(napMs, over);
    if (over.aborted) return;
    const now = progress().bytes;
    const isOverslept = clock.uptimeMs() - beganMs > napMs * 2 + OVERSLEPT_MS;
    if (now !== bytes || isOverslept) {
      bytes = now;
      signMs = clock.uptimeMs();
    }
    if (clock.uptimeMs() - signMs < silenceMs) continue;
    const seen = await watch.tree();
    if (over.aborted) return;
    if (seen === tree && progress().bytes === bytes) return watch.onSilence();
    tree = seen;
    bytes = progress().bytes;
    signMs = clock.uptimeMs();
  }
}
