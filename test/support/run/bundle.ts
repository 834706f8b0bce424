import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { type OutputOptions, rolldown, type RolldownOptions } from "rolldown"
import generate from "./generated.ts"

const root = join(import.meta.dirname, "../../..")
const children = join(root, "test/support/children")
/** What each run of tests has built, under the number of its process. */
const built = join(root, "node_modules/.cache/leap-tests")
/** leap as the last runs have built it, under a name that says of which files. */
const kept = join(root, "node_modules/.cache/leap-built")

const buildAnew = async (place: string) => {
  const config = (await import(pathToFileURL(join(root, "rolldown.config.mjs")).href)) as {
    readonly default: RolldownOptions & { readonly output: OutputOptions }
  }
  const { output, ...input } = config.default
  const build = await rolldown({ ...input, cwd: root, logLevel: "silent" })
  await build.write({ ...output, dir: join(place, "dist") })
  await build.close()
}

/** What leap is built from. */
const sources = ["src", "scripts/build", "rolldown.config.mjs", "package.json", "package-lock.json"]

/** The same name for the same files, at the same place, under the same Node. */
const nameOfSources = (): string => {
  const name = createHash("sha256").update(`${root} ${process.version}`)
  for (const source of sources) {
    const isFolder = statSync(join(root, source)).isDirectory()
    const inside = isFolder ? readdirSync(join(root, source), { recursive: true, withFileTypes: true }) : []
    const files = inside.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    for (const file of isFolder ? files.toSorted() : [join(root, source)])
      name.update(`\0${file}\0`).update(readFileSync(file))
  }
  return name.digest("hex")
}

/** leap as users run it: an earlier run may have built it already from the same files. */
const buildLeap = async (place: string) => {
  // the hook script is found beside the bundle's folder
  cpSync(join(root, "hooks"), join(place, "hooks"), { recursive: true })
  const whole = join(kept, nameOfSources())
  if (existsSync(whole)) {
    generate()
    utimesSync(whole, new Date(), new Date())
    return cpSync(whole, join(place, "dist"), { recursive: true })
  }
  await buildAnew(place)
  const part = `${whole}.${process.pid}`
  cpSync(join(place, "dist"), part, { recursive: true })
  try {
    renameSync(part, whole)
  } catch {
    // another run built the same meanwhile
    rmSync(part, { recursive: true })
  }
  const used = (name: string) => statSync(join(kept, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const old = readdirSync(kept)
    .toSorted((a, b) => used(b) - used(a))
    .slice(3)
  for (const name of old) rmSync(join(kept, name), { recursive: true, force: true })
}

/** The programs that tests start and kill, one file each; what they read beside themselves they read where it is. */
const buildChildren = async (place: string) => {
  const files = readdirSync(children).filter((name) => name.endsWith("Child.ts") || name.endsWith("Loop.ts"))
  const build = await rolldown({
    cwd: root,
    logLevel: "silent",
    platform: "node",
    external: ["node-pty"],
    input: Object.fromEntries(files.map((name) => [name.slice(0, -".ts".length), join(children, name)])),
    // of the test library they use its assertions, if anything: those alone start several times faster
    resolve: { mainFields: ["module", "main"], alias: { "@effect/vitest": "chai" } },
    plugins: [
      {
        name: "keep-places",
        transform: (code, id) => code.replaceAll("import.meta.dirname", JSON.stringify(dirname(id)))
      }
    ]
  })
  await build.write({ dir: join(place, "children"), format: "esm", entryFileNames: "[name].js" })
  await build.close()
}

/** What a quiet machine takes to start a Node that does nothing, in milliseconds. */
const quietStart = 50

/** How much slower this machine is now: by the best of three such starts, from once to ten times. */
const slowness = (): number => {
  const starts = [1, 2, 3].map(() => {
    const begin = performance.now()
    spawnSync(process.execPath, ["-e", "0"], { stdio: "ignore" })
    return performance.now() - begin
  })
  return Math.min(10, Math.max(1, Math.min(...starts) / quietStart))
}

/** Whether this process lives. */
const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/**
 * Ends what runs of tests left behind that were cut off from outside, hosts and their CLIs, and takes away what they had
 * built: rooms say in their environment of which run they are. Only where the system shows environments (`/proc`).
 */
const endLeftBehind = (isOver: (run: number) => boolean): void => {
  const processes = existsSync("/proc/self/environ") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : []
  for (const pid of processes) {
    try {
      const run = /(?:^|\0)LEAP_TEST_ROOM=(\d+)/.exec(readFileSync(`/proc/${pid}/environ`, "latin1"))?.[1]
      if (run !== undefined && Number(pid) !== process.pid && isOver(Number(run))) process.kill(Number(pid), "SIGKILL")
    } catch {
      // it has ended meanwhile, or is another user's
    }
  }
  const runs = existsSync(built) ? readdirSync(built) : []
  for (const run of runs) if (isOver(Number(run))) rmSync(join(built, run), { recursive: true, force: true })
}

/**
 * Builds what tests start as processes of their own, once for all runs of the same sources: a start from a bundle is
 * several times faster than from sources. Says how patient their waits are to be, unless the caller has said it.
 */
export default async function setup() {
  endLeftBehind((run) => !lives(run))
  const place = join(built, String(process.pid))
  await Promise.all([buildLeap(place), buildChildren(place)])
  process.env["LEAP_TEST_BUNDLE"] = join(place, "dist/leap.js")
  process.env["LEAP_PATIENCE"] ??= slowness().toFixed(1)
  process.env["LEAP_TEST_CHILDREN"] = join(place, "children")
  process.env["LEAP_TEST_RUN"] = String(process.pid)
  return () => endLeftBehind((run) => run === process.pid)
}
