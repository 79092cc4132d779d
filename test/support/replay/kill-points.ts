import { existsSync } from "node:fs";
import { seededRandom } from "../random.ts";
import type { RunShop } from "../run-shop.ts";

/** How far a run is, by everything that can be seen of it from outside. */
export interface Progress {
  readonly completed: number;
  readonly starts: number;
  readonly events: number;
  /** Commits that are begun and not yet on the plan's branch with their step completed. */
  readonly committing: number;
  readonly verifying: number;
  /** How often the most unlucky of the open steps was cut off, or may be now. */
  readonly cutOff: number;
}

/** What happens at the moment of a kill. */
const MOMENTS = {
  "an agent starts": (now, since, more) => now.starts > since.starts + (more % 4),
  "an event is recorded": (now, since, more) => now.events > since.events + (more % 25),
  "a commit is under way": (now) => now.committing > 0,
  "a step is verified": (now) => now.verifying > 0,
  "a step completes": (now, since) => now.completed > since.completed,
  "it is being resumed": (now, since, more) => now.events > since.events + (more % 3),
} as const satisfies Record<string, (now: Progress, since: Progress, more: number) => boolean>;

type Moment = keyof typeof MOMENTS;
const NAMES = Object.keys(MOMENTS) as Moment[];

export interface KillPoint {
  readonly moment: Moment;
  /** So many steps are completed before it is waited for. */
  readonly after: number;
  readonly more: number;
}

/** Spread over the whole of a run, each kind of moment in turn. */
export function killPoints(seed: number, steps: number, kills: number): readonly KillPoint[] {
  const random = seededRandom(seed ^ 0x5eed);
  return Array.from({ length: kills }, (_, at) => ({
    moment: NAMES[at % NAMES.length]!,
    after: Math.floor((at * (steps - LAST)) / kills),
    more: random.below(1000),
  }));
}

/** So many steps are left for the last kill, which then comes before the end in any case. */
const LAST = 4;

/** A step that kills have cut off ten times is a person's. That is another test's, so it is spared before. */
const MOST_CUT_OFF = 7;

/** Whether the moment is there. `since` is how far the run was when enough steps were completed. */
export function isDue({ moment, after, more }: KillPoint, now: Progress, since: Progress): boolean {
  if (now.cutOff >= MOST_CUT_OFF) return false;
  return MOMENTS[moment](now, since, more) || now.completed > after + 1;
}

export function progressOf(shop: RunShop): Progress {
  if (!existsSync(`${shop.repo.path}/.git/pawl/state.db`)) return NOTHING;
  try {
    const [row] = shop.query(PROGRESS);
    return row as unknown as Progress;
  } catch (error) {
    // Nothing of the schema is there yet.
    if (/no such table/.test(String(error))) return NOTHING;
    throw error;
  }
}

const NOTHING: Progress = { completed: 0, starts: 0, events: 0, committing: 0, verifying: 0, cutOff: 0 };

const PROGRESS = `
  select (select count(*) from steps where status = 'completed') as completed,
         (select count(*) from checkpoints) as starts,
         (select count(*) from events) as events,
         (select count(*) from commit_intents where closed_at is null) as committing,
         (select count(*) from steps where status = 'awaiting_verification') as verifying,
         (select coalesce(max(n), 0)
            from (select count(*) as n
                    from checkpoints c
                    join steps s on s.plan_path = c.plan_path and s.anchor = c.anchor
                   where s.status <> 'completed' and (c.outcome = 'killed' or c.ended_at is null)
                   group by c.anchor)) as cutOff`;
