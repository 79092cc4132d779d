import type { AgentPreset } from "../agent-preset.ts";
import { plainReader } from "../json-line.ts";

/**
 * Any program. Its words mean nothing to Pawl, because a failing test may print any of them; a wrapper around an agent
 * says "not now, try later" with exit code 75, as mail programs do (EX_TEMPFAIL), and "not allowed" with 77.
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
  signs: [],
  exitCodes: { 75: "limited", 77: "unauthorised" },
  exitCodeIsTrue: true,
};
