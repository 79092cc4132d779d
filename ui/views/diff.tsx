import { useState } from "preact/hooks";
import { Loading, Trouble } from "../parts/small.tsx";
import { useData } from "../use-data.ts";
import { instant, plural, shortHash } from "../words.ts";

interface Commit {
  readonly commit: string;
  readonly author: string;
  readonly authored_at: string;
  readonly message: string;
  readonly diff: string;
  readonly is_cut: boolean;
}

const SHOWN = 400;

/** A commit with what it changed. */
export function Diff({ hash }: { readonly hash: string }) {
  const { data, error } = useData<Commit>("/api/commit", { hash }, () => false);
  const [isWhole, setIsWhole] = useState(false);
  const lines = data?.diff.split("\n") ?? [];
  return (
    <section class="panel" aria-labelledby="commit">
      <h2 id="commit">
        Commit <code>{shortHash(hash)}</code>
      </h2>
      {error && <Trouble error={error} />}
      {!data && !error && <Loading lines={3} />}
      {data && (
        <>
          <p class="because">{data.message.split("\n")[0]}</p>
          <p class="muted">
            {data.author}, {instant(data.authored_at)}
          </p>
          <pre class="diff" tabIndex={0} aria-label="What the commit changed">
            {lines.slice(0, isWhole ? undefined : SHOWN).map((line, index) => (
              <span key={index} class={kindOf(line)}>
                {line}
                {"\n"}
              </span>
            ))}
          </pre>
          {!isWhole && lines.length > SHOWN && (
            <button type="button" onClick={() => setIsWhole(true)}>
              Show {plural(lines.length - SHOWN, "more line")}
            </button>
          )}
          {data.is_cut && <p class="muted">It is longer than this; git has all of it.</p>}
        </>
      )}
    </section>
  );
}

function kindOf(line: string): string {
  if (line.startsWith("diff ") || line.startsWith("+++") || line.startsWith("---")) return "file";
  if (line.startsWith("@@")) return "place";
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "";
}
