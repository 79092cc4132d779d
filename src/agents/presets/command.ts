import type { AgentPreset } from "../agent-preset.ts";
import { plainReader } from "../json-line.ts";
import { SERVER_REFUSALS } from "../signs.ts";

/**
 * Any program. A wrapper around an agent says "not now, try later" with exit code 75, as mail programs do (EX_TEMPFAIL),
 * and "not allowed" with 77. Of its words only a refusal of its model's server counts, where it fails by it.
 */
export const command: AgentPreset = {
  about: "Any program: the prompt on stdin, exit code 75 for a limit, 77 for a refused key",
  program: undefined,
  prompt: "stdin",
  start: [],
  resume: undefined,
  sessionId: "none",
  permissions: { edits: () => ({}), sandboxed: () => ({}), full: () => ({}) },
  sandbox: "pawl",
  hasCommandList: false,
  ownFolders: [],
  output: "plain",
  reader: plainReader,
  signs: SERVER_REFUSALS,
  exitCodes: { 75: "limited", 77: "unauthorised" },
  exitCodeIsTrue: true,
};

/** A check, or a program of a workflow: its words mean nothing, because a failing test may print any of them. */
export const PLAIN_PROGRAM: AgentPreset = { ...command, signs: [] };
