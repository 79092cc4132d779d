import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface WindowedProps<T> {
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly keyOf: (item: T) => string | number;
  readonly row: (item: T, index: number) => ComponentChildren;
  readonly label: string;
  readonly onEnd?: () => void;
  /** Called with whether its beginning is in view, with every scroll. */
  readonly onTop?: (isAtTop: boolean) => void;
  /** For who scrolls it. */
  readonly scroller?: RefObject<HTMLDivElement>;
}

const SPARE = 8;

/** A list of any length of which only what is seen is in the page. */
export function Windowed<T>(props: WindowedProps<T>) {
  const { items, rowHeight, keyOf, row, label, onEnd } = props;
  const own = useRef<HTMLDivElement>(null);
  const box = props.scroller ?? own;
  const onTop = useRef(props.onTop);
  onTop.current = props.onTop;
  const [view, setView] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const element = box.current!;
    const look = (): void => {
      setView({ top: element.scrollTop, height: element.clientHeight });
      onTop.current?.(element.scrollTop < rowHeight);
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  const first = Math.max(Math.floor(view.top / rowHeight) - SPARE, 0);
  const last = Math.min(Math.ceil((view.top + view.height) / rowHeight) + SPARE, items.length);
  const isAtEnd = last >= items.length;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, items.length, onEnd]);
  return (
    <div class="windowed" ref={box} tabIndex={0} role="group" aria-label={label}>
      <div class="whole" style={{ height: `${items.length * rowHeight}px` }}>
        <ul class="seen" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {items.slice(first, last).map((item, index) => (
            <li
              key={keyOf(item)}
              style={{ height: `${rowHeight}px` }}
              aria-setsize={items.length}
              aria-posinset={first + index + 1}
            >
              {row(item, first + index)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
