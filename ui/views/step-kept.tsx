import { CopyButton } from "../parts/copy.tsx";
import { Ago } from "../parts/time.tsx";
import { ChangesFold } from "./changes.tsx";
import { mayAct, openAction } from "../parts/act.tsx";
import { to } from "../router.ts";
import type { StepPage } from "../types.ts";
import { shortHash, shortPath } from "../words.ts";

/** Work from a claim that was lost: it changed nothing, and is there for a person to take. */
export const LateResults = ({ data }: { readonly data: StepPage }) =>
  data.late_results.length === 0 ? null : (
    <section class="panel" aria-labelledby="late">
      <h2 id="late">Late results</h2>
      <p class="muted">They came from a claim that was not current any more. Nothing was changed by them.</p>
      <ul class="rows late">
        {data.late_results.map((late) => (
          <li key={late.at}>
            <span>claim {late.claim ?? "unknown"}</span>
            <span class="path" title={late.worktree}>
              {shortPath(late.worktree)}
            </span>
            <span>
              {late.commit === null ? (
                "nothing committed"
              ) : (
                <ChangesFold params={{ commit: late.commit }} label={shortHash(late.commit)} />
              )}
              {late.ref !== null && <span class="muted"> kept at {late.ref}</span>}
            </span>
            <span class="muted">
              <Ago at={late.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );

/** What was not committed when a command for it ended. */
export const Snapshots = ({ data }: { readonly data: StepPage }) =>
  data.snapshots.length === 0 ? null : (
    <section class="panel" aria-labelledby="snapshots">
      <h2 id="snapshots">Work kept</h2>
      <ul class="rows snapshots">
        {data.snapshots.map(({ ref, at, session_id, number }) => (
          <li key={ref}>
            <a href={to("sessions", session_id, String(number))}>after command {number}</a>
            <span class="muted">
              <Ago at={at} />
            </span>
            <span>
              <code title={ref}>pawl snapshot show {ref.split("/").at(-1)}</code>{" "}
              <CopyButton text={`pawl snapshot show ${ref.split("/").at(-1)}`} what="the command" />
            </span>
            <ChangesFold params={{ kept: ref }} label="Changes" />
          </li>
        ))}
      </ul>
    </section>
  );

/** What its agent said last, where the step is stopped: often a question. */
export const LastWords = ({ data }: { readonly data: StepPage }) =>
  data.step.lane !== "stopped" || data.explanation.said.length === 0 ? null : (
    <>
      <p>Its agent said last:</p>
      <pre class="said" dir="auto">
        {data.explanation.said.join("\n")}
      </pre>
      {mayAct() && (
        <button
          type="button"
          onClick={() =>
            openAction(data.choices.includes("redo") ? "redo" : "retry", {
              plan: data.plan_path,
              step: data.anchor,
            })
          }
        >
          Answer and retry
        </button>
      )}
    </>
  );
