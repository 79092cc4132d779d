import { Choices, openAction } from "../parts/act.tsx";
import { Icon } from "../parts/icon.tsx";
import { Empty, Heading, LaneBar, SessionBadge } from "../parts/small.tsx";
import { Ago, Lasted } from "../parts/time.tsx";
import { to } from "../router.ts";
import type { Attention, Job, Overview as Seen, PlanGlance, Session } from "../types.ts";
import { ACTION_WORDS, LANE_WORDS, plural, shortId, shortPath } from "../words.ts";

/** What needs a person, what runs, and how far everything is. */
export function Overview({ seen }: { readonly seen: Seen }) {
  const { plans, attention, sessions, unread, jobs, read_only } = seen;
  const decisions = attention.filter(({ weight }) => weight === "decide");
  const known = attention.filter(({ weight }) => weight === "know");
  return (
    <div class="view overview">
      <Heading title={seen.repository} about={summaryOf(seen)} />
      <section aria-labelledby="needs">
        <h2 id="needs">
          Needs you {decisions.length > 0 && <span class="count stopped">{decisions.length}</span>}
        </h2>
        {decisions.length === 0 ? (
          <p class="all-well">
            <Icon name="check" /> Nothing waits for a person.
          </p>
        ) : (
          <ul class="cards attention">
            {decisions.slice(0, MOST).map((one) => (
              <AttentionCard key={one.id} one={one} />
            ))}
          </ul>
        )}
        {decisions.length > MOST && <p class="muted">and {decisions.length - MOST} more.</p>}
        {known.length > 0 && (
          <ul class="table known">
            {known.slice(0, MOST).map((one) => (
              <KnownRow key={one.id} one={one} />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="running">
        <h2 id="running">Running now</h2>
        {sessions.length === 0 ? (
          <p class="muted">No agent is at work.</p>
        ) : (
          <ul class="cards">
            {sessions.map((session) => (
              <RunningCard key={session.id} session={session} />
            ))}
          </ul>
        )}
        <JobList jobs={jobs} />
      </section>
      <section aria-labelledby="plans">
        <h2 id="plans">Plans</h2>
        {plans.length + unread.length === 0 ? (
          <Empty icon="journal" title="There is no plan here yet">
            <p>
              <code>pawl plan new my-plan</code> writes a skeleton; any Markdown file with checkboxes will do,
              too.
            </p>
          </Empty>
        ) : (
          <ul class="cards plans">
            {plans.map((plan) => (
              <PlanCard key={plan.plan_path} plan={plan} />
            ))}
            {unread.map((path) => (
              <li key={path} class="card unread">
                <strong class="path">{path}</strong>
                <span class="muted">It has no state yet.</span>
                {!read_only && (
                  <button type="button" onClick={() => openAction("read", { plan: path })}>
                    Read this plan
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

const MOST = 50;

function summaryOf({ plans, sessions }: Seen): string {
  const done = plans.reduce((sum, plan) => sum + plan.steps_completed, 0);
  const total = plans.reduce((sum, plan) => sum + plan.steps_total, 0);
  return `${plural(plans.length, "plan")}, ${done.toLocaleString("en")} of ${plural(total, "step")} done, ${plural(sessions.length, "session")} running`;
}

const subjectOf = ({ rule, session_id, plan_path, anchor }: Attention) =>
  rule === "interrupted-session" || rule === "paused-by-limit"
    ? { session: session_id }
    : { plan: plan_path, step: anchor };

/** What one may want to know, and act on, but need not. */
const KnownRow = ({ one }: { readonly one: Attention }) => (
  <li data-rule={one.rule}>
    <span>
      <span class="strong">{one.title}</span> <span class="muted">{one.because}</span>
    </span>
    {one.plan_path && one.anchor && (
      <a href={to("plan", one.plan_path, "step", one.anchor)}>
        {one.plan_path} · {one.anchor}
      </a>
    )}
    <Choices choices={one.choices} about={one.anchor ?? one.title} subject={subjectOf(one)} isCalm />
  </li>
);

const AttentionCard = ({ one }: { readonly one: Attention }) => (
  <li class={`card ${one.weight}`} data-rule={one.rule}>
    <div class="card-head">
      <strong>{one.title}</strong>
      <span class="muted">
        <Ago at={one.at} />
      </span>
    </div>
    <p class="because">{one.because}</p>
    <p class="where">
      {one.plan_path && one.anchor && (
        <a href={to("plan", one.plan_path, "step", one.anchor)}>
          {one.plan_path} · {one.anchor}
        </a>
      )}
      {one.session_id && one.rule.includes("session") && (
        <a href={to("sessions", one.session_id)}>{shortId(one.session_id)}</a>
      )}
    </p>
    <Choices
      choices={one.choices}
      about={one.anchor ?? one.session_id ?? one.title}
      subject={subjectOf(one)}
    />
  </li>
);

const RunningCard = ({ session }: { readonly session: Session }) => (
  <li class="card running">
    <div class="card-head">
      <a href={to("sessions", session.id)} class="strong">
        {session.at?.anchor ?? shortId(session.id)}
      </a>
      <SessionBadge status={session.status} />
    </div>
    <p class="because">
      {session.agent ?? "a worker"}
      {session.at && ` · ${session.at.command} · `}
      {session.at && <Lasted from={session.at.started_at} until={session.at.ended_at} />}
    </p>
    <p class="where">
      {session.plan_path && <a href={to("plan", session.plan_path, "board")}>{session.plan_path}</a>}
      <span class="muted" title={session.worktree}>
        {shortPath(session.worktree)}
      </span>
    </p>
  </li>
);

const LANES = ["stopped", "verifying", "working", "ready", "waiting"] as const;

const PlanCard = ({ plan }: { readonly plan: PlanGlance }) => (
  <li class="card plan">
    <div class="card-head">
      <a href={to("plan", plan.plan_path, "board")} class="strong">
        {plan.phase_title ?? plan.plan_path}
      </a>
      <span class="numbers">
        {plan.steps_completed.toLocaleString("en")}/{plan.steps_total.toLocaleString("en")}
      </span>
    </div>
    <LaneBar lanes={plan.lanes} total={plan.steps_total} />
    <p class="where">
      <span class="path muted">{plan.plan_path}</span>
      {plan.file_missing && <span class="warn">its file is gone</span>}
      <span class="muted">
        <Ago at={plan.updated_at} />
      </span>
    </p>
    <p class="lane-counts">
      {LANES.filter((lane) => plan.lanes[lane] > 0).map((lane) => (
        <span key={lane} class={lane}>
          <span class="dot" aria-hidden="true" /> {plan.lanes[lane].toLocaleString("en")}{" "}
          {LANE_WORDS[lane].toLowerCase()}
        </span>
      ))}
    </p>
  </li>
);

/** Commands that were started here; those that failed say why. */
const JobList = ({ jobs }: { readonly jobs: readonly Job[] }) =>
  jobs.length === 0 ? null : (
    <details class="jobs" open={jobs.some(({ state }) => state === "running")}>
      <summary>Started from this page ({jobs.length})</summary>
      <ul>
        {jobs.slice(0, 10).map((job) => (
          <li key={job.id} class={job.state}>
            <span>
              {ACTION_WORDS[job.action] ?? job.action} <span class="path">{job.subject}</span>
            </span>
            <span class="muted">
              {job.state === "running" ? "running, " : `${job.state}, `}
              <Ago at={job.started_at} />
            </span>
            {job.answer?.issues?.map((issue) => (
              <p key={issue.code} class="warn">
                {issue.code} {issue.message} {issue.hint}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
