import { Badge } from "../parts/small.tsx";
import { Ago } from "../parts/time.tsx";
import { to } from "../router.ts";
import type { Lane, TrainPlace } from "../types.ts";

const STATES: Readonly<Record<TrainPlace["state"], readonly [Lane, string]>> = {
  verifying: ["verifying", "verifying"],
  verified: ["done", "verified"],
  failed: ["stopped", "fails with those ahead"],
};

/** The steps that wait to land, in the order in which they do. */
export const Train = ({ places }: { readonly places: readonly TrainPlace[] }) =>
  places.length === 0 ? null : (
    <section class="train" aria-labelledby="train">
      <h2 id="train">Waiting to land</h2>
      <ol class="table">
        {places.map((place) => (
          <li key={`${place.plan_path} ${place.anchor}`} data-anchor={place.anchor}>
            <span class="numbers">{place.position}</span>
            <Badge lane={STATES[place.state][0]}>{STATES[place.state][1]}</Badge>
            <span>
              <a href={to("plan", place.plan_path, "step", place.anchor)} dir="auto">
                {place.title}
              </a>{" "}
              <span class="muted">{place.anchor}</span>
            </span>
            <span class="muted">
              {place.behind === null ? `next on ${place.branch}` : `behind ${place.behind}`}
            </span>
            <span class="muted">
              {place.session_id === null || place.worktree === null ? null : (
                <a href={to("sessions", place.session_id)} title={place.worktree}>
                  {place.worktree.split("/").at(-1)}
                </a>
              )}{" "}
              <Ago at={place.since} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
