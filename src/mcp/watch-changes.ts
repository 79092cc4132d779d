import { Failure } from "../domain/index.ts";
import type { EventView } from "../journal/index.ts";
import type { Pawl } from "../api.ts";
import { planUri, stepUri } from "./resources.ts";

export interface ChangeWatch {
  readonly pawl: () => Pawl | undefined;
  readonly sleep: (ms: number, wake: AbortSignal) => Promise<void>;
  readonly over: AbortSignal;
  readonly updated: (uri: string) => Promise<void>;
  /** The plans that the client was last shown or notified of; undefined when it never asked. */
  readonly shown: { plans: string | undefined };
  readonly listChanged: () => Promise<void>;
}

const LOOK_MS = 400;
const MOST_EVENTS = 500;

/** Follows the journal: every process that changed a plan left a line there. */
export async function watchChanges({
  pawl,
  sleep,
  over,
  updated,
  shown,
  listChanged,
}: ChangeWatch): Promise<void> {
  let from: Pawl | undefined;
  let last: number | undefined;
  while (!over.aborted) {
    await sleep(LOOK_MS, over);
    const now = pawl();
    if (over.aborted || now === undefined) continue;
    if (now !== from) last = undefined;
    from = now;
    try {
      const request = last === undefined ? { most: 1 } : { after: last, most: MOST_EVENTS };
      const events = await now.events(request);
      const isNews = last !== undefined;
      last = events.at(-1)?.id ?? last ?? 0;
      if (isNews && events.length === 0) continue;
      const plans = plansIn(await now.list());
      if (shown.plans !== undefined && plans !== shown.plans) await listChanged();
      shown.plans = plans;
      if (isNews) for (const uri of urisOf(events)) await updated(uri);
    } catch (error) {
      // No plan has state yet, or the state is being repaired: the next look tells.
      if (!(error instanceof Failure)) throw error;
      if (error.problem === "plan/not-initialised") last = 0;
    }
  }
}

/** Which plans there are, as something to compare. */
export const plansIn = (plans: readonly { readonly planPath: string }[]): string =>
  plans.map(({ planPath }) => planPath).join("\n");

const urisOf = (events: readonly EventView[]): ReadonlySet<string> =>
  new Set(
    events.flatMap(({ planPath, anchor }) =>
      planPath === null ? [] : [planUri(planPath), ...(anchor === null ? [] : [stepUri(planPath, anchor)])],
    ),
  );
