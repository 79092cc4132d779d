import { EXIT_CODES } from "./errors.ts";

/** What each exit code means for a script or a job that runs Pawl, and what to do about it. A contract. */
export const EXIT_CODE_TABLE: readonly {
  readonly code: number;
  readonly meaning: string;
  readonly next: string;
}[] = [
  {
    code: 0,
    meaning: "Done. For a run: every step that could be done is completed, and none is blocked",
    next: "Nothing",
  },
  {
    code: EXIT_CODES.failed,
    meaning: "The answer is no: a check fails, or a repair could not be made",
    next: "Read the message",
  },
  {
    code: EXIT_CODES.user,
    meaning: "Wrong usage, or errors in the plan or in `pawl.toml`",
    next: "Correct the call or the file",
  },
  {
    code: EXIT_CODES.environment,
    meaning: "Something that Pawl needs is missing or fails: git, the disk, the database, an agent",
    next: "Fix it, then run the command again",
  },
  {
    code: EXIT_CODES.conflict,
    meaning: "Something changed meanwhile: a claim, a branch, a plan",
    next: "Check the current state, then run the command again",
  },
  {
    code: EXIT_CODES.decision,
    meaning: "A person must decide. For a run: a step is blocked, a limit is reached, or it is paused",
    next: "`pawl status` lists what; `pawl recover` asks",
  },
  {
    code: EXIT_CODES.waiting,
    meaning: "Nothing to do now: open steps wait for others, or a run is running already",
    next: "Run the command again later",
  },
  {
    code: EXIT_CODES.internal,
    meaning: "A bug in Pawl",
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
