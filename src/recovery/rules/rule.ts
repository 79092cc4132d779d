import type { RepairName } from "./repairs.ts";
import type { Seen } from "./situation.ts";

/** What would be done, and because of what. Only `recover` acts. */
export interface Repair {
  readonly do: RepairName;
  readonly because: string;
}

/** A repair that a person may choose, by its key. */
export interface Choice extends Repair {
  readonly key: string;
}

/** What a rule says about what it recognises. With neither a repair nor a choice it is a report. */
export interface Diagnosis {
  /** One sentence for people: what was found. */
  readonly found: string;
  /** Done without asking: it is proven, or loses nothing. */
  readonly automatic?: Repair;
  readonly choices?: readonly Choice[];
}

/** One situation that a crash, a timeout or somebody else can leave behind. Pure. */
export interface Rule {
  readonly name: string;
  /** For the printed table. */
  readonly about: string;
  readonly diagnose: (seen: Seen) => Diagnosis | undefined;
}
