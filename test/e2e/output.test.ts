import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PAWL, pawl } from "../support/cli.ts";
import { flatPlan, planText, SMALL_PLAN } from "../support/plans.ts";
import { cleanEnv } from "../support/repository.ts";
import { type Data, ok, PLAN, refused, type Workshop, workshop, words } from "../support/workshop.ts";
import { until } from "../support/until.ts";

const HOUSE = planText(
  [
    { number: "0", title: "Lay the ground", tasks: ["dig", "level"], tests: ["is it flat"] },
    {
      number: "1",
      title: "Build the walls",
      dependsOn: ["step-0"],
      tasks: ["bricks", "mortar", "plaster"],
      checkpoints: ["inspected"],
    },
    { number: "1.1", title: "North wall", tasks: ["measure"] },
    { number: "1.2", title: "South wall", tasks: ["measure", "mark"] },
    { number: "1.3", title: "East wall", dependsOn: ["step-1-2"] },
    { number: "2", title: "Roof", dependsOn: ["step-0", "step-1"], tasks: ["beams"] },
    { number: "3", title: "Garden", tasks: ["seeds", "water", "wait"] },
    { number: "4", title: "Fence", tasks: ["posts"] },
    { number: "5", title: "Gate", tasks: ["hinges"] },
    { number: "6", title: "Well", tests: ["clean", "cold", "deep"] },
    { number: "7", title: "Shed" },
    {
      number: "8",
      title: "A title that is much too long for a terminal of eighty columns, 宽字符 and all",
      tasks: ["cut"],
    },
  ],
  "A house",
);

/** A plan with a step in every state that the verbs can bring about. */
async function house(): Promise<Workshop> {
  // Holders are shown by their path, and a long one would be cut at 80 columns.
  vi.stubEnv("TMPDIR", "/tmp");
  onTestFinished(() => void vi.unstubAllEnvs());
  const shop = workshop(HOUSE);
  const commit = shop.repository.git("rev-parse", "HEAD");
  const [w1, w2, w3, w4] = ["w1", "w2", "w3", "w4"].map(shop.worktree) as [string, string, string, string];
  ok(shop.claim(w3, "--step", "step-7", "--lease-duration", "1"));
  shop.finish(w1, "step-0", "--commit", commit);
  shop.take(w1, "step-1");
  ok(shop.work("update", w1, "step-1", "--task", "1", "completed", "--task", "2", "completed"));
  ok(shop.work("update", w1, "step-1-1", "--all", "completed"));
  ok(shop.work("complete", w1, "step-1-1"));
  ok(shop.work("start", w1, "step-1-2"));
  ok(shop.work("update", w1, "step-1-2", "--task", "1", "completed"));
  ok(shop.json("state", "hold", PLAN, "step-4", "--reason", "the wood is wet"));
  shop.take(w2, "step-5");
  ok(shop.work("complete", w2, "step-5", "--force", "the smith did it"));
  shop.take(w2, "step-3");
  ok(shop.claim(w4, "--step", "step-3", "--force", "--lease-duration", "600"));
  refused(shop.work("complete", w2, "step-3", "--commit", commit, "--claim", "1"), "E076", 4);
  shop.finish(w2, "step-6");
  ok(shop.json("state", "reopen", PLAN, "step-6", "--reason", "it ran dry"));
  shop.take(w2, "step-6");
  ok(
    shop.work(
      "update",
      w2,
      "step-6",
      "--test",
      "1",
      "completed",
      "--test",
      "3",
      "deferred",
      "--reason",
      "no rope",
    ),
  );
  await until(
    () => shop.text("state", "show", PLAN).stdout.includes("lease ended"),
    "the lease of the shed is over",
  );
  return shop;
}

/** Without what is new in every run: folders, hashes, and how much time is left. */
const normalise = (shop: Workshop, text: string): string =>
  text
    .replaceAll(dirname(shop.home), "/site")
    .replaceAll(shop.repository.git("rev-parse", "HEAD").slice(0, 12), "<commit>")
    .replace(/ends in \d+[dhms](?: \d+[hm])?/g, "ends in <time>")
    .replace(/ended (?:\d+[dhms](?: \d+[hm])? ago|just now)/g, "ended <time> ago");

const SHOWN = `plan.md  active
A house

[x] step-0  Lay the ground
    commit <commit>, not verified
    Tasks:           2/2  100%  [####################]
    Tests:           1/1  100%  [####################]

[>] step-1  Build the walls
    in progress by /site/w1, claim 1, lease ends in <time>
    Tasks:           2/3   67%  [#############-------]
    Checkpoints:     0/1    0%  [--------------------]
  [x] step-1-1  North wall
      Tasks:           1/1  100%  [####################]
  [>] step-1-2  South wall
      Tasks:           1/2   50%  [##########----------]
  [>] step-1-3  East wall
      waits for step-1-2

[ ] step-2  Roof
    waits for step-1
    Tasks:           0/1    0%  [--------------------]

[>] step-3  Garden
    claimed by /site/w4, claim 2, lease ends in <time>
    late result of claim 1 at refs/pawl/late/plan.md/step-3/1
    Tasks:           0/3    0%  [--------------------]

[=] step-4  Fence
    on hold: the wood is wet
    Tasks:           0/1    0%  [--------------------]

[x] step-5  Gate
    forced: the smith did it
    Tasks:           1/1  100%  [####################]

[>] step-6  Well
    in progress by /site/w2, claim 3, lease ends in <time>
    reopened: it ran dry
    deferred: 1 item
    Tests:           1/3   33%  [#######-------------]

[>] step-7  Shed
    claimed by /site/w3, claim 1, lease ended <time> ago

[ ] step-8  A title that is much too long for a terminal of eighty columns, 宽…
    Tasks:           0/1    0%  [--------------------]

Total  2/9 steps 22% · 1/3 substeps · 9/20 items · 1 deferred
`;

const READY = `Ready (1)
  step-8  A title that is much too long for a terminal of eighty columns, 宽字…

Ready, owner gone (1)
  step-7  Shed  was /site/w3

Held (3)
  step-1  Build the walls  by /site/w1, lease ends in <time>
  step-3  Garden  by /site/w4, lease ends in <time>
  step-6  Well  by /site/w2, lease ends in <time>

Waiting (2)
  step-2  Roof  for step-1
  step-4  Fence  the wood is wet

Completed (2)
  step-0  Lay the ground
  step-5  Gate
`;

const SECOND = `second.md  done
A small thing

[x] step-0  Work 0
    not verified

Total  1/1 step 100%
`;

describe("state show for people", () => {
  it("draws a plan in every state, at 80 columns and without colour", async () => {
    const shop = await house();
    const { code, stdout, stderr } = shop.text("state", "show", PLAN);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(normalise(shop, stdout)).toBe(SHOWN);
    expect(normalise(shop, shop.text("state", "ready", PLAN).stdout)).toBe(READY);
  });

  it("draws all plans one under the other when none is named", async () => {
    const shop = await house();
    shop.repository.write("second.md", planText([{ number: "0" }], "A small thing"));
    ok(shop.json("state", "init", "second.md"));
    ok(shop.json("state", "claim", "second.md", "--worktree", "."));
    ok(shop.json("state", "start", "second.md", "step-0", "--worktree", "."));
    ok(shop.json("state", "complete", "second.md", "step-0", "--worktree", "."));
    expect(normalise(shop, shop.text("state", "show").stdout)).toBe(`${SHOWN}\n${SECOND}`);
  });

  it("never rounds up to 100 % nor fills a bar before all is done", () => {
    const shop = workshop(
      planText([{ number: "0", tasks: Array.from({ length: 300 }, (_, n) => `task ${n}`) }]),
    );
    shop.take(".");
    ok(shop.work("update", ".", "step-0", "--all", "completed", "--task", "300", "open"));
    expect(shop.text("state", "show", PLAN).stdout).toContain(
      "Tasks:       299/300   99%  [###################-]",
    );
  });

  it("says what to do when there is nothing to show", () => {
    const shop = workshop(null);
    ok(shop.json("init"));
    expect(shop.text("state", "show").stdout).toBe(
      "No plan has state yet. Start with: pawl state init <plan>\n",
    );
  });
});

describe("what people should do next", () => {
  it("leads from state init through claim and start to the end", () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, planText([{ number: "1", title: "Dig", tasks: ["deep"], tests: ["wet"] }]));
    const { stdout: saved } = shop.text("state", "init", PLAN);
    expect(saved).toContain("\n  next: pawl state claim plan.md --worktree .\n");
    const { stdout: claimed } = shop.text("state", "claim", PLAN, "--worktree", ".");
    expect(claimed.split("\n").slice(2)).toEqual([
      "  [ ] task 1: deep",
      "  [ ] test 1: wet",
      "  next: pawl state start plan.md step-1 --worktree .",
      "",
    ]);
    expect(shop.text("state", "start", PLAN, "step-1", "--worktree", ".").stdout).toContain("  next: ");
    ok(shop.work("update", ".", "step-1", "--all", "completed"));
    expect(shop.text("state", "complete", PLAN, "step-1", "--worktree", ".").stdout).toContain(
      "All steps are completed.\n  next: pawl worktree merge plan.md",
    );
  });

  it("names the way out where waiting is none, and the plan", () => {
    const shop = workshop(flatPlan(1));
    ok(shop.json("state", "hold", PLAN, "step-1"));
    const held = shop.text("state", "claim", PLAN, "--worktree", ".", "--step", "step-1");
    expect(held.stderr).toContain("`pawl state retry plan.md step-1`");
    ok(shop.json("state", "retry", PLAN, "step-1"));
    ok(shop.claim("."));
    const other = shop.worktree("other");
    const release = ["state", "release", PLAN, "step-1", "--worktree", other];
    expect(shop.text(...release).stderr).toContain("`pawl state release plan.md step-1 --force`");
    const agent = pawl({ cwd: shop.home, env: { PAWL_SESSION: "s-agent" } }, ...release);
    expect(agent.stderr).toMatch(/^error\[E049\]/);
    expect(agent.stderr + refused(shop.json(...release), "E049", 4).hint).not.toContain("--force");
    expect(refused(shop.work("start", ".", "step-9"), "E060", 2).hint).toContain("`pawl state show plan.md`");
    shop.repository.write("sub/file", "");
    expect(refused(shop.claim("sub"), "E064", 2).hint).toBe(
      `Name the worktree itself: --worktree ${shop.home}`,
    );
  });
});

describe("state events for people", () => {
  it("says who and what in 80 columns, without whole hashes", () => {
    const shop = workshop(flatPlan(1));
    shop.finish(".", "step-1", "--commit", "HEAD");
    const { stdout } = shop.text("state", "events", PLAN);
    const commit = shop.repository.git("rev-parse", "HEAD");
    expect(stdout).toContain("started  plan.md step-1 claim 1  by this worktree\n");
    expect(stdout).toContain(`commit: ${commit.slice(0, 12)}\n`);
    expect(stdout).not.toMatch(/[0-9a-f]{13}|[{}"]/);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("prints one JSON object per line with --jsonl, also when it does not follow", () => {
    const shop = workshop(flatPlan(1));
    ok(shop.claim("."));
    const lines = shop.text("state", "events", "--jsonl").stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: "saved" }, { event: "claimed" }]);
  });
});

describe("state artifacts", () => {
  it("gives back what was left on a step, with the content", () => {
    const shop = workshop(flatPlan(2));
    shop.take(".", "step-1");
    const leave = (input: string, summary: string) =>
      ok(
        shop.jsonWith(
          { input },
          ...words(`state artifact ${PLAN} step-1 --worktree . --kind architect_strategy --summary`),
          summary,
        ),
      )["artifact_id"] as number;
    leave("first line\nsecond \x1b[2Jline\n", "How");
    const second = leave("another", "Why");
    const { stdout } = shop.text("state", "artifacts", PLAN, "step-1");
    expect(stdout).toContain("\n  How\n\nfirst line\nsecond line\n");
    expect(stdout).toContain("another");
    const { artifacts } = ok(shop.json("state", "artifacts", PLAN, "step-1", "--id", String(second)));
    expect(artifacts).toMatchObject([{ artifact_id: second, summary: "Why", content: "another" }]);
    refused(shop.json("state", "artifacts", PLAN, "step-1", "--id", "99"), "E066", 2);
    expect(shop.text("state", "artifacts", PLAN, "step-2").stdout).toBe("step-2 has no artifacts.\n");
  });
});

describe("worktree list for people", () => {
  it("has a header and paths from where it is called, in 80 columns", () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, flatPlan(1));
    shop.repository.git("add", PLAN);
    shop.repository.git("commit", "-q", "-m", "plan");
    ok(shop.json("worktree", "create", PLAN));
    const lines = shop.text("worktree", "list").stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.split(/ {2,}/)[0])).toEqual(["PATH", ".", ".pawl/worktrees/plan"]);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe("a holder on another machine", () => {
  it("is named with its machine by show, ready, claim and explain", () => {
    const shop = workshop(flatPlan(1));
    const there = { env: { PAWL_HOST_ID: "far-away" } };
    ok(shop.jsonWith(there, "state", "claim", PLAN, "--worktree", "."));
    const other = shop.worktree("other");
    const told = [
      shop.text("state", "show", PLAN),
      shop.text("state", "ready", PLAN),
      shop.text("state", "claim", PLAN, "--worktree", other),
      shop.text("explain", PLAN, "step-1"),
    ].map(({ stdout }) => stdout.replaceAll(/\s+/g, " "));
    for (const text of told) expect(text).toContain("on machine far-away");
  });
});

describe("colour", () => {
  const SGR = /\x1b\[\d+m/g;
  const coloured = (shop: Workshop, env: Record<string, string>, ...more: readonly string[]) =>
    pawl({ cwd: shop.home, env }, "state", "show", PLAN, ...more).stdout;

  it.each<[string, Record<string, string>, readonly string[], boolean]>([
    ["is off where there is no terminal", {}, [], false],
    ["comes with FORCE_COLOR", { FORCE_COLOR: "1" }, [], true],
    ["goes with NO_COLOR, which wins", { FORCE_COLOR: "1", NO_COLOR: "1" }, [], false],
    ["stays when NO_COLOR is empty", { FORCE_COLOR: "1", NO_COLOR: "" }, [], true],
    ["is off with FORCE_COLOR=0", { FORCE_COLOR: "0" }, [], false],
    ["goes with --no-color, which wins", { FORCE_COLOR: "1" }, ["--no-color"], false],
  ])("%s", (_, env, more, expected) => {
    const shop = workshop();
    const plain = shop.text("state", "show", PLAN).stdout;
    const text = coloured(shop, env, ...more);
    expect(SGR.test(text)).toBe(expected);
    expect(text.replace(SGR, "")).toBe(plain);
  });

  it("is never in --json", () => {
    const shop = workshop();
    expect(coloured(shop, { FORCE_COLOR: "1" }, "--json")).not.toContain("\x1b");
  });

  it("colours errors, too, and only with our own sequences", () => {
    const shop = workshop();
    const { stderr } = pawl({ cwd: shop.home, env: { FORCE_COLOR: "1" } }, "state", "show", "nowhere.md");
    expect(stderr).toMatch(/^\x1b\[31merror\[E054\]\x1b\[39m /);
  });

  const hasScript = spawnSync("script", ["--version"]).status === 0;

  it.runIf(hasScript)("is on at a terminal, which is used to its width", () => {
    const shop = workshop(planText([{ number: "0", title: "word ".repeat(40).trim() }]));
    const command = `stty cols 60; exec "${process.execPath}" "${PAWL}" state show ${PLAN}`;
    const onTerminal = (env: Record<string, string>) =>
      execFileSync("script", ["-qec", command, "/dev/null"], {
        cwd: shop.home,
        env: cleanEnv({ TERM: "xterm", ...env }),
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).replaceAll("\r\n", "\n");
    const text = onTerminal({});
    expect(text).toContain("\x1b[1mstep-0\x1b[22m");
    const widths = text
      .replace(SGR, "")
      .split("\n")
      .map((line) => line.length);
    expect(Math.max(...widths)).toBe(60);
    expect(onTerminal({ NO_COLOR: "1" })).not.toMatch(SGR);
  });
});

describe("--json has every field of the contract, in snake_case, instants with milliseconds", () => {
  const STEP_FIELDS = [
    ...words("anchor title step_index parent_anchor status claimed_by claim lease_expires_at"),
    ...words("completed_at commit_hash complete_reason blocked_by checklist items substeps artifacts"),
  ];
  const LINE_FIELDS = ["anchor", "title", "step_index"];
  const PLAN_FIELDS = [
    "plan_path",
    "plan_hash",
    "phase_title",
    "status",
    "created_at",
    "updated_at",
    "steps",
  ];

  /** Where to look in the data, and what must be there. */
  type Shape = readonly (readonly [find: (data: Data) => Data, fields: readonly string[]])[];
  const top = (...fields: readonly string[]): Shape => [[(data) => data, fields]];
  const at = (find: (data: Data) => Data, ...fields: readonly string[]): Shape => [[find, fields]];

  const verbs: readonly (readonly [name: string, ask: (shop: Workshop) => Data, shape: Shape])[] = [
    [
      "state init",
      (shop) => ok(shop.json("state", "init", PLAN)),
      top(
        "plan_path",
        "plan_hash",
        "already_initialized",
        "step_count",
        "substep_count",
        "dep_count",
        "checklist_count",
      ),
    ],
    [
      "state init --force",
      (shop) => ok(shop.json("state", "init", PLAN, "--force")),
      top(
        ...words("plan_path plan_hash already_initialized step_count substep_count dep_count"),
        ...words("checklist_count reinitialized kept_steps dropped_steps"),
      ),
    ],
    [
      "state claim",
      (shop) => ok(shop.claim(".")),
      top(
        ...words("plan_path claimed anchor title step_index claim lease_expires reclaimed displaced"),
        ...words("remaining_ready total_remaining all_completed waiting"),
      ),
    ],
    [
      "state claim without a ready step",
      (shop) => {
        ok(shop.claim(shop.worktree("other")));
        return shop.claim(".").data;
      },
      [
        ...top(
          ...words("plan_path claimed anchor title step_index claim lease_expires reclaimed"),
          ...words("displaced remaining_ready total_remaining all_completed waiting"),
        ),
        ...at((data) => data["waiting"][0], "anchor", "title", "reason", "blocked_by", "held_by", "until"),
      ],
    ],
    [
      "state start",
      (shop) => {
        ok(shop.claim("."));
        return ok(shop.work("start", ".", "step-0"));
      },
      top("plan_path", "anchor", "started"),
    ],
    [
      "state heartbeat",
      (shop) => {
        shop.take(".");
        return ok(shop.work("heartbeat", ".", "step-0"));
      },
      top("plan_path", "anchor", "lease_expires"),
    ],
    [
      "state update",
      (shop) => {
        shop.take(".");
        return ok(shop.work("update", ".", "step-0", "--all", "completed"));
      },
      top("plan_path", "anchor", "items_updated"),
    ],
    [
      "state artifact",
      (shop) => {
        shop.take(".");
        return ok(shop.work("artifact", ".", "step-0", "--kind", "auditor_summary", "--summary", "x"));
      },
      top("plan_path", "anchor", "artifact_id", "kind"),
    ],
    [
      "state complete",
      (shop) => {
        shop.take(".");
        return ok(shop.work("complete", ".", "step-0", "--force", "x"));
      },
      top("plan_path", "anchor", "completed", "forced", "commit", "all_steps_completed"),
    ],
    [
      "state complete refused",
      (shop) => {
        shop.take(".");
        return shop.work("complete", ".", "step-0").issues[0]?.details ?? {};
      },
      top("incomplete_items", "incomplete_substeps"),
    ],
    [
      "state show <plan>",
      (shop) => {
        shop.take(".");
        return ok(shop.json("state", "show", PLAN));
      },
      [
        ...at((data) => data["plan"], ...PLAN_FIELDS),
        ...at((data) => data["plan"]["steps"][0], ...STEP_FIELDS),
        ...at((data) => data["plan"]["steps"][1]["substeps"][0], ...STEP_FIELDS),
        ...at(
          (data) => data["plan"]["steps"][0]["checklist"],
          ...words("tasks_total tasks_completed tests_total tests_completed"),
          ...words("checkpoints_total checkpoints_completed"),
        ),
        ...at((data) => data["plan"]["steps"][0]["items"][0], "kind", "ordinal", "text", "status"),
      ],
    ],
    ["state show", (shop) => ok(shop.json("state", "show")), at((data) => data["plans"][0], ...PLAN_FIELDS)],
    [
      "state ready",
      (shop) => {
        shop.finish(".", "step-0");
        shop.take(".", "step-1");
        return ok(shop.json("state", "ready", PLAN));
      },
      [
        ...top("plan_path", "ready", "blocked", "held", "expired_claim", "completed"),
        ...at((data) => data["completed"][0], ...LINE_FIELDS),
        ...at((data) => data["held"][0], ...LINE_FIELDS),
        ...at((data) => data["blocked"][0], ...LINE_FIELDS),
      ],
    ],
    [
      "state reset",
      (shop) => {
        shop.take(".");
        return ok(shop.json("state", "reset", PLAN, "step-0"));
      },
      top("plan_path", "anchor", "reset"),
    ],
    [
      "state release",
      (shop) => {
        shop.take(".");
        return ok(shop.work("release", ".", "step-0"));
      },
      top("plan_path", "anchor", "released", "was_claimed_by"),
    ],
    [
      "state reconcile",
      (shop) => {
        shop.finish(".", "step-0", "--commit", shop.repository.git("rev-parse", "HEAD"));
        shop.repository.git(
          "commit",
          "-q",
          "--allow-empty",
          "-m",
          `x\n\nPawl-Step: step-0\nPawl-Plan: ${PLAN}`,
        );
        return ok(shop.json("state", "reconcile", PLAN, "--trust-unsigned"));
      },
      [
        ...top("plan_path", "reconciled_count", "skipped_count", "skipped_mismatches", "proposals"),
        ...at((data) => data["skipped_mismatches"][0], "step_anchor", "db_hash", "git_hash"),
      ],
    ],
    [
      "doctor",
      (shop) => ok(shop.json("doctor")),
      [
        ...top("checks", "summary"),
        ...at((data) => data["checks"][0], "name", "status", "message", "details"),
        ...at((data) => data["summary"], "passed", "warnings", "failures"),
      ],
    ],
  ];

  /** Every name and value in a tree. */
  const cells = (value: unknown): readonly (readonly [string, unknown])[] =>
    typeof value !== "object" || value === null
      ? []
      : Object.entries(value).flatMap(([name, inner]) => [
          ...(Array.isArray(value) ? [] : [[name, inner] as const]),
          ...cells(inner),
        ]);

  it.each(verbs)("%s", (_, ask, shape) => {
    const data = ask(workshop());
    for (const [find, fields] of shape)
      expect(Object.keys(find(data))).toEqual(expect.arrayContaining([...fields]));
    for (const [name, value] of cells(data)) {
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
      if (/_at$|^until$|^lease_expires$/.test(name) && value !== null)
        expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      if (name.endsWith("anchor") && value !== null) expect(value).toMatch(/^[^#]/);
    }
  });

  it("prints exactly one line on stdout and nothing on stderr, for answers and refusals", () => {
    const shop = workshop();
    const forms = [
      ["state", "show", PLAN],
      ["state", "start", PLAN, "step-0", "--worktree", "."],
      ["--version"],
      ["state", "--help"],
      ["nonsense"],
    ].map((args) => shop.text(...args, "--json"));
    for (const { stdout, stderr } of forms) {
      expect(stderr).toBe("");
      expect(stdout).toMatch(/^\{"schema_version":"1","command":.+\}\n$/);
      expect(stdout.split("\n")).toHaveLength(2);
      expect(Object.keys(JSON.parse(stdout))).toEqual([
        "schema_version",
        "command",
        "status",
        "data",
        "issues",
      ]);
    }
  });

  it("keeps data on stdout and warnings on stderr without --json, and -q keeps only the latter", () => {
    const shop = workshop();
    shop.repository.write(PLAN, `${SMALL_PLAN}\nedited\n`);
    const loud = shop.text("state", "init", PLAN);
    expect(loud.stdout).toMatch(/^plan\.md has state already/);
    expect(loud.stderr).toMatch(/^warning: /);
    expect(shop.text("state", "init", PLAN, "-q")).toMatchObject({ stdout: "", stderr: loud.stderr });
  });
});

describe("pawl completion bash", () => {
  it("prints a script that completes in a real bash", () => {
    const shop = workshop();
    const script = join(shop.home, "completion.bash");
    writeFileSync(script, shop.text("completion", "bash").stdout);
    expect(existsSync(script)).toBe(true);
    const complete = (...typed: readonly string[]): readonly string[] =>
      execFileSync(
        "bash",
        [
          ...words("--noprofile --norc -c"),
          `source "$1"; shift
           COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
           spec=$(complete -p pawl); [[ $spec =~ -F\\ ([^ ]+) ]] && "\${BASH_REMATCH[1]}" pawl "\${@: -1}" "\${@: -2:1}"
           printf '%s\\n' "\${COMPREPLY[@]}"`,
          "bash",
          script,
          ...typed,
        ],
        { encoding: "utf8", cwd: shop.home, env: cleanEnv() },
      )
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    expect(complete("pawl", "st")).toEqual(["state", "status"]);
    expect(complete("pawl", "state", "re")).toEqual(
      expect.arrayContaining(["ready", "release", "reset", "reopen", "reconcile", "restore"]),
    );
    expect(complete("pawl", "state", "claim", "--w")).toEqual(["--worktree"]);
    expect(complete("pawl", "state", "claim", "--")).toEqual(
      expect.arrayContaining(["--lease-duration", "--force"]),
    );
    expect(complete("pawl", "state", "claim", "pl")).toContain(PLAN);
    expect(complete("pawl", "zz")).toEqual([]);
  });
});

describe("state events --follow", () => {
  interface Follower {
    /** Waits until the text has been printed. */
    readonly sees: (text: string) => Promise<void>;
    readonly printed: () => string;
    readonly end: (signal: NodeJS.Signals) => Promise<number>;
  }

  function follow(shop: Workshop, ...more: readonly string[]): Follower {
    const child = spawn(process.execPath, [PAWL, "state", "events", "--follow", ...more], {
      cwd: shop.home,
      env: cleanEnv(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
    return {
      sees: (text) => until(() => printed.includes(text), `it prints ${text}`),
      printed: () => printed,
      async end(signal) {
        const ended = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
        child.kill(signal);
        const [code, by] = await ended;
        // As a shell tells it: what a signal ended has the signal's number on top of 128.
        return code ?? 128 + ({ SIGINT: 2, SIGTERM: 15 } as Record<string, number>)[by ?? ""]!;
      },
    };
  }

  it("prints what is there, then what another process does, and ends on SIGINT with 130", async () => {
    const shop = workshop();
    const follower = follow(shop, PLAN);
    await follower.sees("saved  plan.md");
    ok(shop.claim("."));
    await follower.sees("claimed  plan.md step-0 claim 1");
    ok(shop.work("start", ".", "step-0"));
    await follower.sees("started  plan.md step-0 claim 1");
    expect(await follower.end("SIGINT")).toBe(130);
    expect(follower.printed().trimEnd().split("\n")).toHaveLength(3);
  });

  it("ends on SIGTERM with 143", async () => {
    const shop = workshop();
    const follower = follow(shop);
    await follower.sees("saved");
    expect(await follower.end("SIGTERM")).toBe(143);
  });

  it("prints one JSON object per line with --jsonl", async () => {
    const shop = workshop();
    const follower = follow(shop, "--jsonl");
    await follower.sees('"event":"saved"');
    ok(shop.claim("."));
    await follower.sees('"event":"claimed"');
    await follower.end("SIGINT");
    const lines = follower.printed().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: "saved", plan_path: PLAN },
      { event: "claimed", anchor: "step-0", claim: 1 },
    ]);
  });

  it.each([
    ["--last 0", ["--last", "0"], 0],
    ["--last 1", ["--last", "1"], 1],
    ["--after the newest", ["--after", "3"], 0],
  ])("starts where the options say: %s", async (_, more, before) => {
    const shop = workshop(flatPlan(3));
    ok(shop.json("state", "hold", PLAN, "step-1"));
    ok(shop.json("state", "hold", PLAN, "step-2"));
    const follower = follow(shop, ...more);
    if (before > 0) await follower.sees("step-2");
    // It is up once it has printed the first event.
    const marks = { count: 0 };
    await until(() => {
      if (follower.printed().includes("mark")) return true;
      marks.count += 1;
      ok(shop.json("state", "reset", PLAN, "step-3", "--reason", `mark ${marks.count}`));
      return false;
    }, "it follows");
    await follower.sees(`mark ${marks.count}`);
    await follower.end("SIGINT");
    const lines = follower.printed().trimEnd().split("\n");
    expect(lines.filter((line) => !line.includes("mark"))).toHaveLength(before);
    expect(lines.filter((line) => line.includes("saved"))).toEqual([]);
  });

  it("is refused with --json, which promises one envelope", () => {
    const shop = workshop();
    const issue = refused(shop.json("state", "events", "--follow"), "E066", 2);
    expect(issue.message).toContain("--follow");
  });

  it("ends quietly when its reader goes away", async () => {
    const shop = workshop();
    const pipe = `"${process.execPath}" "${PAWL}" state events --follow | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const child = spawn("bash", ["-c", pipe], {
      cwd: shop.home,
      env: cleanEnv(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let [out, errors] = ["", ""];
    child.stdout.on("data", (text: Buffer) => (out += text.toString()));
    child.stderr.on("data", (text: Buffer) => (errors += text.toString()));
    ok(shop.claim("."));
    await until(() => {
      if (child.exitCode === null) ok(shop.claim("."));
      return child.exitCode !== null && out.split("\n").length > 2;
    }, "it ended");
    expect(out).toMatch(/ saved {2}plan\.md .*\n0\n$/);
    expect(errors).toBe("");
  });
});
