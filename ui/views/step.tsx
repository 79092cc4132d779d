import { Choices } from "../parts/act.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { FilePath } from "../parts/file-path.tsx";
import { Icon } from "../parts/icon.tsx";
import { ItemBox } from "../parts/item.tsx";
import { Prose } from "../parts/prose.tsx";
import { Badge, Heading, Loading, NotVerified, StepBadge, Trouble, Unknown } from "../parts/small.tsx";
import { Ago, Took, Until } from "../parts/time.tsx";
import { to } from "../router.ts";
import type { StepPage } from "../types.ts";
import { useData } from "../use-data.ts";
import { duration, inWords, plural, shortHash, shortId, shortPath, spaced, usageWords } from "../words.ts";
import { ChangesOf } from "./changes.tsx";
import { Conflict } from "./conflict.tsx";
import { Near } from "./step-near.tsx";
import { EventLine } from "./event-line.tsx";
import { Landing } from "./step-landing.tsx";
import { LastWords, LateResults, Snapshots } from "./step-kept.tsx";
import { Refusals } from "./step-refusals.tsx";

/** One step: where it stands and why, what was tried, what was found. */
export function Step({ plan, anchor }: { readonly plan: string; readonly anchor: string }) {
  const { data, error } = useData<StepPage>(
    "/api/step",
    { plan, step: anchor },
    (news) => news.kind === "journal" && news.event.plan_path === plan,
  );
  if (error && !data)
    return error.status === 404 ? <NoStep plan={plan} anchor={anchor} /> : <Trouble error={error} />;
  if (!data) return <Loading lines={8} />;
  return (
    <div class="view step">
      <nav class="crumbs" aria-label="Where you are">
        <a href={to("plan", plan, "board")}>{plan}</a> <Icon name="arrow" /> <span>{anchor}</span>{" "}
        <CopyButton text={anchor} what="the anchor" />
      </nav>
      <Heading
        title={data.step.title}
        about={
          <>
            <StepBadge step={data.step} /> <NotVerified step={data.step} />{" "}
            {usageWords(data.usage) && <span class="muted">{usageWords(data.usage)}</span>}
          </>
        }
      >
        <Choices
          choices={data.choices}
          subject={{ plan, step: anchor }}
          about={anchor}
          // Its worker continues without a person.
          isCalm={data.step.lane === "working"}
        />
      </Heading>
      <div class="columns">
        <div>
          <Why data={data} />
          {data.step.block_reason === "merge_conflict" && <Conflict plan={plan} anchor={anchor} />}
          <Items data={data} />
          <Attempts data={data} />
          <Commands data={data} />
          <LateResults data={data} />
          <Snapshots data={data} />
          {data.commit_hash && (
            <ChangesOf
              params={{ commit: data.commit_hash }}
              label={`Commit ${shortHash(data.commit_hash)}`}
            />
          )}
          <Text data={data} />
        </div>
        <Side data={data} />
      </div>
    </div>
  );
}

const NoStep = ({ plan, anchor }: { readonly plan: string; readonly anchor: string }) => (
  <Unknown
    title="There is no such step"
    about={
      <>
        <code>{anchor}</code> in <code>{plan}</code>
      </>
    }
  >
    <a class="button" href={to("plan", plan, "list")}>
      Steps of the plan
    </a>
    <a class="button" href={to()}>
      All plans
    </a>
  </Unknown>
);

const Why = ({ data }: { readonly data: StepPage }) => (
  <section class={`panel why ${data.step.lane}`} aria-label="Why it is where it is">
    <p class="because" title={data.explanation.because}>
      {inWords(data.explanation.because)}
    </p>
    <p class="next">
      <strong>Next:</strong> {data.explanation.next}
    </p>
    <LastWords data={data} />
    {data.step.forced && <p class="warn">Completed by force: {data.complete_reason}</p>}
    {data.explanation.evidence.length > 0 && (
      <ul class="evidence-list">
        {data.explanation.evidence.map(({ at, fact }) => (
          <li key={fact}>
            <span title={fact}>{inWords(fact)}</span> <span class="muted">{at && <Ago at={at} />}</span>
          </li>
        ))}
      </ul>
    )}
  </section>
);

const KINDS = [
  ["task", "Tasks"],
  ["test", "Tests"],
  ["checkpoint", "Checkpoints"],
] as const;

function Items({ data }: { readonly data: StepPage }) {
  if (data.items.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="items">
      <h2 id="items">Checklist</h2>
      {KINDS.map(([kind, title]) => {
        const items = data.items.filter((item) => item.kind === kind);
        return items.length === 0 ? null : (
          <div key={kind}>
            <h3>{title}</h3>
            <ul class="items">
              {items.map((item) => (
                <li key={`${item.anchor} ${item.ordinal}`} class={item.status}>
                  <ItemBox status={item.status} />
                  <span dir="auto">
                    {item.text}
                    {item.anchor !== data.anchor && <span class="muted"> {item.anchor}</span>}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </section>
  );
}

const WHERE = { clean: "clean checkout of tree", "in-place": "in place, tree" } as const;

const LANE_OF_OUTCOME = { passed: "done", failed: "stopped", timed_out: "stopped" } as const;

function Attempts({ data }: { readonly data: StepPage }) {
  if (data.attempts.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="attempts">
      <h2 id="attempts">Verification</h2>
      <ol class="attempts">
        {data.attempts.toReversed().map((attempt) => (
          <li key={attempt.number}>
            <div class="card-head">
              <span>
                Attempt {attempt.number}{" "}
                <Badge lane={LANE_OF_OUTCOME[attempt.outcome as "passed"] ?? "verifying"}>
                  {spaced(attempt.outcome ?? "not ended")}
                </Badge>
              </span>
              <span class="muted">
                <Ago at={attempt.started_at} />
              </span>
            </div>
            {attempt.because && <p>{attempt.because}</p>}
            {attempt.evidence.map((one, index) => (
              <details key={index} open={one.outcome !== "passed"}>
                <summary>
                  <code>{one.checked}</code> {spaced(one.outcome)}
                  {` (${one.exit_code === null ? "" : `exit ${one.exit_code}, `}${duration(one.duration_ms)})`}
                  {one.where !== undefined && `, ${WHERE[one.where]} ${one.tree.slice(0, 12)}`}
                </summary>
                {one.beside?.map((line) => (
                  <p key={line}>Not in the tree: {line}</p>
                ))}
                {one.output !== "" && <pre>{one.output}</pre>}
              </details>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Commands({ data }: { readonly data: StepPage }) {
  if (data.commands.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="commands">
      <h2 id="commands">What agents did</h2>
      <Refusals data={data} />
      <ul class="rows">
        {data.commands.toReversed().map((command) => (
          <li key={`${command.session_id} ${command.number}`}>
            <a href={to("sessions", command.session_id ?? "", String(command.number))}>{command.command}</a>
            <span>
              {command.outcome ? spaced(command.outcome) : command.cut_off_at ? "cut off" : "running"}
            </span>
            {(command.files_modified?.length ?? 0) > 0 && command.files_modified && (
              <span class="muted">{plural(command.files_modified.length, "file")} changed</span>
            )}
            <span class="muted">
              began <Ago at={command.started_at} />
              <Took from={command.started_at} until={command.ended_at ?? command.cut_off_at ?? null} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the server does not read beside everything else is asked for apart, once, and anew when the file is another. */
function LongPlanText({ plan, step }: { readonly plan: string; readonly step: string }) {
  const { data, error } = useData<{ readonly text: string | null }>(
    "/api/text",
    { plan, step },
    (news) => news.kind === "file" && news.planPath === plan,
  );
  if (error) return <Trouble error={error} />;
  if (!data) return <Loading lines={2} />;
  return data.text === null ? <p class="muted">The file says nothing more.</p> : <Prose text={data.text} />;
}

const Text = ({ data }: { readonly data: StepPage }) => (
  <section class="panel" aria-labelledby="text">
    <h2 id="text">In the plan</h2>
    {data.text === null ? (
      <LongPlanText plan={data.plan_path} step={data.anchor} />
    ) : (
      <Prose text={data.text} />
    )}
    {data.artifacts.map((artifact) => (
      <details key={artifact.artifact_id}>
        <summary>
          {spaced(artifact.kind)}: {artifact.summary} <Ago at={artifact.recorded_at} />
        </summary>
        {artifact.content && <pre>{artifact.content}</pre>}
      </details>
    ))}
  </section>
);

function Side({ data }: { readonly data: StepPage }) {
  const { step } = data;
  return (
    <aside class="side" aria-label="About this step">
      {step.claimed_by && step.lane !== "done" && (
        <section class="panel">
          <h2>Held by</h2>
          <p>
            <FilePath path={step.claimed_by}>{shortPath(step.claimed_by)}</FilePath>
          </p>
          <p class="muted">
            claim {step.claim}
            {step.interrupted_at !== null ? (
              <>
                {" "}
                · interrupted <Ago at={step.interrupted_at} />
              </>
            ) : (
              step.lease_expires_at && (
                <>
                  {" "}
                  · <Until at={step.lease_expires_at} over="lease over" />
                </>
              )
            )}
          </p>
          {step.session_id && <a href={to("sessions", step.session_id)}>{shortId(step.session_id)}</a>}
        </section>
      )}
      <Landing step={step} />
      <Near title="Waits for" steps={data.waits_for} plan={data.plan_path} />
      <Near title="Blocks" steps={data.waited_for_by} plan={data.plan_path} />
      <section class="panel">
        <h2>History</h2>
        {data.events.length === 0 && <p class="muted">Nothing has happened to it yet.</p>}
        <ul class="history">
          {data.events.slice(0, 20).map((event) => (
            <li key={event.id}>
              <EventLine event={event} isShort />
            </li>
          ))}
        </ul>
      </section>
    </aside>
  );
}
