import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"

class Piece {
  readonly text: string
  readonly values: ReadonlyArray<SQLInputValue>
  constructor(text: string, values: ReadonlyArray<SQLInputValue>) {
    this.text = text
    this.values = values
  }
}

const joined = (strings: ReadonlyArray<string>, parts: ReadonlyArray<SQLInputValue | Piece>): Piece => {
  let text = strings[0] ?? ""
  const values: Array<SQLInputValue> = []
  for (const [i, part] of parts.entries()) {
    text += (part instanceof Piece ? part.text : "?") + (strings[i + 1] ?? "")
    values.push(...(part instanceof Piece ? part.values : [part]))
  }
  return new Piece(text, values)
}

/** A piece of a statement; embedded values become parameters. */
export const piece = (strings: TemplateStringsArray, ...parts: ReadonlyArray<SQLInputValue | Piece>): Piece =>
  joined(strings, parts)

/** A piece of a statement from the program's own text, and the values for its question marks. */
export const literal = (text: string, ...values: ReadonlyArray<SQLInputValue>): Piece => new Piece(text, values)

/** The rows of a statement. Embedded values become parameters, except pieces. */
export type Select = <A extends object>(
  strings: TemplateStringsArray,
  ...parts: ReadonlyArray<SQLInputValue | Piece>
) => ReadonlyArray<A>

/** Statements of this database, each compiled once. */
export const selectIn = (database: DatabaseSync): Select => {
  const compiled = new Map<string, StatementSync>()
  return <A extends object>(strings: TemplateStringsArray, ...parts: ReadonlyArray<SQLInputValue | Piece>) => {
    const { text, values } = joined(strings, parts)
    const statement = compiled.get(text) ?? database.prepare(text)
    compiled.set(text, statement)
    return statement.all(...values) as unknown as ReadonlyArray<A>
  }
}
