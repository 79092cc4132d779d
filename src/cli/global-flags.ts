/** The flags every command takes. They mean the same everywhere, so no command declares or sees them. */
export const GLOBAL_FLAGS = [
  { name: "json", short: undefined, about: "Print the answer as one line of JSON" },
  { name: "quiet", short: "q", about: "Print nothing on stdout for people; errors still appear" },
  { name: "no-color", short: undefined, about: "Print without colour, as with NO_COLOR" },
  { name: "help", short: "h", about: "Show this help" },
] as const;

type FlagName = (typeof GLOBAL_FLAGS)[number]["name"];

export interface GlobalFlags {
  readonly given: ReadonlySet<FlagName>;
  /** A flag that was given a value, as typed: `--json=yes`. */
  readonly misused: string | undefined;
  /** The other words, in order, `--` and what follows it included. */
  readonly words: readonly string[];
}

/**
 * Takes the global flags out of a command line, wherever they stand before `--`.
 *
 * This runs before the command is known, so that even a usage error comes out as JSON when JSON was asked for. No
 * value of an option can be lost here: a word that looks like an option is a value only in the form `--name=word`.
 */
export function takeGlobalFlags(argv: readonly string[]): GlobalFlags {
  const given = new Set<FlagName>();
  let misused: string | undefined;
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const words = argv.slice(0, end).filter((word) => {
    const [spelling = "", value] = word.split("=", 2);
    const flag = GLOBAL_FLAGS.find(
      ({ name, short }) => spelling === `--${name}` || (short !== undefined && spelling === `-${short}`),
    );
    if (!flag) return true;
    given.add(flag.name);
    if (value !== undefined) misused ??= word;
    return false;
  });
  return { given, misused, words: [...words, ...argv.slice(end)] };
}
