import { defineConfig } from "vitest/config";

const project = (name: string, include: string[], testTimeout: number, env: Record<string, string> = {}) => ({
  test: {
    name,
    include,
    exclude: [] as string[],
    testTimeout,
    hookTimeout: testTimeout,
    env,
    pool: "forks" as const,
  },
});

/** Without what is slow. */
const quick = ({ test }: ReturnType<typeof project>) => ({ test: { ...test, exclude: SLOW } });

/** With a server and a browser that its files share. */
const sharing = ({ test }: ReturnType<typeof project>) => ({
  test: { ...test, globalSetup: ["test/support/start-shared-processes.ts"] },
});

/**
 * One process for many files: one for each would cost half of the time that all of them take.
 *
 * They share its modules, too, in an order that changes. So a file puts back whatever it changed, and one that mocks a
 * module loads what uses it anew: another file may have loaded that before.
 */
const together = ({ test }: ReturnType<typeof project>) => ({ test: { ...test, isolate: false } });

/**
 * What must stay slow: whole runs with their agents, other programs, signals and waits, and the page in its rare states.
 * `npm run test:slow` runs them, together with PostgreSQL's own tests.
 */
const SLOW = [
  "test/e2e/{run-*,history-replay,obedient-agent,supervise,heart,squash-and-continue,task-files-run}.test.ts",
  "test/e2e/{package,demo,contributing,docs-commands,agents-doc,tutorial,mcp-clients,dependencies-present,first-steps}.test.ts",
  "test/e2e/{worktree-matrix,worktree-dirty,worktree-late-writes,merge-interrupted,version-1-database}.test.ts",
  "test/e2e/{surroundings,other-disk,power-damage,steps-off-branch,flushes,git-processes,commit-postgres}.test.ts",
  "test/e2e/{landing-by-push,publish-requests,one-diagnosis,plan-from,living-plans,git-side,state-complete,commit-status}.test.ts",
  "test/ui/{hostile,live,findings,choices,every-action,looks,beside-run}.test.ts",
];

export default defineConfig({
  test: {
    // Most tests wait for processes that they have started: one worker for each of two cores, where the default is one.
    maxWorkers: 2,
    projects: [
      together(project("unit", ["src/**/*.test.ts", "test/unit/**/*.test.ts"], 20_000)),
      sharing(project("conformance", ["test/conformance/**/*.test.ts"], 60_000)),
      sharing(project("postgres", ["test/postgres/**/*.test.ts"], 180_000)),
      sharing(quick(project("e2e", ["test/e2e/**/*.test.ts"], 120_000))),
      sharing(quick(project("ui", ["test/ui/*.test.ts"], 120_000))),
      sharing(project("slow", SLOW, 180_000)),
      sharing(project("ui-large", ["test/ui/large/*.test.ts"], 300_000)),
      project("landings", ["test/landings/*.test.ts"], 1_800_000),
      project("nodes", ["test/nodes/*.test.ts"], 300_000),
      project("agents", ["test/agents/**/*.test.ts"], 300_000),
      project("crash", ["test/crash/**/*.test.ts", "test/e2e/worktree-dirty.test.ts"], 600_000, {
        PAWL_TREES: "200",
      }),
    ],
  },
});
