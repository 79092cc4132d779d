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

/** Texts that are stored or quoted and cannot change: a released migration, a value in databases and journals. */
const STORED: readonly RegExp[] = [/^src\/platform\/migrations\//];

/** Values of the code that no one reads: names of states and of files. A sentence has a space. */
const isSentence = (text: string): boolean => text.includes(" ");

/** Pages whose sentences still have to be rewritten. This list only ever gets shorter. */
const PAGES_TO_DO: ReadonlySet<string> = new Set<string>(["docs/requirements.md"]);

/** Rooms whose comments still have to be rewritten. This list only ever gets shorter. */
const COMMENTS_TO_DO: readonly string[] = [
  "src/plans/formats/",
  "src/platform/git/",
  "src/platform/migrations/",
  "src/platform/postgres/",
];

/** Rooms whose test names still have to be rewritten. This list only ever gets shorter. */
const TEST_NAMES_TO_DO: readonly string[] = [
  "src/agents/",
  "src/plans/formats/",
  "src/platform/git/",
  "src/platform/postgres/",
];

/** The table that names the words in order to avoid them. */
const AVOIDED = /<!-- avoided -->[^]*?<!-- end -->/;

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const filesOf = (folder: string, ends: RegExp): readonly string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`)
    .filter((file) => ends.test(file))
    .toSorted();

const found = (name: string, text: string): readonly string[] =>
  text
    .split("\n")
    .flatMap((line, at) => (HIDES_THE_ACTOR.test(line) ? [`${name}:${at + 1} ${line.trim()}`] : []));

describe("plain English", () => {
  it("is what messages, hints, help, prompts and the page are written in", () => {
    const wrong = [...textsIn("src", HIDES_THE_ACTOR), ...textsIn("ui", HIDES_THE_ACTOR)]
      .filter(({ file, text }) => isSentence(text) && !STORED.some((one) => one.test(file)))
      .flatMap(({ file, line, text }) => (HIDES_THE_ACTOR.test(text) ? [`${file}:${line} ${text}`] : []));
    expect(wrong).toEqual([]);
  });

  it("has none of the phrases that had to be read twice", () => {
    const wrong = [...textsIn("src", READ_TWICE), ...textsIn("ui", READ_TWICE)]
      .filter(({ text }) => READ_TWICE.test(text))
      .map(({ file, line, text }) => `${file}:${line} ${text}`);
    expect(wrong).toEqual([]);
  });

  it.each([
    "README.md",
    "AGENTS.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    ...readdirSync(new URL("docs", root)).flatMap((file) =>
      /\.(?:md|1)$/.test(file) ? [`docs/${file}`] : [],
    ),
    ...filesOf("plugin", /\.md$/),
  ])("is what %s is written in", (page) => {
    const wrong = found(page, read(page).replace(AVOIDED, ""));
    if (PAGES_TO_DO.has(page)) expect(wrong, `${page} is done: take it off the list`).not.toEqual([]);
    else expect(wrong).toEqual([]);
  });

  it("is what comments are written in, but for the rooms that are still to do", () => {
    const wrong = [...filesOf("src", /\.ts$/), ...filesOf("ui", /\.tsx?$/), ...filesOf("scripts", /\.m?js$/)]
      .filter((file) => !COMMENTS_TO_DO.some((folder) => file.startsWith(folder)))
      .flatMap((file) => found(file, commentsOf(read(file))));
    expect(wrong).toEqual([]);
  });

  it("is what tests are called in, but for the rooms that are still to do", () => {
    const wrong = filesOf("src", /\.test\.ts$/)
      .filter((file) => !TEST_NAMES_TO_DO.some((folder) => file.startsWith(folder)))
      .flatMap((file) => found(file, namesOf(read(file))));
    expect(wrong).toEqual([]);
  });
});

/** Only the names of the tests of a file, each in its line. */
const namesOf = (source: string): string =>
  source
    .split("\n")
    .map((line) => /^\s*(?:(?:it|test|describe)\b.*|\]\)|\))\(\s*(["'`].*)/.exec(line)?.[1] ?? "")
    .join("\n");

/** Only the comments of a file, each in its line. */
const commentsOf = (source: string): string =>
  source
    .split("\n")
    .map((line) => (/^\s*(?:\/\/|\/?\*)/.test(line) ? line : (/\/\/ .*$/.exec(line)?.[0] ?? "")))
    .join("\n");
