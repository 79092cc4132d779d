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
  /** Of a session: the same without its name and its place, for the whole run that it is a worker of. */
  readonly ofRun?: string;
  /** Done without asking: it is proven, or loses nothing. */
  readonly automatic?: Repair;
  readonly choices?: readonly Choice[];
  /** What a person can do about it, where that is not what the rule offers for all it reports. */
  readonly actions?: readonly string[];
}

/** Who can do something about what was found, and what happens next. Commands of people are not in it. */
export interface AgentOutlook {
  readonly who: "none" | "agent" | "person";
  readonly next: string;
}

/** One situation that a crash, a timeout or another program can leave behind. Pure. */
export interface Rule {
  /** The head of its card on the page. */
  readonly title: string;
  /** For the printed table. */
  readonly about: string;
  /**
   * What a run does about it before it claims its first step. `repairs`: what is proven, and asks nothing. `asks`: also
   * puts the choices to a person and names what stays open, because it keeps a step from being worked on. `leaves`: the
   * run does it by itself, and better. A claim takes over from an owner who is gone, and continues what it left; of a
   * plan that was edited or cannot be read, it takes what counts.
   */
  readonly beforeRun: "repairs" | "asks" | "leaves";
  /** The choice that a run makes where it can ask no person: one that loses nothing. The run says that it made it. */
  readonly unasked?: RepairName;
  /** What an agent reads about it, where that follows neither from choices nor from an automatic repair. */
  readonly forAgents?: AgentOutlook;
  /** Where it only reports: whether it stands still until a person acts, and what the page can do about it. */
  readonly reported?: { readonly weight: "decide" | "know"; readonly actions: readonly string[] };
  readonly diagnose: (seen: Seen) => Diagnosis | undefined;
}
