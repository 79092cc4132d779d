import * as fs from "node:fs";

const CHUNK_BYTES = 1 << 16;

/**
 * Whether a file is the beginning of what it is known to have held, as a power cut leaves it: nothing of it, or a part
 * with zero bytes where the rest was. With `evenShorter` also a part alone, which may as well be an edit.
 */
export function isCutShort(
  path: Buffer,
  known: Buffer,
  { evenShorter }: { readonly evenShorter: boolean },
): boolean {
  const now = open(path);
  if (now === undefined) return false;
  const before = open(known);
  try {
    if (before === undefined || before.size === 0 || now.size > before.size) return false;
    if (now.size === 0) return true;
    const { same, written, isSame } = compare(now, before);
    if (isSame || written > same) return false;
    return now.size > written || (evenShorter && now.size < before.size);
  } finally {
    fs.closeSync(now.fd);
    if (before !== undefined) fs.closeSync(before.fd);
  }
}

interface Opened {
  readonly fd: number;
  readonly size: number;
}

function open(path: Buffer): Opened | undefined {
  try {
    const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
    const stat = fs.fstatSync(fd);
    if (stat.isFile()) return { fd, size: stat.size };
    fs.closeSync(fd);
  } catch {
    // Git cannot read it either, so no commit takes it in.
  }
  return undefined;
}

/** How far two files are alike from their beginning, and where the last byte of the first is that is not zero. */
function compare(now: Opened, before: Opened) {
  const [one, other] = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)];
  let same = 0;
  let written = 0;
  for (let at = 0; at < now.size; at += CHUNK_BYTES) {
    const length = fs.readSync(now.fd, one, 0, CHUNK_BYTES, at);
    if (length === 0) break;
    fs.readSync(before.fd, other, 0, length, at);
    let alike = 0;
    if (same === at) while (alike < length && one[alike] === other[alike]) alike += 1;
    same += alike;
    let end = length;
    while (end > 0 && one[end - 1] === 0) end -= 1;
    if (end > 0) written = at + end;
  }
  return { same, written, isSame: same === now.size && now.size === before.size };
}
