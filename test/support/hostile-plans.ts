import { foldFolder } from "../../src/plans/formats/plan-folder.ts";

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

/** Plans of any size, by format: what once took time that grows faster than the file, and what looks as if it could. */
export const HOSTILE: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
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
    "a blank line": (size) => `- [ ] 1. a\n${rep(" ", size)}x\n`,
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
    "tiny numbers": oneTask((size) => `{"id":"1","dependencies":[${rep("1,", size)}1]}`),
    requirements: oneTask((size) => `{"id":"1","requirements":[${rep('"a",', size)}"b"]}`),
    doubles: oneTask((size) => `{"id":"1",${rep('"a":1,', size)}"b":2}`),
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
