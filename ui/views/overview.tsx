import { Icon } from "../parts/icon.tsx";
import { Heading, LaneBar, stoppedIn, Trouble } from "../parts/small.tsx";
import { Ago, useNow } from "../parts/time.tsx";
import { to } from "../router.ts";
import type { News } from "../live.ts";
import type { Findings, Job, Overview as Seen, PlanOverview, Run, Start } from "../types.ts";
import { type Data, useData } from "../use-data.ts";
import { jobWords, LANE_WORDS, plural, standstill, STOPPED_WORD, usageWords } from "../words.ts";
import { useDoing } from "../doing.ts";
import { progressNow } from "../progress.ts";
import { isRunning, RunCard } from "./run-card.tsx";
import { FirstContact, Lists } from "./start.tsx";
import { Train } from "./train.tsx";
import { FindingCards, FindingRow, Proven } from "./findings.tsx";

/** What needs a person, what runs, and how far everything is. */
export function Overview({ seen, found }: { readonly seen: Seen; readonly found: Data<Findings> }) {
  const { plans, runs, jobs } = seen;
  const running = runs.filter(isRunning);
  const ended = runs.filter((run) => !isRunning(run) && !run.resumable);
  const doing = useDoing(running.length > 0);
  const start = useData<Start>("/api/start", {}, (news) => news.kind === "plans" || isReading(news));
  const isEmpty = plans.length === 0;
  const unverified = new Map(seen.not_verified.map(({ plan_path, steps }) => [plan_path, steps]));
  return (
    <div class="view overview">
      <Heading title={seen.repository} about={<Summary seen={seen} />} />
      {isEmpty && <FirstContact start={start.data} />}
      <Needs found={found} runs={runs} />
      <section aria-labelledby="running">
        <h2 id="running">Running now</h2>
        {running.length === 0 ? (
          <p class="muted">
            No agent is running. <code>pawl run</code> or Run on a plan starts one.
          </p>
        ) : (
          <ul class="cards">
            {running.map((run) => (
              <RunCard key={run.run_id} run={run} titles={titlesOf(plans)} doing={doing} />
            ))}
          </ul>
        )}
        <JobList jobs={jobs} />
      </section>
      <Train places={seen.train} />
      <section aria-labelledby="plans">
        <h2 id="plans">Plans</h2>
        <ul class="cards plans">
          {plans.map((plan) => (
            <PlanCard key={plan.plan_path} plan={plan} unverified={unverified.get(plan.plan_path) ?? 0} />
          ))}
          <Lists start={start.data} isFirst={isEmpty} />
        </ul>
      </section>
      {ended.length > 0 && (
        <section aria-labelledby="ended">
          <h2 id="ended">Ended last</h2>
          <ul class="cards">
            {ended.map((run) => (
              <RunCard key={run.run_id} run={run} titles={titlesOf(plans)} doing={doing} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

const MOST = 50;

const titlesOf = (plans: readonly PlanOverview[]): ReadonlyMap<string, string> =>
  new Map(plans.map(({ plan_path, phase_title }) => [plan_path, phase_title ?? plan_path]));

/** What may have given a plan its state, so that it is none to begin with any more. */
const isReading = (news: News): boolean => news.kind === "journal" && news.event.event === "saved";

/** One line that says how far everything is. */
function Summary({ seen: { plans, runs, progress } }: { readonly seen: Seen }) {
  const now = useNow();
  if (plans.length === 0) return <>no plan read yet</>;
  const begun = runs.filter(isRunning);
  const stopped = begun.filter((run) => stoppedIn(run) !== null).length;
  const running = begun.length - stopped;
  const words = [
    ...progressNow(progress, now),
    ...(running > 0 || stopped === 0
      ? [running === 0 ? "nothing running" : plural(running, "active run")]
      : []),
    ...(stopped === 0 ? [] : [`${plural(stopped, "run")} ${STOPPED_WORD}`]),
  ];
  return <span class="progress-line">{words.join(" · ")}</span>;
}

/** What waits for a person: the same findings as `recover`, `explain`, `status` and agents have. */
function Needs({
  found: { data: found, error },
  runs,
}: {
  readonly found: Data<Findings>;
  readonly runs: readonly Run[];
}) {
  const of = (weight: string) => found?.findings.filter((one) => one.weight === weight) ?? [];
  const decisions = of("decide");
  const known = of("know");
  const count = found?.counts.decide ?? 0;
  return (
    <section aria-labelledby="needs" aria-busy={found === undefined && error === undefined}>
      <h2 id="needs">Needs you {count > 0 && <span class="count stopped">{count}</span>}</h2>
      {count > 0 && (
        <ul class="cards attention">
          <FindingCards findings={decisions.slice(0, MOST)} runs={runs} />
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

/** Only after a look may the page say that there is nothing. */
const Quiet = ({ isKnown, count }: { readonly isKnown: boolean; readonly count: number }) =>
  !isKnown ? (
    <p class="looking muted">
      <span class="dot" aria-hidden="true" /> Checking for findings…
    </p>
  ) : count === 0 ? (
    <p class="all-well">
      <Icon name="check" /> Nothing waits for a person.
    </p>
  ) : null;

const LANES = ["verifying", "working", "ready", "waiting"] as const;

const PlanCard = ({ plan, unverified }: { readonly plan: PlanOverview; readonly unverified: number }) => (
  <li class="card plan">
    <div class="card-head">
      <a href={to("plan", plan.plan_path, "board")} class="strong" dir="auto">
        {plan.phase_title ?? plan.plan_path}
      </a>
      <span class="numbers">
        {plan.steps_completed.toLocaleString("en")}/{plan.steps_total.toLocaleString("en")}
        {usageWords(plan.usage) && ` · ${usageWords(plan.usage)}`}
      </span>
    </div>
    <LaneBar plan={plan} />
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
      {standstill(plan).map((words) => (
        <span key={words} class="stopped">
          <span class="dot" aria-hidden="true" /> {words}
        </span>
      ))}
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
