import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { forAgents } from "../../src/mcp/for-agents.ts";
import { OPERATOR_COMMANDS } from "../../src/api.ts";
import { sourceTexts } from "../support/texts.ts";

const TEXTS = sourceTexts();
const HINTS = TEXTS.filter(({ property }) => property === "hint" || property === "hints");

/** What loses work when it is obeyed. */
const DESTRUCTIVE =
  /git (?:clean|reset|restore|rebase|gc|prune|checkout (?:-f|\.|--)|stash (?:drop|clear)|branch -[dD]|worktree remove|update-ref -d|push (?:-f|--force))|\brm -|\bkill(?:all)? -(?!CONT\b)|drop (?:table|database)/i;

/** What can cost work even where it is no command. */
const HARSH = /\b(?:kill|rebase|delete|overwrite|discard|wipe|erase|remove)\b|\bend (?:it|them)\b/i;

/** These start something, and nothing is lost by it; agents are kept from them only so that they do not start others. */
const HARMLESS: ReadonlySet<string> = new Set(["run", "improve", "ui"]);

/** Words that say, before a command is named, that it is not the agent's. */
const FOR_PEOPLE = /for people|\bperson\b|in charge/i;

/** Help is read by people who asked for it; guarantees and migrations give no instructions. */
const isHelp = ({ file, property }: (typeof TEXTS)[number]): boolean =>
  ["about", "more", "examples"].includes(property ?? "") ||
  /^src\/(?:platform\/migrations\/|domain\/guarantees\.ts)/.test(file);

const places = (texts: typeof TEXTS) => texts.map(({ file, line, text }) => `${file}:${line} ${text}`);

describe("texts that give instructions", () => {
  it("are found, those of the tables and those beside them", () => {
    expect(HINTS.length).toBeGreaterThan(200);
    expect(HINTS.filter(({ file }) => file !== "src/domain/errors.ts").length).toBeGreaterThan(50);
    expect(OPERATOR_COMMANDS.length).toBeGreaterThan(15);
    for (const verb of OPERATOR_COMMANDS)
      expect(COMMANDS, verb).toHaveProperty([verb.replace(/ --?[\w-]+$/, "")]);
  });

  it("never name anything that destroys", () => {
    expect(places(TEXTS.filter((one) => !isHelp(one) && DESTRUCTIVE.test(one.text)))).toEqual([]);
    expect(places(HINTS.filter(({ text }) => /--discard/.test(text)))).toEqual([]);
  });

  it("say before anything harsh that it is for people", () => {
    const wrong = HINTS.filter(({ text }) => {
      const at = text.search(HARSH);
      return at !== -1 && !FOR_PEOPLE.test(text.slice(0, at));
    });
    expect(places(wrong)).toEqual([]);
  });

  it.each([...new Set(OPERATOR_COMMANDS)].filter((verb) => !HARMLESS.has(verb)))(
    "name pawl %s only to people, and say so before",
    (verb) => {
      const named = new RegExp(`\\bpawl ${verb.replace(/ (--?[\w-]+)$/, "\\b[^`]*$1")}\\b`);
      const wrong = HINTS.filter(({ text }) => {
        const at = text.search(named);
        return at !== -1 && !FOR_PEOPLE.test(text.slice(0, at));
      });
      expect(places(wrong)).toEqual([]);
    },
  );

  it("name no command of a person's to an agent", () => {
    for (const { text } of HINTS) {
      const told = forAgents(text);
      expect(told, text).not.toMatch(/\bpawl [a-z]|--force|--fix/);
    }
  });
});
