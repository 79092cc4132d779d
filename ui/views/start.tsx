import { mayAct, openAction } from "../parts/act.tsx";
import { Icon } from "../parts/icon.tsx";
import type { Start } from "../types.ts";
import { plural } from "../words.ts";

/** A repository in which nothing has begun: what to do first, and who could work. */
export function FirstContact({ start }: { readonly start: Start | undefined }) {
  const here = (start?.agents ?? []).filter(({ is_here }) => is_here);
  return (
    <section class="first-contact panel" aria-labelledby="first">
      <h2 id="first">There is no plan here yet</h2>
      <p>
        A plan is a file with steps. Pawl hands its steps to coding agents, checks what they do, and keeps it.
        {start !== undefined &&
          start.checklists.length + start.unread.length > 0 &&
          " The files below could be plans: choose one, or write a new one."}
      </p>
      {mayAct() && (
        <div class="choices">
          <button type="button" class="first" onClick={() => openAction("create", {})}>
            <Icon name="plus" /> Create a plan
          </button>
          <button type="button" onClick={() => openAction("demo", {})}>
            Try the demo
          </button>
        </div>
      )}
      <p class="agents">
        <strong>Agents on this machine:</strong>{" "}
        {start === undefined ? (
          <span class="muted">looking…</span>
        ) : here.length === 0 ? (
          <span class="warn">
            none. Install one, such as Claude Code (<code>claude</code>) or Codex (<code>codex</code>), or
            name a program in <code>pawl.toml</code>.
          </span>
        ) : (
          here.map(({ name, is_chosen }) => (
            <span key={name} class="badge done">
              <span class="dot" aria-hidden="true" /> {name}
              {is_chosen && " (chosen)"}
            </span>
          ))
        )}
      </p>
    </section>
  );
}

const MOST_LISTS = 12;

/** Files that could be plans: those written as one, and Markdown with open boxes. */
export function Lists({ start, isFirst }: { readonly start: Start | undefined; readonly isFirst: boolean }) {
  if (start === undefined) return null;
  return (
    <>
      {start.unread.map((path) => (
        <FilePlan key={path} path={path} about="It has no state yet." />
      ))}
      {isFirst ? (
        start.checklists
          .slice(0, MOST_LISTS)
          .map((path) => <FilePlan key={path} path={path} about="A Markdown file with open boxes." />)
      ) : start.checklists.length > 0 ? (
        <li class="card unread more-lists">
          <details>
            <summary>{plural(start.checklists.length, "Markdown file")} with open boxes</summary>
            <ul>
              {start.checklists.slice(0, MOST_LISTS).map((path) => (
                <li key={path}>
                  <span class="path">{path}</span> <Use path={path} />
                </li>
              ))}
            </ul>
          </details>
        </li>
      ) : null}
    </>
  );
}

const FilePlan = ({ path, about }: { readonly path: string; readonly about: string }) => (
  <li class="card unread" data-file={path}>
    <strong class="path">{path}</strong>
    <span class="muted">{about}</span>
    <Use path={path} />
  </li>
);

const Use = ({ path }: { readonly path: string }) =>
  mayAct() ? (
    <button
      type="button"
      aria-label={`Read this plan: ${path}`}
      onClick={() => openAction("read", { plan: path })}
    >
      Read this plan
    </button>
  ) : null;
