import { STEP_STATUSES, type StepStatus } from "../../domain/index.ts";

/**
 * Everything that a rule may decide by, as a few named ranges.
 *
 * Ages and counts are put into ranges when they are observed, so the space is finite: a test walks all of it and finds
 * each situation healthy or owned by exactly one rule. A new value here is a new question to every rule.
 */
export const SPACE = {
  step: {
    status: STEP_STATUSES,
    /** Why it is blocked. */
    reason: [
      "none",
      "verification_timeout",
      "verification_escalated",
      "agent_timeout",
      "agent_failed",
      "landing_rejected",
      "waiting_to_land",
      "other",
    ],
    /** Verifications: at the third there are none left. */
    attempts: ["left", "used-up"],
    /** `resumable`: an interrupted session that can be taken up again; what it held is decided with it. */
    holder: ["none", "living", "resumable", "gone"],
    /** `stale` from 24 hours without a sign of life on. */
    activity: ["recent", "stale"],
    /** Whether a commit that counts carries the step's trailer. */
    proof: ["none", "commit"],
    /**
     * What the plan's file says beside the store: `abandoned` in formats where work that no worker holds is not in
     * progress, `in-progress` in those whose files other tools work by.
     */
    inFile: ["same", "abandoned", "in-progress"],
    /** Where the work lies: in a worktree that Pawl knows, in the clean checkout at hand, or unknown. */
    place: ["known", "here", "unclear"],
    /** Whether there is anything that could fail it: items to tick, a command, an agent. */
    judge: ["there", "none"],
  },
  session: {
    /** `dead`: still marked as running, but its process is gone. `stopped`: its process waits to be continued. */
    state: ["running", "stopped", "dead", "interrupted", "over"],
    resumable: ["yes", "no"],
    /** Whether it waits for a usage limit, and whether that is over by now. */
    pause: ["none", "waiting", "over"],
    host: ["here", "elsewhere"],
    /** Whether its plan is done, or a later session works in its worktree. */
    superseded: ["no", "yes"],
    worktree: ["there", "missing"],
    /** Whether something that it started still runs although it is over. */
    agent: ["gone", "running"],
  },
  worktree: {
    /** `damaged`: git's files of it are empty, as a power cut leaves them. */
    folder: ["there", "missing", "damaged"],
    plan: ["there", "gone", "none"],
    /** `awaited` by a session that can be resumed. */
    use: ["free", "awaited", "busy"],
  },
  /** All of git's objects together. */
  objects: { state: ["whole", "damaged"] },
  branch: {
    /**
     * Whether everything is there that it leads to; `empty`: the ref itself says nothing. `behind`: completed steps have
     * commits that it lacks; `gone`: the same, and there is no ref.
     */
    tip: ["whole", "damaged", "empty", "behind", "gone"],
    /** Whether a commit of it is known that has everything. */
    good: ["known", "none"],
    /** Whether completed steps would leave the branch with the move to that commit. */
    holds: ["nothing", "completed"],
    use: ["free", "busy"],
  },
  /** The commit of a completed step. */
  landed: { commit: ["whole", "lost"] },
  /** What the full check said about what has landed of a plan. */
  full: {
    check: ["passes", "fails"],
    /** What broke it. `before`: the tree before the plan fails already. `commit`: one that is no step's. */
    culprit: ["completed-step", "open-step", "commit", "before"],
    /** `left`: a person knows, and lets it be. */
    decision: ["open", "left"],
  },
  plan: {
    /**
     * `newer`: it counts, and the next claim takes it over: it is committed, or no commit has the plan. `uncommitted`: what
     * lies there is neither what was read nor what is committed.
     */
    file: ["as-read", "newer", "uncommitted", "malformed", "gone"],
  },
  /** A step whose work has begun, and that its plan says something else about by now. */
  edit: {
    text: ["edited", "removed"],
    /** `left`: begun, and no worker is at it. */
    work: ["completed", "held", "left"],
    /** `other`: nothing that was done is in the plan as it was, and no worker is at any of it. It may be another plan. */
    plan: ["known", "other"],
  },
  file: { text: ["readable", "unreadable"] },
} as const;

export type Kind = keyof typeof SPACE;

export type Situation<K extends Kind> = {
  readonly [F in keyof (typeof SPACE)[K]]: (typeof SPACE)[K][F] extends readonly (infer V)[] ? V : never;
};

/** What words need and no rule decides by. */
export interface Facts {
  readonly step: {
    readonly plan: string;
    readonly anchor: string;
    readonly title: string;
    readonly attempts: number;
    /** Whole days since the last sign of life. */
    readonly days: number;
    readonly note: string | undefined;
    /** Why it is blocked, in the store's word. */
    readonly blockedBy: string | undefined;
    /** What its agents said last and were refused, where it is blocked. */
    readonly said?: readonly string[] | undefined;
    readonly refused?: readonly string[] | undefined;
    readonly commit: string | undefined;
    /** When the work was last kept that can be continued. */
    readonly kept: string | undefined;
    /** The worktree that it is held from, where that is gone. */
    readonly missing: string | undefined;
    /** The status that its row has: a writer must find it unchanged. */
    readonly stored: StepStatus;
    /** Whether its format has room for substeps. */
    readonly canBreakDown: boolean;
  };
  readonly session: {
    readonly id: string;
    /** The run that it is a worker of: sessions of one run go on together. */
    readonly run: string | undefined;
    readonly plan: string | undefined;
    readonly worktree: string;
    /** The steps that it holds. */
    readonly steps: readonly string[];
    readonly at: string | undefined;
    readonly because: string | undefined;
    readonly pausedUntil: string | undefined;
    /** The snapshot that its uncommitted work was saved to. */
    readonly snapshot: string | undefined;
    /** How to continue or take over, where its process is stopped. */
    readonly stopped: string | undefined;
  };
  readonly worktree: {
    readonly path: string;
    readonly branch: string | undefined;
    readonly plan: string | undefined;
  };
  readonly objects: { readonly count: number; readonly names: string };
  readonly branch: {
    readonly branch: string;
    readonly plan: string | undefined;
    readonly base: string | undefined;
    /** Where it points; undefined for a ref that is empty. */
    readonly at: string | undefined;
    readonly good: string | undefined;
    readonly beyond: readonly string[];
    /** The completed steps that it lacks, the last one first. */
    readonly lacks?: readonly { readonly anchor: string; readonly commit: string }[];
  };
  readonly landed: { readonly plan: string; readonly anchor: string; readonly commit: string };
  readonly edit: {
    readonly plan: string;
    readonly anchor: string;
    readonly title: string;
    /** What the plan calls it by now; undefined where the plan does not have it any more. */
    readonly now: { readonly anchor: string; readonly title: string } | undefined;
  };
  readonly full: {
    readonly plan: string;
    readonly anchor: string | undefined;
    readonly found: string;
    readonly check: string;
    readonly output: string;
    readonly branch: string;
    /** The tree that it failed on. */
    readonly tree: string;
    readonly commit: string;
    readonly parent: string;
  };
  readonly plan: {
    readonly plan: string;
    readonly detail: string;
    /** Steps whose work has begun, among those that the plan changed. */
    readonly begun?: readonly string[];
  };
  readonly file: { readonly plan: string; readonly file: string; readonly detail: string };
}

/** One thing that was observed. */
export type Seen = {
  readonly [K in Kind]: { readonly kind: K; readonly now: Situation<K>; readonly facts: Facts[K] };
}[Kind];

export type SeenOf<K extends Kind> = Extract<Seen, { readonly kind: K }>;

/** Every situation there can be, with the same words for all. */
export function* everySituation(): Generator<Seen> {
  for (const kind of Object.keys(SPACE) as Kind[])
    for (const now of product(SPACE[kind])) yield { kind, now, facts: SAMPLE[kind] } as unknown as Seen;
}

function* product(space: Readonly<Record<string, readonly string[]>>): Generator<Record<string, string>> {
  const [first, ...rest] = Object.keys(space);
  if (first === undefined) {
    yield {};
    return;
  }
  const others = Object.fromEntries(rest.map((name) => [name, space[name]!]));
  for (const value of space[first]!) for (const tail of product(others)) yield { [first]: value, ...tail };
}

const SAMPLE: Facts = {
  step: {
    plan: "plan.md",
    anchor: "step-1",
    title: "A step",
    attempts: 1,
    days: 2,
    note: undefined,
    blockedBy: undefined,
    commit: "0".repeat(40),
    kept: undefined,
    missing: undefined,
    stored: "pending",
    canBreakDown: true,
  },
  session: {
    id: "s-1",
    run: undefined,
    plan: "plan.md",
    worktree: "/w",
    steps: [],
    at: undefined,
    because: undefined,
    pausedUntil: undefined,
    snapshot: undefined,
    stopped: "stopped",
  },
  worktree: { path: "/w", branch: "pawl/plan", plan: "plan.md" },
  objects: { count: 1, names: "0123456789ab" },
  branch: {
    branch: "pawl/plan-w1",
    plan: "plan.md",
    base: "pawl/plan",
    at: "0".repeat(40),
    good: "1".repeat(40),
    beyond: [],
  },
  landed: { plan: "plan.md", anchor: "step-1", commit: "0".repeat(40) },
  edit: {
    plan: "plan.md",
    anchor: "step-1",
    title: "A step",
    now: { anchor: "step-2", title: "Another title" },
  },
  full: {
    plan: "plan.md",
    anchor: "step-1",
    found: "npm test fails since step-1.",
    check: "npm test",
    output: "",
    branch: "pawl/plan",
    tree: "2".repeat(40),
    commit: "0".repeat(40),
    parent: "1".repeat(40),
  },
  plan: { plan: "plan.md", detail: "" },
  file: { plan: ".claude/tasks", file: "task-1.json", detail: "" },
};
