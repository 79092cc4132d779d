/** How a step is shown to be done, as `[verify]` in `pawl.toml` has it. */
export interface VerifySettings {
  readonly command: readonly string[] | undefined;
  /** The slow suite, which runs on what has landed. */
  readonly full: readonly string[] | undefined;
  /** After how many landings it runs; at the end of the plan alone when undefined. */
  readonly fullEvery: number | undefined;
  readonly fullTimeoutMs: number;
  readonly runCheckpoints: boolean;
  /** Whether checks run in a clean checkout; `auto` where that costs little. */
  readonly clean: boolean | "auto";
  readonly agent: string | undefined;
  /** What becomes of a step whose tests pass on the code from before it. */
  readonly counterfactual: "off" | "warn" | "reject";
  /** Patterns for the files that are tests. */
  readonly testPaths: readonly string[];
  /** After how many steps in a row that verification has blocked a run begins no more. */
  readonly stopAfter: number;
  readonly timeoutMs: number;
  readonly maxTurns: number;
  readonly extendedMaxTurns: number;
}
