/** Shorter values would turn up by chance. */
const SHORTEST = 8;

export interface Redactor {
  readonly push: (chunk: Uint8Array) => Uint8Array;
  /** What was held back because a value could have begun there. */
  readonly end: () => Uint8Array;
}

/**
 * Takes values out of a stream of bytes, also where a value is cut by the edge of a chunk.
 *
 * Agents print their environment when something goes wrong, and a log outlives the run. Only bytes that may be the
 * start of a value are held back, so a reader that follows the log sees the rest at once.
 */
export function redactor(secrets: Readonly<Record<string, string>>): Redactor {
  const values = Object.entries(secrets)
    .filter(([, value]) => value.length >= SHORTEST)
    .map(([name, value]) => ({ value: Buffer.from(value), stand: Buffer.from(`[${name}]`) }))
    // A value that contains another one must be taken out first.
    .sort((a, b) => b.value.length - a.value.length);
  let held: Buffer = Buffer.alloc(0);
  if (values.length === 0) return { push: (chunk) => chunk, end: () => held };
  return {
    push(chunk) {
      let bytes: Buffer = Buffer.concat([held, chunk]);
      for (const { value, stand } of values) bytes = replaceAll(bytes, value, stand);
      const open = Math.max(...values.map(({ value }) => openTail(bytes, value)));
      held = bytes.subarray(bytes.length - open);
      return bytes.subarray(0, bytes.length - open);
    },
    end: () => held,
  };
}

function replaceAll(bytes: Buffer, value: Buffer, stand: Buffer): Buffer {
  const parts: Buffer[] = [];
  let start = 0;
  for (let at = bytes.indexOf(value); at !== -1; at = bytes.indexOf(value, start)) {
    parts.push(bytes.subarray(start, at), stand);
    start = at + value.length;
  }
  return start === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(start)]);
}

/** How many bytes at the end may be the start of the value. */
function openTail(bytes: Buffer, value: Buffer): number {
  for (let length = Math.min(value.length - 1, bytes.length); length > 0; length -= 1)
    if (bytes.subarray(bytes.length - length).equals(value.subarray(0, length))) return length;
  return 0;
}

/** The variables whose values are keys, by what they are called. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && SECRET_NAME.test(name)) found[name] = value;
  return found;
}

const SECRET_NAME = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|DATABASE_URL)$/i;
