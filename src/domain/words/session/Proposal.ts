import { Schema } from "effect"

/**
 * What an edit would do to one file. `path`: as its CLI names it, without the session's directory in front; `from`: its
 * former path, if it is moved. The first character of a line says what it is: `+` or `-`, a blank if it stays, `@` for
 * a gap or a note. `added` and `removed` count those that are left out, too.
 */
export interface ProposedFile {
  readonly path: string
  readonly from: string | null
  readonly kind: "added" | "changed" | "removed" | "renamed"
  readonly added: number
  readonly removed: number
  readonly lines: ReadonlyArray<string>
}

/** An edit that a CLI asks for. Secrets are masked. `unshown` lines and `unlisted` files are left out. */
export interface ProposedEdit {
  readonly files: ReadonlyArray<ProposedFile>
  readonly unshown: number
  readonly unlisted: number
}
export const ProposedEdit: Schema.Codec<ProposedEdit> = Schema.Struct({
  files: Schema.Array(
    Schema.Struct({
      path: Schema.String,
      from: Schema.NullOr(Schema.String),
      kind: Schema.Literals(["added", "changed", "removed", "renamed"]),
      added: Schema.Int,
      removed: Schema.Int,
      lines: Schema.Array(Schema.String)
    })
  ),
  unshown: Schema.Int,
  unlisted: Schema.Int
})

/** What the permission dialog on screen asks for, as the CLI's hook says; the screen may show less of it. */
export interface Proposal {
  readonly command: string | null
  readonly edit: ProposedEdit | null
}
export const Proposal: Schema.Codec<Proposal> = Schema.Struct({
  command: Schema.NullOr(Schema.String),
  edit: Schema.NullOr(ProposedEdit)
})
