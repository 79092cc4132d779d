import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Run } from "../support/cli.ts";
import { testRepository } from "../support/repository.ts";
import { type RunShop, runShop } from "../support/run-shop.ts";
import { connect, modelOf } from "./connections.ts";
import { programOf, type ReleasedAgent } from "./installed-agents.ts";
import type { StandIn, Turn } from "./stand-in.ts";

/** Outside of the temporary folder, which every sandbox leaves writable. */
const BELOW = fileURLToPath(new URL("../../node_modules/.cache/agent-shops", import.meta.url));

export interface ShopOptions {
  readonly profile?: string;
  readonly steps: Parameters<typeof runShop>[0];
  /** Started by the preset `acp` in place of its own. */
  readonly isAcp?: boolean;
  /** Further agents, in the order in which they continue for the first. */
  readonly others?: readonly ReleasedAgent[];
  /** Lines of the agent's own table, by preset. */
  readonly more?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface AgentShop extends RunShop {
  /** Runs Pawl without blocking this process, in which the stand-in answers. */
  readonly cli: (...args: readonly string[]) => Promise<Run>;
  /** A file that no agent of this shop may write. */
  readonly canary: string;
  readonly hasCanary: () => boolean;
  /** What a diligent model does with a step: it writes a file, runs the check, ticks, and says so. */
  readonly diligent: (step: number) => readonly Turn[];
  readonly tick: (step: number) => Turn;
  /** How often the check ran in the worktree, by anyone. */
  readonly checks: () => number;
  readonly attempts: () => number;
  readonly conversations: () => readonly unknown[];
}

/** What an agent is called in the settings of a shop, and so in what Pawl says. */
export const agentNameOf = (name: ReleasedAgent, isAcp: boolean): string => (isAcp ? `${name}-acp` : name);

const presetSettings = (name: ReleasedAgent): readonly string[] => [
  `program = ${JSON.stringify([programOf(name)])}`,
  `model = "${modelOf(name)}"`,
];

/** The protocol has no word for a model: it is an argument, or a variable of the agent's own. */
const acpSettings = (name: ReleasedAgent): readonly string[] => [
  'preset = "acp"',
  `program = ${JSON.stringify([programOf(name), "--acp"])}`,
  ...(name === "gemini" ? [`args = ${JSON.stringify(["--model", modelOf(name)])}`] : []),
];

/** A fresh package with a check, a plan, and one of the released agents with its default permissions. */
export function agentShop(name: ReleasedAgent, api: StandIn, options: ShopOptions): AgentShop {
  mkdirSync(BELOW, { recursive: true });
  const repo = testRepository({ below: BELOW });
  const home = join(repo.path, "../home");
  const names = [name, ...(options.others ?? [])];
  const { isAcp = false } = options;
  const [first, ...others] = names.map((each) => agentNameOf(each, isAcp));
  const env = Object.assign({}, ...names.map((each) => connect(each, api.url, home)), options.env) as Record<
    string,
    string
  >;
  const settings = [
    `agent = "${first}"`,
    ...(others.length > 0 ? [`fallback = ${JSON.stringify(others)}`] : []),
    "[verify]",
    'command = ["npm", "test"]',
    ...names.flatMap((each) => [
      `[agents.${agentNameOf(each, isAcp)}]`,
      ...(isAcp ? acpSettings(each) : presetSettings(each)),
      ...(options.profile === undefined ? [] : [`permissions = "${options.profile}"`]),
      ...(options.more ?? []),
    ]),
    "",
  ].join("\n");
  repo.write("package.json", JSON.stringify({ private: true, scripts: { test: "node check.mjs" } }));
  repo.write(
    "check.mjs",
    'import { appendFileSync } from "node:fs";\nappendFileSync("checked.log", "checked\\n");\nconsole.log("all is well");\n',
  );
  repo.write(".gitignore", "checked.log\n.npm-logs\n");
  const shop = runShop(options.steps, settings, env, repo);
  const canary = join(repo.path, "../canary.txt");
  const tick = (step: number): Turn => ({ run: `pawl state update plan.md step-${step} --all completed` });
  const log = () => join(shop.worktree(), "checked.log");
  return {
    ...shop,
    cli: (...args) => shop.start(...args).ended,
    canary,
    hasCanary: () => existsSync(canary),
    tick,
    diligent: (step) => [
      { write: join(shop.worktree(), `step-${step}.txt`), text: `made ${step}` },
      { run: "npm test" },
      tick(step),
      { say: `Step ${step} is done.` },
    ],
    checks: () => (existsSync(log()) ? readFileSync(log(), "utf8").split("\n").length - 1 : 0),
    attempts: () => Number(shop.query("select count(*) as n from attempts")[0]!["n"]),
    conversations: () =>
      shop
        .query("select agent_session from checkpoints where agent is not null order by number")
        .map((row) => row["agent_session"]),
  };
}
