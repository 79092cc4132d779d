import { describe, expect, it } from "vitest";
import { DRAFT_FORMATS, draftGuide, readDraft } from "./drafts.ts";

describe("a plan that an agent writes", () => {
  it.each(DRAFT_FORMATS)("of the format %s is taken as its example has it", (format) => {
    const { extension, example } = draftGuide(format);
    const { plan, problems } = readDraft(format, `plan.${extension}`, example);
    expect(problems).toEqual([]);
    expect(plan.steps.length).toBeGreaterThan(0);
    expect(plan.diagnostics).toEqual([]);
  });

  it("says what is undecided", () => {
    expect(readDraft("tugplan", "plan.md", draftGuide("tugplan").example).questions).toEqual([
      "Which versions must stay readable?",
    ]);
    expect(readDraft("headed", "plan.md", draftGuide("headed").example).questions).toEqual([]);
    const json = draftGuide("ralph").example.replace('"open_questions": []', '"open_questions": ["Why?"]');
    expect(readDraft("ralph", "prd.json", json).questions).toEqual(["Why?"]);
  });

  it.each([
    ["has no section for open questions", "headed", "# A\n\n### Task 1: b\n\nwords\n", "no section `## Open"],
    [
      "has no list of open questions",
      "ralph",
      '{"userStories": [{"id": "1", "passes": false}]}',
      "no list `open",
    ],
    [
      "calls something done",
      "headed",
      "# A\n\n### Task 1: b\n\n- [x] c\n\n## Open questions\n\n- None.\n",
      "3:1: task-1 counts as completed",
    ],
    [
      "is of another format",
      "checklist",
      "# A\n\n### Task 1: b\n\n- [ ] c\n\n## Open questions\n\n- None.\n",
      "read as headed; write it as checklist",
    ],
    ["cannot be read", "ralph", "{", "This is no JSON"],
    ["has no step", "headed", "# A\n\n## Open questions\n\n- b\n", "No heading"],
  ] as const)("goes back when it %s", (_, format, text, problem) => {
    expect(readDraft(format, "plan", text).problems.join("\n")).toContain(problem);
  });
});
