import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pawl } from "./cli.ts";
import { endOf, FOR_PEOPLE, type ObedientEnd } from "./obedient-agent.ts";

const MOST_CALLS = 40;

/**
 * The obedient agent once more, at a command line. It knows what `pawl prime` printed, and the name of the plan if a
 * person gave it one; of every answer it reads the lines that say what comes next, and types the first command in
 * them as it stands. A refusal that names none leaves it the rule that prime gave it: ask the person.
 */
export function obeyAtTheShell(folder: string, plan: string | undefined): ObedientEnd {
  const heard: string[] = [];
  const worked: string[] = [];
  const ended = (end: ObedientEnd["end"]) => endOf(end, heard, worked);
  const type = (command: string) => {
    const { code, stdout, stderr } = pawl({ cwd: folder }, ...wordsOf(command).slice(1));
    const text = `${stdout}${stderr}`;
    heard.push(`$ ${command}\n${text}`);
    return { code, text };
  };
  const { code, text: rules } = type("pawl prime");
  let next = usageIn(rules, "pawl state claim");
  if (code !== 0 || next === undefined) return ended(FOR_PEOPLE.test(rules) ? "person" : "nowhere");
  while (next !== undefined) {
    const { text } = type(filled(next, plan));
    if (/^All steps are completed/m.test(text)) return ended("done");
    if (heard.length >= MOST_CALLS || heard.filter((said) => said === heard.at(-1)).length > 2)
      return ended("nowhere");
    const [, step] = /^Started (\S+)\.$/m.exec(text) ?? [];
    if (step !== undefined) {
      writeFileSync(join(folder, `work-${step}.txt`), `work on ${step}\n`, { flag: "a" });
      worked.push(step);
    }
    const said = saidNext(text);
    if (said.isForPeople) return ended("person");
    // A verb by its name alone: prime tells how it is called.
    next =
      said.command !== undefined && BARE.test(said.command)
        ? (usageIn(type("pawl prime").text, said.command) ?? said.command)
        : said.command;
  }
  return ended(ASK.test(rules) ? "person" : "nowhere");
}

/** The rule by which a refusal that says nothing more ends. */
const ASK = /cannot finish, say what is missing and ask the person/;

const BARE = /^pawl (?:state )?[a-z]+$/;

/** The first command in the lines that say what comes next, unless they hand the matter to a person before. */
function saidNext(text: string): { readonly isForPeople: boolean; readonly command: string | undefined } {
  const told = [...text.matchAll(/^\s*(?:next|then|hint): (.*)$/gm)].map(([, line = ""]) => line).join("\n");
  const at = told.search(/\bpawl [a-z]/);
  const isForPeople = FOR_PEOPLE.test(at === -1 ? told : told.slice(0, at));
  const command = at === -1 ? undefined : /^[^`\n]+/.exec(told.slice(at))?.[0].trim();
  return { isForPeople, command };
}

/** How prime says that a command is called. */
const usageIn = (rules: string, command: string): string | undefined =>
  [...rules.matchAll(/^- `([^`]+)`/gm)].map(([, usage = ""]) => usage).find((one) => one.startsWith(command));

const filled = (command: string, plan: string | undefined): string =>
  plan === undefined ? command : command.replaceAll(/<plan>|\bPLAN\b/g, plan);

/** As a shell would take them apart; Pawl quotes with '. */
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
