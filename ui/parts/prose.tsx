import type { ComponentChildren } from "preact";

/**
 * Text of a plan with a little of its form: headings, lists, code. Elements are made from characters; nothing in the
 * text can become markup, and links stay text.
 */
export const Prose = ({ text }: { readonly text: string }) => <div class="prose">{blocksOf(text)}</div>;

function blocksOf(text: string): readonly ComponentChildren[] {
  const blocks: ComponentChildren[] = [];
  let code: string[] | undefined;
  let bullets: string[] = [];
  const flush = (): void => {
    if (bullets.length > 0)
      blocks.push(
        <ul key={blocks.length} dir="auto">
          {bullets.map((line, index) => (
            <li key={index}>{inline(line)}</li>
          ))}
        </ul>,
      );
    bullets = [];
  };
  for (const line of text.split("\n").slice(0, MOST_LINES)) {
    if (/^\s*```/.test(line)) {
      flush();
      if (code) blocks.push(<pre key={blocks.length}>{code.join("\n")}</pre>);
      code = code ? undefined : [];
    } else if (code) code.push(line);
    else if (/^\s*(?:[-*+]|\d{1,3}[.)]) /.test(line))
      bullets.push(
        line.replace(
          /^\s*(?:[-*+] (\[[ xX]\] )?|(\d{1,3}[.)] ))/,
          (_all, _box, number: string | undefined) => number ?? "",
        ),
      );
    else {
      flush();
      const heading = /^#{1,6} (.*)$/.exec(line);
      if (heading)
        blocks.push(
          <h4 key={blocks.length} dir="auto">
            {inline(heading[1] ?? "")}
          </h4>,
        );
      else if (line.trim() !== "" && !/^-{3,}$/.test(line.trim()))
        blocks.push(
          <p key={blocks.length} dir="auto">
            {inline(line)}
          </p>,
        );
    }
  }
  flush();
  if (code) blocks.push(<pre key={blocks.length}>{code.join("\n")}</pre>);
  return blocks;
}

const MOST_LINES = 2000;

/** One line of it: what stands in backticks is code. */
export const inline = (line: string): readonly ComponentChildren[] =>
  line.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    if (/^`.+`$/.test(part)) return <code key={index}>{part.slice(1, -1)}</code>;
    if (/^\*\*.+\*\*$/.test(part)) return <strong key={index}>{part.slice(2, -2)}</strong>;
    return part;
  });
