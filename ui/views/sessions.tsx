import { useEffect, useState } from "preact/hooks";
import { endOf } from "../cut-off.ts";
import { Icon } from "../parts/icon.tsx";
import { Empty, Heading, Loading, SessionBadge, stoppedIn, Trouble } from "../parts/small.tsx";
import { Ago, Took, Until } from "../parts/time.tsx";
import { to } from "../router.ts";
import type { Run, Session } from "../types.ts";
import { useData } from "../use-data.ts";
import { plural, reasonWords, shortId, shortPath, usageWords } from "../words.ts";
import { isRunning, RunChoices, RunFacts } from "./run-card.tsx";

/** Runs of agents, each with its workers folded below: those that run, those to resume, those that are over. */
export function Sessions() {
  const { data, error } = useData<{ readonly runs: readonly Run[] }>("/api/runs", { most: 200 });
  const [text, setText] = useState("");
  const [wanted, setWanted] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setWanted(text.trim().length < 2 ? "" : text.trim()), 400);
    return () => clearTimeout(timer);
  }, [text]);
  if (error && !data) return <Trouble error={error} />;
  if (!data) return <Loading lines={8} />;
  const { runs } = data;
  const sessions = runs.reduce((sum, run) => sum + run.sessions.length, 0);
  return (
    <div class="view sessions">
      <Heading
        title="Sessions"
        about={`${plural(runs.length, "run")}, ${plural(sessions, "session")}, ${runs.filter((run) => isRunning(run) && stoppedIn(run) === null).length} running`}
      >
        <label class="filter">
          <Icon name="search" />
          <input
            type="search"
            placeholder="Search all logs"
            aria-label="Search all logs"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
      </Heading>
      {wanted !== "" ? (
        <FoundInLogs find={wanted} />
      ) : runs.length === 0 ? (
        <Empty icon="sessions" title="No agent has worked here yet">
          <p>
            <code>pawl run plan.md --agent claude</code> starts one; it shows here at once.
          </p>
        </Empty>
      ) : (
        <ul class="table session-table">
          {runs.map((run) =>
            run.sessions.length === 1 ? (
              <SessionRow key={run.run_id} session={run.sessions[0]!} run={run} />
            ) : (
              <RunRow key={run.run_id} run={run} />
            ),
          )}
        </ul>
      )}
    </div>
  );
}

interface Found {
  readonly matches: readonly {
    readonly session_id: string;
    readonly plan_path: string | null;
    readonly anchor: string | null;
    readonly command: number;
    readonly started_at: string;
    readonly kind: string;
    readonly line: string;
  }[];
  readonly is_more: boolean;
}

/** Where agents said or did something, over all sessions; a click opens the transcript there. */
function FoundInLogs({ find }: { readonly find: string }) {
  const { data, error } = useData<Found>("/api/search", { find }, () => false);
  if (error) return <Trouble error={error} />;
  if (!data) return <Loading lines={6} />;
  if (data.matches.length === 0)
    return (
      <Empty icon="search" title="No log has this text">
        <p>The logs of all sessions were searched.</p>
      </Empty>
    );
  return (
    <>
      <ul class="table found">
        {data.matches.map((match, index) => (
          <li key={index}>
            <a href={to("sessions", match.session_id, String(match.command), find)}>
              {match.anchor ?? shortId(match.session_id)}
            </a>
            <code dir="auto">{match.line}</code>
            <span class="muted">
              {match.plan_path} · <Ago at={match.started_at} />
            </span>
          </li>
        ))}
      </ul>
      {data.is_more && <p class="muted">There are more; these are the newest.</p>}
    </>
  );
}

/** A run of several workers is one row; a click unfolds them. */
function RunRow({ run }: { readonly run: Run }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <li class="run-row" data-run={run.run_id}>
        <SessionBadge status={run.status} stopped={stoppedIn(run)} />
        <button type="button" class="quiet fold" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {plural(run.sessions.length, "worker")}
        </button>
        <span class="place">
          {run.sessions
            .flatMap(({ status, at }) => (status === "in_progress" && at?.ended_at ? [] : (at?.anchor ?? [])))
            .slice(0, 3)
            .join(", ")}
        </span>
        <span class="muted path">{run.plan_path ?? run.workflow}</span>
        <span class="muted">
          <RunFacts run={run} withWorkers={false} />
        </span>
        <span class="row-end">
          {run.interruption_type && !isRunning(run) && (
            <span class="warn">{reasonWords(run.interruption_type)}</span>
          )}
          {run.paused_until && <Until at={run.paused_until} over="limit over" />}
          <RunChoices run={run} />
        </span>
      </li>
      {isOpen && run.sessions.map((session) => <SessionRow key={session.id} session={session} isWorker />)}
    </>
  );
}

const SessionRow = ({
  session,
  run,
  isWorker = false,
}: {
  readonly session: Session;
  readonly run?: Run;
  readonly isWorker?: boolean;
}) => (
  <li data-session={session.id} data-run={run?.run_id} class={isWorker ? "worker-row" : ""}>
    <SessionBadge status={session.status} stopped={session.stopped} />
    <a class="strong" href={to("sessions", session.id)} title={session.id}>
      {shortId(session.id)}
    </a>
    <span class="place">
      {session.at?.anchor ?? (session.at ? `iteration` : "")}{" "}
      {session.at && <span class="muted">{session.at.command}</span>}
    </span>
    <span class="muted path" title={session.worktree}>
      {isWorker ? shortPath(session.worktree) : (session.plan_path ?? shortPath(session.worktree))}
    </span>
    <span class="muted">
      {session.agent && `${session.agent} · `}
      <Ago at={session.started_at} />
      <Took from={session.started_at} until={endOf(session)} />
      {usageWords(session.usage) && ` · ${usageWords(session.usage)}`}
    </span>
    <span class="row-end">
      {session.interruption_type && <span class="warn">{reasonWords(session.interruption_type)}</span>}
      {session.paused_until && <Until at={session.paused_until} over="limit over" />}
      {run && <RunChoices run={run} />}
    </span>
  </li>
);
