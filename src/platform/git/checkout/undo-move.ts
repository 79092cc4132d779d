import * as fs from "node:fs";
import { join } from "node:path";
import type { BytePath } from "../files/byte-path.ts";
import { recordsOf } from "../process/git-output.ts";
import type { RunGit } from "../process/run-git.ts";
import type { FileChange } from "../files/diff-trees.ts";
import { LONG_CALL_MS } from "../process/long-call.ts";
import { hasArrived, hasFile, hasLeft, type NumberedChange, flushChanges, undo } from "./change-files.ts";
import { type CheckoutPaths, oldFile, statIn } from "./checkout-paths.ts";
import { versionsOf } from "./find-obstacles.ts";
import { duringIndexLock } from "./index-lock.ts";
import { findSparse } from "./write-new-files.ts";

type Fate = "not-made" | "accepted" | "to-take-back" | "somebody's";

/**
 * Takes back what a killed merge has changed, when it will not continue; answers what a person changed since.
 *
 * Only a file that is exactly as the merge made it goes back, and only while the index has it as it was before: what
 * a person has added or committed since is theirs.
 */
export function undoMove(
  run: RunGit,
  place: CheckoutPaths,
  all: readonly NumberedChange[],
): Promise<readonly BytePath[]> {
  return duringIndexLock(place, async () => {
    const sparse = new Set(await findSparse((call) => run({ ...call, worktree: place.top }), place, all));
    const changes = all.filter((one) => !sparse.has(one));
    const entries = await entriesOf(run, place);
    const unclear = changes.filter((one) => hasLeft(place, one) && !hasArrived(place, one));
    const versions = await versionsOf(
      run,
      place.top,
      unclear.map(({ change }) => change.path),
    );
    const fates = new Map(changes.map((one) => [one, fateOf(place, one, entries, versions)]));
    const made = changes.filter((one) => fates.get(one) === "to-take-back");
    // In the order in which they were made: what went, went first.
    undo(place, [...made.filter(isRemoval), ...made.filter((one) => !isRemoval(one))]);
    await flushChanges(place, made);
    return changes.filter((one) => fates.get(one) === "somebody's").map(({ change }) => change.path);
  });
}

const isRemoval = ({ change }: NumberedChange): boolean => change.to === undefined;

/** Mode and name that the index has for each path. */
async function entriesOf(
  run: RunGit,
  { top, gitDir }: CheckoutPaths,
): Promise<ReadonlyMap<BytePath, string>> {
  const listed = await recordsOf(run, {
    args: ["ls-files", "--stage", "-z"],
    access: "read",
    worktree: top,
    indexFile: join(gitDir, "index"),
    timeoutMs: LONG_CALL_MS,
  });
  return new Map(
    listed.map((line) => {
      const tab = line.indexOf("\t");
      return [line.slice(tab + 1), line.slice(0, tab).replace(/ \d$/, "")];
    }),
  );
}

const named = (version: FileChange["to"]): string | undefined => version && `${version.mode} ${version.oid}`;

function fateOf(
  place: CheckoutPaths,
  one: NumberedChange,
  entries: ReadonlyMap<BytePath, string>,
  versions: ReadonlyMap<BytePath, string>,
): Fate {
  const { path, from, to } = one.change;
  const entry = entries.get(path);
  const isKept = fs.lstatSync(oldFile(place, one.number), { throwIfNoEntry: false }) !== undefined;
  if (!hasFile(to)) {
    if (!isKept || entry !== named(from)) return "not-made";
    const stat = statIn(place.top, path);
    return stat === undefined || stat.isDirectory() ? "to-take-back" : "not-made";
  }
  if (!hasLeft(place, one)) return "not-made";
  const version = hasArrived(place, one) ? named(to) : versions.get(path);
  if (version === entry) return "accepted";
  const canGoBack = isKept || !hasFile(from);
  return version === named(to) && entry === named(from) && canGoBack ? "to-take-back" : "somebody's";
}
