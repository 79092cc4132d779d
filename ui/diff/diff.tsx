import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { CopyButton } from "../parts/copy.tsx";
import { EditorLink } from "../parts/file-path.tsx";
import { plural } from "../words.ts";
import { highlight, languageOf, type Token } from "./highlight.ts";
import { type FileChange, type Hunk, type Line, parsePatch } from "./parse-patch.ts";
import { changedWords, type Ranges } from "./words.ts";

/** From so many lines on a file is folded: a person who wants it opens it. */
const MOST_OPEN = 400;
/** All files together. */
const MOST_OPEN_IN_ALL = 1200;
/** What a line takes; a hunk that was not seen yet has room for its lines, so that nothing moves once it is. */
const LINE_PX = 18.75;
/** Written by programs: rarely what a person looks for. */
const IS_MADE = /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|go\.sum|poetry\.lock)$/;

/** A patch to read: files, folding, colours, and which words differ. */
export function DiffView({ patch, base }: { readonly patch: string; readonly base: string }) {
  const files = useMemo(() => parsePatch(patch), [patch]);
  const box = useRef<HTMLDivElement>(null);
  if (files.length === 0) return <p class="muted">No file changed.</p>;
  const sum = (of: (file: FileChange) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  let left = MOST_OPEN_IN_ALL;
  const show = (index: number): void => {
    const file = box.current?.querySelectorAll<HTMLDetailsElement>("details.file")[index];
    if (!file) return;
    file.open = true;
    file.scrollIntoView({ block: "start" });
    file.querySelector("summary")?.focus();
  };
  return (
    <div class="diff" ref={box}>
      <p class="diff-sum">
        {plural(files.length, "file")} changed, <span class="plus">+{sum(({ added }) => added)}</span>{" "}
        <span class="minus">−{sum(({ removed }) => removed)}</span>
      </p>
      <div class={files.length > 1 ? "diff-columns" : ""}>
        {files.length > 1 && <Tree files={files} onChoose={show} />}
        <div class="files">
          {files.map((file) => {
            const size = file.added + file.removed;
            const isOpen = size <= MOST_OPEN && size <= left && !IS_MADE.test(file.path);
            if (isOpen) left -= size;
            return <File key={file.path} file={file} isOpen={isOpen} base={base} />;
          })}
        </div>
      </div>
    </div>
  );
}

/** Files by their folders. */
function Tree({
  files,
  onChoose,
}: {
  readonly files: readonly FileChange[];
  readonly onChoose: (index: number) => void;
}) {
  const folders = new Map<string, { readonly file: FileChange; readonly index: number }[]>();
  files.forEach((file, index) => {
    const folder = file.path.slice(0, file.path.lastIndexOf("/") + 1);
    folders.set(folder, [...(folders.get(folder) ?? []), { file, index }]);
  });
  return (
    <nav class="tree" aria-label="Changed files">
      <ul>
        {[...folders].map(([folder, members]) => (
          <li key={folder}>
            {folder !== "" && <span class="folder">{folder}</span>}
            <ul>
              {members.map(({ file, index }) => (
                <li key={file.path}>
                  <button
                    type="button"
                    class={`quiet ${file.kind}`}
                    title={file.path}
                    onClick={() => onChoose(index)}
                  >
                    <span class="name">{file.path.slice(folder.length)}</span>
                    <Counts file={file} />
                  </button>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const Counts = ({ file }: { readonly file: FileChange }) => (
  <span class="counts">
    {file.added > 0 && <span class="plus">+{file.added}</span>}
    {file.removed > 0 && <span class="minus">−{file.removed}</span>}
  </span>
);

const KINDS: Readonly<Record<FileChange["kind"], string>> = {
  added: "new",
  deleted: "deleted",
  renamed: "renamed",
  binary: "not text",
  changed: "",
};

function File({
  file,
  isOpen,
  base,
}: {
  readonly file: FileChange;
  readonly isOpen: boolean;
  readonly base: string;
}) {
  const [isShown, setIsShown] = useState(isOpen);
  return (
    <details
      class="file"
      open={isOpen}
      onToggle={({ currentTarget }) => currentTarget.open && setIsShown(true)}
    >
      <summary>
        <span class="name" dir="ltr">
          {file.kind === "renamed" && file.before !== undefined && (
            <span class="muted">{file.before} → </span>
          )}
          {file.path}
        </span>
        {KINDS[file.kind] !== "" && <span class="muted">{KINDS[file.kind]}</span>}
        <Counts file={file} />
      </summary>
      {isShown && <Hunks file={file} base={base} />}
    </details>
  );
}

function Hunks({ file, base }: { readonly file: FileChange; readonly base: string }) {
  const language = languageOf(file.path);
  if (file.hunks.length === 0)
    return <p class="muted none">{file.kind === "binary" ? "Not a text file." : "No line changed."}</p>;
  return (
    <div class="code" role="region" tabIndex={0} aria-label={`Changes of ${file.path}`}>
      <div class="file-tools">
        <CopyButton text={file.path} what="the path" />
        {file.kind !== "deleted" && (
          <EditorLink
            path={`${base}${file.path}`}
            line={file.hunks[0]?.lines.find(({ kind }) => kind === "added")?.now ?? 1}
          />
        )}
      </div>
      {file.hunks.map((hunk, index) => (
        <HunkView key={index} hunk={hunk} language={language} />
      ))}
    </div>
  );
}

function HunkView({
  hunk,
  language,
}: {
  readonly hunk: Hunk;
  readonly language: ReturnType<typeof languageOf>;
}) {
  const { tokens, ranges } = useMemo(() => dress(hunk.lines, language), [hunk, language]);
  return (
    <div class="hunk" style={{ containIntrinsicSize: `auto ${(hunk.lines.length + 1.3) * LINE_PX}px` }}>
      <div class="place">
        {lineOf(hunk)} <span>{hunk.about}</span>
      </div>
      {hunk.lines.map((line, index) => (
        <div key={index} class={`line ${line.kind}`}>
          <span class="number">{line.old ?? ""}</span>
          <span class="number">{line.now ?? ""}</span>
          <span class="sign">{line.kind === "added" ? "+" : line.kind === "removed" ? "−" : " "}</span>
          <span class="text">{dressed(line.text, tokens.get(line), ranges.get(line))}</span>
        </div>
      ))}
    </div>
  );
}

const lineOf = ({ lines }: Hunk): string => {
  const first = lines.find(({ now, old }) => now !== undefined || old !== undefined);
  return `line ${first?.now ?? first?.old ?? 1}`;
};

interface Dressing {
  readonly tokens: ReadonlyMap<Line, readonly Token[]>;
  readonly ranges: ReadonlyMap<Line, Ranges>;
}

/** Each side is read as a whole, so that a comment over several lines keeps its colour. */
function dress(lines: readonly Line[], language: ReturnType<typeof languageOf>): Dressing {
  const tokens = new Map<Line, readonly Token[]>();
  if (language !== undefined)
    for (const gone of ["added", "removed"] as const) {
      const side = lines.filter(({ kind }) => kind !== gone && kind !== "note");
      highlight(
        side.map(({ text }) => text),
        language,
      )?.forEach((found, index) => tokens.set(side[index]!, found));
    }
  return { tokens, ranges: pairUp(lines) };
}

/** Lines that replace as many others are compared word by word. */
function pairUp(lines: readonly Line[]): ReadonlyMap<Line, Ranges> {
  const ranges = new Map<Line, Ranges>();
  for (let at = 0; at < lines.length;) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed.length, "added");
    if (removed.length > 0 && removed.length === added.length)
      removed.forEach((line, index) => {
        const [before, after] = changedWords(line.text, added[index]!.text);
        ranges.set(line, before);
        ranges.set(added[index]!, after);
      });
    at += Math.max(removed.length + added.length, 1);
  }
  return ranges;
}

function runOf(lines: readonly Line[], from: number, kind: Line["kind"]): readonly Line[] {
  let until = from;
  while (lines[until]?.kind === kind) until += 1;
  return lines.slice(from, until);
}

/** A line in its colours, with the words marked that differ. */
function dressed(text: string, tokens: readonly Token[] | undefined, ranges: Ranges = []): ComponentChildren {
  if (tokens === undefined && ranges.length === 0) return text === "" ? "\u200b" : text;
  const pieces: ComponentChildren[] = [];
  let place = 0;
  for (const token of tokens ?? [{ text, kind: "" }]) {
    let rest = token.text;
    while (rest !== "") {
      const range = ranges.find(([, until]) => until > place);
      const isMarked = range !== undefined && range[0] <= place;
      const end = range === undefined ? Infinity : isMarked ? range[1] : range[0];
      const piece = rest.slice(0, Math.max(end - place, 1));
      const inside = token.kind === "" ? piece : <span class={`t-${token.kind}`}>{piece}</span>;
      pieces.push(isMarked ? <mark key={pieces.length}>{inside}</mark> : inside);
      place += piece.length;
      rest = rest.slice(piece.length);
    }
  }
  return pieces;
}
