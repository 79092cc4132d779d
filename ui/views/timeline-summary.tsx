import { to } from "../router.ts";
import type { slowestChain, StepTime } from "../time-by-step.ts";
import { duration, plural } from "../words.ts";

const LEGEND = [
  ["done", "finished"],
  ["working", "running"],
  ["verifying", "verification"],
  ["stopped", "failed or cut off"],
] as const;

export const Legend = ({ hasCritical }: { readonly hasCritical: boolean }) => (
  <ul class="tones" aria-label="Legend">
    {LEGEND.map(([lane, words]) => (
      <li key={lane} class={lane}>
        <span class="dot" aria-hidden="true" /> {words}
      </li>
    ))}
    <li class="done">
      <span class="mark" aria-hidden="true" /> waited to land
    </li>
    <li>
      <span class="mark now" aria-hidden="true" /> now
    </li>
    {hasCritical && (
      <li>
        <span class="mark critical" aria-hidden="true" /> critical path
      </li>
    )}
  </ul>
);

/** The chain that decides how long the plan takes. */
export const Chain = ({
  plan,
  chain,
}: {
  readonly plan: string;
  readonly chain: ReturnType<typeof slowestChain>;
}) => (
  <p class="chain">
    <strong>Critical path: {duration(chain.ms)}</strong>{" "}
    {chain.anchors.map((anchor, index) => (
      <span key={anchor}>
        {index > 0 && <span class="muted"> → </span>}
        <a href={to("plan", plan, "step", anchor)}>{anchor}</a>
      </span>
    ))}
  </p>
);

const MOST_BARS = 8;

/** Sums by step, the costliest first. */
export function Where({
  times,
  plan: only,
  critical,
}: {
  readonly times: readonly StepTime[];
  readonly plan: string | undefined;
  readonly critical: ReadonlySet<string>;
}) {
  const total = times.reduce((sum, { ms }) => sum + ms, 0);
  const largest = times.slice(0, MOST_BARS);
  const others = times.length - largest.length;
  const plans = new Set(times.map(({ plan }) => plan));
  if (largest.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="where">
      <h2 id="where">Where the time went: {duration(total)} of agent time</h2>
      <ul class="bars">
        {largest.map(({ plan, name, ms }) => (
          <li key={`${plan} ${name}`}>
            <span class="name">
              {only === undefined || plan === null ? (
                name
              ) : (
                <a href={to("plan", plan, "step", name)}>{name}</a>
              )}
              {plan !== null && plans.size > 1 && <span class="muted"> {plan}</span>}
              {critical.has(name) && <span class="muted"> · critical</span>}
            </span>
            <span class="bar-track" aria-hidden="true">
              <span style={{ width: `${(ms / Math.max(largest[0]!.ms, 1)) * 100}%` }} />
            </span>
            <span class="numbers">{duration(ms)}</span>
          </li>
        ))}
      </ul>
      {others > 0 && <p class="muted">and {plural(others, "step")} that took less.</p>}
    </section>
  );
}
