/** `numbers`: claim numbers and owners are not compared. `choice`: choosing a step and taking it are two things. */
export type Neutralised = "numbers" | "choice";

interface Cut {
  readonly find: RegExp;
  readonly put: string;
}

/** Every parameter stays in the text, because the engine refuses values that no place is there for. */
const NUMBERS: readonly Cut[] = [
  { find: /o\.claim_seq = coalesce\(:claim, o\.claim_seq\)/g, put: "coalesce(:claim, 0) >= 0" },
  { find: /o\.worktree_id = :worktree_id or/g, put: "coalesce(:worktree_id, '') <> '' or" },
  { find: /o\.session_id is null\s+or/g, put: "1 = 1 or" },
];

const CHOICE: readonly Cut[] = [
  {
    find: /and status = :seen_status\s+and claim_seq = :seen_claim/g,
    put: "and :seen_status <> '' and :seen_claim >= 0",
  },
  { find: /^begin immediate$/g, put: "select 1" },
  { find: /^commit$/g, put: "select 1" },
];

/**
 * SQL with its safety taken out: for showing that the checkers would notice.
 *
 * A cut that finds nothing to cut would make the control worthless, so `assertUsed` fails then.
 */
export function neutralise(what: Neutralised | undefined): {
  readonly rewrite: (sql: string) => string;
  readonly assertUsed: () => void;
} {
  const cuts = what === undefined ? [] : what === "numbers" ? NUMBERS : CHOICE;
  const used = new Set<Cut>();
  return {
    rewrite(sql) {
      let text = sql;
      for (const cut of cuts) {
        const changed = text.replace(cut.find, cut.put);
        if (changed !== text) used.add(cut);
        text = changed;
      }
      return text;
    },
    assertUsed() {
      const unused = cuts.filter((cut) => !used.has(cut)).map((cut) => String(cut.find));
      if (unused.length > 0) throw new Error(`nothing was neutralised by ${unused.join(", ")}`);
    },
  };
}
