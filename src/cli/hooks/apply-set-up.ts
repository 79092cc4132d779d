import { lstatSync, readFileSync, realpathSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { Failure } from "../../domain/index.ts";
import type { Context } from "../context.ts";
import { isIn } from "./config-text.ts";
import { SET_UP_NAMES, SET_UPS, type SetUpFile, type SetUpName } from "./set-ups.ts";

export interface FileReport {
  readonly agent: SetUpName;
  readonly path: string;
  readonly about: string;
  readonly installed: boolean;
  readonly changed: boolean;
}

const MOST_BYTES = 4 * 1024 * 1024;

type Act = "install" | "uninstall" | "status";

/** Does it for one agent or all. Everything is read and worked out before the first file is written. */
export async function applySetUp(
  context: Context,
  act: Act,
  named: string | undefined,
): Promise<readonly FileReport[]> {
  const agents = named === undefined ? SET_UP_NAMES : [agentNamed(named)];
  const top = await topOf(context);
  const edits = agents.flatMap((agent) =>
    SET_UPS[agent].map((file) => ({ agent, file, ...editOf(context, top, file, act) })),
  );
  for (const edit of distinct(edits)) write(context, edit);
  return edits.map(({ agent, file, before, after }) => ({
    agent,
    path: file.path,
    about: file.about,
    installed: isIn(file.kind, act === "status" ? before : after),
    changed: before !== after,
  }));
}

function agentNamed(name: string): SetUpName {
  const found = SET_UP_NAMES.find((one) => one === name);
  if (found) return found;
  throw new Failure("usage/wrong", `There is no set-up for "${name}".`, { known: SET_UP_NAMES });
}

async function topOf(context: Context): Promise<string> {
  const { worktree } = await (await context.pawl()).prime();
  if (worktree !== null) return worktree;
  throw new Failure("worktree/not-found", "There is no worktree here to set up.", {});
}

interface Edit {
  readonly path: string;
  /** The folder that the agent's program has for itself; undefined where the file lies at the top. */
  readonly folder?: string | undefined;
  readonly bytes: Uint8Array | undefined;
  readonly before: string | null;
  readonly after: string | null;
}

/** One file can have two names: AGENTS.md is often a link to GEMINI.md. What is put in is the same for both. */
const distinct = (edits: readonly Edit[]): readonly Edit[] => [
  ...new Map(edits.map((edit) => [edit.path, edit])).values(),
];

function editOf({ files }: Context, top: string, { path, kind }: SetUpFile, act: Act): Edit {
  const full = join(top, path);
  const isLink = lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  const target = realpathIfThere(full);
  if (isLink && !isFollowed(full, target)) {
    if (act === "install") throw badLink(path, target);
    return { path: full, bytes: undefined, before: null, after: null };
  }
  const bytes = target === undefined ? undefined : files.read(target, MOST_BYTES);
  const before = bytes === undefined ? null : textOf(path, bytes);
  const folder = path.includes("/") ? dirname(full) : undefined;
  const edit = { path: target ?? full, folder, bytes, before };
  if (act === "status") return { ...edit, after: before };
  const after = act === "install" ? kind.put(before) : kind.takeOut(before);
  if (after === undefined) throw act === "install" ? unreadable(path) : rewritten(path);
  return { ...edit, after: isLink ? (after ?? kind.nothing) : after };
}

/**
 * Settings are often links into a folder that is kept elsewhere, and replacing the link would part the two. A link to a
 * file of another kind is not followed: a repository could lead it to whatever the person's shell reads.
 */
const isFollowed = (full: string, target: string | undefined): boolean =>
  target !== undefined && extname(target) === extname(full);

const badLink = (path: string, target: string | undefined): Failure => {
  const where = target === undefined ? "leads nowhere" : "leads to a file of another kind";
  return new Failure("hooks/link", `${path} is a link that ${where}.`, { path, target: target ?? null });
};

function realpathIfThere(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

const unreadable = (path: string): Failure =>
  new Failure("hooks/unreadable", `${path} is not what it should be, so nothing can be put into it.`, {
    path,
  });

const rewritten = (path: string): Failure =>
  new Failure("hooks/rewritten", `${path} holds the server of Pawl in a form that cannot be cut out.`, {
    path,
  });

function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Failure("hooks/unreadable", `${path} is not text in UTF-8.`, { path });
  }
}

/** Only while it is still what was read: an agent's program writes to its settings, too. */
function write({ files }: Context, { path, folder, bytes, before, after }: Edit): void {
  if (before === after) return;
  const changed = () => new Failure("store/busy", `${path} was changed at this moment.`, { path });
  if (after === null) {
    if (bytes === undefined || !Buffer.from(bytes).equals(readFileSync(path))) throw changed();
    unlinkSync(path);
    if (folder !== undefined) removeEmpty(folder);
    return;
  }
  if (bytes === undefined) files.makeFolder(dirname(path));
  if (!files.replaceIf(path, bytes, new TextEncoder().encode(after))) throw changed();
}

/** The folder was made along with the file. One with anything else in it, or a link, is refused by the call itself. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Whatever is in it belongs to a person.
  }
}
