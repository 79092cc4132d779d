import { sessionName } from "../domain/index.ts";
import {
  type Facts,
  type Finding,
  type Kind,
  type RepairName,
  type RuleName,
  ruleOf,
  type Seen,
} from "./rules/index.ts";

const NAMES: { readonly [K in Kind]: (facts: Facts[K]) => readonly string[] } = {
  step: ({ plan, anchor }) => [`${plan}#${anchor}`, anchor, `#${anchor}`],
  session: ({ id, run }) => [id, sessionName(id), ...(run === undefined ? [] : [run, sessionName(run)])],
  worktree: ({ path, branch }) => [path, ...(branch === undefined ? [] : [branch])],
  objects: () => ["objects"],
  branch: ({ branch }) => [branch],
  landed: ({ plan, anchor }) => [`${plan}#${anchor}`, anchor, `#${anchor}`],
  full: ({ plan, anchor }) => (anchor === undefined ? [plan] : [`${plan}#${anchor}`, anchor, `#${anchor}`]),
  edit: ({ plan, anchor }) => [`${plan}#${anchor}`, anchor, `#${anchor}`],
  plan: ({ plan }) => [plan],
  file: ({ plan, file }) => [`${plan}/${file}`],
};

/** What a finding is about, by the names that people and `--answer` use. The first is the full one. */
export const subjectNames = ({ kind, facts }: Seen): readonly string[] =>
  (NAMES[kind] as (facts: Facts[Kind]) => readonly string[])(facts);

export const findingSubject = (seen: Seen): string => subjectNames(seen)[0]!;

/** A finding as programs get it. */
export interface FindingView {
  readonly rule: RuleName;
  readonly kind: Seen["kind"];
  readonly subject: string;
  readonly planPath: string | null;
  readonly anchor: string | null;
  /** The steps that it is about: its own, or those that its session holds. */
  readonly steps: readonly string[];
  /** What the agents of a blocked step said last, and what they were refused: lines that are safe to show. */
  readonly said: readonly string[];
  readonly refused: readonly string[];
  /** The run that a session is a worker of. */
  readonly runId: string | null;
  readonly found: string;
  /** What is said of the whole run where several of its workers are found so; null where it is not about a worker. */
  readonly ofRun: string | null;
  readonly automatic: { readonly repair: RepairName; readonly because: string } | null;
  readonly choices: readonly {
    readonly key: string;
    readonly repair: RepairName;
    readonly because: string;
  }[];
  /** `decide`: nothing happens until a person acts. `proven`: repaired without asking. `know`: only reported. */
  readonly weight: "decide" | "proven" | "know";
  /** What a person can do where the rule itself only reports: names of verbs, the first to consider first. */
  readonly actions: readonly string[];
}

export function findingView(finding: Finding): FindingView {
  const { rule, automatic, choices = [] } = finding;
  const { weight, actions } = ruleOf(rule).reported ?? { weight: "know", actions: [] };
  const isReport = choices.length === 0 && automatic === undefined;
  return {
    ...viewOf(finding),
    weight: choices.length > 0 ? "decide" : automatic ? "proven" : weight,
    actions: isReport ? (finding.actions ?? actions) : [],
  };
}

const viewOf = ({
  rule,
  seen,
  found,
  ofRun,
  automatic,
  choices = [],
}: Finding): Omit<FindingView, "weight" | "actions"> => ({
  rule,
  kind: seen.kind,
  subject: findingSubject(seen),
  planPath: "plan" in seen.facts ? (seen.facts.plan ?? null) : null,
  anchor: "anchor" in seen.facts ? (seen.facts.anchor ?? null) : null,
  steps: stepsOf(seen),
  said: (seen.kind === "step" ? seen.facts.said : undefined) ?? [],
  refused: (seen.kind === "step" ? seen.facts.refused : undefined) ?? [],
  runId: seen.kind === "session" ? (seen.facts.run ?? null) : null,
  found,
  ofRun: ofRun ?? null,
  automatic: automatic ? { repair: automatic.do, because: automatic.because } : null,
  choices: choices.map(({ key, do: repair, because }) => ({ key, repair, because })),
});

function stepsOf({ kind, facts }: Seen): readonly string[] {
  if (kind === "session") return facts.steps;
  return "anchor" in facts && facts.anchor !== undefined ? [facts.anchor] : [];
}

/**
 * What a person is asked, so that the same question is put once: the sessions of one run with the same choices are one.
 * A person who wants another answer for one of them names it.
 */
export const questionOf = ({ rule, subject, runId, choices }: Groupable): string =>
  `${rule}:${runId === null ? subject : `${runId} ${choices.map(({ key }) => key).join("")}`}`;

/** As much of a finding as says which others belong to it. */
type Groupable = Pick<
  FindingView,
  "rule" | "subject" | "runId" | "planPath" | "steps" | "found" | "ofRun"
> & {
  readonly choices: readonly { readonly key: string }[];
};

/** Findings that are one matter for people: those of one run with the same choices, or a single one. */
export interface Matter<F extends Groupable = FindingView> {
  readonly found: string;
  readonly findings: readonly [F, ...F[]];
}

/** What was found, with one run as one matter, however many workers it had. The order stays. */
export function mattersIn<F extends Groupable>(findings: readonly F[]): readonly Matter<F>[] {
  const groups = new Map<string, [F, ...F[]]>();
  for (const finding of findings) {
    const question = finding.ofRun === null ? `${finding.rule}:${finding.subject}` : questionOf(finding);
    const known = groups.get(question);
    if (known) known.push(finding);
    else groups.set(question, [finding]);
  }
  return [...groups.values()].map((members) => ({ found: foundTogether(members), findings: members }));
}

const BY_NUMBER = new Intl.Collator("en", { numeric: true });

function foundTogether([first, ...others]: readonly [Groupable, ...Groupable[]]): string {
  const { runId, planPath, ofRun } = first;
  if (others.length === 0 || runId === null || ofRun === null) return first.found;
  const steps = [first, ...others].flatMap((one) => one.steps).toSorted(BY_NUMBER.compare);
  const at = steps.length === 0 ? "" : ` at ${steps.join(", ")}`;
  const of = planPath === null ? "" : ` of ${planPath}`;
  return `Run ${sessionName(runId)}${of} with ${others.length + 1} workers${at} ${ofRun}`;
}
