import { type Random, seededRandom } from "../random.ts";

/** What a file, or a part of one, holds before and after a commit; null where there is no such file. */
export interface Change {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
  /** Only this part of the file is meant: others change the rest of it at the same time. */
  readonly isPart?: boolean;
}

export interface SourceCommit {
  readonly number: number;
  readonly changes: readonly Change[];
  /** What it builds on without changing it: `from` and `to` are the same. */
  readonly reads: readonly Change[];
  /** The commits whose files it changes or reads, and those that read what it changes. */
  readonly dependsOn: readonly number[];
  /** A folder that only this commit adds files to. */
  readonly folder: string;
}

export interface SourceHistory {
  readonly base: ReadonlyMap<string, string>;
  readonly commits: readonly SourceCommit[];
  readonly final: ReadonlyMap<string, string>;
}

const AREAS = ["core", "store", "web pages", "tools", "docs-ä", "tests"] as const;
const SHARED = ["shared/index-a.txt", "shared/index-b.txt"] as const;
const PARTS = 8;
const WORDS =
  "amber basin cedar delta ember fjord grove harbor inlet jetty knoll ledge mesa notch orchard pier quarry ridge spur tarn".split(
    " ",
  );

/**
 * A history in which commits build on each other by file, the same for the same seed.
 *
 * All that touches one file is in one order, because each commit depends on the one that touched it before. So any order that
 * obeys the dependencies ends with the same tree. Only files in `shared/` are changed at the same time, each part by
 * one commit after the other, with lines in between that never change.
 */
export function sourceHistory(seed: number, count: number): SourceHistory {
  const random = seededRandom(seed);
  const files = new Map<string, string>([
    // Folders that never become empty: git would take that for a rename of the folder, and move what others add to it.
    ...AREAS.map((area) => [`${area}/.keep`, ""] as const),
    ...SHARED.map((path) => [path, sharedText(path)] as const),
    [".gitignore", "*.log\n"],
  ]);
  const base = new Map(files);
  const parts = new Map(
    SHARED.flatMap((path) => eachPart((at) => [`${path}#${at}`, firstText(path, at)] as const)),
  );
  const touched = new Ledger();
  const commits: SourceCommit[] = [];
  for (let number = 1; number <= count; number += 1) {
    const author = new Author(number, random, files, parts);
    commits.push(author.commit(touched));
  }
  return { base, commits, final: files };
}

const eachPart = <T>(make: (at: number) => T): readonly T[] =>
  Array.from({ length: PARTS }, (_, at) => make(at));

const firstText = (path: string, at: number): string => `part ${at} of ${path}: nothing yet\n`;

const sharedText = (path: string): string =>
  eachPart(
    (at) =>
      firstText(path, at) +
      Array.from({ length: 6 }, (_, line) => `between ${at} and ${at + 1}, line ${line}\n`).join(""),
  ).join("");

/** Who wrote what last, and who has read it since. */
class Ledger {
  readonly #writers = new Map<string, number>();
  readonly #readers = new Map<string, number[]>();

  write(name: string, by: number): readonly number[] {
    const before = [this.#writers.get(name), ...(this.#readers.get(name) ?? [])];
    this.#writers.set(name, by);
    this.#readers.delete(name);
    return before.filter((number) => number !== undefined);
  }

  read(name: string, by: number): readonly number[] {
    this.#readers.set(name, [...(this.#readers.get(name) ?? []), by]);
    return [this.#writers.get(name)].filter((number) => number !== undefined);
  }
}

/** Thinks of one commit and brings the files forward by it. */
class Author {
  readonly #changes: Change[] = [];
  readonly #reads: Change[] = [];
  /** Paths and parts of this commit: each is touched once. */
  readonly #mine = new Set<string>();
  readonly #area: string;
  readonly #folder: string;
  readonly number: number;
  readonly random: Random;
  readonly files: Map<string, string>;
  readonly parts: Map<string, string>;

  constructor(number: number, random: Random, files: Map<string, string>, parts: Map<string, string>) {
    this.number = number;
    this.random = random;
    this.files = files;
    this.parts = parts;
    this.#area = AREAS[(number + random.below(2)) % AREAS.length]!;
    this.#folder = `${this.#area}/made-${number}`;
  }

  commit(touched: Ledger): SourceCommit {
    const { number, random } = this;
    this.#change(`${this.#folder}/own.txt`, this.#text());
    if (random.chance(0.6)) this.#change(`${this.#area}/file ${number}.txt`, this.#text());
    this.#edit(this.#area);
    if (random.chance(0.5)) this.#edit(this.#area);
    if (random.chance(0.3)) this.#edit(random.pick(AREAS));
    if (random.chance(0.3)) this.#rename();
    if (random.chance(0.25)) this.#on(this.#area, (path) => this.#change(path, null));
    if (random.chance(0.1)) this.#on(this.#area, (path) => this.#change(path, ""));
    if (random.chance(0.4)) this.#editShared();
    if (random.chance(0.4)) this.#on(random.pick(AREAS), (path) => this.#read(path));
    const before = [
      ...this.#changes.flatMap((change) => touched.write(nameOf(change), number)),
      ...this.#reads.flatMap((read) => touched.read(nameOf(read), number)),
    ];
    return {
      number,
      changes: this.#changes,
      reads: this.#reads,
      dependsOn: [...new Set(before)].toSorted((a, b) => a - b),
      folder: this.#folder,
    };
  }

  #change(path: string, to: string | null): void {
    this.#mine.add(path);
    this.#changes.push({ path, from: this.files.get(path) ?? null, to });
    if (to === null) this.files.delete(path);
    else this.files.set(path, to);
  }

  #read(path: string): void {
    const text = this.files.get(path)!;
    this.#mine.add(path);
    this.#reads.push({ path, from: text, to: text });
  }

  /** Does something with a file of an earlier commit, where there is one. */
  #on(area: string, act: (path: string) => void): void {
    const found = [...this.files.keys()].filter(
      (path) => path.startsWith(`${area}/`) && !path.endsWith("/.keep") && !this.#mine.has(path),
    );
    if (found.length > 0) act(this.random.pick(found));
  }

  #edit(area: string): void {
    this.#on(area, (path) => {
      const lines = this.files.get(path)!.split("\n");
      lines.splice(this.random.below(lines.length), this.random.below(2), this.#line());
      this.#change(path, lines.join("\n"));
    });
  }

  #rename(): void {
    this.#on(this.#area, (path) => {
      const text = this.files.get(path)!;
      this.#change(path, null);
      this.#change(
        `${this.random.pick(AREAS)}/moved by ${this.number}.txt`,
        this.random.chance(0.5) ? `${text}${this.#line()}\n` : text,
      );
    });
  }

  #editShared(): void {
    const path = this.random.pick(SHARED);
    const at = this.random.below(PARTS);
    const from = this.parts.get(`${path}#${at}`)!;
    const lines = Array.from({ length: 1 + this.random.below(3) }, () => `${this.#line()}\n`);
    const to = `part ${at} of ${path}: by ${this.number}\n${lines.join("")}`;
    this.parts.set(`${path}#${at}`, to);
    this.files.set(
      path,
      this.files.get(path)!.replace(from, () => to),
    );
    this.#changes.push({ path, from, to, isPart: true });
  }

  #line(): string {
    return [this.number, ...Array.from({ length: 4 }, () => this.random.pick(WORDS))].join(" ");
  }

  #text(): string {
    return Array.from({ length: 3 + this.random.below(20) }, () => `${this.#line()}\n`).join("");
  }
}

/** A part is known by the words that it begins with. */
const nameOf = ({ path, from, isPart }: Change): string =>
  isPart ? `${path}#${from!.slice(0, from!.indexOf(" of "))}` : path;
