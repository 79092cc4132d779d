import { layers } from "../src/domain/plan-graph.ts";
import { cutOffAt } from "./cut-off.ts";
import type { Command, Lifeline, StepLine } from "./types.ts";

/** What one step of one plan took, over all sessions. Commands without a step are summed by their name. */
export interface StepTime {
  readonly plan: string | null;
  readonly name: string;
  readonly ms: number;
}

export function lengthOf(command: Command, session: Lifeline, now: number): number {
  const end = command.ended_at ?? cutOffAt(command, session.spans, session);
  return Math.max((end === undefined ? now : Date.parse(end)) - Date.parse(command.started_at), 0);
}

/** The costliest first. Two plans may both have a step-1, so the plan is part of the key. */
export function timeByStep(sessions: readonly Lifeline[], now: number): readonly StepTime[] {
  const sums = new Map<string, StepTime>();
  for (const session of sessions)
    for (const command of session.spans) {
      const name = command.anchor ?? command.command;
      const key = JSON.stringify([session.plan_path, name]);
      const ms = (sums.get(key)?.ms ?? 0) + lengthOf(command, session, now);
      sums.set(key, { plan: session.plan_path, name, ms });
    }
  return [...sums.values()].toSorted((a, b) => b.ms - a.ms);
}

/** The chain of dependent steps that took longest, the first one first. More workers would not have made it shorter. */
export function slowestChain(
  steps: readonly Pick<StepLine, "anchor" | "depends_on" | "parent_anchor">[],
  times: readonly Pick<StepTime, "name" | "ms">[],
): { readonly anchors: readonly string[]; readonly ms: number } {
  const tops = steps.filter(({ parent_anchor }) => parent_anchor === null);
  const waits = new Map(tops.map(({ anchor, depends_on = [] }) => [anchor, depends_on]));
  const took = new Map(times.map(({ name, ms }) => [name, ms]));
  const order = layers(
    tops.map(({ anchor }) => ({ anchor, parent: undefined })),
    tops.flatMap(({ anchor, depends_on = [] }) =>
      depends_on.filter((to) => waits.has(to)).map((to) => ({ from: anchor, to })),
    ),
  ).flat();
  const ends = new Map<string, { readonly ms: number; readonly before: string | undefined }>();
  const msOf = (anchor: string | undefined): number => (anchor && ends.get(anchor)?.ms) || 0;
  const longest = (some: readonly string[]): string | undefined =>
    some.reduce<string | undefined>((best, one) => (msOf(one) > msOf(best) ? one : best), undefined);
  for (const anchor of order) {
    const before = longest(waits.get(anchor) ?? []);
    ends.set(anchor, { ms: (took.get(anchor) ?? 0) + msOf(before), before });
  }
  const anchors: string[] = [];
  const last = longest(order);
  for (let at = last; at !== undefined; at = ends.get(at)?.before) anchors.unshift(at);
  return { anchors, ms: msOf(last) };
}
