import { commandNames, tagPattern } from "./tagRules.ts"

const longest = 40

/** A name for a new session: its directory's, with a number if that is taken. */
export const newTag = (directory: string, taken: ReadonlySet<string>): string => {
  const last = directory.split("/").findLast((part) => part !== "") ?? ""
  const name = last
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/^[^A-Za-z0-9]+|-+$/g, "")
    .slice(0, longest)
  const isFree = (tag: string): boolean => !taken.has(tag) && !commandNames.includes(tag) && tagPattern.test(tag)
  const base = name === "" ? "session" : name
  if (isFree(base)) return base
  for (let number = 2; ; number++) {
    const tag = `${base}-${number}`
    if (isFree(tag)) return tag
  }
}
