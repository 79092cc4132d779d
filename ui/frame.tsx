import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Connection, onConnection } from "./live.ts";
import { Icon, type IconName, Mark } from "./parts/icon.tsx";
import { Sheet } from "./parts/sheet.tsx";
import { type Place, to } from "./router.ts";
import type { Overview } from "./types.ts";

/** Where a view of this name is: the first of them has none. */
export const placeOf = (name: string): Place => (name === "" ? [] : [name]);

export const VIEWS: readonly (readonly [name: string, label: string, icon: IconName, key: string])[] = [
  ["", "Overview", "overview", "o"],
  ["sessions", "Sessions", "sessions", "s"],
  ["timeline", "Timeline", "timeline", "t"],
  ["worktrees", "Worktrees", "worktrees", "w"],
  ["journal", "Journal", "journal", "j"],
  ["doctor", "Doctor", "doctor", "d"],
];

interface FrameProps {
  readonly current: string;
  /** The plan that is shown, or one of its steps. */
  readonly plan: string | undefined;
  readonly seen: Overview | undefined;
  /** How many matters wait for a person, as far as is known. */
  readonly decisions: number;
  readonly onPalette: () => void;
  readonly onTheme: () => void;
  readonly onHelp: () => void;
  readonly children: ComponentChildren;
}

/** What stays while views change. */
export function Frame({ current, plan, seen, decisions, onPalette, onTheme, onHelp, children }: FrameProps) {
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <nav class="nav" aria-label="Main">
        <a class="brand" href={to()} aria-label="Pawl, overview">
          <Mark /> <span>Pawl</span>
        </a>
        <ul>
          {VIEWS.map(([name, label, icon]) => (
            <li key={name}>
              <a href={to(...placeOf(name))} aria-current={current === name ? "page" : undefined}>
                <Icon name={icon} />
                <span>{label}</span>
                {name === "" && decisions > 0 && (
                  <span class="count stopped" aria-label={`${decisions} need you`}>
                    {decisions}
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
        <PlanLinks seen={seen} current={plan} />
        <div class="nav-foot">
          <ConnectionLight />
          {seen?.read_only && <span class="read-only">read-only</span>}
          <div class="nav-tools">
            <button
              type="button"
              class="quiet"
              aria-label="Search or run a command"
              title="Search or run a command (/)"
              onClick={onPalette}
            >
              <Icon name="search" />
            </button>
            <button
              type="button"
              class="quiet"
              aria-label="Light or dark"
              title="Light or dark (l)"
              onClick={onTheme}
            >
              <Icon name="theme" />
            </button>
            <button type="button" class="quiet" aria-label="Keys" title="Keys (?)" onClick={onHelp}>
              <span aria-hidden="true">?</span>
            </button>
          </div>
        </div>
      </nav>
      <main id="main" tabIndex={-1}>
        <Gone />
        {children}
      </main>
    </div>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.querySelector("main")?.focus();
}

const MOST_PLANS = 12;

const PlanLinks = ({
  seen,
  current,
}: {
  readonly seen: Overview | undefined;
  readonly current: string | undefined;
}) =>
  seen === undefined || seen.plans.length === 0 ? null : (
    <div class="nav-plans">
      <h2>Plans</h2>
      <ul>
        {seen.plans.slice(0, MOST_PLANS).map((plan) => (
          <li key={plan.plan_path}>
            <a
              href={to("plan", plan.plan_path, "board")}
              title={plan.plan_path}
              aria-current={current === plan.plan_path ? "page" : undefined}
            >
              <span class="name" dir="auto">
                {plan.phase_title ?? plan.plan_path}
              </span>
              <span class="numbers muted">
                {plan.steps_total === 0 ? 0 : Math.floor((plan.steps_completed / plan.steps_total) * 100)}%
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );

const WORDS: Readonly<Record<Connection, string>> = {
  connecting: "connecting",
  live: "live",
  lost: "server not reachable, trying again",
};

function ConnectionLight() {
  const [connection, setConnection] = useState<Connection>("connecting");
  useEffect(() => onConnection(setConnection), []);
  return (
    <span class={`connection ${connection}`} role="status">
      <span class="dot" aria-hidden="true" /> {WORDS[connection]}
    </span>
  );
}

/** No reader may take what was received last for the state of now. */
function Gone() {
  const [since, setSince] = useState<number>();
  useEffect(
    () =>
      onConnection((connection) =>
        setSince(connection === "lost" ? (before) => before ?? Date.now() : undefined),
      ),
    [],
  );
  if (since === undefined) return null;
  return (
    <p class="gone" role="alert">
      <Icon name="alert" /> The page's server has ended or does not answer. What you see is as of{" "}
      {new Date(since).toLocaleTimeString("en-GB")}. <code>pawl ui</code> starts it again at this address.
    </p>
  );
}

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ["/ or Ctrl K", "search or run a command"],
  ...VIEWS.map(([, label, , key]) => [`g ${key}`, label.toLowerCase()] as const),
  ["j k", "next and previous row; arrows too"],
  ["← →", "next and previous column of a board"],
  ["letter", "the action with that letter on the card below the pointer"],
  ["l", "light or dark"],
  ["n", "another window"],
  ["?", "this list"],
  ["Esc", "close what is open"],
];

export const Help = ({ onClose }: { readonly onClose: () => void }) => (
  <Sheet label="Keys" kind="help" onClose={onClose}>
    <h2>Keys</h2>
    <dl>
      {KEYS.map(([keys, what]) => (
        <div key={keys}>
          <dt>{keys.split(" ").map((key) => (key === "or" ? " or " : <kbd key={key}>{key}</kbd>))}</dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </Sheet>
);

/** For windows that the server does not know: they say how to get in, and nothing else. */
export const Locked = ({ because }: { readonly because: string | undefined }) => (
  <main class="locked">
    <Mark />
    <h1>This window needs a link</h1>
    <p>{because ?? "The server was restarted since this tab was opened."}</p>
    <p>
      Run <code>pawl ui</code> (or <code>pawl run --ui</code>) in a terminal and open the link that it prints.
      This tab then continues where you were.
    </p>
  </main>
);
