import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PLAN_TEXT, SITUATIONS } from "../support/broken-situations.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { obey } from "../support/obedient-agent.ts";
import { query } from "../support/world.ts";
import { PLAN, type Workshop, workshop } from "../support/workshop.ts";

const MOST_CALLS = 40;

const PRECIOUS = "somebody's unsaved work";

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

/** What an agent must never be told to do. */
const FORBIDDEN =
  /--force|--discard|--fix|pawl (?:state (?:reset|reopen|retry|hold|prune|reconcile)|recover|worktree|sessions)|git (?:clean|reset|checkout|stash|rebase|restore)|\brm\b|\bdelete\b/i;

/** Everything that each was told, without what differs from run to run. */
const heardIn = new Map<string, string>();

describe("an agent that obeys every text", () => {
  it.each(Object.entries(SITUATIONS))(
    "%s: ends done or with a person asked, and loses nothing",
    async (name, { make, end: expected, plan = PLAN, at = () => undefined, isRuined = false }) => {
      const shop = workshop(null);
      shop.repository.write(PLAN, PLAN_TEXT);
      shop.repository.git("add", "-A");
      shop.repository.git("commit", "-q", "-m", "the plan");
      await make(shop);
      const folder = at(shop) ?? shop.home;
      writeFileSync(join(shop.home, "precious.txt"), `${PRECIOUS}\n`);
      const head = isRuined ? "" : shop.repository.git("rev-parse", "HEAD");
      const client = await mcpClient({ cwd: folder });
      const { end, told, heard } = await obey(client, folder, plan ?? undefined);
      await client.client.close();
      heardIn.set(name, heard.join("\n").replaceAll(shop.home, "HOME"));
      expect(end, heard.join("\n")).toBe(expected);
      expect(heard.length).toBeLessThan(MOST_CALLS);
      expect(heard.join("\n"), told).not.toMatch(FORBIDDEN);
      if (isRuined) {
        expect(readIfThere(join(shop.home, "precious.txt"))).toContain(PRECIOUS);
        return;
      }
      expect(isKept(shop, "precious.txt", PRECIOUS)).toBe(true);
      expect(shop.repository.git("merge-base", "--is-ancestor", head, "HEAD")).toBe("");
      const steps = stepsOf(shop);
      if (end === "done") expect(steps.map(({ status }) => status)).not.toContain("in_progress");
      expect(steps.every(({ reason }) => reason === null)).toBe(true);
      for (const step of heard.flatMap(
        (text) => /^pawl_claim: (?:Claimed|You hold) (\S+)/.exec(text)?.[1] ?? [],
      ))
        expect(isKept(shop, `work-${step}.txt`, `work on ${step}`), step).toBe(true);
    },
  );

  it("was tried in 50 situations and more, and they were not all the same to it", () => {
    expect(heardIn.size).toBeGreaterThanOrEqual(50);
    expect(new Set(heardIn.values()).size).toBeGreaterThanOrEqual(45);
  });
});
