import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { GLOBAL_FLAGS } from "../../src/cli/global-flags.ts";
import { loadPlan } from "../../src/cli/load-plan.ts";
import { locate } from "../../src/cli/registry.ts";
import { readSettings } from "../../src/platform/config/read-settings.ts";
import { nodeFiles } from "../../src/platform/os/node-files.ts";
import { type DocBlock, DOC_PAGES, docBlocks, inlineCode } from "../support/doc-blocks.ts";

const GLOBALS = new Set(GLOBAL_FLAGS.map(({ name }) => `--${name}`));

/** What a JSON example is the content of. */
const FILES: Readonly<Record<string, readonly [file: string, plan: string]>> = {
  "docs/plan-formats.md: Implementation plans": ["spec/implementation_plan.json", "spec"],
  "docs/plan-formats.md: Task files": ["tasks/task-6.json", "tasks"],
};

/** What is wrong with a command line of the prose; blanks like `<plan>` and brackets around what may be left out are fine. */
async function complaint(code: string): Promise<string | undefined> {
  const [, ...words] = code.replaceAll(/[[\]]/g, "").split(/\s+/);
  const own = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  // `pawl --version` and the like ask for no command.
  if (own[0]?.startsWith("-")) return undefined;
  const located = locate(COMMANDS, own);
  if (located.kind === "unknown") return `there is no command ${located.typed}`;
  const options =
    located.kind === "command"
      ? Object.keys((await located.entry.load()).options).map((name) => `--${name}`)
      : [];
  const known = new Set([...options, ...GLOBALS]);
  const strange = own.filter((word) => word.startsWith("--") && !known.has(word.replace(/=.*/, "")));
  return strange.length === 0 ? undefined : `${located.name} has no ${strange.join(" ")}`;
}

describe("commands in the prose", () => {
  it.each(DOC_PAGES.filter((page) => page !== "CHANGELOG.md"))(
    "of %s are there, with their options",
    async (page) => {
      const wrong: string[] = [];
      for (const { line, code } of inlineCode(page)) {
        if (!/^pawl [a-z-]/.test(code)) continue;
        const trouble = await complaint(code);
        if (trouble !== undefined) wrong.push(`${page}:${line}: ${trouble}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  it("are found at all, and a wrong one is told", async () => {
    const all = DOC_PAGES.flatMap((page) => inlineCode(page)).filter(({ code }) => code.startsWith("pawl "));
    expect(all.length).toBeGreaterThan(100);
    expect(await complaint("pawl state clam plan.md")).toBe("there is no command state clam plan.md");
    expect(await complaint("pawl state claim <plan> [--wortree PATH]")).toBe("state claim has no --wortree");
    expect(await complaint("pawl run -- ./agent --its-own")).toBeUndefined();
  });
});

describe("examples of files", () => {
  const written = (...languages: readonly string[]): [string, DocBlock][] =>
    DOC_PAGES.flatMap((page) => docBlocks(page))
      .filter(({ language }) => languages.includes(language))
      .map((block) => [`${block.page}:${block.line}`, block]);

  /** The text in a file of that name, in a folder that goes with the test. */
  const placed = (name: string, text: string): string => {
    const folder = mkdtempSync(join(tmpdir(), "pawl-example-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    return folder;
  };

  it.each(written("markdown", "json"))("the plan of %s is one", (_, { page, heading, language, text }) => {
    const [file, operand] = language === "markdown" ? ["plan.md", "plan.md"] : FILES[`${page}: ${heading}`]!;
    const { plan } = loadPlan({ cwd: placed(file, text), files: nodeFiles }, operand);
    expect(plan.steps.length).toBeGreaterThan(0);
    // The one task file of the page waits for another one, which is not shown.
    const errors = plan.diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.filter(({ message }) => file !== "tasks/task-6.json" || !message.includes("5"))).toEqual(
      [],
    );
  });

  it.each(written("toml"))("the settings of %s are read", async (_, { text }) => {
    const settings = await readSettings(join(placed("pawl.toml", text), "pawl.toml"));
    expect(Object.keys(settings).length).toBeGreaterThan(0);
  });
});
