import type { GitCall, RunGit } from "./run-git.ts";

/** All that git writes, as bytes. */
export async function bytesOf(run: RunGit, call: GitCall): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await run({ ...call, onOutput: (chunk) => chunks.push(chunk) });
  return Buffer.concat(chunks);
}

/** The records of NUL-separated output, with every byte kept. */
export async function recordsOf(run: RunGit, call: GitCall): Promise<readonly string[]> {
  const records = (await bytesOf(run, call)).toString("latin1").split("\0");
  records.pop();
  return records;
}

/** Cuts bytes that come in pieces into lines, each with its line end. */
interface LineSplitter {
  readonly add: (chunk: Buffer) => void;
  /** What came after the last line end is a line, too. */
  readonly end: () => void;
}

export function splitByteLines(onLine: (line: Buffer) => void): LineSplitter {
  let rest: Buffer = Buffer.alloc(0);
  return {
    add(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
        onLine(bytes.subarray(start, end + 1));
        start = end + 1;
      }
      rest = bytes.subarray(start);
    },
    end() {
      if (rest.length > 0) onLine(rest);
      rest = Buffer.alloc(0);
    },
  };
}

const LINE_FEED = 0x0a;

/** One record of a NUL-separated stream; `isCut` when it was longer than allowed and only its beginning is here. */
export interface StreamRecord {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/** Takes a stream in chunks and hands out its records, without ever holding more than `maxBytes` of one. */
export function splitRecords(
  maxBytes: number,
  onRecord: (record: StreamRecord) => void,
): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isCut = false;
  const hold = (piece: Buffer): void => {
    const kept = piece.subarray(0, maxBytes - heldBytes);
    isCut ||= kept.length < piece.length;
    heldBytes += kept.length;
    if (kept.length > 0) held.push(kept);
  };
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      hold(chunk.subarray(start, end));
      onRecord({ bytes: Buffer.concat(held), isCut });
      [held, heldBytes, isCut, start] = [[], 0, false, end + 1];
    }
    hold(chunk.subarray(start));
  };
}
