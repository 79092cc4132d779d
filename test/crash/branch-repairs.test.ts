import { chmodSync, cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChildPrograms, childPrograms, ended, linkHeart } from "../support/child-program.ts";
import { isChange } from "../support/crash-at.ts";
import { cleanEnv } from "../support/repository.ts";
import { type RunShop, runShop } from "../support/run-shop.ts";
import type { VerbOutput } from "./programs/verb.ts";

/**
 * Kills `recover` after every effect that changes something, while it gives a plan's branch its last commit back: from an emptied ref of which git has
 * packed an older commit, from a branch that was moved back, and from one without a ref. The next call ends where an
 * undisturbed one does, and no completed step is missing.
 */

let programs: ChildPrograms<"verb">;

beforeAll(async () => {
  programs = await childPrograms("verb");
  linkHeart(programs, "verb");
});

afterAll(() => programs.remove());

const DAMAGES: readonly (readonly [string, (shop: RunShop, last: string) => void])[] = [
  [
    "an emptied ref beside an older packed one",
    ({ repo }, last) => {
      repo.git("update-ref", "refs/heads/pawl/plan", `${last}~1`);
      repo.git("pack-refs", "--all");
      repo.git("update-ref", "refs/heads/pawl/plan", last);
      const path = join(repo.path, ".git/refs/heads/pawl/plan");
      chmodSync(path, 0o644);
      truncateSync(path, 0);
    },
  ],
  [
    "a branch that was moved back",
    ({ repo }, last) => void repo.git("branch", "-f", "pawl/plan", `${last}~1`),
  ],
  ["a branch without a ref", ({ repo }) => void repo.git("update-ref", "-d", "refs/heads/pawl/plan")],
];

it.each(DAMAGES)(
  "after a kill at any effect, the branch gets its last commit back: %s",
  async (_, damage) => {
    const shop = runShop();
    const { repo } = shop;
    expect(await shop.run()).toMatchObject({ code: 0 });
    const last = repo.git("rev-parse", "pawl/plan");
    damage(shop, last);
    const home = dirname(repo.path);
    const template = realpathSync(mkdtempSync(join(tmpdir(), "pawl-template-")));
    const trace = join(tmpdir(), `${home.split("/").at(-1)}.trace`);
    const copy = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const;
    cpSync(home, template, copy);
    const call = (at: number) => {
      const input = {
        cwd: repo.path,
        at,
        trace,
        names: true,
        call: { verb: "recover", request: {} },
      } as const;
      return ended(programs.start("verb", input, { env: cleanEnv() }));
    };
    try {
      const whole = await call(0);
      expect({ code: whole.code, stderr: whole.stderr }).toEqual({ code: 0, stderr: "" });
      const { names = [] } = JSON.parse(whole.stdout) as Extract<VerbOutput, { answer: unknown }>;
      const moments = names.flatMap((name, index) => (isChange(name) ? [index + 1] : []));
      for (const at of moments) {
        rmSync(home, { recursive: true, force: true });
        cpSync(template, home, copy);
        if ((await call(at)).signal !== "SIGKILL") break;
        const when = `kill at ${readFileSync(trace, "utf8")}`;
        const { code, stderr } = await call(0);
        expect({ when, code, stderr, tip: repo.git("rev-parse", "pawl/plan") }).toEqual({
          when,
          code: 0,
          stderr: "",
          tip: last,
        });
      }
      expect(moments.length).toBeGreaterThan(3);
    } finally {
      for (const path of [template, trace]) rmSync(path, { recursive: true, force: true });
    }
  },
);
