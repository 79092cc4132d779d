import { expect, it } from "vitest";
import { NOW, progressOf } from "../../../../test/support/progress.ts";
import { readChecklist } from "../checklist.ts";
import type { StepState } from "../plan-format.ts";
import { PLAIN } from "./dialect.ts";
import { writeList } from "./write.ts";

const TEXT = `# List

- [ ] Build the wall
  - [ ] lay bricks
  - [-] paint it
  - [~] plaster it
  - [x] measure it
`;

const items = (...statuses: readonly StepState["items"][number]["status"][]): StepState["items"] =>
  statuses.map((status, ordinal) => ({ kind: "task", ordinal, status }));

const written = (text: string, state: Partial<StepState>): string => {
  const files = { text, companions: undefined };
  const { edits } = writeList(PLAIN)(files, progressOf(readChecklist(text), { "build-the-wall": state }));
  return edits[0]?.after ?? text;
};

const DONE = items("completed", "completed", "completed", "completed");

it("ticks the open boxes of a completed step and leaves dropped and deferred ones as they are", () => {
  expect(written(TEXT, { status: "completed", completedAt: NOW, items: DONE })).toBe(
    TEXT.replace("- [ ] Build", "- [x] Build").replace("- [ ] lay", "- [x] lay"),
  );
});

it("ticks no box of an item that the store does not have as completed", () => {
  const some = items("deferred", "completed", "completed", "completed");
  expect(written(TEXT, { status: "completed", completedAt: NOW, items: some })).toBe(
    TEXT.replace("- [ ] Build", "- [x] Build"),
  );
});

it("leaves the items alone where the file itself said that the step is done", () => {
  const text = TEXT.replace("- [ ] Build", "- [x] Build").replace("- [ ] lay", "- [x] lay");
  expect(written(text, { status: "completed", completedAt: null, items: DONE })).toBe(text);
});

it("opens the ticked boxes of a reopened step again, and no others", () => {
  const text = TEXT.replace("- [ ] Build", "- [x] Build");
  const open = items("open", "open", "open", "open");
  expect(written(text, { status: "pending", isReopened: true, items: open })).toBe(
    text.replace("- [x] Build", "- [ ] Build").replace("- [x] measure", "- [ ] measure"),
  );
});

it("opens no box of a step that was not reopened", () => {
  const open = items("open", "open", "open", "open");
  expect(written(TEXT, { status: "in_progress", items: open })).toBe(TEXT);
});
