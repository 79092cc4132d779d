import { describe, expect, it } from "vitest";
import { growth } from "../../test/support/growth.ts";
import { asRead, NOW, progressOf } from "../../test/support/progress.ts";
import { flatten } from "../domain/plan.ts";
import { FORMATS } from "./index.ts";
import { foldFolder } from "./plan-folder.ts";
import { writePlan } from "./write-plan.ts";

type Make = (size: number) => string;

/** As often as it fits. */
const rep = (piece: string, size: number): string =>
  piece.repeat(Math.max(1, Math.floor(size / piece.length)));

function seq(piece: (index: number) => string, size: number): string {
  const pieces: string[] = [];
  for (let length = 0; length < size;) {
    const next = piece(pieces.length);
    pieces.push(next);
    length += next.length;
  }
  return pieces.join("");
}

const subtasks = (list: string): string => `{"phases":[{"id":1,"subtasks":[${list}{"id":"z"}]}]}`;

const oneTask =
  (write: Make): Make =>
  (size) =>
    foldFolder({ files: [{ name: "task-1.json", text: write(size) }], archived: [] });

/** What once took time that grows faster than the file, and what looks as if it could. */
const HOSTILE: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
  tugplan: {
    steps: (size) => seq((n) => `#### Step ${n}: t\n**Depends on:** #step-${n - 1}\n- [ ] a\n`, size),
    "one anchor": (size) => rep("#### Step 1: t {#a}\n", size),
    "all preceding": (size) =>
      seq((n) => `#### Step ${n}: t\n**Depends on:** all preceding steps\n`, size / 8),
    substeps: (size) => `#### Step 0: a\n${seq((n) => `##### Step 0.${n}: t\n`, size)}`,
    brackets: (size) => `#### Step 0: a\n**Depends on:** ${rep("[", size)}`,
    stars: (size) => `#### Step 0: a\n${rep("**Tasks\n", size)}`,
    blanks: (size) => `#### Step 0: a${rep(" ", size)}{#x}\n- [ ]${rep("\t", size)}x`,
    "nested boxes": (size) => `#### Step 0: a\n${seq((n) => `${" ".repeat((n * 2) % 2000)}- [ ] b\n`, size)}`,
    comments: (size) => rep("<!--\n-->", size),
  },
  checklist: {
    dependencies: (size) => seq((n) => `- [ ] T${n} a (depends on T${n - 1}, T${n - 2})\n`, size),
    "one id": (size) => rep("- [ ] T001 a\n", size),
    phases: (size) => seq((n) => `## Phase ${n}\n- [ ] T${n} a\n`, size),
    nested: (size) => seq((n) => `${" ".repeat((n * 2) % 2000)}- [ ] b\n`, size),
    numbers: (size) => seq((n) => `- [ ] 2${".1".repeat(n % 100)}.${n} a\n`, size),
    headings: (size) => rep("# [ ] a\n", size),
    marks: (size) => `- [ ] ${rep("~~a**[P ", Math.min(size, 4000))}\n${rep("- [] a\n", size)}- [ ] b\n`,
  },
  "implementation-plan": {
    subtasks: (size) => subtasks(seq((n) => `{"id":"${n}","status":"?"},`, size)),
    "one id": (size) => subtasks(rep('{"id":"a"},', size)),
    "empty phases": (size) =>
      `{"phases":[${seq((n) => `{"id":${n},"depends_on":[${[1, 2, 3, 4].map((back) => Math.max(0, n - back)).join()}]},{"id":"s${n}","depends_on":[${n}],"subtasks":[{"id":"a${n}"}]},`, size)}{"id":"z"}]}`,
    names: (size) => subtasks(`{"id":"a",${rep('"x":1,', size)}"y":1},`),
    id: (size) => subtasks(`{"id":"${rep("- ", size)}"},`),
    conflict: (size) => rep("<<<<<<< a\n", size),
    unclosed: (size) => `{"feature":"${rep('\\"', size)}`,
  },
  "task-files": {
    notes: oneTask((size) => `{"id":"1","status":"Blocked","notes":[${rep('"[AGENT TIMEOUT]",', size)}"x"]}`),
    mentions: oneTask((size) => `{"id":"1","dependencies":[${seq((n) => `"Task ${n}",`, size)}"2"]}`),
    "odd mentions": oneTask((size) => `{"id":"1","dependencies":[${rep("{},", size)}"2"]}`),
    numbers: oneTask((size) => `{"id":"1","dependencies":[${rep("15,", size)}"2"]}`),
    fractions: oneTask((size) => `{"id":"1","dependencies":[${rep("1.5,", size)}"2"]}`),
    subtasks: oneTask((size) => `{"id":"1","subtasks":[${rep('{"status":"?"},', size)}"2"]}`),
    "subtasks in subtasks": oneTask(
      (size) => `${'{"subtasks":['.repeat(9)}${rep("{},", size)}{}${"]}".repeat(9)}`,
    ),
    parents: (size) =>
      foldFolder({
        files: Array.from({ length: Math.floor(size / 40) }, (_, n) => ({
          name: `task-${n}.json`,
          text: `{"id":"${n}","parent_task":"${n + 1}"}`,
        })),
        archived: [],
      }),
  },
};

const SMALL = 16 * 1024;
const TIMES = 4;

/** Linear is 4, quadratic 16. */
const MOST = 9;

describe("a file that is four times as large takes about four times as long", () => {
  const cases = Object.entries(HOSTILE).flatMap(([format, kinds]) =>
    Object.entries(kinds).map(([kind, make]) => [format, kind, make] as const),
  );

  it.each(cases)("to be read: %s, %s", (name, _, make) => {
    const format = FORMATS.find((one) => one.name === name)!;
    const [small, large] = [make(SMALL), make(SMALL * TIMES)];
    expect(
      growth(
        () => format.read(small),
        () => format.read(large),
        MOST,
      ),
    ).toBeLessThan(MOST);
  });

  it("to be written: tags in many notes", () => {
    const format = FORMATS.find(({ name }) => name === "task-files")!;
    const write = (size: number) => {
      const text = HOSTILE["task-files"]!["notes"]!(size);
      const steps = new Map([["task-1", { ...asRead("in_progress"), isUntouched: false }]]);
      return () => writePlan(format, { text, companions: undefined }, { steps, now: NOW });
    };
    expect(growth(write(SMALL), write(SMALL * TIMES), MOST)).toBeLessThan(MOST);
  });
});

describe("more than anybody writes", () => {
  it.each([
    ["P008", `{"id":"1","subtasks":[${'{"id":"1-1"},'.repeat(50_001)}"2"]}`],
    ["P009", `{"id":"1","dependencies":[${'"2",'.repeat(100_001)}"2"]}`],
  ])("is refused with %s, not read to its end", (code, text) => {
    const format = FORMATS.find(({ name }) => name === "task-files")!;
    const plan = format.read(foldFolder({ files: [{ name: "task-1.json", text }], archived: [] }));
    expect(plan.diagnostics.filter(({ severity }) => severity === "error").map((one) => one.code)).toContain(
      code,
    );
    expect(flatten(plan).length).toBeLessThanOrEqual(50_001);
    expect(progressOf(plan).steps.size).toBeGreaterThan(0);
  });
});
