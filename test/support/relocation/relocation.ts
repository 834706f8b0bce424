// A throwaway home with a session in it, file operations that fail, die or wait at the instant a test names, and what
// must be true of the home afterwards.
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Claude from "../../../src/domain/providers/claude/Relocation.ts"
import * as Cursor from "../../../src/domain/providers/cursor-agent/Relocation.ts"
import type { Plan } from "../../../src/domain/store/relocation/Plan.ts"
import * as OpenFilesNode from "../../../src/layers/system/OpenFilesNode.ts"
import * as RelocationFilesNode from "../../../src/layers/relocator/RelocationFilesNode.ts"
import { make } from "../../../src/layers/relocator/RelocatorJournal.ts"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import { OpenFiles } from "../../../src/services/OpenFiles.ts"
import { RelocationFiles } from "../../../src/services/RelocationFiles.ts"
import type { SessionRegistries, Relocator } from "../../../src/services/Relocator.ts"
import { FileLock } from "../../../src/services/FileLock.ts"
import { FileFault } from "../../../src/services/FileFault.ts"
import { registryError } from "../../../src/services/StoreError.ts"

type Files = RelocationFiles["Service"]

/** What happens instead of, or just before, the `n`th operation of a run. */
export type Fault =
  | { readonly _tag: "run" }
  /** The operation does nothing and fails. */
  | { readonly _tag: "fail"; readonly code: string }
  /** The operation does a half of its work, if it can, and fails. */
  | { readonly _tag: "half"; readonly code: string }
  /**
   * The process is gone: neither this nor any later operation does anything. `torn`: this one did a half of its work.
   */
  | { readonly _tag: "die"; readonly torn: boolean }
  | { readonly _tag: "meanwhile"; readonly effect: Effect.Effect<void> }

export const run: Fault = { _tag: "run" }

/** How the disks of a world are laid out. */
export type Disks = "one" | "two" | "no links"

class Killed extends Error {}

const error = (operation: string, at: string, code: string) =>
  new FileFault({ operation, path: at, code, why: `injected ${code}` })

/** Operations that a death or a full disk can leave half done. */
const divisible = new Set(["copy", "append", "create", "extend"])

/** One life of a process that moves: counts its operations, and does at each what the test says. */
export class Life {
  readonly operations: Array<string> = []
  readonly log: Array<{ readonly operation: string; readonly at: string }> = []
  dead = false
  readonly #fault: (n: number, operation: string, at: string) => Fault
  constructor(fault: (n: number, operation: string, at: string) => Fault) {
    this.#fault = fault
  }

  /** Does what is to happen at this operation. */
  gate<A, E>(
    operation: string,
    at: string,
    real: Effect.Effect<A, E>,
    half: () => void
  ): Effect.Effect<A, E | FileFault> {
    return Effect.suspend((): Effect.Effect<A, E | FileFault> => {
      if (this.dead) return Effect.die(new Killed())
      const fault = this.#fault(this.operations.length, operation, at)
      this.operations.push(operation)
      this.log.push({ operation, at })
      switch (fault._tag) {
        case "run":
          return real
        case "fail":
          return Effect.fail(error(operation, at, fault.code))
        case "half":
          return Effect.flatMap(Effect.exit(real), () =>
            Effect.suspend(() => {
              half()
              return Effect.fail(error(operation, at, fault.code))
            })
          )
        case "die": {
          this.dead = true
          const die = Effect.die(new Killed())
          return fault.torn
            ? Effect.flatMap(Effect.exit(real), () =>
                Effect.suspend(() => {
                  half()
                  return die
                })
              )
            : die
        }
        case "meanwhile":
          return Effect.flatMap(fault.effect, () => real)
      }
    })
  }

  /** The real operations behind the gate, on disks as a world has them. */
  files(world: Pick<World, "refusal">): Files {
    const real = RelocationFilesNode.files
    const through = Object.entries(real).map(([name, operation]) => {
      if (typeof operation !== "function") return [name, operation]
      const method = operation as (...args: ReadonlyArray<never>) => Effect.Effect<unknown, FileFault>
      const wrapped = (...args: ReadonlyArray<never>) => {
        const [first, second] = args as ReadonlyArray<unknown>
        const target = name === "copy" || name === "append" ? String(second) : String(first)
        const there = fs.existsSync(target)
        const before = there && fs.lstatSync(target).isFile() ? fs.statSync(target).size : 0
        // Nobody cuts the power here: what an fsync of a directory does cannot be seen, and there are thousands of
        // them.
        const done = name === "syncDirectory" ? Effect.void : Effect.suspend(() => method(...args))
        return this.gate(name, target, world.refusal(name, String(first), String(second)) ?? done, () => {
          // What was in the file before it was added to stays.
          if (!divisible.has(name) || !fs.existsSync(target) || (there && name !== "append" && name !== "extend"))
            return
          fs.truncateSync(target, before + Math.floor((fs.statSync(target).size - before) / 2))
        })
      }
      return [name, wrapped]
    })
    return Object.fromEntries(through) as Files
  }
}

/** A life that meets one fault, at the `nth` time (from 0) that it does this operation. */
export const lifeWith = (operation: string, nth: number, fault: Fault): Life => {
  let seen = -1
  return new Life((_, name) => (name === operation && ++seen === nth ? fault : run))
}

/** Uses a world and clears it away. */
export const using = <A>(
  world: World,
  use: (world: World) => Effect.fn.Return<A, unknown>
): Effect.Effect<A, unknown> =>
  Effect.acquireUseRelease(Effect.succeed(world), Effect.fnUntraced(use), (world) => Effect.sync(() => world.close()))

/** One entry of a tree as a test compares it. */
export interface Shot {
  readonly kind: string
  readonly mode: number
  readonly mtimeNs: bigint
  readonly ino: bigint
  readonly content: string
}

const hashOf = (bytes: Buffer): string => createHash("sha1").update(bytes).digest("hex")

/** Everything below a path, by relative path; the path itself is "". Empty when it is not there. */
export const shoot = (root: string): Map<string, Shot> => {
  const shots = new Map<string, Shot>()
  const visit = (relative: string) => {
    const full = path.join(root, relative)
    const stats = fs.lstatSync(full, { bigint: true, throwIfNoEntry: false })
    if (stats === undefined) return
    const kind = stats.isDirectory() ? "directory" : stats.isSymbolicLink() ? "link" : stats.isFile() ? "file" : "other"
    const content =
      kind === "file" ? `${stats.size} ${hashOf(fs.readFileSync(full))}` : kind === "link" ? fs.readlinkSync(full) : ""
    shots.set(relative, { kind, mode: Number(stats.mode & 0o7777n), mtimeNs: stats.mtimeNs, ino: stats.ino, content })
    if (kind === "directory")
      for (const name of fs.readdirSync(full)) visit(relative === "" ? name : `${relative}/${name}`)
  }
  visit("")
  return shots
}

/** Times are kept to a quarter of a microsecond: that is as fine as Node sets them. */
const isSameTime = (a: bigint, b: bigint): boolean => b < 0n || (a > b ? a - b : b - a) < 250n

/** That two trees are the same, byte for byte, with modes and times; of the very same files when `untouched`. */
export const verifySame = (
  found: ReadonlyMap<string, Shot>,
  meant: ReadonlyMap<string, Shot>,
  untouched: boolean,
  what: string
) => {
  assert.deepStrictEqual([...found.keys()].sort(), [...meant.keys()].sort(), `${what}: entries`)
  for (const [name, shot] of meant) {
    const twin = found.get(name)
    assert.strictEqual(twin?.kind, shot.kind, `${what}: kind of ${name}`)
    assert.strictEqual(twin?.content, shot.content, `${what}: content of ${name}`)
    assert.strictEqual(twin?.mode, shot.mode, `${what}: mode of ${name}`)
    assert.isTrue(isSameTime(twin?.mtimeNs ?? 0n, shot.mtimeNs), `${what}: time of ${name}`)
    if (untouched && shot.ino >= 0n) assert.strictEqual(twin?.ino, shot.ino, `${what}: inode of ${name}`)
  }
}

/** What a file of this content must look like, of whatever time and inode. */
const written = (content: string): Shot => ({
  kind: "file",
  mode: 0o600,
  mtimeNs: -1n,
  ino: -1n,
  content: `${Buffer.byteLength(content)} ${hashOf(Buffer.from(content))}`
})

const at = (file: string, seconds: number) => fs.lutimesSync(file, seconds, seconds)

/** Puts the same things under any root: an empty directory, links, modes, odd names, an executable. */
const plantTree = (root: string) => {
  fs.mkdirSync(path.join(root, "subagents/empty"), { recursive: true })
  fs.writeFileSync(path.join(root, "subagents/agent-1.jsonl"), '{"a":1}\n{"a":2}\n')
  fs.writeFileSync(path.join(root, "subagents/run.sh"), "#!/bin/sh\n", { mode: 0o755 })
  fs.writeFileSync(path.join(root, "a name\nwith ünïcode 🎉"), "odd")
  fs.symlinkSync("subagents/run.sh", path.join(root, "latest"))
  fs.chmodSync(path.join(root, "subagents"), 0o750)
  for (const [i, name] of [
    "subagents/agent-1.jsonl",
    "subagents/run.sh",
    "a name\nwith ünïcode 🎉",
    "latest",
    "subagents/empty",
    "subagents",
    ""
  ].entries()) {
    at(path.join(root, name), 1_700_000_000.25 + i)
  }
}

/** A home with one session, its neighbours, and the books that say where it is. */
export class World {
  readonly root = fs.mkdtempSync(path.join(fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir(), "leap-move-"))
  readonly plan: Plan
  readonly disks: Disks
  readonly #before: ReadonlyMap<string, Shot>
  readonly #pieces: ReadonlyArray<Map<string, Shot>>
  readonly journals = path.join(this.root, "state/relocations")

  constructor(plan: (world: World) => Plan, disks: Disks) {
    this.disks = disks
    fs.mkdirSync(path.join(this.root, "state"))
    this.write("records", "source")
    this.write("registry", "source")
    this.plan = plan(this)
    this.#pieces = this.plan.pieces.map(({ from }) => shoot(from))
    this.#before = shoot(this.root)
  }

  write(book: string, where: string) {
    fs.writeFileSync(path.join(this.root, "state", book), where)
  }

  /** Why an operation cannot be done on these disks. */
  refusal(name: string, from: string, to: string): Effect.Effect<never, FileFault> | null {
    if (name !== "link" && name !== "rename") return null
    const disk = (file: string) => (this.plan.pieces.some((piece) => file.startsWith(path.dirname(piece.to))) ? 2 : 1)
    if (name === "link" && this.disks === "no links") return Effect.fail(error(name, to, "EPERM"))
    return this.disks === "two" && disk(from) !== disk(to) ? Effect.fail(error(name, to, "EXDEV")) : null
  }

  /** Two registries, each changed by an operation that can fail or die like any other. */
  books(life: Life): SessionRegistries {
    const note = (where: string) =>
      Effect.forEach(
        ["records", "registry"],
        (book) =>
          life
            .gate(
              `book ${book}`,
              book,
              Effect.sync(() => this.write(book, where)),
              () => this.write(book, where)
            )
            .pipe(Effect.mapError((error) => registryError(`write the ${book}`, error))),
        { discard: true }
      )
    return { apply: () => note("destination"), revert: () => note("source") }
  }

  /** The engine as a new process would have it. */
  engine(
    life: Life,
    holders?: OpenFiles["Service"]["holders"],
    lock?: FileLock["Service"]
  ): Effect.Effect<Relocator["Service"]> {
    return this.engineOver(life.files(this), holders, lock)
  }

  /** The engine over these file operations. */
  engineOver(
    files: Files,
    holders: OpenFiles["Service"]["holders"] = () => Effect.succeed([]),
    lock?: FileLock["Service"]
  ): Effect.Effect<Relocator["Service"]> {
    return make({ directory: this.journals, ensure: Effect.void }).pipe(
      Effect.provideService(RelocationFiles, files),
      Effect.provideService(OpenFiles, OpenFiles.of({ holders, workers: () => Effect.succeed([]) })),
      Effect.provide(lock === undefined ? FileLockSqlite.layer : Layer.succeed(FileLock, lock))
    )
  }

  /** Moves the session in a process that meets these faults. */
  move(life: Life, holders?: OpenFiles["Service"]["holders"], lock?: FileLock["Service"]) {
    return Effect.flatMap(this.engine(life, holders, lock), (engine) => engine.move(this.plan, this.books(life)))
  }

  /** Moves it back again. */
  moveBack(life: Life) {
    const { apply, revert } = this.books(life)
    const back: Plan = {
      ...this.plan,
      pieces: this.plan.pieces.map(({ from, to, ...rest }) => ({ ...rest, from: to, to: from })),
      tidy: []
    }
    return Effect.flatMap(this.engine(life), (engine) =>
      engine.move(back, { apply: () => revert(this.plan), revert: () => apply(this.plan) })
    )
  }

  /** What the next leap command does, on a healthy disk unless told otherwise. */
  recover(life: Life = new Life(() => run)) {
    return Effect.flatMap(this.engine(life), (engine) => engine.recoverAll(this.books(life)))
  }

  /** From now on this is what a file of a piece must hold, with whatever time; its directory's time is as it comes. */
  expect(piece: number, relative: string, content: string) {
    const pieces = this.#pieces[piece] ?? new Map<string, Shot>()
    const old = pieces.get(relative)
    pieces.set(relative, { ...written(content), mode: old?.mode ?? 0o600, ino: old?.ino ?? -1n })
    const parent = path.posix.dirname(relative)
    const directory = pieces.get(parent === "." ? "" : parent)
    if (relative !== "" && directory !== undefined)
      pieces.set(parent === "." ? "" : parent, { ...directory, mtimeNs: -1n })
  }

  /** Somebody replaced a file: it is another now, wherever it is. */
  forgetInode(piece: number, relative: string) {
    const shot = this.#pieces[piece]?.get(relative)
    if (shot !== undefined) this.#pieces[piece]?.set(relative, { ...shot, ino: -1n })
  }

  where(): "source" | "destination" | "both" | "nowhere" {
    const [source, destination] = (["from", "to"] as const).map((end) =>
      this.plan.pieces.every((piece, n) => this.#pieces[n]?.size === 0 || fs.existsSync(piece[end]))
    )
    return source ? (destination ? "both" : "source") : destination ? "destination" : "nowhere"
  }

  /** That every piece is complete at one of its ends, at least. */
  verifyComplete(what: string) {
    for (const [n, piece] of this.plan.pieces.entries()) {
      const meant = [...(this.#pieces[n] ?? [])].map(([name, { content }]) => `${name} ${content}`).sort()
      const found = [piece.from, piece.to].map((end) =>
        [...shoot(end)]
          .map(([name, { content }]) => `${name} ${content}`)
          .sort()
          .join("\n")
      )
      assert.include(found, meant.join("\n"), `${what}: piece ${n}`)
    }
  }

  /** What there is at a path, but for the times, which a directory's neighbours change. */
  shotOf(at: string): ReadonlyMap<string, unknown> {
    return new Map([...shoot(at)].map(([name, { content, ino, kind }]) => [name, { content, ino, kind }]))
  }

  /**
   * Removes the destination's directories that were not there at first, once a test has taken its own things out of
   * them.
   */
  removeMade() {
    for (const { to } of this.plan.pieces) {
      const directory = path.dirname(to)
      if (!this.#before.has(path.relative(this.root, directory)) && fs.existsSync(directory)) fs.rmdirSync(directory)
    }
  }

  /** What leap itself has left lying about anywhere. */
  debris(): ReadonlyArray<string> {
    const inState = fs.existsSync(this.journals)
      ? fs.readdirSync(this.journals).map((name) => `state/relocations/${name}`)
      : []
    return [...[...shoot(this.root).keys()].filter((name) => path.basename(name).startsWith(".leap-")), ...inState]
  }

  /**
   * That the session is complete at exactly one place, untouched if that is its source, that nothing else changed, and
   * that the books agree.
   */
  verify(what: string, untouched = true): "source" | "destination" {
    const now = shoot(this.root)
    assert.deepStrictEqual(this.debris(), [], `${what}: debris`)
    const where = this.where()
    assert.isTrue(where === "source" || where === "destination", `${what}: it is at ${where}`)
    const end = where === "source" ? "from" : "to"
    for (const [n, piece] of this.plan.pieces.entries()) {
      verifySame(
        shoot(piece[end]),
        this.#pieces[n] ?? new Map(),
        untouched && where === "source",
        `${what}: piece ${n}`
      )
      assert.isFalse(fs.existsSync(piece[end === "to" ? "from" : "to"]), `${what}: piece ${n} is at its other end too`)
    }
    for (const book of ["records", "registry"]) {
      assert.strictEqual(fs.readFileSync(path.join(this.root, "state", book), "utf8"), where, `${what}: ${book}`)
    }
    const isPart = (name: string) =>
      this.plan.pieces.some((piece) =>
        [piece.from, piece.to].some((end) => `${this.root}/${name}/`.startsWith(`${end}/`))
      )
    const isMade = (name: string) =>
      this.plan.pieces.some((piece) => where === "destination" && `${piece.to}/`.startsWith(`${this.root}/${name}/`))
    const isTidied = (name: string) => where === "destination" && this.plan.tidy.includes(`${this.root}/${name}`)
    for (const [name, shot] of this.#before) {
      if (isPart(name) || isTidied(name) || name.startsWith("state")) continue
      const twin = now.get(name)
      assert.strictEqual(twin?.ino, shot.ino, `${what}: ${name} is another`)
      assert.strictEqual(twin?.content, shot.content, `${what}: ${name} changed`)
      assert.strictEqual(twin?.mode, shot.mode, `${what}: mode of ${name} changed`)
    }
    for (const name of now.keys()) {
      assert.isTrue(
        this.#before.has(name) || isPart(name) || isMade(name) || name.startsWith("state"),
        `${what}: ${name} is new`
      )
    }
    return where === "source" ? where : "destination"
  }

  close() {
    const free = (directory: string) => {
      for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
        if (!entry.isDirectory()) continue
        fs.chmodSync(path.join(directory, entry.name), 0o700)
        free(path.join(directory, entry.name))
      }
    }
    free(this.root)
    fs.rmSync(this.root, { recursive: true, force: true })
  }
}

export const sessionId = "0b9f1c1e-5d0c-4b7e-9f43-1d2c3b4a5968"

/**
 * A Claude session with a directory of its own files; another session at each end, if the destination's project is
 * known.
 */
export const claudeWorld = (
  disks: Disks,
  options: { readonly tree?: boolean | ((root: string) => void); readonly known?: boolean } = {}
) =>
  new World((world) => {
    const home = path.join(world.root, "claude")
    const [from, to] = ["/home/dev/old", "/home/dev/new place"]
    const old = path.join(home, "projects", Claude.slugOf(from))
    fs.mkdirSync(old, { recursive: true })
    fs.writeFileSync(path.join(old, `${sessionId}.jsonl`), '{"type":"user"}\n{"type":"assistant"}\n', { mode: 0o600 })
    at(path.join(old, `${sessionId}.jsonl`), 1_700_000_100.5)
    if (typeof options.tree === "function") options.tree(path.join(old, sessionId))
    else if (options.tree !== false) plantTree(path.join(old, sessionId))
    fs.writeFileSync(path.join(old, "other.jsonl"), "{}\n")
    if (options.known === true) {
      fs.mkdirSync(path.join(home, "projects", Claude.slugOf(to)))
      fs.writeFileSync(path.join(home, "projects", Claude.slugOf(to), "neighbour.jsonl"), "{}\n")
    }
    return {
      ...Claude.relocation({ home, sessionId, from, to }),
      edits: [{ kind: "records", detail: { cwd: to } }]
    }
  }, disks)

const md5 = (text: string) => createHash("md5").update(text).digest("hex")

/** A Cursor chat, alone in its project. */
export const cursorWorld = (disks: Disks) =>
  new World((world) => {
    const chat = path.join(world.root, "cursor/chats", md5("/home/dev/old"), sessionId)
    fs.mkdirSync(chat, { recursive: true })
    plantTree(chat)
    fs.writeFileSync(path.join(chat, "store.db"), Buffer.alloc(10_000, 7))
    at(chat, 1_700_000_200)
    return Cursor.relocation({ chat, sessionId, toHash: md5("/home/dev/new") })
  }, disks)

/** All real. */
export const realLayer: Layer.Layer<RelocationFiles | OpenFiles | FileLock> = Layer.mergeAll(
  RelocationFilesNode.layer,
  OpenFilesNode.layer,
  FileLockSqlite.layer
)
