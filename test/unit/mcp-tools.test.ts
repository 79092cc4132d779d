import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { ERRORS } from "../../src/domain/errors.ts";
import { DIAGNOSTICS } from "../../src/plans/formats/diagnostics.ts";
import { forAgents } from "../../src/mcp/for-agents.ts";
import { TOOLS } from "../../src/mcp/tools/index.ts";

/** Models cut text finer where it is not prose: one token for each word or sign is more than any of them takes. */
const tokens = (text: string): number =>
  (text.match(/[A-Za-z]{1,8}|\d{1,3}|[^\sA-Za-z\d]{1,2}/g) ?? []).length;

describe("the tools", () => {
  it("are all registered", () => {
    const files = readdirSync(new URL("../../src/mcp/tools", import.meta.url)).filter(
      (name) => name !== "index.ts",
    );
    expect(
      TOOLS.map(({ name }) => `${name.replace("pawl_", "").replaceAll("_", "-")}.ts`).toSorted(),
    ).toEqual(files.toSorted());
  });

  it("cost an agent at most 2,500 tokens together, however they are counted", () => {
    const listed = TOOLS.map(({ name, about, input, output, annotations }) => ({
      name,
      description: about,
      inputSchema: input,
      outputSchema: output,
      annotations,
    }));
    const text = JSON.stringify(listed);
    expect(text.length / 4).toBeLessThanOrEqual(2500);
    expect(tokens(text)).toBeLessThanOrEqual(2500);
  });

  it.each(TOOLS)(
    "$name says what it takes, gives and does",
    ({ name, input, output, annotations, about }) => {
      expect(name).toMatch(/^pawl_[a-z]+(?:_[a-z]+)*$/);
      expect(input).toMatchObject({ type: "object", additionalProperties: false });
      expect(Object.keys(output["properties"] as object).length).toBeGreaterThan(0);
      expect(about.length).toBeLessThanOrEqual(220);
      if (!annotations.readOnlyHint) expect(annotations.destructiveHint).toBe(false);
      for (const schema of Object.values(
        input["properties"] as Record<string, { type?: string; maxLength?: number }>,
      ))
        if (schema.type === "string") expect(schema.maxLength).toBeGreaterThan(0);
    },
  );

  it("offer nothing that is for people", () => {
    const words = JSON.stringify(TOOLS);
    for (const verb of [
      "force",
      "reset",
      "reopen",
      "retry",
      'hold"',
      "prune",
      "clean",
      "remove",
      "abandon",
      "discard",
    ])
      expect(words).not.toContain(verb);
  });
});

describe("what agents read", () => {
  const ALLOWED = new Set<string>(TOOLS.map(({ name }) => name));
  const commandsIn = (text: string) => text.match(/\bpawl [a-z]+/g) ?? [];

  it("names a tool in the place of each command, and no command of a person's", () => {
    for (const { hint } of [...Object.values(ERRORS), ...Object.values(DIAGNOSTICS)]) {
      const told = forAgents(hint);
      expect(commandsIn(told), hint).toEqual([]);
      for (const tool of told.match(/pawl_\w+/g) ?? []) expect(ALLOWED).toContain(tool);
      expect(told).not.toMatch(/--force|--fix|--discard/);
    }
  });

  it.each(Object.keys(COMMANDS))("does not name pawl %s", (name) => {
    for (const text of [`Run \`pawl ${name} x --force\` now.`, `(tick it with: pawl ${name} plan.md)`])
      expect(commandsIn(forAgents(text)), text).toEqual([]);
  });

  it("keeps words that only look alike", () => {
    expect(forAgents("session s-1 of pawl's own; pawl_claim")).toBe("session s-1 of pawl's own; pawl_claim");
  });
});

it("says of each tool that it stays in this repository, or clients refuse it without asking", () => {
  expect(TOOLS.filter(({ annotations }) => annotations.openWorldHint !== false)).toEqual([]);
});
