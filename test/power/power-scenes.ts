import { join } from "node:path";
import {
  allCompleted,
  acknowledged,
  type Broken,
  broken,
  cleanCheckout,
  completedOn,
  contentsOn,
} from "./power-checks.ts";
import { type Ended, type Habit, plantRepository, type PowerSite } from "./power-site.ts";

/** One command that the power is cut under. */
export interface Scene {
  /** Builds the repository that each round begins with. */
  readonly prepare: (site: PowerSite, habit: Habit) => Promise<void>;
  readonly command: (site: PowerSite, habit: Habit) => readonly string[];
  readonly folder: (site: PowerSite) => string;
  /** What must be true at once when the power is back; `answer` is what the command said before. */
  readonly afterCut: (site: PowerSite, answer: Partial<Ended>) => Promise<readonly Broken[]>;
  /** Brings the work to its end, as a person would who does nothing special. */
  readonly finish: (site: PowerSite, habit: Habit) => Promise<readonly Broken[]>;
}

const BRANCH = "pawl/plan";
const worktreeOf = ({ repo }: PowerSite): string => join(repo, ".pawl/worktrees/plan");
const runOf = (site: PowerSite, habit: Habit): readonly string[] => [
  "run",
  "plan.md",
  "--workers",
  "2",
  "--",
  ...site.agent(habit),
];

/** At most this many commands until a plan is done: each may find something that the one before repaired. */
const MOST_TRIES = 3;

/** `pawl resume`, or `pawl run` where the power went before anything could be resumed; never `--anyway`. */
async function driveOn(site: PowerSite, habit: Habit): Promise<readonly Broken[]> {
  let last: Ended = { code: 0, output: "" };
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    last = await site.pawl(["resume"]);
    if (last.output.includes("E174")) last = await site.pawl(runOf(site, habit));
    if (last.code === 0 && (await allCompleted(site))) return [];
    if (last.code !== 0) break;
  }
  return [broken("resume finishes by itself", `${last.code}: ${last.output.slice(-2500)}`)];
}

const planScene = {
  folder: ({ repo }: PowerSite) => repo,
  afterCut: (site: PowerSite, { output = "" }: Partial<Ended>) => acknowledged(site, output),
  async finish(site: PowerSite, habit: Habit) {
    const problems = await driveOn(site, habit);
    return [...problems, ...(await completedOn(site, BRANCH)), ...contentsOn(site, BRANCH)];
  },
};

/** Calls the same command again until it succeeds. */
async function again(
  site: PowerSite,
  args: readonly string[],
  folder: string,
  done: RegExp,
): Promise<readonly Broken[]> {
  const { code, output } = await site.pawl(args, folder);
  return code === 0 || done.test(output)
    ? []
    : [broken("the same command finishes it", `${code}: ${output}`)];
}

const COMMIT = ["commit", "--plan", "plan.md", "--step", "step-1", "--worktree", "."] as const;
const CREATE = ["worktree", "create", "plan.md"] as const;
const MERGE = ["worktree", "merge", "plan.md"] as const;
const REMOVE = ["worktree", "remove", BRANCH] as const;

async function must(site: PowerSite, args: readonly string[], folder?: string): Promise<void> {
  const { code, output } = await site.pawl(args, folder);
  if (code !== 0) throw new Error(`pawl ${args.join(" ")}: ${output}`);
}

/** The work of a step in the plan's own worktree, on the disk, with what the habit does to it. */
async function halfDone(site: PowerSite, habit: Habit): Promise<void> {
  plantRepository(site);
  await must(site, CREATE);
  const folder = worktreeOf(site);
  for (let number = 1; number <= 8; number += 1)
    site.write(folder, `work/piece-${number}`, `piece ${number} of ${Math.random()}`);
  site.write(folder, "src/1.txt", `changed ${Math.random()}`);
  site.write(folder, "work/step-1.done", `done ${Math.random()}`);
  if (habit !== "plain") site.git("-C", folder, "add", "-A");
}

export const SCENES = {
  run: {
    ...planScene,
    prepare: async (site) => plantRepository(site),
    command: runOf,
  },
  resume: {
    ...planScene,
    async prepare(site, habit) {
      plantRepository(site);
      const running = site.start(runOf(site, habit));
      while (running.code() === undefined && !running.output().includes("completed with"))
        await new Promise((resolve) => setTimeout(resolve, 20));
      await site.endAll();
      await running.ended;
    },
    command: () => ["resume"],
  },
  commit: {
    async prepare(site, habit) {
      await halfDone(site, habit);
      const folder = worktreeOf(site);
      await must(
        site,
        ["state", "claim", "plan.md", "--worktree", ".", "--step", "step-1", "--start"],
        folder,
      );
      await must(
        site,
        ["state", "update", "plan.md", "step-1", "--all", "completed", "--worktree", "."],
        folder,
      );
    },
    command: () => COMMIT,
    folder: worktreeOf,
    afterCut: async (site, { code }) =>
      code === 0 ? [...(await completedOn(site, BRANCH)), ...contentsOn(site, BRANCH)] : [],
    finish: async (site) => [
      ...(await again(site, COMMIT, worktreeOf(site), /completed/)),
      ...(await completedOn(site, BRANCH)),
      ...contentsOn(site, BRANCH),
      ...cleanCheckout(site, worktreeOf(site)),
    ],
  },
  merge: {
    async prepare(site, habit) {
      plantRepository(site);
      await must(site, runOf(site, habit));
    },
    command: () => MERGE,
    folder: ({ repo }) => repo,
    afterCut: async (site, { code }) =>
      code === 0
        ? [
            ...(await completedOn(site, "main")),
            ...contentsOn(site, "main"),
            ...cleanCheckout(site, site.repo),
          ]
        : [],
    finish: async (site) => [
      ...(await again(site, MERGE, site.repo, /already|nothing/i)),
      ...(await completedOn(site, "main")),
      ...contentsOn(site, "main"),
      ...cleanCheckout(site, site.repo),
    ],
  },
  create: {
    prepare: async (site) => plantRepository(site),
    command: () => CREATE,
    folder: ({ repo }) => repo,
    afterCut: async (site, { code }) => (code === 0 ? cleanCheckout(site, worktreeOf(site)) : []),
    finish: async (site) => [
      ...(await again(site, CREATE, site.repo, /$^/)),
      ...cleanCheckout(site, worktreeOf(site)),
      ...contentsOn(site, BRANCH),
    ],
  },
  remove: {
    async prepare(site, habit) {
      await halfDone(site, habit);
      if (habit === "commit") site.git("-C", worktreeOf(site), "commit", "-qm", "own");
    },
    command: () => REMOVE,
    folder: ({ repo }) => repo,
    afterCut: async () => [],
    finish: (site) => again(site, REMOVE, site.repo, /E064|E10\d.*(no worktree|not)/),
  },
} as const satisfies Record<string, Scene>;

export type SceneName = keyof typeof SCENES;
