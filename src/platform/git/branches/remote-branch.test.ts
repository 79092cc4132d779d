import { describe, expect, it } from "vitest";
import { Failure } from "../../../domain/index.ts";
import type { GitCall, RunGit } from "../process/run-git.ts";
import { fetchBranch, pushBranch } from "./remote-branch.ts";

const PUSH = { remote: "origin", branch: "pawl/plan", commit: "c".repeat(40), expected: undefined };

const configFor = async () => new Map<string, string>();

/** A git that ends so, and the calls that it got. */
function scripted(end: (call: GitCall) => string): { readonly run: RunGit; readonly calls: GitCall[] } {
  const calls: GitCall[] = [];
  return {
    calls,
    run: async (call) => {
      calls.push(call);
      return end(call);
    },
  };
}

const failing = (...stderr: readonly string[]) =>
  scripted(() => {
    throw new Failure("git/failed", "git push ended with exit code 128.", { stderr });
  });

const rejecting = (porcelain: string, ...said: readonly string[]) =>
  scripted((call) => {
    call.onExit?.(1);
    call.onWarning?.(said);
    return porcelain;
  });

describe("a push", () => {
  it("names the value that it expects, and asks nothing on a terminal", async () => {
    const { run, calls } = scripted(() => "");
    expect(await pushBranch({ run, configFor, env: {} }, PUSH)).toEqual({ kind: "pushed" });
    expect(calls[0]!.args).toContain("--force-with-lease=refs/heads/pawl/plan:");
    expect(calls[0]!.variables).toMatchObject({ SSH_ASKPASS: "false", SSH_ASKPASS_REQUIRE: "force" });
  });

  it("leaves the user's own way of asking alone", async () => {
    const { run, calls } = scripted(() => "");
    await pushBranch({ run, configFor, env: { SSH_ASKPASS: "/usr/bin/ask" } }, PUSH);
    expect(calls[0]!.variables).toEqual({});
  });

  it("that the server refuses is answered in the server's words, without keys", async () => {
    const { run } = rejecting(
      "To https://me:key@example.com/x.git\n!\tabc:refs/heads/x\t[remote rejected] (pre-receive hook declined)\n",
      "remote: not on Fridays",
      "remote: see https://bot:key@example.com/rules",
      "error: failed to push some refs",
    );
    expect(await pushBranch({ run, configFor, env: {} }, PUSH)).toEqual({
      kind: "rejected",
      said: [
        "not on Fridays",
        "see https://example.com/rules",
        "[remote rejected] (pre-receive hook declined)",
      ],
    });
  });

  it("that does not get there fails as unreachable, without keys", async () => {
    const { run } = failing("fatal: unable to access 'https://me:key@example.com/x.git/': no route");
    await expect(pushBranch({ run, configFor, env: {} }, PUSH)).rejects.toMatchObject({
      problem: "remote/unreachable",
      message: "origin cannot be reached: fatal: unable to access 'https://example.com/x.git/': no route.",
    });
  });
});

it("a fetch that another fetch got in the way of is repeated", async () => {
  let round = 0;
  const { run } = scripted((call) => {
    if (call.args[0] !== "fetch") return "";
    round += 1;
    if (round === 1)
      throw new Failure("git/failed", "git fetch failed", {
        stderr: ["error: cannot lock ref 'x': is at y"],
      });
    return "";
  });
  await fetchBranch({ run, configFor, env: {} }, "origin", "pawl/plan");
  expect(round).toBe(2);
});
