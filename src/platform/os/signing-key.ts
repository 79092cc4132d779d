import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { Failure } from "../../domain/index.ts";
import { nodeCrypto, syncPath } from "../index.ts";
import type { SignedWork, Signer } from "../ports/index.ts";
import { diskFailure } from "./disk-failure.ts";
import { nodeFiles } from "./node-files.ts";

const FILE = "signing-key";
const WORK_FILE = "signed-work";
const KEY_BYTES = 32;

/**
 * HMAC-SHA256 with a key that lies in the state folder, readable by its owner only.
 *
 * A program that can read the key can also write the database, so the signature keeps out what comes from elsewhere: pushed
 * commits, text of plans and agents, other clones. It does not keep out the user the agents run as.
 *
 * Key and notes are kept a second time in `copyDir`: a state folder that is deleted takes the database with it, and what
 * git holds could not be distinguished from a stranger's commits any more.
 */
export function signingKey(stateDir: string, copyDir?: string): Signer {
  const homes = [stateDir, ...(copyDir === undefined ? [] : [copyDir])];
  const works = homes.map((home) => rememberWorks(join(home, WORK_FILE)));
  let key: Uint8Array | undefined;
  let isKept = false;
  const hmac = (secret: Uint8Array, text: string): string =>
    nodeCrypto().createHmac("sha256", secret).update(text).digest("hex");
  const read = (): Uint8Array | undefined => {
    for (const home of homes) key ??= readKey(join(home, FILE));
    return key;
  };
  return {
    sign(text) {
      const secret = read() ?? makeKey(stateDir, nodeCrypto().randomBytes(KEY_BYTES));
      // A call that died in between is caught up here by the next one.
      if (!isKept) for (const home of homes) if (!existsSync(join(home, FILE))) makeKey(home, secret);
      isKept = true;
      return hmac((key = secret), text);
    },
    signatureOf(text) {
      const secret = read();
      return secret && hmac(secret, text);
    },
    remember(signature, { commit, change }) {
      for (const home of homes) bringBack(home, homes);
      // In one write, on a line of its own even behind one that a crash cut off. One copy is flushed; what a power cut
      // takes from the other is read from that one.
      for (const home of homes)
        append(join(home, WORK_FILE), `\n${signature} ${commit} ${change}`, home === stateDir);
    },
    workOf(signature) {
      const found = works.flatMap((worksIn) => worksIn().get(signature) ?? []);
      return [...new Map(found.map((work) => [`${work.commit} ${work.change}`, work])).values()];
    },
  };
}

function append(path: string, line: string, flush: boolean): void {
  try {
    appendFileSync(path, line, { mode: 0o600, flush });
  } catch (error) {
    throw diskFailure(error, path);
  }
}

/** Notes that one of the folders lost, or never had, from the other one. */
function bringBack(home: string, homes: readonly string[]): void {
  const path = join(home, WORK_FILE);
  const other = homes.map((one) => join(one, WORK_FILE)).find((one) => one !== path && existsSync(one));
  if (other === undefined || existsSync(path)) return;
  nodeFiles.replace(path, readFileSync(other));
}

const WORK = /^([0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{64})$/;

type Works = ReadonlyMap<string, readonly SignedWork[]>;

/**
 * All that was noted, read anew when the file has changed. It only ever grows, so its length tells.
 *
 * A look at a plan asks about each of its commits, and read for each, the notes would cost the square of the steps.
 */
function rememberWorks(path: string): () => Works {
  let last: { readonly mark: string; readonly works: Works } | undefined;
  return () => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return new Map();
    const mark = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
    if (last?.mark !== mark) last = { mark, works: readWorks(path) };
    return last.works;
  };
}

function readWorks(path: string): Works {
  const works = new Map<string, SignedWork[]>();
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [, signature, commit, change] = WORK.exec(line) ?? [];
    if (signature === undefined || commit === undefined || change === undefined) continue;
    works.set(signature, [...(works.get(signature) ?? []), { commit, change }]);
  }
  return works;
}

function readKey(path: string): Uint8Array | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Failure("store/open-failed", `The key ${path} cannot be read.`, { path }, { cause: error });
  }
  if (/^[0-9a-f]{64}\n?$/.test(text)) return Buffer.from(text.trim(), "hex");
  // A new key in its place would turn every commit of this clone into a stranger's.
  throw new Failure(
    "store/open-failed",
    `The key ${path} is damaged.`,
    { path },
    {
      hint: "Put the file back from a copy, or move it away; commits signed with it are then only proposed.",
    },
  );
}

/** Linked into place whole: of many that make one at once all use the first, and a crash leaves none or a good one. */
function makeKey(home: string, key: Uint8Array): Uint8Array {
  const path = join(home, FILE);
  const unfinished = join(home, `.${FILE}.${process.pid}.${nodeCrypto().randomBytes(4).toString("hex")}`);
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const fd = openSync(unfinished, "wx", 0o600);
    try {
      writeSync(fd, `${Buffer.from(key).toString("hex")}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    linkUnlessThere(unfinished, path);
  } catch (error) {
    throw new Failure("store/read-only", `The key ${path} cannot be made.`, { path }, { cause: error });
  } finally {
    rmSync(unfinished, { force: true });
  }
  syncPath(home);
  const made = readKey(path);
  if (made) return made;
  throw new Failure("store/read-only", `The key ${path} was made and is gone.`, { path });
}

function linkUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
