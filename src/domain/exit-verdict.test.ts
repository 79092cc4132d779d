import { describe, expect, it } from "vitest";
import { type AgentTrouble, TROUBLES } from "./agent-event.ts";
import { type ExitFacts, type ExitOutcome, PAUSES, STOP_CAUSES, verdictOfExit } from "./exit-verdict.ts";

const plain: ExitFacts = {
  exitCode: 0,
  signal: undefined,
  stopped: undefined,
  result: undefined,
  trouble: undefined,
  stuck: false,
};

/** Every combination of what a run can look like. */
function* everyExit(): Generator<ExitFacts> {
  const troubles: (AgentTrouble | undefined)[] = [undefined];
  for (const kind of TROUBLES)
    for (const from of ["field", "words"] as const) troubles.push({ kind, from, said: "x", untilMs: 7 });
  const results = [undefined, { ok: true }, { ok: false }, { ok: false, because: "turns" as const }];
  for (const [exitCode, signal] of [
    [0, undefined],
    [1, undefined],
    [undefined, "SIGKILL"],
    [undefined, undefined],
  ] as const)
    for (const stopped of [undefined, ...STOP_CAUSES])
      for (const result of results)
        for (const trouble of troubles)
          for (const stuck of [false, true]) yield { exitCode, signal, stopped, result, trouble, stuck };
}

describe("the verdict of an exit", () => {
  it("is finished only after exit code 0, unstopped, with no word against it", () => {
    for (const facts of everyExit()) {
      if (verdictOfExit(facts).outcome !== "finished") continue;
      expect(facts).toMatchObject({ exitCode: 0, signal: undefined, stopped: undefined });
      expect(facts.result?.ok).not.toBe(false);
    }
  });

  it("never uses up an attempt for a problem that a field reports", () => {
    for (const facts of everyExit()) {
      if (facts.trouble?.from !== "field" || facts.stopped || facts.signal || facts.result?.ok) continue;
      expect(verdictOfExit(facts).outcome).toBe(facts.trouble.kind);
    }
  });

  it("is killed by the supervisor whenever it was stopped, but for timeouts and silence", () => {
    const ENDS = { timeout: "timed_out", silence: "silent" } as const;
    for (const facts of everyExit()) {
      if (facts.stopped === undefined) continue;
      const verdict = verdictOfExit(facts);
      if (facts.stopped !== "timeout" && facts.stopped !== "silence")
        expect(verdict).toMatchObject({ outcome: "killed", by: "supervisor" });
      else if (facts.stuck && facts.trouble) expect(verdict.outcome).toBe(facts.trouble.kind);
      else expect(verdict).toEqual({ outcome: ENDS[facts.stopped] });
    }
  });

  it("counts as killed from outside after any other death by signal", () => {
    for (const facts of everyExit()) {
      if (facts.signal === undefined || facts.stopped !== undefined) continue;
      expect(verdictOfExit(facts)).toEqual({ outcome: "killed", signal: "SIGKILL", by: "somebody" });
    }
  });

  it("reaches every outcome", () => {
    const reached = new Set<ExitOutcome>();
    for (const facts of everyExit()) reached.add(verdictOfExit(facts).outcome);
    expect([...reached].toSorted()).toEqual(
      ["finished", "failed", "killed", "timed_out", "silent", ...TROUBLES].toSorted(),
    );
  });

  it("carries the end of a limit", () => {
    const trouble: AgentTrouble = { kind: "limited", untilMs: 42, from: "field", said: "wait" };
    expect(verdictOfExit({ ...plain, exitCode: 1, trouble })).toEqual({
      outcome: "limited",
      untilMs: 42,
      said: "wait",
    });
  });

  it("pauses for what waiting or a person can fix, not for what the work did", () => {
    expect([...PAUSES].toSorted()).toEqual(["limited", "offline", "unauthorised"]);
  });
});
