/** A command that the files of a project suggest, and the file that suggests it. */
export interface Detected {
  readonly argv: readonly string[];
  readonly from: string;
}

export interface DetectedProject {
  /** What proves that the project works; null where no file says. */
  readonly check: Detected | null;
  /** What a fresh checkout needs before anything runs in it; null where nothing is needed or no file says. */
  readonly setup: Detected | null;
}

/** The text of a file at the top of the project; undefined where it does not exist or is no text. */
type ReadFile = (name: string) => string | undefined;

/** What the files of a project say about checking it and preparing a checkout. The first file that says it counts. */
export function detectProject(read: ReadFile): DetectedProject {
  const found = [packageJson(read), makefile(read), pyproject(read), cargo(read)];
  return {
    check: found.find(({ check }) => check)?.check ?? null,
    setup: found.find(({ setup }) => setup)?.setup ?? null,
  };
}

interface Suggestion {
  readonly check?: Detected | undefined;
  readonly setup?: Detected | undefined;
}

const words = (line: string, from: string): Detected => ({ argv: line.split(" "), from });

/** Package managers by the lock file that each leaves, and how each installs exactly what is locked. */
const NODE_LOCKS = [
  ["pnpm-lock.yaml", "pnpm", "pnpm install --frozen-lockfile"],
  ["yarn.lock", "yarn", "yarn install --frozen-lockfile"],
  ["bun.lock", "bun", "bun install --frozen-lockfile"],
  ["bun.lockb", "bun", "bun install --frozen-lockfile"],
  ["package-lock.json", "npm", "npm ci"],
  ["npm-shrinkwrap.json", "npm", "npm ci"],
] as const;

/** What `npm init` leaves where a project has no test. */
const NO_TEST = "no test specified";

function packageJson(read: ReadFile): Suggestion {
  const from = "package.json";
  const text = read(from);
  if (text === undefined) return {};
  const manifest = jsonObject(text);
  const [lock, manager, install] = NODE_LOCKS.find(([name]) => read(name) !== undefined) ?? [];
  const test = objectOf(manifest["scripts"])["test"];
  const isTested = typeof test === "string" && test.trim() !== "" && !test.includes(NO_TEST);
  const hasDependencies = ["dependencies", "devDependencies"].some(
    (kind) => Object.keys(objectOf(manifest[kind])).length > 0,
  );
  const setup =
    lock === undefined
      ? hasDependencies
        ? words("npm install", from)
        : undefined
      : words(lock === "yarn.lock" && read(".yarnrc.yml") !== undefined ? YARN_MODERN : install, lock);
  // `bun test` is bun's own runner, not the script.
  const run = manager === "bun" ? "bun run test" : `${manager ?? "npm"} test`;
  return { check: isTested ? words(run, from) : undefined, setup };
}

const YARN_MODERN = "yarn install --immutable";

function makefile(read: ReadFile): Suggestion {
  const from = ["GNUmakefile", "makefile", "Makefile"].find((name) => read(name) !== undefined);
  if (from === undefined) return {};
  const text = read(from)!;
  const target = ["check", "test"].find((name) => new RegExp(`^${name}[ \\t]*::?(?!=)`, "m").test(text));
  return target === undefined ? {} : { check: words(`make ${target}`, from) };
}

function pyproject(read: ReadFile): Suggestion {
  const from = "pyproject.toml";
  const text = read(from);
  if (text === undefined) return {};
  const isTested = /\bpytest\b/.test(text);
  const [lock, run, install] = (
    [
      ["uv.lock", "uv run pytest", "uv sync"],
      ["poetry.lock", "poetry run pytest", "poetry install"],
    ] as const
  ).find(([name]) => read(name) !== undefined) ?? [undefined, "python -m pytest", undefined];
  return {
    check: isTested ? words(run, from) : undefined,
    setup: install === undefined ? undefined : words(install, lock),
  };
}

const cargo = (read: ReadFile): Suggestion =>
  read("Cargo.toml") === undefined ? {} : { check: words("cargo test", "Cargo.toml") };

/** A manifest with a mistake in it suggests nothing. */
function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
