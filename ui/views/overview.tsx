import { openAction } from "../parts/act.tsx";
import { Icon } from "../parts/icon.tsx";
import { Empty, Heading, LaneBar, Trouble } from "../parts/small.tsx";
import { Ago } from "../parts/time.tsx";
import { to } from "../router.ts";
import type { Findings, Job, Overview as Seen, PlanGlance } from "../types.ts";
import type { Data } from "../use-data.ts";
import { jobWords, LANE_WORDS, plural } from "../words.ts";
import { RunCard, runsOf } from "./run-card.tsx";
import { Train } from "./train.tsx";
import { FindingCards, FindingRow, Proven } from "./findings.tsx";

/** What needs a person, what runs, and how far everything is. */
export function Overview({ seen, found }: { readonly seen: Seen; readonly found: Data<Findings> }) {
  const { plans, sessions, unread, jobs, read_only } = seen;
  const unverified = new Map(seen.not_verified.map(({ plan_path, steps }) => [plan_path, steps]));
  return (
    <div class="view overview">
      <Heading title={seen.repository} about={summaryOf(seen)} />
      <Needs found={found} />
      <section aria-labelledby="running">
        <h2 id="running">Running now</h2>
        {sessions.length === 0 ? (
          <p class="muted">
            No agent is at work. <code>pawl run</code> starts one, and so does Run on a plan.
          </p>
        ) : (
          <ul class="cards">
            {runsOf(sessions).map((run) => (
              <RunCard key={run.key} run={run} titles={titlesOf(plans)} />
            ))}
          </ul>
        )}
        <JobList jobs={jobs} />
      </section>
      <Train places={seen.train} />
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
              <PlanCard key={plan.plan_path} plan={plan} unverified={unverified.get(plan.plan_path) ?? 0} />
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

const titlesOf = (plans: readonly PlanGlance[]): ReadonlyMap<string, string> =>
  new Map(plans.map(({ plan_path, phase_title }) => [plan_path, phase_title ?? plan_path]));

function summaryOf({ plans, sessions }: Seen): string {
  const done = plans.reduce((sum, plan) => sum + plan.steps_completed, 0);
  const total = plans.reduce((sum, plan) => sum + plan.steps_total, 0);
  const runs = runsOf(sessions).length;
  return [
    ...(plans.length === 0
      ? ["no plan read yet"]
      : [plural(plans.length, "plan"), `${done.toLocaleString("en")} of ${plural(total, "step")} done`]),
    runs === 0 ? "nothing running" : `${plural(runs, "run")} running`,
  ].join(", ");
}

/** What waits for a person: the same findings as `recover`, `explain`, `status` and agents have. */
function Needs({ found: { data: found, error } }: { readonly found: Data<Findings> }) {
  const of = (weight: string) => found?.findings.filter((one) => one.weight === weight) ?? [];
  const decisions = of("decide");
  const known = of("know");
  const count = found?.counts.decide ?? 0;
  return (
    <section aria-labelledby="needs" aria-busy={found === undefined && error === undefined}>
      <h2 id="needs">Needs you {count > 0 && <span class="count stopped">{count}</span>}</h2>
      {count > 0 && (
        <ul class="cards attention">
          <FindingCards findings={decisions.slice(0, MOST)} />
        </ul>
      )}
      {decisions.length > MOST && <p class="muted">and {decisions.length - MOST} more.</p>}
      {error && !found ? <Trouble error={error} /> : <Quiet isKnown={found !== undefined} count={count} />}
      {found && <Proven findings={of("proven")} count={found.counts.proven} />}
      {known.length > 0 && (
        <ul class="table known">
          {known.slice(0, MOST).map((finding) => (
            <FindingRow key={`${finding.rule} ${finding.subject}`} finding={finding} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Only whoever has looked may say that there is nothing. */
const Quiet = ({ isKnown, count }: { readonly isKnown: boolean; readonly count: number }) =>
  !isKnown ? (
    <p class="looking muted">
      <span class="dot" aria-hidden="true" /> Looking for what was left…
    </p>
  ) : count === 0 ? (
    <p class="all-well">
      <Icon name="check" /> Nothing waits for a person.
    </p>
  ) : null;

const LANES = ["stopped", "verifying", "working", "ready", "waiting"] as const;

const PlanCard = ({ plan, unverified }: { readonly plan: PlanGlance; readonly unverified: number }) => (
  <li class="card plan">
    <div class="card-head">
      <a href={to("plan", plan.plan_path, "board")} class="strong" dir="auto">
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
      {plan.steps_total > 0 && plan.lanes.done === plan.steps_total && (
        <span class="done">
          <span class="dot" aria-hidden="true" /> all done
        </span>
      )}
      {unverified > 0 && (
        <span>{unverified === plan.lanes.done ? "" : `${unverified.toLocaleString("en")} `}not verified</span>
      )}
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
              {jobWords(job.action)}
              <span class="path">{job.subject}</span>
            </span>
            <span class="muted">
              {job.state === "running" ? "running, " : `${job.state}, `}
              <Ago at={job.started_at} />
            </span>
            {job.answer?.data?.repaired?.map(({ outcome }) => (
              <p key={outcome} class="muted">
                {outcome}
              </p>
            ))}
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
