import { useState } from "preact/hooks";
import { ask, Refused } from "../api.ts";
import { Choices } from "../parts/act.tsx";
import { FilePath } from "../parts/file-path.tsx";
import { say } from "../parts/notes.tsx";
import { Badge, Empty, Heading, Loading, Trouble } from "../parts/small.tsx";
import { Ago } from "../parts/time.tsx";
import { ChangesFold } from "./changes.tsx";
import { to } from "../router.ts";
import type { Lane, Worktree } from "../types.ts";
import { useData } from "../use-data.ts";
import { bytes, plural, shortId, shortPath } from "../words.ts";

const LANES: Readonly<Record<Worktree["state"], Lane>> = {
  free: "done",
  held: "ready",
  running: "working",
  interrupted: "stopped",
};

interface Listed {
  readonly worktrees: readonly Worktree[];
  readonly state_problem: string | null;
}

/** Where the work lies, and what of it is not committed. */
export function Worktrees() {
  const { data, error } = useData<Listed>("/api/worktrees");
  const [sizes, setSizes] = useState<ReadonlyMap<string, number>>(new Map());
  if (error && !data) return <Trouble error={error} />;
  if (!data) return <Loading lines={6} />;
  const measure = async (): Promise<void> => {
    try {
      const { worktrees } = await ask<Listed>("/api/worktrees", { size: 1 });
      setSizes(new Map(worktrees.map((one) => [one.worktree_path, one.size_bytes ?? 0])));
    } catch (refused) {
      if (refused instanceof Refused) say(refused.message, "bad");
    }
  };
  return (
    <div class="view worktrees">
      <Heading title="Worktrees" about={plural(data.worktrees.length, "worktree")}>
        <button type="button" onClick={() => void measure()}>
          Measure sizes
        </button>
      </Heading>
      {data.state_problem && <p class="warn">{data.state_problem}</p>}
      {data.worktrees.length === 1 && (
        <Empty icon="worktrees" title="Only your own checkout">
          <p>Each run makes worktrees of its own; agents never work in yours.</p>
        </Empty>
      )}
      <ul class="cards worktree-cards">
        {data.worktrees.map((one) => (
          <Card key={one.worktree_path} one={one} size={sizes.get(one.worktree_path)} />
        ))}
      </ul>
    </div>
  );
}

/** How far it is from its base: nought says nothing. */
function distanceOf({ ahead, behind, base_branch }: Worktree): string {
  if (!ahead && !behind) return `level with ${base_branch}`;
  if (!behind) return `${ahead} ahead of ${base_branch}`;
  return `${ahead ? `${ahead} ahead, ` : ""}${behind} behind ${base_branch}`;
}

const Card = ({ one, size }: { readonly one: Worktree; readonly size: number | undefined }) => (
  <li class="card" data-worktree={one.worktree_path}>
    <div class="card-head">
      <strong>{one.branch_name ?? "detached"}</strong>
      {one.is_main ? (
        <Badge lane="waiting">your checkout</Badge>
      ) : (
        <Badge lane={LANES[one.state]}>{one.state}</Badge>
      )}
    </div>
    <p class="muted">
      <FilePath path={one.worktree_path}>
        {one.is_main ? one.worktree_path : shortPath(one.worktree_path)}
      </FilePath>
    </p>
    <p class="worktree-facts">
      <span class={one.dirty_files ? "warn" : "muted"}>
        {one.dirty_files ? plural(one.dirty_files, "uncommitted file") : "clean"}
      </span>
      {one.ahead !== null && <span class="muted">{distanceOf(one)}</span>}
      {size !== undefined && <span class="numbers">{bytes(size)}</span>}
      <span class="muted">
        <Ago at={one.last_activity_at} />
      </span>
      {one.missing && <span class="warn">its folder is gone</span>}
      {one.problem && <span class="warn">{one.problem}</span>}
    </p>
    <p class="where">
      {one.plan_path && <a href={to("plan", one.plan_path, "board")}>{one.plan_path}</a>}
      {one.session && <a href={to("sessions", one.session.id)}>{shortId(one.session.id)}</a>}
    </p>
    {Boolean(one.dirty_files) && !one.missing && (
      <ChangesFold params={{ worktree: one.worktree_path }} label="Uncommitted changes" />
    )}
    {one.managed && !one.is_main && one.state !== "running" && (
      <Choices
        choices={["clean"]}
        subject={{ worktree: one.worktree_path }}
        about={one.branch_name ?? one.worktree_path}
      />
    )}
  </li>
);
