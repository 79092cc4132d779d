import { describe, expect, it } from "vitest";
import { detectProject } from "./detect-project.ts";

const detected = (files: Readonly<Record<string, string>>) => {
  const { check, setup } = detectProject((name) => files[name]);
  const line = (found: typeof check) => (found === null ? null : `${found.argv.join(" ")} (${found.from})`);
  return [line(check), line(setup)];
};

const NODE = JSON.stringify({ scripts: { test: "vitest" }, devDependencies: { vitest: "1" } });

describe("what the files of a project suggest", () => {
  it.each([
    ["nothing at all", {}, [null, null]],
    [
      "npm",
      { "package.json": NODE, "package-lock.json": "{}" },
      ["npm test (package.json)", "npm ci (package-lock.json)"],
    ],
    [
      "npm without a lock file",
      { "package.json": NODE },
      ["npm test (package.json)", "npm install (package.json)"],
    ],
    [
      "pnpm",
      { "package.json": NODE, "pnpm-lock.yaml": "" },
      ["pnpm test (package.json)", "pnpm install --frozen-lockfile (pnpm-lock.yaml)"],
    ],
    [
      "an old yarn",
      { "package.json": NODE, "yarn.lock": "" },
      ["yarn test (package.json)", "yarn install --frozen-lockfile (yarn.lock)"],
    ],
    [
      "a newer yarn",
      { "package.json": NODE, "yarn.lock": "", ".yarnrc.yml": "" },
      ["yarn test (package.json)", "yarn install --immutable (yarn.lock)"],
    ],
    [
      "bun, whose own test runner is not the script",
      { "package.json": NODE, "bun.lock": "" },
      ["bun run test (package.json)", "bun install --frozen-lockfile (bun.lock)"],
    ],
    [
      "make where npm has only the placeholder",
      {
        "package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}',
        Makefile: "test: build\n\tgo test\n",
      },
      ["make test (Makefile)", null],
    ],
    [
      "make check before make test",
      { Makefile: "test:\n\tt\ncheck: test\n" },
      ["make check (Makefile)", null],
    ],
    ["no target where make only sets a variable", { Makefile: "test := 1\n" }, [null, null]],
    [
      "uv",
      { "pyproject.toml": '[dependency-groups]\ndev = ["pytest>=8"]\n', "uv.lock": "" },
      ["uv run pytest (pyproject.toml)", "uv sync (uv.lock)"],
    ],
    [
      "poetry",
      { "pyproject.toml": "[tool.pytest.ini_options]\n", "poetry.lock": "" },
      ["poetry run pytest (pyproject.toml)", "poetry install (poetry.lock)"],
    ],
    [
      "plain Python",
      { "pyproject.toml": "[tool.pytest.ini_options]\n" },
      ["python -m pytest (pyproject.toml)", null],
    ],
    ["Python without pytest", { "pyproject.toml": "[project]\n" }, [null, null]],
    ["Cargo", { "Cargo.toml": "[package]\n" }, ["cargo test (Cargo.toml)", null]],
    ["nothing from a manifest with a mistake", { "package.json": "{" }, [null, null]],
    ["nothing from a manifest of another shape", { "package.json": '{"scripts": ["test"]}' }, [null, null]],
  ] as const)("%s", (_, files, expected) => expect(detected(files)).toEqual(expected));
});
