import type { HostedCheck, Requests } from "../../ports/index.ts";
import { jsonOf, type RunTool } from "./run-tool.ts";

interface GhRequest {
  readonly number: number;
  readonly url: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly state: string;
}

/** Exit codes of `gh pr checks`: a check failed, or has not ended. */
const CHECK_CODES = [1, 8];

/** Pull requests by GitHub's own program. */
export const ghRequests = (run: RunTool, repository: string): Requests => {
  const at = ["--repo", repository];
  return {
    program: "gh",
    async list(branch) {
      const fields = ["--json", "number,url,body,isDraft,state", "--limit", "100"];
      const text = await run(["pr", "list", ...at, "--head", branch, "--state", "all", ...fields]);
      return (jsonOf(text, "gh") as readonly GhRequest[]).map(({ state, ...request }) => ({
        ...request,
        isOpen: state === "OPEN",
      }));
    },
    async open({ branch, base, title, body }) {
      const words = ["--head", branch, "--base", base, "--title", title, "--body-file", "-", "--draft"];
      await run(["pr", "create", ...at, ...words], body);
    },
    async write(number, body) {
      await run(["pr", "edit", String(number), ...at, "--body-file", "-"], body);
    },
    async ready(number) {
      await run(["pr", "ready", String(number), ...at]);
    },
    async checks(number) {
      const text = await run(
        ["pr", "checks", String(number), ...at, "--json", "name,bucket"],
        undefined,
        CHECK_CODES,
      );
      const found = jsonOf(text, "gh") as readonly { readonly name: string; readonly bucket: string }[];
      return found.map(({ name, bucket }) => ({ name, outcome: OUTCOMES[bucket] ?? "pending" }));
    },
  };
};

const OUTCOMES: Readonly<Record<string, HostedCheck["outcome"]>> = {
  pass: "passed",
  skipping: "passed",
  fail: "failed",
  cancel: "failed",
};
