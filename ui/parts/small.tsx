import type { ComponentChildren } from "preact";
import type { Refused } from "../api.ts";
import type { Lane, PlanOverview, Session, StepLine } from "../types.ts";
import { LANE_WORDS, SESSION_WORDS, standing, standstill, STOPPED_WORD } from "../words.ts";
import { Icon, type IconName } from "./icon.tsx";

export const Badge = ({ lane, children }: { readonly lane: Lane; readonly children?: ComponentChildren }) => (
  <span class={`badge ${lane}`}>
    <span class="dot" aria-hidden="true" />
    {children ?? LANE_WORDS[lane]}
  </span>
);

/** A step's status in its lane's colour. */
export const StepBadge = ({ step }: { readonly step: StepLine }) => (
  <Badge lane={step.lane}>{standing(step)}</Badge>
);

const isNotVerified = ({ verification }: Pick<StepLine, "verification">): boolean =>
  verification !== null && verification.outcome !== "passed";

/** Stands beside a completed step that no check has verified, and says why when one points at it. */
export const NotVerified = ({ step }: { readonly step: StepLine }) =>
  isNotVerified(step) ? (
    <span
      class={step.verification?.outcome === "unverified" ? "warn" : "muted"}
      title={step.verification?.because ?? undefined}
    >
      not verified
    </span>
  ) : null;

const SESSION_LANES: Readonly<Record<Session["status"], Lane>> = {
  in_progress: "working",
  completed: "done",
  failed: "waiting",
  interrupted: "stopped",
  abandoned: "waiting",
};

/** `stopped` are the words for a process that is stopped, where it is. */
export const SessionBadge = ({
  status,
  stopped = null,
}: {
  readonly status: Session["status"];
  readonly stopped?: string | null | undefined;
}) =>
  stopped === null ? (
    <Badge lane={SESSION_LANES[status]}>{SESSION_WORDS[status]}</Badge>
  ) : (
    <Badge lane="stopped">{STOPPED_WORD}</Badge>
  );

/** One process runs all workers of a run. */
export const stoppedIn = ({ sessions }: { readonly sessions: readonly Session[] }): string | null =>
  sessions.flatMap(({ stopped }) => stopped ?? [])[0] ?? null;

const ORDER: readonly Lane[] = ["done", "verifying", "working", "stopped", "ready", "waiting"];

/** How far a plan is, in the colours of its lanes. */
export function LaneBar({ plan }: { readonly plan: PlanOverview }) {
  const { lanes, steps_total: total } = plan;
  const shown = ORDER.filter((lane) => lanes[lane] > 0);
  const text = shown
    .flatMap((lane) =>
      lane === "stopped" ? standstill(plan) : [`${lanes[lane]} ${LANE_WORDS[lane].toLowerCase()}`],
    )
    .join(", ");
  return (
    <div class="lane-bar" role="img" aria-label={text === "" ? "no steps" : text} title={text}>
      {shown.map((lane) => (
        <span key={lane} class={lane} style={{ flexGrow: lanes[lane] / Math.max(total, 1) }} />
      ))}
    </div>
  );
}

export const Progress = ({ done, total }: { readonly done: number; readonly total: number }) => (
  <span class="progress">
    <span class="track" aria-hidden="true">
      <span style={{ width: `${total === 0 ? 0 : (done / total) * 100}%` }} />
    </span>
    <span class="numbers">
      {done}/{total}
    </span>
  </span>
);

/** A worktree by its folder. What tells workers of one plan apart stands at the end, so that is never cut off. */
export function WorktreeName({ path }: { readonly path: string }) {
  const [, start = "", end = ""] = /([^/]*?)(-[^-/]{1,6})?$/.exec(path) ?? [];
  return (
    <span class="worktree-name" title={path}>
      <span>{start}</span>
      <span>{end}</span>
    </span>
  );
}

/** Nothing to show: why, and what to do about it. */
export const Empty = ({
  icon,
  title,
  isWhole = false,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  /** There is nothing else in view, so its title is that of the page. */
  readonly isWhole?: boolean;
  readonly children?: ComponentChildren;
}) => (
  <div class="empty">
    <Icon name={icon} />
    {isWhole ? <h1>{title}</h1> : <h2>{title}</h2>}
    <div>{children}</div>
  </div>
);

/** What was asked for is not there: which it was, and where to go from here. */
export const Unknown = ({
  title,
  about,
  children,
}: {
  readonly title: string;
  readonly about: ComponentChildren;
  readonly children: ComponentChildren;
}) => (
  <div class="view">
    <Empty icon="search" title={title} isWhole>
      <p>{about}</p>
      <div class="choices">{children}</div>
    </Empty>
  </div>
);

export const Trouble = ({ error }: { readonly error: Refused }) => (
  <div class="trouble" role="alert">
    <Icon name="alert" />
    <div>
      <strong>{error.message}</strong>
      {error.issue && (
        <p>
          {error.issue.hint} <code>{error.issue.code}</code>
        </p>
      )}
    </div>
  </div>
);

/** Holds the place of what is on its way, so that nothing jumps when it comes. */
export const Loading = ({ lines = 6 }: { readonly lines?: number }) => (
  <div class="loading" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} />
    ))}
  </div>
);

export const Heading = ({
  title,
  about,
  children,
}: {
  readonly title: ComponentChildren;
  readonly about?: ComponentChildren;
  readonly children?: ComponentChildren;
}) => (
  <header class="heading">
    <div>
      <h1 dir="auto" title={typeof title === "string" ? title : undefined}>
        {title}
      </h1>
      {about && <p class="about">{about}</p>}
    </div>
    <div class="tools">{children}</div>
  </header>
);
