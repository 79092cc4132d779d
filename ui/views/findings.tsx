import { useState } from "preact/hooks";
import { ChoiceRow, Choices, mayAct, openAction } from "../parts/act.tsx";
import { to } from "../router.ts";
import type { Finding, Run } from "../types.ts";
import { inWords, plural, shortId } from "../words.ts";
import { RunChoices } from "./run-card.tsx";

/** Choices that change nothing: in this window the matter is out of the way until it is another one. */
const LEAVES: ReadonlySet<string> = new Set(["skip", "keep"]);
const aside = new Set<string>();

/** What was found and is a person's to decide, as cards; what a person here has left as it is comes last, on request. */
export function FindingCards({
  findings,
  runs,
}: {
  readonly findings: readonly Finding[];
  readonly runs: readonly Run[];
}) {
  const [isAllShown, setIsAllShown] = useState(false);
  const [, again] = useState(0);
  const left = findings.filter(({ version }) => aside.has(version));
  const shown = isAllShown ? findings : findings.filter(({ version }) => !aside.has(version));
  const leave = (version: string): void => {
    aside.add(version);
    again((count) => count + 1);
  };
  return (
    <>
      {shown.map((finding) => (
        <FindingCard
          key={`${finding.rule} ${finding.subject}`}
          finding={finding}
          run={finding.among > 1 ? runs.find(({ run_id }) => run_id === finding.run_id) : undefined}
          onLeave={() => leave(finding.version)}
        />
      ))}
      {left.length > 0 && !isAllShown && (
        <li class="aside">
          <span class="muted">{plural(left.length, "matter")} left as it is.</span>{" "}
          <button type="button" class="quiet" onClick={() => setIsAllShown(true)}>
            Show
          </button>
        </li>
      )}
    </>
  );
}

const subjectOf = ({ kind, subject, plan_path, anchor }: Finding) =>
  kind === "session" ? { session: subject } : { plan: plan_path, step: anchor };

const FindingCard = ({
  finding,
  run,
  onLeave,
}: {
  readonly finding: Finding;
  /** Where it stands for several workers. */
  readonly run: Run | undefined;
  readonly onLeave: () => void;
}) => {
  const { rule, subject, found, choices, actions } = finding;
  if (run) return <RunFinding run={run} finding={finding} />;
  return (
    <li class="card decide finding" data-rule={rule} data-subject={subject}>
      <div class="card-head">
        <strong>{finding.title}</strong>
      </div>
      <p class="because" title={found}>
        {inWords(found)}
      </p>
      <AgentWords finding={finding} />
      <p class="where">
        <Where finding={finding} />
      </p>
      {choices.length > 0 ? (
        <ChoiceRow
          about={subject}
          choices={choices.map(({ key, label, repair, because }) => ({
            key,
            label,
            because,
            href: repair === "show" ? to("sessions", subject) : undefined,
            open: () =>
              openAction("decide", { rule, subject, key }, LEAVES.has(repair) ? onLeave : undefined),
          }))}
        />
      ) : (
        <Choices choices={actions} about={subject} subject={subjectOf(finding)} />
      )}
    </li>
  );
};

const WORDS_SHOWN = 4;

/** What the agents of a blocked step left for people: what they were refused, and the end of their last message. */
const AgentWords = ({ finding: { said, refused } }: { readonly finding: Finding }) => {
  const lines = [
    ...refused.slice(-WORDS_SHOWN).map((what) => `refused: ${what}`),
    ...said.slice(-WORDS_SHOWN),
  ];
  return lines.length === 0 ? null : (
    <pre class="said" dir="auto">
      {lines.join("\n")}
    </pre>
  );
};

/** A run whose workers were cut off: one card, one button that resumes all of it. */
const RunFinding = ({ run, finding }: { readonly run: Run; readonly finding: Finding }) => (
  <li class="card decide finding" data-rule={finding.rule} data-run={run.run_id}>
    <div class="card-head">
      <strong>A run was interrupted</strong>
    </div>
    <p class="because">{inWords(finding.found)}</p>
    <p class="where">
      {run.sessions.map(({ id, at }) => (
        <a key={id} href={to("sessions", id)}>
          {(at?.ended_at === null && at.anchor) || shortId(id)}
        </a>
      ))}
    </p>
    <RunChoices run={run} />
  </li>
);

function Where({ finding: { kind, subject, plan_path, anchor } }: { readonly finding: Finding }) {
  if (kind === "session") return <a href={to("sessions", subject)}>{shortId(subject)}</a>;
  if (kind === "worktree") return <a href={to("worktrees")}>{subject}</a>;
  if (plan_path === null) return <span class="path">{subject}</span>;
  return anchor === null ? (
    <a href={to("plan", plan_path, "board")}>{kind === "file" ? subject : plan_path}</a>
  ) : (
    <a href={to("plan", plan_path, "step", anchor)}>
      {plan_path} · {anchor}
    </a>
  );
}

/** What continues without a person, or waits for a reason. */
export const FindingRow = ({ finding }: { readonly finding: Finding }) => (
  <li data-rule={finding.rule} data-subject={finding.subject}>
    <span>
      <span class="strong">{finding.title}</span> <span class="muted">{inWords(finding.found)}</span>
    </span>
    <Where finding={finding} />
    <Choices choices={finding.actions} about={finding.subject} subject={subjectOf(finding)} isCalm />
  </li>
);

const MOST = 20;

/** What needs no decision: it is repaired before the next run, or now. */
export const Proven = ({
  findings,
  count,
}: {
  readonly findings: readonly Finding[];
  readonly count: number;
}) =>
  count === 0 ? null : (
    <div class="proven" data-proven={count}>
      <div class="proven-head">
        <p>
          <strong>
            {count === 1 ? "One thing needs" : `${count.toLocaleString("en")} things need`} no decision.
          </strong>{" "}
          <span class="muted">Pawl repairs this before the next run, or now.</span>
        </p>
        {mayAct() && (
          <button type="button" onClick={() => openAction("repair", {})}>
            Repair automatically
          </button>
        )}
      </div>
      <ul>
        {findings.slice(0, MOST).map((finding) => (
          <li key={`${finding.rule} ${finding.subject}`} data-rule={finding.rule}>
            <span>{inWords(finding.found)}</span> <span class="muted">{finding.automatic?.label}.</span>{" "}
            <Where finding={finding} />
          </li>
        ))}
      </ul>
      {count > MOST && <p class="muted">and {count - MOST} more.</p>}
    </div>
  );
