import type { QueueFile, QueueFiles } from "../../src/services/QueueFiles.ts"

/** How one operation goes wrong: it fails, or it is a write that takes only some bytes (and then fails, or says how many). */
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

const errno = (code: string) => Object.assign(new Error(`${code}: made to fail`), { code })

export const faulty = (real: QueueFiles): FaultyFiles => {
  let done: Array<string> = []
  let armed: { readonly from: number; readonly until: number; readonly fault: Fault } | null = null
  const fault = (name: string): Fault | null => {
    const n = done.push(name) - 1
    return armed !== null && n >= armed.from && n < armed.until ? armed.fault : null
  }
  const guard = async <A>(name: string, run: () => Promise<A>): Promise<A> => {
    const wrong = fault(name)
    if (wrong !== null) throw errno(wrong._tag === "Fail" ? wrong.code : wrong.code ?? "EIO")
    return run()
  }
  const file = (real: QueueFile): QueueFile => ({
    write: async (data) => {
      const wrong = fault("write")
      if (wrong?._tag === "Fail") throw errno(wrong.code)
      if (wrong?._tag !== "Cut") return real.write(data)
      const written = Math.min(wrong.bytes, data.length)
      if (written > 0) await real.write(data.subarray(0, written))
      if (wrong.code !== null) throw errno(wrong.code)
      return written
    },
    sync: () => guard("sync", real.sync),
    truncate: (size) => guard("truncate", () => real.truncate(size)),
    chmod: (mode) => guard("chmod", () => real.chmod(mode)),
    close: real.close
  })
  return {
    files: {
      read: (path) => guard("read", () => real.read(path)),
      open: (path, fresh) => guard("open", async () => file(await real.open(path, fresh))),
      rename: (from, to) => guard("rename", () => real.rename(from, to)),
      remove: (path) => guard("remove", () => real.remove(path)),
      syncDirectory: (path) => guard("syncDirectory", () => real.syncDirectory(path))
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
