import { describe, expect, it } from "vitest";
import { SAMPLE_COMMANDS } from "../../test/fixtures/sample-commands.ts";
import { ERRORS } from "../domain/errors.ts";
import { allMoves, STEP_TRANSITIONS } from "../domain/step-machine.ts";
import { defineCommand } from "./command.ts";
import { commandReference, errorReference, stepMachineReference } from "./print-reference.ts";

const CLAIM = `
## pawl state claim

Hand one ready step to a worker, with a number that grows and a lease that ends.

\`\`\`text
pawl state claim <plan> [options]
\`\`\`

The step this worker already holds comes first, then the first by order whose dependencies are completed.

\`\`\`text
pawl state claim plan.md --worktree . --json
\`\`\`

Nothing to claim is an answer, not an error: it says for every step why.

| operand  | meaning       |
| -------- | ------------- |
| \`<plan>\` | The plan file |

| option                     | meaning                                                                |
| -------------------------- | ---------------------------------------------------------------------- |
| \`--worktree PATH\`          | The worktree that works on the step                                    |
| \`--lease-duration SECONDS\` | How long others keep their hands off the step unless a heartbeat comes |
| \`--step ANCHOR\`            | This step and no other                                                 |
| \`--force\`                  | Ignore lease and owner; for people                                     |

\`\`\`sh
pawl state claim plan.md --worktree .
pawl state claim plan.md --worktree . --step step-2
\`\`\`
`;

describe("commandReference", () => {
  const page = commandReference(SAMPLE_COMMANDS);

  it("prints a command with all it takes, and nothing hidden", () => {
    expect(page).toContain(CLAIM);
    expect(page).not.toContain("--now");
  });

  it("links every command from the top", () => {
    for (const { name } of SAMPLE_COMMANDS) {
      expect(page).toContain(`- [\`pawl ${name}\`](#pawl-${name.replaceAll(" ", "-")}): `);
      expect(page).toContain(`\n## pawl ${name}\n`);
    }
  });

  it("lets no text act as markup", () => {
    const odd = defineCommand({
      name: "odd",
      about: "a | b <script> [x](y) *z* _u_ snake_case `c | <d>`",
      operands: [],
      options: { of: { type: "text", value: "A|B", about: "x | y" } },
      examples: [],
      run: async () => ({ data: {}, text: () => "" }),
    });
    const printed = commandReference([odd]);
    expect(printed).toContain(
      String.raw`A \| b \<script> \[x\](y) \*z\* \_u\_ snake_case ${"`"}c \| <d>${"`"}.`,
    );
    expect(printed).toContain(String.raw`| ${"`"}--of A\|B${"`"} | x \| y  |`);
  });

  it("ends with one line end and holds no blank doubles", () => {
    for (const text of [page, errorReference(), stepMachineReference()]) {
      expect(text).toMatch(/[^\n]\n$/);
      expect(text).not.toContain("\n\n\n");
    }
  });
});

describe("errorReference", () => {
  it("has a row for every error, with its exit code", () => {
    const page = errorReference();
    for (const [name, { code, hint }] of Object.entries(ERRORS)) {
      const row = page.split("\n").find((line) => line.startsWith(`| ${code} `)) ?? "";
      expect(row).toContain(`\`${name}\``);
      expect(row).toContain(hint);
    }
    expect(page).toMatch(/\| E049 \| `claim\/not-owner` +\| 4 +\|/);
    expect(page).toMatch(/\| 70 +\| A bug in Pawl/);
  });
});

describe("stepMachineReference", () => {
  const page = stepMachineReference();

  it("draws every move once", () => {
    const chart = page.slice(page.indexOf("```mermaid"), page.lastIndexOf("```"));
    const drawn = [...chart.matchAll(/^ {2}(\w+) --> (\w+) : (.+)$/gm)].flatMap(([, from, to, events = ""]) =>
      events.split(", ").map((event) => ({ from, event, to })),
    );
    expect(drawn).toHaveLength(allMoves().length);
    expect(drawn).toEqual(expect.arrayContaining([...allMoves()]));
    expect(chart).toContain("  [*] --> pending\n");
  });

  it("has a row for every event", () => {
    for (const { event, to } of STEP_TRANSITIONS)
      expect(page).toMatch(new RegExp(`\\| \`${event}\` .*\\| \`${to}\` +\\|`));
  });
});
