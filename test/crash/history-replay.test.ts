import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { expectReplayed } from "../support/replay/expect-replayed.ts";
import { type Replay, replay } from "../support/replay/replay.ts";

/**
 * A history of forty commits, done again by six workers whose agents misbehave, with everything killed fifteen times.
 *
 * `PAWL_REPLAY_SEED` chooses another history and other moments for the kills. `PAWL_REPLAY_KEEP` names a folder that the
 * repository is copied to when something is wrong, with all that was printed.
 */
const SEED = Number(process.env["PAWL_REPLAY_SEED"] ?? 1);
const KEEP = process.env["PAWL_REPLAY_KEEP"];

// proves G-resumes-where-it-stopped, G-never-completed-twice, G-agents-contained
it(
  `ends with the tree of the history, each step landed once (seed ${SEED})`,
  { timeout: 1_200_000 },
  async () => {
    const replayed = await replay({ seed: SEED, steps: 40, workers: 6, kills: 15, limitMs: 1_100_000 });
    try {
      expectReplayed(replayed);
    } catch (error) {
      if (KEEP !== undefined) keep(replayed, KEEP);
      throw error;
    }
  },
);

function keep({ shop, killed, last }: Replay, folder: string): void {
  cpSync(shop.path("."), folder, { recursive: true, verbatimSymlinks: true });
  const printed = [...killed, last].map(({ stdout, stderr }) => stdout + stderr);
  writeFileSync(join(folder, "printed.txt"), printed.join("\n==== killed\n"));
}
