import { describe, expect, it } from "vitest";
import { conflictParts } from "../../ui/conflict-hunks.ts";
import { highlight } from "../../ui/diff/highlight.ts";
import { parsePatch } from "../../ui/diff/parse-patch.ts";
import { changedWords } from "../../ui/diff/words.ts";
import { type Entry, ranked } from "../../ui/ranked.ts";

const PATCH = `commit text that is no file
 a.ts | 2 +-

diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -3,3 +3,3 @@ function add() {
 const one = 1;
-const two = 2;
+const two = 3;
\\ No newline at end of file
diff --git a/old.md b/new.md
similarity index 100%
rename from old.md
rename to new.md
diff --git "a/tab\\tle.txt" "b/tab\\tle.txt"
new file mode 100644
--- /dev/null
+++ "b/tab\\tle.txt"
@@ -0,0 +1 @@
+<b>not markup</b>
`;

describe("a patch", () => {
  it("is read by file, with the numbers of its lines", () => {
    const [first, second, third] = parsePatch(PATCH);
    expect(first).toMatchObject({ path: "src/a.ts", kind: "changed", added: 1, removed: 1 });
    expect(first!.hunks[0]!.about).toBe("function add() {");
    expect(first!.hunks[0]!.lines.map(({ kind, old, now }) => [kind, old, now])).toEqual([
      ["same", 3, 3],
      ["removed", 4, undefined],
      ["added", undefined, 4],
      ["note", undefined, undefined],
    ]);
    expect(second).toMatchObject({ path: "new.md", before: "old.md", kind: "renamed" });
    expect(third).toMatchObject({ path: "tab\tle.txt", kind: "added" });
  });

  it("marks the words that differ, and none where lines have little in common", () => {
    expect(changedWords("const two = 2;", "const two = 3;")).toEqual([[[12, 13]], [[12, 13]]]);
    expect(changedWords("const two = 2;", "return something else entirely")).toEqual([[], []]);
  });

  it("has its words separated, and none of them becomes markup", () => {
    const lines = ['const a = "<b>&amp;";', "// <i>"];
    const found = highlight(lines, "typescript")!;
    expect(found.map((tokens) => tokens.map(({ text }) => text).join(""))).toEqual(lines);
    expect(found[0]![0]).toEqual({ text: "const", kind: "keyword" });
    expect(found[1]![0]).toEqual({ text: "// <i>", kind: "comment" });
  });
});

it("a merged file has both sides of each conflict", () => {
  const text = [
    "a",
    "<<<<<<< ours",
    "left",
    "||||||| base",
    "was",
    "=======",
    "right",
    ">>>>>>> theirs",
    "z",
  ].join("\n");
  expect(conflictParts(text)).toMatchObject([
    { kind: "same", lines: ["a"] },
    { kind: "conflict", landed: ["left"], own: ["right"] },
    { kind: "same", lines: ["z"] },
  ]);
});

it("what is typed finds the beginnings of words first, and other words for the same", () => {
  const entry = (label: string, about = ""): Entry => ({ label, about, run: () => undefined });
  const entries = [
    entry("Prune the tree"),
    entry("Run", "act on plan.md"),
    entry("Light or dark", "setting"),
  ];
  expect(ranked(entries, "run").map(({ label }) => label)).toEqual(["Run", "Prune the tree"]);
  expect(ranked(entries, "theme")[0]!.label).toBe("Light or dark");
  expect(ranked(entries, "nothing such")).toEqual([]);
});
