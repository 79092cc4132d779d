import { writeSync } from "node:fs";
import { Unwritten } from "./host.ts";

/** Writes all of it, now. A reader that went away (`pawl … | head`) is no error of ours. */
export function write(fd: number, text: string): boolean {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") return false;
      // A pipe that is full: its reader will make room.
      if (code !== "EAGAIN") throw new Unwritten(code ?? "unknown");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  return true;
}
