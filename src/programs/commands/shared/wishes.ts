import { Effect, Result } from "effect"
import { splitWords } from "../../../domain/words/text/splitWords.ts"
import { hasEditorDesktop } from "../../../domain/words/environment/editorFor.ts"
import type { Tag } from "../../../domain/words/session/Tag.ts"
import { entriesOf, tilde } from "../../../domain/surfaces/picker/Rows.ts"
import { type Found, type Wish, wishNames } from "../../../domain/surfaces/web/Frames.ts"
import { plainText } from "../../../domain/surfaces/web/plainText.ts"
import { GitView } from "../../../services/GitView.ts"
import { SessionRecords } from "../../../services/SessionRecords.ts"
import { System } from "../../../services/System.ts"
import { allStatuses, requireStatus } from "../../client/statuses.ts"
import { makeDirectories } from "../../prompts/directories.ts"
import { fail } from "../../exit.ts"
import { editorNow, openEditor } from "../../sessions/openEditor.ts"
import { previewOf } from "../../sessions/sessionPicker.ts"
import type { Granted, Wishes } from "../../web/page.ts"
import {
  beginSession,
  forgetEnded,
  handTo,
  moveTo,
  noCli,
  quietly,
  resumeEarlier,
  resumeEnded,
  startable,
  tagged
} from "./manage.ts"
import { pickRows } from "../resume.ts"

/** The most folders, and conversations, on a page; a user with more types another letter. */
const foldersMost = 100
const rowsMost = 500
const lineMost = 300

const line = (text: string): string => plainText(text, lineMost)

/** Runs commands; the result is `done` and their output, without the tag that they print for scripts. */
const saying = <A, E, R>(tag: string, done: string, run: Effect.Effect<A, E, R>) =>
  Effect.map(quietly(run), (lines): Granted => {
    const said = lines.filter((line) => line !== tag).map((line) => line.replace(/^leap: /, ""))
    return { said: [...(done === "" ? [] : [done]), ...said].join("; ") }
  })

/** Grants the wishes of pages. */
export const makeWishes = Effect.gen(function* () {
  const system = yield* System
  const home = system.env["HOME"] ?? ""
  const directories = yield* makeDirectories

  const choices = Effect.gen(function* () {
    const clis = yield* startable
    if (clis.length === 0) return yield* noCli
    const found: Found = {
      _tag: "Choices",
      clis: clis.map(({ displayName, id }) => ({ id, name: line(displayName) })),
      directory: tilde(system.cwd, home)
    }
    return { found }
  })

  const folders = Effect.fnUntraced(function* (path: string) {
    const names = (yield* directories.complete(path)) ?? []
    const before = path.slice(0, path.lastIndexOf("/") + 1)
    // only after the disk answered, because reading git's files has no time limit
    const isThere = (yield* directories.check(path)) === null
    const found: Found = {
      _tag: "Folders",
      paths: names.slice(0, foldersMost).map((name) => `${before}${name}`),
      branch: isThere ? yield* (yield* GitView).branch(directories.pathOf(path)) : null
    }
    return { found }
  })

  const earlier = Effect.gen(function* () {
    const all = yield* (yield* SessionRecords).rows
    const rows = yield* pickRows(all.slice(0, rowsMost), yield* allStatuses())
    const found: Found = {
      _tag: "Earlier",
      rows: entriesOf(rows, home, system.cwd).map(({ badge, liveAs, path, row, tag }) => ({
        tag: line(tag),
        cli: row.cli,
        name: line(badge),
        sessionId: row.sessionId,
        place: line(path),
        lastSeen: row.lastSeen,
        liveAs: liveAs === null ? null : line(liveAs),
        missing: row.missing
      }))
    }
    return { found }
  })

  const exchange = Effect.fnUntraced(function* (cli: string, sessionId: string) {
    const all = yield* (yield* SessionRecords).rows
    const row = all.find(({ record }) => record.cli === cli && record.sessionId === sessionId)
    if (row === undefined) return yield* fail("notFound", "there is no such session to resume")
    const { lastAssistant, lastUser } = yield* previewOf(row.record)
    const said = [lastUser === null ? [] : `› ${lastUser}`, lastAssistant ?? []].flat()
    return { text: said.length === 0 ? "nothing can be read of it" : said.join("\n\n") }
  })

  const start = Effect.fnUntraced(function* (tag: Tag, wish: Extract<Wish, { readonly _tag: "Start" }>) {
    const words = splitWords(wish.args)
    if (Result.isFailure(words)) return yield* fail("usage", `its arguments cannot be read: ${words.failure}`)
    const directory = directories.pathOf(wish.directory)
    return yield* saying(tag, "started", beginSession({ ...wish, tag, directory, args: words.success }, true))
  })

  const grant = Effect.fnUntraced(function* (given: string, wish: Wish) {
    switch (wish._tag) {
      case "Choices":
        return yield* choices
      case "Folders":
        return yield* folders(wish.path)
      case "Earlier":
        return yield* earlier
      case "Exchange":
        return yield* exchange(wish.cli, wish.sessionId)
    }
    const tag = yield* tagged(given)
    switch (wish._tag) {
      case "Start":
        return yield* start(tag, wish)
      case "GoOn":
        return yield* saying(tag, "goes on", resumeEarlier(wish.cli, wish.sessionId, tag))
      case "Resume":
        return yield* saying(tag, "", resumeEnded(tag))
      case "Hand":
        return yield* saying(wish.as, "", handTo(tag, wish.cli, yield* tagged(wish.as)))
      case "Forget":
        return yield* saying(tag, "forgotten", forgetEnded(tag, wish.force))
      case "Move":
        return yield* saying(tag, "", moveTo(tag, directories.pathOf(wish.directory), { ...wish, editor: false }))
      case "Edit":
        return { said: `opened in ${yield* openEditor((yield* requireStatus(tag)).cwd, false)}` }
    }
  }, Effect.scoped)

  // a terminal editor has no terminal here, and windows open where this runs, not at the page's user
  const editor = yield* editorNow(system.cwd)
  const opens =
    Result.isSuccess(editor) && editor.success.draws === "desktop" && hasEditorDesktop(system.env, system.platform)
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof grant>>>()
  return {
    names: wishNames.filter((name) => name !== "Edit" || opens),
    grant: (tag, wish) => Effect.provideContext(grant(tag, wish), context)
  } satisfies Wishes
})
