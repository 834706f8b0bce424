// The windows in which a move could lose, duplicate or forget a session, one by one.
import { assert, it } from "@effect/vitest"
import { Effect, type Exit } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import type { Plan } from "../../../src/domain/store/relocation/Plan.ts"
import { FileLock } from "../../../src/services/FileLock.ts"
import type { SessionRegistries, Moved } from "../../../src/services/Relocator.ts"
import {
  claudeWorld,
  cursorWorld,
  type Fault,
  Life,
  lifeWith,
  run,
  using,
  type World
} from "../../support/relocation/relocation.ts"
import { live } from "../../support/run/effects.ts"
import { each } from "../../support/data/fields.ts"
import type { RelocationError } from "../../../src/services/Relocator.ts"
import { registryError } from "../../../src/services/StoreError.ts"

const first = '{"type":"user"}\n{"type":"assistant"}\n'
const line = '{"late":true}\n'

const meanwhile = (act: () => void): Fault => ({ _tag: "meanwhile", effect: Effect.sync(act) })
const death: Fault = { _tag: "die", torn: false }
const healthy = () => new Life(() => run)
const from = (world: World, n = 0) => world.plan.pieces[n]?.from ?? ""
const to = (world: World, n = 0) => world.plan.pieces[n]?.to ?? ""

/** The process dies at this operation; asserts that it did. */
const dies = Effect.fnUntraced(function* (world: World, operation: string, nth: number) {
  const life = lifeWith(operation, nth, death)
  yield* Effect.exit(world.move(life))
  assert.isTrue(life.dead, `it never did ${operation} for the ${nth + 1}. time`)
})

const refuses = Effect.fnUntraced(function* (move: Effect.Effect<Moved, RelocationError>, reason: string) {
  const error = yield* Effect.flip(move)
  assert.strictEqual(error.reason, reason, error.message)
  return error
})

it.live("W1: a line appended after the source was read for the copy is carried over", () =>
  using(claudeWorld("two", { tree: false }), function* (world) {
    yield* world.move(
      lifeWith(
        "compare",
        0,
        meanwhile(() => {
          fs.appendFileSync(from(world), line)
          world.expect(0, "", first + line)
        })
      )
    )
    assert.strictEqual(world.verify("W1"), "destination")
  })
)

it.live("W1: a line of which only half is written is waited for; one that never ends refuses the move", () =>
  using(claudeWorld("two", { tree: false }), function* (world) {
    const torn = lifeWith(
      "compare",
      0,
      meanwhile(() => fs.appendFileSync(from(world), '{"la'))
    )
    world.expect(0, "", `${first}{"la`)
    yield* refuses(world.move(torn), "source-changed")
    assert.strictEqual(world.verify("half"), "source")

    let comparisons = 0
    yield* world.move(
      new Life((_, name) => {
        if (name !== "compare") return run
        comparisons++
        // A half of a line comes before the copy is read back, and the rest while the engine waits for it.
        if (comparisons === 1) return meanwhile(() => fs.appendFileSync(from(world), 'te":'))
        return comparisons === 3
          ? meanwhile(() => {
              fs.appendFileSync(from(world), "true}\n")
              world.expect(0, "", first + line)
            })
          : run
      })
    )
    assert.strictEqual(world.verify("whole"), "destination")
  })
)

it.live("W1: a file of lines that was rewritten while it grew refuses the move", () =>
  using(claudeWorld("two", { tree: false }), function* (world) {
    const rewritten = `${first.replace("user", "USER")}${line}`
    yield* refuses(
      world.move(
        lifeWith(
          "compare",
          0,
          meanwhile(() => {
            fs.writeFileSync(from(world), rewritten)
            world.expect(0, "", rewritten)
          })
        )
      ),
      "source-changed"
    )
    assert.strictEqual(world.verify("rewritten"), "source")
  })
)

it.live("W1: a source that is cut short, or goes, while its copy is compared refuses the move as changed", () =>
  Effect.forEach(
    [
      (file: string, world: World) => {
        fs.truncateSync(file, 3)
        world.expect(0, "", first.slice(0, 3))
      },
      (file: string, world: World) => {
        fs.renameSync(file, `${file}.away`)
        fs.writeFileSync(file, "another file\n", { mode: 0o600 })
        fs.unlinkSync(`${file}.away`)
        world.expect(0, "", "another file\n")
        world.forgetInode(0, "")
      }
    ],
    (change) =>
      using(claudeWorld("two", { tree: false }), function* (world) {
        const life = lifeWith(
          "compare",
          0,
          meanwhile(() => change(from(world), world))
        )
        yield* refuses(world.move(life), "source-changed")
        assert.strictEqual(world.verify("changed"), "source")
      }),
    { discard: true }
  )
)

it.live("W1: a copy in which a bit has turned refuses the move and is taken away", () =>
  using(claudeWorld("two", { tree: false }), function* (world) {
    const life = lifeWith(
      "compare",
      0,
      meanwhile(() => {
        const [copy = ""] = world.debris().filter((name) => name.endsWith(".in"))
        const file = path.join(world.root, copy)
        const bytes = fs.readFileSync(file)
        bytes[bytes.length >> 1]! ^= 1
        fs.writeFileSync(file, bytes)
      })
    )
    const error = yield* refuses(world.move(life), "failed")
    assert.include(error.message, "the disk or its memory is faulty")
    assert.strictEqual(world.verify("turned"), "source")
  })
)

it.live("W2: a file that comes into a tree while it is copied refuses the move, and nothing is deleted", () =>
  Effect.forEach(
    [claudeWorld("two"), cursorWorld("two")],
    (world) =>
      using(world, function* (world) {
        const n = world.plan.pieces.length - 1
        const life = lifeWith(
          "copy",
          1,
          meanwhile(() => {
            fs.writeFileSync(`${from(world, n)}/late`, "late", { mode: 0o600 })
            world.expect(n, "late", "late")
          })
        )
        yield* refuses(world.move(life), "source-changed")
        assert.notInclude(
          life.operations,
          "book records",
          "it is noticed before anything is to be seen at the destination"
        )
        assert.strictEqual(world.verify("W2"), "source")
      }),
    { discard: true }
  )
)

it.live("W3: what is written to a file of another kind after it was staged refuses the move", () =>
  using(cursorWorld("two"), function* (world) {
    const grown = Buffer.concat([Buffer.alloc(10_000, 7), Buffer.from("more")]).toString("latin1")
    for (const [operation, nth] of [
      ["extend", 0],
      ["book registry", 0]
    ] as const) {
      yield* refuses(
        world.move(
          lifeWith(
            operation,
            nth,
            meanwhile(() => {
              fs.writeFileSync(`${from(world)}/store.db`, grown)
              world.expect(0, "store.db", grown)
            })
          )
        ),
        "source-changed"
      )
      assert.strictEqual(world.verify(`W3 at ${operation}`), "source")
      fs.writeFileSync(`${from(world)}/store.db`, grown.slice(0, 10_000))
    }
  })
)

live("W4: of movers that begin at once one moves, and the others change nothing", function* () {
  for (let round = 0; round < 8; round++) {
    yield* using(claudeWorld(round % 2 === 0 ? "one" : "two"), function* (world) {
      const exits = yield* Effect.forEach([1, 2, 3], () => Effect.result(world.move(healthy())), {
        concurrency: "unbounded"
      })
      const failures = exits.flatMap((it) => (it._tag === "Failure" ? [it.failure] : []))
      assert.strictEqual(failures.length, 2)
      for (const failure of failures) {
        assert.include(["busy", "source-missing"], failure.reason, failure.message)
      }
      assert.strictEqual(world.verify("W4"), "destination")
    })
  }
})

live(
  "W4: even where no lock works (a network disk), whatever the interleaving, the last complete copy is never deleted",
  function* () {
    const alone = healthy()
    yield* using(claudeWorld("one"), function* (world) {
      return yield* world.move(alone)
    })
    let met = 0
    for (let k = 0; k < alone.operations.length; k += 2) {
      yield* using(claudeWorld(k % 4 === 0 ? "one" : "two"), function* (world) {
        const unlocked = FileLock.of({ acquire: () => Effect.void })
        const other: Fault = {
          _tag: "meanwhile",
          effect: Effect.asVoid(Effect.exit(world.move(healthy(), undefined, unlocked)))
        }
        const life = new Life((n) => (n === k ? other : run))
        const exit: Exit.Exit<Moved, RelocationError> = yield* Effect.exit(world.move(life, undefined, unlocked))
        yield* world.recover()
        assert.notStrictEqual(world.where(), "nowhere", `at ${k} (${life.operations[k]}): ${JSON.stringify(exit)}`)
        world.verifyComplete(`at ${k} (${life.operations[k]})`)
        met++
      })
    }
    assert.isAbove(met, 40)
  }
)

live(
  "W5: a destination that comes to be after the look is never overwritten, be it a file, a tree or empty",
  function* () {
    const worlds = [
      { world: claudeWorld("one"), n: 0, operation: "link", make: (at: string) => fs.writeFileSync(at, "theirs\n") },
      { world: claudeWorld("two"), n: 0, operation: "extend", make: (at: string) => fs.writeFileSync(at, "") },
      {
        world: claudeWorld("no links"),
        n: 0,
        operation: "extend",
        make: (at: string) => fs.writeFileSync(at, "theirs\n")
      },
      {
        world: claudeWorld("one"),
        n: 1,
        operation: "extend",
        make: (at: string) => {
          fs.mkdirSync(at)
          fs.writeFileSync(path.join(at, "theirs"), "theirs")
        }
      },
      { world: cursorWorld("one"), n: 0, operation: "extend", make: (at: string) => fs.mkdirSync(at) },
      {
        // Between the claim and the rename.
        world: cursorWorld("one"),
        n: 0,
        operation: "rename",
        make: (at: string) => fs.writeFileSync(path.join(at, "theirs"), "theirs")
      }
    ]
    for (const { make, n, operation, world } of worlds) {
      yield* using(world, function* (world) {
        let theirs: ReadonlyMap<string, unknown> = new Map()
        yield* refuses(
          world.move(
            lifeWith(
              operation,
              0,
              meanwhile(() => {
                make(to(world, n))
                theirs = world.shotOf(to(world, n))
              })
            )
          ),
          "destination-exists"
        )
        const found = world.shotOf(to(world, n))
        assert.deepStrictEqual([...found], [...theirs], `${operation}: what was there is still there, as it was`)
        fs.rmSync(to(world, n), { recursive: true })
        world.removeMade()
        assert.strictEqual(world.verify(`W5 at ${operation}`), "source")
      })
    }
  }
)

it.live("W5: a session that was moved by other means and grew there is not overwritten by a second move", () =>
  using(claudeWorld("one", { tree: false, known: true }), function* (world) {
    fs.copyFileSync(from(world), to(world))
    fs.appendFileSync(to(world), line)
    yield* refuses(world.move(healthy()), "destination-exists")
    assert.strictEqual(fs.readFileSync(to(world), "utf8"), first + line)
    assert.strictEqual(fs.readFileSync(from(world), "utf8"), first)
    assert.deepStrictEqual(world.debris(), [])
  })
)

live("W6: books that cannot be written undo the move before anything is deleted", function* () {
  for (const disk of ["one", "two"] as const) {
    for (const book of ["book records", "book registry"]) {
      yield* using(claudeWorld(disk), function* (world) {
        const life = lifeWith(book, 0, { _tag: "fail", code: "EACCES" })
        const error = yield* Effect.flip(world.move(life))
        assert.strictEqual(error.reason, "failed")
        assert.match(error.message, /could not write the (records|registry)/)
        assert.strictEqual(world.verify("W6"), "source")
        const touched = life.log
          .filter(({ operation }) => operation === "unlink" || operation === "rename")
          .map(({ at }) => at)
        for (const n of [0, 1]) assert.notInclude(touched, from(world, n))
      })
    }
  }
})

live("W7: what is written between the last look and the deletion is not lost", function* () {
  // By name, up to the instant at which the source is set aside; after that there is no such name.
  for (const disk of ["one", "two"] as const) {
    yield* using(claudeWorld(disk), function* (world) {
      yield* world.move(
        lifeWith(
          "rename",
          1,
          meanwhile(() => {
            fs.appendFileSync(from(world), line)
            world.expect(0, "", first + line)
          })
        )
      )
      assert.strictEqual(world.verify(`W7 on ${disk}`), "destination")
    })
  }
  // One that has it open from the start keeps it from being copied at all.
  yield* using(claudeWorld("two", { tree: false }), function* (world) {
    const life = healthy()
    yield* refuses(
      world.move(life, () => Effect.succeed([4242])),
      "in-use"
    )
    assert.notInclude(life.operations, "copy")
    assert.strictEqual(world.verify("open"), "source")
  })
  // A process that opens the copied file after the last look keeps it from being deleted.
  yield* using(claudeWorld("two", { tree: false }), function* (world) {
    let open = false
    const moved = yield* world.move(
      lifeWith(
        "rename",
        0,
        meanwhile(() => void (open = true))
      ),
      () => Effect.sync(() => (open ? [4242] : []))
    )
    assert.strictEqual(moved.leftovers[0]?.path, from(world))
    assert.match(moved.leftovers[0]?.why ?? "", /process 4242 has it open/)
    assert.strictEqual(fs.readFileSync(to(world), "utf8"), first)
    assert.strictEqual(fs.readFileSync(from(world), "utf8"), first)
  })
})

it.live("W7: a source that is replaced after the commit stays, and the move says so", () =>
  using(claudeWorld("two", { tree: false }), function* (world) {
    const moved = yield* world.move(
      lifeWith(
        "rename",
        0,
        meanwhile(() => {
          fs.writeFileSync(`${from(world)}.new`, "something else\n")
          fs.renameSync(`${from(world)}.new`, from(world))
        })
      )
    )
    assert.deepStrictEqual(each(moved.leftovers, "path"), [from(world)])
    assert.strictEqual(fs.readFileSync(from(world), "utf8"), "something else\n")
    assert.strictEqual(fs.readFileSync(to(world), "utf8"), first)
    assert.deepStrictEqual(world.debris(), [])
  })
)

it.live(
  "W8: names are durable at the destination before the commit, the commit before the source goes, and that before the journal does",
  () =>
    using(claudeWorld("two"), function* (world) {
      const life = healthy()
      yield* world.move(life)
      const log = life.log
      const after = (start: number, operation: string, at: string): number => {
        const found = log.findIndex((entry, i) => i >= start && entry.operation === operation && entry.at === at)
        assert.isAtLeast(found, 0, `${operation} of ${at} after ${start}`)
        return found
      }
      const journal = path.join(world.journals, `claude.${world.plan.sessionId}.journal`)
      const made = after(0, "create", journal)
      const durable = after(made, "syncDirectory", world.journals)
      const firstTouch = log.findIndex(
        ({ at, operation }) => operation !== "stat" && at.startsWith(path.dirname(to(world)))
      )
      assert.isAbove(firstTouch, durable, "nothing is made at the destination before the journal's name is durable")
      const staged = after(durable, "extend", journal)
      const placed = after(
        staged,
        "rename",
        log.find(({ at, operation }) => operation === "rename" && at.endsWith("-1.in"))?.at ?? ""
      )
      const named = after(placed, "syncDirectory", path.dirname(to(world)))
      const parent = after(placed, "syncDirectory", path.dirname(path.dirname(to(world))))
      const committed = after(Math.max(named, parent), "extend", journal)
      const away = after(0, "rename", from(world))
      assert.isAbove(away, committed)
      const gone = after(away, "syncDirectory", path.dirname(from(world)))
      assert.isAbove(after(0, "unlink", journal), gone)
    })
)

live("W9: what fails after the commit is no failure of the move, and the next recovery ends it", function* () {
  for (const nth of [1, 2, 3]) {
    yield* using(claudeWorld("two"), function* (world) {
      const moved = yield* world.move(lifeWith("unlink", nth, { _tag: "fail", code: "EACCES" }))
      assert.match(moved.pending ?? "", /could not unlink/)
      const recovered = yield* world.recover()
      assert.deepStrictEqual(each(recovered, "outcome"), ["finished"])
      assert.strictEqual(world.verify("W9"), "destination")
    })
  }
})

it.live("W10: a change after the books were written refuses the move, and the books name the complete copy", () =>
  using(claudeWorld("two"), function* (world) {
    yield* refuses(
      world.move(
        lifeWith(
          "book registry",
          0,
          meanwhile(() => {
            fs.writeFileSync(`${from(world, 1)}/late`, "late", { mode: 0o600 })
            world.expect(1, "late", "late")
          })
        )
      ),
      "source-changed"
    )
    // The books are looked at by this, too.
    assert.strictEqual(world.verify("W10"), "source")
  })
)

live("W11: a registry is changed where it stands when the move gets there, one key of it, and back", function* () {
  for (const broken of [false, true]) {
    yield* using(claudeWorld("one"), function* (world) {
      const file = path.join(world.root, "state/projects.json")
      const read = (): Record<string, string> => JSON.parse(fs.readFileSync(file, "utf8"))
      fs.writeFileSync(file, JSON.stringify({ "/a": "a" }))
      const books: SessionRegistries = {
        apply: ({ edits }: Plan) =>
          Effect.suspend(() => {
            fs.writeFileSync(file, JSON.stringify({ ...read(), [edits[0]?.detail["cwd"] ?? ""]: "new" }))
            return broken ? Effect.fail(registryError("write the rest", { message: "no" })) : Effect.void
          }),
        revert: ({ edits }: Plan) =>
          Effect.sync(() => {
            const { [edits[0]?.detail["cwd"] ?? ""]: _own, ...others } = read()
            fs.writeFileSync(file, JSON.stringify(others))
          })
      }
      const life = lifeWith(
        "extend",
        0,
        meanwhile(() => fs.writeFileSync(file, JSON.stringify({ ...read(), "/b": "b" })))
      )
      const engine = yield* world.engine(life)
      yield* Effect.exit(engine.move(world.plan, books))
      assert.deepStrictEqual(read(), { "/a": "a", "/b": "b", ...(broken ? {} : { "/home/dev/new place": "new" }) })
    })
  }
})

live("W12: after a death between the commit and the deletion the same move again ends the first", function* () {
  for (const nth of [1, 2]) {
    yield* using(claudeWorld("two"), function* (world) {
      yield* dies(world, "rename", nth)
      const moved = yield* world.move(healthy())
      assert.isNull(moved.pending)
      assert.strictEqual(world.verify("W12"), "destination")
    })
  }
})

it.live("W12: a death after the commit, and the source grew meanwhile: its lines are carried over", () =>
  using(claudeWorld("two"), function* (world) {
    yield* dies(world, "rename", 1)
    fs.appendFileSync(from(world), line)
    world.expect(0, "", first + line)
    assert.deepStrictEqual(each(yield* world.recover(), "outcome"), ["finished"])
    assert.strictEqual(world.verify("W12"), "destination")
  })
)

it.live("W12: a death after the commit, and both ends were changed: neither is deleted, and the user is told", () =>
  using(claudeWorld("two", { tree: false }), function* (world) {
    yield* dies(world, "rename", 0)
    fs.appendFileSync(from(world), '{"here":1}\n')
    fs.appendFileSync(to(world), '{"there":1}\n')
    const [recovered] = yield* world.recover()
    assert.strictEqual(recovered?.outcome, "finished")
    assert.deepStrictEqual(
      recovered?.leftovers.map((it) => it.path),
      [from(world)]
    )
    assert.strictEqual(fs.readFileSync(from(world), "utf8"), `${first}{"here":1}\n`)
    assert.strictEqual(fs.readFileSync(to(world), "utf8"), `${first}{"there":1}\n`)
    assert.deepStrictEqual(world.debris(), [])
  })
)

live(
  "W12: a destination that is the same byte for byte, left by a tool without a journal, is taken as it is",
  function* () {
    const changes: ReadonlyArray<null | ((world: World) => void)> = [
      null,
      (world) => fs.appendFileSync(path.join(to(world, 1), "subagents/run.sh"), "# other\n"),
      // Of the same size, and of the same time.
      (world) => fs.writeFileSync(path.join(to(world, 1), "subagents/run.sh"), "#!/bin/SH\n"),
      (world) => fs.writeFileSync(path.join(to(world, 1), "more"), "more"),
      (world) => fs.unlinkSync(path.join(to(world, 1), "latest"))
    ]
    for (const change of changes) {
      yield* using(claudeWorld("one", { known: true }), function* (world) {
        for (const n of [0, 1])
          fs.cpSync(from(world, n), to(world, n), {
            recursive: true,
            preserveTimestamps: true,
            verbatimSymlinks: true
          })
        for (const name of ["", "subagents"])
          fs.chmodSync(path.join(to(world, 1), name), fs.statSync(path.join(from(world, 1), name)).mode & 0o777)
        for (const name of ["latest", "subagents/empty", "subagents", ""]) {
          const { atime, mtime } = fs.lstatSync(path.join(from(world, 1), name))
          fs.lutimesSync(path.join(to(world, 1), name), atime, mtime)
        }
        if (change !== null) {
          change(world)
          yield* refuses(world.move(healthy()), "destination-exists")
          assert.isTrue(fs.existsSync(from(world)) && fs.existsSync(from(world, 1)))
          assert.deepStrictEqual(world.debris(), [])
          return
        }
        yield* world.move(healthy())
        assert.strictEqual(world.verify("W12"), "destination")
      })
    }
  }
)

live("W13: a move that is undone leaves no directory that would count as taken", function* () {
  for (const fault of [death, { _tag: "fail", code: "ENOSPC" } as const]) {
    yield* using(cursorWorld("two"), function* (world) {
      yield* Effect.exit(world.move(lifeWith("copy", 2, fault)))
      yield* world.recover()
      assert.isFalse(fs.existsSync(path.dirname(to(world))))
      assert.strictEqual(world.verify("W13"), "source")
    })
  }
})

it.live("W14: the names of staging are random, and a recovery takes away its own and nobody else's", () =>
  using(claudeWorld("two", { known: true }), function* (world) {
    const other = path.join(path.dirname(to(world)), `.leap-${"0".repeat(32)}-0.in`)
    fs.writeFileSync(other, "of a mover whose lock and journal this machine does not see")
    yield* dies(world, "compare", 0)
    const names = world.debris().filter((name) => name.endsWith(".in"))
    assert.strictEqual(names.length, 2)
    for (const name of names) assert.match(path.basename(name), /^\.leap-[0-9a-f]{32}-0\.in$/)
    assert.notInclude(names.join(), String(process.pid).padStart(8, "x"))
    yield* world.recover()
    assert.deepStrictEqual(world.debris(), [path.relative(world.root, other)])
    fs.unlinkSync(other)
    assert.strictEqual(world.verify("W14"), "source")
  })
)
