import { describe, expect, it } from "vitest";
import { Failure } from "../../domain/errors.ts";
import { chooseFormat, FORMATS } from "./formats.ts";
import { MAX_PLAN_BYTES, parsePlan, parseSource } from "./read-plan.ts";
import { FORMAT_NAMES, formatCarriesStatus } from "./format-names.ts";

const bytes = (...parts: readonly (string | number)[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === "number" ? [part] : [...new TextEncoder().encode(part)])),
  );

const failureOf = (action: () => unknown): Failure => {
  try {
    action();
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error("nothing was thrown");
};

describe("the bytes of a plan", () => {
  it("are read as UTF-8, with or without a byte order mark", () => {
    const text = "# Größe 手順 😀\n### Step 1: a {#a}\n";
    expect(parsePlan(bytes(text), "plan.md").title).toBe("Größe 手順 😀");
    expect(parsePlan(bytes(0xef, 0xbb, 0xbf, text), "plan.md").title).toBe("Größe 手順 😀");
  });

  it("may be none, which is a plan without steps", () => {
    expect(parsePlan(bytes(), "plan.md")).toMatchObject({
      steps: [],
      diagnostics: [{ name: "plan/no-steps" }],
    });
  });

  it("are refused with a NUL byte, and it is said where", () => {
    const failure = failureOf(() => parsePlan(bytes("# A\n", 0, "b"), "plan.md"));
    expect(failure.problem).toBe("plan/invalid");
    expect(failure.message).toBe("plan.md is binary: it has a NUL byte at byte 4.");
    expect(failure.details).toEqual({ path: "plan.md", offset: 4 });
  });

  it("are refused as UTF-16, as some editors and shells save it", () => {
    const failure = failureOf(() => parsePlan(bytes(0xff, 0xfe, "#", 0, "A", 0), "plan.md"));
    expect(failure.message).toBe("plan.md is UTF-16: its byte order mark stands at byte 0.");
    expect(failure.hint).toBe("Name a text file, and save it as UTF-8.");
  });

  it.each([
    ["a byte that is never one", bytes("größe ", 0xff, "x"), 8],
    ["a character in Latin-1", bytes("gr", 0xf6, 0xdf, "e"), 2],
    ["a surrogate", bytes("ab", 0xed, 0xa0, 0x80), 3],
    ["an overlong character", bytes("ab", 0xc0, 0xaf), 2],
    ["a character that is cut off", bytes("ab", 0xe6, 0x89), 4],
  ])("are refused with %s, and it is said where", (_, content, offset) => {
    const failure = failureOf(() => parsePlan(content, "plan.md"));
    expect(failure.problem).toBe("plan/invalid");
    expect(failure.message).toBe(`plan.md is not UTF-8: it is invalid at byte ${offset}.`);
    expect(failure.hint).toBe("Name a text file, and save it as UTF-8.");
  });

  it("are at most sixteen mebibytes", () => {
    expect(MAX_PLAN_BYTES).toBe(16_777_216);
  });
});

describe("the formats", () => {
  it("have names of their own", () => {
    expect(new Set(FORMATS.map(({ name }) => name)).size).toBe(FORMATS.length);
  });

  it.each([
    ["plan.md", "intro\n  #### Step 1: a {#a}", "tugplan"],
    ["plan.md", "# Steps\n\n- [ ] a box\n\n#### Step 1: a\n\n**Tasks:**\n- [ ] b", "tugplan"],
    ["plan.md", "# Steps\n\n- [ ] a box\n\n#### Step 1: a\n\n#### Step 2: b", "headed"],
    [
      "plan.md",
      "# Plan\n\n## Task 1: a\n\n**Step 1: b**\n\n## Testing Checklist\n\n- [ ] c\n- [ ] d",
      "headed",
    ],
    ["plan.md", "# Plan\n\n### Phase 1.8: a\n\nwords", "headed"],
    ["plan.md", "- [ ] a\n\n```\n### Step 5: no\n```\n\n- [ ] b", "checklist"],
    ["plan.md", "- [ ] a\n\n<!--\n### Task 5: no\n-->\n\n- [ ] b", "checklist"],
    ["tasks.md", "## Phase 1\n- [ ] T001 a\n- [ ] T002 b\n### Step 2.5 — c\n- [ ] T003 d", "checklist"],
    ["tasks.md", "## Steps\n- [ ] a", "checklist"],
    ["tasks.md", "\ufeff- [X] a", "checklist"],
    ["tasks.md", "#### [ ] T-001: in a heading", "checklist"],
    ["spec/implementation_plan.json", "", "implementation-plan"],
    ["plan", '\ufeff {"phases": []}', "implementation-plan"],
    ["notes", "only words", "tugplan"],
  ])("read %s by what is in it (%j): %s", (path, text, name) => {
    expect(chooseFormat(path, text).format.name).toBe(name);
  });

  it.each([
    ["task-1.json\ntask-2.json", "task-files"],
    ["1.json\n2.json", "claude-tasks"],
    ["task-1 - Parse header.md\ntask-2 - Parse body.md", "backlog"],
  ])("read a folder by the names of its files (%j): %s", (names, name) => {
    expect(chooseFormat("folder", names, true).format.name).toBe(name);
  });

  it("write back exactly where they carry status", () => {
    expect(
      FORMATS.filter(({ writer }) => writer)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(FORMAT_NAMES.filter(formatCarriesStatus).toSorted());
  });

  it.each([
    ["issues.jsonl", '{"id":"a-1","title":"Dig","status":"open","issue_type":"task"}\n', ["P063"]],
    ["todos.json", '[{"content":"Dig","status":"pending"}]', ["P063"]],
    ["prd.json", '{"userStories":[{"id":"US-1","title":"Dig","passes":false}]}', []],
  ])("say of a list that another program keeps that no run takes it: %s", (path, text, codes) => {
    const { steps, diagnostics } = parseSource({ bytes: new TextEncoder().encode(text) }, path);
    expect(steps).toHaveLength(1);
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  it("put their name on what they read", () => {
    for (const { name, read } of FORMATS) expect(read("").format).toBe(name);
  });
});
