import { describe, it } from "vitest";
import { NOW } from "../../support/progress.ts";
import { type Changes, expectBytes } from "../../support/write-back.ts";

const done = (...anchors: readonly string[]): Changes =>
  Object.fromEntries(anchors.map((anchor) => [anchor, { status: "completed", completedAt: NOW }]));

const expectWritten = (marked: string, changes: Changes) => expectBytes("checklist", marked, changes);

const TICK = "[⟦ →x⟧]";

describe("a box is ticked, and not another byte changes", () => {
  it.each([
    `- ${TICK} T001 make it`,
    `- ${TICK} T001 [P] make it in \`src/a.ts\``,
    `- ${TICK} T001 [P] [US1] make it`,
    `- ${TICK} T001 [US1][P] [core] make it`,
    `- ${TICK} **T001** make it`,
    `- ${TICK} **T001**: make it  `,
    `* ${TICK} T001 make it`,
    `+ ${TICK} T001 make it`,
    `1. ${TICK} T001 make it`,
    `12) ${TICK} T001 make it`,
    `-   ${TICK}   T001   make it`,
    `- ${TICK} T001 帽子を作る 🧢`,
    `- ${TICK} T001 make it [x] and [ ] and \`- [ ]\``,
    `- ${TICK} T001`,
    `### ${TICK} T001 make it\n\nwords`,
  ])("in %j", (line) => {
    expectWritten(`# Tasks\n\n## Phase 1: Setup\n\n${line}\n- [ ] T002 more\n`, done("T001"));
    expectWritten(`\ufeff# Tasks\r\n\r\n${line.replaceAll("\n", "\r\n")}\r\n- [ ] T002 more`, done("T001"));
  });

  it("whatever stood in it", () => {
    expectWritten("- [⟦~→x⟧] T001 put off\n- [ ] T002 b\n", done("T001"));
    expectWritten("- [x] T001 done\n- [X] T002 done\n- [-] T003 dropped\n- [ ] ~~T004 struck~~\n", {});
    expectWritten("- [⟦x→ ⟧] T001 done\n- [x] T002 done\n", {
      T001: { status: "pending", isReopened: true },
    });
  });

  it("but not that of an item that people dropped or put off, although its step is done", () => {
    const items = [0, 1, 2].map((ordinal) => ({
      kind: "task" as const,
      ordinal,
      status: "completed" as const,
    }));
    expectWritten(`- ${TICK} paint the door\n  - ${TICK} buy paint\n  - [-] blue\n  - [~] brush\n`, {
      "paint-the-door": { status: "completed", completedAt: NOW, items },
    });
  });

  it("with the tick that the file uses", () =>
    expectWritten("- [X] T001 a\n- [⟦ →X⟧] T002 b\n", done("T002")));

  it.each(["in_progress", "awaiting_verification", "blocked", "on_hold", "claimed"] as const)(
    "and not at all while it is %s",
    (status) => expectWritten("- [ ] T001 a\n- [ ] T002 b\n", { T001: { status } }),
  );

  it("of ids with a letter, out of order, and behind front matter and a legend", () =>
    expectWritten(
      `---\ntitle: "- [ ] T000"\n---\n\n# Tasks\n\n- [P] tasks = can run side by side\n- [ ] T012 a\n- ${TICK} T012a b\n- ${TICK} T002 c\n\n## Phase 2: More\n\n- [ ] T003 d\n`,
      done("T012a", "T002"),
    ));

  it("of two tasks with one id, the one that is meant", () =>
    expectWritten(`- ${TICK} T001 a\n- [ ] T001 b\n`, done("T001-a")));

  it("of OpenSpec's numbers, however deep", () =>
    expectWritten(
      `## 1. Felt\n\n- ${TICK} 1.1 a\n- [ ] 1.2 b\n  - [ ] 1.2.1 c\n\n## 2. Sew\n\n- [ ] 2.1 d\n- ${TICK} 2.1.1.1 e\n`,
      done("1.1", "2.1.1.1"),
    ));

  it("of any other list, with its items", () =>
    expectWritten(
      `# Things\n\nWords [ ] between.\n\n* ${TICK} paint the door\n  * ${TICK} buy paint\n    - ${TICK} blue\n  * [x] brush\n* [ ] sleep\n`,
      {
        "paint-the-door": {
          status: "completed",
          completedAt: NOW,
          items: [0, 1, 2].map((ordinal) => ({
            kind: "task" as const,
            ordinal,
            status: "completed" as const,
          })),
        },
      },
    ));

  it("where other boxes are no boxes", () =>
    expectWritten(
      `# Tasks\n\n\`\`\`md\n- [ ] T001 in a fence\n\`\`\`\n~~~~\n\`\`\`\n- [ ] T001\n~~~\n~~~~\n<!--\n- [ ] T001 in a comment\n-->\n\n- ${TICK} T001 a\n\n> - [ ] T001 quoted\n`,
      done("T001"),
    ));

  it("in lines that end in any of three ways", () =>
    expectWritten(`# Tasks\r\r- [ ] T001 a\r- ${TICK} T002 b\r\n- [ ] T003 c\n\n`, done("T002")));
});
