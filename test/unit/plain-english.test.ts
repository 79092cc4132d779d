import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { textsIn } from "../support/texts.ts";

/**
 * Words that hide who acts. Each has a plain replacement: name the worker, the person, the agent or Pawl, and say what
 * it does. docs/glossary.md lists the preferred terms.
 */
const HIDES_THE_ACTOR =
  /\b(?:told|nobody|somebody|whoever|goes on|looked at|anybody|heard|mend(?:s|ed|ing)?)\b/i;

/** Phrases that had to be read twice. Each was replaced once, and none comes back. */
const READ_TWICE = new RegExp(
  [
    "neither items nor verify",
    "is another one on",
    "is known who could",
    "if what it waits for is done",
    "[Gg]it tells nothing",
    "whose call is this",
    "not plain which one",
    "The build was merged",
    "passed with \\d",
    "Tried too often",
    "Repair what is proven",
    "no run at work",
    "Waited for by",
    "longest way left",
    "lines shown, all there are",
    "Decided; it is being done",
    "tried in memory",
    "called like that",
    "One more window",
    "ended with killed",
    "exit code null",
    "\\bback with:",
    "goes on in",
    "Its owner completed it",
    "with open items ticked",
    "Go on with:",
    "stopped by itself",
    "just now by itself",
    "lease ends just now",
    "[Mm]end what",
    "\\bat work\\b",
  ].join("|"),
);

/** Texts that are stored or quoted and cannot change: a released migration is never edited. */
const STORED = /^src\/platform\/migrations\//;

/** What names the words in order to refuse them, or has one as a made-up name. */
const NAMES_THEM: ReadonlySet<string> = new Set([
  "test/unit/plain-english.test.ts",
  "src/agents/settings/run-settings.test.ts",
]);

/** Values of the code that no one reads: names of states and of files. A sentence has a space. */
const isSentence = (text: string): boolean => text.includes(" ");

/** The table that names the words in order to avoid them. */
const AVOIDED = /<!-- avoided -->[^]*?<!-- end -->/;

const CODE = ["src", "ui", "scripts", "test", "bench"];

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const filesOf = (folder: string, ends: RegExp): readonly string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`)
    .filter((file) => ends.test(file))
    .toSorted();

/** Everything that a person reads outside of the code. */
const PAGES: readonly string[] = [
  ...readdirSync(root).filter((file) => /\.md$|^(?:action\.yml|Containerfile|server\.json)$/.test(file)),
  ...filesOf("docs", /\.(?:md|1)$/),
  ...filesOf("plugin", /\.(?:md|json)$|bin\/pawl$/),
  ...filesOf(".github", /\.yml$/),
  ...filesOf(".claude-plugin", /\.json$/),
  "scripts/action.sh",
];

const found = (words: RegExp, name: string, text: string): readonly string[] =>
  text.split("\n").flatMap((line, at) => (words.test(line) ? [`${name}:${at + 1} ${line.trim()}`] : []));

const textsWith = (words: RegExp, folders: readonly string[], tests: boolean): readonly string[] =>
  folders
    .flatMap((folder) => textsIn(folder, words, { tests }))
    .filter(({ file, text }) => isSentence(text) && !STORED.test(file) && !NAMES_THEM.has(file))
    .flatMap(({ file, line, text }) => (words.test(text) ? [`${file}:${line} ${text}`] : []));

describe("plain English", () => {
  it("is what messages, hints, help, prompts, the page and the names of tests are written in", () => {
    expect(textsWith(HIDES_THE_ACTOR, CODE, true)).toEqual([]);
  });

  it("has none of the phrases that had to be read twice", () => {
    expect(textsWith(READ_TWICE, ["src", "ui"], false)).toEqual([]);
  });

  it.each(PAGES)("is what %s is written in", (page) => {
    const text = read(page).replace(AVOIDED, "");
    expect([...found(HIDES_THE_ACTOR, page, text), ...found(READ_TWICE, page, text)]).toEqual([]);
  });

  it("is what comments are written in", () => {
    const wrong = CODE.flatMap((folder) => filesOf(folder, /\.(?:tsx?|m?js|sh)$/))
      .filter((file) => !STORED.test(file) && !NAMES_THEM.has(file))
      .flatMap((file) => found(HIDES_THE_ACTOR, file, commentsOf(read(file))));
    expect(wrong).toEqual([]);
  });

  it("is asked of a comment, a text and a page that have such a word", () => {
    expect(found(HIDES_THE_ACTOR, "a", commentsOf("const a = 1; // Nobody reads it"))).toHaveLength(1);
    expect(found(HIDES_THE_ACTOR, "a", commentsOf(" * until somebody\nconst told = 1;"))).toHaveLength(1);
    expect(found(READ_TWICE, "a", "The run is at work.")).toHaveLength(1);
    expect(PAGES.length).toBeGreaterThan(80);
  });
});

/** Only the comments of a file, each in its line. */
const commentsOf = (source: string): string =>
  source
    .split("\n")
    .map((line) => (/^\s*(?:\/\/|\/?\*|#)/.test(line) ? line : (/\/[/*] .*$/.exec(line)?.[0] ?? "")))
    .join("\n");
