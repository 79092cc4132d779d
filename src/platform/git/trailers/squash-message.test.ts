import { describe, expect, it } from "vitest";
import { readSquashed } from "./squash-message.ts";

const A = "a".repeat(40);
const B = "b".repeat(40);
const messages = (text: string): string[] => readSquashed(text).map(({ message }) => message.trim());

describe("a message of git merge --squash", () => {
  const block = (commit: string, ...lines: string[]): string =>
    [
      `commit ${commit}`,
      "Author: A <a@b>",
      "Date:   today",
      "",
      ...lines.map((line) => (line === "" ? "" : `    ${line}`)),
      "",
    ].join("\n");
  const text = `Squashed commit of the following:\n\n${block(B, "second", "", "Pawl-Step: s2")}\n${block(A, "first")}`;

  it("gives each commit, newest first", () => {
    expect(readSquashed(text).map(({ commit }) => commit)).toEqual([B, A]);
    expect(messages(text)).toEqual(["second\n\nPawl-Step: s2", "first"]);
  });

  it("is found behind a title of one's own and before text of one's own", () => {
    expect(messages(`my title\n\n${text}\nmy text\n\n    indented\n`)).toEqual([
      "second\n\nPawl-Step: s2",
      "first",
    ]);
  });

  it("is not found when indented or inside a sentence", () => {
    expect(readSquashed(text.replaceAll(/^/gm, "    "))).toEqual([]);
    expect(readSquashed(text.replace("following:", "following: x"))).toEqual([]);
  });

  it("ends where something else begins", () => {
    expect(messages(`Squashed commit of the following:\n\ntext\n\n${block(A, "first")}`)).toEqual([]);
    expect(readSquashed("Squashed commit of the following:\n")).toEqual([]);
  });

  it("survives carriage returns and sha256 names", () => {
    const long = "c".repeat(64);
    expect(readSquashed(text.replaceAll("\n", "\r\n").replace(B, long))[0]).toMatchObject({ commit: long });
  });
});

describe("a message of a hosting service", () => {
  it("gives each title's section, newest first", () => {
    const text =
      "Feature (#12)\n\n* one\n\nwhy one\n\nPawl-Step: s1\n\n* two\n\nPawl-Step: s2\n\n---------\n\nCo-authored-by: B <b@c>\n";
    expect(messages(text)).toEqual(["two\n\nPawl-Step: s2", "one\n\nwhy one\n\nPawl-Step: s1"]);
  });

  it("gives the message of a single commit when people were added below", () => {
    const text = "Feature (#12)\n\nPawl-Step: s1\n\nCo-authored-by: B <b@c>\nSigned-off-by: C <c@d>\n";
    expect(messages(text)).toEqual(["Feature (#12)\n\nPawl-Step: s1"]);
  });

  it.each([
    "title\n\nbody\n\nPawl-Step: s1\n",
    "title\n\n- one\n- two\n",
    "title\n\nPawl-Step: s1\n\nReviewed: yes\n",
    "title\n\nPawl-Step: s1\n\nCo-authored-by: B <b@c>\nand more\n",
    "",
    "title",
  ])("is not seen in %j", (text) => {
    expect(readSquashed(text)).toEqual([]);
  });
});
