/** Numbers that look random and come again for the same seed (mulberry32). */
export interface Random {
  /** At least 0, less than 1. */
  readonly next: () => number;
  /** At least 0, less than `limit`. */
  readonly below: (limit: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(list: readonly T[]) => T;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, chance: (share) => next() < share, pick: (list) => list[below(list.length)]! };
}

/** From `PAWL_SEED`, else a new one; its user prints it. */
export const chosenSeed = (): number =>
  process.env["PAWL_SEED"] === undefined
    ? Math.floor(Math.random() * 2 ** 31)
    : Number(process.env["PAWL_SEED"]);
