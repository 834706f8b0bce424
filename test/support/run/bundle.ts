import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { rolldown } from "rolldown"
import generate from "./generated.ts"

const root = join(import.meta.dirname, "../../..")
const children = join(root, "test/support/children")
/** What each run of tests has built, under the number of its process. */
const built = join(root, "node_modules/.cache/leap-tests")

/**
 * leap as users run it: what the launcher has built of these sources, and builds where they are others. Files of earlier
 * builds may stand beside its own, which are those that its first one leads to.
 */
const copyLeap = (place: string) => {
  execFileSync(process.execPath, [join(root, "scripts/launch.mjs"), "--ensure"], { stdio: "inherit" })
  // made for the build, before it; what tests of other sources made since is newer
  const madeAt = (name: string) => statSync(join(root, "dist", name)).mtimeMs
  const generated = readdirSync(join(root, "dist/generated"))
  if (generated.some((name) => madeAt(`generated/${name}`) > madeAt("leap.js"))) generate()
  const names = new Set(["package.json", "leap.js"])
  for (const name of names) {
    const text = readFileSync(join(root, "dist", name), "utf8")
    mkdirSync(join(place, "dist"), { recursive: true })
    writeFileSync(join(place, "dist", name), text)
    for (const [, its = ""] of text.matchAll(/\.\/([\w-]+\.js)\b/g))
      if (existsSync(join(root, "dist", its))) names.add(its)
  }
  // the hook script is found beside the bundle's folder
  cpSync(join(root, "hooks"), join(place, "hooks"), { recursive: true })
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
 * Builds what tests start as processes of their own, once for a whole test run: a start from a bundle is several times
 * faster than from sources. Says how patient their waits are to be, unless the caller has said it.
 */
export default async function setup() {
  endLeftBehind((run) => !lives(run))
  const place = join(built, String(process.pid))
  copyLeap(place)
  await buildChildren(place)
  process.env["LEAP_TEST_BUNDLE"] = join(place, "dist/leap.js")
  process.env["LEAP_PATIENCE"] ??= slowness().toFixed(1)
  process.env["LEAP_TEST_CHILDREN"] = join(place, "children")
  process.env["LEAP_TEST_RUN"] = String(process.pid)
  return () => endLeftBehind((run) => run === process.pid)
}
