/** One field of each of these. */
export const each = <T, K extends keyof T>(all: ReadonlyArray<T>, field: K): Array<T[K]> => all.map((one) => one[field])

/** These fields of each, a row for each. */
export const rowsOf = <T, K extends keyof T>(all: ReadonlyArray<T>, ...fields: ReadonlyArray<K>): Array<Array<T[K]>> =>
  all.map((one) => fields.map((field) => one[field]))
