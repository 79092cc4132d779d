import { toInstant } from "../../domain/index.ts";
import { withoutPlanFiles } from "../../plans/index.ts";
import { listCheckpoints } from "../../sessions/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import {
  judgeTests,
  ownEvidence,
  pathMatcher,
  TESTS_CHECK,
  type TestsConcern,
  type TestsTrial,
  type Verdict,
  weighTests,
} from "../../verification/index.ts";
import { forkOf } from "../land/own-commits.ts";
import type { Worker } from "../work/worker.ts";
import { mayCheckElsewhere } from "./check-folder.ts";
import { checksOf, type Verification } from "./verify-step.ts";
import { knownTreeVerdict, verifyTree } from "./verify-tree.ts";

/**
 * Finds out whether the tests of a step that passed prove anything: on the code from before the step, the same check
 * must fail. Lists tests that are deleted, skipped or emptied.
 *
 * What comes of it is the last evidence of the verdict. With `reject` it can turn a pass into a failure.
 */
export async function proveTests(
  worker: Worker,
  held: ClaimedStep,
  seen: Verification,
  beginning: () => Promise<string | undefined>,
): Promise<Verification> {
  const { counterfactual: mode, testPaths } = worker.settings.verify;
  if (mode === "off" || seen.kind !== "verdict" || seen.verdict.outcome !== "passed") return seen;
  const before = await beginning();
  if (before === undefined) return seen;
  const { verdict } = seen;
  const branches = await worker.ports.branches();
  const isTest = pathMatcher(testPaths);
  const changes = await branches.changedFiles({
    from: await branches.treeOf(before),
    to: verdict.tree,
    reads: isTest,
  });
  const own = new Set(
    withoutPlanFiles(
      changes.map(({ path }) => path),
      held.plan,
    ),
  );
  const weighed = weighTests(
    changes.filter(({ path }) => own.has(path) && !isProse(path)),
    isTest,
  );
  const trial =
    weighed.bringsTests && weighed.changesCode
      ? await tryOnOldCode(worker, held, { verdict, before, isTest })
      : undefined;
  if (trial?.kind === "cut") return { kind: "cut" };
  return {
    kind: "verdict",
    verdict: withProof(worker, { verdict, trial, concerns: weighed.concerns }),
  };
}

/** Text for people is no code that tests could prove. */
const isProse = (path: string): boolean => /\.(?:md|mdx|rst|adoc)$/i.test(path);

/** The commit that a step began on, for one that lands on no other branch than its own. */
export async function beginningOf(worker: Worker, held: ClaimedStep): Promise<string | undefined> {
  const fork = await forkOf(worker, "");
  if (fork) return fork.tip;
  const { ports, session } = worker;
  const database = await ports.database();
  const rows = await database.read((sql) => sql.all(listCheckpoints, { session_id: session.id }));
  const first = rows.find(({ plan_path, anchor }) => plan_path === held.plan && anchor === held.anchor);
  return first?.head_before ?? (await (await ports.commits()).head(session.worktree));
}

type Trial = TestsTrial | { readonly kind: "cut" };

interface ToTry {
  readonly verdict: Verdict;
  readonly before: string;
  readonly isTest: (path: string) => boolean;
}

/** Runs the step's commands on the code from before, with the step's tests. */
async function tryOnOldCode(
  worker: Worker,
  held: ClaimedStep,
  { verdict, before, isTest }: ToTry,
): Promise<Trial | undefined> {
  const commands = (await checksOf(worker, held)).flatMap((check) =>
    check.kind === "command" ? [check.argv] : [],
  );
  if (commands.length === 0) return undefined;
  if (!(await mayCheckElsewhere(worker, held, verdict.tree)))
    return {
      kind: "untried",
      because: "checks run in the worktree here (set clean = true to have tests tried)",
    };
  const branches = await worker.ports.branches();
  const from = await branches.treeOf(before);
  const tree = await branches.overlayTree({ from, to: verdict.tree, takes: isTest });
  const words = commands.map((argv) => argv.join(" ")).join(", ");
  worker.report({
    event: "note",
    text: `${held.anchor}: one more check, its tests on the code from before: ${words}`,
  });
  let durationMs = 0;
  for (const argv of commands) {
    const known = await knownTreeVerdict(worker.ports, { tree, argv });
    const seen = known
      ? ({ kind: "verdict", verdict: known } as const)
      : await verifyTree(worker, { tree, head: before, argv, kind: "counterfactual", plan: held.plan });
    if (seen.kind === "cut") return seen;
    durationMs += known ? 0 : (seen.verdict.evidence[0]?.durationMs ?? 0);
    if (seen.verdict.outcome !== "passed") return { kind: "proven", checked: argv.join(" "), durationMs };
  }
  return { kind: "unproven", checked: words, durationMs };
}

interface Found {
  readonly verdict: Verdict;
  readonly trial: TestsTrial | undefined;
  readonly concerns: readonly TestsConcern[];
}

function withProof(worker: Worker, { verdict, trial, concerns }: Found): Verdict {
  if (trial === undefined && concerns.length === 0) return verdict;
  const { lines, reasons, output } = judgeTests(trial, concerns);
  const isRejected = worker.settings.verify.counterfactual === "reject" && reasons.length > 0;
  const { tree } = verdict;
  const evidence = {
    ...ownEvidence({
      checked: TESTS_CHECK,
      outcome: isRejected ? "failed" : "passed",
      output,
      tree,
      at: toInstant(worker.ports.clock.wallMs()),
    }),
    durationMs: trial && "durationMs" in trial ? trial.durationMs : 0,
    ...(lines.length === 0 ? {} : { warnings: lines }),
  };
  const more = [...verdict.evidence, evidence];
  if (isRejected)
    return { outcome: "failed", because: `its tests prove nothing: ${reasons[0]}`, evidence: more, tree };
  return { ...verdict, evidence: more };
}
