import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { PLAN_TEXT, type Situation } from "./broken-situations.ts";
import type { ObedientEnd } from "./obedient-agent.ts";
import { query } from "./world.ts";
import { PLAN, type Workshop, workshop } from "./workshop.ts";

const PRECIOUS = "a person's unsaved work";

/** What an agent must never be asked to do, or do. */
export const FORBIDDEN =
  /--force|--discard|--fix|pawl (?:state (?:reset|reopen|retry|hold|prune|reconcile)|recover|worktree|sessions)|git (?:clean|reset|checkout|stash|rebase|restore)|\brm\b|\bdelete\b/i;

/** A situation as an obedient agent finds it. */
export interface Found {
  readonly shop: Workshop;
  /** Where the agent works. */
  readonly folder: string;
  /** The plan that it gets. */
  readonly plan: string | undefined;
  readonly head: string;
  readonly isRuined: boolean;
}

export async function findIn({
  make,
  plan = PLAN,
  at = ({ home }) => home,
  isRuined = false,
}: Situation): Promise<Found> {
  const shop = workshop(null);
  shop.repository.write(PLAN, PLAN_TEXT);
  shop.repository.git("add", "-A");
  shop.repository.git("commit", "-q", "-m", "the plan");
  await make(shop);
  writeFileSync(join(shop.home, "precious.txt"), `${PRECIOUS}\n`);
  const head = isRuined ? "" : shop.repository.git("rev-parse", "HEAD");
  return { shop, folder: at(shop), plan: plan ?? undefined, head, isRuined };
}

/** Nothing that was there or that the agent did is lost, and nothing counts as done that is not. */
export function expectNothingLost(
  { shop, head, isRuined }: Found,
  { end, worked }: Pick<ObedientEnd, "end" | "worked">,
): void {
  if (isRuined) {
    expect(readIfThere(join(shop.home, "precious.txt"))).toContain(PRECIOUS);
    return;
  }
  expect(isKept(shop, "precious.txt", PRECIOUS)).toBe(true);
  expect(shop.repository.git("merge-base", "--is-ancestor", head, "HEAD")).toBe("");
  const steps = stepsOf(shop);
  if (end === "done") expect(steps.map(({ status }) => status)).not.toContain("in_progress");
  expect(steps.every(({ reason }) => reason === null)).toBe(true);
  for (const step of worked) expect(isKept(shop, `work-${step}.txt`, `work on ${step}`), step).toBe(true);
}

const readIfThere = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** Whether a line is still somewhere: in the worktree, or in a commit that something leads to. */
function isKept(shop: Workshop, file: string, line: string): boolean {
  if (readIfThere(join(shop.home, file)).includes(line)) return true;
  return shop.repository
    .git("for-each-ref", "--format=%(refname)")
    .split("\n")
    .some((ref) => {
      try {
        return shop.repository.git("show", `${ref}:${file}`).includes(line);
      } catch {
        return false;
      }
    });
}

interface StepSeen {
  readonly anchor: string;
  readonly status: string;
  readonly reason: string | null;
}

const stepsOf = (shop: Workshop): readonly StepSeen[] =>
  !existsSync(shop.database)
    ? []
    : (query(
        shop.database,
        "select anchor, status, complete_reason as reason from steps",
      ) as unknown as readonly StepSeen[]);
