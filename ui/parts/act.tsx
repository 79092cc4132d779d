import { useEffect, useRef, useState } from "preact/hooks";
import { ask, Refused, send } from "../api.ts";
import { gather } from "../gather.ts";
import { type News, onNews } from "../live.ts";
import type { OptionName } from "../../src/web/wire.ts";
import type { Preview, Subject } from "../types.ts";
import { ACTION_WORDS, DONE_WORDS, inWords, shortId } from "../words.ts";
import { Copyable } from "./copy.tsx";
import { Fields, type Options, remember, remembered } from "./fields.tsx";
import { useOffers } from "./offers.ts";
import { Changed, NotDone } from "./not-done.tsx";
import { type Made, Opening } from "./opening.tsx";
import { say } from "./notes.tsx";
import { What } from "./what.tsx";
import { Sheet } from "./sheet.tsx";
import { Loading, Trouble } from "./small.tsx";

interface Asked {
  readonly action: string;
  readonly subject: Subject;
  readonly onDone?: (() => void) | undefined;
}

let open: (asked: Asked) => void = () => undefined;
let isReadOnly = false;

export const setReadOnly = (only: boolean): void => {
  isReadOnly = only;
};

export const mayAct = (): boolean => !isReadOnly;

export const openAction = (action: string, subject: Subject, onDone?: () => void): void =>
  open({ action, subject, onDone });

/** Never offered as the thing to do first. */
const GRAVE: ReadonlySet<string> = new Set([
  "abandon",
  "clean",
  "stop",
  "release",
  "reset",
  "reopen",
  "hold",
  "merge",
]);

/** Buttons for what can be done. Each first says what would happen. */
export function Choices({
  choices,
  subject,
  about,
  isCalm = false,
}: {
  readonly choices: readonly string[];
  readonly subject: Subject;
  readonly about: string;
  /** Where nothing presses, no button does. */
  readonly isCalm?: boolean;
}) {
  const name = about === subject.session ? shortId(about) : about;
  const shown = (isReadOnly ? [] : choices).map((action) => ({
    action,
    label: ACTION_WORDS[action] ?? action,
    about: name,
    run: () => openAction(action, subject),
  }));
  useOffers(shown);
  if (isReadOnly) return null;
  return (
    <div class="choices">
      {shown.map(({ action, label, run }, index) => (
        <button
          key={action}
          type="button"
          class={index === 0 && !GRAVE.has(action) && !isCalm ? "first" : ""}
          aria-label={`${label}: ${name}`}
          onClick={run}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

interface KeyedChoice {
  readonly key: string;
  /** Its words; what it means stands in brackets at their end. */
  readonly label: string;
  readonly because: string;
  readonly open: () => void;
  /** Where it leads, if that is all it does. */
  readonly href?: string | undefined;
}

/** The choices of recovery, by the keys that people know from the terminal. */
export function ChoiceRow({
  choices,
  about,
}: {
  readonly choices: readonly KeyedChoice[];
  readonly about: string;
}) {
  const shown = (isReadOnly ? [] : choices).map((choice) => {
    const [, words = choice.label, meaning] = /^(.*?)(?: \((.*)\))?$/.exec(choice.label) ?? [];
    return { ...choice, words, meaning };
  });
  useOffers(
    shown
      .filter(({ href }) => href === undefined)
      .map(({ words, open: run }) => ({
        label: words,
        about: isSession(about) ? shortId(about) : about,
        run,
      })),
  );
  if (isReadOnly) return null;
  return (
    <div class="choices keyed">
      {shown.map(({ key, words, meaning, because, open: decide, href }, index) => {
        // A button has room for what is done, not for how; its name and the question before it have both.
        const inside = (
          <>
            <kbd>{key}</kbd> {words.replace(/, .*$/, "")}
          </>
        );
        const common = {
          "aria-label": `${key} ${words}: ${about}`,
          title: meaning ?? because,
        };
        return href === undefined ? (
          <button
            key={key}
            type="button"
            data-key={key}
            class={index === 0 ? "first" : ""}
            onClick={decide}
            {...common}
          >
            {inside}
          </button>
        ) : (
          <a key={key} class="button" data-key={key} href={href} {...common}>
            {inside}
          </a>
        );
      })}
    </div>
  );
}

const isSession = (name: string): boolean => /^s-[0-9a-f]{8}-/.test(name);

const paramsOf = ({ plan, step, session, worktree, rule, subject, key }: Subject) => ({
  plan,
  step,
  session,
  worktree,
  rule,
  subject,
  key,
});

/** Shows what an action would do, and does it on that understanding only. */
export function ActionSheet() {
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    open = setAsked;
  }, []);
  if (asked === undefined) return null;
  return <Deciding key={JSON.stringify(asked)} {...asked} onClose={() => setAsked(undefined)} />;
}

/** Whether what happened may change what the action would do. */
function concerns(subject: Subject, news: News): boolean {
  if (news.kind === "again") return true;
  if (news.kind === "file") return subject.plan === news.planPath;
  if (news.kind !== "journal") return false;
  const { plan_path, anchor, session_id } = news.event;
  const isAbout = (mine: string | null | undefined, theirs: string | null): boolean =>
    !mine || theirs === null || mine === theirs;
  return (
    isAbout(subject.plan, plan_path) && isAbout(subject.step, anchor) && isAbout(subject.session, session_id)
  );
}

/** What is known of a decision: nothing yet, what it would do, or why nothing was done. */
interface Seen {
  readonly preview?: Preview;
  readonly error?: Refused;
  /** The preview is another one than at first. */
  readonly isChanged?: boolean;
}

function Deciding({ action, subject, onDone, onClose }: Asked & { readonly onClose: () => void }) {
  const [seen, setSeen] = useState<Seen>({});
  /** Nothing was done. The current state is shown, and a person who still wants it begins again. */
  const [refused, setRefused] = useState<Refused>();
  const [reason, setReason] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [made, setMade] = useState<Made>();
  const [options, setOptions] = useState<Options>(() => remembered(action));
  const chosen = useRef(options);
  chosen.current = options;
  const choose = (name: OptionName, value: string): void => {
    chosen.current = { ...chosen.current, [name]: value };
    setOptions(chosen.current);
    // What a preview does not depend on needs no other one.
    if (name !== "hint") lookSoon.current();
  };
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const look = async (): Promise<void> => {
    try {
      const asked = JSON.stringify(chosen.current);
      const preview = await ask<Preview>("/api/preview", { action, ...paramsOf(subject), ...chosen.current });
      // A newer choice asks for itself.
      if (asked !== JSON.stringify(chosen.current)) return;
      setSeen((before) => ({
        preview,
        isChanged:
          before.isChanged === true ||
          before.error !== undefined ||
          (before.preview !== undefined && before.preview.version !== preview.version),
      }));
      setRequestId(crypto.randomUUID());
    } catch (error) {
      if (error instanceof Refused)
        setSeen((before) => ({ ...(before.preview ? { preview: before.preview } : {}), error }));
    }
  };
  const lookSoon = useRef<() => void>(() => undefined);
  useEffect(() => {
    const looking = gather(async () => {
      await look();
      return undefined;
    });
    lookSoon.current = () => looking.soon();
    looking.soon();
    const unlisten = onNews((news) => {
      if (concerns(subject, news)) looking.soon();
    });
    return () => {
      looking.stop();
      unlisten();
    };
  }, []);
  const { preview, error, isChanged = false } = seen;
  const decide = async (version: string): Promise<void> => {
    setIsBusy(true);
    try {
      const decision = { version, reason, request_id: requestId };
      const done = await send<object>("/api/act", { action, ...paramsOf(subject), ...options, ...decision });
      remember(action, options);
      if ("link" in done) {
        setMade(done as Made);
        return;
      }
      say(doneWords(action, done), "good");
      onDone?.();
      onClose();
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      setRefused(thrown);
      setSeen({});
      await look();
    }
    setIsBusy(false);
  };
  if (made !== undefined) return <Opening {...made} onClose={onClose} />;
  const label = preview?.button ?? ACTION_WORDS[action] ?? action;
  const title = inWords(preview?.title ?? label);
  const canDecide = preview !== undefined && refused === undefined && error === undefined;
  return (
    <Sheet label={title} kind="deciding" onClose={onClose}>
      <h2>{title}</h2>
      {preview?.about && <p class="because">{inWords(preview.about)}</p>}
      {refused ? <NotDone refused={refused} /> : isChanged && <Changed />}
      {preview?.fields && refused === undefined && (
        <Fields fields={preview.fields} options={options} onChoose={choose} />
      )}
      {error && <Trouble error={error} />}
      {preview ? <What preview={preview} /> : !error && <Loading lines={3} />}
      {canDecide && preview.command && <Copyable text={preview.command} label="The same at a terminal" />}
      {canDecide && preview.needs_reason && (
        <label class="field reason">
          {action === "tell" ? "Message. It stays in the journal." : "Why? It stays in the journal."}
          <input
            value={reason}
            maxLength={action === "tell" ? 4000 : 500}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
      )}
      <div class="deciders">
        <button type="button" onClick={onClose}>
          {canDecide ? "Cancel" : "Close"}
        </button>
        {canDecide && (
          <button
            type="button"
            class={preview.is_grave ? "grave" : "first"}
            disabled={
              isBusy ||
              (preview.needs_reason && reason.trim() === "") ||
              preview.fields?.some((field) => field.is_needed && !options[field.name]?.trim())
            }
            onClick={() => void decide(preview.version)}
          >
            {label}
          </button>
        )}
      </div>
    </Sheet>
  );
}

/** What was done, and what is left to do where something is. */
function doneWords(action: string, done: object): string {
  if (action === "merge" && "job" in done) return "The check is running; the merge follows when it passes.";
  const words = DONE_WORDS[action] ?? "Done.";
  return "needs_commit" in done && done.needs_commit === true
    ? `${words} Commit the file: the step counts once it is committed.`
    : words;
}
