import { describe, expect, it } from "vitest";
import { readSubsteps } from "./substeps.ts";

describe("a planner's answer", () => {
  it("is read as substeps with their words and boxes", () => {
    const answer = "Here they are:\n\n### First {#x}\n\nDo it.\n\n- [ ] a\n- [x] b\n\n## Second\n* [ ] c\n";
    expect(readSubsteps(answer)).toEqual({
      substeps: [
        { title: "First", text: "Do it.", tasks: ["a", "b"] },
        { title: "Second", text: "", tasks: ["c"] },
      ],
      problems: [],
    });
  });

  it("comes back with what is wrong, in words", () => {
    expect(readSubsteps("no").problems).toEqual(["0 substeps were found; at least 2 are needed"]);
    expect(readSubsteps("### a\n- [ ] x\n### a\n").problems).toEqual([
      'two substeps are called "a"',
      '"a" has no box (- [ ] …) that can be ticked',
    ]);
    const many = Array.from({ length: 13 }, (_, index) => `### ${index}\n- [ ] x`).join("\n");
    expect(readSubsteps(many).problems).toEqual(["13 substeps are too many; at most 12"]);
  });

  it("brings no fences, headings, comments or control characters into a plan", () => {
    const answer = "### a\n```\n<!-- x\n~~~\nwords\u001b[2J\n- [ ] t\u0007\n### b\n- [ ] u";
    expect(readSubsteps(answer).substeps[0]).toEqual({ title: "a", text: "words [2J", tasks: ["t"] });
  });
});
