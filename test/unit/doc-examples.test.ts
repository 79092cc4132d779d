import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import type { Option, Options } from "../../src/cli/command.ts";
import { takeGlobalFlags } from "../../src/cli/global-flags.ts";
import { loadPlan } from "../../src/cli/load-plan.ts";
import { parseArgs } from "../../src/cli/parse-args.ts";
import { locate } from "../../src/cli/registry.ts";
import { Failure } from "../../src/domain/errors.ts";
import { readSettings } from "../../src/platform/config/read-settings.ts";
import { nodeFiles } from "../../src/platform/os/node-files.ts";
import { type DocBlock, DOC_PAGES, docBlocks, inlineCode } from "../support/doc-blocks.ts";

/** What a JSON example is the content of. */
const FILES: Readonly<Record<string, readonly [file: string, plan: string]>> = {
  "docs/plan-formats.md: Implementation plans": ["spec/implementation_plan.json", "spec"],
  "docs/plan-formats.md: Task files": ["tasks/task-6.json", "tasks"],
};

/** A word that stands for a value: `N`, `PLAN`, `<plan>`, `…`. */
const isBlank = (word: string): boolean => /^(?:[A-Z][A-Z_-]*|<.*>|…)$/.test(word);

/** The words of a command line, each without its quotes, up to where the shell would start something else. */
const wordsOf = (line: string): readonly string[] => {
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g)].map(([word]) => word);
  const end = words.findIndex((word) => /^(?:[|&;<>]|\d?>|#|\)$)/.test(word) && !isBlank(word));
  return words
    .slice(0, end === -1 ? undefined : end)
    .map((word) => word.replaceAll(/["']/g, "").replace(/;$/, ""));
};

/** The line with a value of the right kind wherever an option that takes only such has a blank. */
const filled = (options: Options, words: readonly string[], isWhole: boolean): readonly string[] =>
  words.flatMap((word, index) => {
    const [before, own] = [words[index - 1], word].map((name = "") => options[name.replace(/^--/, "")]);
    // Prose names options without their values: `pawl plan new --from`.
    const isBare = own !== undefined && own.type !== "flag" && !/^[^-]/.test(words[index + 1] ?? "");
    if (word.startsWith("--")) return isBare && !isWhole ? [`${word}=${example(own)}`] : [word];
    const takesValue = words[index - 1]?.startsWith("--") && before && before.type !== "flag";
    return takesValue && isBlank(word) ? [example(before)] : [word];
  });

const example = ({ choices, type }: Option): string => choices?.[0] ?? (type === "number" ? "1" : "text");

/**
 * What is wrong with a command line of a page, by the parser that the program itself uses. In the prose, brackets around what may be
 * left out are fine, and a command may be named without its operands.
 */
async function complaint(line: string, { isWhole = false } = {}): Promise<string | undefined> {
  const [, ...typed] = wordsOf(isWhole ? line : line.replaceAll(/[[\]]/g, ""));
  const { words } = takeGlobalFlags(typed);
  // `pawl --version` and the like ask for no command.
  if (words.length === 0 || words[0]!.startsWith("-")) return undefined;
  const located = locate(COMMANDS, words);
  if (located.kind === "unknown") return `there is no command ${located.typed}`;
  if (located.kind === "group") return undefined;
  const command = await located.entry.load();
  const operands = command.operands.map((operand) => ({ ...operand, required: false }));
  const isHelp = typed.length > words.length && typed.includes("--help");
  try {
    parseArgs(
      isWhole && !isHelp ? command : { ...command, operands },
      filled(command.options, located.rest, isWhole),
    );
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

const LANGUAGES: ReadonlySet<string> = new Set(["sh", "bash", "console", "shell", "yaml", ""]);

/** Every line of a page's blocks that calls Pawl, with what the shell would read as one line joined. */
const blockCommands = (page: string): readonly { readonly line: number; readonly code: string }[] =>
  docBlocks(page)
    .filter(({ language }) => LANGUAGES.has(language))
    .flatMap(({ line, text }) =>
      text
        .replaceAll(/\\\n\s*/g, " ")
        .split("\n")
        .flatMap((code) =>
          [...code.matchAll(/(?:^(?:\$ )?|&& |\|\| |\| |; |run: )(?:[A-Z_]+=\S+ )*(pawl [a-z-].*)/g)].map(
            ([, call = ""]) => ({ line, code: call }),
          ),
        ),
    );

describe("commands in the pages", () => {
  it.each(DOC_PAGES.filter((page) => page !== "CHANGELOG.md"))(
    "of %s are ones that Pawl accepts",
    async (page) => {
      const wrong: string[] = [];
      const calls = [
        ...inlineCode(page).filter(({ code }) => /^pawl [a-z-]/.test(code)),
        ...blockCommands(page).map((call) => ({ ...call, isWhole: true })),
      ];
      for (const { line, code, ...how } of calls) {
        const trouble = await complaint(code, how);
        if (trouble !== undefined) wrong.push(`${page}:${line}: ${code}: ${trouble}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  it("are found at all, and a wrong one is refused", async () => {
    const all = DOC_PAGES.flatMap((page) => inlineCode(page)).filter(({ code }) => code.startsWith("pawl "));
    expect(all.length).toBeGreaterThan(100);
    expect(DOC_PAGES.flatMap((page) => blockCommands(page)).length).toBeGreaterThan(100);
    expect(await complaint("pawl state clam plan.md")).toBe("there is no command state clam plan.md");
    expect(await complaint("pawl state claim <plan> [--wortree PATH]")).toContain("unknown option --wortree");
    expect(await complaint("pawl state release PLAN STEP --force REASON")).toContain('unexpected "REASON"');
    expect(await complaint("pawl run --workers --dry-run", { isWhole: true })).toContain(
      "--workers needs a value",
    );
    expect(await complaint("pawl state claim", { isWhole: true })).toContain("is missing");
    expect(await complaint("pawl run --workers N -- ./agent --its-own")).toBeUndefined();
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
