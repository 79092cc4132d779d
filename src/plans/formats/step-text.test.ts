import { describe, expect, it } from "vitest";
import { contentOf } from "./step-text.ts";
import { readChecklist } from "./checklist.ts";
import { markdownTitle } from "./plan-words.ts";
import { readTugplan } from "./tugplan.ts";

const OTHERS = "### Step 8: x {#x}\n### Step 9: y {#y}\n";

const contentOfStep = (text: string): string => contentOf(readTugplan(OTHERS + text).steps[2]!);

const STEP =
  "### Step 1: Hull {#a}\n\n**Depends on:** #x, #y\n\n**Tasks:**\n- [ ] ribs\n  of oak\n- [x] planks\n\nProse [x].\n";

describe("what a step says", () => {
  it.each([
    ["ticking a box", STEP.replace("[ ] ribs", "[x] ribs")],
    [
      "dropping and deferring items",
      STEP.replace("[ ] ribs", "[~] ribs").replace("[x] planks", "[-] planks"),
    ],
    ["blanks at the ends of lines", STEP.replaceAll("\n", "  \n")],
    ["more empty lines", STEP.replaceAll("\n\n", "\n\n\n\n")],
    ["other line ends", STEP.replaceAll("\n", "\r\n")],
    ["another number and another anchor", STEP.replace("Step 1: Hull {#a}", "Step 2: Hull {#b}")],
    ["text before it", `Introduction.\n\n${STEP}`],
    ["text behind it", `${STEP}\n### End\n- [ ] z`],
  ])("is not changed by %s", (_, text) => {
    expect(contentOfStep(text)).toBe(contentOfStep(STEP));
  });

  it.each([
    ["another title", STEP.replace("Hull", "Mast")],
    ["another dependency", STEP.replace("#x, #y", "#x")],
    ["another word in an item", STEP.replace("of oak", "of elm")],
    ["another kind of item", STEP.replace("Tasks", "Tests")],
    ["an item more", STEP.replace("- [x] planks", "- [x] planks\n- [ ] nails")],
    [
      "items in another order",
      STEP.replace("- [x] planks\n", "").replace("- [ ] ribs", "- [x] planks\n- [ ] ribs"),
    ],
    ["another word in its prose", STEP.replace("Prose", "Verse")],
    ["a tick in its prose", STEP.replace("Prose [x]", "Prose [ ]")],
    ["another indentation", STEP.replace("  of oak", "    of oak")],
  ])("is changed by %s", (_, text) => {
    expect(contentOfStep(text)).not.toBe(contentOfStep(STEP));
  });

  it("does not depend on the order of dependencies in what was read", () => {
    const step = readTugplan(OTHERS + STEP).steps[2]!;
    expect(contentOf({ ...step, dependsOn: step.dependsOn.toReversed() })).toBe(contentOf(step));
  });

  it("is its own, and not that of its substeps", () => {
    const parent = "### Step 1: a {#a}\n- [ ] x\n#### Step 1.1: b {#b}\n";
    expect(contentOfStep(`${parent}- [ ] y`)).toBe(contentOfStep(`${parent}- [ ] z`));
  });

  it("keeps title and text apart", () => {
    const step = { ...readTugplan(STEP).steps[0]!, items: [], dependsOn: [] };
    expect(contentOf({ ...step, title: 'a","b', body: "" })).not.toBe(
      contentOf({ ...step, title: "a", body: '","b' }),
    );
  });
});

describe("a title in bold", () => {
  const [marked, plain] = ["- [ ] **Hull** of oak", "- [ ] Hull of oak"].map(
    (text) => readChecklist(text).steps[0]!,
  );

  it("is shown without the marks, and is still known by them", () => {
    expect(marked).toMatchObject({ title: "Hull of oak", markedTitle: "**Hull** of oak" });
    expect(plain).not.toHaveProperty("markedTitle");
    expect(contentOf(marked!)).toBe(contentOf({ ...plain!, title: "**Hull** of oak" }));
  });

  it.each([
    ["**a `b*c` d**: e", "a `b*c` d: e"],
    ["**a** and **b**", "a and b"],
    ["`**options`, `**more`", "`**options`, `**more`"],
    ["2**3 and 4**5", "2**3 and 4**5"],
    ["a ** b ** c", "a ** b ** c"],
    ["**open", "**open"],
    ["****", "****"],
  ])("%s is shown as %s", (text, title) => expect(markdownTitle(text).title).toBe(title));
});
