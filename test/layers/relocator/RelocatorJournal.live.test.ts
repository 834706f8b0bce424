import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { slugOf } from "../../../src/domain/providers/claude/Relocation.ts"
import type { Plan } from "../../../src/domain/store/relocation/Plan.ts"
import * as RelocationFilesNode from "../../../src/layers/relocator/RelocationFilesNode.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as RelocatorJournal from "../../../src/layers/relocator/RelocatorJournal.ts"
import { Relocator } from "../../../src/services/Relocator.ts"
import {
  claudeWorld,
  cursorWorld,
  Life,
  lifeWith,
  realLayer,
  run,
  sessionId,
  shoot,
  using,
  verifySame,
  type World
} from "../../support/relocation/relocation.ts"
import { childProgram } from "../../support/children/childProgram.ts"
import { live } from "../../support/run/effects.ts"
import { each } from "../../support/data/fields.ts"

const healthy = () => new Life(() => run)
const from = (world: World, n = 0) => world.plan.pieces[n]?.from ?? ""
const to = (world: World, n = 0) => world.plan.pieces[n]?.to ?? ""

const moveAs = (world: World, plan: Plan, life = healthy()) =>
  Effect.flatMap(world.engine(life), (engine) => engine.move(plan, world.books(life)))

it.live("a transcript and its directory move; at the moment of the books both ends are complete", () =>
  using(claudeWorld("one"), function* (world) {
    let both = false
    const life = lifeWith("book records", 0, {
      _tag: "meanwhile",
      effect: Effect.sync(() => {
        both = [0, 1].every((n) => fs.existsSync(from(world, n)) && fs.existsSync(to(world, n)))
      })
    })
    const moved = yield* world.move(life)
    assert.isTrue(both)
    assert.deepStrictEqual(moved, { linked: 4, copied: 0, leftovers: [], pending: null })
    assert.strictEqual(life.operations.filter((name) => name === "book records").length, 1, "once")
    assert.strictEqual(world.verify("moved"), "destination")
  })
)

it.live("the layer keeps its journals in leap's own directory, and only if that may be trusted", () =>
  using(claudeWorld("one"), function* (world) {
    const state = path.join(world.root, "state")
    const engine = yield* Relocator.pipe(
      Effect.provide(RelocatorJournal.layer.pipe(Layer.provide([PathsXdg.layerFrom({ LEAP_HOME: state }), realLayer])))
    )
    fs.chmodSync(state, 0o777)
    assert.match(
      (yield* Effect.flip(engine.move(world.plan, world.books(healthy())))).message,
      /refusing to use .*state/
    )
    assert.isFalse(fs.existsSync(world.journals))
    fs.chmodSync(state, 0o700)
    yield* engine.move(world.plan, world.books(healthy()))
    assert.strictEqual(fs.statSync(world.journals).mode & 0o777, 0o700)
    assert.strictEqual(world.verify("by the layer"), "destination")
  })
)

it.live("a session without a directory of its own moves too", () =>
  using(claudeWorld("two", { tree: false }), function* (world) {
    assert.strictEqual((yield* world.move(healthy())).copied, 1)
    assert.strictEqual(world.verify("alone"), "destination")
  })
)

it.live("a plan without pieces changes the books alone, and a failure in them is undone", () =>
  using(claudeWorld("one"), function* (world) {
    const before = shoot(path.join(world.root, "claude"))
    const book = () => fs.readFileSync(path.join(world.root, "state/registry"), "utf8")
    const plan = { ...world.plan, pieces: [] }
    yield* Effect.flip(moveAs(world, plan, lifeWith("book registry", 0, { _tag: "fail", code: "EIO" })))
    assert.strictEqual(book(), "source")
    yield* moveAs(world, plan)
    assert.strictEqual(book(), "destination")
    verifySame(shoot(path.join(world.root, "claude")), before, true, "files")
    assert.deepStrictEqual(world.debris(), [])
  })
)

it.live(
  "a plan that is made when the session is held moves it, once an earlier move that died is settled; one for another session is refused",
  () =>
    using(claudeWorld("one"), function* (world) {
      const dying = lifeWith("book registry", 0, { _tag: "die", torn: false })
      yield* Effect.exit(world.move(dying))
      assert.strictEqual(world.where(), "both")
      const engine = yield* world.engine(healthy())
      const { cli } = world.plan
      let seen = ""
      const planned = Effect.sync(() => {
        seen = world.where()
        return world.plan
      })
      const other = yield* Effect.flip(engine.moveBy({ cli, sessionId: "another" }, planned, world.books(healthy())))
      assert.match(other.message, /session another was not moved: it is a plan for another session/)
      yield* engine.moveBy({ cli, sessionId }, planned, world.books(healthy()))
      assert.strictEqual(seen, "source", "it was settled before the plan was made")
      assert.strictEqual(
        yield* Effect.flip(engine.moveBy({ cli, sessionId }, Effect.fail("no plan"), world.books(healthy()))),
        "no plan"
      )
      assert.strictEqual(world.verify("planned"), "destination")
    })
)

live("what is missing, in the way or of the wrong kind refuses the move and nothing changes", function* () {
  const table: ReadonlyArray<readonly [string, (world: World) => void, RegExp]> = [
    ["source-missing", (world) => fs.renameSync(from(world), `${from(world)}.away`), /it is not there/],
    [
      "source-missing",
      (world) => fs.renameSync(path.dirname(from(world)), `${path.dirname(from(world))}.away`),
      /not where this version/
    ],
    ["destination-exists", (world) => fs.writeFileSync(to(world), "theirs"), /never overwritten/],
    ["destination-exists", (world) => fs.mkdirSync(to(world, 1)), /never overwritten/],
    ["destination-exists", (world) => fs.symlinkSync("nowhere", to(world)), /never overwritten/],
    [
      "destination-exists",
      (world) => {
        fs.rmSync(from(world, 1), { recursive: true })
        fs.mkdirSync(to(world, 1))
      },
      /never overwritten/
    ],
    [
      "source-kind",
      (world) => {
        fs.rmSync(from(world))
        fs.mkdirSync(from(world))
      },
      /it is no file/
    ],
    ["source-kind", (world) => spawnSync("mkfifo", [path.join(from(world, 1), "pipe")]), /neither a file/]
  ]
  for (const [reason, prepare, message] of table) {
    yield* using(claudeWorld("one", { known: true }), function* (world) {
      prepare(world)
      const before = shoot(world.root)
      const error = yield* Effect.flip(world.move(healthy()))
      assert.strictEqual(error.reason, reason, error.message)
      assert.match(error.message, message)
      fs.rmdirSync(world.journals)
      verifySame(
        shoot(world.root),
        new Map([...before].map(([name, shot]) => [name, name === "state" ? { ...shot, mtimeNs: -1n } : shot])),
        true,
        reason
      )
    })
  }
})

it.live("a place that is the same under another name is where it should be", () =>
  using(claudeWorld("one"), function* (world) {
    const alias = path.join(world.root, "alias")
    fs.symlinkSync(path.dirname(from(world)), alias)
    const pieces = world.plan.pieces.map((piece) => ({ ...piece, to: path.join(alias, path.basename(piece.from)) }))
    const moved = yield* moveAs(world, { ...world.plan, pieces })
    assert.strictEqual(moved.linked, 0)
    fs.unlinkSync(alias)
    for (const book of ["records", "registry"]) world.write(book, "source")
    assert.strictEqual(world.verify("same place"), "source")
  })
)

live("a transcript that is a link moves as a link, and leads to the same file", function* () {
  for (const disks of ["one", "two"] as const) {
    for (const fault of [null, "books"] as const) {
      yield* using(claudeWorld(disks, { tree: false }), function* (world) {
        const store = path.join(world.root, "store.jsonl")
        fs.renameSync(from(world), store)
        fs.symlinkSync(path.relative(path.dirname(from(world)), store), from(world))
        const life = fault === null ? healthy() : lifeWith("book registry", 0, { _tag: "fail", code: "EIO" })
        const result = yield* Effect.result(world.move(life))
        assert.strictEqual(result._tag, fault === null ? "Success" : "Failure")
        const [there, gone] = fault === null ? [to(world), from(world)] : [from(world), to(world)]
        assert.isTrue(fs.lstatSync(there).isSymbolicLink())
        assert.strictEqual(fs.realpathSync(there), fs.realpathSync(store))
        assert.isUndefined(fs.lstatSync(gone, { throwIfNoEntry: false }))
        assert.deepStrictEqual(world.debris(), [])
      })
    }
  }
})

live("an emptied project's directory goes, one with a neighbour stays", function* () {
  yield* using(cursorWorld("one"), function* (world) {
    yield* world.move(healthy())
    assert.isFalse(fs.existsSync(path.dirname(from(world))))
    assert.strictEqual(world.verify("empty"), "destination")
  })
  yield* using(cursorWorld("one"), function* (world) {
    fs.mkdirSync(path.join(path.dirname(from(world)), "sibling"))
    yield* world.move(healthy())
    assert.deepStrictEqual(fs.readdirSync(path.dirname(from(world))), ["sibling"])
  })
})

it.live("a file of the same size and time in place of the other refuses the move", () =>
  using(claudeWorld("two"), function* (world) {
    const error = yield* Effect.flip(
      world.move(
        lifeWith("compare", 0, {
          _tag: "meanwhile",
          effect: Effect.sync(() => {
            const { atime, mtime } = fs.statSync(from(world))
            const bytes = fs.readFileSync(from(world))
            fs.renameSync(from(world), `${from(world)}.old`)
            fs.writeFileSync(from(world), bytes, { mode: 0o600 })
            fs.utimesSync(from(world), atime, mtime)
            fs.unlinkSync(`${from(world)}.old`)
            world.forgetInode(0, "")
          })
        })
      )
    )
    assert.strictEqual(error.reason, "source-changed")
    assert.strictEqual(world.verify("refused"), "source")
  })
)

live("a journal of a dead mover is settled, a damaged or newer one is told of and kept", function* () {
  for (const [text, why] of [
    ['{"schema":7}\n', /newer leap/],
    ["garbage\n", /damaged/]
  ] as const) {
    yield* using(claudeWorld("one"), function* (world) {
      fs.mkdirSync(world.journals)
      const journal = path.join(world.journals, `claude.${sessionId}.journal`)
      fs.writeFileSync(journal, text)
      const error = yield* Effect.flip(world.move(healthy()))
      assert.strictEqual(error.reason, "unsettled")
      assert.match(error.message, why)
      const [recovered] = yield* world.recover()
      assert.strictEqual(recovered?.outcome, "refused")
      assert.match(recovered?.why ?? "", why)
      assert.strictEqual(fs.readFileSync(journal, "utf8"), text)
      fs.rmSync(world.journals, { recursive: true })
      assert.strictEqual(world.verify("kept"), "source")
    })
  }
})

it.live("a move that nobody can settle deletes nothing, and is settled once the user has put things right", () =>
  using(claudeWorld("two", { tree: false }), function* (world) {
    const life = lifeWith("compare", 0, { _tag: "die", torn: false })
    yield* Effect.exit(world.move(life))
    const bytes = fs.readFileSync(from(world))
    fs.renameSync(from(world), `${from(world)}.away`)
    const [recovered] = yield* world.recover()
    assert.strictEqual(recovered?.outcome, "refused")
    assert.match(recovered?.why ?? "", /Nothing was deleted/)
    assert.strictEqual(world.debris().filter((name) => name.endsWith(".in")).length, 1)
    fs.renameSync(`${from(world)}.away`, from(world))
    assert.deepStrictEqual(each(yield* world.recover(), "outcome"), ["undone"])
    assert.deepStrictEqual(fs.readFileSync(from(world)), bytes)
    assert.strictEqual(world.verify("put right"), "source")
  })
)

live(
  "a source that goes when the move had died with everything made: the recovery finishes it, books and all",
  function* () {
    for (const [operation, nth] of [
      ["link", 4],
      ["book records", 0],
      ["book registry", 0]
    ] as const) {
      yield* using(claudeWorld("one"), function* (world) {
        const life = lifeWith(operation, nth, { _tag: "die", torn: false })
        yield* Effect.exit(world.move(life))
        assert.isTrue(life.dead)
        for (const n of [0, 1]) fs.rmSync(from(world, n), { recursive: true })
        assert.deepStrictEqual(each(yield* world.recover(), "outcome"), ["finished"])
        assert.strictEqual(world.verify(`died at ${operation}`), "destination")
      })
    }
  }
)

live("a move that was cut off is told of until it is settled; one that is under way is not", function* () {
  yield* using(claudeWorld("one"), function* (world) {
    const unsettled = Effect.flatMap(world.engine(new Life(() => run)), (engine) => engine.unsettled)
    assert.deepStrictEqual(yield* unsettled, [])
    const seen: Array<ReadonlyArray<string>> = []
    const look = Effect.flatMap(Effect.orDie(unsettled), (found) => Effect.sync(() => void seen.push(found)))
    yield* Effect.exit(
      world.move(
        new Life((_, operation) => {
          if (operation !== "link") return run
          return seen.length === 0 ? { _tag: "meanwhile", effect: look } : { _tag: "die", torn: false }
        })
      )
    )
    assert.deepStrictEqual(seen, [[]])
    assert.deepStrictEqual(yield* unsettled, [world.plan.sessionId])
    yield* world.recover()
    assert.deepStrictEqual(yield* unsettled, [])
    assert.strictEqual(world.verify("settled"), "source")
  })
})

live("an interruption before the commit undoes the move, one after it lets it end", function* () {
  for (const [operation, nth, end] of [
    ["copy", 2, "source"],
    ["book registry", 0, "source"],
    ["extend", 1, "destination"],
    ["rename", 1, "destination"]
  ] as const) {
    yield* using(claudeWorld("two"), function* (world) {
      const self: { fiber: Fiber.Fiber<unknown, unknown> | null } = { fiber: null }
      const life = lifeWith(operation, nth, {
        _tag: "meanwhile",
        effect: Effect.sync(() => self.fiber?.interruptUnsafe())
      })
      self.fiber = yield* Effect.forkChild(world.move(life))
      yield* Fiber.await(self.fiber)
      assert.deepStrictEqual(world.debris(), [])
      assert.strictEqual(world.verify(`interrupted at ${operation}`), end)
    })
  }
})

it.live("a file of another user is refused", () =>
  using(claudeWorld("one"), function* (world) {
    const life = healthy()
    const files = life.files(world)
    const foreign = path.join(from(world, 1), "subagents/run.sh")
    const stat: typeof files.stat = (at) =>
      Effect.map(files.stat(at), (seen) => (at === foreign && seen !== null ? { ...seen, uid: seen.uid + 1 } : seen))
    const engine = yield* world.engineOver({ ...files, stat })
    const error = yield* Effect.flip(engine.move(world.plan, world.books(life)))
    assert.strictEqual(error.reason, "not-yours")
    assert.include(error.message, "run.sh")
    assert.strictEqual(world.verify("another user's"), "source")
  })
)

live("names of any kind: spaces, dots, emoji, 300 characters, a symbolic link, and slugs that collide", function* () {
  const cwds = ["with space", "dots..and.more", "ünïcode 日本語", "emoji 🎉", `${"long/".repeat(60)}end`]
  for (const name of cwds) {
    yield* using(claudeWorld("one"), function* (world) {
      const cwd = path.join(world.root, "work", name)
      fs.mkdirSync(cwd, { recursive: true })
      fs.symlinkSync(cwd, path.join(world.root, "link"))
      const resolved = fs.realpathSync(path.join(world.root, "link"))
      const slug = path.join(path.dirname(path.dirname(from(world))), slugOf(resolved))
      assert.isAtMost(path.basename(slug).length, 255)
      const pieces = world.plan.pieces.map((piece) => ({ ...piece, to: path.join(slug, path.basename(piece.to)) }))
      const before = world.plan.pieces.map((piece) => shoot(piece.from))
      yield* moveAs(world, { ...world.plan, pieces })
      for (const [n, piece] of pieces.entries()) verifySame(shoot(piece.to), before[n] ?? new Map(), false, name)
      assert.isFalse(fs.existsSync(from(world)))
      assert.deepStrictEqual(world.debris(), [])
    })
  }
  assert.strictEqual(slugOf("/a.b/c"), slugOf("/a-b/c"))
})

it.live("a name that is no UTF-8 refuses the move", () =>
  using(claudeWorld("one"), function* (world) {
    const odd = Buffer.concat([Buffer.from(`${from(world, 1)}/`), Buffer.from([0xff, 0xfe])])
    fs.writeFileSync(odd, "x")
    const error = yield* Effect.flip(world.move(healthy()))
    assert.match(error.message, /no UTF-8/)
    fs.unlinkSync(odd)
    assert.isTrue(fs.existsSync(from(world)))
    assert.deepStrictEqual(world.debris(), [])
  })
)

/** Runs the child in a user namespace of its own, after this preparation; null where there are none. */
const boxed = (preparation: string, args: ReadonlyArray<string>) => {
  if (spawnSync("unshare", ["-rm", "true"]).status !== 0) return null
  const result = spawnSync(
    "unshare",
    ["-rm", "sh", "-c", `${preparation}; exec "$@"`, "sh", process.execPath, ...args],
    { encoding: "utf8" }
  )
  return `${result.stdout}${result.stderr}`
}

it.live("a full disk and a disk that cannot be written to: a clear error, and the source intact", ({ skip }) =>
  Effect.gen(function* () {
    for (const [mount, reason, message] of [
      // Full of another's: there is room for directories and names, and not for the file.
      ["size=256k", "failed", /the disk is full/],
      ["size=4m,ro", "not-writable", /its permissions or its disk forbid it/]
    ] as const) {
      yield* using(
        claudeWorld("one", {
          tree: (root) => {
            fs.mkdirSync(root)
            fs.writeFileSync(path.join(root, "big"), Buffer.alloc(1 << 20, 5))
          }
        }),
        function* (world) {
          const small = path.join(world.root, "small")
          fs.mkdirSync(small)
          const plan = {
            ...world.plan,
            pieces: world.plan.pieces.map((piece) => ({
              ...piece,
              to: path.join(small, "new", path.basename(piece.to))
            }))
          }
          const said = boxed(`mount -t tmpfs -o ${mount} none '${small}'`, [
            childProgram("relocationChild"),
            JSON.stringify(plan),
            world.journals,
            path.join(world.root, "state/records")
          ])
          if (said === null) return skip("no user namespaces here")
          assert.match(said, new RegExp(`^${reason} `))
          assert.match(said, message)
          assert.match(said, /It is where it was, complete/)
          fs.rmdirSync(small)
          assert.strictEqual(world.verify(reason), "source")
        }
      )
    }
  })
)

live("a directory that this user may not write to, at either end: a clear error, and the source intact", function* () {
  for (const end of ["from", "to"] as const) {
    yield* using(claudeWorld("one", { known: true }), function* (world) {
      const directory = path.dirname(world.plan.pieces[0]?.[end] ?? "")
      const mode = fs.statSync(directory).mode & 0o777
      fs.chmodSync(directory, 0o500)
      const life = healthy()
      const files = life.files(world)
      // Root may write everywhere; it is told what another user would be.
      const isWritable: typeof files.isWritable = (at) =>
        RelocationFilesNode.files.user === 0 && at === directory ? Effect.succeed(false) : files.isWritable(at)
      const engine = yield* world.engineOver({ ...files, isWritable })
      const error = yield* Effect.flip(engine.move(world.plan, world.books(life)))
      fs.chmodSync(directory, mode)
      assert.strictEqual(error.reason, "not-writable", error.message)
      assert.include(error.message, directory)
      assert.strictEqual(world.verify(end), "source")
    })
  }
})
