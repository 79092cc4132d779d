import { join, resolve } from "node:path";
import { Failure, freePlanName, plural, shellWord } from "../../domain/index.ts";
import { DRAFT_FORMATS, type DraftFormat, draftGuide, isDraftFormat } from "../../plans/formats/index.ts";
import { type CommandOutcome, defineCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { shownPath } from "../load-plan.ts";
import { programHere } from "../program-here.ts";
import { timeOf, WAIT_OPTIONS } from "../run-options.ts";
import { wrap } from "../text/layout.ts";
import { withReporter } from "../text/run-reporter.ts";

export const planNewCommand = defineCommand({
  name: "plan new",
  more: `The file is <slug>.md. It is a valid plan of two steps, for you to overwrite; an existing file stays as it
is. With --from an agent writes the plan in a worktree of its own: Pawl returns a plan with errors to it, at most
three times, and the agent lists what it could not decide. No step of the plan runs. --from takes a file, - for
standard input, or the description itself.`,
  operands: [
    {
      name: "slug",
      about: "Name of the file, with or without .md or .json: lower-case letters, digits, . _ -",
      required: true,
    },
    { name: "command…", about: "With --from, after --: a program that writes the plan", required: false },
  ],
  options: {
    title: { type: "text", value: "TITLE", about: "Title of the plan; made of the slug when left out" },
    dir: { type: "text", value: "FOLDER", about: "Where to write it; here when left out" },
    from: {
      type: "text",
      value: "TEXT|FILE|-",
      about: "What to build: an agent writes the plan",
    },
    format: {
      type: "text",
      value: "FORMAT",
      about: "With --from: the format to write (tugplan)",
      choices: DRAFT_FORMATS,
    },
    agent: { type: "text", value: "NAME", about: "With --from: the agent (`agent` of pawl.toml)" },
    ...WAIT_OPTIONS,
  },
  examples: [
    "pawl plan new faster-start",
    'pawl plan new faster-start --title "A faster start" --dir plans',
    'pawl plan new faster-start --from "Start in half the time" --agent claude',
    "pawl plan new issue-12 --from - --format headed < issue.md",
  ],
  run: async (context, values, operands, after) => {
    const [named = ""] = operands;
    if (values.from === undefined) refuseWithoutFrom(values, operands.length > 1);
    else if (operands.length > after.length + 1)
      throw new Failure("usage/wrong", `plan new takes one name; a command goes after --.`, {
        word: operands[1],
      });
    const format = draftFormat(values.format);
    const { extension } = draftGuide(format);
    // A person who types the name of the file means that file.
    const slug = named.endsWith(`.${extension}`) ? named.slice(0, -extension.length - 1) : named;
    // The slug becomes a file name, a branch and a folder of its own: nothing in it may mean anything to any of them.
    if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(slug)) {
      throw new Failure(
        "usage/wrong",
        `"${named}" cannot be the name of a plan: lower-case letters, digits, dots, dashes and underscores, at most 64, and a letter or digit first.`,
        { slug },
        { hint: nearSlug(named) },
      );
    }
    const folder = resolve(context.cwd, values.dir ?? ".");
    const path = join(folder, `${slug}.${extension}`);
    const isTaken = (name: string): boolean => context.files.exists(join(folder, `${name}.${extension}`));
    if (isTaken(slug)) {
      const free = freePlanName(isTaken, slug);
      const dir = values.dir === undefined ? "" : ` --dir ${shellWord(values.dir)}`;
      throw new Failure(
        "file/exists",
        `${path} is there already.`,
        { path },
        { hint: `Choose another name, for example: pawl plan new ${free}${dir}` },
      );
    }
    if (values.from !== undefined) {
      const description = await descriptionFrom(context, values.from);
      return draft(context, { ...values, path, format, description, argv: programHere(after, context) });
    }
    context.files.create(path, skeleton(titleOf(values.title, slug)));
    const planPath = shownPath(context.cwd, path);
    return {
      data: { plan_path: planPath, created: true },
      text: (paint) =>
        `${paint.green("Wrote")} ${paint.bold(planPath)}\nEdit it, then check it with: pawl plan check ${paint.plain(shellWord(planPath))}`,
    };
  },
});

/** What only an agent can follow is refused where none is asked. */
function refuseWithoutFrom(
  values: { readonly format?: string | undefined; readonly agent?: string | undefined },
  hasCommand: boolean,
): void {
  const without =
    values.format !== undefined
      ? "--format"
      : values.agent !== undefined
        ? "--agent"
        : hasCommand
          ? "A command"
          : undefined;
  if (without !== undefined) throw new Failure("usage/wrong", `${without} needs --from: what to build.`, {});
}

const draftFormat = (name = "tugplan"): DraftFormat => {
  if (isDraftFormat(name)) return name;
  throw new Failure("usage/wrong", `No new plan is written as ${name}.`, {
    format: name,
    known: DRAFT_FORMATS,
  });
};

const MOST_DESCRIPTION_BYTES = 1024 * 1024;

/** A file where there is one, else the words themselves; a path where nothing is would be a strange description. */
async function descriptionFrom({ cwd, files, stdin }: Context, from: string): Promise<string> {
  const path = resolve(cwd, from === "" ? "." : from);
  const isOneWord = !/\s/.test(from.trim());
  let text: string | undefined = from;
  if (from === "-") text = await stdin(true);
  else if (from.length < 4096 && !from.includes("\n") && files.exists(path) && files.list(path) === undefined)
    text = files.readText(path, MOST_DESCRIPTION_BYTES);
  else if (isOneWord && /[\\/]|\.[a-z]{1,5}$/i.test(from))
    throw new Failure(
      "plan/not-found",
      `${from} does not exist.`,
      { path: from },
      { hint: "Name a file that is there, or describe in a sentence what to build." },
    );
  if (text === undefined && from !== "-")
    throw new Failure("plan/invalid", `${from} is no UTF-8 text.`, { path: from });
  if (text === undefined || text.trim() === "")
    throw new Failure(
      "usage/wrong",
      "--from is empty: there is nothing to plan.",
      { from },
      { hint: 'Say what to build: `--from "words"`, `--from FILE`, or pipe it in with `--from -`.' },
    );
  if (Buffer.byteLength(text) > MOST_DESCRIPTION_BYTES)
    throw new Failure("plan/too-large", `The description has more than ${MOST_DESCRIPTION_BYTES} bytes.`, {});
  return text;
}

interface Drafting {
  readonly path: string;
  readonly format: DraftFormat;
  readonly description: string;
  readonly argv: readonly string[] | undefined;
  readonly agent?: string | undefined;
  readonly wait?: boolean | undefined;
  readonly "max-wait"?: string | undefined;
}

async function draft(context: Context, asked: Drafting): Promise<CommandOutcome> {
  const { path, format, description, argv, agent, wait } = asked;
  const pawl = await context.pawl();
  const answer = await withReporter(context, (onEvent) =>
    pawl.draftPlan({
      path,
      format,
      description,
      argv,
      agent,
      wait,
      maxWaitMs: timeOf(asked["max-wait"], "--max-wait"),
      interruption: context.interruption(),
      onEvent,
    }),
  );
  const planPath = shownPath(context.cwd, path);
  const { openQuestions, stepCount, substepCount, title, diagnostics } = answer;
  return {
    data: {
      plan_path: planPath,
      created: true,
      format,
      title,
      step_count: stepCount,
      substep_count: substepCount,
      open_questions: openQuestions,
      diagnostics,
      session_id: answer.session,
    },
    text: (paint) =>
      [
        `${paint.green("Wrote")} ${paint.bold(planPath)} (${paint.plain(format)}): ${plural(stepCount, "step")}, ${plural(substepCount, "substep")}`,
        ...diagnostics
          .filter(({ severity }) => severity === "warning")
          .map(({ line, message }) => `  ${paint.yellow("warning")}  line ${line}: ${paint.plain(message)}`),
        ...(openQuestions.length === 0 ? [] : ["Open questions:"]),
        ...openQuestions.flatMap((question) =>
          wrap(question, paint.columns - 4).map(
            (line, index) => `${index === 0 ? "  - " : "    "}${paint.plain(line)}`,
          ),
        ),
        `Read it, then start it with: pawl run ${paint.plain(shellWord(planPath))}`,
      ].join("\n"),
  };
}

/** What a person may type instead. A folder has an option of its own. */
function nearSlug(named: string): string {
  const slash = named.lastIndexOf("/");
  const slug = named
    .slice(slash + 1)
    .replace(/\.(?:md|json)$/i, "")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "")
    .slice(0, 64)
    .replace(/(?<!-)-+$/, "");
  const folder = slash < 1 ? "" : ` --dir ${shellWord(named.slice(0, slash))}`;
  return `For example: pawl plan new ${slug === "" ? "faster-start" : slug}${folder}`;
}

/** A title is one line of a heading: what would end the line, or act on a terminal, is refused. */
function titleOf(title: string | undefined, slug: string): string {
  if (title === undefined) {
    const words = slug
      .split(/[._-]+/)
      .filter(Boolean)
      .join(" ");
    return words.charAt(0).toUpperCase() + words.slice(1);
  }
  const trimmed = title.trim();
  if (trimmed === "" || trimmed.length > 200 || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(trimmed)) {
    throw new Failure("usage/wrong", "The title must be one line of at most 200 characters.", { title });
  }
  return trimmed;
}

const skeleton = (title: string): string => `# ${title}

What this plan is for, and how it is known to be done.

### Plan Metadata

| Field | Value |
| --- | --- |
| Owner | |
| Status | draft |

## Steps

#### Step 1: The first thing to do {#step-1}

**Commit:** \`area: what it does now\`

**Tasks:**

- [ ] What has to be done, one thing per box

**Tests:**

- [ ] What proves that it works

**Checkpoint:**

- [ ] The command that must succeed before the step is complete

#### Step 2: What builds on it {#step-2}

**Depends on:** #step-1

**Tasks:**

- [ ] What has to be done

**Checkpoint:**

- [ ] The command that must succeed

## Done means

When both steps are complete and the plan's purpose is met.
`;
