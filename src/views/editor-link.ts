const KNOWN: Readonly<Record<string, string>> = {
  vscode: "vscode://file{path}:{line}",
  cursor: "cursor://file{path}:{line}",
  zed: "zed://file{path}:{line}",
  idea: "idea://open?file={path}&line={line}",
};

/** Schemes that would run something in the page, or show it another one. */
const REFUSED = /^(?:javascript|data|vbscript|blob|about|file|https?):/i;

/** The address of a file in a person's editor, with `{path}` and `{line}` in it; null where none is set, or it is no editor's. */
export function editorLink(setting: string | undefined): string | null {
  if (setting === undefined) return null;
  if (Object.hasOwn(KNOWN, setting)) return KNOWN[setting]!;
  return /^[a-z][a-z0-9+.-]*:/i.test(setting) && setting.includes("{path}") && !REFUSED.test(setting)
    ? setting
    : null;
}
