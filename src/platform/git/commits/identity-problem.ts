import { type RunGit, unlessStopped } from "../process/run-git.ts";

/** Git asks for both when it commits, and each can be set on its own. */
const IDENTITIES = ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"] as const;

/** Why git cannot name an author, in its own words; undefined when it would. */
export async function identityProblem(run: RunGit): Promise<string | undefined> {
  const problems = await Promise.all(
    IDENTITIES.map(async (name) => {
      try {
        await run({ args: ["var", name], access: "read" });
        return undefined;
      } catch (error) {
        return unlessStopped((error as Error).message)(error);
      }
    }),
  );
  return problems.find((problem) => problem !== undefined);
}
