/** Versions of programs, compared as `MAJOR.MINOR.PATCH-pre`: number by number, a pre-release before its release. */

interface Parts {
  readonly numbers: ReadonlyArray<number>
  /** Empty for a release. */
  readonly pre: ReadonlyArray<string>
}

const partsOf = (version: string): Parts => {
  const [release = "", ...pre] = (version.split("+")[0] ?? "").split("-")
  return {
    numbers: release.split(".").map((part) => Number.parseInt(part, 10) || 0),
    pre: pre.length === 0 ? [] : pre.join("-").split(".")
  }
}

const compareWords = (a: string, b: string): number => {
  const isNumber = [a, b].map((word) => /^\d+$/.test(word))
  if (isNumber[0] && isNumber[1]) return Math.sign(Number(a) - Number(b))
  if (isNumber[0] !== isNumber[1]) return isNumber[0] ? -1 : 1
  return a === b ? 0 : a < b ? -1 : 1
}

const firstDifference = (length: number, compare: (index: number) => number): number => {
  for (let index = 0; index < length; index++) {
    const order = compare(index)
    if (order !== 0) return order
  }
  return 0
}

/** Negative if `a` is older, positive if it is newer, 0 if they are the same. */
export const compareVersions = (a: string, b: string): number => {
  const [left, right] = [partsOf(a), partsOf(b)]
  const numbers = firstDifference(Math.max(left.numbers.length, right.numbers.length), (index) =>
    Math.sign((left.numbers[index] ?? 0) - (right.numbers[index] ?? 0))
  )
  if (numbers !== 0) return numbers
  if (left.pre.length === 0 || right.pre.length === 0) return Math.sign(right.pre.length - left.pre.length)
  return firstDifference(Math.max(left.pre.length, right.pre.length), (index) => {
    const [one, other] = [left.pre[index], right.pre[index]]
    return one === undefined ? -1 : other === undefined ? 1 : compareWords(one, other)
  })
}

/** A feature that a CLI has since a version; undefined: in every version that leap knows. */
export interface Since {
  readonly since?: string
}

export const has = (version: string, { since }: Since): boolean =>
  since === undefined || compareVersions(version, since) >= 0

/** The range of a CLI's versions that leap was checked with, in words. */
export const checkedRange = (oldest: string | null, newest: string | null): string | null =>
  newest === null ? oldest : oldest === null || oldest === newest ? newest : `${oldest} to ${newest}`

/** Whether the version is one that leap was checked with, or between two such versions. */
export const isChecked = (version: string, oldest: string | null, newest: string | null): boolean =>
  newest !== null && compareVersions(version, newest) <= 0 && compareVersions(version, oldest ?? newest) >= 0
