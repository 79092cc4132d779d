import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callPawl, HOSTILE_CHARACTERS, HOSTILE_SEQUENCES } from "../../../test/fixtures/fake-host.ts";
import { Failure } from "../../domain/errors.ts";
import type { Files } from "../../platform/ports/files.ts";
import type { Command } from "../command.ts";
import type { Context } from "../context.ts";
import { displayWidth } from "../text/layout.ts";
import { plainPaint } from "../text/paint.ts";
import { safeText } from "../../domain/safe-text.ts";
import { planCheckCommand } from "./plan-check.ts";
import { planGraphCommand } from "./plan-graph.ts";
import { planNewCommand } from "./plan-new.ts";
import { planShowCommand } from "./plan-show.ts";

const unused = () => {
  throw new Error("a plan command needs no more than files");
};

/** Files in memory that behave as those on disk where it matters here. */
function memoryFiles(contents: Map<string, string | Uint8Array>): Files {
  return {
    read(path) {
      const content = contents.get(path);
      if (content === undefined) throw new Failure("plan/not-found", `There is no file ${path}.`, { path });
      return typeof content === "string" ? new TextEncoder().encode(content) : content;
    },
    create(path, content) {
      if (contents.has(path)) throw new Failure("file/exists", `${path} is there already.`, { path });
      contents.set(path, content);
    },
    readEnd: unused,
    readSlice: unused,
    readText: unused,
    replace: unused,
    jot: unused,
    makeFolder: unused,
    replaceIf: unused,
    list: () => undefined,
    exists: (path) => contents.has(path),
    mayWrite: () => true,
  };
}

const entry = (command: Command) => ({ about: command.about, load: async () => command });

const commands = {
  "plan check": entry(planCheckCommand),
  "plan show": entry(planShowCommand),
  "plan graph": entry(planGraphCommand),
  "plan new": entry(planNewCommand),
};

function pawlAt(cwd: string, plans: Readonly<Record<string, string | Uint8Array>>) {
  const contents = new Map(Object.entries(plans).map(([path, content]) => [join(cwd, path), content]));
  const context: Context = {
    cwd,
    env: {},
    files: memoryFiles(contents),
    pawl: unused,
    stdin: async () => undefined,
    stream: { line: unused, pause: unused },
    interruption: unused,
    progress: {
      mode: "none",
      paint: plainPaint(80),
      line: unused,
      redraw: unused,
      columns: () => 80,
      rows: () => 24,
    },
  };
  const call = (...argv: readonly string[]) =>
    callPawl(["plan", ...argv], { commands, context: async () => context });
  const data = async (...argv: readonly string[]) => JSON.parse((await call(...argv, "--json")).out);
  return { call, data, contents, context };
}

const BOAT = `# A boat

### Plan Metadata

| Field | Value |
|---|---|
| Owner | Ann |
| Status | as good as done, but for the paint, the varnish and what the weather will do to both of them |

#### Step 1: Keel {#keel}

**Commit:** \`keel: lay it\`

**References:** [D01]

**Tasks:**
- [ ] find oak
- [x] cut it

**Tests:**
- [ ] it floats

#### Step 2: Hull {#hull}

**Depends on:** #keel

##### Step 2.1: Ribs {#ribs}

- [ ] bend them

##### Step 2.2: Planks {#planks}

**Depends on:** #ribs

#### Step 3: Flag {#flag}

### Done means

- [ ] sails
`;

const BROKEN = `#### Step 1: Keel {#keel}

**Depends on:** #mast (see #hull)

#### Step 2: Hull {#keel}

- [] planks
`;

describe("plan check", () => {
  it("tells what is in a plan", async () => {
    const { call, data } = pawlAt("/home/ann", { "boat.md": BOAT });
    expect(await data("check", "boat.md")).toEqual({
      schema_version: "1",
      command: "plan check",
      status: "ok",
      data: {
        plan_path: "boat.md",
        format: "tugplan",
        title: "A boat",
        step_count: 3,
        substep_count: 2,
        dep_count: 2,
        checklist_count: 4,
        errors: 0,
        warnings: 0,
        infos: 1,
        account: { boxes: 5, task_headings: 5, steps: 5, items: 4, checks: 1, left_out: [] },
        diagnostics: [
          {
            code: "P043",
            name: "plan/boxes-outside",
            severity: "info",
            message: "One box stands outside the steps, the first here.",
            hint: "They are not tracked. Move those that are work of a step into it.",
            line: 39,
            column: 1,
          },
        ],
      },
      issues: [],
    });
    expect(await call("check", "boat.md")).toMatchObject({
      code: 0,
      out: [
        "boat.md:39:1  note  P043  One box stands outside the steps, the first here.",
        "    hint: They are not tracked. Move those that are work of a step into it.",
        "",
        "5 boxes and 5 task headings: 5 steps, 4 items, 1 check, 0 left out",
        "",
        "boat.md (tugplan): 3 steps, 2 substeps, 2 dependencies, 4 items",
        "0 errors, 0 warnings, 1 note",
        "",
      ].join("\n"),
    });
  });

  it("fails with errors, each with its place, in the envelope too", async () => {
    const { call, data } = pawlAt("/", { "boat.md": BROKEN });
    const printed = await call("check", "boat.md");
    expect(printed.code).toBe(1);
    expect(
      printed.out.split("\n").filter((line) => line.startsWith("boat.md:") && line.includes("P0")),
    ).toEqual([
      "boat.md:3:17  error    P004  There is no step “#mast”.",
      "boat.md:3:23  note     P042  “(see #hull)” names no step to wait for.",
      "boat.md:5:19  error    P002  The anchor “keel” is taken by the step in line 1.",
      "boat.md:7:3   warning  P027  This is no box, and is not tracked.",
    ]);
    const answer = await data("check", "boat.md");
    expect(answer).toMatchObject({ status: "error", data: { errors: 2, warnings: 1, infos: 1 } });
    expect(
      answer.issues.map((issue: { name: string; line: number; column: number }) => [
        issue.name,
        issue.line,
        issue.column,
      ]),
    ).toEqual([
      ["plan/unknown-dependency", 3, 17],
      ["plan/duplicate-anchor", 5, 19],
      ["plan/unread-box", 7, 3],
    ]);
  });

  it("says the hint of a kind once", async () => {
    const { call } = pawlAt("/", { "boat.md": "### Step 1: a {#a}\n- [] x\n- [] y\n" });
    expect((await call("check", "boat.md")).out.match(/hint:/g)).toHaveLength(1);
  });

  it("lets warnings pass unless it is strict", async () => {
    const { call } = pawlAt("/", { "boat.md": "### Step 1: a {#a}\n- [] x\n" });
    expect((await call("check", "boat.md")).code).toBe(0);
    expect((await call("check", "boat.md", "--strict")).code).toBe(1);
  });

  it("names a plan elsewhere by its whole path", async () => {
    const { data } = pawlAt("/home/ann", { "../bob/boat.md": BOAT, "plans/boat.md": BOAT });
    expect((await data("check", "../bob/boat.md")).data.plan_path).toBe("/home/bob/boat.md");
    expect((await data("check", "./plans//boat.md")).data.plan_path).toBe("plans/boat.md");
  });

  it("refuses what is no plan file", async () => {
    const { call } = pawlAt("/", { "boat.md": Uint8Array.of(0x50, 0x4b, 0x00) });
    expect(await call("check", "boat.md")).toMatchObject({
      code: 1,
      err: expect.stringContaining("NUL byte at byte 2"),
    });
    expect(await call("check", "none.md")).toMatchObject({
      code: 2,
      err: expect.stringContaining("There is no file"),
    });
    expect((await call("check", "")).code).toBe(2);
    expect(await call("check", "a\0b")).toMatchObject({ code: 2, err: expect.stringContaining("E054") });
  });
});

describe("plan show", () => {
  it("gives the whole plan as data", async () => {
    const { data } = pawlAt("/", { "boat.md": BOAT });
    expect((await data("show", "boat.md")).data).toEqual({
      plan_path: "boat.md",
      format: "tugplan",
      title: "A boat",
      metadata: { Owner: "Ann", Status: expect.stringContaining("varnish") },
      steps: [
        {
          anchor: "keel",
          title: "Keel",
          line: 10,
          depends_on: [],
          commit: "keel: lay it",
          optional: false,
          references: "[D01]",
          items: [
            { kind: "task", ordinal: 1, text: "find oak", box: "open" },
            { kind: "task", ordinal: 2, text: "cut it", box: "ticked" },
            { kind: "test", ordinal: 1, text: "it floats", box: "open" },
          ],
          substeps: [],
        },
        {
          anchor: "hull",
          title: "Hull",
          line: 23,
          depends_on: ["keel"],
          commit: null,
          optional: false,
          references: null,
          items: [],
          substeps: [
            expect.objectContaining({
              anchor: "ribs",
              items: [expect.objectContaining({ text: "bend them" })],
            }),
            expect.objectContaining({ anchor: "planks", depends_on: ["ribs"] }),
          ],
        },
        expect.objectContaining({ anchor: "flag" }),
      ],
    });
  });

  it("shows people its steps, in no more columns than they have", async () => {
    const { call } = pawlAt("/", { "boat.md": BOAT });
    const { out } = await call("show", "boat.md");
    expect(out).toContain("A boat\nOwner   Ann\nStatus  as good as done");
    expect(out).toContain("keel\n    Keel\n    2 tasks, 1 test\n    commit keel: lay it\n");
    expect(out).toContain("hull\n    Hull\n    waits for keel\n  ribs\n      Ribs\n      1 task\n");
    expect(Math.max(...out.split("\n").map(displayWidth))).toBeLessThanOrEqual(80);
  });

  it("shows one step with its items and its text, with or without #", async () => {
    const { call, data } = pawlAt("/", { "boat.md": BOAT });
    const { out } = await call("show", "boat.md", "--step", "#keel");
    expect(out).toContain(
      "task 1        [ ] find oak\ntask 2        [x] cut it\ntest 1        [ ] it floats\n",
    );
    expect(out).toContain("**Tasks:**\n- [ ] find oak");
    const [step] = (await data("show", "boat.md", "--step", "ribs")).data.steps;
    expect(step).toMatchObject({ anchor: "ribs", body: "- [ ] bend them" });
  });

  it("does not know every step", async () => {
    const { call } = pawlAt("/", { "boat.md": BOAT });
    const printed = await call("show", "boat.md", "--step", "sail");
    expect(printed).toMatchObject({ code: 2, err: expect.stringContaining("E060") });
    expect(printed.err).toContain("pawl plan show boat.md");
  });

  it("shows a broken plan, and says what is wrong", async () => {
    const { call } = pawlAt("/", { "boat.md": BROKEN });
    expect(await call("show", "boat.md")).toMatchObject({
      code: 1,
      out: expect.stringContaining("Hull"),
      err: expect.stringContaining("P004"),
    });
  });

  it("keeps a field called __proto__ a field", async () => {
    const { call } = pawlAt("/", {
      "boat.md": "### Plan Metadata\n\n|a|b|\n|-|-|\n| __proto__ | x |\n### Step 1: a {#a}\n",
    });
    expect((await call("show", "boat.md", "--json")).out).toContain('"metadata":{"__proto__":"x"}');
  });
});

describe("plan graph", () => {
  it("lists layers for a terminal, marks the critical path and says what each step waits for", async () => {
    const { call } = pawlAt("/", { "boat.md": BOAT });
    expect((await call("graph", "boat.md")).out).toBe(
      [
        "Layer 1",
        "  * keel    Keel",
        "    flag    Flag",
        "",
        "Layer 2",
        "  * ribs    Ribs",
        "            part of hull",
        "",
        "Layer 3",
        "  * planks  Planks",
        "            part of hull; waits for ribs",
        "",
        "Layer 4",
        "  * hull    Hull",
        "            waits for keel, its substeps",
        "",
        "* critical path: 4 of 5 steps",
        "  keel → ribs → planks → hull",
        "",
      ].join("\n"),
    );
  });

  it("gives the graph as data", async () => {
    const { data } = pawlAt("/", { "boat.md": BOAT });
    const { data: graph } = await data("graph", "boat.md");
    expect(graph).toMatchObject({
      plan_path: "boat.md",
      format: "text",
      edges: [
        { anchor: "hull", waits_for: "keel", kind: "dependency" },
        { anchor: "hull", waits_for: "ribs", kind: "substep" },
        { anchor: "hull", waits_for: "planks", kind: "substep" },
        { anchor: "planks", waits_for: "ribs", kind: "dependency" },
      ],
      layers: [["keel", "flag"], ["ribs"], ["planks"], ["hull"]],
      critical_path: ["keel", "ribs", "planks", "hull"],
    });
    expect(graph.nodes[2]).toEqual({
      anchor: "ribs",
      title: "Ribs",
      parent_anchor: "hull",
      layer: 2,
      critical: true,
    });
    expect(graph.graph).toContain("Layer 1\n  * keel");
  });

  it("draws Mermaid, in which the words of a plan mean nothing", async () => {
    const title = 'a"]; click x "javascript:y" %%{init:{}}%% `b` <img src=x> #quot; & 手順';
    const { call } = pawlAt("/", {
      "boat.md": `### Step 1: ${title} {#a}\n### Step 1.1: b {#b}\n### Step 2: c {#c}\n**Depends on:** #a`,
    });
    const { out } = await call("graph", "boat.md", "--format", "mermaid");
    expect(out.split("\n").slice(1)).toEqual([
      expect.stringMatching(
        /^ {2}n0\["a: a#34;#93;#59; click x #34;javascript:y#34; #37;#37;#123;[^"%`<>&]*手順"\]$/,
      ),
      '  n1["b: b"]',
      '  n2["c: c"]',
      "  n1 -.-> n0",
      "  n0 --> n2",
      "  classDef critical stroke-width:3px",
      "  class n0,n1,n2 critical",
      "",
    ]);
  });

  it("draws SVG, in which the words of a plan mean nothing", async () => {
    const title = `</text><script>alert(1)</script>"'&amp;\ufffe`;
    const { call } = pawlAt("/", {
      "boat.md": `### Step 1: ${title} {#a}\n### Step 2: b {#b}\n**Depends on:** [a](#a)`,
    });
    const { out } = await call("graph", "boat.md", "--format", "svg");
    expect(out).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*>\n/);
    expect(out).toMatch(/<\/svg>\n$/);
    expect(out.match(/<rect/g)).toHaveLength(2);
    expect(out.match(/<path/g)).toHaveLength(1);
    expect(out).toContain("&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;");
    expect(out).not.toMatch(/<script|onload=x"[^&]|\ufffe/);
  });

  it("draws steps that wait for each other, too", async () => {
    const knot =
      "### Step 1: a {#a}\n**Depends on:** #b\n### Step 2: b {#b}\n**Depends on:** #a\n### Step 3: c {#c}\n";
    const { call, data } = pawlAt("/", { "boat.md": knot });
    expect((await call("graph", "boat.md")).out).toContain(
      "Never ready, because they wait for each other or for such steps\n    a  a",
    );
    const { data: graph } = await data("graph", "boat.md");
    expect(graph.nodes.map((node: { layer: number | null }) => node.layer)).toEqual([null, null, 1]);
    for (const format of ["mermaid", "svg"]) {
      expect((await call("graph", "boat.md", "--format", format)).code).toBe(1);
    }
  });

  it("draws a plan without steps", async () => {
    const { call } = pawlAt("/", { "boat.md": "" });
    expect((await call("graph", "boat.md")).out).toBe("No steps.\n");
    for (const format of ["mermaid", "svg"]) {
      expect((await call("graph", "boat.md", "--format", format)).code).toBe(1);
    }
  });

  it("knows three formats", async () => {
    const { call } = pawlAt("/", { "boat.md": BOAT });
    expect((await call("graph", "boat.md", "--format", "png")).code).toBe(2);
  });

  it("draws as many steps as a plan may have", async () => {
    const steps = Array.from({ length: 50_000 }, (_, index) => `### Step ${index}: x {#s${index}}`);
    const { call } = pawlAt("/", { "boat.md": steps.join("\n") });
    expect((await call("graph", "boat.md", "--format", "svg")).out.match(/<rect/g)).toHaveLength(50_000);
  });
});

describe("plan new", () => {
  it.each([
    ["mein plän", "mein-plan"],
    ["Plan", "plan"],
    ["plans/New Things.md", "new-things --dir plans"],
    ["--", "faster-start"],
    ["日本", "faster-start"],
  ])("offers a name in place of %s", async (named, offered) => {
    const { call } = pawlAt("/home/ann", {});
    const { err } = await call("new", "--", named);
    expect(err).toContain(`pawl plan new ${offered}`);
  });

  it("takes the name of the file for what it is", async () => {
    const { data } = pawlAt("/home/ann", {});
    expect((await data("new", "plan.md")).data).toEqual({ plan_path: "plan.md", created: true });
  });

  it("writes a plan that passes the strictest check, without a word", async () => {
    const { call, data, contents } = pawlAt("/home/ann", {});
    expect((await data("new", "faster-start")).data).toEqual({ plan_path: "faster-start.md", created: true });
    expect([...contents.keys()]).toEqual(["/home/ann/faster-start.md"]);
    const checked = await call("check", "faster-start.md", "--strict");
    expect(checked).toMatchObject({ code: 0, err: "" });
    expect(checked.out).toBe(
      "5 boxes and 2 task headings: 2 steps, 5 items, 0 checks, 0 left out\n\nfaster-start.md (tugplan): 2 steps, 0 substeps, 1 dependency, 5 items\n0 errors, 0 warnings, 0 notes\n",
    );
    expect((await data("show", "faster-start.md")).data.title).toBe("Faster start");
  });

  it("takes a title and a folder", async () => {
    const { call, data } = pawlAt("/home/ann", {});
    expect(
      (await data("new", "x.1_y-2", "--title", "A {#faster} `start` 手順", "--dir", "../plans")).data
        .plan_path,
    ).toBe("/home/plans/x.1_y-2.md");
    expect((await call("check", "../plans/x.1_y-2.md", "--strict")).code).toBe(0);
  });

  it("does not touch a file that is there", async () => {
    const { call, contents } = pawlAt("/", { "boat.md": "mine" });
    expect(await call("new", "boat")).toMatchObject({ code: 2, err: expect.stringContaining("E084") });
    expect((await call("new", "boat")).err).toContain("pawl plan new boat-2");
    expect((await call("new", "boat-2")).code).toBe(0);
    expect(contents.get("/boat.md")).toBe("mine");
  });

  it.each([
    "",
    ".",
    "..",
    "../boat",
    "a/b",
    "a\\b",
    "Boat",
    "-boat",
    ".boat",
    "bo at",
    "boat\n",
    "größe",
    "a".repeat(65),
    "a\0",
  ])("refuses the slug %j", async (slug) => {
    const { call, contents } = pawlAt("/", {});
    expect((await call("new", "--", slug)).code).toBe(2);
    expect(contents.size).toBe(0);
  });

  it.each(["", "  ", "two\nlines", "bell\u0007", "para\u2029graph", "x".repeat(201)])(
    "refuses the title %j",
    async (title) => {
      const { call, contents } = pawlAt("/", {});
      expect((await call("new", "boat", "--title", title)).code).toBe(2);
      expect(contents.size).toBe(0);
    },
  );
});

describe("hostile words in a plan", () => {
  // A line end is structure; a NUL byte and half a character are refused before the plan is read.
  const words = [...HOSTILE_CHARACTERS, ...HOSTILE_SEQUENCES].filter(
    (word) => !/[\n\r\0\ud800-\udfff]/.test(word),
  );

  const hostileStep = (word: string, index: number): string =>
    [
      `### Step ${index}: a${word}b {#s${index}}`,
      `**Depends on:** #x${word}y`,
      `**Commit:** ${word}`,
      `- [ ] c${word}d`,
    ].join("\n");

  // Not through the shell, whose guard would hide what a command lets pass.
  it.each([
    ["plan check", planCheckCommand, {}],
    ["plan show", planShowCommand, {}],
    ["plan show --step", planShowCommand, { step: "s1" }],
    ["plan graph", planGraphCommand, {}],
    ["plan graph --format mermaid", planGraphCommand, { format: "mermaid" }],
    ["plan graph --format svg", planGraphCommand, { format: "svg" }],
  ])("never get into the text of %s", async (_, command, values) => {
    const metadata = words.map((word) => `|${word}|${word}|`).join("\n");
    const { context } = pawlAt("/", {
      "boat.md": `# T${words.join("")}\n### Plan Metadata\n|a|b|\n|-|-|\n${metadata}\n${words.map(hostileStep).join("\n")}`,
    });
    const { text } = await command.run(context, values, ["boat.md"], []);
    for (const line of text(plainPaint(80)).split("\n")) expect(safeText(line)).toBe(line);
  });
});
