import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as vm from "node:vm"

/** `keepCode` writes the missing code caches when the process ends. */
export interface Parts {
  readonly load: (id: string) => unknown
  readonly keepCode: () => void
}

/** Older caches are removed, since they may be unused. */
const keptMs = 30 * 24 * 60 * 60 * 1000
/** A long-lived process (a host, an attached terminal) writes its caches after this time. */
const startMs = 5000

/** The function header that Node also puts around CommonJS files. */
const head = "(function (exports, require, module, __filename, __dirname) { "

/** V8 accepts only code made under the same flags, and rejects it late, so each set of flags has its own files. */
const flagsOf = (): string => {
  const given = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].join(" ").trim()
  // long flags are cut; if two sets then share a name, V8 rejects the code, which only costs time
  return given === "" ? "" : `.${given.replace(/[^\w=]+/g, "_").slice(0, 100)}`
}

/** The quick commands. Each keeps a cache of its own, because each calls other functions. */
const quick = new Set(
  "answer audit dismiss interrupt keys last log mode mute queue report screen send status unmute wait why".split(" ")
)

/** Whether code from this file may run: only this user or root owns and can write it. */
const isTrusted = ({ mode, uid }: fs.Stats): boolean =>
  process.getuid === undefined || ((uid === 0 || uid === process.geteuid?.()) && (mode & 0o022) === 0)

/**
 * Reads a code cache. V8 checks only its head, and a damaged rest (a crash, a full disk) would end the process
 * silently. So the file stores the code twice, which is faster to compare than loading a checksum's module.
 */
const readCache = (file: string): Buffer | undefined => {
  try {
    const descriptor = fs.openSync(file, "r")
    try {
      if (!isTrusted(fs.fstatSync(descriptor))) return undefined
      const both = fs.readFileSync(descriptor)
      const code = both.subarray(0, both.length / 2)
      return both.length > 0 && both.length % 2 === 0 && code.equals(both.subarray(both.length / 2)) ? code : undefined
    } finally {
      fs.closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}

const writeCache = (file: string, code: () => Buffer): void => {
  const temporary = `${file}.${process.pid}.new`
  const descriptor = fs.openSync(temporary, "wx", 0o644)
  try {
    const made = code()
    for (let n = 0; n < 2; n++) fs.writeFileSync(descriptor, made)
    fs.renameSync(temporary, file)
  } catch (error) {
    fs.rmSync(temporary, { force: true })
    throw error
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Removes the caches of missing chunks, and old ones. */
const tidy = (dir: string, program: string, now: number): void => {
  for (const name of fs.readdirSync(dir)) {
    const file = path.join(dir, name)
    const part = /^(.*?\.js)\./.exec(name)?.[1] ?? ""
    const isUsed = fs.existsSync(path.join(program, part)) && now - fs.statSync(file).mtimeMs < keptMs
    if (!isUsed) fs.rmSync(file, { force: true })
  }
}

/**
 * The directories for this program's code caches: beside it, if only its owner can write there. Otherwise (another user
 * installed it) a folder in the user's cache, named by the program's path.
 */
const placesOf = (program: string): ReadonlyArray<string> => {
  const xdgCache = process.env["XDG_CACHE_HOME"] ?? ""
  const caches = xdgCache.startsWith("/") ? xdgCache : path.join(process.env["HOME"] || os.homedir(), ".cache")
  const name = encodeURIComponent(program)
  const own = name.length > 250 ? [] : [path.join(caches, "leap", "code", name)]
  return [path.join(program, ".code"), ...own]
}

/**
 * Loads the chunks of the built program in `program` with V8's code cache from an earlier start. That cache has all
 * functions that the earlier start called; Node's own cache has only eagerly compiled ones. `own`, which loads for
 * Node, loads everything else, and the modules that it has loaded already.
 */
export const withKeptCode = (own: NodeJS.Require, program: string, clock: () => number, command = ""): Parts => {
  if (process.env["NODE_DISABLE_COMPILE_CACHE"]) return { load: own, keepCode: () => {} }
  const places = placesOf(program)
  const version = `.${process.version}-${process.arch}${flagsOf()}`
  const endOf = (name: string) =>
    quick.has(command) && /^(?:quick|shared)-/.test(name) ? `.${command}${version}` : version
  const loaded = new Map<string, { exports: unknown }>()
  const missing = new Map<string, vm.Script>()

  const keepCode = (): void => {
    for (const place of missing.size === 0 ? [] : places) {
      try {
        fs.mkdirSync(place, { recursive: true, mode: 0o755 })
        for (const [name, script] of missing) {
          writeCache(`${place}/${name}${endOf(name)}`, () => script.createCachedData())
          missing.delete(name)
        }
        return tidy(place, program, clock())
      } catch {
        // not writable, or full: try the next directory, or the next start
      }
    }
    missing.clear()
  }

  const load = (id: string): unknown => {
    if (!id.startsWith("./")) return own(id)
    const name = id.slice(2)
    const filename = `${program}/${name}`
    const there = own.cache[filename] ?? loaded.get(name)
    if (there !== undefined) return there.exports
    const module = { exports: {} }
    loaded.set(name, module)
    let cachedData: Buffer | undefined
    for (const place of places) cachedData ??= readCache(`${place}/${name}${endOf(name)}`)
    // the build guarantees that the file is ASCII, and has no `import()`
    const source = `${head}${fs.readFileSync(filename, "latin1")}\n})`
    const script = new vm.Script(source, { filename, columnOffset: -head.length, ...(cachedData && { cachedData }) })
    if (cachedData === undefined || script.cachedDataRejected === true) {
      if (missing.size === 0) setTimeout(keepCode, startMs).unref()
      missing.set(name, script)
    }
    const run = script.runInThisContext() as (...given: ReadonlyArray<unknown>) => void
    run.call(module.exports, module.exports, load, module, filename, program)
    return module.exports
  }
  return { load, keepCode }
}
