import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callPawl, HOSTILE_CHARACTERS, HOSTILE_SEQUENCES } from "../../test/fixtures/fake-host.ts";
import { SAMPLE_COMMANDS, sampleRegistry } from "../../test/fixtures/sample-commands.ts";
import { ERRORS, type ErrorName, EXIT_CODES, Failure } from "../domain/errors.ts";
import { type Command, defineCommand, type CommandOutcome } from "./command.ts";
import type { Registry } from "./registry.ts";

const probe = (run: () => Promise<CommandOutcome> | CommandOutcome): Command =>
  defineCommand({
    name: "probe",
    about: "does what a test says",
    operands: [],
    options: {},
    examples: [],
    run: async () => run(),
  });

const withProbe = (run: () => Promise<CommandOutcome> | CommandOutcome) => ({
  commands: sampleRegistry(probe(run)),
});

const failing = (thrown: unknown) =>
  withProbe(() => {
    throw thrown;
  });

describe("running a command", () => {
  it("prints its text on stdout and nothing else", async () => {
    expect(await callPawl(["state", "claim", "p.md", "--worktree", "w"])).toEqual({
      code: 0,
      out: "claimed p.md\n",
      err: "",
    });
  });

  it("prints one envelope with --json, wherever it stands", async () => {
    for (const argv of [
      ["--json", "state", "show"],
      ["state", "--json", "show"],
      ["state", "show", "--json"],
    ]) {
      expect(await callPawl(argv)).toEqual({
        code: 0,
        out: '{"schema_version":"1","command":"state show","status":"ok","data":{"said":"all"},"issues":[]}\n',
        err: "",
      });
    }
  });

  it("hands on the exit code without calling the answer an error", async () => {
    const nothing = withProbe(() => ({
      data: { claimed: false },
      text: () => "nothing to claim",
      exitCode: 6,
    }));
    expect(await callPawl(["probe"], nothing)).toEqual({ code: 6, out: "nothing to claim\n", err: "" });
    expect(JSON.parse((await callPawl(["probe", "--json"], nothing)).out)).toMatchObject({ status: "ok" });
  });

  it("prints nothing for an empty text", async () => {
    expect(
      await callPawl(
        ["probe"],
        withProbe(() => ({ data: {}, text: () => "" })),
      ),
    ).toEqual({ code: 0, out: "", err: "" });
  });

  it("prints issues on stderr, once, and in the envelope instead with --json", async () => {
    const issue = { code: "E100", name: "plan/odd", hint: "Do this." };
    const odd = withProbe(() => ({
      data: {},
      text: () => "done",
      issues: [
        { ...issue, severity: "warning", message: "odd box", line: 3, column: 7 },
        { ...issue, severity: "info", message: "by the way", hint: "" },
        { ...issue, severity: "error", message: "no anchor", line: 9 },
      ],
      exitCode: 1,
    }));
    expect(await callPawl(["probe"], odd)).toEqual({
      code: 1,
      out: "done\n",
      err: "warning: line 3:7: odd box\n  hint: Do this.\nnote: by the way\nerror[E100] line 9: no anchor\n  hint: Do this.\n",
    });
    const { out, err } = await callPawl(["probe", "--json"], odd);
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchObject({
      status: "error",
      issues: [{ line: 3, column: 7 }, {}, { line: 9 }],
    });
  });

  it("says nothing on stdout with --quiet, but keeps errors and envelopes", async () => {
    expect(await callPawl(["state", "show", "--quiet"])).toEqual({ code: 0, out: "", err: "" });
    expect((await callPawl(["state", "claim", "-q"])).err).toContain("<plan> is missing");
    expect((await callPawl(["state", "show", "-q", "--json"])).out).toContain('"status":"ok"');
  });

  it("makes no context before the words are understood", async () => {
    const context = () => Promise.reject(new Failure("repository/not-found", "no repository here"));
    expect((await callPawl(["state", "claim"], { context })).code).toBe(2);
    expect((await callPawl(["state", "claim", "--help"], { context })).code).toBe(0);
    expect(await callPawl(["state", "claim", "p"], { context })).toMatchObject({
      code: 3,
      err: expect.stringContaining("error[E065] no repository here\n"),
    });
  });

  it("loads no other command, and none for help and version", async () => {
    const commands: Registry = Object.fromEntries(
      SAMPLE_COMMANDS.map((command) => [
        command.name,
        {
          about: command.about,
          load: () =>
            command.name === "init" ? Promise.resolve(command) : Promise.reject(new Error("loaded")),
        },
      ]),
    );
    for (const argv of [["init"], [], ["--help"], ["help", "state"], ["state", "--help"], ["-V"]]) {
      expect(await callPawl(argv, { commands })).toMatchObject({ code: 0, err: "" });
    }
  });
});

describe("help and version", () => {
  it("shows what is here when nothing is typed", async () => {
    expect(await callPawl([])).toEqual({ code: 0, out: "home\n", err: "" });
    expect(JSON.parse((await callPawl(["--json"])).out)).toMatchObject({
      command: "home",
      data: { is: "home" },
    });
  });

  it("shows general help for pawl --help and pawl help", async () => {
    const bare = await callPawl(["--help"]);
    expect(bare).toMatchObject({ code: 0, err: "" });
    expect(bare.out).toContain("Usage: pawl <command> [options]");
    expect(bare.out).toContain("  state       claim, update, show\n");
    for (const argv of [["-h"], ["help"], ["help", "--help"]]) expect(await callPawl(argv)).toEqual(bare);
  });

  it("shows the help of a command however it is asked for", async () => {
    const asked = await callPawl(["help", "state", "claim"]);
    expect(asked).toMatchObject({ code: 0, err: "" });
    expect(asked.out).toContain("Usage: pawl state claim <plan> [options]");
    for (const argv of [
      ["state", "claim", "--help"],
      ["--help", "state", "claim"],
      ["state", "claim", "p", "--nonsense", "-h"],
    ]) {
      expect(await callPawl(argv)).toEqual(asked);
    }
  });

  it("lists a group: on stdout when asked for help, else on stderr as a mistake", async () => {
    const asked = await callPawl(["help", "state"]);
    expect(asked).toMatchObject({ code: 0, err: "" });
    expect(asked.out).toContain("  state show    Show where a plan stands\n");
    expect(await callPawl(["state", "--help"])).toEqual(asked);
    expect(await callPawl(["state"])).toEqual({ code: 2, out: "", err: asked.out });
  });

  it("lists a group as an issue with --json", async () => {
    const { code, out, err } = await callPawl(["state", "--json"]);
    expect({ code, err }).toEqual({ code: 2, err: "" });
    expect(JSON.parse(out)).toMatchObject({
      command: "state",
      status: "error",
      data: {},
      issues: [{ code: "E066", details: { commands: ["claim", "update", "show"] } }],
    });
  });

  it("gives help as data with --json", async () => {
    const { out } = await callPawl(["help", "state", "claim", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      command: "state claim",
      status: "ok",
      data: { help: expect.stringContaining("Usage: pawl state claim") },
    });
  });

  it.each(["--version", "-V"])("prints the version for %s", async (flag) => {
    expect(await callPawl([flag])).toEqual({ code: 0, out: "pawl 1.2.3\n", err: "" });
    expect(JSON.parse((await callPawl([flag, "--json"])).out)).toMatchObject({ data: { version: "1.2.3" } });
  });
});

describe("usage errors", () => {
  it("suggests a command, exit 2", async () => {
    expect(await callPawl(["stat", "clam", "p.md"])).toEqual({
      code: 2,
      out: "",
      err: 'error[E066] unknown command "stat clam p.md"; did you mean `pawl state claim`?\n  hint: Run `pawl --help` to see how it is used.\n',
    });
    expect((await callPawl(["help", "frobnicate"])).code).toBe(2);
  });

  it("puts what was typed into the envelope", async () => {
    const { code, out, err } = await callPawl(["stat", "clam", "--json", "--x"]);
    expect({ code, err }).toEqual({ code: 2, err: "" });
    expect(JSON.parse(out)).toMatchObject({
      command: "stat clam",
      status: "error",
      data: {},
      issues: [{ name: "usage/wrong", details: { suggestion: "pawl state claim" } }],
    });
  });

  it("explains an option before the command", async () => {
    expect((await callPawl(["--worktree", "w", "state", "claim"])).err).toContain(
      "unknown option --worktree; options go after the command",
    );
    expect((await callPawl(["--jsn"])).err).toContain("unknown option --jsn; did you mean --json?");
    expect((await callPawl(["--verison"])).err).toContain("did you mean --version?");
    expect((await callPawl(["--"])).code).toBe(2);
  });

  it("refuses a value for a global flag", async () => {
    const { code, out } = await callPawl(["init", "--json=yes"]);
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({
      command: "init",
      issues: [{ message: "--json takes no value" }],
    });
  });

  it("puts the errors of a known command under its name", async () => {
    const { out } = await callPawl(["state", "claim", "--json", "--wortree", "w"]);
    expect(JSON.parse(out)).toMatchObject({
      command: "state claim",
      issues: [
        {
          code: "E066",
          hint: "Run `pawl state claim --help` to see how it is used.",
          details: { suggestion: "--worktree" },
        },
      ],
    });
  });
});

describe("failures", () => {
  it.each(Object.entries(ERRORS))(
    "prints %s with its own code and exit code",
    async (name, { code, kind, hint: written }) => {
      const hint = written.replace("<command>", "probe");
      // The keys of the table are its names; only the type of `Object.entries` forgets that.
      const failure = new Failure(isErrorName(name) ? name : "internal/bug", "It went wrong.", {
        anchor: "step-1",
      });
      expect(await callPawl(["probe"], failing(failure))).toEqual({
        code: EXIT_CODES[kind],
        out: "",
        err: `error[${code}] It went wrong.\n  hint: ${hint}\n`,
      });
      const json = await callPawl(["probe", "--json"], failing(failure));
      expect(json).toMatchObject({ code: EXIT_CODES[kind], err: "" });
      expect(json.out.match(/\n/g)).toHaveLength(1);
      expect(JSON.parse(json.out)).toEqual({
        schema_version: "1",
        command: "probe",
        status: "error",
        data: {},
        issues: [
          { code, name, severity: "error", message: "It went wrong.", hint, details: { anchor: "step-1" } },
        ],
      });
    },
  );

  it("lists what the message cannot hold", async () => {
    const failure = new Failure("step/items-open", "3 items are open.", {
      anchor: "step-1",
      incomplete_items: [{ kind: "task", ordinal: 2, text: "write it" }, "plain", 7],
      incomplete_substeps: [],
    });
    expect((await callPawl(["probe"], failing(failure))).err).toBe(
      [
        "error[E051] 3 items are open.",
        `  hint: ${ERRORS["step/items-open"].hint}`,
        "  incomplete items:",
        "    - task 2: write it",
        "    - plain",
        "    - 7",
        "",
      ].join("\n"),
    );
  });

  it("lists only the beginning of a long list", async () => {
    const failure = new Failure("step/items-open", "Open.", {
      items: Array.from({ length: 25 }, (_, index) => index),
    });
    const { err } = await callPawl(["probe"], failing(failure));
    expect(err).toContain("    - 19\n    … and 5 more\n");
    expect(err).not.toContain("- 20");
  });

  it("keeps the lines of a long message under its first", async () => {
    const failure = new Failure(
      "git/failed",
      "git said:\r\nfatal: no\n\tnot here\n",
      {},
      { hint: "One.\nTwo." },
    );
    expect((await callPawl(["probe"], failing(failure))).err).toBe(
      "error[E085] git said:\n  fatal: no\n  \tnot here\n  hint: One.\n    Two.\n",
    );
  });

  it("does not blame permissions when the disk is full", async () => {
    const refusal = (code: string) =>
      failing(Object.assign(new Error(`${code}: copyfile 'a'`), { code, errno: -1, syscall: "copyfile" }));
    expect((await callPawl(["probe"], refusal("EPERM"))).err).toContain(ERRORS["system/refused"].hint);
    const { code, err } = await callPawl(["probe"], refusal("ENOSPC"));
    expect({ code, err }).toEqual({
      code: 3,
      err: "error[E094] ENOSPC: copyfile 'a'.\n  hint: Free some disk space, then run the command again.\n",
    });
  });

  it("calls anything else a bug, with a stack only for those who ask", async () => {
    const bug = failing(new TypeError("x is not a function"));
    const quiet = await callPawl(["probe"], bug);
    expect(quiet).toEqual({
      code: 70,
      out: "",
      err: `error[E099] x is not a function\n  hint: ${ERRORS["internal/bug"].hint}\n`,
    });
    const debugged = await callPawl(["probe"], { ...bug, env: { PAWL_DEBUG: "1" } });
    expect(debugged.err).toContain("  stack:\n    - at ");
    expect(debugged.err.match(/x is not a function/g)).toHaveLength(1);
    expect((await callPawl(["probe"], { ...bug, env: { PAWL_DEBUG: "" } })).err).toBe(quiet.err);
  });

  it.each([
    ["a string"],
    [undefined],
    [null],
    [
      {
        toString: () => {
          throw new Error("no");
        },
      },
    ],
    [Symbol("s")],
  ])("survives %o being thrown", async (thrown) => {
    expect(await callPawl(["probe"], failing(thrown))).toMatchObject({ code: 70, out: "" });
    const { out } = await callPawl(["probe", "--json"], failing(thrown));
    expect(JSON.parse(out)).toMatchObject({ status: "error", issues: [{ code: "E099" }] });
  });

  it("reports data that is no JSON as a bug, in one valid envelope", async () => {
    const { code, out, err } = await callPawl(
      ["probe", "--json"],
      withProbe(() => ({ data: { n: 1n }, text: () => "" })),
    );
    expect({ code, err }).toEqual({ code: 70, err: "" });
    expect(JSON.parse(out)).toMatchObject({ status: "error", data: {}, issues: [{ code: "E099" }] });
  });

  it("reports a failure even when its details are no JSON", async () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const { code, out } = await callPawl(
      ["probe", "--json"],
      failing(new Failure("plan/changed", "Changed.", circular)),
    );
    expect(code).toBe(4);
    expect(JSON.parse(out)).toMatchObject({ issues: [{ code: "E048", message: "Changed.", details: {} }] });
  });

  it("reports a command that cannot be loaded or whose text cannot be made", async () => {
    const commands: Registry = {
      broken: { about: "", load: () => Promise.reject(new Error("no such file")) },
    };
    expect((await callPawl(["broken"], { commands })).err).toContain("error[E099] no such file");
    const mute = withProbe(() => ({
      data: {},
      text: () => {
        throw new Error("no words");
      },
    }));
    expect(await callPawl(["probe"], mute)).toMatchObject({
      code: 70,
      out: "",
      err: expect.stringContaining("no words"),
    });
  });
});

describe("colour", () => {
  const coloured = withProbe(() => ({ data: {}, text: (paint) => paint.green("ok") }));

  it("is for terminals, each stream by itself", async () => {
    expect((await callPawl(["probe"], { ...coloured, isTerminal: true })).out).toBe("\x1b[32mok\x1b[39m\n");
    expect((await callPawl(["probe"], { ...coloured, isErrorTerminal: true })).out).toBe("ok\n");
    const bug = failing(new Error("x"));
    expect((await callPawl(["probe"], { ...bug, isTerminal: true })).err).toMatch(/^error\[E099\] x/);
    expect((await callPawl(["probe"], { ...bug, isErrorTerminal: true })).err).toContain(
      "\x1b[31merror[E099]\x1b[39m x",
    );
  });

  it("is switched off by --no-color", async () => {
    expect((await callPawl(["probe", "--no-color"], { ...coloured, isTerminal: true })).out).toBe("ok\n");
  });

  it("never gets into JSON", async () => {
    const { out } = await callPawl(["probe", "--help", "--json"], { ...coloured, isTerminal: true });
    expect(out).not.toContain("\x1b");
    expect(out).not.toContain("u001b");
  });

  it("tells commands how wide the terminal is", async () => {
    const wide = withProbe(() => ({ data: {}, text: (paint) => `${paint.columns}` }));
    expect((await callPawl(["probe"], { ...wide, columns: 132 })).out).toBe("132\n");
    expect((await callPawl(["probe"], wide)).out).toBe("80\n");
    expect((await callPawl(["probe"], { ...wide, columns: 0 })).out).toBe("80\n");
  });
});

describe("hostile text", () => {
  const everything = [...HOSTILE_CHARACTERS, ...HOSTILE_SEQUENCES].join("x");
  const careless = (title: string) =>
    withProbe(() => ({
      data: { title },
      text: (paint) => `${title} ${paint.bold(title)}`,
      issues: [
        {
          code: title,
          name: title,
          severity: "warning",
          message: title,
          hint: title,
          details: { list: [title, { title }] },
        },
      ],
    }));

  // Independent of the code: what a terminal obeys, without our own colours.
  const obeyed = (text: string) =>
    text
      .replaceAll(/\x1b\[(?:1|2|22|31|32|33|34|36|39)m/g, "")
      .match(
        /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]/gu,
      );

  it("reaches no terminal, whether a command makes it safe or forgets to", async () => {
    for (const isTerminal of [true, false]) {
      const { out, err } = await callPawl(["probe"], {
        ...careless(everything),
        isTerminal,
        isErrorTerminal: isTerminal,
      });
      expect(obeyed(out)).toBeNull();
      expect(obeyed(err)).toBeNull();
      if (!isTerminal) expect(out + err).not.toContain("\x1b");
    }
  });

  it("comes back whole from the envelope, which is plain ASCII for it", async () => {
    const { out, err } = await callPawl(["probe", "--json"], careless(everything));
    expect(err).toBe("");
    expect(out).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(out)).toMatchObject({ data: { title: everything }, issues: [{ message: everything }] });
  });

  it("is harmless as a failure, as a command and as an option", async () => {
    for (const argv of [
      ["probe"],
      [everything.replaceAll("-", "")],
      ["init", `--${everything}`],
      ["state", "show", "p", everything],
    ]) {
      const { out, err } = await callPawl(
        argv,
        failing(new Failure("plan/invalid", everything, { list: [everything] })),
      );
      expect(out).toBe("");
      expect(obeyed(err)).toBeNull();
    }
  });

  it("is harmless in any combination, and JSON always reads back", async () => {
    const part = fc.oneof(
      fc.constantFrom(...HOSTILE_CHARACTERS, ...HOSTILE_SEQUENCES),
      fc.string({ unit: "binary" }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part), async (parts) => {
        const title = parts.join("");
        const { out, err } = await callPawl(["probe"], {
          ...careless(title),
          isTerminal: true,
          isErrorTerminal: true,
        });
        expect(obeyed(out + err)).toBeNull();
        const json = await callPawl(["probe", "--json"], careless(title));
        expect(JSON.parse(json.out)).toMatchObject({ data: { title } });
      }),
      { numRuns: 500 },
    );
  });

  it("never makes the shell throw, whatever the words", async () => {
    const word = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "state",
        "claim",
        "update",
        "help",
        "--help",
        "--json",
        "-q",
        "--",
        "-V",
        "--json=1",
        "commit",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word), async (argv) => {
        const { code, out, err } = await callPawl(argv);
        expect([0, 2]).toContain(code);
        expect(obeyed(out + err)).toBeNull();
        const asksJson = argv
          .slice(0, argv.includes("--") ? argv.indexOf("--") : argv.length)
          .includes("--json");
        if (asksJson)
          expect(JSON.parse(out)).toMatchObject({ schema_version: "1", status: code === 0 ? "ok" : "error" });
      }),
      { numRuns: 1000 },
    );
  });
});

function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(ERRORS, name);
}
