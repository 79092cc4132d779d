import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { throwawayGit } from "../../../../test/support/throwaway-git.ts";
import { readTrailers, messageSubject } from "./trailer-block.ts";

const scratch = throwawayGit();
beforeAll(() => void scratch.init("repo"));
afterAll(() => scratch.remove());

/** What git itself reads from each message, by real commits with exactly these messages. */
function askGit(messages: readonly string[]): readonly string[][] {
  const run = (args: string[], input: string): string =>
    execFileSync("git", args, {
      cwd: scratch.path("repo"),
      env: scratch.env,
      input,
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["pipe", "pipe", "ignore"],
    });
  // Two equal commits would be one, so each has a time of its own.
  const stream = messages.map((message, index) => {
    const bytes = Buffer.byteLength(message);
    return `commit refs/corpus/${index}\nmark :${index + 1}\ncommitter A <a@example.com> ${index} +0000\ndata ${bytes}\n${message}\n`;
  });
  run(["fast-import", "--quiet", "--force"], stream.join(""));
  const names = messages.map((_, index) => `refs/corpus/${index}\n`).join("");
  const format = "--format=tformat:%(trailers:only,unfold)";
  const answer = run(["log", "--stdin", "--no-walk=unsorted", "-z", format], names);
  return (
    answer
      .split("\0")
      .slice(0, -1)
      // Git leaves a carriage return in front of a continuation; to us it is a part of the line's end.
      .map((block) =>
        block
          .replaceAll("\r", "")
          .split("\n")
          .filter((line) => line !== ""),
      )
  );
}

const ours = (message: string): string[] => readTrailers(message).map(({ key, value }) => `${key}: ${value}`);

const T = "Pawl-Plan: p.md\nPawl-Step: s1";

const CORPUS = [
  `title\n\n${T}\n`,
  `title\n\nbody\n\n${T}`,
  `${T}\n`,
  `title\n${T}\n`,
  `title\n\n${T}\n\nafterword\n`,
  `title\n\nbody right above\n${T}\n`,
  `title\n\n${T}\nSigned-off-by: A <a@b>\n`,
  `title\n\nmore text\n${T}\nSigned-off-by: A <a@b>\n`,
  `title\n\none\ntwo\nthree\nfour\nfive\nsix\nseven\nSigned-off-by: A <a@b>\nX: y\n`,
  `title\n\none\ntwo\nthree\nfour\nfive\nsix\nSigned-off-by: A <a@b>\nX: y\n`,
  `title\n\n${T}\n(cherry picked from commit 0123456789012345678901234567890123456789)\n`,
  "title\n\nPawl-Step: s1,\n s2,\n\ts3\nPawl-Plan: p.md\n",
  "title\n\n  indented\nPawl-Step: s1\n",
  "title\n\nPawl-Step: s1\n\n\n\n",
  "title\n\nPawl-Step: s1\n   \n \t\n",
  "\n\n  \ntitle\n\nPawl-Step: s1\n",
  "title\r\n\r\nPawl-Step: s1\r\nPawl-Plan: p.md\r\n",
  "title\n\nPAWL-STEP : s1\npawl-plan\t:p.md\n",
  "title\n\nPawl Step: s1\n",
  "title\n\nPawl-Step s1\n",
  "title\n\n: s1\nPawl-Step: s1\n",
  "title\n\nPawl-Step:\nPawl-Plan:\n",
  "title\n\nPäwl-Step: s1\n",
  "title\n\n# a comment\nPawl-Step: s1\n# another\n",
  "title\n\nPawl-Step: s1\n# comment\n continued\n",
  "title\n\nPawl-Step: s1\n\n# Conflicts:\n#\tfile\n",
  "title\n\nPawl-Step: s1\n\nConflicts:\n\tfile\n\tother\n",
  "title\n\nPawl-Step: s1\n\nConflicts:\n\tfile\ntext\n",
  "title\n\nPawl-Step: s1\n# ------------------------ >8 ------------------------\nX: y\n",
  "title\n\nbody\n---\nPawl-Step: s1\n",
  "title\n\nbody\n\n---\n\nPawl-Step: s1\n",
  "# comment\ntitle\n\nPawl-Step: s1\n",
  "title\n# comment\n\nPawl-Step: s1\n",
  "",
  "\n",
  "title",
  "title\n\n\n",
  `title\n\n${Array.from({ length: 3_000 }, (_, n) => `Pawl-Step: s${n}`).join("\n")}\n`,
  `title\n\nPawl-Step: ${"x".repeat(100_000)}\n`,
  "title\n\nPawl-Step: \u{1b}[31m\u{7}\u{202e}s1\n",
  "* title\n\nPawl-Step: s1\n\n* other\n\nPawl-Step: s2\n",
  "title\n\nhttps://example.com\nPawl-Step: s1\n",
  "title\n\nSee: this\nPawl-Step: s1\n",
];

describe("readTrailers reads what git reads", () => {
  it("from a corpus of odd messages", () => {
    const answers = askGit(CORPUS);
    for (const [index, message] of CORPUS.entries()) {
      expect({ message, trailers: ours(message) }).toEqual({ message, trailers: answers[index] });
    }
  });

  it("from random messages", () => {
    const seed = Number(process.env["PAWL_TEST_SEED"] ?? 1);
    const messages = randomMessages(seed, Number(process.env["PAWL_TEST_MESSAGES"] ?? 2_000));
    const answers = askGit(messages);
    for (const [index, message] of messages.entries()) {
      expect({ seed, message, trailers: ours(message) }).toEqual({ seed, message, trailers: answers[index] });
    }
  });
});

const PIECES = [
  "title",
  "",
  "",
  "  ",
  "\t",
  "\r",
  "body text",
  "Pawl-Step: s1",
  "Pawl-Plan: p.md",
  "X : y\r",
  "key:",
  " continued",
  "\tcontinued: too",
  "# comment",
  "#",
  "Conflicts:",
  "\tfile",
  "---",
  "Signed-off-by: A <a@b>",
  "Signed-off-by:A",
  "(cherry picked from commit 12)",
  "a b: c",
  ": x",
  "# ------------------------ >8 ------------------------",
];

/** A small generator of our own, so that a failing seed can be played again. */
function randomMessages(seed: number, count: number): string[] {
  let state = seed;
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  return Array.from({ length: count }, () => {
    const lines = Array.from({ length: 1 + next(12) }, () => PIECES[next(PIECES.length)]!);
    // Of a message that begins with this very line git never forgets that it has seen it; we do.
    if (lines.find((line) => line.trim() !== "") === "Conflicts:") lines.unshift("title");
    return lines.join("\n") + "\n".repeat(1 + next(3));
  });
}

it("takes time in proportion to the message", () => {
  const hostile = [
    `title\n\n${"a".repeat(1 << 20)}`,
    `title\n\n${"a ".repeat(1 << 19)}`,
    `title\n\n${"a-\t".repeat(1 << 18)}`,
    `title\n\n${" \n".repeat(1 << 18)}`,
    `title\n\n${"k: v\n ".repeat(1 << 17)}`,
    "\n".repeat(1 << 20),
    "#\n".repeat(1 << 19),
  ];
  // Anything worse than linear would not end within the time that a test has.
  for (const message of hostile) expect(readTrailers(message)).toBeDefined();
});

it("gives the first line with text as the subject", () => {
  expect(messageSubject("\n  \n  a title \r\nmore\n")).toBe("a title");
  expect(messageSubject("")).toBe("");
});
