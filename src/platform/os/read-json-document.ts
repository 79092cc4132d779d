/** What comes through a pipe, piece by piece. */
export interface Pieces {
  /** The next piece; undefined at the end. */
  readonly next: () => Promise<Uint8Array | undefined>;
  /** Resolves after so many milliseconds. */
  readonly after: (ms: number) => Promise<void>;
}

/** More than any event needs. The rest is read and dropped: its writer waits until it is gone. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Less than the programs that call hooks wait for them. */
const MOST_MS = 5000;

export interface JsonDocumentText {
  /** Undefined when nothing came, or too much. */
  readonly text: string | undefined;
  /** Something was still to come when the time was over. */
  readonly isCutOff: boolean;
}

/**
 * Reads one event, up to the end of its document.
 *
 * Some programs never close the pipe, and a hook that waits for that would hold up their agent for ever. What stands
 * behind the document is no event; a document that does not end has as long as the agent can be held up.
 */
export async function readJsonDocument({ next, after }: Pieces): Promise<JsonDocumentText> {
  const pieces: Uint8Array[] = [];
  const isWhole = documentEnd();
  const over = after(MOST_MS).then(() => "over" as const);
  for (let bytes = 0; ;) {
    const piece = await Promise.race([next(), over]);
    if (piece === "over") return { text: undefined, isCutOff: true };
    if (piece !== undefined) {
      bytes += piece.length;
      if (bytes <= MOST_BYTES) pieces.push(piece);
    }
    if (piece !== undefined && !isWhole(piece)) continue;
    const text = bytes === 0 || bytes > MOST_BYTES ? undefined : Buffer.concat(pieces).toString("utf8");
    return { text, isCutOff: false };
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSE: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/** Says for each piece whether the bracket that the document began with is closed by now. */
function documentEnd(): (piece: Uint8Array) => boolean {
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  return (piece) => {
    for (const byte of piece) {
      if (isString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isString = false;
      } else if (byte === QUOTE) isString = true;
      else if (OPEN.has(byte)) depth += 1;
      else if (CLOSE.has(byte)) {
        depth -= 1;
        if (depth <= 0) return true;
      }
    }
    return false;
  };
}
