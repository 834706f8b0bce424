/**
 * The sections of the predecessor's provider scenarios, and how many rows each has. K is one sentence, whose items are
 * numbered in order.
 */
const sections = {
  A: 5,
  B: 13,
  C: 4,
  D: 17,
  E: 9,
  F: 6,
  G: 14,
  H: 13,
  I: 5,
  J: 9,
  K: 21,
  L: 9,
  M: 7,
  N: 7,
  O: 9,
  P: 4,
  Q: 41
} as const

const range = (section: string, first: number, last: number): ReadonlyArray<string> =>
  Array.from({ length: last - first + 1 }, (_, i) => `${section}${first + i}`)

/** Every row: `A1` to `Q41`. */
export const providerRows: ReadonlyArray<string> = Object.entries(sections).flatMap(([section, last]) =>
  range(section, 1, last)
)

/** `A1`, and for `B4–B7` all four. */
const rowsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\b([A-Q])(\d{1,2})(?:–\1(\d{1,2}))?\b/g)].flatMap(([, section = "", first, last]) =>
    range(section, Number(first), Number(last ?? first))
  )

/**
 * Rows that are shown by tests beside the code that they speak of, and not in a table here: their titles begin with the
 * ids. A run of all tests fails where one of these rows is in no title of a test that passed.
 */
export const rowsInTitles: ReadonlyArray<string> = rowsIn(
  "A1–A5 B1–B13 D2 H1 H11–H13 I1–I5 J1–J9 L1–L3 L5–L9 M1–M7 N1–N4 P3–P4 Q1–Q26 Q37–Q39 Q41"
)

/** The rows that a title of a test or a group begins with, as `W1 (Q13): a line …` does; W and S are leap's own ids. */
export const rowsOfTitle = (title: string): ReadonlyArray<string> => {
  const [, ids = ""] = /^((?:[A-QSW]\d{1,2}(?:–[A-Q]\d{1,2})?|[,() ])+): /.exec(title) ?? []
  return rowsIn(ids)
}
