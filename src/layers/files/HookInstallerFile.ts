import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, FileSystem, Layer, Result } from "effect"
import * as crypto from "node:crypto"
import { existsSync, realpathSync } from "node:fs"
import * as path from "node:path"
import { overlay } from "../../domain/cli/provider/Environment.ts"
import {
  deliversEvents,
  type PresentText,
  combineStatuses,
  type WiredFile,
  type WiringPlace,
  type WiringStatus
} from "../../domain/cli/wiring/HookWiring.ts"
import type { EditProblem } from "../../domain/words/formats/EditProblem.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import {
  HookInstaller,
  type HookInstallOptions,
  type HookPlace,
  type HookStatus,
  type WantedFile
} from "../../services/HookInstaller.ts"
import { Paths } from "../../services/Paths.ts"
import { System } from "../../services/System.ts"
import * as MadeDirectories from "./madeDirectories.ts"
import * as SettingsReplacement from "./settingsReplacement.ts"
import { sameContent } from "./sameContent.ts"
import { failed, isMissing, unchanged } from "./settingsReplacement.ts"
import { StoreError } from "../../services/StoreError.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

/** The most attempts of an edit, since another program may write the settings meanwhile. */
const attempts = 5
const statusLineName = "leap-statusline.sh"

/** The environment that the CLIs start from, and leap's packaged scripts. */
export interface Options {
  readonly env: Readonly<Record<string, string>>
  /** The packaged `leap-hook.sh`. The status line script is beside it. */
  readonly script: string
}

const decode = (bytes: Uint8Array): string | null =>
  tryOr(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), null)

const realPath = (file: string): string => tryOr(() => realpathSync.native(file), file)

const sha256 = (text: string): string => crypto.createHash("sha256").update(text, "utf8").digest("hex")

/** A wired file with its present content. */
interface Opened {
  readonly wired: WiredFile
  /** The file after all links. */
  readonly target: string
  readonly bytes: Uint8Array | null
  readonly text: string | null
}

/** A CLI's settings file cannot be edited in its present form; it was not touched. */
const unsound = (file: string, { column, line, why }: EditProblem) =>
  new StoreError({
    store: "wiring",
    reason: "corrupt",
    file: line === null ? file : `${file}:${line}:${column}`,
    why
  })

/** The file that names the hooks. */
const mainOf = (files: readonly [...ReadonlyArray<WiredFile>, WiredFile]): WiredFile =>
  files[files.length - 1] ?? files[0]

const presentIn =
  (texts: ReadonlyArray<{ readonly wired: WiredFile; readonly text: string | null }>): PresentText =>
  (file) =>
    texts.find(({ wired }) => wired.path === file)?.text ?? null

const make = Effect.fnUntraced(function* ({ env, script }: Options) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Paths
  const made = MadeDirectories.make(path.join(path.dirname(paths.hookScript), "made"))
  const { bytesOf, replace, targetOf } = SettingsReplacement.make(fs, made)

  const textOf = Effect.fnUntraced(function* (file: string, bytes: Uint8Array | null) {
    const text = bytes === null ? null : decode(bytes)
    if (bytes !== null && text === null) {
      return yield* unsound(file, { line: null, column: null, why: "it is not UTF-8 text" })
    }
    return text
  })

  const open = Effect.fnUntraced(function* (
    wired: WiredFile,
    directory: string = ""
  ): Effect.fn.Return<Opened, StoreError> {
    const target = yield* targetOf(path.resolve(directory, wired.path))
    const bytes = yield* bytesOf(target)
    return { wired, target, bytes, text: yield* textOf(wired.path, bytes) }
  })

  /** These files, and the text of each by its path. */
  const openAll = (files: ReadonlyArray<WiredFile>) =>
    Effect.map(
      Effect.forEach(files, (file) => open(file)),
      (opened) => ({ opened, present: presentIn(opened) })
    )

  const removeMadeDirectories = (files: ReadonlyArray<Pick<Opened, "target">>) =>
    Effect.forEach(files, ({ target }) => made.takeAway(path.dirname(target)), { discard: true })

  /**
   * The new content of each changed file. Fails if one of the files cannot be edited; none is written before. The last
   * file names the hooks, which need the others: an install writes it last, and a removal first.
   */
  const plan = Effect.fnUntraced(function* (files: ReadonlyArray<WiredFile>, act: "install" | "remove") {
    const { opened, present } = yield* openAll(files)
    const changes: Array<Opened & { readonly content: Uint8Array | null }> = []
    for (const file of opened) {
      const text = file.wired[act](file.text, present)
      if (Result.isFailure(text)) return yield* unsound(file.wired.path, text.failure)
      if (text.success === file.text) continue
      changes.push({ ...file, content: text.success === null ? null : new TextEncoder().encode(text.success) })
    }
    return act === "install" ? changes : changes.reverse()
  })

  /**
   * Writes the planned files one after another. If one cannot be written, those before it are restored unless they were
   * changed since. False: another program changed a file meanwhile, so the plan must be made again.
   */
  const carryOut = Effect.fnUntraced(function* (changes: Effect.Success<ReturnType<typeof plan>>) {
    const done: Array<(typeof changes)[number]> = []
    const undo = Effect.suspend(() =>
      Effect.forEach(
        done.reverse(),
        ({ bytes, content, target }) => Effect.ignore(replace(target, content, bytes, null)),
        { discard: true }
      ).pipe(Effect.andThen(removeMadeDirectories(changes)))
    )
    for (const change of changes) {
      if (!(yield* replace(change.target, change.bytes, change.content, null).pipe(Effect.onError(() => undo))))
        return false
      done.push(change)
    }
    return true
  })

  /** Edits the files until they have the new texts and none was changed meanwhile. Returns whether any may be new. */
  const edit = Effect.fnUntraced(function* (
    files: readonly [...ReadonlyArray<WiredFile>, WiredFile],
    act: "install" | "remove"
  ) {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const changes = yield* plan(files, act)
      if (yield* carryOut(changes)) return changes.length > 0 || attempt > 0
    }
    return yield* unchanged(
      mainOf(files).path,
      "another program keeps changing it",
      "close that program, then run this again"
    )
  })

  const statusLineScript = path.join(path.dirname(paths.hookScript), statusLineName)
  /** leap's scripts: where they are installed, and their sources. */
  const scripts = [
    { name: "hook script", file: paths.hookScript, from: script },
    { name: "status line script", file: statusLineScript, from: path.join(path.dirname(script), statusLineName) }
  ] as const

  /** How an installed script differs from the packaged one, or null when it does not. */
  const faultOf = Effect.fnUntraced(function* ({ file, from, name }: (typeof scripts)[number]) {
    const stat = yield* fs.stat(file).pipe(
      Effect.catchIf(isMissing, () => Effect.succeed(null)),
      Effect.mapError(failed(file))
    )
    if (stat === null) return `the ${name} ${file} is missing`
    if ((stat.mode & 0o100) === 0) return `the ${name} ${file} is not executable`
    const packaged = yield* fs.readFile(from).pipe(Effect.mapError(failed(from)))
    return sameContent(yield* bytesOf(file), packaged) ? null : `the ${name} ${file} is of another version`
  })

  const scriptFault = Effect.gen(function* () {
    for (const script of scripts) {
      const fault = yield* Effect.catch(faultOf(script), (error) =>
        Effect.succeed(`the ${script.name} ${script.file} cannot be read: ${error.why}`)
      )
      if (fault !== null) return fault
    }
    return null
  })

  const installScripts = Effect.gen(function* () {
    yield* paths.ensureBase
    let changed = false
    for (const script of scripts) {
      if ((yield* faultOf(script)) === null) continue
      const content = yield* fs.readFile(script.from).pipe(Effect.mapError(failed(script.from)))
      yield* replace(script.file, yield* bytesOf(script.file), content, 0o700)
      changed = true
    }
    return changed
  })

  /** The CLI's environment. A variant's may name another configuration directory, which has other settings. */
  const envOf = (provider: Provider, more: HookPlace["env"] = {}) =>
    overlay(env, { ...provider.launch({ args: [], env, self: [] }).env, ...more })

  const filesOf = (
    provider: Provider,
    { statusLine = false, version }: HookInstallOptions,
    more?: HookPlace["env"]
  ) => {
    const place: WiringPlace = {
      env: envOf(provider, more),
      script: paths.hookScript,
      statusLineScript,
      statusLine,
      realPath,
      sha256,
      ...(version === undefined ? {} : { version })
    }
    return provider.hooks?.files(place) ?? null
  }

  const install = Effect.fn("HookInstaller.install")(function* (provider: Provider, options?: HookInstallOptions) {
    const files = filesOf(provider, options ?? {})
    if (files === null) return { file: null, changed: false }
    // The scripts first, so that the settings never name a missing one.
    const copied = yield* installScripts
    const changed = yield* edit(files, "install")
    return { file: mainOf(files).path, changed: copied || changed }
  })

  const wanted = Effect.fn("HookInstaller.wanted")(function* (provider: Provider, options?: HookInstallOptions) {
    const files = filesOf(provider, options ?? {})
    if (files === null) return []
    yield* installScripts
    const { opened, present } = yield* openAll(files)
    const texts: Array<WantedFile> = []
    for (const { text, wired } of opened) {
      const content = wired.install(text, present)
      if (Result.isFailure(content)) return yield* unsound(wired.path, content.failure)
      if (content.success !== null)
        texts.push({ file: wired.path, content: content.success, changed: content.success !== text })
    }
    return texts
  })

  const remove = Effect.fn("HookInstaller.remove")(function* (provider: Provider) {
    const files = filesOf(provider, {})
    if (files === null) return { file: null, changed: false }
    const changed = yield* edit(files, "remove")
    // an interrupted removal may have left directories that leap made
    yield* Effect.ignore(Effect.flatMap(openAll(files), ({ opened }) => removeMadeDirectories(opened)))
    return { file: mainOf(files).path, changed }
  })

  /** Whether a file can be replaced or created: whether its directory, or the nearest existing parent, is writable. */
  const isWritable = (directory: string = "") =>
    Effect.fnUntraced(function* ({ aside, path: file }: WiredFile) {
      if (aside === true) return true
      let at = path.dirname(yield* Effect.orElseSucceed(targetOf(path.resolve(directory, file)), () => file))
      while (at !== path.dirname(at) && !(yield* Effect.orElseSucceed(fs.exists(at), () => true))) at = path.dirname(at)
      return yield* fs.access(at, { writable: true }).pipe(
        Effect.as(true),
        Effect.orElseSucceed(() => false)
      )
    })

  const switchedOff = (provider: Provider, { args = [], directory, env }: HookPlace) =>
    provider.hooksOff?.({ env: envOf(provider, env), directory, args }) ?? Effect.succeed([])

  const status = Effect.fn("HookInstaller.status")(function* (
    provider: Provider,
    version?: string | null,
    place?: HookPlace
  ): Effect.fn.Return<HookStatus> {
    const files = filesOf(provider, version === undefined ? {} : { version }, place?.env)
    if (files === null)
      return {
        state: "unsupported",
        receivesEvents: false,
        file: null,
        files: [],
        detail: "it has no hooks that leap could use"
      }
    const texts = yield* Effect.forEach(files, (wired) =>
      open(wired, place?.directory).pipe(
        Effect.map(({ text }) => ({ wired, text, fault: null })),
        Effect.catch((error) => Effect.succeed({ wired, text: null, fault: error.why }))
      )
    )
    const present = presentIn(texts)
    const statuses = texts.map(({ fault, text, wired }): WiringStatus =>
      fault === null ? wired.status(text, present) : { state: "unreadable", details: [fault] }
    )
    const receivesEvents = statuses.every((status, index) => deliversEvents(files[index] ?? mainOf(files), status))
    // Only wiring that delivers no events needs the check: its remedy must not name a command that cannot write.
    const writable = receivesEvents || (yield* Effect.forEach(files, isWritable(place?.directory))).every((it) => it)
    const common = { receivesEvents, files: files.map((it) => it.path), ...(writable ? {} : { writable }) }
    // A file that only accompanies another one is reported without details.
    const unreadable = statuses.findLastIndex((it) => it.state === "unreadable" && it.details.length > 0)
    if (unreadable >= 0) {
      return {
        ...common,
        state: "unreadable",
        file: files[unreadable]?.path ?? null,
        detail: (statuses[unreadable]?.details ?? []).join("; ")
      }
    }
    const { details, others, state } = combineStatuses(
      statuses.map(({ details, others = [], state }, index) => ({
        state,
        others,
        details:
          files.length === 1
            ? details
            : details.map((detail) => `${path.basename(files[index]?.path ?? "")}: ${detail}`)
      }))
    )
    const fault = state === "installed" ? yield* scriptFault : null
    const off = place === undefined || !receivesEvents ? [] : yield* switchedOff(provider, place)
    // hooks that the CLI does not run matter more than the age of their script
    const enabledState = fault === null ? state : "outdated"
    return {
      ...common,
      ...(others === undefined ? {} : { others }),
      state: off.length > 0 ? "disabled" : enabledState,
      file: mainOf(files).path,
      detail: [...off, ...(fault === null ? [] : [fault]), ...(off.length > 0 ? [] : details)].join("; ")
    }
  })

  return HookInstaller.of({
    install,
    wanted,
    remove,
    status,
    switchedOff,
    refreshScripts: Effect.asVoid(installScripts)
  })
})

/** The installer with a given environment and packaged script, over any file system. */
export const layerWith = (options: Options): Layer.Layer<HookInstaller, never, FileSystem.FileSystem | Paths> =>
  Layer.effect(HookInstaller, make(options))

/** The script that comes with leap: beside the sources, or beside the bundle built from them. */
const packagedScript = (): string => {
  const candidates = ["../../../hooks/leap-hook.sh", "../hooks/leap-hook.sh"].map((file) =>
    path.resolve(import.meta.dirname, file)
  )
  return candidates.find((file) => existsSync(file)) ?? candidates[0] ?? ""
}

/** The installer for the CLIs on this machine, whose settings files are found through leap's environment. */
export const layer: Layer.Layer<HookInstaller, never, Paths | System> = Layer.unwrap(
  Effect.map(System, ({ env }) => layerWith({ env, script: packagedScript() }))
).pipe(Layer.provide(NodeFileSystem.layer))
