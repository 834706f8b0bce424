import { assert, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { claudeWorld, cursorWorld, Life, run, using, type World } from "../../support/relocation/relocation.ts"

const names = [
  "a",
  "b.jsonl",
  ".hidden",
  "with space",
  "line\nbreak",
  "tab\t",
  "ünïcode",
  "日本語",
  "🎉",
  "-rf",
  "*",
  "'quote\"",
  "back\\slash",
  "e\u0301",
  "\u00e9",
  "n".repeat(255),
  "é".repeat(127),
  "trailing ",
  "...",
  "$HOME",
  "%s"
]

const Node = Schema.Struct({
  /** Below which of the directories made before it. */
  parent: Schema.Natural,
  name: Schema.Literals(names),
  kind: Schema.Literals(["file", "directory", "link"]),
  mode: Schema.Literals([0o600, 0o644, 0o755, 0o400, 0o444, 0o700, 0o500, 0o555]),
  size: Schema.Natural.check(Schema.isLessThanOrEqualTo(5000)),
  mtime: Schema.Natural.check(Schema.isLessThanOrEqualTo(2_000_000_000)),
  target: Schema.Literals(["a", "../a", "nowhere", "/etc/hosts", ".", "sub/b.jsonl"])
})

/** Makes a tree of the nodes that have a place in it. */
const plant = (nodes: ReadonlyArray<typeof Node.Type>) => (root: string) => {
  fs.mkdirSync(root)
  const directories = [root]
  const made: Array<readonly [string, typeof Node.Type]> = []
  for (const node of nodes) {
    const parent = directories[node.parent % directories.length] ?? root
    const at = path.join(parent, node.name)
    // Deep chains of the longest names are no path any more.
    if (fs.existsSync(at) || Buffer.byteLength(at) > 3000 || fs.lstatSync(at, { throwIfNoEntry: false }) !== undefined)
      continue
    if (node.kind === "directory") directories.push(at)
    if (node.kind === "directory") fs.mkdirSync(at)
    else if (node.kind === "link") fs.symlinkSync(isOutside(root, parent, node.target) ? "a" : node.target, at)
    else fs.writeFileSync(at, Buffer.alloc(node.size, node.name))
    made.push([at, node])
  }
  for (const [at, node] of made.toReversed()) {
    if (node.kind !== "link") fs.chmodSync(at, node.kind === "directory" ? node.mode | 0o500 : node.mode)
    fs.lutimesSync(at, node.mtime + 0.25, node.mtime + 0.25)
  }
}

/** Links that lead out of the tree get another text: test/domain/store/relocation/LinkText.test.ts. */
const isOutside = (root: string, parent: string, target: string) =>
  !path.isAbsolute(target) && !`${path.join(parent, target)}/`.startsWith(`${root}/`)

const Disks = Schema.Literals(["one", "two", "no links"])

it.effect.prop(
  "any tree arrives as it was, and comes back as it was",
  {
    nodes: Schema.Array(Node).check(Schema.isMaxLength(40)),
    disks: Disks
  },
  ({ disks, nodes }) =>
    using(claudeWorld(disks, { tree: plant(nodes) }), function* (world) {
      yield* world.move(new Life(() => run))
      assert.strictEqual(world.verify("there"), "destination")
      yield* world.moveBack(new Life(() => run))
      // The directory that was made for it stays, as the CLI itself leaves it.
      world.removeMade()
      assert.strictEqual(world.verify("and back", false), "source")
    }),
  { arbitrary: { runs: 40 } }
)

it.effect("many files arrive", () =>
  using(
    claudeWorld("one", {
      tree: (root) => {
        for (let i = 0; i < 40; i++) {
          fs.mkdirSync(path.join(root, `d${i}`), { recursive: true })
          for (let j = 0; j < 50; j++) fs.writeFileSync(path.join(root, `d${i}`, `f${j}`), `${i} ${j}`)
        }
      }
    }),
    function* (world) {
      const moved = yield* world.move(new Life(() => run))
      assert.deepStrictEqual(moved, { linked: 2001, copied: 0, leftovers: [], pending: null })
      assert.strictEqual(world.verify("many"), "destination")
    }
  )
)

const Blow = Schema.Struct({
  at: Schema.Natural.check(Schema.isLessThanOrEqualTo(170)),
  kind: Schema.Literals(["EIO", "ENOSPC", "EACCES", "half", "die", "torn", "for good"])
})

const lifeOf = ({ at, kind }: typeof Blow.Type) =>
  new Life((n) => {
    if (kind === "die" || kind === "torn") return n >= at ? { _tag: "die", torn: kind === "torn" } : run
    if (kind === "for good") return n >= at ? { _tag: "fail", code: "EIO" } : run
    return n !== at ? run : kind === "half" ? { _tag: "half", code: "ENOSPC" } : { _tag: "fail", code: kind }
  })

it.effect.prop(
  "a move that fails, and recoveries that fail or die in turn, leave the session complete in one place in the end",
  {
    first: Blow,
    recoveries: Schema.Array(Blow).check(Schema.isMinLength(1), Schema.isMaxLength(4)),
    disks: Disks,
    tree: Schema.Boolean
  },
  ({ disks, first, recoveries, tree }) =>
    using(tree ? cursorWorld(disks) : claudeWorld(disks), function* (world) {
      yield* Effect.exit(world.move(lifeOf(first)))
      for (const { at, kind } of recoveries) {
        world.verifyComplete(`between, after ${JSON.stringify(first)}`)
        // A recovery has fewer operations.
        yield* Effect.exit(world.recover(lifeOf({ at: at % 60, kind })))
      }
      for (const { outcome, why } of yield* world.recover()) assert.notStrictEqual(outcome, "refused", why)
      world.verify("in the end")
      assert.deepStrictEqual(yield* world.recover(), [])
    }),
  { arbitrary: { runs: 150 } }
)

/**
 * Appends a line by name where the session was, as a CLI does that knows of no move; where that is gone, it has ended.
 * Two that write at both ends make two histories, of which neither may be deleted: W12 in the test of the windows.
 */
const say = (world: World, lines: Array<string>) =>
  Effect.sync(() => {
    const at = world.plan.pieces[0]?.from ?? ""
    if (!fs.existsSync(at)) return
    const line = `{"n":${lines.length}}\n`
    fs.appendFileSync(at, line)
    lines.push(line)
  })

it.effect.prop(
  "whoever appends whenever and however often, no line is lost, and their order is kept",
  {
    at: Schema.Array(Schema.Natural.check(Schema.isLessThanOrEqualTo(160))).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(12)
    ),
    disks: Disks,
    death: Schema.Natural.check(Schema.isLessThanOrEqualTo(320))
  },
  ({ at, death, disks }) =>
    using(claudeWorld(disks), function* (world) {
      const lines: Array<string> = []
      const exit = yield* Effect.exit(
        world.move(
          new Life((n) =>
            n >= death
              ? { _tag: "die", torn: false }
              : at.includes(n)
                ? { _tag: "meanwhile", effect: say(world, lines) }
                : run
          )
        )
      )
      yield* say(world, lines)
      for (const { leftovers, outcome, why } of yield* world.recover()) {
        assert.notStrictEqual(outcome, "refused", why)
        assert.deepStrictEqual(leftovers, [])
      }
      world.expect(0, "", `{"type":"user"}\n{"type":"assistant"}\n${lines.join("")}`)
      const where = world.verify(`death at ${death}, lines at ${at.join()}`)
      if (Exit.isSuccess(exit)) assert.strictEqual(where, "destination")
    }),
  { arbitrary: { runs: 100 } }
)
