import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Params } from "../api.ts";
import { CopyButton } from "../parts/copy.tsx";
import { Heading, Loading, Trouble } from "../parts/small.tsx";
import { useData } from "../use-data.ts";
import { instant, shortHash } from "../words.ts";

interface Changes {
  readonly commit: string | null;
  readonly author: string | null;
  readonly authored_at: string | null;
  readonly message: string | null;
  readonly diff: string;
  readonly is_cut: boolean;
}

/** What a commit, kept work, a worktree or a branch changed. */
export function ChangesOf({
  params,
  label,
  isWhole = false,
}: {
  readonly params: Params;
  readonly label: string;
  /** The view is about nothing else. */
  readonly isWhole?: boolean;
}) {
  const { data, error } = useData<Changes>("/api/changes", params, () => false);
  return (
    <section class={`panel changes ${isWhole ? "whole" : ""}`} aria-label={label}>
      <h2>
        {label} {data?.commit && <CopyButton text={data.commit} what="the commit" />}
      </h2>
      {error && <Trouble error={error} />}
      {!data && !error && <Loading lines={3} />}
      {data && (
        <>
          {data.message && <p class="because">{data.message.split("\n")[0]}</p>}
          {data.author && (
            <p class="muted">
              {data.author}, {instant(data.authored_at ?? "")}
            </p>
          )}
          <LazyDiff
            patch={data.diff}
            base={typeof params["worktree"] === "string" ? `${params["worktree"]}/` : ""}
          />
          {data.is_cut && <p class="muted">Shortened here; git has all of it.</p>}
        </>
      )}
    </section>
  );
}

/** A commit at an address of its own. */
export const Commit = ({ hash }: { readonly hash: string }) => (
  <div class="view">
    <Heading
      title={`Commit ${shortHash(hash)}`}
      about={
        <>
          <code>{hash}</code> <CopyButton text={hash} what="the hash" />
        </>
      }
    />
    <ChangesOf params={{ commit: hash }} label="Changes" isWhole />
  </div>
);

/** The same, loaded when it is unfolded. */
export function ChangesFold({ params, label }: { readonly params: Params; readonly label: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="changes-fold" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && <ChangesOf params={params} label={label} />}
    </details>
  );
}

/** Colours are loaded with the first change that is shown. */
interface DiffProps {
  readonly patch: string;
  /** Where its paths begin; of what is in no worktree, in the checkout. */
  readonly base: string;
}

function LazyDiff({ patch, base }: DiffProps) {
  const [View, setView] = useState<ComponentType<DiffProps>>();
  useEffect(() => {
    void import("../diff/diff.tsx").then(({ DiffView }) => setView(() => DiffView));
  }, []);
  return View ? <View patch={patch} base={base} /> : <Loading lines={3} />;
}
