import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flatten, type Plan } from "../../domain/plan.ts";
import { MOST_OF_A_KIND } from "./diagnostics.ts";
import { readTugplan } from "./tugplan.ts";

/** Pieces that mean something to the reader, in any order. */
const fragment = fc.constantFrom(
  "### Step 1: a",
  "#### Step 1.1: b {#b}",
  "##### Step 2 — c {#__proto__}",
  "## End",
  "### Step Status Ledger",
  "**Tasks:**",
  "**Tests (x):**",
  "**Artifacts:**",
  "**Depends on:** #b, #step-1 through #c",
  "**Depends on:** all preceding steps",
  "- [ ] x",
  "  - [x] y",
  "1. [~] z",
  "    more",
  "```",
  "~~~~",
  "<!--",
  "-->",
  "---",
  "| a | b |",
  "",
  "\u0000\u202e\ud800",
);

const anyPlan = fc.oneof(
  fc.array(fragment, { maxLength: 60 }).map((lines) => lines.join("\n")),
  fc
    .array(fc.oneof(fragment, fc.string({ unit: "binary" })), { maxLength: 40 })
    .map((lines) => lines.join("\r\n")),
  fc.string({ unit: "binary", maxLength: 2000 }),
);

describe("any text at all", () => {
  it("is read without throwing, with diagnostics in the order of the file", () => {
    fc.assert(
      fc.property(anyPlan, (text) => {
        const plan = readTugplan(text);
        const lines = plan.diagnostics.map(({ line }) => line);
        expect(lines).toEqual(lines.toSorted((a, b) => a - b));
        expect(plan.diagnostics.every(({ line, column }) => line >= 1 && column >= 1)).toBe(true);
        expect(Math.max(0, ...lines)).toBeLessThanOrEqual(text.split(/\r\n|\n|\r/).length);
      }),
      { numRuns: 500 },
    );
  });

  it("gives the same plan each time, and dependencies only on steps that exist", () => {
    fc.assert(
      fc.property(anyPlan, (text) => {
        const plan = readTugplan(text);
        expect(readTugplan(text)).toEqual(plan);
        const anchors = new Set(flatten(plan).map(({ step }) => step.anchor));
        for (const { step, parent } of flatten(plan)) {
          expect(step.dependsOn.every(({ anchor }) => anchors.has(anchor))).toBe(true);
          expect(step.dependsOn.some(({ anchor }) => anchor === parent)).toBe(false);
        }
      }),
    );
  });

  it("may repeat the same mistake a hundred thousand times without as many diagnostics", () => {
    const plan = readTugplan(`### Step 1: a {#a}\n${"- []\n".repeat(100_000)}`);
    expect(plan.diagnostics).toHaveLength(MOST_OF_A_KIND + 1);
    expect(plan.diagnostics.at(-1)?.message).toBe(
      `From here on there are ${100_000 - MOST_OF_A_KIND} more like it.`,
    );
  });
});

interface DrawnItem {
  readonly kind: "task" | "test" | "checkpoint";
  readonly text: string;
  readonly box: string;
  readonly indent: number;
}

interface DrawnStep {
  readonly title: string;
  readonly items: readonly DrawnItem[];
  readonly substeps: readonly { readonly title: string; readonly items: readonly DrawnItem[] }[];
  readonly waits: readonly number[];
  readonly body: string;
}

const words = fc
  .array(fc.stringMatching(/^[a-zäöü手0-9(),.]{1,8}$/u), { minLength: 1, maxLength: 5 })
  .map((parts) => `w${parts.join(" ")}`);

const item: fc.Arbitrary<DrawnItem> = fc.record({
  kind: fc.constantFrom("task", "test", "checkpoint"),
  text: words,
  box: fc.constantFrom(" ", "x", "X", "~", "-"),
  indent: fc.constantFrom(0, 2, 4),
});

const drawnPlan: fc.Arbitrary<readonly DrawnStep[]> = fc.array(
  fc.record({
    title: words,
    items: fc.array(item, { maxLength: 5 }),
    substeps: fc.array(fc.record({ title: words, items: fc.array(item, { maxLength: 3 }) }), {
      maxLength: 3,
    }),
    waits: fc.array(fc.nat(), { maxLength: 4 }),
    body: fc.constantFrom("", "```\n### Step 9: no\n- [ ] no\n```\n", "<!-- - [ ] no -->\n", "> - [ ] no\n"),
  }),
  { minLength: 1, maxLength: 8 },
);

const LABELS = { task: "Tasks", test: "Tests (all)", checkpoint: "Checkpoint" } as const;

const itemLines = (items: readonly DrawnItem[]): readonly string[] =>
  items.flatMap(({ kind, text, box, indent }) => [
    `**${LABELS[kind]}:**`,
    `${" ".repeat(indent)}- [${box}] ${text.slice(0, 3)}`,
    ...(text.length > 3 ? [`${" ".repeat(indent + 2)}${text.slice(3)}`] : []),
  ]);

const earlier = (step: DrawnStep, index: number): readonly number[] =>
  index === 0 ? [] : [...new Set(step.waits.map((wait) => wait % index))];

function write(steps: readonly DrawnStep[], stray: number): string {
  const lines = steps.flatMap((step, index) => [
    `#### Step ${index}: ${step.title} {#s${index}}`,
    "",
    ...(index > 0
      ? [
          `**Depends on:** ${
            earlier(step, index)
              .map((wait) => `#s${wait}`)
              .join(", ") || "—"
          }`,
          "",
        ]
      : []),
    step.body,
    ...itemLines(step.items),
    ...step.substeps.flatMap((substep, place) => [
      `##### Step ${index}.${place}: ${substep.title} {#s${index}-${place}}`,
      ...itemLines(substep.items),
    ]),
    "",
    "---",
  ]);
  return [...lines, "### Done means", ...Array<string>(stray).fill("- [ ] stray")].join("\n");
}

const squeeze = (text: string): string => text.replace(/\s+/g, "");

const outsideOf = (plan: Plan): number =>
  Number(
    /^\d+/.exec(plan.diagnostics.find(({ name }) => name === "plan/boxes-outside")?.message ?? "")?.[0] ?? 0,
  );

describe("a well-formed plan", () => {
  it("comes back as it was written", () => {
    fc.assert(
      fc.property(drawnPlan, fc.integer({ min: 2, max: 5 }), (drawn, stray) => {
        const plan = readTugplan(write(drawn, stray));
        expect(plan.diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
        expect(plan.steps.map(({ title }) => title)).toEqual(drawn.map(({ title }) => title));
        for (const [index, step] of plan.steps.entries()) {
          const source = drawn[index]!;
          expect(step.dependsOn.map(({ anchor }) => anchor)).toEqual(
            earlier(source, index).map((wait) => `s${wait}`),
          );
          expect(step.substeps.map(({ anchor }) => anchor)).toEqual(
            source.substeps.map((_, place) => `s${index}-${place}`),
          );
          expect(step.items.map(({ kind, text }) => kind + squeeze(text))).toEqual(
            source.items.map(({ kind, text }) => kind + squeeze(text)),
          );
          for (const [place, substep] of step.substeps.entries()) {
            expect(substep.items.map(({ text }) => squeeze(text))).toEqual(
              source.substeps[place]!.items.map(({ text }) => squeeze(text)),
            );
          }
        }
        const written = drawn
          .flatMap(({ items, substeps }) => [items, ...substeps.map((substep) => substep.items)])
          .flat();
        expect(flatten(plan).reduce((sum, { step }) => sum + step.items.length, 0)).toBe(written.length);
        expect(outsideOf(plan)).toBe(stray);
      }),
    );
  });
});

describe("the number of boxes", () => {
  it("is that of the items, of those outside and of those that are not tracked, whatever the plan", () => {
    const heads = fc.constantFrom(
      "### Step 1: a {#a}",
      "### Step 2: b {#b}",
      "#### Step 1.1: c {#c}",
      "#### Part",
      "### End",
      "**Tasks:**",
      "**Artifacts:**",
      "**Paint:**",
      "",
      "text",
    );
    const box = fc.constantFrom("- [ ] x", "  - [x] y", "1. [ ] z");
    fc.assert(
      fc.property(fc.array(fc.oneof(heads, box), { maxLength: 60 }), (lines) => {
        const plan = readTugplan(lines.join("\n"));
        const total = lines.filter((line) => /\[[ x]\]/.test(line)).length;
        const tracked = flatten(plan).reduce((sum, { step }) => sum + step.items.length, 0);
        const untold = plan.diagnostics
          .filter(({ name }) => name === "plan/boxes-outside" || name === "plan/boxes-untracked")
          .reduce(
            (sum, { message }) => sum + (message.startsWith("One") ? 1 : Number.parseInt(message, 10)),
            0,
          );
        expect(tracked + untold).toBe(total);
      }),
    );
  });
});

/** Shapes that brought other readers down: each costs hours where the work grows with the square of the length. */
const HOSTILE: readonly (readonly [what: string, text: (length: number) => string, steps: number])[] = [
  ["line ends", (length) => "\n".repeat(length), 0],
  ["blanks in lines", (length) => `${" ".repeat(65_535)}\n`.repeat(length / 65_536), 0],
  ["blanks in headings", (length) => `### Step 1:${" ".repeat(65_500)}x\n`.repeat(length / 65_536), 16],
  ["open braces", (length) => `### Step 1: ${"{#".repeat(30_000)}\n`.repeat(length / 65_536), 16],
  ["quotes", (length) => `${">".repeat(20_000)}\n`.repeat(length / 20_000), 0],
  ["stars", (length) => `### Step 1: a\n${`**${"a**".repeat(20_000)}\n`.repeat(length / 60_000)}`, 1],
  [
    "nested boxes",
    () =>
      `### Step 1: a\n${Array.from({ length: 1400 }, (_, depth) => `${" ".repeat(depth)}- [ ] x`).join("\n")}`,
    1,
  ],
  ["wrapped lines", (length) => `### Step 1: a\n- [ ] x\n${"  y\n".repeat(length / 4)}`, 1],
  [
    "brackets",
    (length) => `### Step 1: a\n${`**Depends on:** ${"[".repeat(60_000)}\n\n`.repeat(length / 60_000)}`,
    1,
  ],
  [
    "parentheses",
    (length) => `### Step 1: a\n${`**Depends on:** ${"(".repeat(60_000)}\n\n`.repeat(length / 60_000)}`,
    1,
  ],
  [
    "unknown steps",
    (length) => `### Step 1: a\n${`**Depends on:** ${"#b,".repeat(20_000)}\n\n`.repeat(length / 60_000)}`,
    1,
  ],
  ["list of unknown steps", (length) => `### Step 1: a\n**Depends on:**\n${"- #b\n".repeat(length / 5)}`, 1],
  ["open comments", (length) => "<!--\n".repeat(length / 5), 0],
  ["fences left open", (length) => "- ```\n## x\n".repeat(length / 11), 0],
  ["numbers of many parts", (length) => `### Step 1${".1".repeat(30_000)}: x\n`.repeat(length / 60_000), 0],
  [
    "steps of one number",
    (length) =>
      Array.from(
        { length: length / 64 },
        (_, index) => `### Step 1: x {#s${index}}\n**Depends on:** Step 1, Step 1`,
      ).join("\n"),
    16_384,
  ],
  [
    "ranges",
    (length) =>
      `${Array.from({ length: length / 64 }, (_, index) => `### Step ${index}: x`).join("\n")}\n**Depends on:** ${"#step-0 through #step-9999, ".repeat(2000)}`,
    16_384,
  ],
  [
    "chained steps",
    (length) =>
      Array.from(
        { length: length / 64 },
        (_, index) => `### Step ${index}: x\n**Depends on:** #step-${index + 1}`,
      ).join("\n"),
    16_384,
  ],
];

describe("a megabyte of", () => {
  it.each(HOSTILE)("%s is read to the end", (_, make, steps) => {
    const plan = readTugplan(make(1024 * 1024));
    expect(plan.steps).toHaveLength(steps);
    expect(plan.diagnostics.length).toBeLessThan(5 * MOST_OF_A_KIND);
  });
});
