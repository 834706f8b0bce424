import { Effect } from "effect"
import type { QueueFile, QueueFiles } from "../../../src/layers/files/QueueStoreFile.ts"
import { FileFault } from "../../../src/services/FileFault.ts"

/**
 * How one operation goes wrong: it fails, or it is a write that takes only some bytes (and then fails, or says how
 * many).
 */
export type Fault =
  | { readonly _tag: "Fail"; readonly code: string }
  | { readonly _tag: "Cut"; readonly bytes: number; readonly code: string | null }

/** File operations that count themselves and fail on demand. */
export interface FaultyFiles {
  readonly files: QueueFiles
  /** Operations done since the last `arm`, in order. */
  readonly done: () => ReadonlyArray<string>
  /** The n-th operation from now (counted from 0), and `times` in all, goes wrong. */
  readonly arm: (n: number, fault: Fault, times?: number) => void
  readonly disarm: () => void
}

const broken = (code: string) => new FileFault({ code, why: `${code}: made to fail` })

export const faulty = (real: QueueFiles): FaultyFiles => {
  let done: Array<string> = []
  let armed: { readonly from: number; readonly until: number; readonly fault: Fault } | null = null
  const fault = (name: string): Fault | null => {
    const n = done.push(name) - 1
    return armed !== null && n >= armed.from && n < armed.until ? armed.fault : null
  }
  const guard = <A>(name: string, run: Effect.Effect<A, FileFault>) =>
    Effect.suspend((): Effect.Effect<A, FileFault> => {
      const wrong = fault(name)
      return wrong === null ? run : broken(wrong._tag === "Fail" ? wrong.code : (wrong.code ?? "EIO"))
    })
  const file = (real: QueueFile): QueueFile => ({
    write: (data) =>
      Effect.gen(function* () {
        const wrong = fault("write")
        if (wrong?._tag === "Fail") return yield* broken(wrong.code)
        if (wrong?._tag !== "Cut") return yield* real.write(data)
        const written = Math.min(wrong.bytes, data.length)
        if (written > 0) yield* real.write(data.subarray(0, written))
        return wrong.code === null ? written : yield* broken(wrong.code)
      }),
    sync: guard("sync", real.sync),
    truncate: (size) => guard("truncate", real.truncate(size)),
    chmod: (mode) => guard("chmod", real.chmod(mode)),
    close: real.close
  })
  return {
    files: {
      read: (path) => guard("read", real.read(path)),
      open: (path, fresh) => guard("open", Effect.map(real.open(path, fresh), file)),
      rename: (from, to) => guard("rename", real.rename(from, to)),
      remove: (path) => guard("remove", real.remove(path)),
      syncDirectory: (path) => guard("syncDirectory", real.syncDirectory(path))
    },
    done: () => done,
    arm: (n, fault, times = 1) => {
      done = []
      armed = { from: n, until: n + times, fault }
    },
    disarm: () => {
      done = []
      armed = null
    }
  }
}
