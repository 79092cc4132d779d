import { serveHeart } from "./os/heart/serve-heart.ts";
import { stepBeat } from "./os/heart/step-beat.ts";

// The heartbeat's thread, built into a file of its own.
serveHeart(stepBeat);
