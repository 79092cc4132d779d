import { cutOffAt, endOf } from "../cut-off.ts";
import { useState } from "preact/hooks";
import { useNow } from "../parts/time.tsx";
import { Empty, Heading, Loading, SessionBadge, Trouble } from "../parts/small.tsx";
import { to } from "../router.ts";
import { lengthOf, slowestChain, timeByStep } from "../time-by-step.ts";
import { usePlanSteps } from "../plan-steps.ts";
import type { Command, Lifeline, StepLine } from "../types.ts";
import { useData } from "../use-data.ts";
import { duration, plural, shortHash, shortPath, STOPPED_WORD } from "../words.ts";
import { Chain, Legend, Where } from "./timeline-summary.tsx";

/** Who worked on what when, and where the time went. */
export const Timeline = ({ plan }: { readonly plan: string | undefined }) =>
  plan === undefined ? <Lanes plan={plan} steps={[]} /> : <PlanLanes plan={plan} />;

/** What waits for what is known of one plan at a time. */
const PlanLanes = ({ plan }: { readonly plan: string }) => (
  <Lanes plan={plan} steps={usePlanSteps(plan).steps} />
);

function Lanes({ plan, steps }: { readonly plan: string | undefined; readonly steps: readonly StepLine[] }) {
  const { data, error } = useData<{ readonly sessions: readonly Lifeline[] }>("/api/timeline", { plan });
  const now = useNow();
  const [zoom, setZoom] = useState<number | string>(0);
  if (error && !data) return <Trouble error={error} />;
  if (!data) return <Loading lines={6} />;
  const { sessions } = data;
  const runs = runsOf(sessions);
  const span = zoomed(spanOf(sessions, now), runs, zoom, now);
  const inView = runs.filter(([, members]) => {
    const own = spanOf(members, now, 1);
    return own.from + own.length >= span.from && own.from <= span.from + span.length;
  });
  const times = timeByStep(sessions, now);
  const chain = slowestChain(steps, times);
  const critical = new Set(chain.anchors.length > 1 ? chain.anchors : []);
  return (
    <div class="view timeline">
      <Heading title="Timeline" about={plan ? <a href={to("plan", plan, "board")}>{plan}</a> : "all plans"} />
      {sessions.length === 0 ? (
        <Empty icon="timeline" title="Nothing has run yet">
          <p>
            Every command of every agent becomes a bar here. <code>pawl run</code> starts one.
          </p>
        </Empty>
      ) : (
        <>
          <Where times={times} plan={plan} critical={critical} />
          {critical.size > 0 && <Chain plan={plan!} chain={chain} />}
          <div class="bar">
            <Legend hasCritical={critical.size > 0} />
            <label class="select">
              Show
              <select
                value={String(zoom)}
                onChange={({ currentTarget: { value } }) =>
                  setZoom(/^\d+$/.test(value) ? Number(value) : value)
                }
              >
                <option value="0">everything</option>
                {typeof zoom === "string" && <option value={zoom}>one run</option>}
                <option value="3600000">the last hour</option>
                <option value="600000">the last 10 minutes</option>
                <option value="60000">the last minute</option>
              </select>
            </label>
          </div>
          <section class="panel lanes" aria-label="Sessions over time">
            <div class="axis" aria-hidden="true">
              {[0, 0.25, 0.5, 0.75, 1].map((part) => (
                <span key={part} class={part % 0.5 === 0 ? "" : "between"} style={{ left: `${part * 100}%` }}>
                  {new Date(span.from + part * span.length).toLocaleTimeString("en-GB", clockFor(span))}
                </span>
              ))}
            </div>
            {inView.map(([run, members]) => (
              <div
                key={run}
                class="run-group"
                role="group"
                aria-label={`Run of ${members[0]!.plan_path ?? "a workflow"}`}
              >
                <p class="run-head">
                  <strong>{members[0]!.plan_path ?? "without a plan"}</strong>{" "}
                  <span class="muted">
                    {plural(members.length, "worker")}, {failedIn(members)}
                    {duration(workedIn(members, now))} of work
                  </span>{" "}
                  {runs.length > 1 && (
                    <button
                      type="button"
                      class="quiet"
                      aria-pressed={zoom === run}
                      onClick={() => setZoom(zoom === run ? 0 : run)}
                    >
                      {zoom === run ? "Show everything" : "Zoom to this run"}
                    </button>
                  )}
                </p>
                {members.map((one) => (
                  <Line key={one.session_id} one={one} span={span} now={now} critical={critical} />
                ))}
              </div>
            ))}
          </section>
        </>
      )}
    </div>
  );
}

const SHORT_MS = 600_000;

const clockFor = ({ length }: TimeSpan): Intl.DateTimeFormatOptions => ({
  hour: "2-digit",
  minute: "2-digit",
  ...(length < SHORT_MS ? { second: "2-digit" } : {}),
});

interface TimeSpan {
  readonly from: number;
  readonly length: number;
}

const instantOf = (one: Lifeline, now: number): number => {
  const end = endOf(one);
  return end === null ? now : Date.parse(end);
};

/** Newest run first, as the server has its sessions. */
function runsOf(sessions: readonly Lifeline[]): readonly (readonly [string, readonly Lifeline[]])[] {
  const runs = new Map<string, Lifeline[]>();
  for (const session of sessions) {
    const key = session.run_id ?? session.session_id;
    runs.set(key, [...(runs.get(key) ?? []), session]);
  }
  return [...runs];
}

/** All of it, the last so many milliseconds, or one run. */
function zoomed(
  whole: TimeSpan,
  runs: readonly (readonly [string, readonly Lifeline[]])[],
  zoom: number | string,
  now: number,
): TimeSpan {
  const run = runs.find(([id]) => id === zoom);
  if (run) return spanOf(run[1], now, 1);
  if (typeof zoom === "string" || zoom === 0 || zoom > whole.length) return whole;
  return { from: whole.from + whole.length - zoom, length: zoom };
}

const workedIn = (sessions: readonly Lifeline[], now: number): number =>
  sessions.reduce(
    (sum, session) => sum + session.spans.reduce((all, command) => all + lengthOf(command, session, now), 0),
    0,
  );

function failedIn(sessions: readonly Lifeline[]): string {
  const failed = sessions.reduce(
    (sum, session) => sum + session.spans.filter((command) => toneOf(command, session) === "stopped").length,
    0,
  );
  return failed === 0 ? "" : `${plural(failed, "failed attempt")}, `;
}

const AHEAD = 0.02;

/** A short run is drawn as long as a second, and is beside no other for that. */
const LEAST_MS = 1000;

function spanOf(sessions: readonly Lifeline[], now: number, leastMs = LEAST_MS): TimeSpan {
  const from = Math.min(...sessions.map(({ started_at }) => Date.parse(started_at)));
  const until = Math.max(...sessions.map((one) => instantOf(one, now)), from + leastMs);
  // The line for now is seen only where something is behind it.
  const isRunning = sessions.some((one) => endOf(one) === null);
  return { from, length: (until - from) * (isRunning ? 1 + AHEAD : 1) };
}

const toneOf = (command: Command, session: Lifeline): string =>
  command.outcome === null && cutOffAt(command, session.spans, session) === undefined
    ? "working"
    : command.outcome !== "finished"
      ? "stopped"
      : command.type === "verify"
        ? "verifying"
        : "done";

function Line({
  one,
  span,
  now,
  critical,
}: {
  readonly one: Lifeline;
  readonly span: TimeSpan;
  readonly now: number;
  readonly critical: ReadonlySet<string>;
}) {
  const end = instantOf(one, now);
  const at = (ms: number): string => `${((ms - span.from) / span.length) * 100}%`;
  return (
    <div class="lifeline">
      <div class="lifeline-head">
        <a href={to("sessions", one.session_id)}>{shortPath(one.worktree)}</a>
        <SessionBadge status={one.status} stopped={one.is_stopped ? STOPPED_WORD : null} />
        <span class="muted">{one.agent}</span>
      </div>
      <div class="lifeline-track">
        {one.status === "in_progress" && <span class="now" style={{ left: at(now) }} aria-hidden="true" />}
        <span
          class="life"
          style={{
            left: at(Date.parse(one.started_at)),
            width: `${((Math.max(end, Date.parse(one.started_at)) - Date.parse(one.started_at)) / span.length) * 100}%`,
          }}
        />
        {one.landings.map((landing) => (
          <Landing key={landing.anchor} landing={landing} at={at} span={span} now={now} />
        ))}
        {one.spans.map((command) => (
          <a
            key={command.number}
            class={`span ${toneOf(command, one)} ${critical.has(command.anchor ?? "") ? "critical" : ""}`}
            href={to("sessions", one.session_id, String(command.number))}
            style={{
              left: at(Date.parse(command.started_at)),
              width: `${(lengthOf(command, one, now) / span.length) * 100}%`,
            }}
            title={`${command.anchor ?? ""} ${command.command}: ${duration(lengthOf(command, one, now))}`}
            aria-label={`${command.anchor ?? ""} ${command.command}, ${duration(lengthOf(command, one, now))}`}
          >
            <span>{command.anchor ?? command.command}</span>
          </a>
        ))}
      </div>
    </div>
  );
}

/** From when a step joined those that wait to land to when it landed. */
function Landing({
  landing: { anchor, branch, joined_at, landed_at, commit },
  at,
  span,
  now,
}: {
  readonly landing: Lifeline["landings"][number];
  readonly at: (ms: number) => string;
  readonly span: TimeSpan;
  readonly now: number;
}) {
  const from = Date.parse(joined_at);
  const ms = Math.max((landed_at === null ? now : Date.parse(landed_at)) - from, 0);
  const words =
    commit === null
      ? `${anchor} waits to land on ${branch}: ${duration(ms)}`
      : `${anchor} landed on ${branch} as ${shortHash(commit)} after ${duration(ms)}`;
  return (
    <span
      class={`landing-span ${landed_at === null ? "verifying" : "done"}`}
      role="img"
      aria-label={words}
      title={words}
      style={{ left: at(from), width: `${(ms / span.length) * 100}%` }}
    />
  );
}
