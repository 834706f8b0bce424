import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as vm from "node:vm"

/** What loads a program's parts; `keepCode` keeps what is not kept yet, when the process ends. */
export interface Parts {
  readonly load: (id: string) => unknown
  readonly keepCode: () => void
}

/** What is kept longer than this is made anew: nobody may use it any more. */
const keptMs = 30 * 24 * 60 * 60 * 1000
/** A process that goes on (a host, an attached terminal) keeps its parts' code when its start is over. */
const startMs = 5000

/** The head of the functions that Node, too, makes of CommonJS files. */
const head = "(function (exports, require, module, __filename, __dirname) { "

/** V8 takes only code that was made under the same flags, and says so late: processes with others have their own. */
const flagsOf = (): string => {
  const given = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].join(" ").trim()
  // V8 tells flags apart whose names were cut: that costs time only
  return given === "" ? "" : `.${given.replace(/[^\w=]+/g, "_").slice(0, 100)}`
}

/** The commands of the quick way. Each keeps what it calls of it for itself: another one calls other functions. */
const quick = new Set(
  "answer audit dismiss interrupt keys last log mode mute queue report screen send status unmute wait why".split(" ")
)

/** Whose code may run here: this user's own and the system's, in a file that nobody else can write. */
const isTrusted = ({ mode, uid }: fs.Stats): boolean =>
  process.getuid === undefined || ((uid === 0 || uid === process.geteuid?.()) && (mode & 0o022) === 0)

/**
 * What was kept. V8 looks at its head only, and a damaged rest (the machine's crash, a full disk) would end the process
 * without a word: it stands there twice, which is read and compared faster than a checksum's module is loaded.
 */
const kept = (file: string): Buffer | undefined => {
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

/** Puts it in place whole, or not at all. */
const keep = (file: string, code: () => Buffer): void => {
  const fresh = `${file}.${process.pid}.new`
  const descriptor = fs.openSync(fresh, "wx", 0o644)
  try {
    const made = code()
    for (let n = 0; n < 2; n++) fs.writeFileSync(descriptor, made)
    fs.renameSync(fresh, file)
  } catch (error) {
    fs.rmSync(fresh, { force: true })
    throw error
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Removes what nobody asks for any more: of parts that are gone, and of what was kept long ago. */
const tidy = (dir: string, program: string, now: number): void => {
  for (const name of fs.readdirSync(dir)) {
    const file = path.join(dir, name)
    const part = /^(.*?\.js)\./.exec(name)?.[1] ?? ""
    const isUsed = fs.existsSync(path.join(program, part)) && now - fs.statSync(file).mtimeMs < keptMs
    if (!isUsed) fs.rmSync(file, { force: true })
  }
}

/**
 * Where the code of this program's parts may be: beside it, where whoever may write could write the program;
 * else (it was installed by another user) among the user's caches, by the program's place.
 */
const placesOf = (program: string): ReadonlyArray<string> => {
  const told = process.env["XDG_CACHE_HOME"] ?? ""
  const caches = told.startsWith("/") ? told : path.join(process.env["HOME"] || os.homedir(), ".cache")
  const name = encodeURIComponent(program)
  const own = name.length > 250 ? [] : [path.join(caches, "leap", "code", name)]
  return [path.join(program, ".code"), ...own]
}

/**
 * Loads the parts of the built program in `program`, and what they ask for, with the code that V8 made of them at an
 * earlier start: with all functions which that one called; Node's own cache has those alone that V8 makes at once.
 * From `own`, which loads for Node, comes all else, and what it has loaded already.
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
          keep(`${place}/${name}${endOf(name)}`, () => script.createCachedData())
          missing.delete(name)
        }
        return tidy(place, program, clock())
      } catch {
        // not writable, or full: the next place, or the next start
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
    for (const place of places) cachedData ??= kept(`${place}/${name}${endOf(name)}`)
    // the build sees to it that all of it is ASCII, and that nothing in it is an import
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
