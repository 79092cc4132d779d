// The door of this room: other rooms import from here alone.
export { serveHeartbeats } from "./heartbeat/serve-heartbeats.ts";
export type { StepHeartbeatData } from "./heartbeat/step-heartbeats.ts";
export { machineIdentity } from "./machine-identity.ts";
export { newId, sha256 } from "./node-crypto.ts";
export { nodeFiles } from "./node-files.ts";
export { procProcesses } from "./proc-processes.ts";
export { readEvent } from "./read-event.ts";
export { signingKey } from "./signing-key.ts";
export { bindToRepository, idIn, makeStateFolder, refuseForeign, refuseOpenToAll } from "./state-folder.ts";
export { refuseWindows } from "./supported-platform.ts";
export { systemClock } from "./system-clock.ts";
export { workingFolder } from "./working-folder.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadStepHeartbeats = () => import("./heartbeat/step-heartbeats.ts");
export const loadLeftovers = () => import("./leftovers.ts");
export const loadLineProcess = () => import("./line-process.ts");
export const loadNewRepository = () => import("./new-repository.ts");
export const loadNodeFiles = () => import("./node-files.ts");
export const loadOpenBrowser = () => import("./open-browser.ts");
export const loadPathCommands = () => import("./path-commands.ts");
export const loadProcessTable = () => import("./process-table.ts");
export const loadReadEvent = () => import("./read-event.ts");
export const loadReadPipedInput = () => import("./read-piped-input.ts");
export const loadMachineSandbox = () => import("./sandbox/machine-sandbox.ts");
export const loadHostedRequests = () => import("./requests/hosted-requests.ts");
export const loadAgentEnvironment = () => import("./supervise/agent-environment.ts");
export const loadPawlBinFolder = () => import("./supervise/pawl-bin-folder.ts");
export const loadRedact = () => import("./supervise/redact.ts");
export const loadServerForAgents = () => import("./supervise/server-for-agents.ts");
export const loadSupervise = () => import("./supervise/supervise.ts");
export const loadSystemClock = () => import("./system-clock.ts");
export const loadWebPost = () => import("./web-post.ts");
export const loadTerminalKeys = () => import("./terminal-keys.ts");
export const loadTerminalLines = () => import("./terminal-lines.ts");
