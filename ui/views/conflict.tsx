import { type Part, conflictParts } from "../conflict-hunks.ts";
import { Copyable } from "../parts/copy.tsx";
import { Loading, Trouble } from "../parts/small.tsx";
import { useData } from "../use-data.ts";
import { plural, shortHash } from "../words.ts";
import { ChangesFold } from "./changes.tsx";

interface Answer {
  readonly conflict: {
    readonly branch: string;
    readonly worktree: string;
    readonly tip: string;
    readonly kept: string;
    readonly kept_ref: string;
    readonly files: readonly { readonly path: string; readonly text: string | null }[];
  } | null;
}

const CONTEXT = 3;

/** Both sides of what keeps a step from landing, the work that was kept, and the commands that merge it by hand. */
export function Conflict({ plan, anchor }: { readonly plan: string; readonly anchor: string }) {
  const { data, error } = useData<Answer>(
    "/api/conflict",
    { plan, step: anchor },
    (news) => news.kind === "journal" && news.event.plan_path === plan && news.event.event === "landed",
  );
  if (error && !data) return <Trouble error={error} />;
  if (!data) return <Loading lines={4} />;
  const { conflict } = data;
  if (conflict === null) return null;
  const { files, branch, kept, worktree } = conflict;
  return (
    <section class="panel conflict" aria-labelledby="conflict">
      <h2 id="conflict">
        {files.length === 0 ? "The conflict is gone" : `Conflicts in ${plural(files.length, "file")}`}
      </h2>
      {files.length === 0 && (
        <p>
          The kept work merges with <code>{branch}</code> as it is now: redo the step, or merge it by hand.
        </p>
      )}
      {files.map(({ path, text }) => (
        <div key={path} class="conflict-file">
          <h3>
            <code>{path}</code>
          </h3>
          {text === null ? (
            <p class="muted">Changed on one side and deleted on the other, or not a text file.</p>
          ) : (
            <Parts text={text} />
          )}
        </div>
      ))}
      <ChangesFold params={{ commit: kept }} label={`The kept commit ${shortHash(kept)}`} />
      <h3>To merge it by hand</h3>
      <Copyable text={`cd ${worktree}`} />
      <Copyable text={`git merge ${branch}`} />
      <Copyable text={`pawl verify ${plan} ${anchor}`} />
      <p class="muted">
        First commit or stash uncommitted changes there, and resolve the files above before the last line. “I
        merged it by hand” runs it too.
      </p>
    </section>
  );
}

function Parts({ text }: { readonly text: string }) {
  const parts = conflictParts(text);
  return (
    <div class="sides" role="region" tabIndex={0} aria-label="Both sides">
      {parts.map((part, index) => (
        <PartView key={index} part={part} isFirst={index === 0} isLast={index === parts.length - 1} />
      ))}
    </div>
  );
}

function PartView({
  part,
  isFirst,
  isLast,
}: {
  readonly part: Part;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}) {
  if (part.kind === "conflict")
    return (
      <div class="hunk">
        <div class="side landed">
          <h4>What landed</h4>
          <pre>{part.landed.join("\n") || "nothing"}</pre>
        </div>
        <div class="side own">
          <h4>This step</h4>
          <pre>{part.own.join("\n") || "nothing"}</pre>
        </div>
      </div>
    );
  const { lines } = part;
  const [before, after] = [isFirst ? [] : lines.slice(0, CONTEXT), isLast ? [] : lines.slice(-CONTEXT)];
  const isAll = before.length + after.length >= lines.length;
  const shown = isAll && !isFirst && !isLast ? lines : [...before, ...(isAll ? [] : ["⋯"]), ...after];
  return <pre class="same">{shown.join("\n")}</pre>;
}
