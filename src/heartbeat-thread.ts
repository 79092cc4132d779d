import { serveHeartbeats } from "./platform/os/heartbeat/serve-heartbeats.ts";
import { stepHeartbeat } from "./step-heartbeat.ts";

// The heartbeat's thread, built into a file of its own.
serveHeartbeats(stepHeartbeat);
