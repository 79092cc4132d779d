import { hasCommonAttributes, hasOwnAttributes } from "./attribute-sources.ts";
import { onDisk, type BytePath } from "../files/byte-path.ts";
import { convertedFiles, differingFiles } from "./converted-files.ts";
import { copyIndex, type IndexCopy } from "../index-file/copy-index.ts";
import {
  kindReader,
  filesBelow,
  isFile,
  isVersion,
  SUBMODULE,
  type FileKind,
  type OnDisk,
} from "../files/disk-file.ts";
import { objectFormatOf, readGitSettings } from "./conversion-settings.ts";
import { indexEntries, type IndexEntry, parseIndex } from "../index-file/parse-index.ts";
import { readOperation, type OperationState } from "./operation-state.ts";
import { innerRepository, type WorktreeGit } from "./snapshot-scope.ts";
import { readStatus, type Status } from "./read-status.ts";

/** Everything about a worktree that its commit does not tell, found but not yet kept. */
export interface Scan {
  readonly place: WorktreeGit;
  readonly head: string | undefined;
  readonly branch: string | undefined;
  readonly objectFormat: string;
  readonly index: IndexCopy | undefined;
  readonly state: OperationState;
  /** Blobs that only the index names. */
  readonly staged: readonly string[];
  /** Files whose bytes must be read from disk. */
  readonly present: Map<BytePath, FileKind>;
  /** Paths of the commit where no file is now. */
  readonly removed: Set<BytePath>;
  /** Repositories inside, by what they have checked out. */
  readonly links: Map<BytePath, string>;
  readonly inner: { readonly path: BytePath; readonly scan: Scan }[];
  /** Repositories inside that belong to another project and are left alone. */
  readonly foreign: BytePath[];
  /** Paths that are not as committed. */
  readonly dirty: Set<BytePath>;
}

export const isClean = ({ dirty, state }: Scan): boolean => dirty.size === 0 && state.operation === undefined;

export interface ScanOptions {
  /** A folder of Pawl's own, for copies. */
  readonly scratch: string;
  readonly ignored: boolean;
}

/**
 * Looks at a worktree without changing anything in it.
 *
 * Git looks at a copy of the index, so that all of its answers are about the same one, and a command that a person
 * runs meanwhile is never in the way. Where git's answer is about content after conversion, or where it is marked not
 * to look, the bytes on disk decide.
 */
export async function scan(place: WorktreeGit, options: ScanOptions): Promise<Scan> {
  const index = copyIndex(place.gitDir, options.scratch);
  const objectFormat = objectFormatOf(place.commonDir);
  const indexFile = `${options.scratch}/index`;
  const parsed = index === undefined ? [] : parseIndex(index.bytes, objectFormat === "sha256" ? 32 : 20);
  const entries = parsed ?? (await indexEntries(place.run, indexFile));
  const { status, converted } = await askGit(place, entries, { indexFile, ignored: options.ignored });
  const found: Scan = {
    place,
    head: status.head,
    branch: status.branch,
    objectFormat,
    index,
    state: readOperation(place.gitDir),
    staged: status.staged,
    present: new Map(),
    removed: new Set(),
    links: new Map(),
    inner: [],
    foreign: [],
    dirty: new Set(),
  };
  const look = kindReader(place.path);
  for (const path of converted) found.present.set(path, look(path) as FileKind);
  addUnwatched(found, entries, look);
  const links = entries.filter(isLink);
  addStatus(found, status, new Set(links.map(({ path }) => path)), look);
  await addInner(found, links, status, options, look);
  return found;
}

interface Question {
  readonly indexFile: string;
  readonly ignored: boolean;
}

/**
 * What git finds, and which files it converts.
 *
 * Comparing contents may run a filter, so the filters must be known first and switched off by name. Where nothing in
 * the repository gives a file attributes there is nothing to wait for: the longer of the two calls is made first.
 */
async function askGit(
  place: WorktreeGit,
  entries: readonly IndexEntry[],
  question: Question,
): Promise<{ readonly status: Status; readonly converted: readonly BytePath[] }> {
  const isPlain = !hasOwnAttributes(place, entries);
  const early = isPlain ? readStatus(place.run, { ...question, config: NO_ATTRIBUTES }) : undefined;
  // It may fail before a caller waits for it.
  early?.catch(() => undefined);
  const { withoutFilters, convertsLineEnds, attributesFile } = await readGitSettings(place.run);
  const mayConvert = !isPlain || convertsLineEnds || hasCommonAttributes(place, attributesFile);
  const [status, converted] = await Promise.all([
    early ?? readStatus(place.run, { ...question, config: withoutFilters }),
    mayConvert ? convertedFiles(place, entries, { ...question, convertsLineEnds }) : [],
  ]);
  const rulesChanged = [...status.tracked, ...status.untracked].some((path) =>
    path.endsWith(".gitattributes"),
  );
  return { status, converted: rulesChanged ? differingFiles(place.path, entries) : converted };
}

const NO_ATTRIBUTES = new Map([["core.attributesFile", "/dev/null"]]);

type Look = (path: BytePath) => OnDisk;

const isLink = (entry: IndexEntry): boolean => entry.mode === SUBMODULE;

/** What is marked for git to skip is compared here. A file that sparse checkout left out is simply not there. */
function addUnwatched(found: Scan, entries: readonly IndexEntry[], look: Look): void {
  for (const entry of entries) {
    if (entry.unwatched === undefined || entry.stage !== 0 || entry.mode === SUBMODULE) continue;
    const { path, oid, mode, unwatched } = entry;
    const kind = look(path);
    if (isFile(kind) && isVersion(found.place.path, path, kind, { mode, oid })) continue;
    if (isFile(kind)) found.present.set(path, kind);
    else found.removed.add(path);
    if (isFile(kind) || unwatched === "assumed-unchanged") found.dirty.add(path);
  }
}

function addStatus(found: Scan, status: Status, links: ReadonlySet<BytePath>, look: Look): void {
  for (const path of status.tracked) {
    found.dirty.add(path);
    if (links.has(path)) continue;
    const kind = look(path);
    if (isFile(kind)) found.present.set(path, kind);
    else found.removed.add(path);
  }
  for (const path of status.untracked) {
    const kind = look(path);
    if (path.endsWith("/") || !isFile(kind)) continue;
    found.present.set(path, kind);
    found.dirty.add(path);
  }
}

async function addInner(
  found: Scan,
  links: readonly IndexEntry[],
  status: Status,
  options: ScanOptions,
  look: Look,
): Promise<void> {
  for (const { path, oid, stage } of links) {
    const kind = look(path);
    if (kind === "folder") await addRepository(found, path, stage === 0 ? oid : undefined, options);
    else if (isFile(kind)) found.present.set(path, kind);
    else found.removed.add(path);
    if (kind !== "folder") found.dirty.add(path);
  }
  for (const path of status.untracked)
    if (path.endsWith("/")) await addRepository(found, path.slice(0, -1), undefined, options);
}

/** A submodule, or a repository that was made inside the worktree; `oid` is what the index says of it. */
async function addRepository(
  found: Scan,
  path: BytePath,
  oid: string | undefined,
  options: ScanOptions,
): Promise<void> {
  const { place } = found;
  const folder = onDisk(place.path, path).toString("utf8");
  const inside = innerRepository(place, folder);
  if (inside.kind === "foreign") {
    found.foreign.push(path);
    if (oid !== undefined) found.links.set(path, oid);
    return;
  }
  if (inside.kind === "plain") {
    // A submodule that was never fetched. Git overlooks whatever lies in its folder.
    let files = 0;
    for (const [file, kind] of filesBelow(place.path, path)) {
      found.present.set(file, kind);
      found.dirty.add(file);
      files += 1;
    }
    if (files > 0) found.removed.add(path);
    else if (oid !== undefined) found.links.set(path, oid);
    return;
  }
  const scratch = `${options.scratch}/inner-${found.inner.length}`;
  const inner = await scan(inside.place, { ...options, scratch });
  found.inner.push({ path, scan: inner });
  const name = inner.head ?? oid;
  if (name !== undefined) found.links.set(path, name);
  if (!isClean(inner) || inner.head !== oid) found.dirty.add(path);
}
