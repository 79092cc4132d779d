/**
 * Text from plans, agents, branch names and files, made harmless for a terminal.
 *
 * A title may hold cursor moves, clipboard writes, carriage returns that overwrite a line, or direction marks that
 * make it read as something else. Whole escape sequences go first, so that their payload does not stay behind as
 * text; then every control character that is left becomes a visible stand-in.
 */
export function safeText(text: string): string {
  return HARMLESS.test(text) ? text : text.replace(SEQUENCES, "").replace(CONTROLS, "\u{fffd}");
}

/** Like `safeText`, but newlines and tabs stay: for bodies of text, never for a single line. */
export function safeBlock(text: string): string {
  return text
    .split("\n")
    .map((line) => line.split("\t").map(safeText).join("\t"))
    .join("\n");
}

const HARMLESS = /^[\x20-\x7e]*$/;

// CSI, OSC / DCS / SOS / PM / APC up to their terminator (or the end), then any two-character escape.
const SEQUENCES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)|\x1b[ -/]*[0-~]?/g;

// C0, DEL, C1, bidirectional controls, zero-width and other invisible format characters, line separators.
const CONTROLS =
  /[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;
