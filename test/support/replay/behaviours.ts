import type { Acts } from "../run-shop.ts";
import type { Change, SourceCommit } from "./source-history.ts";

/** What the agent of a commit does, start by start; its last list is what it does from then on. */
type Behaviour = (work: Work) => readonly Acts[];

interface Work {
  /** Each change by itself. */
  readonly turns: Acts;
  readonly half: Acts;
  readonly commit: SourceCommit;
  /** A file outside the worktree. */
  readonly path: (name: string) => string;
}

const TICK: Acts = [{ tick: "all" }];
const commitIn = (folder: string): Acts => [
  { git: ["add", "-A"], in: folder },
  {
    git: ["-c", "user.name=a", "-c", "user.email=a@b.invalid", "commit", "-q", "-m", "on my own"],
    in: folder,
  },
];
const COMMIT = commitIn(".");
const DIE: Acts = [{ die: "SIGKILL" }];

/** After each change a commit of its own. */
const committed = (acts: Acts): Acts => acts.flatMap((act) => [act, ...COMMIT]);

/**
 * Twice removed, in a session of its own, writing a file that git ignores and again and again the same bytes of one that
 * it does not: left alive, it would undo what later steps do with that file. It ends by itself, should a test not end it.
 */
const daemon = ({ commit: { folder, number }, path }: Work): Acts => {
  const [own, aside] = [`${folder}/own.txt`, path(`daemon-${number}`)].map((name) => `"${name}"`);
  const loop = `i=0; while [ $i -lt 1500 ]; do echo late >> late.log; cp -p ${own} ${aside}.$$ && mv ${aside}.$$ ${own}; i=$((i+1)); sleep 0.02; done`;
  return [{ sh: `(setsid sh -c '${loop}' </dev/null >/dev/null 2>&1 &)` }];
};

const nested = ({ commit: { folder } }: Work): Acts => [{ git: ["init", "-q"], in: folder }];
const unnested = ({ commit: { folder } }: Work): Acts => [{ sh: `rm -rf "${folder}/.git"` }];

/** A step has three attempts, so that none fails more than twice whenever it is killed. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  "works well": ({ turns }) => [[...turns, ...TICK]],
  "fails in the middle": ({ turns, half }) => [
    [...half, { exit: 1 }],
    [...turns, ...TICK],
  ],
  "dies in the middle": ({ turns, half }) => [
    [...half, ...DIE],
    [...turns, ...TICK],
  ],
  "commits its work": ({ turns }) => [[...turns, ...TICK, ...COMMIT]],
  "commits each change": ({ turns }) => [[...committed(turns), ...TICK]],
  "forgets to tick": ({ turns }) => [turns, [...turns, ...TICK]],
  "floods its output": ({ turns }) => [
    [{ flood: 3_000_000 }, ...turns, { flood: 500_000, to: "stderr" }, ...TICK],
  ],
  "leaves a daemon": (work) => [[...work.turns, ...daemon(work), ...TICK]],
  "makes a repository inside": (work) => [
    [...work.turns, ...nested(work), ...TICK],
    [...unnested(work), ...work.turns, ...TICK],
  ],
  "makes a repository with a commit inside": (work) => [
    [...work.turns, ...nested(work), ...commitIn(work.commit.folder), ...TICK],
    [...unnested(work), ...work.turns, ...TICK],
  ],
  "commits half and dies, twice": ({ turns, half }) => [
    [...committed(half), ...DIE],
    [...committed(half), ...DIE],
    [...turns, ...TICK],
  ],
  "leaves a daemon and fails": (work) => [
    [...work.turns, ...daemon(work), { exit: 1 }],
    [...work.turns, ...TICK],
  ],
  "makes a repository inside and dies, then forgets to tick": (work) => [
    [...work.half, ...nested(work), ...DIE],
    [...unnested(work), ...work.turns],
    [...unnested(work), ...committed(work.turns), ...TICK],
  ],
};

const NAMES = Object.keys(BEHAVIOURS);

export const behaviourOf = ({ number }: SourceCommit): string => NAMES[number % NAMES.length]!;

/** The acts of the agent of a commit; whatever it finds other than in the history it notes in a file. */
export function actsOf(commit: SourceCommit, path: (name: string) => string): readonly Acts[] {
  const note = path("wrong");
  const turn = ({ path: turn, from, to, isPart = false }: Change) => ({ turn, from, to, isPart, note });
  // What it builds on is there before it begins.
  const turns = [...commit.reads, ...commit.changes].map(turn);
  return BEHAVIOURS[behaviourOf(commit)]!({
    turns,
    half: turns.slice(0, Math.ceil(turns.length / 2)),
    commit,
    path,
  });
}
