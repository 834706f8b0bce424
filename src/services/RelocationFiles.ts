import { Context, type Effect } from "effect"
import type { Stamp } from "../domain/store/relocation/Snapshot.ts"
import type { FileFault } from "./FileFault.ts"

/** What a name refers to; for a symbolic link the link itself. */
export interface FileInfo {
  readonly kind: "file" | "directory" | "link" | "other"
  readonly mode: number
  readonly uid: number
  readonly stamp: Stamp
}

type Io<A = void> = Effect.Effect<A, FileFault>

/**
 * The file operations of a relocation, and no others, so that a test can fail, delay or interrupt each. None follows a
 * symbolic link in the last component of a path. All but `copy`, `append`, `create` and `extend` are atomic.
 */
export class RelocationFiles extends Context.Service<
  RelocationFiles,
  {
    /** The numeric id of the user who changes the files; null on systems without user ids. */
    readonly user: number | null
    /** Null when nothing has this name. */
    readonly stat: (path: string) => Io<FileInfo | null>
    /** Names in the directory, sorted. A name that is not UTF-8 is an error, because the journal could not store it. */
    readonly list: (path: string) => Io<ReadonlyArray<string>>
    readonly readLink: (path: string) => Io<string>
    readonly realPath: (path: string) => Io<string>
    /** Whether entries can be added to and removed from the directory. */
    readonly isWritable: (path: string) => Io<boolean>
    /** Fails with EEXIST when the name is taken. */
    readonly makeDirectory: (path: string, mode: number) => Io
    /** Makes a hard link; fails with EEXIST when the name is taken. */
    readonly link: (from: string, to: string) => Io
    /** Fails with EEXIST when the name is taken. */
    readonly symlink: (text: string, path: string) => Io
    /** Replaces a file, or an empty directory by a directory: only for a destination whose content the caller knows. */
    readonly rename: (from: string, to: string) => Io
    readonly unlink: (path: string) => Io
    /** Fails with ENOTEMPTY when it is not empty. */
    readonly removeDirectory: (path: string) => Io
    readonly setMode: (path: string, mode: number) => Io
    readonly setTime: (path: string, mtimeNs: string) => Io
    /**
     * Copies the first `size` bytes into a new file, with this mode and time; `sync` makes it durable. Fails with
     * ESTALE when the source has fewer. Can be interrupted.
     */
    readonly copy: (
      from: string,
      to: string,
      as: { readonly size: number; readonly mode: number; readonly mtimeNs: string }
    ) => Io
    /** Appends the bytes of `from` between `start` and `end` to a file of `start` bytes, durably. */
    readonly append: (from: string, to: string, start: number, end: number) => Io
    /** Whether two files have the same first `size` bytes; ESTALE if one has fewer. Can be interrupted. */
    readonly compare: (path: string, other: string, size: number) => Io<boolean>
    /** The byte at this offset; ESTALE if the file ends before. */
    readonly byteAt: (path: string, offset: number) => Io<number>
    /** Makes the content of files durable: of many at once, so that one write of the disk's serves several. */
    readonly sync: (paths: ReadonlyArray<string>) => Io
    /** Makes names in a directory durable. */
    readonly syncDirectory: (path: string) => Io
    /** The text of the first `length` bytes of a file. */
    readonly head: (path: string, length: number) => Io<string>
    /** The text of a file, or null when there is no such file. */
    readonly read: (path: string) => Io<string | null>
    /** Writes a new file (0600), durable except for its name; fails with EEXIST when the name is taken. */
    readonly create: (path: string, text: string) => Io
    /** Appends to a file, durably. */
    readonly extend: (path: string, text: string) => Io
  }
>()("leap/services/RelocationFiles") {}

/** The operations of {@link RelocationFiles}. */
export type RelocationFilesService = RelocationFiles["Service"]
