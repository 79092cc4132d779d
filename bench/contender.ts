import { once } from "node:events";
import { openPawl } from "../src/index.ts";

/** What one process of the contention benchmark found. */
export interface Outcome {
  /** Milliseconds of every claim that got a step. */
  readonly claims: readonly number[];
  readonly errors: readonly string[];
}

/** Takes steps until none is left: claim, start, complete. Begins when the parent says so, together with its rivals. */
const [worktree = ".", plan = "plan.md"] = process.argv.slice(2);
const pawl = await openPawl({ cwd: worktree });
await pawl.list();
process.send?.("ready");
await once(process, "message");
process.send?.(await takeAll(), () => process.disconnect());

async function takeAll(): Promise<Outcome> {
  const claims: number[] = [];
  const errors: string[] = [];
  for (;;) {
    try {
      const start = performance.now();
      const { anchor, claim, allCompleted } = await pawl.claim({ plan, worktree });
      const tookMs = performance.now() - start;
      if (allCompleted) return { claims, errors };
      if (anchor === null || claim === null) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        continue;
      }
      claims.push(tookMs);
      await pawl.start({ plan, step: anchor, worktree, claim });
      await pawl.complete({ plan, step: anchor, worktree, claim });
    } catch (error) {
      errors.push(String(error));
      if (errors.length > 100) return { claims, errors };
    }
  }
}
