import { closest, EXIT_CODES, Failure } from "../domain/index.ts";
import { type Command, type Options, Unfinished, type OptionValues } from "./command.ts";
import { GLOBAL_FLAGS, type GlobalFlags, takeGlobalFlags } from "./global-flags.ts";
import { type Host, Unwritten } from "./host.ts";
import { parseArgs } from "./parse-args.ts";
import { type Answer, printAnswer } from "./print-answer.ts";
import { type Located, locate, membersOf, type Registry } from "./registry.ts";
import { truncate } from "./text/layout.ts";
import { type Paint, plainPaint } from "./text/paint.ts";
import { type Issue, issueOf, toFailure } from "../journal/index.ts";

/** What there is to call. Passed in, so that the shell knows no command and tests bring their own. */
export interface Program {
  readonly version: string;
  readonly commands: Registry;
  /** What is run when nothing is typed. */
  readonly home: () => Promise<Command>;
}

/**
 * One call of Pawl, from the words typed to the exit code. It throws nothing but `Unwritten`.
 *
 * Whatever happens comes out as one answer, printed once: a failure that was foreseen with its own exit code,
 * anything else as a bug of ours.
 */
export async function runCli(argv: readonly string[], host: Host, program: Program): Promise<number> {
  const flags = takeGlobalFlags(argv);
  const isHelp = flags.words[0] === "help";
  const words = isHelp ? flags.words.slice(1) : flags.words;
  const located = locate(program.commands, words);
  const name = located.kind === "unknown" ? located.typed : located.name;
  try {
    const answer = await answerTo(
      { words, located, asksHelp: isHelp || flags.given.has("help"), flags },
      program,
      host,
    );
    const code = deliver(answer, host, flags);
    await answer.afterwards?.();
    return code;
  } catch (thrown) {
    if (thrown instanceof Unwritten) throw thrown;
    const [cause, partial] = thrown instanceof Unfinished ? [thrown.cause, thrown.partial] : [thrown, {}];
    return deliverFailure(name, toFailure(cause, isDebugging(host)), host, flags, partial);
  }
}

interface Request {
  readonly words: readonly string[];
  readonly located: Located;
  readonly asksHelp: boolean;
  readonly flags: GlobalFlags;
}

function answerTo(
  { words, located, asksHelp, flags }: Request,
  program: Program,
  host: Host,
): Promise<Answer> {
  if (flags.misused !== undefined)
    throw wrong(`${flags.misused.replace(/=.*/s, "")} takes no value`, "pawl --help");
  if (words.length === 0)
    return asksHelp
      ? generalAnswer(program)
      : run(
          { kind: "command", name: "home", entry: { about: "", load: program.home }, rest: [] },
          host,
          flags,
        );
  if (words[0] === "--version" || words[0] === "-V") return Promise.resolve(versionAnswer(program));
  if (located.kind === "unknown") throw unknownCommand(located, words[0] ?? "");
  if (asksHelp) return helpAnswer(located, program);
  return located.kind === "group" ? groupAnswer(located.name, program) : run(located, host, flags);
}

async function run(
  { name, entry, rest }: Located & { kind: "command" },
  host: Host,
  { given }: GlobalFlags,
): Promise<Answer> {
  const command = await entry.load();
  const { values, operands, after } = parseArgs(command, rest);
  if (given.has("json")) refuseStream(command, values);
  const context = { ...(await host.context(given)), isForPrograms: given.has("json") };
  const outcome = await command.run(context, values, operands, after);
  const { data, text, exitCode = 0 } = outcome;
  const notices = (context.notices ?? []).map((notice): Issue => ({
    ...issueOf(notice),
    severity: "warning",
  }));
  const issues = [...(outcome.issues ?? []), ...notices];
  const isShown = outcome.showsIssues === true && !given.has("quiet");
  const { afterwards } = outcome;
  return {
    command: name,
    data,
    text,
    issues,
    exitCode,
    afterwards,
    ...(isShown ? { complaint: () => "" } : {}),
  };
}

function refuseStream({ name, options }: Command, values: OptionValues<Options>): void {
  const streaming = Object.keys(values).find((option) => options[option]?.streams === true);
  if (streaming === undefined) return;
  throw wrong(
    `--json prints one answer, but --${streaming} keeps printing: leave one of them out`,
    `pawl ${name} --help`,
    { option: `--${streaming}` },
  );
}

// Help is read by people, now and then; the state verbs run thousands of times and should not load it.
const loadHelp = () => import("./text/help.ts");

async function generalAnswer(program: Program): Promise<Answer> {
  const { generalHelp } = await loadHelp();
  return helpText("help", (paint) => generalHelp(program, paint));
}

async function helpAnswer(
  located: Exclude<Located, { kind: "unknown" }>,
  { commands }: Program,
): Promise<Answer> {
  const { commandHelp, groupHelp } = await loadHelp();
  const { name } = located;
  if (located.kind === "group") return helpText(name, (paint) => groupHelp(name, commands, paint));
  const command = await located.entry.load();
  return helpText(name, (paint) => commandHelp(command, paint));
}

const helpText = (command: string, text: (paint: Paint) => string): Answer => ({
  command,
  data: { help: text(plainPaint(80)) },
  issues: [],
  text,
  exitCode: 0,
});

const versionAnswer = ({ version }: Program): Answer => ({
  command: "version",
  data: { version },
  issues: [],
  text: (paint) => `pawl ${paint.plain(version)}`,
  exitCode: 0,
});

/** A group alone does nothing, so a script that meant one of its commands must not read success. */
async function groupAnswer(group: string, { commands }: Program): Promise<Answer> {
  const { groupHelp } = await loadHelp();
  const failure = wrong(`pawl ${group} is a group of commands: name one of them`, `pawl ${group} --help`, {
    command: group,
    commands: membersOf(commands, group).map(([member]) => member),
  });
  return { ...failureAnswer(group, failure), complaint: (paint) => groupHelp(group, commands, paint) };
}

function unknownCommand({ typed, suggestion }: Located & { kind: "unknown" }, first: string): Failure {
  if (typed === "") return strayOption(first);
  const question = suggestion === undefined ? "" : `; did you mean \`pawl ${suggestion}\`?`;
  return wrong(`unknown command "${truncate(typed, 60)}"${question}`, "pawl --help", {
    command: typed,
    ...(suggestion === undefined ? {} : { suggestion: `pawl ${suggestion}` }),
  });
}

function strayOption(word: string): Failure {
  const near = closest(word.replace(/^-+/, ""), [...GLOBAL_FLAGS.map(({ name }) => name), "version"]);
  const advice = near === undefined ? "; options go after the command" : `; did you mean --${near}?`;
  return wrong(`unknown option ${truncate(word, 60)}${advice}`, "pawl --help", {
    word,
    ...(near === undefined ? {} : { suggestion: `--${near}` }),
  });
}

const wrong = (message: string, help: string, details: Readonly<Record<string, unknown>> = {}): Failure =>
  new Failure("usage/wrong", message, details, { hint: `Run \`${help}\` to see how it is used.` });

function deliver(answer: Answer, host: Host, flags: GlobalFlags): number {
  printAnswer(answer, host, flags);
  return answer.exitCode;
}

function deliverFailure(
  command: string,
  failure: Failure,
  host: Host,
  flags: GlobalFlags,
  partial: Partial<Pick<Answer, "data" | "text">>,
): number {
  const answer = { ...failureAnswer(command, failure), ...partial };
  try {
    return deliver(answer, host, flags);
  } catch (thrown) {
    if (thrown instanceof Unwritten) throw thrown;
    // Details that cannot be written as JSON must not hide the failure they belong to.
    return deliver({ ...answer, issues: [{ ...issueOf(failure), details: {} }] }, host, flags);
  }
}

/** Only here it is known what was called. */
function failureAnswer(command: string, failure: Failure): Answer {
  const issue = issueOf(failure);
  const hint = issue.hint.replace("pawl <command>", `pawl ${command}`);
  return {
    command,
    data: {},
    issues: [{ ...issue, hint }],
    text: () => "",
    exitCode: EXIT_CODES[failure.kind],
  };
}

const isDebugging = ({ env }: Host): boolean => (env["PAWL_DEBUG"] ?? "") !== "";
