import { it } from "vitest";
import { expectReplayed } from "../support/replay/expect-replayed.ts";
import { replay } from "../support/replay/replay.ts";

/**
 * A history of forty commits, done again by six workers whose agents misbehave, with everything killed fifteen times.
 *
 * `PAWL_REPLAY_SEED` chooses another history and other moments for the kills.
 */
const SEED = Number(process.env["PAWL_REPLAY_SEED"] ?? 1);

// proves G-resumes-where-it-stopped, G-never-completed-twice, G-agents-contained
it(
  `ends with the tree of the history, each step landed once (seed ${SEED})`,
  { timeout: 1_200_000 },
  async () => {
    expectReplayed(await replay({ seed: SEED, steps: 40, workers: 6, kills: 15, limitMs: 1_100_000 }));
  },
);
