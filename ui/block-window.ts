import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Block, Reading } from "./transcript-data.tsx";

/** So much beyond both edges of what is seen is in the page. */
const SPARE = 800;
/** What a block is taken for until it was seen once. */
const GUESS = 600;
const NEAR_END = 40;

/** A block and how far its top is from the top of what is seen: it stays there whatever comes above it. */
interface Anchor {
  readonly key: string;
  readonly offset: number;
}

/**
 * The blocks around what is seen; the others are empty space of their height, so that a transcript of any length costs the
 * same to scroll. The newest stays in view unless a person scrolled away from it.
 */
export function useBlockWindow(box: RefObject<HTMLDivElement>, { blocks, isMore, more }: Reading) {
  const heights = useRef(new Map<string, number>()).current;
  const anchor = useRef<Anchor>();
  const put = useRef(0);
  const [around, setAround] = useState<string>();
  const [, measured] = useState(0);
  const heightOf = ({ key }: Block): number => heights.get(key) ?? GUESS;
  const sum = (some: readonly Block[]): number => some.reduce((all, block) => all + heightOf(block), 0);
  const isAtEnd = around === undefined;
  const found = isAtEnd ? -1 : blocks.findIndex(({ key }) => key === around);
  const middle = found === -1 ? blocks.length - 1 : found;
  const seen = box.current?.clientHeight ?? 720;
  let [first, last] = [middle, middle + 1];
  for (let room = SPARE + (isAtEnd ? seen : 0); first > 0 && room > 0; first -= 1)
    room -= heightOf(blocks[first - 1]!);
  for (let room = SPARE + seen; last < blocks.length && room > 0; last += 1) room -= heightOf(blocks[last]!);
  const shown = blocks.slice(Math.max(first, 0), last);
  const above = sum(blocks.slice(0, Math.max(first, 0)));

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    let isOther = false;
    for (const { key, height } of rowsIn(element)) {
      isOther ||= heights.get(key) !== height;
      heights.set(key, height);
    }
    const { current } = anchor;
    const row = current && rowsIn(element).find(({ key }) => key === current.key);
    // The event of a person who has just scrolled away comes a moment later.
    const end = Math.min(put.current, element.scrollHeight - element.clientHeight);
    if (isAtEnd && element.scrollTop < end - NEAR_END) return;
    if (isAtEnd) {
      element.scrollTop = element.scrollHeight;
      put.current = element.scrollTop;
    } else if (row && current && Math.abs(row.top - current.offset - element.scrollTop) > 1)
      element.scrollTop = row.top - current.offset;
    if (isOther) measured((count) => count + 1);
    // A search may find little in one page.
    if (isMore && element.scrollHeight <= element.clientHeight + SPARE / 2) more();
  });

  return {
    blocks: shown,
    above,
    below: sum(blocks.slice(last)),
    isAtEnd,
    toEnd: () => {
      put.current = 0;
      setAround(undefined);
    },
    onScroll: ({ currentTarget: element }: { readonly currentTarget: HTMLDivElement }): void => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      if (scrollTop < SPARE) more();
      if (scrollHeight - scrollTop - clientHeight < NEAR_END) return setAround(undefined);
      const row = rowsIn(element).find(({ top, height }) => top + height > scrollTop);
      anchor.current =
        row && row.top < scrollTop + clientHeight
          ? { key: row.key, offset: row.top - scrollTop }
          : anchorAt(blocks, heightOf, scrollTop);
      setAround(anchor.current?.key);
    },
  };
}

/** In a jump to where nothing is drawn yet. */
function anchorAt(
  blocks: readonly Block[],
  heightOf: (block: Block) => number,
  scrollTop: number,
): Anchor | undefined {
  let top = 0;
  for (const block of blocks) {
    if (top + heightOf(block) > scrollTop) return { key: block.key, offset: top - scrollTop };
    top += heightOf(block);
  }
  return undefined;
}

const rowsIn = (element: HTMLElement) =>
  [...element.querySelectorAll<HTMLElement>(":scope > .block")].map((row) => ({
    key: row.dataset["key"] ?? "",
    top: row.offsetTop,
    height: row.offsetHeight,
  }));
