import { expect, it } from "vitest";
import { Failure } from "../../../domain/errors.ts";
import { identityProblem } from "../commits/identity-problem.ts";
import { readOrigin } from "../repository/remotes.ts";
import { gitStopped, type RunGit } from "./run-git.ts";

/** Ended from outside at one verb, and silent at the others. */
const endedAt =
  (verb: string): RunGit =>
  ({ args }) =>
    args[0] === verb ? Promise.reject(gitStopped(args, "SIGKILL")) : Promise.resolve("");

it.each([
  ["who commits", () => identityProblem(endedAt("var"))],
  ["the remotes", () => readOrigin(endedAt("config"))],
  ["the first commit", () => readOrigin(endedAt("rev-list"))],
])("a git that is killed has not answered about %s", async (_, ask) => {
  await expect(ask()).rejects.toMatchObject({ problem: "git/stopped" });
});

it("a git that fails says why it would not commit", async () => {
  const failing = () => Promise.reject(new Failure("git/failed", "no name", {}));
  expect(await identityProblem(failing)).toBe("no name");
});
