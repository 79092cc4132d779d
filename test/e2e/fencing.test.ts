import { describe, expect, it } from "vitest";
import { pawl, pawlAsync, type Envelope } from "../support/cli.ts";
import { flatPlan, planText, SMALL_PLAN } from "../support/plans.ts";
import {
  type Answer,
  type Data,
  ok,
  PLAN,
  refused,
  type Workshop,
  workshop,
  words,
} from "../support/workshop.ts";
import { query, worldOf } from "../support/world.ts";

const ONE_STEP = planText([{ number: "0", tasks: ["dig"] }]);

/** Every verb by which an owner changes its step. */
const OWNER_VERBS: readonly (readonly [verb: string, ...more: readonly string[]])[] = [
  ["start"],
  ["heartbeat"],
  ["update", "--all", "completed"],
  ["artifact", "--kind", "auditor_summary", "--summary", "done"],
  ["complete"],
  ["complete", "--force", "it is done"],
  ["release"],
];

const journalOf = (shop: Workshop): readonly Data[] => ok(shop.json("state", "events"))["events"] as Data[];

describe("the number of a claim", () => {
  it("rises with every claim, release and reset of the step, and with no other verb", () => {
    const shop = workshop(ONE_STEP);
    const mine = shop.worktree("mine");
    const number = () => shop.step("step-0")["claim"] as number;
    const numbers = [number()];
    const after = (answer: Answer) => {
      ok(answer);
      numbers.push(number());
    };
    after(shop.claim(mine));
    after(shop.work("start", mine, "step-0"));
    after(shop.work("heartbeat", mine, "step-0"));
    after(shop.claim(mine));
    after(shop.work("release", mine, "step-0"));
    after(shop.claim(mine));
    after(shop.json("state", "reset", PLAN, "step-0"));
    after(shop.claim(mine));
    after(shop.work("start", mine, "step-0"));
    after(shop.work("complete", mine, "step-0", "--force", "x"));
    expect(numbers).toEqual([0, 1, 1, 1, 2, 3, 4, 5, 6, 6, 6]);
  });

  it.each(OWNER_VERBS)("is asked of state %s: an old one is refused and changes nothing", (verb, ...more) => {
    const shop = workshop(ONE_STEP);
    const mine = shop.worktree("mine");
    ok(shop.claim(mine));
    ok(shop.claim(mine));
    if (verb !== "start") ok(shop.work("start", mine, "step-0"));
    const rows = () => [
      query(shop.database, "select * from steps"),
      query(shop.database, "select * from checklist_items"),
      query(shop.database, "select * from step_artifacts"),
    ];
    const before = rows();

    const issue = refused(shop.work(verb, mine, "step-0", ...more, "--claim", "1"), "E076", 4);

    expect(issue.name).toBe("claim/fenced-off");
    expect(issue.message).toContain("claim 2");
    expect(issue.details).toMatchObject({ your_claim: 1, claim: 2, held_by: mine });
    expect(rows()).toEqual(before);
  });

  const ON_SUBSTEPS = OWNER_VERBS.filter(([verb]) => verb !== "release");

  it.each(ON_SUBSTEPS)("is asked of state %s on a substep, too", (verb, ...more) => {
    const shop = workshop();
    const mine = shop.worktree("mine");
    shop.finish(mine, "step-0");
    shop.take(mine, "step-1");
    ok(shop.claim(mine));
    const issue = refused(shop.work(verb, mine, "step-1-1", ...more, "--claim", "1"), "E076", 4);
    expect(issue.details).toMatchObject({ anchor: "step-1-1", your_claim: 1, claim: 2 });
  });

  it("must be the current one: a later one is refused as well, without nonsense", () => {
    const shop = workshop(ONE_STEP);
    const mine = shop.worktree("mine");
    ok(shop.claim(mine));
    const answer = shop.work("start", mine, "step-0", "--claim", "7");
    expect(answer).toMatchObject({ code: 4, status: "error" });
    expect(answer.issues[0]?.message).not.toContain(`held by ${mine}, not by ${mine}`);
    expect(answer.issues[0]?.message).toMatch(/claim/i);
  });

  it("comes from PAWL_CLAIM when it is not given, and what is given wins", () => {
    const shop = workshop(ONE_STEP);
    const mine = shop.worktree("mine");
    ok(shop.claim(mine));
    ok(shop.claim(mine));
    const start = (env: Record<string, string>, ...more: readonly string[]) =>
      shop.jsonWith({ env }, "state", "start", PLAN, "step-0", ...more);
    refused(start({ PAWL_CLAIM: "1", PAWL_WORKTREE: mine }), "E076", 4);
    ok(start({ PAWL_CLAIM: "1", PAWL_WORKTREE: "/nowhere" }, "--claim", "2", "--worktree", mine));
    expect(shop.step("step-0")["status"]).toBe("in_progress");
  });

  it("is printed for people with the claim", () => {
    const shop = workshop(ONE_STEP);
    const { stdout } = shop.text("state", "claim", PLAN, "--worktree", ".");
    expect(stdout).toMatch(
      /^Claimed step-0 {2}Work 0\n {2}claim 1, lease ends in 2h; 0 more ready, 1 to go\n {2}\[ \] task 1: dig\n {2}next: pawl state start plan\.md step-0 --worktree \.\n$/,
    );
  });
});

// proves G-late-owner-changes-nothing
describe("a late result", () => {
  /** `mine` worked on step-0 under claim 1 and made a commit; `other` has taken the step since. */
  const tooLate = (shop: Workshop) => {
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    shop.take(mine, "step-0");
    shop.repository.git("-C", mine, "commit", "-q", "--allow-empty", "-m", "late work");
    const commit = shop.repository.git("-C", mine, "rev-parse", "HEAD");
    ok(shop.claim(other, "--force", "--step", "step-0"));
    return { mine, other, commit };
  };

  it.each([
    ["with its number", ["--claim", "1"], "E076"],
    ["without a number", [], "E049"],
  ])("%s is refused, kept, held by a ref and visible", (_, more, code) => {
    const shop = workshop();
    const { mine, other, commit } = tooLate(shop);
    const before = shop.step("step-0");

    const issue = refused(shop.work("complete", mine, "step-0", "--commit", commit, ...more), code, 4);

    expect(issue.details).toMatchObject({ late_result_kept: expect.anything() });
    const after = shop.step("step-0");
    expect(after).toMatchObject({ status: "claimed", claimed_by: other, claim: 2, items: before["items"] });
    expect(after["late_results"]).toEqual([
      {
        claim: 1,
        worktree: mine,
        commit_hash: commit,
        held_ref: expect.stringMatching(/^refs\/pawl\/late\//),
        recorded_at: expect.any(String),
      },
    ]);
    const [{ held_ref: ref }] = after["late_results"];
    expect(shop.repository.git("rev-parse", ref)).toBe(commit);
    expect(shop.text("state", "show", PLAN).stdout).toContain("late result of claim 1");
    const [explained] = ok(shop.json("explain", PLAN, "step-0"))["steps"] as Data[];
    expect(JSON.stringify(explained?.["evidence"])).toContain(ref);
    expect(journalOf(shop).slice(-2)).toMatchObject([
      { event: "late-result-kept", claim: 1, worktree: mine },
      { event: "late-result-held", claim: 1, detail: { ref } },
    ]);
  });

  it("survives the removal of its branch and worktree", () => {
    const shop = workshop();
    const { mine, commit } = tooLate(shop);
    shop.work("complete", mine, "step-0", "--commit", commit, "--claim", "1");
    shop.repository.git("worktree", "remove", "--force", mine);
    shop.repository.git("branch", "-D", "mine");
    shop.repository.git("reflog", "expire", "--expire=now", "--all");
    shop.repository.git("gc", "-q", "--prune=now");
    expect(shop.repository.git("cat-file", "-t", commit)).toBe("commit");
  });

  it("does not replace an earlier one: both commits are held, and each caller learns where", () => {
    const shop = workshop();
    const { mine, commit } = tooLate(shop);
    shop.repository.git("-C", mine, "commit", "-q", "--allow-empty", "-m", "more late work");
    const second = shop.repository.git("-C", mine, "rev-parse", "HEAD");
    shop.work("complete", mine, "step-0", "--commit", commit, "--claim", "1");
    shop.work("complete", mine, "step-0", "--commit", second, "--claim", "1");

    const late = shop.step("step-0")["late_results"] as Data[];
    expect(late.map((one) => one["commit_hash"])).toEqual([commit, second]);
    expect(late.map((one) => shop.repository.git("rev-parse", one["held_ref"]))).toEqual([commit, second]);
  });

  it("is kept without a commit, and with one that git does not have", () => {
    const shop = workshop();
    const { mine } = tooLate(shop);
    refused(shop.work("complete", mine, "step-0", "--claim", "1"), "E076", 4);
    refused(shop.work("complete", mine, "step-0", "--claim", "1", "--commit", "d".repeat(40)), "E076", 4);
    expect(shop.step("step-0")["late_results"]).toMatchObject([
      { commit_hash: null, held_ref: null },
      { commit_hash: "d".repeat(40), held_ref: null },
    ]);
  });

  it.each<[string, (shop: Workshop, other: string) => void]>([
    ["the step was completed by its new owner", (shop, other) => shop.finish(other, "step-0")],
    ["the step was reset", (shop) => void ok(shop.json("state", "reset", PLAN, "step-0"))],
    ["the step was put on hold", (shop) => void ok(shop.json("state", "hold", PLAN, "step-0"))],
    ["the plan was edited", (shop) => void shop.repository.write(PLAN, `${SMALL_PLAN}\nedited\n`)],
  ])("is kept, too, when %s", (_, happens) => {
    const shop = workshop();
    const { mine, other, commit } = tooLate(shop);
    happens(shop, other);
    const before = shop.step("step-0");

    const answer = shop.work("complete", mine, "step-0", "--commit", commit, "--claim", "1");

    expect(answer).toMatchObject({ code: 4, status: "error" });
    expect(shop.step("step-0")).toMatchObject({
      status: before["status"],
      late_results: [{ claim: 1, commit_hash: commit }],
    });
  });

  it("of a substep is kept on the substep", () => {
    const shop = workshop();
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    shop.finish(mine, "step-0");
    shop.take(mine, "step-1");
    ok(shop.claim(other, "--force"));
    refused(shop.work("complete", mine, "step-1-1", "--claim", "1"), "E076", 4);
    expect(shop.step("step-1-1")["late_results"]).toMatchObject([{ claim: 1, worktree: mine }]);
  });

  it("is not kept of a worktree that never held the step", () => {
    const shop = workshop();
    const { commit } = tooLate(shop);
    const stranger = shop.worktree("stranger");
    refused(shop.work("complete", stranger, "step-0", "--commit", commit), "E049", 4);
    expect(shop.step("step-0")["late_results"]).toEqual([]);
    expect(shop.repository.git("for-each-ref", "refs/pawl")).toBe("");
  });
});

// proves G-same-request-same-answer
describe("a request id", () => {
  /** Prepares a step in the state the verb needs, then gives the words of the call. */
  const calls: readonly (readonly [name: string, prepare: (shop: Workshop) => readonly string[]])[] = [
    ["state claim", () => ["state", "claim", PLAN, "--worktree", "."]],
    [
      "state start",
      (shop) => {
        ok(shop.claim("."));
        return ["state", "start", PLAN, "step-0", "--worktree", "."];
      },
    ],
    [
      "state heartbeat",
      (shop) => {
        shop.take(".");
        return ["state", "heartbeat", PLAN, "step-0", "--worktree", "."];
      },
    ],
    [
      "state update",
      (shop) => {
        shop.take(".");
        return ["state", "update", PLAN, "step-0", "--worktree", ".", "--all", "completed"];
      },
    ],
    [
      "state artifact",
      (shop) => {
        shop.take(".");
        return words(`state artifact ${PLAN} step-0 --worktree . --kind auditor_summary --summary x`);
      },
    ],
    [
      "state complete",
      (shop) => {
        shop.take(".");
        return ["state", "complete", PLAN, "step-0", "--worktree", ".", "--force", "x"];
      },
    ],
    [
      "state release",
      (shop) => {
        shop.take(".");
        return ["state", "release", PLAN, "step-0", "--worktree", "."];
      },
    ],
    [
      "state reset",
      (shop) => {
        shop.take(".");
        return ["state", "reset", PLAN, "step-0"];
      },
    ],
    ["state hold", () => ["state", "hold", PLAN, "step-0"]],
    [
      "state retry",
      (shop) => {
        ok(shop.json("state", "hold", PLAN, "step-0"));
        return ["state", "retry", PLAN, "step-0"];
      },
    ],
    [
      "state reopen",
      (shop) => {
        shop.finish(".", "step-0");
        return ["state", "reopen", PLAN, "step-0", "--reason", "x"];
      },
    ],
    [
      "state reconcile",
      (shop) => {
        shop.repository.git(
          "commit",
          "-q",
          "--allow-empty",
          "-m",
          `x\n\nPawl-Step: step-0\nPawl-Plan: ${PLAN}`,
        );
        return ["state", "reconcile", PLAN, "--trust-unsigned"];
      },
    ],
  ];

  it.each(calls)("makes %s repeatable: the same answer, one effect", (_, prepare) => {
    const shop = workshop(ONE_STEP);
    const words = prepare(shop);
    const first = ok(shop.json(...words, "--request-id", "r-1"));
    const before = worldOf(shop.repository);

    expect(ok(shop.json(...words, "--request-id", "r-1"))).toEqual(first);
    expect(worldOf(shop.repository)).toEqual(before);
  });

  it.each(calls.filter(([name]) => name !== "state claim"))(
    "that was used for another call is refused by %s",
    (_, prepare) => {
      const shop = workshop(planText([{ number: "0", tasks: ["dig"] }, { number: "1" }]));
      const other = shop.worktree("other");
      ok(shop.claim(other, "--step", "step-1", "--request-id", "r-1"));
      const words = prepare(shop);
      const before = worldOf(shop.repository);

      const issue = refused(shop.json(...words, "--request-id", "r-1"), "E078", 2);

      expect(issue.details).toMatchObject({ request_id: "r-1", verb: "claim" });
      expect(worldOf(shop.repository)).toEqual(before);
    },
  );

  it("tells calls of one verb apart by what they ask for", () => {
    const shop = workshop(SMALL_PLAN);
    shop.take(".");
    const update = (...more: readonly string[]) =>
      shop.work("update", ".", "step-0", ...more, "--request-id", "r-1");
    ok(update("--task", "1", "completed"));
    refused(update("--task", "2", "completed"), "E078", 2);
    expect(shop.items("step-0").slice(0, 2)).toEqual(["task 1: completed", "task 2: open"]);
  });

  it("tells artifacts apart by their content", () => {
    const shop = workshop(ONE_STEP);
    shop.take(".");
    const call = words(`state artifact ${PLAN} step-0 --worktree . --kind auditor_summary --summary x`);
    const record = (input: string) => shop.jsonWith({ input }, ...call, "--request-id", "r-1");
    const first = ok(record("first"));
    refused(record("second"), "E078", 2);
    expect(ok(record("first"))).toEqual(first);
  });

  it("gives the lost answer of a claim even after the step moved on", () => {
    const shop = workshop(flatPlan(2));
    const mine = shop.worktree("mine");
    const first = ok(shop.claim(mine, "--request-id", "r-1"));
    ok(shop.work("start", mine, "step-1"));
    ok(shop.work("complete", mine, "step-1"));
    expect(ok(shop.claim(mine, "--request-id", "r-1"))).toEqual(first);
    expect(shop.step("step-2")["status"]).toBe("pending");
  });

  it("gives the lost refusal of a late result, and keeps the result once", () => {
    const shop = workshop(ONE_STEP);
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    shop.take(mine);
    ok(shop.claim(other, "--force"));
    const complete = () => shop.work("complete", mine, "step-0", "--claim", "1", "--request-id", "r-1");
    refused(complete(), "E076", 4);
    refused(complete(), "E076", 4);
    expect(shop.step("step-0")["late_results"]).toHaveLength(1);
  });

  it("is free again after a call that was refused", () => {
    const shop = workshop(ONE_STEP);
    const mine = shop.worktree("mine");
    refused(shop.work("start", mine, "step-0", "--request-id", "r-1"), "E050", 4);
    ok(shop.claim(mine));
    expect(ok(shop.work("start", mine, "step-0", "--request-id", "r-1"))["started"]).toBe(true);
  });

  it("makes eight processes that ask at once one claim", async () => {
    const shop = workshop(flatPlan(8));
    const mine = shop.worktree("mine");
    const call = words(`state claim ${PLAN} --worktree ${mine} --request-id r-1 --json`);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => pawlAsync({ cwd: shop.home }, ...call)),
    );
    const data = answers.map(({ stdout }) => (JSON.parse(stdout) as Envelope).data);
    expect(data).toEqual(Array.from({ length: 8 }, () => data[0]));
    expect(query(shop.database, "select claim from events where event in ('claimed', 'reclaimed')")).toEqual([
      { claim: 1 },
    ]);
  });
});

describe("verbs for people, called inside a session", () => {
  const OPERATOR_CALLS: readonly (readonly string[])[] = [
    ["init"],
    ["state", "init", PLAN, "--force"],
    ["state", "init", PLAN, "--force", "--discard-progress"],
    ["state", "claim", PLAN, "--worktree", ".", "--force"],
    ["state", "complete", PLAN, "step-0", "--worktree", ".", "--force", "because"],
    ["state", "release", PLAN, "step-0", "--force"],
    ["state", "reset", PLAN, "step-0"],
    ["state", "hold", PLAN, "step-0"],
    ["state", "retry", PLAN, "step-0"],
    ["state", "reopen", PLAN, "step-0", "--reason", "because"],
    ["state", "reconcile", PLAN, "--force"],
    ["state", "reconcile", PLAN, "--trust-unsigned"],
    ["state", "prune"],
    ["state", "restore", "saved.json"],
  ];

  it.each(OPERATOR_CALLS.map((words) => [words.join(" "), words] as const))("refuses %s", (_, words) => {
    const shop = workshop(ONE_STEP);
    shop.take(".");
    shop.repository.write("saved.json", "{}");
    const before = worldOf(shop.repository);
    const env = { PAWL_SESSION: "s-agent" };

    const issue = refused(shop.jsonWith({ env }, ...words), "E077", 4);
    const { code, stdout, stderr } = pawl({ cwd: shop.home, env }, ...words);

    expect(issue.details).toMatchObject({ session_id: "s-agent" });
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(stderr).toMatch(/^error\[E077\] .* is not for agents: this is session s-agent\.\n {2}hint: /);
    expect(worldOf(shop.repository)).toEqual(before);
  });

  it.each([
    ["state init", ["state", "init", PLAN]],
    ["state show", ["state", "show", PLAN]],
    ["state reconcile", ["state", "reconcile", PLAN]],
    ["state reconcile --force --dry-run", ["state", "reconcile", PLAN, "--force", "--dry-run"]],
    ["state prune --dry-run", ["state", "prune", "--dry-run"]],
    ["doctor", ["doctor"]],
    ["explain", ["explain", PLAN]],
  ] as const)("does not refuse %s", (_, args) => {
    const shop = workshop(ONE_STEP);
    const answer = shop.jsonWith({ env: { PAWL_SESSION: "s-agent" } }, ...args);
    expect(answer).toMatchObject({ code: 0, status: "ok" });
  });

  it("are never what a hint or an explanation tells a worker to run", () => {
    const shop = workshop();
    const [mine, other] = [shop.worktree("mine"), shop.worktree("other")];
    shop.take(mine, "step-0");
    const messages = [
      shop.claim(other),
      shop.work("start", other, "step-0"),
      shop.work("complete", mine, "step-0"),
      shop.work("complete", mine, "step-1"),
      shop.work("start", mine, "step-0", "--claim", "0"),
      shop.json("state", "release", PLAN, "step-2", "--force"),
      shop.json("state", "reset", PLAN, "step-9"),
      shop.json("explain", PLAN),
      shop.json("explain", PLAN, "step-0"),
    ];
    shop.repository.write(PLAN, `${SMALL_PLAN}\nedited`);
    messages.push(shop.claim(mine), shop.json("state", "init", PLAN));
    for (const { data, issues } of messages) {
      const said = JSON.stringify([
        issues.map(({ message, hint }) => [message, hint]),
        (data["steps"] as Data[] | undefined)?.map((step) => step["options"]),
      ]);
      expect(said).not.toMatch(
        /--force|--discard|state (?:reset|reopen|prune|restore)|\brm\b|git (?:clean|reset)/,
      );
    }
  });
});
