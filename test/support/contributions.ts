/** One thing that can be added, as a row of CONTRIBUTING.md says how: data that a test plants in a copy of the source. */
export interface Contribution {
  /** The files that are new, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** What existing files get. */
  readonly edits: readonly Edit[];
}

/** Lines that go behind a line which is in the file once, or one line that is replaced. */
export interface Edit {
  readonly file: string;
  readonly behind: string;
  readonly lines: readonly string[];
  /** Put in the place of the line, instead of behind it. */
  readonly replaces?: true;
  /** What `npm run types`, or a unit test, says without this edit. */
  readonly without?: { readonly types: RegExp } | { readonly tests: RegExp };
}

const MIGRATIONS = "src/platform/migrations";
const FORMATS = "src/plans/formats";
const PROMPTS = "src/agents/prompts/templates";

const newMigration = (version: number, name: string, file: string, text: string): Contribution => ({
  files: {
    [`${MIGRATIONS}/${file}`]: `import type { Migration } from "./migration.ts";

const text = \`
  ${text}
\`;

/** Added by a test. */
export const ${name}: Migration = {
  version: ${version},
  name: "${name}",
  sqlite: text,
  postgres: text,
};
`,
  },
  edits: [
    {
      file: `${MIGRATIONS}/migrations.ts`,
      behind: 'import type { Migration } from "./migration.ts";',
      lines: [`import { ${name} } from "./${file}";`],
    },
    {
      file: `${MIGRATIONS}/migrations.ts`,
      behind: "];",
      lines: [`  ${name},`, "];"],
      replaces: true,
      without: { tests: /number the migrations without a gap/ },
    },
    {
      file: "src/platform/schema-version.ts",
      behind: `export const SCHEMA_VERSION = ${version - 1};`,
      lines: [`export const SCHEMA_VERSION = ${version};`],
      replaces: true,
    },
  ],
});

/** By the first cell of their row. `version` is that of the newest migration. */
export const contributions = (version: number): Readonly<Record<string, Contribution>> => ({
  "a command": {
    files: {
      "src/cli/commands/plan-count.ts": `import { Failure } from "../../domain/index.ts";
import { defineCommand } from "../command.ts";

export const planCountCommand = defineCommand({
  name: "plan count",
  operands: [],
  options: {},
  examples: ["pawl plan count"],
  async run(context) {
    const plans = await (await context.pawl()).countPlans();
    if (plans === 0) throw new Failure("plan/none-saved", "No plan has state.", {});
    return { data: { plans }, text: () => \`Plans with state: \${plans}\` };
  },
});
`,
    },
    edits: [
      {
        file: "src/command-table.ts",
        behind: "export const COMMAND_TABLE = {",
        lines: ['  "plan count": { about: "How many plans have state" },'],
      },
      {
        file: "src/cli/commands/index.ts",
        behind: 'const LOADS: Readonly<Record<CommandName, CommandEntry["load"]>> = {',
        lines: ['  "plan count": async () => (await import("./plan-count.ts")).planCountCommand,'],
        without: { types: /src\/cli\/commands\/index\.ts.*\n?.*"plan count"/ },
      },
    ],
  },

  "an error": {
    edits: [
      {
        file: "src/domain/errors.ts",
        behind: "export const ERRORS = {",
        lines: [
          '  "plan/none-saved":          { code: "E999", kind: "environment", hint: "Run `pawl state init <plan>` first." },',
        ],
        without: { types: /src\/cli\/commands\/plan-count\.ts.*"plan\/none-saved"/ },
      },
    ],
  },

  "a command for agents": {
    files: {
      "src/cli/commands/state-title.ts": `import { PLAN, STEP } from "../caller-options.ts";
import { defineCommand } from "../command.ts";

export const stateTitleCommand = defineCommand({
  name: "state title",
  operands: [PLAN, STEP],
  options: {},
  examples: ["pawl state title plan.md step-1"],
  async run(context, _values, [plan = "", step = ""]) {
    const { title } = await (await context.pawl()).step({ plan, step });
    return { data: { title }, text: (paint) => paint.bold(title) };
  },
});
`,
    },
    edits: [
      {
        file: "src/command-table.ts",
        behind: "export const COMMAND_TABLE = {",
        lines: ['  "state title": { about: "The title of a step" },'],
      },
      {
        file: "src/cli/commands/index.ts",
        behind: 'const LOADS: Readonly<Record<CommandName, CommandEntry["load"]>> = {',
        lines: ['  "state title": async () => (await import("./state-title.ts")).stateTitleCommand,'],
      },
      {
        file: "src/cli/agent-commands.ts",
        behind: "export const AGENT_COMMANDS = {",
        lines: ['  "state title": { inRun: true, listed: true },'],
      },
      {
        file: "test/e2e/agent-commands.test.ts",
        behind: "const CALLS: Readonly<Record<AgentCommandName, readonly string[]>> = {",
        lines: ['  "state title": STEP,'],
        without: { types: /test\/e2e\/agent-commands\.test\.ts.*"state title"/ },
      },
    ],
  },

  "a verb": {
    files: {
      "src/views/count-plans.ts": `import type { Ports } from "../platform/ports/index.ts";
import { countSavedPlans } from "./sql/count-saved-plans.ts";

/** How many plans have state. */
export async function countPlans(ports: Ports): Promise<number> {
  const database = await ports.database();
  const row = await database.read((sql) => sql.get(countSavedPlans, {}));
  return row?.plans ?? 0;
}
`,
    },
    edits: [
      {
        file: "src/views/index.ts",
        behind: 'export const loadChanges = () => import("./changes.ts");',
        lines: ['export const loadCountPlans = () => import("./count-plans.ts");'],
      },
      { file: "src/api.ts", behind: "  loadChanges,", lines: ["  loadCountPlans,"] },
      {
        file: "src/api.ts",
        behind: "  // How things stand.",
        lines: ['  countPlans: reads("anyone", async () => (await loadCountPlans()).countPlans),'],
        without: { types: /src\/cli\/commands\/plan-count\.ts.*'countPlans' does not exist/ },
      },
      {
        file: "test/unit/killed-verbs.test.ts",
        behind: "const OTHERS: Readonly<Partial<Record<keyof Pawl, Why>>> = {",
        lines: ['  countPlans: "it changes nothing",'],
      },
    ],
  },

  "a SQL statement": {
    files: {
      "src/views/sql/count-saved-plans.ts": `import { statement } from "../../platform/index.ts";
import type { Params } from "../../platform/ports/index.ts";

/** How many plans have state. */
export const countSavedPlans = statement<Params, { readonly plans: number }>(\`
  select count(*) as plans from plans
\`);
`,
    },
    edits: [],
  },

  "a change of the schema": newMigration(
    version + 1,
    "planRemarks",
    `00${version + 1}-plan-remarks.ts`,
    "alter table plans add column remark text;",
  ),

  "a plan format": {
    files: {
      [`${FORMATS}/plus-lines.ts`]: `import { collectDiagnostics } from "./diagnostics.ts";
import { LIKENESS } from "./likeness.ts";
import type { PlanFormat } from "./plan-format.ts";
import { MAX_STEPS, titleLine } from "./plan-words.ts";

const HEAD = "%plus";

/** A line is a step where it begins with a plus. */
export const plusLines: PlanFormat<"plus-lines"> = {
  name: "plus-lines",
  weigh: (_path, text) => (text.startsWith(HEAD) ? LIKENESS.certainly : LIKENESS.no),
  read(text) {
    const { report, all } = collectDiagnostics();
    const lines = text.split("\\n").flatMap((line, index) => (line.startsWith("+") ? [{ line, index }] : []));
    const steps = lines.slice(0, MAX_STEPS).map(({ line, index }) => {
      const title = titleLine(line.slice(1).trim());
      if (title === "")
        report("plan/plus-without-words", { line: index + 1, column: 1 }, () => "The line has no words.");
      return {
        anchor: \`line-\${index + 1}\`,
        title: title || "Untitled",
        line: index + 1,
        dependsOn: [],
        items: [],
        substeps: [],
        commit: undefined,
        references: undefined,
        body: "",
      };
    });
    return { format: plusLines.name, title: undefined, metadata: [], steps, diagnostics: all() };
  },
};
`,
      "test/fixtures/plans/plus-lines.plus": "%plus\n+ Read the version\n+ Show it\n",
    },
    edits: [
      {
        file: `${FORMATS}/format-names.ts`,
        behind: "const TRAITS = {",
        lines: ['  "plus-lines": { carriesStatus: false, isProse: true },'],
      },
      {
        file: `${FORMATS}/formats.ts`,
        behind: 'import { ralph } from "./ralph.ts";',
        lines: ['import { plusLines } from "./plus-lines.ts";'],
      },
      {
        file: `${FORMATS}/formats.ts`,
        behind: "const BY_NAME: { readonly [N in FormatName]: PlanFormat<N> } = {",
        lines: ['  "plus-lines": plusLines,'],
        without: { types: /formats\/formats\.ts.*"plus-lines"/ },
      },
      {
        file: `${FORMATS}/convert.ts`,
        behind: "const RENDERS: Readonly<Record<FormatName, Render | undefined>> = {",
        lines: ['  "plus-lines": undefined,'],
        without: { types: /formats\/convert\.ts.*"plus-lines"/ },
      },
      {
        file: "test/support/plan-seeds.ts",
        behind: "export const SEEDS: Readonly<Record<FormatName, string>> = {",
        lines: ['  "plus-lines": "%plus\\n+ one\\n+ two\\n",'],
        without: { types: /plan-seeds\.ts.*"plus-lines"/ },
      },
    ],
  },

  "a plan diagnostic": {
    edits: [
      {
        file: `${FORMATS}/diagnostics.ts`,
        behind: "} as const satisfies Record<`plan/${string}`, DiagnosticSpec>;",
        lines: [
          '  "plan/plus-without-words":    { code: "P999", severity: "warning", hint: "Say what is to be done, or take the line out." },',
          "} as const satisfies Record<`plan/${string}`, DiagnosticSpec>;",
        ],
        replaces: true,
        without: { types: /formats\/plus-lines\.ts.*"plan\/plus-without-words"/ },
      },
    ],
  },

  "a recovery rule": {
    files: {
      "src/recovery/rules/conflicted-plan.ts": `import type { Rule } from "./rule.ts";

/** A merge left its marks in the file. */
export const conflictedPlan: Rule = {
  title: "A plan has marks of a conflict",
  about: "Its file has the marks of a merge that conflicted",
  beforeRun: "leaves",
  reported: { weight: "decide", actions: [] },
  diagnose(seen) {
    if (seen.kind !== "plan" || seen.now.file !== "conflicted") return undefined;
    return { found: \`\${seen.facts.plan} has the marks of a merge that conflicted.\` };
  },
};
`,
    },
    edits: [
      {
        file: "src/recovery/rules/situation.ts",
        behind: '    file: ["as-read", "newer", "uncommitted", "malformed", "gone"],',
        lines: ['    file: ["as-read", "newer", "uncommitted", "malformed", "conflicted", "gone"],'],
        replaces: true,
      },
      {
        file: "src/recovery/observe/observe-plans.ts",
        behind: '    const broken = read.plan.diagnostics.find(({ severity }) => severity === "error");',
        lines: [
          '    if (broken?.message.includes("<<<<<<<")) return { seen: [as("conflicted")], steps: new Map() };',
        ],
      },
      {
        file: "src/recovery/rules/rules.ts",
        behind: 'import { damagedBranch } from "./damaged-branch.ts";',
        lines: ['import { conflictedPlan } from "./conflicted-plan.ts";'],
      },
      {
        file: "src/recovery/rules/rules.ts",
        behind: '  "malformed-file": malformedFile,',
        lines: ['  "conflicted-plan": conflictedPlan,'],
        without: { tests: /the rules > have every file of the folder/ },
      },
    ],
  },

  "a setting": {
    edits: [
      {
        file: "src/domain/settings.ts",
        behind: "export const SETTINGS = {",
        lines: ['  quiet: { type: "flag", about: "Whether a run prints only its end", example: true },'],
      },
    ],
  },

  "an agent": {
    files: {
      "src/agents/presets/sample.ts": `import type { AgentPreset } from "../agent-preset.ts";
import { plainReader } from "../json-line.ts";

/** A program that reads its prompt and prints words. */
export const sample: AgentPreset = {
  about: "Sample (\`sample\`)",
  program: "sample",
  prompt: "stdin",
  start: [["--model", "{model}"]],
  resume: undefined,
  sessionId: "none",
  permissions: { edits: () => ({}), sandboxed: () => ({}), full: () => ({}) },
  sandbox: "pawl",
  hasCommandList: false,
  ownFolders: ["~/.sample"],
  output: "plain",
  reader: plainReader,
  signs: [],
  exitCodes: {},
  exitCodeIsTrue: true,
  isUntried: true,
};
`,
    },
    edits: [
      { file: "src/agents/agent-preset.ts", behind: "export type PresetName =", lines: ['  | "sample"'] },
      {
        file: "src/agents/presets/index.ts",
        behind: 'import { qwen } from "./qwen.ts";',
        lines: ['import { sample } from "./sample.ts";'],
      },
      {
        file: "src/agents/presets/index.ts",
        behind: "  command,",
        lines: ["  sample,"],
        without: { types: /presets\/index\.ts.*'sample'/ },
      },
    ],
  },

  "a call of the page": {
    files: {
      "src/web/routes/plans.ts": `import type { Route } from "../route.ts";

export const plansRoute: Route = {
  method: "GET",
  path: "/api/plans",
  command: "ui plans",
  about: "Every plan that has state",
  takes: [],
  answer: async ({ pawl }) => ({ plans: await pawl.list() }),
};
`,
    },
    edits: [
      {
        file: "src/web/routes/index.ts",
        behind: 'import { overviewRoute } from "./overview.ts";',
        lines: ['import { plansRoute } from "./plans.ts";'],
      },
      {
        file: "src/web/routes/index.ts",
        behind: "  overviewRoute,",
        lines: ["  plansRoute,"],
        without: { tests: /the routes of the page > are every file of the folder/ },
      },
    ],
  },

  "an action of the page": {
    edits: [
      {
        file: "src/web/actions/step-actions.ts",
        behind: "const TABLE: readonly StepAction[] = [",
        lines: [
          "  {",
          '    name: "shelve",',
          '    label: "Shelve",',
          '    about: "Puts an optional step on hold",',
          '    isPossible: ({ blockReason }) => blockReason === "optional",',
          '    effects: () => ["It stays on hold."],',
          "    keeps: () => [FILES],",
          "    needsReason: false,",
          "    isGrave: false,",
          '    act: byCommand("hold"),',
          "  },",
        ],
      },
      {
        file: "ui/words.ts",
        behind: "export const ACTION_WORDS: Readonly<Record<string, string>> = {",
        lines: ['  shelve: "Shelve",'],
        without: { tests: /every action has words for its button/ },
      },
    ],
  },

  "a prompt": {
    files: {
      [`${PROMPTS}/document.ts`]: `import { fit } from "../fit.ts";
import { houseRules } from "../house-rules.ts";
import { section } from "../parts.ts";
import type { Prompt } from "../prompt-context.ts";

export const documentPrompt: Prompt = {
  about: "Write down how to use what was made",
  write: (context) =>
    fit([
      "# Document",
      "Describe for its users what the work changed.",
      section("Done so far", "done", context),
      houseRules(context),
    ]),
};
`,
    },
    edits: [
      { file: "src/domain/workflow.ts", behind: "export type PromptName =", lines: ['  | "document"'] },
      {
        file: `${PROMPTS}/index.ts`,
        behind: 'import { codeReviewPrompt } from "./code-review.ts";',
        lines: ['import { documentPrompt } from "./document.ts";'],
      },
      {
        file: `${PROMPTS}/index.ts`,
        behind: "  lint: lintPrompt,",
        lines: ["  document: documentPrompt,"],
        without: { types: /templates\/index\.ts.*'document'/ },
      },
    ],
  },

  "an MCP tool": {
    files: {
      "src/mcp/tools/plans.ts": `import { LIST, READS, defineTool, gives, takes } from "../tool.ts";

export const plansTool = defineTool({
  name: "pawl_plans",
  about: "The plans that have state.",
  input: takes(),
  output: gives({ plans: LIST }),
  annotations: READS,
  async run({ pawl }) {
    const plans = (await pawl.list()).map(({ planPath }) => planPath);
    return { data: { plans }, line: plans.join(", ") };
  },
});
`,
    },
    edits: [
      {
        file: "src/mcp/tools/index.ts",
        behind: 'import { planCheckTool } from "./plan-check.ts";',
        lines: ['import { plansTool } from "./plans.ts";'],
      },
      {
        file: "src/mcp/tools/index.ts",
        behind: "  planCheckTool,",
        lines: ["  plansTool,"],
        without: { tests: /the tools > are all registered/ },
      },
    ],
  },

  "a set-up of an agent": {
    edits: [
      {
        file: "src/cli/hooks/set-ups.ts",
        behind: "export const SET_UPS = {",
        lines: ['  qwen: [{ path: "QWEN.md", about: "advice", kind: markedMarkdown(ADVICE) }],'],
      },
    ],
  },

  "a move of a step": combined(
    {
      edits: [
        {
          file: "src/domain/step-machine.ts",
          behind: "export const STEP_TRANSITIONS = [",
          lines: [
            '  { event: "shelved",   from: ["pending"],                                          to: "on_hold" },',
          ],
        },
      ],
    },
    newMigration(version + 2, "shelvedSteps", `00${version + 2}-shelved-steps.ts`, "select 1;"),
  ),
});

function combined(one: Contribution, other: Contribution): Contribution {
  return { files: { ...one.files, ...other.files }, edits: [...one.edits, ...other.edits] };
}
