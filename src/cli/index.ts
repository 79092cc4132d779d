// The door of this room: other rooms import from here alone.
export { BY_SIGNAL } from "./by-signal.ts";
export { COMMANDS } from "./commands/index.ts";
export type { AskKey, AskLine, Context, Progress, Servers, Stream, WatchKeys } from "./context.ts";
export { answerHook } from "./hooks/answer-hook.ts";
export { HOOK_EVENTS } from "./hooks/hook-events.ts";
export { type Host, Unwritten } from "./host.ts";
export { type Proofs, guaranteeReference, guaranteeTable } from "./print-guarantees.ts";
export { manPage } from "./print-man.ts";
export {
  cellText,
  code,
  commandReference,
  errorReference,
  stepMachineReference,
  table,
} from "./print-reference.ts";
export { runCli } from "./shell.ts";
export { frame } from "./text/frame.ts";
export { guard } from "./text/guard.ts";
export { colourPaint, plainPaint } from "./text/paint.ts";
export { useColour } from "./text/use-colour.ts";
export { write } from "./write.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadHomeText = () => import("./home.ts");
