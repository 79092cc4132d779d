/** Cuts bytes that come in pieces into lines, each with its line end. */
export interface LineSplitter {
  readonly add: (chunk: Buffer) => void;
  /** What came after the last line end is a line, too. */
  readonly end: () => void;
}

export function splitLines(onLine: (line: Buffer) => void): LineSplitter {
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
