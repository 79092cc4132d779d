import { useEffect, useState } from "preact/hooks";

const KEY = "pawl-theme";
type Theme = "light" | "dark";

const wanted = (): Theme => {
  const kept = localStorage.getItem(KEY);
  if (kept === "light" || kept === "dark") return kept;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
};

/** Light or dark: as the system has it, until a person chooses. */
export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(wanted);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  useEffect(() => {
    const media = matchMedia("(prefers-color-scheme: dark)");
    const follow = (): void => setTheme(wanted());
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, []);
  const turn = (): void => {
    const next = theme === "dark" ? "light" : "dark";
    localStorage.setItem(KEY, next);
    setTheme(next);
  };
  return [theme, turn];
}
