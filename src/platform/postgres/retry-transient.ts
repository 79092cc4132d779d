import { sleep } from "../index.ts";
import { isAway, isCollision, isLost, isStale } from "./failures.ts";

/** How often a transaction is begun anew after it collided with others. */
const COLLISIONS = 12;

export interface Patience {
  /** How long broken connections and an absent server are put up with. */
  readonly awayMs: number;
  /** Whether it counts as absence that no server listens. Before one ever did, it is more likely a wrong address. */
  readonly wasThere: boolean;
  readonly random?: () => number;
}

/** Tries again from the start while that can help, with pauses that grow and never fall together. */
export async function retryTransient<T>(
  attempt: () => Promise<T>,
  { awayMs, wasThere, random = Math.random }: Patience,
): Promise<T> {
  const start = performance.now();
  let collisions = 0;
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (isStale(error)) collisions += 1;
      else if (isCollision(error)) collisions += isTaken(error) ? COLLISIONS / 3 : 1;
      else if (!mayPass(error, wasThere) || performance.now() - start > awayMs) throw error;
      if (collisions > COLLISIONS) throw error;
      await sleep(Math.min(10 * 2 ** Math.min(tried, 7), 1000) * random());
    }
  }
}

/** A key that a rival just took is found by the next try; one that is taken stays so. */
const isTaken = (error: unknown): boolean => (error as { code?: string }).code === "23505";

/** A server that is starting, or full, is there; one that no call reaches may never have been. */
const mayPass = (error: unknown, wasThere: boolean): boolean =>
  isLost(error) ||
  (isAway(error) && (wasThere || (error as { code?: string }).code?.startsWith("5") === true));
