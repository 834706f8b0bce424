/** Names of branches as git takes them, and the directories that are named after them. */

const encoder = new TextEncoder()
const bytesOf = (text: string): number => encoder.encode(text).length

/** A file system's most for one name, less what git appends while it writes (`.lock`) and room for a number. */
const partMost = 240
const nameMost = 1_000
const directoryMost = 100

/** What git takes in no branch's name, each with the words for it. */
const refusals: ReadonlyArray<readonly [is: RegExp, why: string]> = [
  // oxlint-disable-next-line no-control-regex
  [/[\u0000-\u001f\u007f]/, "it holds a control character"],
  [/ /, "it holds a blank"],
  [/[~^:?*[\\]/, "it holds one of ~ ^ : ? * [ \\"],
  [/^-/, "it begins with '-'"],
  [/\.\./, "it holds '..'"],
  [/@\{/, "it holds '@{'"],
  [/^\/|\/$|\/\//, "a part of it between slashes is empty"],
  [/(^|\/)\./, "a part of it begins with '.'"],
  [/\.lock(\/|$)/, "a part of it ends with '.lock'"],
  [/\.$/, "it ends with '.'"],
  [/^(@|HEAD)$/, "it means the commit that is checked out"],
  [/^refs\//, "it is the full name of a reference"],
  [/^[0-9a-f]{40}([0-9a-f]{24})?$/i, "it looks like a commit's id"]
]

/** Why git would not have a branch of this name, or would take it for something else; null where it will do. */
export const branchProblem = (name: string): string | null => {
  if (name === "") return "it is empty"
  if (!name.isWellFormed()) return "it is no text"
  const found = refusals.find(([is]) => is.test(name))
  if (found !== undefined) return found[1]
  return name.split("/").some((part) => bytesOf(part) > partMost) || bytesOf(name) > nameMost ? "it is too long" : null
}

/** A branch that is there already and leaves no room for this one: `a` for `a/b`, `a/b` for `a`; null for none. */
export const branchInTheWay = (name: string, branches: ReadonlyArray<string>): string | null =>
  branches.find((other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`)) ?? null

/** The name as a directory's: one part, and short. The n-th of its kind, from 1, has a number. */
export const directoryFor = (branch: string, n: number): string => {
  let name = ""
  for (const character of branch.replaceAll("/", "-")) {
    if (bytesOf(name + character) > directoryMost) break
    name += character
  }
  return n === 1 ? name : `${name}-${n}`
}
