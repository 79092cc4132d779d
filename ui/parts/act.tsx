import { useEffect, useState } from "preact/hooks";
import { ask, Refused, send } from "../api.ts";
import type { Preview, Subject } from "../types.ts";
import { ACTION_WORDS } from "../words.ts";
import { say } from "./notes.tsx";
import { Sheet } from "./sheet.tsx";
import { Loading, Trouble } from "./small.tsx";

interface Asked {
  readonly action: string;
  readonly subject: Subject;
}

let open: (asked: Asked) => void = () => undefined;
let isReadOnly = false;

export const setReadOnly = (only: boolean): void => {
  isReadOnly = only;
};

export const openAction = (action: string, subject: Subject): void => open({ action, subject });

/** Never offered as the thing to do first. */
const GRAVE: ReadonlySet<string> = new Set([
  "abandon",
  "clean",
  "release",
  "reset",
  "reopen",
  "hold",
  "merge",
]);

/** Buttons for what can be done. Each first says what would happen. */
export const Choices = ({
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
}) =>
  isReadOnly ? null : (
    <div class="choices">
      {choices.map((action, index) => (
        <button
          key={action}
          type="button"
          class={index === 0 && !GRAVE.has(action) && !isCalm ? "first" : ""}
          aria-label={`${ACTION_WORDS[action] ?? action}: ${about}`}
          onClick={() => openAction(action, subject)}
        >
          {ACTION_WORDS[action] ?? action}
        </button>
      ))}
    </div>
  );

const paramsOf = ({ plan, step, session, worktree }: Subject) => ({ plan, step, session, worktree });

/** Shows what an action would do, and does it on that understanding only. */
export function ActionSheet() {
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    open = setAsked;
  }, []);
  if (asked === undefined) return null;
  return <Deciding key={JSON.stringify(asked)} {...asked} onClose={() => setAsked(undefined)} />;
}

function Deciding({ action, subject, onClose }: Asked & { readonly onClose: () => void }) {
  const [preview, setPreview] = useState<Preview>();
  const [error, setError] = useState<Refused>();
  const [isStale, setIsStale] = useState(false);
  const [reason, setReason] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const look = async (): Promise<void> => {
    try {
      setPreview(await ask<Preview>("/api/preview", { action, ...paramsOf(subject) }));
      setRequestId(crypto.randomUUID());
    } catch (refused) {
      if (refused instanceof Refused) setError(refused);
    }
  };
  useEffect(() => void look(), []);
  const decide = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await send("/api/act", {
        action,
        ...paramsOf(subject),
        version: preview!.version,
        reason,
        request_id: requestId,
      });
      say(DONE[action] ?? "Done.", "good");
      onClose();
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      const stale = refused.issue?.name === "action/stale";
      setIsStale(stale);
      setError(stale ? undefined : refused);
      if (stale) await look();
    }
    setIsBusy(false);
  };
  const label = ACTION_WORDS[action] ?? action;
  return (
    <Sheet label={preview?.title ?? label} kind="deciding" onClose={onClose}>
      <h2>{preview?.title ?? label}</h2>
      {isStale && (
        <p class="stale" role="alert">
          Nothing was done: it changed while you were looking. This is how it stands now.
        </p>
      )}
      {error && <Trouble error={error} />}
      {preview ? <What preview={preview} /> : !error && <Loading lines={3} />}
      {preview?.needs_reason && (
        <label class="field">
          Why? It stays in the journal.
          <input value={reason} maxLength={500} onInput={(event) => setReason(event.currentTarget.value)} />
        </label>
      )}
      <div class="deciders">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        {preview && (
          <button
            type="button"
            class={preview.is_grave ? "grave" : "first"}
            disabled={isBusy || (preview.needs_reason && reason.trim() === "")}
            onClick={() => void decide()}
          >
            {label}
          </button>
        )}
      </div>
    </Sheet>
  );
}

const What = ({ preview }: { readonly preview: Preview }) => (
  <div class="what">
    <h3>What happens</h3>
    <ul>
      {preview.effects.map((effect) => (
        <li key={effect}>{effect}</li>
      ))}
    </ul>
    <h3>What is kept</h3>
    <ul>
      {preview.keeps.map((kept) => (
        <li key={kept}>{kept}</li>
      ))}
    </ul>
  </div>
);

const DONE: Readonly<Record<string, string>> = {
  verify: "The verification was started.",
  resume: "The session goes on.",
  run: "The run was started.",
  mend: "Mending was started.",
  abandon: "Abandoned. Its work is kept.",
  restore: "Its work is back in the worktree.",
  merge: "Merged.",
  clean: "Cleaned up. What was not committed is saved.",
};
