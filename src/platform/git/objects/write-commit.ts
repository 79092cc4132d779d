import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { nodeCrypto } from "../../index.ts";
import { objectFormatOf } from "../snapshots/conversion-settings.ts";
import { PAWL_IDENTITY } from "../process/pawl-identity.ts";

export interface CommitToWrite {
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
}

/** Set-group-ID or writable by a group: git then gives its files modes of their own. */
const SHARED = 0o2020;

let written = 0;

/**
 * Writes a commit of Pawl's own as an object of git's, and answers its name; undefined leaves it to git.
 *
 * Beside other workers a step takes four of these. Starting git for each takes longer than writing one small file.
 */
export function writeCommit(commonDir: string, commit: CommitToWrite): string | undefined {
  const objects = join(commonDir, "objects");
  try {
    if (commit.message.includes("\0") || (fs.statSync(objects).mode & SHARED) !== 0) return undefined;
    const content = contentOf(commit);
    const id = nodeCrypto().createHash(objectFormatOf(commonDir)).update(content).digest("hex");
    const path = join(objects, id.slice(0, 2), id.slice(2));
    fs.mkdirSync(dirname(path), { recursive: true });
    written += 1;
    // What a kill leaves has a name that `git gc` removes.
    const draft = join(dirname(path), `tmp_obj_pawl${process.pid}-${written}`);
    fs.writeFileSync(draft, deflateSync(content), { flag: "wx", mode: 0o444, flush: true });
    fs.renameSync(draft, path);
    return id;
  } catch {
    // Git says what is wrong there, such as a full disk.
    return undefined;
  }
}

function contentOf({ tree, parent, message }: CommitToWrite): Buffer {
  const { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email } = PAWL_IDENTITY;
  const who = `${name} <${email}> ${Math.floor(Date.now() / 1000)} +0000`;
  const lines = [`tree ${tree}`, `parent ${parent}`, `author ${who}`, `committer ${who}`, "", message, ""];
  const body = Buffer.from(lines.join("\n"));
  return Buffer.concat([Buffer.from(`commit ${body.length}\0`), body]);
}
