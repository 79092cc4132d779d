import { Failure, shellWord } from "../../domain/index.ts";
import { join, resolve } from "node:path";
import { defineCommand } from "../command.ts";
import { shownPath } from "../load-plan.ts";

export const planNewCommand = defineCommand({
  name: "plan new",
  more: "The file is <slug>.md. It is a valid plan of two steps, to be overwritten; a file that is there stays as it is.",
  operands: [
    {
      name: "slug",
      about: "Name of the file, with or without .md: lower-case letters, digits, . _ -",
      required: true,
    },
  ],
  options: {
    title: { type: "text", value: "TITLE", about: "Title of the plan; made of the slug when left out" },
    dir: { type: "text", value: "FOLDER", about: "Where to write it; here when left out" },
  },
  examples: ["pawl plan new faster-start", 'pawl plan new faster-start --title "A faster start" --dir plans'],
  run: async ({ cwd, files }, { title, dir = "." }, [named = ""]) => {
    // Whoever types the name of the file means that file.
    const slug = named.replace(/\.md$/, "");
    // The slug becomes a file name, a branch and a folder of its own: nothing in it may mean anything to any of them.
    if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(slug)) {
      throw new Failure(
        "usage/wrong",
        `"${named}" cannot be the name of a plan: lower-case letters, digits, dots, dashes and underscores, at most 64, and a letter or digit first.`,
        { slug },
        { hint: nearSlug(named) },
      );
    }
    const path = join(resolve(cwd, dir), `${slug}.md`);
    files.create(path, skeleton(titleOf(title, slug)));
    const planPath = shownPath(cwd, path);
    return {
      data: { plan_path: planPath, created: true },
      text: (paint) =>
        `${paint.green("Wrote")} ${paint.bold(planPath)}\nEdit it, then check it with: pawl plan check ${paint.plain(shellWord(planPath))}`,
    };
  },
});

/** What somebody may type instead. A folder has an option of its own. */
function nearSlug(named: string): string {
  const slash = named.lastIndexOf("/");
  const slug = named
    .slice(slash + 1)
    .replace(/\.md$/i, "")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "")
    .slice(0, 64)
    .replace(/-+$/, "");
  const folder = slash < 1 ? "" : ` --dir ${shellWord(named.slice(0, slash))}`;
  return `For example: pawl plan new ${slug === "" ? "faster-start" : slug}${folder}`;
}

/** A title is one line of a heading: what would end the line, or act on a terminal, is refused. */
function titleOf(title: string | undefined, slug: string): string {
  if (title === undefined) {
    const words = slug
      .split(/[._-]+/)
      .filter(Boolean)
      .join(" ");
    return words.charAt(0).toUpperCase() + words.slice(1);
  }
  const trimmed = title.trim();
  if (trimmed === "" || trimmed.length > 200 || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(trimmed)) {
    throw new Failure("usage/wrong", "The title must be one line of at most 200 characters.", { title });
  }
  return trimmed;
}

const skeleton = (title: string): string => `# ${title}

What this plan is for, and how it is known to be done.

### Plan Metadata

| Field | Value |
| --- | --- |
| Owner | |
| Status | draft |

## Steps

#### Step 1: The first thing to do {#step-1}

**Commit:** \`area: what it does now\`

**Tasks:**

- [ ] What has to be done, one thing per box

**Tests:**

- [ ] What proves that it works

**Checkpoint:**

- [ ] The command that must succeed before the step is complete

#### Step 2: What builds on it {#step-2}

**Depends on:** #step-1

**Tasks:**

- [ ] What has to be done

**Checkpoint:**

- [ ] The command that must succeed

## Done means

When both steps are complete and the plan's purpose is met.
`;
