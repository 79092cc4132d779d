import { appendFileSync } from "node:fs";
import { serveHeartbeats } from "../../../src/platform/os/heartbeat/serve-heartbeats.ts";

/** A heartbeat's thread that writes down when it beats, and loses its claim at the given beat. */

interface Given {
  readonly file: string;
  readonly loseAt?: number;
  readonly breakAt?: number;
}

serveHeartbeats(async (data) => {
  const { file, loseAt, breakAt } = data as Given;
  let count = 0;
  return async () => {
    count += 1;
    appendFileSync(file, `${Date.now()}\n`);
    if (count === breakAt)
      setImmediate(() => {
        throw new Error("broken");
      });
    return count === loseAt ? { lost: "another worker has it" } : "renewed";
  };
});
