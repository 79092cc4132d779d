import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { fullStop } from "../src/domain/full-stop.ts";
import { safeText } from "../src/domain/safe-text.ts";
import { enter, isKnown, newTicket, onLocked, rememberView, wasKnown } from "./api.ts";
import { cleanAllText } from "./clean-text.ts";
import { Frame, Help, Locked, placeOf, VIEWS } from "./frame.tsx";
import { useKeys } from "./keys.ts";
import { useRowKeys } from "./row-keys.ts";
import { listen, onNews, whenAnswered } from "./live.ts";
import { ActionSheet, setReadOnly } from "./parts/act.tsx";
import { askToNotify, showMark, useNotifications } from "./notifications.ts";
import { setEditor } from "./parts/file-path.tsx";
import { Notes, say } from "./parts/notes.tsx";
import { Palette } from "./parts/palette.tsx";
import type { Entry } from "./ranked.ts";
import { Loading, Trouble, Unknown } from "./parts/small.tsx";
import { go, type Place, to, usePlace } from "./router.ts";
import { admitTabs, askTabs, onOtherIn, tellIn } from "./tabs.ts";
import { useTheme } from "./theme.ts";
import type { Findings, Overview as Seen } from "./types.ts";
import { type Data, useData } from "./use-data.ts";
import { Commit } from "./views/changes.tsx";
import { Doctor } from "./views/doctor.tsx";
import { Journal } from "./views/journal.tsx";
import { Overview } from "./views/overview.tsx";
import { Plan } from "./views/plan.tsx";
import { SessionView } from "./views/session.tsx";
import { Sessions } from "./views/sessions.tsx";
import { Step } from "./views/step.tsx";
import { Timeline } from "./views/timeline.tsx";
import { Worktrees } from "./views/worktrees.tsx";
import { jobWords, shortId } from "./words.ts";

type Open = "palette" | "help" | undefined;

function Page() {
  const place = usePlace();
  const [, turnTheme] = useTheme();
  const [open, setOpen] = useState<Open>();
  const { data: seen, error } = useData<Seen>("/api/overview");
  // Asked for after the first look, which does not wait for it: finding out takes a process of its own.
  const found = useData<Findings>(seen === undefined ? undefined : "/api/findings");
  const decisions = found.data?.counts.decide ?? 0;
  setReadOnly(seen?.read_only ?? false);
  setEditor(seen?.editor ?? null, seen?.root ?? null);
  useEffect(rememberView, [place]);
  useEffect(() => {
    const subject = place[0] === "sessions" && place[1] !== undefined ? shortId(place[1]) : place.at(-1);
    const waiting = decisions === 0 ? "" : `(${decisions}) `;
    document.title = safeText(`${waiting}${subject ?? seen?.repository ?? "Overview"} · Pawl`);
  }, [place, seen?.repository, decisions]);
  useEffect(() => showMark(decisions, (seen?.runs ?? []).some(isRunning)), [decisions, seen?.runs]);
  useNotifications(seen, found.data);
  useEffect(tellOfJobs, []);
  const close = (): void => setOpen(undefined);
  const entries = useMemo(() => entriesFor(turnTheme, () => setOpen("help")), [turnTheme]);
  const keys = useMemo(
    () => ({
      "/": () => setOpen("palette"),
      "?": () => setOpen("help"),
      l: turnTheme,
      n: () => void oneMoreWindow(),
      ...Object.fromEntries(VIEWS.map(([name, , , key]) => [`g ${key}`, () => go(...placeOf(name))])),
    }),
    [turnTheme],
  );
  useKeys(keys);
  useRowKeys();
  return (
    <Frame
      current={place[0] ?? ""}
      plan={place[0] === "plan" ? place[1] : undefined}
      seen={seen}
      decisions={decisions}
      onPalette={() => setOpen("palette")}
      onTheme={turnTheme}
      onHelp={() => setOpen("help")}
    >
      {error && !seen ? (
        <Trouble error={error} />
      ) : seen ? (
        <View place={place} seen={seen} found={found} />
      ) : (
        <Loading lines={8} />
      )}
      {open === "palette" && <Palette entries={entries} seen={seen} onClose={close} />}
      {open === "help" && <Help onClose={close} />}
      <ActionSheet />
      <Notes />
    </Frame>
  );
}

const isRunning = ({ status }: { readonly status: string }): boolean => status === "in_progress";

function View({
  place,
  seen,
  found,
}: {
  readonly place: Place;
  readonly seen: Seen;
  readonly found: Data<Findings>;
}) {
  const [name, first, second, third] = place;
  if (name === "plan" && first !== undefined)
    return second === "step" && third !== undefined ? (
      <Step key={third} plan={first} anchor={third} />
    ) : (
      <Plan
        path={first}
        way={second ?? "board"}
        isUnread={seen.unread.includes(first)}
        train={seen.train.filter(({ plan_path }) => plan_path === first)}
        edited={found.data?.findings.find(
          ({ rule, plan_path }) => rule === "plan-changed" && plan_path === first,
        )}
      />
    );
  if (name === "sessions")
    return first === undefined ? (
      <Sessions />
    ) : (
      <SessionView
        key={first}
        id={first}
        command={second === undefined ? undefined : Number(second)}
        find={third ?? ""}
      />
    );
  if (name === "commit" && first !== undefined) return <Commit key={first} hash={first} />;
  if (name === "worktrees") return <Worktrees />;
  if (name === "journal") return <Journal plans={seen.plans} />;
  if (name === "doctor") return <Doctor />;
  if (name === "timeline") return <Timeline plan={first} />;
  return name === undefined ? <Overview seen={seen} found={found} /> : <Nowhere place={place} />;
}

/** An address that leads nowhere: mistyped, or of another version of the page. */
const Nowhere = ({ place }: { readonly place: Place }) => (
  <Unknown title="There is nothing at this address" about={<code>#/{place.join("/")}</code>}>
    <a class="button" href={to()}>
      Overview
    </a>
  </Unknown>
);

const entriesFor = (turnTheme: () => void, help: () => void): readonly Entry[] => [
  ...VIEWS.map(([name, label]) => ({ label, about: "view", run: () => go(...placeOf(name)) })),
  { label: "Light or dark", about: "setting", run: turnTheme },
  { label: "New window", about: "opens with its own link", run: () => void oneMoreWindow() },
  { label: "Notify me when something needs a person", about: "setting", run: () => void askToNotify() },
  { label: "Keys", about: "help", run: help },
];

/** A link works once, so another window gets another one. */
async function oneMoreWindow(): Promise<void> {
  const ticket = await newTicket();
  if (ticket === undefined) say("The server gives no other link now.", "bad");
  else globalThis.open(`/#ticket=${ticket}`, "_blank", "noopener");
}

/** Commands that were started here end while one looks elsewhere. */
const tellOfJobs = (): (() => void) =>
  onNews((news) => {
    if (news.kind !== "job" || news.job.state === "running") return;
    const { action, subject, state, answer } = news.job;
    const what = `${jobWords(action)}${subject}`;
    const issue = answer?.issues?.[0];
    const [repaired] = answer?.data?.repaired?.filter(({ done }) => done === (state === "done")) ?? [];
    if (state === "done")
      say(fullStop(`${what}: ${action === "decide" && repaired ? repaired.outcome : "done"}`), "good");
    else {
      const why = issue ? `${issue.code} ${issue.message}` : (repaired?.outcome ?? answer?.data?.because);
      say(fullStop(`${what}: ${why ?? "ended without finishing everything"}`), "bad");
    }
  });

function Door() {
  const [state, setState] = useState<"coming" | "in" | "locked">("coming");
  const [because, setBecause] = useState<string>();
  useEffect(() => {
    onLocked(() => setState("locked"));
    const come = async (): Promise<void> => {
      try {
        await enter();
        if (!isKnown()) await enter(await askTabs());
        if (!isKnown()) return setState("locked");
        tellIn();
        void listen();
        await whenAnswered();
        setState(isKnown() ? "in" : "locked");
      } catch (error) {
        setBecause(error instanceof Error ? error.message : undefined);
        setState("locked");
      }
    };
    // A new link that is opened in this window changes only what is behind the #.
    addEventListener("hashchange", () => {
      if (location.hash.startsWith("#ticket=")) void come();
    });
    void come();
    const forget = [
      onOtherIn(() => {
        if (!isKnown()) void come();
      }),
      admitTabs(async () => (isKnown() ? newTicket() : undefined)),
    ];
    return () => {
      for (const one of forget) one();
    };
  }, []);
  if (state === "coming") return <Loading lines={8} />;
  return state === "in" ? <Page /> : <Locked because={because ?? (wasKnown() ? undefined : NEVER_IN)} />;
}

const NEVER_IN =
  "This tab was opened without a link, and no other tab of this page is open that could let it in.";

cleanAllText();
render(<Door />, document.querySelector("#page")!);
