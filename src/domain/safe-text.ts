/**
 * Text from plans, agents, branch names and files, made harmless for a terminal.
 *
 * A title may hold cursor moves, clipboard writes, carriage returns that overwrite a line, or direction marks that
 * make it read as something else. Whole escape sequences go first, so that their payload does not stay behind as
 * text; then every control or invisible character that is left becomes a visible stand-in.
 */
export function safeText(text: string): string {
  return HARMLESS.test(text) ? text : text.replace(SEQUENCES, "").replace(unseen(), "\u{fffd}");
}

/** Like `safeText`, but line ends and tabs stay: for bodies of text, never for a single line. */
export function safeBlock(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.split("\t").map(safeText).join("\t"))
    .join("\n");
}

const HARMLESS = /^[\x20-\x7e]*$/;

// CSI; then OSC, DCS, SOS, PM, APC up to their terminator; then any other escape, and the start of a payload
// that never ends: what follows may be our own words. A payload ends at the next introducer too: else a row of introducers would be scanned again from each of them, in quadratic time.
const SEQUENCES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]?/g;

// Invisible characters that honest text needs: a variation selector after an emoji, and a joiner inside an emoji or
// after a letter of a script that is written with joiners. Anywhere else they only hide something. Latin has no use
// for them, so two names that look the same are the same.
const EMOJI_VARIATION = String.raw`(?<!\p{Emoji})[\ufe0e\ufe0f]`;
const JOINER = String.raw`(?<!(?![\0-\u02ff\u1e00-\u1eff]|\p{DI})[\p{L}\p{M}]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Emoji}\ufe0f)[\u200c\u200d]`;

/**
 * Controls, direction marks and other format characters, line separators, lone surrogates, and whatever else Unicode
 * calls ignorable: fillers, tags, the variation selectors that smuggle hidden text past a reader.
 *
 * Made on first use, and from text: the Unicode classes take a millisecond to build, as a literal even at start-up.
 */
const unseen = (): RegExp =>
  (madeUnseen ??= new RegExp(
    String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\ufff9-\ufffb]|(?![\ufe0e\ufe0f\u200c\u200d])\p{DI}|${EMOJI_VARIATION}|${JOINER}`,
    "gu",
  ));

let madeUnseen: RegExp | undefined;
