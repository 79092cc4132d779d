import { serveHeartbeats } from "./platform/os/index.ts";
import { stepHeartbeat } from "./step-heartbeat.ts";

// The heartbeat's thread, built into a file of its own.
serveHeartbeats(stepHeartbeat);
