import { Context, type Effect, Schema } from "effect"
import type { Stamp } from "../domain/relocation/Snapshot.ts"

/** One operation on a file did not work; `code` is the operating system's (ENOSPC, EACCES, EXDEV …). */
export class RelocationFileError extends Schema.TaggedError<RelocationFileError>()("RelocationFileError", {
  operation: Schema.String,
  path: Schema.String,
  code: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `could not ${this.operation} ${JSON.stringify(this.path)}: ${this.why}`
  }
}

/** What there is under a name; of a symbolic link the link itself. */
export interface FileSeen {
  readonly kind: "file" | "directory" | "link" | "other"
  readonly mode: number
  readonly uid: number
  readonly stamp: Stamp
}

type Io<A = void> = Effect.Effect<A, RelocationFileError>

/**
 * The file operations that a relocation is made of, and no others, so that a test can fail, delay or cut off each. None
 * follows a symbolic link in its last component. All but `copy`, `append`, `create` and `extend` happen whole or not at all.
 */
export class RelocationFiles extends Context.Service<RelocationFiles, {
  /** The user as whom the files are changed; null where users have no number. */
  readonly user: number | null
  /** Null when there is nothing. */
  readonly stat: (path: string) => Io<FileSeen | null>
  /** Names in the directory, sorted. A name that is no UTF-8 is an error: it could not be written down. */
  readonly list: (path: string) => Io<ReadonlyArray<string>>
  readonly readLink: (path: string) => Io<string>
  /** The path with all symbolic links resolved. */
  readonly realPath: (path: string) => Io<string>
  /** Whether entries may be made in and taken from the directory. */
  readonly isWritable: (path: string) => Io<boolean>
  /** Fails with EEXIST when something is there. */
  readonly makeDirectory: (path: string, mode: number) => Io
  /** A second name for a file; fails with EEXIST when something is there. */
  readonly link: (from: string, to: string) => Io
  /** Fails with EEXIST when something is there. */
  readonly symlink: (text: string, path: string) => Io
  /** Replaces a file, or an empty directory by a directory: only for names of which the caller knows what is there. */
  readonly rename: (from: string, to: string) => Io
  readonly unlink: (path: string) => Io
  /** Fails with ENOTEMPTY when something is in it. */
  readonly removeDirectory: (path: string) => Io
  readonly setMode: (path: string, mode: number) => Io
  readonly setTime: (path: string, mtimeNs: string) => Io
  /**
   * Copies the first `size` bytes into a file that must not be there, with this mode and time, durably; gives the SHA-256
   * of the bytes as they were read. Fails with ESTALE when the file has fewer. Can be interrupted.
   */
  readonly copy: (from: string, to: string, as: { readonly size: number; readonly mode: number; readonly mtimeNs: string }) => Io<string>
  /** Appends the bytes of `from` between `start` and `end` to a file of `start` bytes, durably. */
  readonly append: (from: string, to: string, start: number, end: number) => Io
  /** SHA-256 of the first `size` bytes, and the last of them; fails with ESTALE when there are fewer. Can be interrupted. */
  readonly digest: (path: string, size: number) => Io<{ readonly hash: string; readonly last: number }>
  /** Makes names in a directory durable. */
  readonly syncDirectory: (path: string) => Io
  /** The text of the first bytes of a file, at most `length`. */
  readonly head: (path: string, length: number) => Io<string>
  /** The text of a file, or null when there is none. */
  readonly read: (path: string) => Io<string | null>
  /** Writes a new file (0600), durably but for its name; fails with EEXIST when something is there. */
  readonly create: (path: string, text: string) => Io
  /** Appends to a file, durably. */
  readonly extend: (path: string, text: string) => Io
}>()("leap/services/RelocationFiles") {}
