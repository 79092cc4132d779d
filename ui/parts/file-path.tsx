import type { ComponentChildren } from "preact";
import { CopyButton } from "./copy.tsx";
import { Icon } from "./icon.tsx";

let template: string | null = null;
let root: string | null = null;

/** What the settings say of a person's editor, and where relative paths begin. */
export const setEditor = (editor: string | null, folder: string | null): void => {
  template = editor;
  root = folder;
};

const absolute = (path: string): string | undefined =>
  path.startsWith("/") ? path : root === null ? undefined : `${root}/${path}`;

/** A link into the editor of the settings; nothing where none is set. */
export function EditorLink({ path, line = 1 }: { readonly path: string; readonly line?: number }) {
  const file = absolute(path);
  if (template === null || file === undefined) return null;
  const href = template
    .replaceAll("{path}", () => file.split("/").map(encodeURIComponent).join("/"))
    .replaceAll("{line}", String(line));
  return (
    <a
      class="button quiet copy"
      href={href}
      aria-label={`Open ${path} in your editor`}
      title="Open in your editor"
    >
      <Icon name="edit" />
    </a>
  );
}

/** A path with what people do with one: copy it, open it. */
export const FilePath = ({
  path,
  children,
}: {
  readonly path: string;
  readonly children?: ComponentChildren;
}) => (
  <span class="path with-tools" title={path}>
    <span>{children ?? path}</span>
    <CopyButton text={path} what={path} />
    <EditorLink path={path} />
  </span>
);
