import { Failure } from "../../../domain/index.ts";
import type { RunGit } from "../process/run-git.ts";

/** Takes the bytes of one blob, piece by piece. */
export interface Sink {
  readonly write: (chunk: Buffer) => void;
  readonly end: () => void;
}

/** Reads blobs in the order asked for, by one process; `open` receives which one begins. */
export async function readBlobs(
  run: RunGit,
  names: readonly string[],
  open: (at: number) => Sink,
): Promise<void> {
  if (names.length === 0) return;
  const reader = batchReader(names, open);
  const input = names.map((name) => `${name}\n`).join("");
  await run({ args: ["cat-file", "--batch"], access: "read", input, onOutput: reader.take });
  if (reader.done() < names.length) throw missing(names[reader.done()]!);
}

export async function readBlob(run: RunGit, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await readBlobs(run, [name], () => ({ write: (chunk) => chunks.push(chunk), end: () => undefined }));
  return Buffer.concat(chunks);
}

/** `<name> blob <size>`, a line end, the bytes, a line end; and so on. */
function batchReader(names: readonly string[], open: (at: number) => Sink) {
  let done = 0;
  let head = Buffer.alloc(0);
  let sink: Sink | undefined;
  let left = 0;
  const begin = (line: string): void => {
    const [, type, size] = line.split(" ");
    if (type !== "blob") throw missing(names[done] ?? line);
    sink = open(done);
    left = Number(size) + 1;
  };
  const take = (chunk: Buffer): void => {
    let rest = chunk;
    while (rest.length > 0) {
      if (sink === undefined) {
        const end = rest.indexOf(10);
        head = Buffer.concat([head, end === -1 ? rest : rest.subarray(0, end)]);
        if (end === -1) return;
        rest = rest.subarray(end + 1);
        begin(head.toString("latin1"));
        head = Buffer.alloc(0);
      } else {
        const part = rest.subarray(0, left);
        // The last byte is the line end after the blob.
        const own = part.length === left ? part.subarray(0, -1) : part;
        if (own.length > 0) sink.write(own);
        left -= part.length;
        rest = rest.subarray(part.length);
        if (left > 0) continue;
        sink.end();
        sink = undefined;
        done += 1;
      }
    }
  };
  return { take, done: () => done };
}

const missing = (name: string): Failure =>
  new Failure("snapshot/incomplete", `The object ${name} of the snapshot is not in the repository.`, {
    object: name,
  });
