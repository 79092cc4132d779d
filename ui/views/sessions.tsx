import { endOf } from "../cut-off.ts";
import { Choices } from "../parts/act.tsx";
import { Empty, Heading, Loading, SessionBadge, Trouble } from "../parts/small.tsx";
import { Ago, Took, Until } from "../parts/time.tsx";
import { to } from "../router.ts";
import type { Session } from "../types.ts";
import { useData } from "../use-data.ts";
import { plural, shortId, reasonWords, shortPath } from "../words.ts";

/** Runs of agents: those that run, those to resume, those that are over. */
export function Sessions() {
  const { data, error } = useData<{ readonly sessions: readonly Session[] }>("/api/sessions", { most: 200 });
  if (error && !data) return <Trouble error={error} />;
  if (!data) return <Loading lines={8} />;
  const { sessions } = data;
  const running = sessions.filter(({ status }) => status === "in_progress").length;
  return (
    <div class="view sessions">
      <Heading title="Sessions" about={`${plural(sessions.length, "session")}, ${running} running`} />
      {sessions.length === 0 ? (
        <Empty icon="sessions" title="No agent has worked here yet">
          <p>
            <code>pawl run plan.md --agent claude</code> starts one; it shows here at once.
          </p>
        </Empty>
      ) : (
        <ul class="table session-table">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
    </div>
  );
}

const SessionRow = ({ session }: { readonly session: Session }) => (
  <li data-session={session.id}>
    <SessionBadge status={session.status} />
    <a class="strong" href={to("sessions", session.id)} title={session.id}>
      {shortId(session.id)}
    </a>
    <span class="place">
      {session.at?.anchor ?? (session.at ? `iteration` : "")}{" "}
      {session.at && <span class="muted">{session.at.command}</span>}
    </span>
    <span class="muted path" title={session.worktree}>
      {session.plan_path ?? shortPath(session.worktree)}
    </span>
    <span class="muted">
      {session.agent && `${session.agent} · `}
      <Ago at={session.started_at} />
      <Took from={session.started_at} until={endOf(session)} />
    </span>
    <span class="row-end">
      {session.interruption_type && <span class="warn">{reasonWords(session.interruption_type)}</span>}
      {session.paused_until && <Until at={session.paused_until} over="limit over" />}
      {session.resumable && (
        <Choices
          choices={session.here ? ["resume", "abandon"] : ["abandon"]}
          subject={{ session: session.id }}
          about={session.id}
        />
      )}
    </span>
  </li>
);
