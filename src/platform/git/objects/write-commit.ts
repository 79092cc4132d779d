import { objectFormatOf } from "../snapshots/conversion-settings.ts";
import { PAWL_IDENTITY } from "../process/pawl-identity.ts";
import { toObject, writeObjects } from "./write-objects.ts";

export interface CommitToWrite {
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
}

/**
 * Writes a commit of Pawl's own as an object of git's, and answers its name; undefined leaves it to git.
 *
 * Beside other workers a step takes four of these. Starting git for each takes longer than writing one small file.
 */
export function writeCommit(commonDir: string, commit: CommitToWrite): string | undefined {
  if (commit.message.includes("\0")) return undefined;
  const object = toObject("commit", contentOf(commit), objectFormatOf(commonDir));
  return writeObjects(commonDir, [object]) ? object.id : undefined;
}

function contentOf({ tree, parent, message }: CommitToWrite): Buffer {
  const { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email } = PAWL_IDENTITY;
  const who = `${name} <${email}> ${Math.floor(Date.now() / 1000)} +0000`;
  const lines = [`tree ${tree}`, `parent ${parent}`, `author ${who}`, `committer ${who}`, "", message, ""];
  return Buffer.from(lines.join("\n"));
}
