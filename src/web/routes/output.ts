import { open } from "node:fs/promises";
import { Failure } from "../../domain/errors.ts";
import type { Route } from "../route.ts";

const MOST_BYTES = 128 * 1024;

export const output: Route = {
  method: "GET",
  path: "/api/output",
  command: "sessions logs",
  about: "What a command of a session printed: from a byte on, or the end of it",
  takes: ["id", "command", "from"],
  async answer({ pawl }, { query }) {
    const { checkpoints, status } = await pawl.showSession({ id: query.needed("id") });
    const number = query.number("command");
    const chosen =
      number === undefined ? checkpoints.at(-1) : checkpoints.find((one) => one.number === number);
    if (chosen === undefined) throw new Failure("session/unknown", "There is no such command.", {});
    const isLive = status === "in_progress" && chosen.outcome === null;
    return { command: chosen.number, is_live: isLive, ...(await readFrom(chosen.log, query.number("from"))) };
  },
};

/** Very long logs lose their middle and get shorter; then the end is read anew. */
async function readFrom(path: string | null, from: number | undefined) {
  const nothing = { text: "", from: 0, until: 0, size: 0 };
  if (path === null) return nothing;
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return nothing;
  try {
    const { size } = await file.stat();
    const start =
      from !== undefined && from <= size && size - from <= MOST_BYTES ? from : Math.max(size - MOST_BYTES, 0);
    const buffer = Buffer.alloc(Math.min(size - start, MOST_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    const whole = wholeCharacters(buffer.subarray(0, bytesRead));
    return { text: whole.toString("utf8"), from: start, until: start + whole.length, size };
  } finally {
    await file.close();
  }
}

/** A character that is still being written is left for the next read. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}
