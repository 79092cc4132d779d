import { Choices } from "../parts/act.tsx";
import { SessionBadge, stoppedIn } from "../parts/small.tsx";
import { Ago, Lasted, Took } from "../parts/time.tsx";
import { to } from "../router.ts";
import type { Run, Session } from "../types.ts";
import { plural, reasonWords, shortId, shortPath, usageWords } from "../words.ts";

export const isRunning = ({ status }: Pick<Run, "status">): boolean => status === "in_progress";

/** One run: a plan, those who work on it, and what came of it. */
export const RunCard = ({
  run,
  titles,
  doing,
}: {
  readonly run: Run;
  readonly titles: ReadonlyMap<string, string>;
  /** What each agent said last, by session. */
  readonly doing: ReadonlyMap<string, string>;
}) => (
  <li class={`card run ${isRunning(run) ? "running" : ""}`} data-run={run.run_id}>
    <div class="card-head">
      <RunName run={run} titles={titles} />
      <SessionBadge status={run.status} stopped={stoppedIn(run)} />
    </div>
    {stoppedIn(run) !== null && <p class="warn">{stoppedIn(run)}</p>}
    <p class="where">
      <span class="muted">
        <RunFacts run={run} />
      </span>
      {run.plan_path !== null && <a href={to("timeline", run.plan_path)}>Timeline</a>}
    </p>
    {isRunning(run) ? (
      <ul class="workers">
        {run.sessions.map((session) => (
          <li key={session.id}>
            <a href={to("sessions", session.id)} title={session.worktree}>
              {shortPath(session.worktree).split("/").at(-1) ?? shortId(session.id)}
            </a>
            <NowDoing session={session} line={doing.get(session.id)} />
          </li>
        ))}
      </ul>
    ) : (
      <RunSummary run={run} />
    )}
    <RunChoices run={run} />
  </li>
);

const RunName = ({ run, titles }: { readonly run: Run; readonly titles: ReadonlyMap<string, string> }) =>
  run.plan_path === null ? (
    <strong>{run.workflow ?? "without a plan"}</strong>
  ) : (
    <a href={to("plan", run.plan_path, "board")} class="strong" dir="auto">
      {titles.get(run.plan_path) ?? run.plan_path}
    </a>
  );

/** Who works, since when, and what it cost. */
export const RunFacts = ({
  run,
  withWorkers = true,
}: {
  readonly run: Run;
  /** Not where their number stands beside it. */
  readonly withWorkers?: boolean;
}) => (
  <>
    {run.agent ?? "a worker"}
    {withWorkers && run.sessions.length > 1 && ` · ${plural(run.sessions.length, "worker")}`} · began{" "}
    <Ago at={run.started_at} />
    <Took from={run.started_at} until={run.ended_at} />
    {usageWords(run.usage) && ` · ${usageWords(run.usage)}`}
  </>
);

const RunSummary = ({ run }: { readonly run: Run }) => (
  <p class="summary">
    <span class="done">
      <span class="dot" aria-hidden="true" /> {plural(run.steps_completed, "step")} completed
    </span>
    {run.steps_blocked > 0 && (
      <span class="stopped">
        <span class="dot" aria-hidden="true" /> {run.steps_blocked} blocked
      </span>
    )}
    {run.interruption_type && <span class="warn">{reasonWords(run.interruption_type)}</span>}
  </p>
);

/** What can be done with the whole run. Each worker's session has choices of its own on its page. */
export function RunChoices({ run }: { readonly run: Run }) {
  const first = run.sessions.find(({ resumable }) => resumable) ?? run.sessions[0]!;
  const choices = isRunning(run)
    ? run.here && (run.kind === "run" || run.kind === "improve")
      ? ["stop"]
      : []
    : run.resumable
      ? [...(run.here ? ["resume"] : []), ...(run.sessions.length === 1 ? ["abandon"] : [])]
      : [];
  const name = run.plan_path ?? run.workflow ?? shortId(first.id);
  return choices.length === 0 ? null : (
    <Choices choices={choices} subject={{ session: first.id }} about={`run of ${name}`} />
  );
}

/** What a worker does now, for how long, and what its agent said last. */
function NowDoing({
  session: { at, plan_path },
  line,
}: {
  readonly session: Session;
  readonly line: string | undefined;
}) {
  if (at === null || at.ended_at !== null)
    return <span class="muted wide">waiting for its next command</span>;
  const what = at.anchor ?? null;
  return (
    <>
      <span class="step">
        {what !== null && plan_path !== null && (
          <a href={to("plan", plan_path, "step", what)} title={what}>
            {what}
          </a>
        )}
      </span>
      <span>{at.command}</span>
      <span class="muted">
        <Lasted from={at.started_at} until={null} />
      </span>
      {line !== undefined && (
        <span class="last-line muted" title={line} dir="auto">
          {line}
        </span>
      )}
    </>
  );
}
