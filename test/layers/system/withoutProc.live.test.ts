import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { live } from "../../support/run/effects.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const support = path.join(root, "test/support/processes")

/** Who reads /proc, and what it is for, as docs/troubleshooting.md has it beside what is so without. */
const readers: Readonly<Record<string, ReadonlyArray<string>>> = {
  "bin.ts": ["whether a word that leap was called with is UTF-8"],
  "domain/store/relocation/openFiles.ts": ["who has a session's files open"],
  "domain/providers/opencode/WiringPlugin.ts": ["which CLI called a hook"],
  "layers/headless/cli/deathWatch.ts": ["what a headless run has left behind"],
  "layers/files/lockHolder.ts": ["which process holds a session's lock"],
  "layers/system/OpenFilesNode.ts": ["who has a session's files open", "who works in a worktree"],
  "layers/system/ProcessTableNode.ts": ["which processes there are", "what a headless run has left behind"],
  "layers/system/SystemNode.ts": ["where a directory was that is deleted now"],
  "layers/system/hostProcess.ts": ["what a starting script left open"],
  "layers/system/proc.ts": ["whether a host is stopped"],
  "layers/system/procPids.ts": ["which processes there are"],
  "layers/terminal/pipeEnds.ts": ["whether another program feeds standard input"],
  "programs/commands/upgrade.ts": ["which build a host runs"]
}

const sources = (directory: string): ReadonlyArray<string> =>
  fs
    .readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.startsWith("domain/policy/"))

/**
 * Runs words in the middle of a pipeline, without PWD. Its first program would go on for ever.
 */
const line = `sh -c 'echo $$ >pid; exec sleep 600' | { env -u PWD "$@"; kill "$(cat pid)"; } | cat`

const hasLsof = spawnSync("lsof", ["-v"], { env: { PATH: `${process.env["PATH"]}:/usr/sbin` } }).error === undefined

describe("without /proc", () => {
  it("all that leap reads there is known, and the page says what is so without", () => {
    const src = path.join(root, "src")
    const read = sources(src).filter((name) => {
      const code = fs.readFileSync(path.join(src, name), "utf8").replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, "")
      return /["'`\s]\/proc\b/.test(code)
    })
    assert.deepStrictEqual(read.toSorted(), Object.keys(readers).toSorted())
    const page = fs.readFileSync(path.join(root, "docs/troubleshooting.md"), "utf8")
    for (const row of Object.values(readers).flat()) assert.include(page, `| ${row}`)
  })

  live("each that reads it tells what the page says", function* () {
    const place = yield* Effect.acquireRelease(
      Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "leap-noproc-")))),
      (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
    )
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
    const lock = new DatabaseSync(path.join(place, "lock"))
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    const held = fs.openSync(path.join(place, "held"), "a")
    yield* Effect.addFinalizer(() => Effect.sync(() => fs.closeSync(held)))
    const sleeper = yield* Effect.acquireRelease(
      Effect.sync(() => spawn("sleep", ["600"], { stdio: "ignore", detached: true })),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    const told = (...options: ReadonlyArray<string>): Record<string, unknown> => {
      sleeper.kill("SIGSTOP")
      const words = ["sh", process.execPath, ...options, path.join(support, "withoutProc.ts"), String(sleeper.pid)]
      const ran = spawnSync("sh", ["-c", line, ...words], {
        cwd: place,
        env: { PATH: `${process.env["PATH"]}:/usr/sbin` },
        encoding: "utf8"
      })
      assert.strictEqual(ran.status, 0, ran.stderr)
      return JSON.parse(ran.stdout)
    }
    const same = {
      own: true,
      parent: true,
      resumed: true,
      workers: true,
      lives: [false, false],
      writer: false,
      reader: false
    }
    if (fs.existsSync("/proc/self/stat"))
      assert.deepStrictEqual(told(), {
        ...same,
        pids: true,
        holders: [process.pid],
        holder: { pid: process.pid },
        stopped: true,
        writer: true,
        reader: true,
        cwd: "/gone"
      })
    assert.deepStrictEqual(told("--import", path.join(support, "likeMacOS.mjs")), {
      ...same,
      pids: false,
      holders: hasLsof ? [process.pid] : null,
      holder: { pid: null },
      stopped: false,
      ...(hasLsof ? {} : { workers: undefined }),
      cwd: ""
    })
    lock.close()
  })
})
