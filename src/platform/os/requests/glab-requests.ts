import type { HostedCheck, Requests } from "../../ports/index.ts";
import { jsonOf, type RunTool } from "./run-tool.ts";

interface GlabRequest {
  readonly iid: number;
  readonly web_url: string;
  readonly description: string | null;
  readonly draft: boolean;
  readonly state: string;
}

/** Merge requests by GitLab's own program. */
export const glabRequests = (run: RunTool, repository: string): Requests => {
  const at = ["--repo", repository];
  return {
    program: "glab",
    async list(branch) {
      const text = await run(["mr", "list", ...at, "--source-branch", branch, "--all", "--output", "json"]);
      return (jsonOf(text, "glab") as readonly GlabRequest[]).map((one) => ({
        number: one.iid,
        url: one.web_url,
        body: one.description ?? "",
        isDraft: one.draft,
        isOpen: one.state === "opened",
      }));
    },
    async open({ branch, base, title, body }) {
      const words = [
        "--source-branch",
        branch,
        "--target-branch",
        base,
        "--title",
        title,
        "--description",
        body,
      ];
      await run(["mr", "create", ...at, ...words, "--draft", "--yes"]);
    },
    async write(number, body) {
      await run(["mr", "update", String(number), ...at, "--description", body]);
    },
    async ready(number) {
      await run(["mr", "update", String(number), ...at, "--ready"]);
    },
    async checks(_number, branch) {
      const text = await run(["ci", "get", ...at, "--branch", branch, "--output", "json"]);
      const { jobs = [] } = jsonOf(text, "glab") as {
        readonly jobs?: readonly {
          readonly name: string;
          readonly status: string;
          readonly allow_failure?: boolean;
        }[];
      };
      return jobs
        .filter(({ allow_failure: mayFail }) => mayFail !== true)
        .map(({ name, status }) => ({ name, outcome: OUTCOMES[status] ?? "pending" }));
    },
  };
};

const OUTCOMES: Readonly<Record<string, HostedCheck["outcome"]>> = {
  success: "passed",
  skipped: "passed",
  failed: "failed",
  canceled: "failed",
};
