/** The longest line that is kept whole. Events of agents carry whole files, so it is generous; memory is not endless. */
const LONGEST_LINE_BYTES = 8 * 1024 * 1024;

/** What stays of a longer line: enough to see what it was. */
const KEPT_OF_LONGER = 1024;

export interface LineSplitter {
  readonly push: (chunk: Uint8Array) => void;
  /** The end of the output is the end of its last line, too. */
  readonly end: () => void;
}

/**
 * Cuts bytes into lines of text, in bounded memory whatever comes.
 *
 * Bytes that are no UTF-8 become U+FFFD. Lines are decoded whole, so no character is cut at the edge of a chunk. Of a
 * line that is too long only the start is given out; the rest is skipped up to the next line end.
 */
export function splitLines(
  onLine: (line: string) => void,
  longestBytes: number = LONGEST_LINE_BYTES,
): LineSplitter {
  let parts: Buffer[] = [];
  let bytes = 0;
  let skipping = false;

  const give = () => {
    const line = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    parts = [];
    bytes = 0;
    if (skipping) {
      skipping = false;
      onLine(`${line.toString("utf8", 0, KEPT_OF_LONGER)}…`);
      return;
    }
    const end = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
    onLine(line.toString("utf8", 0, end));
  };

  const keep = (part: Buffer) => {
    if (skipping) return;
    bytes += part.length;
    if (bytes > longestBytes) {
      skipping = true;
      parts = [Buffer.from(Buffer.concat([...parts, part]).subarray(0, KEPT_OF_LONGER))];
      return;
    }
    parts.push(part);
  };

  return {
    push(chunk) {
      const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let start = 0;
      for (;;) {
        const end = buffer.indexOf(LINE_FEED, start);
        if (end === -1) break;
        keep(buffer.subarray(start, end));
        give();
        start = end + 1;
      }
      // A copy, because the caller may use its buffer again, and a slice would keep all of it alive.
      if (start < buffer.length && !skipping) keep(Buffer.from(buffer.subarray(start)));
    },
    end() {
      if (bytes > 0) give();
    },
  };
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
