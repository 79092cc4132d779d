import { useMemo, useRef, useState } from "preact/hooks";
import { addressOf, ask } from "../api.ts";
import { go } from "../router.ts";
import type { Overview, Session, StepsPage } from "../types.ts";
import { SESSION_WORDS, shortHash, shortId, STOPPED_WORD } from "../words.ts";
import { type Entry, ranked } from "../ranked.ts";
import { offersInView } from "./offers.ts";
import { Sheet } from "./sheet.tsx";

const MOST = 12;

/** Everything by typing: what can be done with what is in view, views, plans, steps, settings. */
export function Palette({
  entries,
  seen,
  onClose,
}: {
  readonly entries: readonly Entry[];
  readonly seen: Overview | undefined;
  readonly onClose: () => void;
}) {
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState(0);
  const [steps, setSteps] = useState<readonly Entry[]>([]);
  const asked = useRef("");
  // What can be done here and now comes first; it is what was in view when this was opened.
  const offered = useMemo(offersInView, []);
  const all = useMemo(() => {
    const acts = offered.map((offer) => ({ ...offer, about: `act on ${offer.about}`, isAct: true }));
    return [...acts, ...entries, ...planEntries(seen), ...commitNamed(words), ...steps];
  }, [offered, entries, seen, steps, words]);
  const found = ranked(all, words).slice(0, MOST);
  const type = (text: string): void => {
    setWords(text);
    setChosen(0);
    if (text.length >= 2 && asked.current === "") {
      asked.current = "steps";
      void Promise.all([loadSteps(seen), loadSessions()]).then((lists) => setSteps(lists.flat()));
    }
  };
  const run = (entry: Entry | undefined): void => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  return (
    <Sheet label="Search or run a command" kind="palette" onClose={onClose}>
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a person who opens it wants to type
        autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-found"
        aria-activedescendant={found.length > 0 ? `palette-${chosen}` : undefined}
        aria-label="Search or run a command"
        placeholder="Run a command, or go to a view, plan, step, session, commit…"
        value={words}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setChosen(Math.min(chosen + 1, found.length - 1));
          else if (event.key === "ArrowUp") setChosen(Math.max(chosen - 1, 0));
          else if (event.key === "Enter") run(found[chosen]);
          else return;
          event.preventDefault();
        }}
      />
      <ul id="palette-found" role="listbox" aria-label="Found">
        {found.map((entry, index) => (
          <li
            key={`${entry.label} ${entry.about}`}
            class={entry.isAct ? "act" : ""}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(entry)}
            onPointerMove={() => setChosen(index)}
          >
            <span dir="auto">{entry.label}</span> <span class="muted">{entry.about}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="muted nothing">No match.</p>}
    </Sheet>
  );
}

const planEntries = (seen: Overview | undefined): readonly Entry[] =>
  (seen?.plans ?? []).flatMap(({ plan_path, phase_title }) =>
    ["board", "graph", "list"].map((way) => ({
      label: phase_title ?? plan_path,
      about: `plan as ${way}`,
      run: () => go("plan", plan_path, way),
    })),
  );

async function loadSessions(): Promise<readonly Entry[]> {
  const { sessions } = await ask<{ readonly sessions: readonly Session[] }>("/api/sessions", { most: 100 });
  return sessions.map(({ id, at, plan_path, status, stopped }) => ({
    label: `${at?.anchor ?? "session"}, ${shortId(id)}`,
    about: `${stopped === null ? SESSION_WORDS[status] : STOPPED_WORD} session of ${plan_path ?? "a workflow"}`,
    run: () => go("sessions", id),
  }));
}

/** Any commit, by its hash. */
const commitNamed = (words: string): readonly Entry[] =>
  /^[0-9a-f]{7,64}$/.test(words.trim())
    ? [{ label: words.trim(), about: "commit with this hash", run: () => go("commit", words.trim()) }]
    : [];

const MOST_PLANS = 8;

async function loadSteps(seen: Overview | undefined): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  for (const { plan_path } of (seen?.plans ?? []).slice(0, MOST_PLANS))
    for (let after: number | null | undefined; after !== null;) {
      const page: StepsPage = await ask<StepsPage>(addressOf("/api/steps", { plan: plan_path, after }));
      for (const { anchor, title, verification } of page.steps) {
        found.push({
          label: title,
          about: `${plan_path} · ${anchor}`,
          run: () => go("plan", plan_path, "step", anchor),
        });
        const commit = verification?.commit;
        if (commit)
          found.push({
            label: shortHash(commit),
            about: `commit of ${anchor}: ${title}`,
            run: () => go("commit", commit),
          });
      }
      after = page.next;
    }
  return found;
}
