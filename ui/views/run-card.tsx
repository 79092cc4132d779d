import { SessionBadge } from "../parts/small.tsx";
import { Ago, Lasted } from "../parts/time.tsx";
import { to } from "../router.ts";
import type { Session } from "../types.ts";
import { plural, shortId, shortPath } from "../words.ts";

/** One run: a plan and those who work on it. */
export interface Run {
  readonly key: string;
  readonly sessions: readonly [Session, ...Session[]];
}

const BY_NUMBER = new Intl.Collator("en", { numeric: true });

/** Each worker has a session of its own; people started one run. */
export function runsOf(sessions: readonly Session[]): readonly Run[] {
  const runs = new Map<string, [Session, ...Session[]]>();
  for (const session of sessions) {
    const key = session.run_id ?? session.id;
    const known = runs.get(key);
    if (known) known.push(session);
    else runs.set(key, [session]);
  }
  return [...runs].map(([key, members]) => ({
    key,
    // Workers keep their places, whatever they do; the tenth comes after the ninth.
    sessions: members.toSorted((a, b) =>
      BY_NUMBER.compare(a.worktree, b.worktree),
    ) as unknown as Run["sessions"],
  }));
}

export const RunCard = ({
  run,
  titles,
}: {
  readonly run: Run;
  readonly titles: ReadonlyMap<string, string>;
}) => {
  const [first, ...others] = run.sessions;
  const { plan_path } = first;
  const name =
    plan_path === null ? (first.workflow ?? "without a plan") : (titles.get(plan_path) ?? plan_path);
  return (
    <li class="card running" data-run={run.key}>
      <div class="card-head">
        {plan_path === null ? (
          <strong>{name}</strong>
        ) : (
          <a href={to("plan", plan_path, "board")} class="strong" dir="auto">
            {name}
          </a>
        )}
        <SessionBadge status={first.status} />
      </div>
      <p class="where">
        <span class="muted">
          {first.agent ?? "a worker"}
          {others.length > 0 && ` · ${plural(run.sessions.length, "worker")}`} · began{" "}
          <Ago at={first.started_at} />
        </span>
        {plan_path !== null && <a href={to("timeline", plan_path)}>Timeline</a>}
      </p>
      <ul class="workers">
        {run.sessions.map((session) => (
          <li key={session.id}>
            <a href={to("sessions", session.id)} title={session.worktree}>
              {shortPath(session.worktree).split("/").at(-1) ?? shortId(session.id)}
            </a>
            <Doing session={session} />
          </li>
        ))}
      </ul>
    </li>
  );
};

/** What a worker does now, and for how long. */
function Doing({ session: { at, plan_path } }: { readonly session: Session }) {
  if (at === null || at.ended_at !== null) return <span class="muted wide">between two commands</span>;
  const what = at.anchor ?? null;
  return (
    <>
      <span>
        {what !== null && plan_path !== null && <a href={to("plan", plan_path, "step", what)}>{what}</a>}
      </span>
      <span>{at.command}</span>
      <span class="muted">
        <Lasted from={at.started_at} until={null} />
      </span>
    </>
  );
}
