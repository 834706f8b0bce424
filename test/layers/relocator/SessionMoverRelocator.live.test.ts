import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { slugOf } from "../../../src/domain/providers/claude/Relocation.ts"
import { builtin, configured } from "../../support/providers.ts"
import { defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import type { MovedSession } from "../../../src/services/SessionMover.ts"
import { type Fault, Life, lifeWith, run, shoot } from "../../support/relocation/relocation.ts"
import { geminiLines, geminiTwin, type Home, id, inHome } from "../../support/relocation/moverHome.ts"
import { recordOf } from "../../support/data/sessionRecords.ts"
import { live } from "../../support/run/effects.ts"

/** A test in a home of its own. */
const moves = (name: string, use: (home: Home) => Effect.fn.Return<void, unknown, Scope.Scope>) =>
  it.live(name, () => inHome(use))

const meanwhile = (act: () => void): Fault => ({ _tag: "meanwhile", effect: Effect.sync(act) })
const death: Fault = { _tag: "die", torn: false }

/** The `nth` operation on a path that ends so does this. */
const lifeAt = (operation: string, ending: string, fault: Fault, nth = 0): Life => {
  const life: Life = new Life((_, name, at) => (name === operation && at.endsWith(ending) && nth-- === 0 ? fault : run))
  return life
}

/** Refuses to move, with this reason, and changes nothing. */
const refuses = Effect.fnUntraced(function* (
  home: Home,
  move: Effect.Effect<MovedSession, { readonly _tag: string; readonly message: string }>,
  reason: string,
  message: RegExp
) {
  const before = home.shoot()
  const error = yield* Effect.flip(move)
  assert.strictEqual("reason" in error ? error.reason : error._tag, reason, error.message)
  assert.match(error.message, message)
  home.verifySame(before, reason)
})

describe("sessions of Claude Code", () => {
  moves("leap's records are changed once, and say what is told of the move", function* (home) {
    const record = home.claude()
    home.record("one", record)
    const life = new Life(() => run)
    const { session, ...moved } = yield* home.move(record, home.b, life)
    assert.deepStrictEqual(moved, { linked: 2, copied: 0, leftovers: [], pending: null })
    assert.strictEqual(life.operations.filter((operation) => operation === "record change").length, 1)
    assert.deepStrictEqual(home.said(), [["one", home.b, session.transcriptPath]])
    assert.strictEqual(session.transcriptPath, home.at(".claude/projects", slugOf(home.b), `${id}.jsonl`))
    assert.isTrue(fs.existsSync(session.transcriptPath ?? ""))
    assert.isFalse(fs.existsSync(record.transcriptPath ?? ""))
  })

  moves("records that cannot be changed undo the move", function* (home) {
    const record = home.claude()
    home.record("one", record)
    const before = home.shoot()
    const error = yield* Effect.flip(
      home.move(record, home.b, lifeWith("record change", 0, { _tag: "fail", code: "ENOSPC" }))
    )
    assert.match(
      error.message,
      /was not moved: could not change leap's records of the session: .* It is where it was, complete/
    )
    home.verifySame(before, "undone")
  })

  moves("what an earlier move left at the destination when it died goes, and the session moves", function* (home) {
    const record = home.claude()
    home.record("one", record)
    const dying = lifeWith("rename", 0, death)
    yield* Effect.exit(home.move(record, home.b, dying))
    assert.isTrue(dying.dead)
    assert.isNotEmpty([...home.shoot().keys()].filter((name) => name.includes(".leap-")))
    assert.isNull((yield* home.move(record)).pending)
    assert.deepStrictEqual(
      [...home.shoot().keys()].filter((name) => name.includes(".leap-") || name.endsWith(".journal")),
      []
    )
    assert.deepStrictEqual(
      home.said().map(([, cwd]) => cwd),
      [home.b]
    )
  })

  moves("a link to a file outside stays a link to it, and the file is not touched", function* (home) {
    const record = home.claude()
    home.record("one", record)
    const outside = home.write("outside.txt", "theirs")
    fs.symlinkSync(outside, home.at(".claude/projects", slugOf(home.a), id, "link"))
    const before = shoot(outside)
    yield* home.move(record)
    assert.strictEqual(fs.readlinkSync(home.at(".claude/projects", slugOf(home.b), id, "link")), outside)
    assert.deepStrictEqual(shoot(outside), before)
  })

  moves("without a directory that it lives in, or one to go to, it is not moved", function* (home) {
    const record = home.claude()
    home.record("one", record)
    yield* refuses(home, home.move({ ...record, cwd: "" }), "not-movable", /not known in which directory/)
    yield* refuses(home, home.move(record, ""), "not-movable", /there is no directory ""/)
    yield* refuses(home, home.move(record, home.at("nowhere")), "not-movable", /there is no directory .*nowhere/)
  })

  moves("a refusal says what is missing and where it was looked for", function* (home) {
    const record = recordOf({
      sessionId: id,
      cwd: home.a,
      transcriptPath: home.at(`.claude/projects/-wrong/${id}.jsonl`)
    })
    home.record("one", record)
    yield* refuses(
      home,
      home.move(record),
      "source-missing",
      /\.claude\/projects": there are no transcripts here: .*CLAUDE_CONFIG_DIR/
    )
    fs.mkdirSync(home.at(".claude/projects/-other"), { recursive: true })
    yield* refuses(home, home.move(record), "source-missing", /there are no transcripts of .*old project/)
    fs.mkdirSync(home.at(".claude/projects", slugOf(home.a)))
    yield* refuses(home, home.move(record), "source-missing", new RegExp(`${id}.jsonl": there is no such transcript`))
    for (const slug of ["-x", "-y"]) home.write(`.claude/projects/${slug}/${id}.jsonl`, "{}\n")
    yield* refuses(home, home.move(record), "ambiguous", /several transcripts.*-x.*-y/)
  })

  moves("the transcript that is there counts: not the recorded path, not the recorded directory", function* (home) {
    const elsewhere = home.directory("work/elsewhere")
    const { transcriptPath } = home.claude({ cwd: elsewhere })
    for (const path of [home.at(`.claude/projects/${slugOf(home.a)}/${id}.jsonl`), transcriptPath, null]) {
      const record = recordOf({ sessionId: id, cwd: home.a, transcriptPath: path })
      home.record("one", record)
      const { session } = yield* home.move(record)
      assert.isTrue(fs.existsSync(session.transcriptPath ?? ""))
      assert.deepStrictEqual(home.said(), [["one", home.b, session.transcriptPath]])
      yield* home.move(session, elsewhere)
      assert.isTrue(fs.existsSync(transcriptPath ?? ""))
    }
  })

  moves("where the directories share a slug, and where it lives there already, no file is touched", function* (home) {
    const [a, b] = [home.directory("w/a/b"), home.directory("w/a-b")]
    const record = home.claude({ cwd: a })
    home.record("one", record)
    const before = shoot(home.at(".claude"))
    const { session } = yield* home.move(record, b)
    assert.deepStrictEqual(home.said(), [["one", b, record.transcriptPath]])
    const twice = new Life(() => run)
    assert.deepStrictEqual((yield* home.move(session, b, twice)).session, session)
    assert.notInclude(twice.operations, "record change")
    assert.deepStrictEqual(shoot(home.at(".claude")), before)
  })
})

describe("whose session it is", () => {
  moves(
    "every tag's record goes along, of variants of the CLI too, and a move that is undone gives each what it said",
    function* (home) {
      const record = home.claude()
      home.record("one", recordOf({ sessionId: "other", cwd: "/x" }), record)
      home.record("two", { ...record, cli: "my-claude", cwd: home.at("work"), transcriptPath: null })
      home.record("three", recordOf({ cli: "codex", sessionId: id, cwd: home.a }))
      const before = home.said()
      const shot = home.shoot()
      // the last look before the commit meets a source that was changed
      const late = lifeWith(
        "record change",
        1,
        meanwhile(() => fs.rmSync(home.at(".claude/projects", slugOf(home.a), id, "subagents/agent-1.jsonl")))
      )
      yield* Effect.flip(home.move(record, home.b, late))
      assert.deepStrictEqual(home.said(), before)
      home.write(`.claude/projects/${slugOf(home.a)}/${id}/subagents/agent-1.jsonl`, "{}\n")
      home.verifySame(shot, "undone")
      const { session } = yield* home.move(record)
      assert.deepStrictEqual(home.said(), [
        ["one", home.b, session.transcriptPath],
        ["three", home.a, null],
        ["two", home.b, session.transcriptPath]
      ])
      assert.deepStrictEqual(home.said("other"), [["one", "/x", null]])
    }
  )

  moves("a session that no tag knows is not moved", function* (home) {
    const record = home.claude()
    home.record("one", recordOf({ sessionId: "other", cwd: "/x" }))
    yield* refuses(home, home.move(record), "failed", /no tag has such a session/)
  })

  it.live(
    "a CLI of the user's own keeps its sessions where its environment says; one that was removed counts as its base",
    () => {
      const own = {
        ...defaultSettings,
        clis: { "my-claude": { base: "claude", env: { CLAUDE_CONFIG_DIR: "$HOME/mine/" } } }
      }
      return inHome(
        function* (home) {
          const transcriptPath = home.write(`mine/projects/${slugOf(home.a)}/${id}.jsonl`, "{}\n")
          const record = recordOf({ cli: "my-claude", base: "claude", sessionId: id, cwd: home.a, transcriptPath })
          home.record("one", record)
          const { session } = yield* home.move(record)
          assert.strictEqual(session.transcriptPath, home.at("mine/projects", slugOf(home.b), `${id}.jsonl`))
          assert.isTrue(fs.existsSync(session.transcriptPath ?? ""))

          const { transcriptPath: ordinary } = home.claude({ tree: false })
          const gone = recordOf({ cli: "gone", base: "claude", sessionId: id, cwd: home.a, transcriptPath: ordinary })
          home.record("one", gone)
          assert.strictEqual(
            (yield* home.move(gone)).session.transcriptPath,
            home.at(".claude/projects", slugOf(home.b), `${id}.jsonl`)
          )
        },
        { providers: configured(builtin, own) }
      )
    }
  )

  moves("a CLI that leap cannot move sessions of, or does not know, is named", function* (home) {
    const demo = recordOf({ cli: "demo", sessionId: id, cwd: home.a })
    home.record("one", demo)
    yield* refuses(
      home,
      home.move(demo),
      "not-movable",
      /cannot move sessions of .*; 'leap resume' goes on with it where it is/
    )
    yield* refuses(home, home.move({ ...demo, cli: "lost", base: "lost" }), "not-movable", /knows no CLI 'lost'/)
  })

  live("a move that died is settled from its journal alone, also when nobody knows the session any more", function* () {
    for (const [operation, ending, outcome] of [
      ["record change", "one.json", "undone"],
      ["unlink", ".out", "finished"]
    ] as const) {
      yield* inHome(function* (home) {
        const record = home.gemini()
        home.record("one", record)
        const life = lifeAt(operation, ending, death)
        yield* Effect.exit(home.move(record, home.b, life))
        assert.isTrue(life.dead, operation)
        home.record("one", recordOf({ sessionId: "other", cwd: "/x" }))
        assert.deepStrictEqual(
          (yield* home.recover()).map((settled) => [settled.outcome, settled.why]),
          [[outcome, ""]]
        )
        const [there, gone] =
          outcome === "undone" ? (["old-project", "new-place"] as const) : (["new-place", "old-project"] as const)
        assert.isTrue(fs.existsSync(home.geminiChat(there)))
        assert.isFalse(fs.existsSync(home.geminiChat(gone)))
        assert.strictEqual(home.registry()[home.b], outcome === "undone" ? undefined : "new-place")
        assert.deepStrictEqual(home.said("other"), [["one", "/x", null]])
      })
    }
  })
})

describe("chats of Cursor Agent", () => {
  moves(
    "a chat that was hashed under a directory above is found; its project's directory goes with the last chat",
    function* (home) {
      const record = home.cursorAgent(home.at("work"))
      home.record("one", record)
      const { session } = yield* home.move(record)
      assert.isTrue(fs.existsSync(path.join(home.cursorAgentChat(home.b), "store.db")))
      assert.isFalse(fs.existsSync(path.dirname(home.cursorAgentChat(home.at("work")))))
      assert.isNull(session.transcriptPath)
      assert.deepStrictEqual(home.said(), [["one", home.b, null]])
      home.write(`${path.relative(home.root, path.dirname(home.cursorAgentChat(home.b)))}/sibling/store.db`, "theirs")
      yield* home.move(session, home.a)
      assert.isTrue(fs.existsSync(path.join(path.dirname(home.cursorAgentChat(home.b)), "sibling")))
      yield* refuses(home, home.move({ ...session, sessionId: "unknown" }), "source-missing", /there is no such chat/)
    }
  )
})

describe("sessions of Gemini CLI", () => {
  const word = geminiLines(id, "/old", "the word is maple")

  moves(
    "to a directory that Gemini does not know: it gets a folder, a registry entry and both markers, and nothing is left behind",
    function* (home) {
      const record = home.gemini()
      home.record("one", record)
      let both = false
      const life = lifeWith(
        "record change",
        0,
        meanwhile(() => {
          both = fs.existsSync(home.geminiChat("old-project")) && fs.existsSync(home.geminiChat("new-place"))
        })
      )
      const content = fs.readFileSync(home.geminiChat("old-project"), "utf8")
      const { session } = yield* home.move(record, home.b, life)
      assert.isTrue(both)
      assert.strictEqual(session.transcriptPath, home.geminiChat("new-place"))
      assert.strictEqual(
        fs.readFileSync(home.geminiChat("new-place"), "utf8"),
        content,
        "its header keeps the old project's hash: Gemini does not look at it"
      )
      assert.deepStrictEqual(home.registry(), {
        [home.at("elsewhere")]: "elsewhere",
        [home.a]: "old-project",
        [home.b]: "new-place"
      })
      for (const base of ["tmp", "history"])
        assert.strictEqual(home.read(`.gemini/${base}/new-place/.project_root`), home.b)
      for (const moved of [
        `chats/${id}/agent-7.jsonl`,
        `tool-outputs/session-${id}/out.txt`,
        "tool-outputs/session-agent-7/out.txt",
        `${id}/plans/plan.md`
      ]) {
        assert.isTrue(home.exists(".gemini/tmp/new-place", moved), moved)
        assert.isFalse(home.exists(".gemini/tmp/old-project", moved), moved)
      }
      assert.deepStrictEqual([...shoot(home.at(".gemini/tmp/old-project")).keys()].sort(), [
        "",
        ".project_root",
        "chats",
        "logs.json",
        "tool-outputs"
      ])
      assert.deepStrictEqual(
        fs.readdirSync(home.at(".gemini/tmp/new-place/chats")).sort(),
        [id, path.basename(home.geminiChat("x"))],
        "no empty twin came along"
      )
      // and back: the folders are known now
      const registry = home.read(".gemini/projects.json")
      assert.strictEqual((yield* home.move(session, home.a)).session.transcriptPath, record.transcriptPath)
      assert.strictEqual(home.read(".gemini/projects.json"), registry)
    }
  )

  moves("a folder's name that the registry, tmp or history gives to another project is not taken", function* (home) {
    const record = home.gemini()
    home.record("one", record)
    home.write(
      ".gemini/projects.json",
      JSON.stringify({ projects: { [home.a]: "old-project", "/srv/New.Place": "new-place" } })
    )
    home.write(".gemini/tmp/new-place-1/.project_root", "/srv/1")
    home.write(".gemini/history/new-place-2/.project_root", "/srv/2")
    // nobody's, and so Gemini would take it
    home.directory(".gemini/tmp/new-place-3/chats")
    const { session } = yield* home.move(record)
    assert.strictEqual(session.transcriptPath, home.geminiChat("new-place-3"))
    assert.strictEqual(home.registry()[home.b], "new-place-3")
  })

  moves("a directory that has a folder keeps it; in the same folder nothing moves", function* (home) {
    const record = home.gemini()
    home.record("one", record)
    home.write(".gemini/tmp/theirs/.project_root", home.b)
    assert.strictEqual((yield* home.move(record)).session.transcriptPath, home.geminiChat("theirs"))
    assert.strictEqual(home.registry()[home.b], "theirs")
    const life = new Life(() => run)
    const before = home.shoot()
    const { session } = yield* home.move({ ...record, cwd: home.b }, home.b, life)
    assert.strictEqual(session.transcriptPath, home.geminiChat("theirs"))
    home.verifySame(before, "the same folder")
  })

  moves(
    "a session of an unregistered directory is found all the same; without a home, a file or an id that can be one nothing is written",
    function* (home) {
      const record = home.gemini({ registry: '{"projects":{}}' })
      home.record("one", record)
      yield* refuses(home, home.move({ ...record, sessionId: "../x" }), "bad-plan", /unexpected format/)
      yield* refuses(
        home,
        home.move({ ...record, sessionId: "0b9f1c1e-another" }),
        "source-missing",
        /no project in .*\.gemini\/tmp has a session of that id/
      )
      const { session } = yield* home.move({ ...record, transcriptPath: null })
      assert.strictEqual(session.transcriptPath, home.geminiChat("new-place"))
      fs.rmSync(home.at(".gemini"), { recursive: true })
      yield* refuses(home, home.move(session, home.a), "source-missing", /no project in/)
    }
  )

  moves("of files that share the beginning of an id, the one whose header has it moves", function* (home) {
    const record = home.gemini({ twin: false })
    home.record("one", record)
    const other = `${id.slice(0, 8)}-other`
    home.write(
      ".gemini/tmp/old-project/chats/session-2026-11-21T09-00-0b9f1c1e.jsonl",
      geminiLines(other, home.a, "not this one")
    )
    yield* home.move(record)
    assert.deepStrictEqual(fs.readdirSync(home.at(".gemini/tmp/old-project/chats")), [
      "session-2026-11-21T09-00-0b9f1c1e.jsonl"
    ])
    assert.deepStrictEqual(fs.readdirSync(home.at(".gemini/tmp/new-place/chats")).sort(), [
      id,
      "session-2026-11-21T07-53-0b9f1c1e.jsonl"
    ])
  })

  moves("a registry that cannot be written undoes the move: file by file it is as it was", function* (home) {
    const record = home.gemini()
    home.record("one", record)
    for (const [operation, ending] of [
      ["create", "projects.json.new"],
      ["rename", "projects.json.new"],
      ["makeDirectory", "projects.json.lock"],
      ["rename", ".project_root.new"],
      ["unlink", "08-00-0b9f1c1e.jsonl"]
    ] as const) {
      const life = lifeAt(operation, ending, { _tag: "fail", code: "EACCES" })
      yield* refuses(home, home.move(record, home.b, life), "failed", /It is where it was, complete/)
    }
  })

  moves(
    "members that Gemini does not know, the file's form and what is registered during the move stay",
    function* (home) {
      const text = (added: string) =>
        `{\n\t"version": 3,\n\t"projects": {\n\t\t"${home.a}": "old-project"${added}\n\t},\n\t"later": [1, 2]\n}\n`
      const record = home.gemini({ registry: text("") })
      home.record("one", record)
      const late = `,\n\t\t"/srv/late": "late"`
      yield* home.move(
        record,
        home.b,
        lifeAt(
          "makeDirectory",
          "projects.json.lock",
          meanwhile(() => home.write(".gemini/projects.json", text(late), 0o644))
        )
      )
      assert.strictEqual(home.read(".gemini/projects.json"), text(`${late},\n\t\t"${home.b}": "new-place"`))
      assert.strictEqual(fs.statSync(home.at(".gemini/projects.json")).mode & 0o777, 0o644)
    }
  )

  moves(
    "a registry that Gemini would throw away, and one that gives the folder away meanwhile, refuse the move",
    function* (home) {
      const record = home.gemini()
      home.record("one", record)
      const registry = home.read(".gemini/projects.json")
      for (const bad of ["{", "[]", '{"projects":{"/x":"Not A Slug"}}', ""]) {
        home.write(".gemini/projects.json", bad)
        yield* refuses(home, home.move(record), "registry-damaged", /Gemini CLI would throw all of it away/)
      }
      home.write(".gemini/projects.json", registry)
      const given = JSON.stringify({ projects: { [home.a]: "old-project", "/srv/late": "new-place" } })
      const error = yield* Effect.flip(
        home.move(
          record,
          home.b,
          lifeAt(
            "makeDirectory",
            "projects.json.lock",
            meanwhile(() => home.write(".gemini/projects.json", given))
          )
        )
      )
      assert.match(error.message, /was given to "\/srv\/late" meanwhile/)
      assert.strictEqual(home.read(".gemini/projects.json"), given)
      assert.isTrue(fs.existsSync(home.geminiChat("old-project")))
      assert.isFalse(home.exists(".gemini/tmp/new-place"))
    }
  )

  moves("without a registry one is made, and a move that is undone takes it away again", function* (home) {
    const record = home.gemini()
    fs.rmSync(home.at(".gemini/projects.json"))
    fs.rmSync(home.at(".gemini/history"), { recursive: true })
    home.record("one", record)
    yield* refuses(
      home,
      home.move(record, home.b, lifeWith("record change", 0, { _tag: "fail", code: "EIO" })),
      "failed",
      /complete/
    )
    yield* home.move(record)
    assert.strictEqual(
      home.read(".gemini/projects.json"),
      JSON.stringify({ projects: { [home.b]: "new-place" } }, null, 2)
    )
    assert.strictEqual(home.read(".gemini/history/new-place/.project_root"), home.b)
  })

  moves("Gemini's own lock is waited for; one that nobody touched for long is nobody's", function* (home) {
    const record = home.gemini()
    home.record("one", record)
    const lock = home.at(".gemini/projects.json.lock")
    const registry = home.read(".gemini/projects.json")
    fs.mkdirSync(lock)
    let seen = ""
    const life = new Life((_, operation, at) =>
      operation === "stat" && at === lock && seen === ""
        ? meanwhile(() => {
            seen = home.read(".gemini/projects.json")
            fs.rmdirSync(lock)
          })
        : run
    )
    const { session } = yield* home.move(record, home.b, life)
    assert.strictEqual(seen, registry)
    assert.isFalse(fs.existsSync(lock))
    fs.mkdirSync(lock)
    fs.utimesSync(lock, Date.now() / 1000 - 3600, Date.now() / 1000 - 3600)
    yield* home.move(session, home.directory("third"))
    assert.isFalse(fs.existsSync(lock))
    assert.strictEqual(home.registry()[home.at("third")], "third")
  })

  moves(
    "all real files of a session go along, the one written last is its transcript; a file that is only a twin is none",
    function* (home) {
      const record = home.gemini()
      const older = home.write(
        ".gemini/tmp/old-project/chats/session-2026-11-20T01-00-0b9f1c1e.json",
        `{\n  "sessionId": "${id}",\n  "projectHash": "x",\n  "messages": [{"id":"1","type":"user","content":"hello"}]\n}`
      )
      fs.utimesSync(older, 1_600_000_000, 1_600_000_000)
      home.record("one", { ...record, transcriptPath: older })
      const { session } = yield* home.move({ ...record, transcriptPath: older })
      assert.strictEqual(session.transcriptPath, home.geminiChat("new-place"))
      assert.deepStrictEqual(fs.readdirSync(home.at(".gemini/tmp/old-project/chats")), [])
      assert.isTrue(home.exists(".gemini/tmp/new-place/chats", path.basename(older)))
      fs.rmSync(home.at(".gemini/tmp/new-place"), { recursive: true })
      home.write(".gemini/tmp/new-place/chats/session-2026-11-21T08-00-0b9f1c1e.jsonl", geminiTwin(id, home.b))
      yield* refuses(home, home.move(session, home.a), "source-missing", /could be gone on with/)
    }
  )

  moves("a twin that somebody goes on with while the session is moved stops the move", function* (home) {
    const record = home.gemini()
    home.record("one", record)
    const twin = home.geminiChat("old-project", "08-00")
    const late = `${JSON.stringify({ id: "u9", type: "user", content: [{ text: "I go on here" }] })}\n`
    const error = yield* Effect.flip(
      home.move(
        record,
        home.b,
        lifeAt(
          "makeDirectory",
          "projects.json.lock",
          meanwhile(() => fs.appendFileSync(twin, late))
        )
      )
    )
    assert.match(error.message, /written to meanwhile/)
    assert.strictEqual(fs.readFileSync(twin, "utf8"), geminiTwin(id, home.a) + late)
    assert.isTrue(fs.existsSync(home.geminiChat("old-project")))
    assert.isFalse(home.exists(".gemini/tmp/new-place"))
  })

  moves("the same session in another state at the destination is not touched", function* (home) {
    const record = home.gemini()
    home.record("one", record)
    home.write(".gemini/tmp/new-place/chats/session-2026-11-21T07-53-0b9f1c1e.jsonl", word)
    yield* refuses(home, home.move(record), "destination-exists", /never overwritten/)
    fs.renameSync(home.geminiChat("new-place"), home.geminiChat("new-place", "09-59"))
    yield* refuses(home, home.move(record), "destination-exists", /the same session, in another state/)
  })
})

describe("names and places", () => {
  const long = Array.from({ length: 6 }, (_, n) => `${n}${"long name ".repeat(5)}é`).join("/")

  live("whatever the directories are called, the session goes there and comes back", function* () {
    for (const cli of ["claude", "cursorAgent", "gemini"] as const) {
      yield* inHome(function* (home) {
        const record = cli === "gemini" ? home.gemini({ twin: false }) : home[cli]()
        home.record("one", record)
        let session = record
        for (const name of [
          "with space",
          ".hidden.dir",
          "ünïcode-日本語",
          "emoji 🎉",
          'it\'s "quoted" $HOME `x` \\ %41',
          "-dash",
          "line\nbreak",
          "old-project",
          "OLD PROJECT",
          long
        ]) {
          const to = home.directory(`names/${name}`)
          session = (yield* home.move(session, to)).session
          assert.strictEqual(session.cwd, to)
          if (cli !== "cursorAgent") assert.isTrue(fs.existsSync(session.transcriptPath ?? ""), name)
          else assert.isTrue(fs.existsSync(home.cursorAgentChat(to)), name)
          assert.deepStrictEqual(home.said(), [["one", to, session.transcriptPath]])
        }
        assert.isAbove(home.at("names", long).length, 300)
        session = (yield* home.move(session, home.a)).session
        assert.deepStrictEqual(session, record)
      })
    }
  })

  live(
    "a directory that is reached by a link is the one that it leads to; one that is not there any more can be left",
    function* () {
      for (const cli of ["claude", "cursorAgent", "gemini"] as const) {
        yield* inHome(function* (home) {
          const planted = cli === "gemini" ? home.gemini({ twin: false }) : home[cli]()
          const link = home.at("link")
          fs.symlinkSync(home.at("work"), link)
          // as a host that was started through the link has it
          const record = { ...planted, cwd: path.join(link, "old project"), transcriptPath: null }
          home.record("one", record)
          const { session } = yield* home.move(record, path.join(link, "New.place"))
          assert.strictEqual(session.cwd, home.b)
          fs.rmdirSync(home.b)
          const back = yield* home.move(session, path.join(link, "old project"))
          assert.strictEqual(back.session.cwd, home.a)
          if (cli === "cursorAgent") assert.isTrue(fs.existsSync(home.cursorAgentChat(home.a)))
          else assert.strictEqual(back.session.transcriptPath, planted.transcriptPath)
        })
      }
    }
  )

  moves("a directory in which Gemini would lose the session is refused", function* (home) {
    const record = home.gemini()
    home.record("one", record)
    yield* refuses(
      home,
      home.move(record, home.directory("ends in a space ")),
      "bad-plan",
      /does not find its sessions again .*white space/
    )
  })

  moves(
    "a registry that is a link stays one, and its lock is beside the file that it leads to, where Gemini has it",
    function* (home) {
      const record = home.gemini()
      home.record("one", record)
      const real = home.write("dotfiles/projects.json", home.read(".gemini/projects.json"), 0o640)
      fs.rmSync(home.at(".gemini/projects.json"))
      fs.symlinkSync(real, home.at(".gemini/projects.json"))
      let held = false
      yield* home.move(
        record,
        home.b,
        lifeAt(
          "rename",
          "projects.json.new",
          meanwhile(() => {
            held = fs.existsSync(`${real}.lock`)
          })
        )
      )
      assert.isTrue(held)
      assert.strictEqual(fs.readlinkSync(home.at(".gemini/projects.json")), real)
      assert.strictEqual(fs.statSync(real).mode & 0o777, 0o640)
      assert.strictEqual(home.registry()[home.b], "new-place")
      assert.deepStrictEqual(fs.readdirSync(home.at("dotfiles")), ["projects.json"])
    }
  )

  moves("another user's file, and one that nobody may look at, refuse the move by name", function* (home) {
    const record = home.gemini()
    home.record("one", record)
    const foreign = new Life((_, operation, at) =>
      operation === "list" && at.endsWith("chats") ? { _tag: "fail", code: "EACCES" } : run
    )
    yield* refuses(home, home.move(record, home.b, foreign), "unreadable", /chats": injected EACCES/)
    if (process.getuid?.() !== 0) return
    fs.chownSync(home.at(".gemini/tmp/old-project", id, "plans/plan.md"), 12345, 12345)
    yield* refuses(home, home.move(record), "not-yours", /plan\.md": it belongs to another user/)
  })
})

describe("movers side by side", () => {
  moves(
    "of two that move one session to two places, each finds it where the other left it, or is told to wait",
    function* (home) {
      home.together = true
      const record = home.gemini()
      home.record("one", record)
      const c = home.directory("work/third")
      const results = yield* Effect.forEach([home.b, c, home.b, c], (to) => Effect.result(home.move(record, to)), {
        concurrency: "unbounded"
      })
      const failures = results.flatMap((result) => (result._tag === "Failure" ? [result.failure.reason] : []))
      assert.isBelow(failures.length, 4)
      for (const failure of failures) assert.strictEqual(failure, "busy")
      const there = ["old-project", "new-place", "third"].filter((folder) => fs.existsSync(home.geminiChat(folder)))
      assert.strictEqual(there.length, 1)
      const [[, cwd, transcriptPath] = ["", "", null]] = home.said()
      assert.strictEqual(transcriptPath, home.geminiChat(there[0] ?? ""))
      assert.strictEqual(home.registry()[cwd], there[0])
      assert.deepStrictEqual(yield* home.recover(), [])
    }
  )

  moves("movers of many sessions change one registry without losing an entry", function* (home) {
    home.together = true
    home.gemini()
    const many = Array.from({ length: 6 }, (_, n) => {
      const sessionId = `${n}b9f1c1e-many`
      const transcriptPath = home.write(
        `.gemini/tmp/old-project/chats/session-2026-11-21T07-53-${sessionId.slice(0, 8)}.jsonl`,
        geminiLines(sessionId, home.a, `${n}`)
      )
      return {
        record: recordOf({ cli: "gemini", sessionId, cwd: home.a, transcriptPath }),
        to: home.directory(`many/${n}/same name`)
      }
    })
    home.record("one", ...many.map(({ record }) => record))
    const moved = yield* Effect.forEach(many, ({ record, to }) => Effect.result(home.move(record, to)), {
      concurrency: "unbounded"
    })
    // two that chose one folder's name at once: the later is told, and tries again
    for (const [n, result] of moved.entries()) {
      if (result._tag === "Failure") {
        assert.match(result.failure.message, /meanwhile; try again/)
        const it = many[n]
        if (it !== undefined) yield* home.move(it.record, it.to)
      }
    }
    const registry = home.registry()
    assert.deepStrictEqual(
      Object.keys(registry).sort(),
      [home.a, home.at("elsewhere"), ...many.map(({ to }) => to)].sort()
    )
    assert.strictEqual(new Set(Object.values(registry)).size, 8)
    for (const { record, to } of many)
      assert.isTrue(fs.existsSync(home.geminiChat(registry[to] ?? "", "07-53", record.sessionId)))
  })
})
