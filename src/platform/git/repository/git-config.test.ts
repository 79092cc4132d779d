import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { throwawayGit } from "../../../../test/support/throwaway-git.ts";
import { parseSettings } from "./git-config.ts";

const scratch = throwawayGit();
afterAll(() => scratch.remove());

function askGit(text: string): Map<string, string> {
  writeFileSync(scratch.path("config"), text);
  const listed = execFileSync("git", ["config", "--file", scratch.path("config"), "--list", "-z"], {
    env: scratch.env,
    encoding: "utf8",
  });
  const entries = listed.split("\0").filter((entry) => entry !== "");
  return new Map(
    entries.map((entry) => {
      const end = entry.indexOf("\n");
      return end === -1 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}

it.each([
  "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n",
  "[core] bare = true\n[extensions]\n\tworktreeConfig = true\n",
  "[CORE]\nBare\n",
  "[core]\nworktree = ../../../sub # where it is\nbare=no ; not\n",
  '[core]\nworktree = "/a # b;c" d  e   \n',
  '[core]\nworktree = "with \\"quotes\\" and \\\\ and \\t"\n',
  "[core]\nworktree = joined\\\n  line\nbare = true\n",
  "# comment \\\n[core]\n; other \\\n bare = yes\n",
  '[core "sub"]\nbare = true\n[core]\nbare = false\n[core]\nbare = true\n',
  '[remote "a]b"]\nurl = x\n[core]\nbare = 1\n',
  "[core]\r\nbare = true\r\nworktree = x\r\n",
  '[core]\nworktree = a "" b ""  \n',
  '[core]\nworktree = ""\n',
  "[core]\nworktree =\nbare\n",
  "\u{feff}[core]\nbare = true",
  '[branch "feature/ü"]\nmerge = refs/heads/x\n[core]\nworktree = ü\n',
])("reads settings as git does: %j", (text) => {
  expect(parseSettings(text)).toEqual(askGit(text));
});

it.each(["[core\nbare = true\n", "nonsense\u{0}", "[core]\nbare = true\n= 3\n"])(
  "reads what comes before a fault: %j",
  (text) => {
    expect(() => parseSettings(text)).not.toThrow();
  },
);
