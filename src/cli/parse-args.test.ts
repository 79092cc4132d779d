import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claim, commit, init, SAMPLE_COMMANDS, show, update } from "../../test/fixtures/sample-commands.ts";
import { Failure } from "../domain/errors.ts";
import type { Command } from "./command.ts";
import { parseArgs } from "./parse-args.ts";

const parse = (command: Command, ...argv: string[]) => parseArgs(command, argv);

function refusal(command: Command, ...argv: string[]): Failure {
  try {
    parseArgs(command, argv);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error(`${argv.join(" ")} was accepted`);
}

describe("values", () => {
  it("reads a value from the next word or after an equals sign", () => {
    expect(parse(claim, "p.md", "--worktree", "w")).toEqual({
      values: { worktree: "w" },
      operands: ["p.md"],
      after: [],
    });
    expect(parse(claim, "--worktree=w", "p.md")).toEqual({
      values: { worktree: "w" },
      operands: ["p.md"],
      after: [],
    });
  });

  it("keeps later equals signs and an empty value", () => {
    expect(parse(claim, "p", "--step=a=b").values).toEqual({ step: "a=b" });
    expect(parse(claim, "p", "--step=").values).toEqual({ step: "" });
    expect(parse(claim, "p", "--step", "").values).toEqual({ step: "" });
  });

  it("reads flags", () => {
    expect(parse(claim, "--force", "p").values).toEqual({ force: true });
  });

  it("reads whole numbers, also below zero", () => {
    expect(parse(claim, "p", "--lease-duration", "60").values).toEqual({ "lease-duration": 60 });
    expect(parse(claim, "p", "--lease-duration", "-60").values).toEqual({ "lease-duration": -60 });
    expect(parse(claim, "p", "--lease-duration=+7").values).toEqual({ "lease-duration": 7 });
  });

  it.each(["", "abc", "1.5", "1e3", "0x10", " 1", "1 ", "NaN", "Infinity", "--1", "9007199254740993", "٣"])(
    "refuses %j as a number",
    (text) => {
      const failure = refusal(claim, "p", `--lease-duration=${text}`);
      expect(failure.message).toContain("--lease-duration must be a whole number");
      expect(failure.details).toMatchObject({ word: text });
    },
  );

  it("collects options that may be repeated, in order", () => {
    expect(parse(update, "p", "s", "--tag", "a", "--tag=b").values).toEqual({ tag: ["a", "b"] });
    expect(parse(update, "p", "s", "--tag", "a").values).toEqual({ tag: ["a"] });
  });

  it("takes text that begins with a dash but is no option", () => {
    expect(parse(commit, "--message", "- first\n- second").values).toEqual({ message: "- first\n- second" });
    expect(parse(commit, "--message", "-").values).toEqual({ message: "-" });
    expect(parse(commit, "--message=--force").values).toEqual({ message: "--force" });
    expect(parse(commit, "--message", "--- a rule").values).toEqual({ message: "--- a rule" });
  });

  it("reads hidden options", () => {
    expect(parse(claim, "p", "--now", "5").values).toEqual({ now: 5 });
  });
});

describe("pairs", () => {
  it.each([
    ["two words", ["--task", "1", "completed"]],
    ["one word with a colon", ["--task", "1:completed"]],
    ["an equals sign and a colon", ["--task=1:completed"]],
  ])("reads a pair as %s", (_, argv) => {
    expect(parse(update, "p", "s", ...argv).values).toEqual({ task: [["1", "completed"]] });
  });

  it("reads a first value below zero", () => {
    expect(parse(update, "p", "s", "--task", "-1", "completed").values).toEqual({
      task: [["-1", "completed"]],
    });
    expect(parse(update, "p", "s", "--task=-1:open").values).toEqual({ task: [["-1", "open"]] });
  });

  it("mixes the forms", () => {
    const { values, operands } = parse(
      update,
      "--task",
      "1:open",
      "p",
      "--task",
      "2",
      "completed",
      "s",
      "--task=3:deferred",
    );
    expect(values).toEqual({
      task: [
        ["1", "open"],
        ["2", "completed"],
        ["3", "deferred"],
      ],
    });
    expect(operands).toEqual(["p", "s"]);
  });

  it("lets the first value hold colons of its own", () => {
    expect(parse(update, "p", "s", "--task", "parser: reads", "completed").values).toEqual({
      task: [["parser: reads", "completed"]],
    });
    expect(parse(update, "p", "s", "--task", "parser: reads:completed").values).toEqual({
      task: [["parser: reads", "completed"]],
    });
  });

  it("splits at the first colon when anything may be the second value", () => {
    expect(parse(update, "p", "s", "--note", "1:see a:b").values).toEqual({ note: ["1", "see a:b"] });
    expect(parse(update, "p", "s", "--note", "1", "see: this").values).toEqual({ note: ["1", "see: this"] });
  });

  it("checks the second value against the choices, in each form", () => {
    for (const argv of [["--task", "1", "complted"], ["--task", "1:complted"], ["--task=1:complted"]]) {
      const failure = refusal(update, "p", "s", ...argv);
      expect(failure.message).toBe(
        'pawl state update: --task must be one of open, in_progress, completed, deferred, not "complted"; did you mean completed?',
      );
      expect(failure.details).toEqual({ command: "state update", word: "complted", suggestion: "completed" });
    }
  });

  it("asks for the second value when there is none", () => {
    expect(refusal(update, "p", "s", "--task").message).toContain("--task needs two values");
    expect(refusal(update, "p", "s", "--task", "1").message).toContain("--task needs two values");
    expect(refusal(update, "p", "s", "--task=1").message).toContain("--task needs two values");
    expect(refusal(update, "p", "s", "--task", "1", "--tag", "x").message).toContain("--tag follows");
  });
});

describe("operands", () => {
  it("takes everything after -- as operands", () => {
    expect(parse(commit, "--message", "m", "--", "--force", "-x", "--").operands).toEqual([
      "--force",
      "-x",
      "--",
    ]);
    expect(parse(show, "--", "-plan.md")).toEqual({
      values: {},
      operands: ["-plan.md"],
      after: ["-plan.md"],
    });
  });

  it("takes a lone dash and numbers below zero as operands", () => {
    expect(parse(show, "-").operands).toEqual(["-"]);
    expect(parse(show, "-3").operands).toEqual(["-3"]);
  });

  it("takes any number of words for the last operand when it is variadic", () => {
    expect(parse(commit).operands).toEqual([]);
    expect(parse(commit, "a", "b", "c d", "").operands).toEqual(["a", "b", "c d", ""]);
  });

  it("names the operand that is missing", () => {
    expect(refusal(update).message).toBe(
      "pawl state update: <plan> is missing; usage: pawl state update <plan> <step> [options]",
    );
    expect(refusal(update, "p").message).toBe(
      "pawl state update: <step> is missing; usage: pawl state update <plan> <step> [options]",
    );
  });

  it("names the word that is too much, and what is taken", () => {
    expect(refusal(update, "p", "s", "x", "y").message).toBe(
      'pawl state update: unexpected "x": it takes only <plan> <step>',
    );
    expect(refusal(show, "p", "x").message).toBe('pawl state show: unexpected "x": it takes only [plan]');
    expect(refusal(init, "x").message).toBe('pawl init: unexpected "x": it takes no operands');
  });

  it("refuses an empty operand, which is an unset variable and not the folder we are in", () => {
    expect(refusal(claim, "").message).toBe("pawl state claim: <plan> is empty");
    expect(refusal(show, "").message).toBe("pawl state show: [plan] is empty");
  });
});

describe("refusals", () => {
  it("suggests the closest option for a typo", () => {
    const failure = refusal(claim, "p", "--wortree", "w");
    expect(failure.problem).toBe("usage/wrong");
    expect(failure.message).toBe("pawl state claim: unknown option --wortree; did you mean --worktree?");
    expect(failure.hint).toBe("Run `pawl state claim --help` to see how it is used.");
    expect(failure.details).toEqual({ command: "state claim", word: "--wortree", suggestion: "--worktree" });
  });

  it("suggests global flags too, and two dashes for one", () => {
    expect(refusal(init, "--jsno").message).toContain("did you mean --json?");
    expect(refusal(claim, "p", "-force").message).toContain("did you mean --force?");
  });

  it("suggests nothing when nothing is near, and never a hidden option", () => {
    expect(refusal(claim, "p", "--zzz").message).toBe("pawl state claim: unknown option --zzz");
    expect(refusal(claim, "p", "--nov").message).not.toContain("--now");
  });

  it.each(["--no-force", "-f", "--", "--constructor", "--__proto__", "--toString", "--=x", "---force"])(
    "does not know %s",
    (word) => {
      expect(refusal(init, word, "x").problem).toBe("usage/wrong");
    },
  );

  it("refuses an option that is given twice", () => {
    expect(refusal(claim, "p", "--step", "a", "--step=b").message).toBe(
      "pawl state claim: --step is given twice",
    );
    expect(refusal(claim, "p", "--force", "--force").message).toContain("--force is given twice");
  });

  it("refuses an option without its value", () => {
    expect(refusal(claim, "p", "--worktree").message).toBe("pawl state claim: --worktree needs a value");
    expect(refusal(claim, "--worktree", "--", "p").message).toBe(
      "pawl state claim: --worktree needs a value",
    );
    expect(refusal(claim, "p", "--worktree", "--force").message).toBe(
      "pawl state claim: --worktree needs a value, but --force follows; if that is the value, write --worktree=--force",
    );
  });

  it("refuses a value for a flag", () => {
    expect(refusal(claim, "p", "--force=yes").message).toBe(
      'pawl state claim: --force takes no value, but was given "yes"',
    );
  });

  it("checks choices only where there are some", () => {
    expect(refusal(update, "p", "s", "--all", "opne").message).toContain("did you mean open?");
    expect(parse(update, "p", "s", "--tag", "anything").values).toEqual({ tag: ["anything"] });
  });

  it("shows a hostile long word only in part", () => {
    const failure = refusal(init, "💥".repeat(1_000_000));
    expect(failure.message.length).toBeLessThan(250);
    expect(failure.message).not.toMatch(/\p{Cs}/u);
  });
});

describe("any words at all", () => {
  const word = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "--task",
      "--task=1:open",
      "--tag",
      "--all",
      "--",
      "-",
      "-1",
      "1:open",
      "open",
      "--worktree",
      "--force",
    ),
  );

  it("are parsed or refused by name, never anything else", () => {
    fc.assert(
      fc.property(fc.constantFrom(...SAMPLE_COMMANDS), fc.array(word), (command, argv) => {
        try {
          const { values, operands } = parseArgs(command, argv);
          for (const name of Object.keys(values)) expect(Object.keys(command.options)).toContain(name);
          for (const operand of operands) expect(argv).toContain(operand);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Failure);
          expect(thrown).toMatchObject({ problem: "usage/wrong", details: { command: command.name } });
          expect(String(thrown)).toContain(`pawl ${command.name}: `);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("come back exactly when they are written with equals signs", () => {
    const status = fc.constantFrom("open", "in_progress", "completed", "deferred");
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(fc.array(text), fc.array(fc.tuple(text, status)), text, (tags, tasks, tree) => {
        const argv = [
          ...tags.map((tag) => `--tag=${tag}`),
          ...tasks.map(([first, second]) => `--task=${first}:${second}`),
          `--worktree=${tree}`,
        ];
        expect(parseArgs(update, ["p", ...argv, "s"])).toEqual({
          values: {
            ...(tags.length > 0 && { tag: tags }),
            ...(tasks.length > 0 && { task: tasks }),
            worktree: tree,
          },
          operands: ["p", "s"],
          after: [],
        });
      }),
    );
  });
});
