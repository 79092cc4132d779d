import { to } from "../router.ts";
import type { Neighbour } from "../types.ts";

const LANE_OF = { completed: "done", blocked: "stopped", on_hold: "stopped", pending: "waiting" } as const;

export const Near = ({
  title,
  steps,
  plan,
}: {
  readonly title: string;
  readonly steps: readonly Neighbour[];
  readonly plan: string;
}) =>
  steps.length === 0 ? null : (
    <section class="panel">
      <h2>{title}</h2>
      <ul class="near">
        {steps.slice(0, 30).map((one) => (
          <li key={one.anchor}>
            <span class={`dot ${LANE_OF[one.status as "pending"] ?? "working"}`} aria-hidden="true" />
            <a href={to("plan", plan, "step", one.anchor)} dir="auto">
              {one.title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
