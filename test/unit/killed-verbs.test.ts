import { expect, it } from "vitest";
import { type Pawl, pawlOn } from "../../src/api.ts";
import type { Ports } from "../../src/platform/ports/ports.ts";
import { SCENARIOS } from "../crash/scenarios.ts";

/** Why a verb has no scenario among those that are killed at every effect. */
type Why =
  | "it changes nothing"
  | "it is killed in a sweep of its own"
  | "its parts are killed in theirs"
  | "all that it writes is a note that may be lost";

const OTHERS: Readonly<Partial<Record<keyof Pawl, Why>>> = {
  show: "it changes nothing",
  showAll: "it changes nothing",
  step: "it changes nothing",
  ready: "it changes nothing",
  events: "it changes nothing",
  explain: "it changes nothing",
  close: "it changes nothing",
  overview: "it changes nothing",
  home: "it changes nothing",
  report: "it changes nothing",
  planProgress: "it changes nothing",
  diagnosis: "it changes nothing",
  stoppedSteps: "it changes nothing",
  installedAgents: "it changes nothing",
  proposedSettings: "it changes nothing",
  importable: "it changes nothing",
  train: "it changes nothing",
  notVerified: "it changes nothing",
  stepLines: "it changes nothing",
  stepHistory: "it changes nothing",
  journalPage: "it changes nothing",
  newestLine: "it changes nothing",
  timeline: "it changes nothing",
  commitView: "it changes nothing",
  prime: "it changes nothing",
  checkPlan: "it changes nothing",
  recoverReport: "it changes nothing",
  previewRun: "it changes nothing",
  listSessions: "it changes nothing",
  listRuns: "it changes nothing",
  transcript: "it changes nothing",
  wholeTranscript: "it changes nothing",
  searchLogs: "it changes nothing",
  changes: "it changes nothing",
  conflict: "it changes nothing",
  startingPoints: "it changes nothing",
  showSession: "it changes nothing",
  readLog: "it changes nothing",
  listWorktrees: "it changes nothing",
  listSnapshots: "it changes nothing",
  showSnapshot: "it changes nothing",
  openAgentSession: "it changes nothing",
  callingAgent: "it changes nothing",
  refuseAgents: "it changes nothing",
  // Beside the tests of the server that it needs.
  copyStore: "it is killed in a sweep of its own",
  run: "it is killed in a sweep of its own",
  resume: "it is killed in a sweep of its own",
  // What a run does with a step, a snapshot and one transaction, a completion.
  draftPlan: "its parts are killed in theirs",
  improve: "its parts are killed in theirs",
  verify: "its parts are killed in theirs",
  restoreSession: "its parts are killed in theirs",
  abandonSession: "its parts are killed in theirs",
  cleanSessions: "its parts are killed in theirs",
  retryBlocked: "its parts are killed in theirs",
  // Saving a plan, and one transaction for each: what a kill left out, the next call does.
  importProgress: "its parts are killed in theirs",
  recover: "it is killed in a sweep of its own",
  // In sentinel.test.ts.
  markCleanExit: "it is killed in a sweep of its own",
  commit: "it is killed in a sweep of its own",
  finishIntents: "its parts are killed in theirs",
  createWorktree: "it is killed in a sweep of its own",
  removeWorktree: "it is killed in a sweep of its own",
  cleanWorktrees: "it is killed in a sweep of its own",
  mergeWorktree: "it is killed in a sweep of its own",
  syncWorktree: "it is killed in a sweep of its own",
  takeSnapshot: "it is killed in a sweep of its own",
  restoreSnapshot: "it is killed in a sweep of its own",
  dropSnapshot: "it is killed in a sweep of its own",
  // When the last beat was, what was reported already, what an agent wants to remember: hooks say it again.
  heartbeatHere: "all that it writes is a note that may be lost",
  unfinishedStep: "all that it writes is a note that may be lost",
  handOver: "all that it writes is a note that may be lost",
};

it("every verb that changes something is killed at every effect, or it is said why not", () => {
  const killed = new Set<string>(SCENARIOS.map(({ verb }) => verb));
  const verbs = Object.keys(pawlOn({} as Ports));
  expect(verbs.filter((verb) => !killed.has(verb) && !(verb in OTHERS))).toEqual([]);
  expect(Object.keys(OTHERS).filter((verb) => killed.has(verb) || !verbs.includes(verb))).toEqual([]);
});
