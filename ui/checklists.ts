import { useEffect, useMemo, useState } from "preact/hooks";
import { ask, isTooMany, LATER_MS, Refused } from "./api.ts";
import { type Again, gather } from "./gather.ts";
import { onNews } from "./live.ts";
import type { StepPage } from "./types.ts";

export type Item = StepPage["items"][number];

const MOST = 40;

/** The checklists of a plan's steps, asked for when they are first shown. */
export interface Checklists {
  /** Undefined while they are on their way. */
  readonly of: (anchor: string) => readonly Item[] | undefined;
}

export function useChecklists(plan: string): Checklists {
  const [, redraw] = useState(0);
  const kept = useMemo(() => keep(plan, () => redraw((count) => count + 1)), [plan]);
  useEffect(() => kept.listen(), [kept]);
  return kept;
}

function keep(plan: string, changed: () => void): Checklists & { readonly listen: () => () => void } {
  const known = new Map<string, readonly Item[]>();
  const wanted = new Set<string>();
  const loading = gather(async (): Promise<Again> => {
    const anchors = [...wanted].slice(0, MOST);
    if (anchors.length === 0) return undefined;
    try {
      const { steps } = await ask<{
        readonly steps: readonly { readonly anchor: string; readonly items: readonly Item[] }[];
      }>("/api/items", { plan, anchor: anchors });
      for (const { anchor, items } of steps) known.set(anchor, items);
    } catch (error) {
      if (isTooMany(error)) return LATER_MS;
      if (!(error instanceof Refused)) throw error;
      for (const anchor of anchors) known.set(anchor, []);
    }
    for (const anchor of anchors) wanted.delete(anchor);
    changed();
    return wanted.size > 0 ? 0 : undefined;
  });
  const want = (anchor: string): void => {
    wanted.add(anchor);
    loading.soon();
  };
  return {
    of(anchor) {
      if (!known.has(anchor) && !wanted.has(anchor)) want(anchor);
      return known.get(anchor);
    },
    listen() {
      const unlisten = onNews((news) => {
        if (news.kind === "again") for (const anchor of known.keys()) want(anchor);
        if (news.kind !== "journal" || news.event.plan_path !== plan) return;
        const { anchor } = news.event;
        if (anchor !== null && known.has(anchor)) want(anchor);
      });
      return () => {
        unlisten();
        loading.stop();
      };
    },
  };
}
