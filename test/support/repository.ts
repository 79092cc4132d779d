import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A throw-away git repository with one commit. Remove it with `remove` when the test is over. */
export interface TestRepository {
  readonly path: string;
  readonly git: (...args: readonly string[]) => string;
  /** Writes a file below the repository and returns its path. */
  readonly write: (name: string, content: string | Uint8Array) => string;
  /** Adds a linked worktree beside the repository and returns its path. */
  readonly addWorktree: (name: string) => string;
  readonly remove: () => void;
}

export function testRepository(
  options: { readonly bare?: boolean; readonly below?: string } = {},
): TestRepository {
  const repository = repositoryIn(newFolder(options.below));
  mkdirSync(repository.path);
  repository.git("init", "-q", "-b", "main", ...(options.bare ? ["--bare"] : []));
  if (!options.bare) repository.git("commit", "-q", "--allow-empty", "-m", "root");
  return repository;
}

/** A repository like another one, with everything in it. Linked worktrees stay with the other one. */
export function copyRepository({ path }: Pick<TestRepository, "path">): TestRepository {
  const repository = repositoryIn(newFolder());
  cpSync(path, repository.path, { recursive: true });
  return repository;
}

const newFolder = (below = tmpdir()): string => realpathSync(mkdtempSync(join(below, "pawl-test-")));

function repositoryIn(home: string): TestRepository {
  const path = join(home, "repo");
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", path, ...args], {
      encoding: "utf8",
      env: cleanEnv(),
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  return {
    path,
    git,
    write(name, content) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    addWorktree(name) {
      const folder = join(home, name);
      git("worktree", "add", "-q", "-b", name, folder);
      wholeSeconds(join(git("-C", folder, "rev-parse", "--absolute-git-dir"), "commondir"));
      return folder;
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** A worktree is known by when it was made; a copy of the repository keeps whole seconds exactly. */
function wholeSeconds(path: string): void {
  const seconds = Math.floor(statSync(path).mtimeMs / 1000);
  utimesSync(path, seconds, seconds);
}

/** The environment without anything of git's or Pawl's, and with a fixed author. */
export function cleanEnv(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(GIT_|PAWL_|NODE_EXTRA_CA_CERTS)/.test(name),
  );
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    GIT_AUTHOR_NAME: "Test",
    GIT_AUTHOR_EMAIL: "test@example.invalid",
    GIT_COMMITTER_NAME: "Test",
    GIT_COMMITTER_EMAIL: "test@example.invalid",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    ...more,
  };
}
