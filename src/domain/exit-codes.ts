import { EXIT_CODES } from "./errors.ts";

/** What each exit code means for a script or a job that runs Pawl, and what to do about it. A contract. */
export const EXIT_CODE_TABLE: readonly {
  readonly code: number;
  readonly meaning: string;
  readonly next: string;
}[] = [
  {
    code: 0,
    meaning: "Done. Of a run: every step that could be done is completed, and none is blocked",
    next: "Nothing",
  },
  {
    code: EXIT_CODES.failed,
    meaning: "It was done and the answer is no: a check fails, a repair could not be made",
    next: "Read the message",
  },
  {
    code: EXIT_CODES.user,
    meaning: "Called wrongly, or the plan or `pawl.toml` has errors",
    next: "Correct the call or the file",
  },
  {
    code: EXIT_CODES.environment,
    meaning: "Something around it is missing or fails: git, the disk, the database, an agent",
    next: "Repair it and call again",
  },
  {
    code: EXIT_CODES.conflict,
    meaning: "Others have changed what this was about: a claim, a branch, a plan",
    next: "Look, then call again",
  },
  {
    code: EXIT_CODES.decision,
    meaning: "A person must decide. Of a run: a step is blocked, a limit is reached, or it is paused",
    next: "`pawl status` lists what; `pawl recover` asks",
  },
  {
    code: EXIT_CODES.waiting,
    meaning: "Nothing to do now: what is open waits for others, or a run is running already",
    next: "Call again later",
  },
  {
    code: EXIT_CODES.internal,
    meaning: "A defect of Pawl's",
    next: "Report it with the output of `PAWL_DEBUG=1`",
  },
  {
    code: 129,
    meaning: "Ended by SIGHUP; the work is kept",
    next: "`pawl resume`, or `pawl run --resume-or-start`",
  },
  { code: 130, meaning: "Ended by SIGINT (Ctrl-C); the work is kept", next: "The same" },
  { code: 143, meaning: "Ended by SIGTERM; the work is kept", next: "The same" },
];
