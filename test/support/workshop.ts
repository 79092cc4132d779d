import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type Envelope, pawlJson, type Run, type RunOptions, pawl } from "./cli.ts";
import { SMALL_PLAN } from "./plans.ts";
import { testRepository, type TestRepository } from "./repository.ts";

export type Answer = Envelope & { readonly code: number | null };
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into every shape
export type Data = Record<string, any>;

/** A repository, a plan with state in it, and the verbs, called as people call them. Gone when the test is over. */
export interface Workshop {
  readonly repository: TestRepository;
  readonly home: string;
  readonly database: string;
  /** Any command with `--json`, run in the repository. */
  readonly json: (...args: readonly string[]) => Answer;
  /** Any command with `--json` and other settings. */
  readonly jsonWith: (options: Partial<RunOptions>, ...args: readonly string[]) => Answer;
  /** Any command as people read it. */
  readonly text: (...args: readonly string[]) => Run;
  readonly worktree: (name: string) => string;
  readonly claim: (worktree: string, ...more: readonly string[]) => Answer;
  /** A verb of a worker on a step: start, heartbeat, update, artifact, complete, release. */
  readonly work: (verb: string, worktree: string, step: string, ...more: readonly string[]) => Answer;
  /** Claims the step and starts it; answers with the claim's data. */
  readonly take: (worktree: string, step?: string) => Data;
  /** Takes a step through all its states; substeps with it. */
  readonly finish: (worktree: string, step: string, ...more: readonly string[]) => void;
  readonly plan: () => Data;
  /** The step or substep as `state show --json` tells it. */
  readonly step: (anchor: string) => Data;
  /** `task 1: completed` and so on. */
  readonly items: (anchor: string) => readonly string[];
}

export const PLAN = "plan.md";

export function workshop(plan: string | null = SMALL_PLAN): Workshop {
  const repository = testRepository();
  onTestFinished(repository.remove);
  const shop = workshopIn(repository);
  if (plan !== null) {
    repository.write(PLAN, plan);
    ok(shop.json("state", "init", PLAN));
  }
  return shop;
}

/** The verbs on a repository that is there already; its maker removes it. */
export function workshopIn(repository: TestRepository): Workshop {
  const { path: home } = repository;
  const jsonWith: Workshop["jsonWith"] = (options, ...args) => pawlJson({ cwd: home, ...options }, ...args);
  const json: Workshop["json"] = (...args) => jsonWith({}, ...args);
  const work: Workshop["work"] = (verb, worktree, step, ...more) =>
    json("state", verb, PLAN, step, "--worktree", worktree, ...more);
  const claim: Workshop["claim"] = (worktree, ...more) =>
    json("state", "claim", PLAN, "--worktree", worktree, ...more);
  const shown = () => ok(json("state", "show", PLAN))["plan"] as Data;
  const step = (anchor: string): Data => {
    const all = (shown()["steps"] as Data[]).flatMap((one) => [one, ...(one["substeps"] as Data[])]);
    const found = all.find((one) => one["anchor"] === anchor);
    if (!found) throw new Error(`the plan shows no ${anchor}`);
    return found;
  };
  const take: Workshop["take"] = (worktree, anchor) => {
    // One process, and the same lines in the journal as two calls would leave.
    return ok(claim(worktree, "--start", ...(anchor === undefined ? [] : ["--step", anchor])));
  };
  const complete = (worktree: string, seen: Data, more: readonly string[]) => {
    const anchor = seen["anchor"] as string;
    if ((seen["items"] as unknown[]).length > 0) ok(work("update", worktree, anchor, "--all", "completed"));
    ok(work("complete", worktree, anchor, ...more));
  };
  return {
    repository,
    home,
    database: join(home, ".git/pawl/state.db"),
    json,
    jsonWith,
    text: (...args) => pawl({ cwd: home }, ...args),
    worktree: repository.addWorktree,
    claim,
    work,
    take,
    finish(worktree, anchor, ...more) {
      take(worktree, anchor);
      const seen = step(anchor);
      for (const substep of seen["substeps"] as Data[]) complete(worktree, substep, []);
      complete(worktree, seen, more);
    },
    plan: shown,
    step,
    items: (anchor) =>
      (step(anchor)["items"] as Data[]).map(
        (item) => `${item["kind"]} ${item["ordinal"]}: ${item["status"]}`,
      ),
  };
}

/** The data of an answer that must be a success. */
export function ok(answer: Answer): Data {
  expect(answer, JSON.stringify(answer.issues)).toMatchObject({ status: "ok", code: 0 });
  return answer.data;
}

/** The issue of an answer that must be a refusal with this code and exit code. */
export function refused(answer: Answer, code: string, exit: number): Envelope["issues"][number] {
  const [issue] = answer.issues;
  expect({ status: answer.status, code: issue?.code, exit: answer.code }, issue?.message).toEqual({
    status: "error",
    code,
    exit,
  });
  expect(issue?.hint).not.toBe("");
  return issue!;
}

/** The checks of `doctor` that did not pass; not whether agents and a sandbox are installed, which is up to the machine. */
export const ailments = (doctor: Data): readonly string[] =>
  (doctor["checks"] as { name: string; status: string }[])
    .filter(({ name, status }) => status !== "pass" && name !== "agents" && name !== "sandbox")
    .map(({ name, status }) => `${name} ${status}`);

/** A command line, or names of fields, by its words. */
export const words = (line: string): readonly string[] => line.split(" ");
