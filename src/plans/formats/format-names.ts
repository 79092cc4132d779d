interface FormatTraits {
  /** Its files say how far the work is, so Pawl writes progress back to them. */
  readonly carriesStatus: boolean;
  /** People write and commit its files; steps are known by their words, which may change beside a name. */
  readonly isProse: boolean;
  /** The program that keeps its files and would not notice, or would undo, what another one writes there. */
  readonly keptBy?: string;
}

/**
 * The formats by name, with what others must know of them.
 *
 * Apart from the formats themselves, because a claim asks this and must not load their readers.
 */
const TRAITS = {
  tugplan: { carriesStatus: false, isProse: true },
  "implementation-plan": { carriesStatus: true, isProse: false },
  "task-files": { carriesStatus: true, isProse: false },
  backlog: { carriesStatus: true, isProse: false },
  "claude-tasks": { carriesStatus: false, isProse: false, keptBy: "Claude Code" },
  "claude-todos": { carriesStatus: false, isProse: false, keptBy: "Claude Code" },
  "task-master": { carriesStatus: true, isProse: false },
  ralph: { carriesStatus: true, isProse: false },
  "feature-list": { carriesStatus: true, isProse: false },
  beads: { carriesStatus: false, isProse: false, keptBy: "beads" },
  "backlog-task": { carriesStatus: true, isProse: false },
  "gsd-plan": { carriesStatus: false, isProse: true },
  "gsd-roadmap": { carriesStatus: true, isProse: true },
  bmad: { carriesStatus: true, isProse: true },
  cursor: { carriesStatus: true, isProse: true },
  headed: { carriesStatus: true, isProse: true },
  kiro: { carriesStatus: true, isProse: true },
  conductor: { carriesStatus: true, isProse: true },
  checklist: { carriesStatus: true, isProse: true },
} as const satisfies Record<string, FormatTraits>;

export type FormatName = keyof typeof TRAITS;

export const FORMAT_NAMES = Object.keys(TRAITS) as readonly FormatName[];

export const isFormatName = (name: string): name is FormatName => Object.hasOwn(TRAITS, name);

export const formatCarriesStatus = (name: string): boolean =>
  isFormatName(name) && TRAITS[name].carriesStatus;

export const formatIsProse = (name: string): boolean => isFormatName(name) && TRAITS[name].isProse;

/** The program that a format's files belong to; undefined where anyone may write to them. */
export const formatKeptBy = (name: string): string | undefined => {
  if (!isFormatName(name)) return undefined;
  const traits: FormatTraits = TRAITS[name];
  return traits.keptBy;
};
