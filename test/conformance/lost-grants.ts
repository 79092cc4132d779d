import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { journal } from "../../src/journal/journal.ts";
import { findLostGrant } from "../../src/steps/sql/find-lost-grant.ts";
import { type ConformanceWorld, openWorld, type OpenStore } from "./store.ts";

type Line = readonly [event: string, worktree: "mine" | "theirs" | null, claim?: number, anchor?: string];

const CASES: readonly (readonly [what: string, lines: readonly Line[], lost: string | undefined])[] = [
  [
    "a step that another worktree took",
    [
      ["claimed", "mine", 1],
      ["reclaimed", "theirs", 2],
    ],
    "s1 1",
  ],
  ["no step that is still held", [["claimed", "mine", 1]], undefined],
  [
    "no step that was taken from the other one",
    [
      ["claimed", "theirs", 1],
      ["reclaimed", "mine", 2],
    ],
    undefined,
  ],
  [
    "no step that only moved on",
    [
      ["claimed", "mine", 1],
      ["started", "theirs", 2],
    ],
    undefined,
  ],
  [
    "no step that was completed here",
    [
      ["claimed", "mine", 1],
      ["completed", "mine", 1],
      ["claimed", "theirs", 2],
    ],
    undefined,
  ],
  [
    "no step that was given back from here",
    [
      ["claimed", "mine", 1],
      ["released", "mine", 1],
      ["claimed", "theirs", 3],
    ],
    undefined,
  ],
  [
    "a step that was given back under an earlier number",
    [
      ["claimed", "mine", 1],
      ["released", "mine", 1],
      ["claimed", "mine", 3],
      ["reclaimed", "theirs", 4],
    ],
    "s1 3",
  ],
  [
    "a step that a person released by force",
    [
      ["claimed", "mine", 1],
      ["released", null, 1],
      ["claimed", "theirs", 3],
    ],
    "s1 1",
  ],
  [
    "no step of a worktree that was at this place before",
    [
      ["claimed", "mine", 1],
      ["worktree-created", "mine"],
      ["reclaimed", "theirs", 2],
    ],
    undefined,
  ],
  [
    "no step of a worktree that is gone",
    [
      ["claimed", "mine", 1],
      ["worktree-removed", "mine"],
      ["reclaimed", "theirs", 2],
    ],
    undefined,
  ],
  [
    "a step of a worktree that was only saved",
    [
      ["claimed", "mine", 1],
      ["worktree-saved", "mine"],
      ["reclaimed", "theirs", 2],
    ],
    "s1 1",
  ],
  [
    "a step, whatever became of other worktrees",
    [
      ["claimed", "mine", 1],
      ["worktree-created", "theirs"],
      ["reclaimed", "theirs", 2],
    ],
    "s1 1",
  ],
  [
    "no step before the last one",
    [
      ["claimed", "mine", 1],
      ["reclaimed", "theirs", 2],
      ["claimed", "mine", 1, "s2"],
    ],
    undefined,
  ],
  [
    "no step whose namesake was taken",
    [
      ["claimed", "mine", 1],
      ["reclaimed", "theirs", 2, "s2"],
    ],
    undefined,
  ],
];

/** Which step a worktree lost to another one, by the journal. */
export function lostGrantConformance(name: string, open: OpenStore): void {
  describe(`${name} finds what a worktree lost`, () => {
    let world: ConformanceWorld;
    beforeAll(async () => {
      world = await openWorld(open);
    });
    afterAll(() => world.close());

    let places = 0;

    /** The lost claim of `mine` after these lines of the journal: its step and number. */
    async function lostAfter(lines: readonly Line[], besides?: string): Promise<string | undefined> {
      const place = (places += 1);
      const plan = `p${place}`;
      const path = (who: string | null) => (who === null ? null : `/${place}/${who}`);
      return world.database.write(async (sql) => {
        for (const [event, worktree, claim = 1, anchor = "s1"] of lines)
          await journal(sql, { event, plan, anchor, claim, worktree: path(worktree) });
        const lost = await sql.get(findLostGrant, {
          worktree: path("mine")!,
          besides_plan: besides === undefined ? null : plan,
          besides_anchor: besides ?? null,
        });
        return lost && `${lost.anchor} ${lost.claim}`;
      });
    }

    it.each(CASES)("a worktree lost %s", async (_, lines, lost) => {
      expect(await lostAfter(lines)).toBe(lost);
    });

    it("a worktree lost the step before the one that it holds, where that one is left out", async () => {
      const lines: Line[] = [
        ["claimed", "mine", 1],
        ["reclaimed", "theirs", 2],
        ["claimed", "mine", 1, "s2"],
      ];
      expect(await lostAfter(lines, "s2")).toBe("s1 1");
      expect(await lostAfter(lines, "s1")).toBe(undefined);
    });

    it("a step of another plan with the same name is another step", async () => {
      const lost = await world.database.write(async (sql) => {
        await journal(sql, { event: "claimed", plan: "one", anchor: "s1", claim: 1, worktree: "/two-plans" });
        await journal(sql, { event: "reclaimed", plan: "two", anchor: "s1", claim: 2, worktree: "/other" });
        const besides = { besides_plan: null, besides_anchor: null };
        return sql.get(findLostGrant, { worktree: "/two-plans", ...besides });
      });
      expect(lost).toBe(undefined);
    });
  });
}
