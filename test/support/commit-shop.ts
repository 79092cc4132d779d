import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, ok, PLAN, type Workshop, workshop } from "./workshop.ts";

/** A plan of three steps without items, but for the last one, and what its steps are to be called in git. */
export const COMMIT_PLAN = `## Phase 1.0: Three steps {#phase}

### Execution Steps {#execution-steps}

#### Step 1: Lay the ground {#step-1}

**Commit:** \`feat(ground): lay it\`

---

#### Step 2: Build {#step-2}

---

#### Step 3: Paint {#step-3}

**Tasks:**
- [ ] choose a colour
`;

/** A workshop in which steps are committed. */
export interface CommitShop extends Workshop {
  /** `pawl commit` for a step in a worktree, with `--json`. */
  readonly commit: (worktree: string, step: string, ...more: readonly string[]) => Answer;
  readonly write: (worktree: string, name: string, text?: string) => void;
  readonly git: (worktree: string, ...args: readonly string[]) => string;
  readonly message: (worktree: string, commit?: string) => string;
  readonly commits: (worktree: string) => readonly string[];
  readonly hook: (name: string, script: string) => void;
}

export function commitShop(plan = COMMIT_PLAN): CommitShop {
  const shop = workshop(null);
  shop.repository.write(PLAN, plan);
  shop.repository.git("add", "-A");
  shop.repository.git("commit", "-q", "-m", "the plan");
  ok(shop.json("state", "init", PLAN));
  const git: CommitShop["git"] = (worktree, ...args) => shop.repository.git("-C", worktree, ...args);
  return {
    ...shop,
    commit: (worktree, step, ...more) =>
      shop.json("commit", "--plan", PLAN, "--step", step, "--worktree", worktree, ...more),
    write(worktree, name, text = `${name}\n`) {
      const path = join(worktree, name);
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, text);
    },
    git,
    message: (worktree, commit = "HEAD") => git(worktree, "log", "-1", "--format=%B", commit),
    commits: (worktree) => git(worktree, "log", "--format=%H").split("\n"),
    hook(name, script) {
      const path = join(shop.home, ".git/hooks", name);
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, `#!/bin/sh\n${script}\n`);
      chmodSync(path, 0o755);
    },
  };
}
