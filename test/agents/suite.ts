import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AGENTS } from "../../src/agents/presets/index.ts";
import type { Run } from "../support/cli.ts";
import { THREE } from "../support/run-shop.ts";
import { until } from "../support/until.ts";
import { agentNameOf, type AgentShop, agentShop, type ShopOptions } from "./agent-shop.ts";
import { type ReleasedAgent, versionOf } from "./installed-agents.ts";
import { type StandIn, standIn } from "./stand-in.ts";

const ONE = [{ number: "1", tasks: ["make it"] }];
const PROFILES = ["edits", "sandboxed", "full"] as const;

/** Everything that a released agent must get through, with the flags that Pawl ships, in every profile. */
export function agentSuite(program: ReleasedAgent, { isAcp = false } = {}): void {
  const { hasCommandList } = AGENTS[isAcp ? "acp" : program];
  const name = agentNameOf(program, isAcp);
  let api: StandIn;
  beforeEach(async () => {
    api = await standIn();
  });
  afterEach(() => api.close());

  const shopOf = (options: Partial<ShopOptions> = {}): AgentShop =>
    agentShop(program, api, { steps: ONE, isAcp, ...options });
  const endsWith = ({ code, stdout, stderr }: Run, expected: number) =>
    expect(code, `${stdout}${stderr}`).toBe(expected);
  const succeeds = (run: Run) => endsWith(run, 0);

  describe(`${name} ${versionOf(program)}`, () => {
    describe.each(PROFILES)("with %s", (profile) => {
      it("completes three steps, runs the check in each, and writes nothing outside", async () => {
        const shop = shopOf({ profile, steps: THREE });
        const outside = { run: `echo escaped > ${shop.canary}` };
        api.answer(...shop.diligent(1), outside, ...shop.diligent(2), ...shop.diligent(3));
        const run = await shop.cli("run", "plan.md");
        succeeds(run);
        expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
        expect(shop.repo.git("show", "pawl/plan:step-3.txt")).toBe("made 3");
        // By the agents: Pawl checks in a checkout of its own.
        expect(shop.checks()).toBe(3);
        expect(shop.attempts()).toBe(3);
        expect(shop.hasCanary()).toBe(profile === "full");
      });

      it("says which command or file was refused, and what would allow it", async () => {
        const shop = shopOf({ profile });
        // Both of the programs behind the protocol ask before they run a command.
        const isListed = profile === "edits" && (hasCommandList || isAcp);
        const forbidden = isListed ? "node -e 0" : `echo escaped > ${shop.canary}`;
        api.answer({ run: forbidden }, ...shop.diligent(1));
        const run = await shop.cli("run", "plan.md");
        succeeds(run);
        expect(shop.hasCanary()).toBe(profile === "full");
        const told = `${name} was refused: ${isListed ? forbidden : `write ${shop.canary}`}. Allow it with`;
        if (profile === "full") expect(run.stderr).not.toContain("was refused");
        else expect(run.stderr).toContain(told);
      });
    });

    it("that forgets to tick is reminded in its conversation, and no attempt is lost", async () => {
      const shop = shopOf();
      api.answer({ run: "echo made > made.txt" }, { say: "Finished." }, shop.tick(1), { say: "Ticked." });
      succeeds(await shop.cli("run", "plan.md"));
      expect(shop.commits()).toEqual(["step-1"]);
      expect(shop.attempts()).toBe(1);
      expect(new Set(shop.conversations()).size).toBe(1);
    });

    it("that asks a question is blocked with it, everywhere", async () => {
      const shop = shopOf();
      api.answer({ say: "Which colour should it be: red or blue?" });
      const run = await shop.cli("run", "plan.md");
      endsWith(run, 5);
      expect(run.stdout).toContain("red or blue");
      for (const args of [
        ["explain", "plan.md", "step-1"],
        ["status"],
        ["explain", "plan.md", "step-1", "--json"],
      ])
        expect((await shop.cli(...args)).stdout, args.join(" ")).toContain("red or blue");
    });

    it("pauses at a usage limit without an attempt, and resume continues", async () => {
      const shop = shopOf();
      api.answer({ refuse: "limit" });
      const paused = await shop.cli("run", "plan.md");
      endsWith(paused, 5);
      expect(paused.stdout).toContain("resume with: pawl resume");
      expect(shop.query("select interruption_type from sessions")).toEqual([
        { interruption_type: "usage_limit" },
      ]);
      expect(shop.attempts()).toBe(0);
      api.answer(...shop.diligent(1));
      succeeds(await shop.cli("resume"));
      expect(shop.commits()).toEqual(["step-1"]);
    });

    it("gets over a server that is overloaded, without an attempt", async () => {
      const shop = shopOf();
      api.answer({ refuse: "overload" }, ...shop.diligent(1));
      succeeds(await shop.cli("run", "plan.md", "--wait"));
      expect(shop.commits()).toEqual(["step-1"]);
      expect(shop.attempts()).toBe(1);
    });

    it("whose key is rejected says so and pauses, without an attempt", async () => {
      const shop = shopOf();
      api.answer({ refuse: "key" });
      const run = await shop.cli("run", "plan.md", "--wait");
      endsWith(run, 5);
      expect(`${run.stdout}${run.stderr}`).toContain("unauthorised");
      expect(shop.attempts()).toBe(0);
    });

    it("that is killed with its runner continues in the same conversation", async () => {
      const shop = shopOf();
      api.answer({ run: "echo half > half.txt; sleep 1000" });
      const first = shop.start("run", "plan.md");
      await until(() => existsSync(join(shop.worktree(), "half.txt")), undefined, 120_000);
      first.child.kill("SIGKILL");
      await first.ended;
      api.answer(...shop.diligent(1));
      succeeds(await shop.cli("resume"));
      expect(shop.commits()).toEqual(["step-1"]);
      expect(shop.repo.git("ls-tree", "-r", "--name-only", "pawl/plan")).toContain("half.txt");
      const [before, after] = shop.conversations();
      expect(before).toEqual(expect.any(String));
      expect(after).toBe(before);
    });
  });
}
