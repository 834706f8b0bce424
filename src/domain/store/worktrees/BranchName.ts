const encoder = new TextEncoder()
const bytesOf = (text: string): number => encoder.encode(text).length

/** Bytes of a file system's name, less git's temporary ending (`.lock`) and room for a number. */
const partMost = 240
const nameMost = 1_000
const directoryMost = 100

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

/** Why git would reject a branch of this name, or take it for something else; null if it is valid. */
export const branchProblem = (name: string): string | null => {
  if (name === "") return "it is empty"
  if (!name.isWellFormed()) return "it is no text"
  const found = refusals.find(([is]) => is.test(name))
  if (found !== undefined) return found[1]
  return name.split("/").some((part) => bytesOf(part) > partMost) || bytesOf(name) > nameMost ? "it is too long" : null
}

/** An existing branch that leaves no room for this one: `a` for `a/b`, `a/b` for `a`; null for none. */
export const branchInTheWay = (name: string, branches: ReadonlyArray<string>): string | null =>
  branches.find((other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`)) ?? null

/** A directory name for the branch: one part, and short. From the second of its kind on it has a number. */
export const directoryFor = (branch: string, n: number): string => {
  let name = ""
  for (const character of branch.replaceAll("/", "-")) {
    if (bytesOf(name + character) > directoryMost) break
    name += character
  }
  return n === 1 ? name : `${name}-${n}`
}
