/** What the database of Tugstate says about a plan. */
export interface TugstatePlan {
  /** Under the repository. */
  readonly planPath: string;
  readonly steps: readonly TugstateStep[];
}

export interface TugstateStep {
  readonly anchor: string;
  readonly isSubstep: boolean;
  readonly title: string;
  readonly isCompleted: boolean;
  readonly commit: string | null;
  readonly reason: string | null;
  /** The items that are completed. */
  readonly items: readonly { readonly kind: string; readonly ordinal: number; readonly text: string }[];
}

/** Reads the database of Tugstate, and leaves it as it is; undefined where there is none. */
export type ReadTugstate = (path: string) => readonly TugstatePlan[] | undefined;
