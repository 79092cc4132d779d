import type { RunGit } from "../process/run-git.ts";
import { recordsOf } from "../process/git-output.ts";
import type { BytePath } from "../files/byte-path.ts";
import { filesOf } from "../files/diff-trees.ts";
import { readBlob } from "../files/read-blobs.ts";
import { INDEX, PERMISSIONS_FILE, REPOSITORIES, STATE, type InnerSnapshot } from "./write-snapshot.ts";
import type { StateFile } from "./operation-state.ts";

/** What a snapshot holds beside the files: read when it is needed. */
export interface SnapshotParts {
  readonly index: () => Promise<Buffer | undefined>;
  readonly state: () => Promise<readonly StateFile[]>;
  readonly inner: () => Promise<readonly InnerSnapshot[]>;
  /** Of files that were not open to everybody. */
  readonly permissions: () => Promise<ReadonlyMap<BytePath, number>>;
}

export async function readSnapshotParts(run: RunGit, commit: string): Promise<SnapshotParts> {
  const parents = await recordsOf(run, {
    args: ["log", "-1", "-z", "--no-show-signature", "--format=tformat:%P", commit, "--"],
    access: "read",
  });
  const parent = parents[0]?.trim().split(" ").at(-1);
  const files = new Map<BytePath, string>();
  if (parent) for (const { path, oid } of await filesOf(run, parent)) files.set(path, oid);
  const read = async (path: BytePath): Promise<Buffer | undefined> => {
    const name = files.get(path);
    return name === undefined ? undefined : readBlob(run, name);
  };
  return {
    index: () => read(INDEX),
    async state() {
      const found: StateFile[] = [];
      for (const [path, name] of files)
        if (path.startsWith(STATE))
          found.push({ path: path.slice(STATE.length), bytes: await readBlob(run, name) });
      return found;
    },
    async permissions() {
      const text = await read(PERMISSIONS_FILE);
      const pairs = text === undefined ? [] : (JSON.parse(text.toString("utf8")) as [BytePath, number][]);
      return new Map(pairs.map(([path, mode]) => [path, mode & 0o777]));
    },
    async inner() {
      const text = await read(REPOSITORIES);
      return text === undefined ? [] : (JSON.parse(text.toString("utf8")) as InnerSnapshot[]).filter(isInner);
    },
  };
}

const isInner = (value: InnerSnapshot): boolean =>
  [value.path, value.gitDir, value.ref, value.commit].every((part) => typeof part === "string") &&
  /^[0-9a-f]{40,64}$/.test(value.commit) &&
  !value.path.split("/").some((part) => part === "" || part === "." || part === ".." || part === ".git");
