import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import { System } from "../../../src/services/System.ts"
import { live } from "../../support/run/effects.ts"

const { which } = Effect.runSync(
  Effect.gen(function* () {
    return yield* System
  }).pipe(Effect.provide(SystemNode.layerWith({ version: "0.0.0", self: [] })))
)

/** A program that prints where it is. */
const script = (file: string, mode = 0o755): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, `#!/bin/sh\necho '${file}'\n`, { mode })
}

/**
 * A directory to search in: programs, a file that cannot be run, a directory of a program's name, links to programs and
 * to nothing, and `link/..`, which is `deep` and not the directory that holds `link`.
 */
const makeTree = Effect.acquireRelease(
  Effect.sync(() => {
    const tree = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "leap-which-")))
    const at = (name: string) => path.join(tree, name)
    for (const name of ["a/tool", "b/tool", "deep/tool", "work/tool", "tool"]) script(at(name))
    script(at("plain/tool"), 0o644)
    fs.mkdirSync(at("folder/tool"), { recursive: true })
    fs.mkdirSync(at("deep/inner"))
    fs.mkdirSync(at("linked"))
    fs.symlinkSync("../a/tool", at("linked/tool"))
    fs.mkdirSync(at("dangling"))
    fs.symlinkSync("nowhere", at("dangling/tool"))
    fs.symlinkSync("deep/inner", at("link"))
    return tree
  }),
  (tree) => Effect.sync(() => fs.rmSync(tree, { recursive: true, force: true }))
)

const entries = [
  "",
  ".",
  "a",
  "../a",
  "../plain",
  "../folder/",
  "../linked",
  "../dangling",
  "../link/..",
  "../nowhere",
  "../a/tool",
  "/nowhere",
  "TREE/a",
  "TREE/plain",
  "TREE/b//",
  "TREE/link/..",
  "TREE/linked"
]

/** The same file by another spelling is the same place; a link to it is not. */
const place = (cwd: string, file: string): string => {
  const whole = path.isAbsolute(file) ? file : `${cwd}/${file}`
  return path.join(fs.realpathSync.native(path.posix.dirname(whole)), path.basename(whole))
}

const Path = Schema.Array(Schema.Literals(entries)).check(Schema.isMaxLength(4))

const shells = ["bash", "dash"].filter((shell) => spawnSync(shell, ["-c", "exit 3"]).status === 3)

const isRunnable = (file: string): boolean => {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}

/**
 * What a shell says would run on each of these paths; null for nothing. Where there is nothing better, bash names a file
 * that cannot be run.
 */
const commandV = (shell: string, command: string, paths: ReadonlyArray<string>, cwd: string): Array<string | null> => {
  const said = `c=$1; shift; for PATH do command -v "$c" || echo; done`
  const { stdout } = spawnSync(shell, ["-c", said, shell, command, ...paths], { cwd, encoding: "utf8" })
  const files = stdout.split("\n").slice(0, -1)
  assert.lengthOf(files, paths.length)
  return files.map((file) => {
    const found = file === "" ? null : place(cwd, file)
    return found !== null && isRunnable(found) ? found : null
  })
}

/** What does run: the operating system's own search. */
const executed = (command: string, env: NodeJS.ProcessEnv, cwd: string): string | null => {
  const run = spawnSync(command, [], { cwd, env, encoding: "utf8" })
  return run.error === undefined ? fs.realpathSync.native(run.stdout.trimEnd()) : null
}

describe("System.which", () => {
  it("has a shell to be compared with", () => assert.isNotEmpty(shells))

  // A tree and a process of each shell for ten paths: what is compared is the search, not how processes start.
  it.live.prop(
    "finds what a shell's `command -v` finds, and what runs",
    [Schema.Array(Path).check(Schema.isMinLength(10), Schema.isMaxLength(10))],
    ([all]) =>
      Effect.gen(function* () {
        const tree = yield* makeTree
        const cwd = path.join(tree, "work")
        const paths = all.map((parts) => parts.join(":").replaceAll("TREE", tree))
        const found = yield* Effect.forEach(paths, (PATH) =>
          Effect.map(Effect.option(which("tool", { PATH }, cwd)), Option.getOrNull)
        )
        for (const file of found) assert.isTrue(file === null || path.isAbsolute(file))
        const places = found.map((file) => file && place(cwd, file))
        for (const shell of shells)
          assert.deepStrictEqual(places, commandV(shell, "tool", paths, cwd), `${shell}: ${paths.join(" ")}`)
        assert.deepStrictEqual(
          found.map((file) => file && fs.realpathSync.native(file)),
          paths.map((PATH) => executed("tool", { PATH }, cwd)),
          paths.join(" ")
        )
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 4 } }
  )

  live("takes a name with a slash as a path from the working directory, whatever PATH says", function* () {
    const tree = yield* makeTree
    const cwd = path.join(tree, "work")
    const env = { PATH: `${tree}/a` }
    for (const command of ["./tool", "../a/tool", "../link/../tool", "../linked/tool", `${tree}/b/tool`]) {
      const found = yield* which(command, env, cwd)
      assert.strictEqual(fs.realpathSync.native(found), executed(command, env, cwd), command)
      for (const shell of shells) assert.deepStrictEqual(commandV(shell, command, [env.PATH], cwd), [place(cwd, found)])
    }
    for (const command of ["../plain/tool", "../folder/tool", "../dangling/tool", "a/tool", "../a/tool/"]) {
      assert.isNull(executed(command, env, cwd), command)
      assert.isTrue(Option.isNone(yield* Effect.option(which(command, env, cwd))), command)
    }
  })

  live("looks where the C library looks when there is no PATH, and here when it is empty", function* () {
    const tree = yield* makeTree
    assert.strictEqual(yield* which("tool", { PATH: "" }, tree), path.join(tree, "tool"))
    assert.strictEqual(executed("tool", { PATH: "" }, tree), path.join(tree, "tool"))
    assert.isTrue(Option.isNone(yield* Effect.option(which("tool", {}, tree))))
    assert.isNull(executed("tool", {}, tree))
    assert.match(yield* which("sh", {}, tree), /^(\/usr)?\/bin\/sh$/)
    assert.isNotNull(spawnSync("sh", ["-c", "exit 0"], { env: {} }).status)
  })

  live("says why there is none", function* () {
    const tree = yield* makeTree
    const why = (command: string, PATH: string) =>
      Effect.map(Effect.flip(which(command, { PATH }, tree)), (error) => error.why)
    assert.deepStrictEqual(
      [
        yield* why("tool", "/nowhere"),
        yield* why("tool", "nowhere:plain:folder"),
        yield* why("plain/tool", ""),
        yield* why("./nothing", ""),
        yield* why("", tree)
      ],
      [
        "it is not on PATH; install it, or give its full path",
        `${tree}/plain/tool is on PATH but not an executable file (chmod +x makes it one)`,
        `${tree}/plain/tool is not an executable file (chmod +x makes it one)`,
        `${tree}/nothing does not exist`,
        "it is not on PATH; install it, or give its full path"
      ]
    )
  })
})
