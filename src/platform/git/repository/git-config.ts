import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GitDirectory } from "./git-directory.ts";

/** The two settings that decide whether the folder around a git directory is a worktree. */
export interface CoreSettings {
  readonly bare: boolean;
  readonly worktree: string | undefined;
}

/**
 * Reads `core.bare` and `core.worktree` where git looks for them.
 *
 * They describe the main worktree, so a linked one ignores them, unless the repository keeps settings per worktree.
 * Without this the folder around a bare `.git` (or one that points to `.bare`) would pass for a worktree.
 */
export function readCoreSettings({ gitDir, commonDir }: GitDirectory): CoreSettings {
  const shared = readSettings(join(commonDir, "config"));
  if (isTrue(shared.get("extensions.worktreeconfig"))) {
    return coreSettings(new Map([...shared, ...readSettings(join(gitDir, "config.worktree"))]));
  }
  return gitDir === commonDir ? coreSettings(shared) : { bare: false, worktree: undefined };
}

const coreSettings = (settings: ReadonlyMap<string, string>): CoreSettings => ({
  bare: isTrue(settings.get("core.bare")),
  worktree: settings.get("core.worktree"),
});

export const isTrue = (value: string | undefined): boolean =>
  value !== undefined && (/^(?:true|yes|on)$/i.test(value) || /^[+-]?0*[1-9]/.test(value));

function readSettings(path: string): Map<string, string> {
  try {
    const text = readFileSync(path, "utf8");
    return mayMatter(text) ? parseSettings(text) : new Map();
  } catch {
    return new Map();
  }
}

/** Nearly every file says `bare = false` and no more; to parse it would take a third of the time of finding a repository. */
const mayMatter = (text: string): boolean => /worktree|bare(?!\s*=\s*false\s)/i.test(text);

const BLANK = /(?:[\s\ufeff]|[#;].*)+/y;
const SECTION = /\[([^\]\s"]+)(?:[ \t]+"((?:[^"\\\n]|\\.)*)")?\]/y;
const VARIABLE = /([a-z][a-z0-9-]*)[ \t]*(?:(=)[ \t]*)?/iy;

/**
 * Parses git's configuration syntax into `section.key` in lower case; subsections keep their name in between.
 *
 * Stops at the first thing it cannot read. Git refuses such a file whole, and says so the first time it is called.
 */
export function parseSettings(text: string): Map<string, string> {
  const settings = new Map<string, string>();
  let section = "";
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  while (at < text.length) {
    if (take(BLANK)) continue;
    const header = take(SECTION);
    if (header) {
      section =
        header[2] === undefined ? header[1]!.toLowerCase() : `${header[1]!.toLowerCase()}.${header[2]}`;
      continue;
    }
    const variable = take(VARIABLE);
    if (!variable) break;
    const value = variable[2] === undefined ? { text: "true", end: at } : readValue(text, at);
    settings.set(`${section}.${variable[1]!.toLowerCase()}`, value.text);
    at = value.end;
  }
  return settings;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** A value runs to the end of its line; quotes keep blanks and comment signs, a backslash before the end joins lines. */
function readValue(text: string, start: number): { readonly text: string; readonly end: number } {
  let value = "";
  let kept = 0; // Blanks behind this length are not part of the value.
  let quoted = false;
  let at = start;
  for (; at < text.length && text[at] !== "\n"; at += 1) {
    const character = text[at]!;
    if (character === '"') {
      quoted = !quoted;
      kept = value.length;
    } else if (character === "\\") {
      at += text.startsWith("\r\n", at + 1) ? 2 : 1;
      const escaped = text[at] ?? "";
      if (escaped !== "\n") value += ESCAPES[escaped] ?? escaped;
      kept = value.length;
    } else if (!quoted && (character === "#" || character === ";")) {
      const end = text.indexOf("\n", at);
      return { text: value.slice(0, kept), end: end === -1 ? text.length : end };
    } else {
      value += character;
      if (quoted || !/\s/.test(character)) kept = value.length;
    }
  }
  return { text: value.slice(0, kept), end: at };
}
