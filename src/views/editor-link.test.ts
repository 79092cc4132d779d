import { expect, it } from "vitest";
import { editorLink } from "./editor-link.ts";

it("knows editors by name, takes an address with a path, and refuses what a browser would run", () => {
  expect(editorLink("vscode")).toBe("vscode://file{path}:{line}");
  expect(editorLink("subl://open?url=file://{path}&line={line}")).toContain("{path}");
  for (const setting of [
    undefined,
    "emacs",
    "subl://open",
    "javascript://%0aalert(1)//{path}",
    "JavaScript:{path}",
    "data:text/html,{path}",
    "https://example.com/{path}",
  ])
    expect(editorLink(setting)).toBeNull();
});
