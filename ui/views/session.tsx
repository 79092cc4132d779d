import { cutOffAt, endOf } from "../cut-off.ts";
import { Choices } from "../parts/act.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { FilePath } from "../parts/file-path.tsx";
import { Icon } from "../parts/icon.tsx";
import { Heading, Loading, SessionBadge, Trouble, Unknown } from "../parts/small.tsx";
import { Ago, Lasted, Took } from "../parts/time.tsx";
import { to } from "../router.ts";
import type { Command, SessionPage } from "../types.ts";
import { useData } from "../use-data.ts";
import { plural, reasonWords, shortId, spaced, usageWords } from "../words.ts";
import { ChangesFold } from "./changes.tsx";
import { Transcript } from "./transcript.tsx";

/** One session: its checkpoints on a line of time, and what its commands print. */
export function SessionView({
  id,
  command,
  find,
}: {
  readonly id: string;
  readonly command: number | undefined;
  /** What to look for in its transcript. */
  readonly find: string;
}) {
  const { data, error } = useData<SessionPage>(
    "/api/session",
    { id },
    (news) => news.kind !== "journal" || news.event.session_id === id || news.event.session_id === null,
  );
  if (error && !data)
    return error.status === 404 ? (
      <Unknown title="There is no such session" about={<code>{id}</code>}>
        <a class="button" href={to("sessions")}>
          All sessions
        </a>
      </Unknown>
    ) : (
      <Trouble error={error} />
    );
  if (!data) return <Loading lines={8} />;
  const { session } = data;
  const chosen = command ?? session.checkpoints.at(-1)?.number;
  return (
    <div class="view session">
      <nav class="crumbs" aria-label="Where you are">
        <a href={to("sessions")}>Sessions</a> <Icon name="arrow" />{" "}
        <span title={session.id}>{shortId(session.id)}</span>{" "}
        <CopyButton text={session.id} what="the session's id" />
      </nav>
      <Heading
        title={session.at?.anchor ?? shortId(session.id)}
        about={
          <>
            <SessionBadge status={session.status} stopped={session.stopped} />{" "}
            {session.stopped && <span class="warn">{session.stopped}</span>}
            {session.interruption_type && <span class="warn">{reasonWords(session.interruption_type)}</span>}
          </>
        }
      >
        <Choices choices={data.choices} subject={{ session: session.id }} about={session.id} />
      </Heading>
      <dl class="facts-table">
        <dt>Agent</dt>
        <dd>
          {session.agent ?? "none"}, workflow {session.workflow ?? "none"}
        </dd>
        <dt>Plan</dt>
        <dd>
          {session.plan_path && <a href={to("plan", session.plan_path, "board")}>{session.plan_path}</a>}
        </dd>
        <dt>Worktree</dt>
        <dd>
          <FilePath path={session.worktree} /> {session.branch && `(${session.branch})`}
        </dd>
        <dt>Began</dt>
        <dd>
          <Ago at={session.started_at} />
          <Took from={session.started_at} until={endOf(session)} />
        </dd>
        {usageWords(session.usage) && (
          <>
            <dt>Used</dt>
            <dd>{usageWords(session.usage)}</dd>
          </>
        )}
        {session.snapshot_ref && (
          <>
            <dt>Work kept</dt>
            <dd class="path">
              {session.snapshot_ref}
              <ChangesFold params={{ kept: session.snapshot_ref }} label="Show its changes" />
            </dd>
          </>
        )}
      </dl>
      <section class="panel" aria-labelledby="checkpoints">
        <h2 id="checkpoints">Checkpoints</h2>
        {session.checkpoints.length === 0 ? (
          <p class="muted">It has not started a command yet.</p>
        ) : (
          <>
            <Earlier first={session.checkpoints[0]!.number} session={session.id} />
            <ol class="checkpoints">
              {session.checkpoints.map((one) => (
                <Checkpoint
                  key={one.number}
                  one={one}
                  cutOff={cutOffAt(one, session.checkpoints, session)}
                  session={session.id}
                  isChosen={one.number === chosen}
                />
              ))}
            </ol>
          </>
        )}
      </section>
      {chosen !== undefined && (
        <Transcript
          key={`${session.id} ${chosen} ${find}`}
          sought={find}
          session={session.id}
          command={chosen}
          status={session.status}
        />
      )}
    </div>
  );
}

/** A session that worked for weeks has more commands than a person reads through here. */
const Earlier = ({ first, session }: { readonly first: number; readonly session: string }) =>
  first > 1 ? (
    <p class="muted">
      {plural(first - 1, "earlier command")} not shown; <code>pawl sessions show {shortId(session)}</code>{" "}
      lists all.
    </p>
  ) : null;

const Checkpoint = ({
  one,
  cutOff,
  session,
  isChosen,
}: {
  readonly one: Command;
  readonly cutOff: string | undefined;
  readonly session: string;
  readonly isChosen: boolean;
}) => (
  <li class={one.outcome === "finished" ? "done" : one.outcome === null && !cutOff ? "working" : "stopped"}>
    <a href={to("sessions", session, String(one.number))} aria-current={isChosen ? "true" : undefined}>
      <span class="dot" aria-hidden="true" />
      <strong>{one.anchor ?? `#${one.number}`}</strong>
      <span>
        {one.command} {one.outcome === null ? (cutOff ? "cut off" : "…") : spaced(one.outcome)}
      </span>
      <span class="muted">
        <Lasted from={one.started_at} until={one.ended_at ?? cutOff ?? null} />
        {one.files_modified &&
          one.files_modified.length > 0 &&
          `, ${plural(one.files_modified.length, "file")}`}
      </span>
    </a>
  </li>
);
