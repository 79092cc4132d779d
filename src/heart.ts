import { serveHeart } from "./platform/os/heart/serve-heart.ts";
import { stepBeat } from "./step-beat.ts";

// The heartbeat's thread, built into a file of its own.
serveHeart(stepBeat);
