import { Context, Effect, Layer, Option, Stream, SubscriptionRef } from "effect"
import { defaultSettings, type Settings } from "../../../src/domain/store/settings/Settings.ts"
import { Memory } from "../../../src/services/Memory.ts"
import { OwnStatus } from "../../../src/services/OwnStatus.ts"
import { Prices } from "../../../src/services/Prices.ts"
import { ProcessTable } from "../../../src/services/ProcessTable.ts"
import { SleepInhibitor } from "../../../src/services/SleepInhibitor.ts"
import { System } from "../../../src/services/System.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import { DesktopError } from "../../../src/services/DesktopError.ts"

/** The user and the machine around a host, as a test moves them. */
export class SystemFake extends Context.Service<
  SystemFake,
  {
    readonly setSettings: (change: Partial<Settings>) => Effect.Effect<void>
    /** Processes that an earlier host left behind; the host ends those of its own session. */
    readonly leftovers: Set<number>
    /** How often memory was given back. */
    readonly released: () => number
    /** Why the machine is kept awake now. */
    readonly awake: ReadonlySet<string>
    /** Why nothing can keep it awake; null where something does. */
    sleeps: string | null
    /** Emits another content of the CLI's own status file. */
    readonly setOwnStatus: (content: unknown) => Effect.Effect<void>
  }
>()("test/SystemFake") {}

/** A system with the test's environment and its clock. */
export const layer: Layer.Layer<
  SystemFake | System | Memory | ProcessTable | UserSettings | Prices | OwnStatus | SleepInhibitor
> = Layer.effectContext(
  Effect.gen(function* () {
    const settings = yield* SubscriptionRef.make<Settings>(defaultSettings)
    const ownStatus = yield* SubscriptionRef.make<unknown>(null)
    const leftovers = new Set<number>()
    let ids = 0
    let released = 0
    const read = Effect.map(SubscriptionRef.get(settings), (it) => ({ settings: it, warnings: [] }))
    const awake = new Set<string>()
    const fake: SystemFake["Service"] = {
      leftovers,
      awake,
      sleeps: null,
      released: () => released,
      setSettings: (change) => SubscriptionRef.update(settings, (it) => ({ ...it, ...change })),
      setOwnStatus: (content) => SubscriptionRef.set(ownStatus, content)
    }
    return Context.make(SystemFake, fake).pipe(
      Context.add(
        SleepInhibitor,
        SleepInhibitor.of({
          hold: (reason) =>
            Effect.suspend(() => {
              if (fake.sleeps !== null)
                return Effect.fail(
                  new DesktopError({ what: "this machine is not kept from sleeping", why: `inhibit ${fake.sleeps}` })
                )
              awake.add(reason)
              return Effect.ensuring(
                Effect.never,
                Effect.sync(() => awake.delete(reason))
              )
            })
        })
      ),
      Context.add(
        System,
        System.of({
          env: { HOME: "/home/me", PATH: "/bin" },
          cwd: "/work",
          pid: 7,
          version: "1.2.3",
          node: "24.0.0",
          platform: "linux",
          self: ["leap"],
          which: (command) => Effect.succeed(`/bin/${command}`),
          directory: (path) => Effect.succeed(Option.some(path)),
          hidden: () => Effect.succeed(null),
          file: (path) => Effect.succeed(Option.some(path)),
          realPath: (path) => Effect.succeed(path),
          entries: () => Effect.succeed([]),
          kill: () => Effect.void,
          newId: Effect.sync(() => `ID${String(++ids).padStart(6, "0")}`)
        })
      ),
      Context.add(Memory, { release: Effect.sync(() => void released++) }),
      Context.add(
        ProcessTable,
        ProcessTable.of({
          ancestry: () => Effect.succeed([]),
          isAlive: () => Effect.succeed(true),
          isStopped: () => Effect.succeed(false),
          family: () => Effect.succeed([]),
          signal: () => Effect.succeed(true),
          signalGroup: () => Effect.succeed(true),
          resume: () => Effect.succeed(false),
          end: (what) =>
            Effect.sync(() => ({ found: what._tag === "Group" && leftovers.delete(what.leader.pid), left: [] }))
        })
      ),
      Context.add(
        UserSettings,
        UserSettings.of({
          file: "/config/settings.json",
          read,
          change: () => Effect.die(new Error("a host does not change the settings")),
          changes: Effect.succeed(
            SubscriptionRef.changes(settings).pipe(Stream.map((it) => ({ settings: it, warnings: [] })))
          )
        })
      ),
      Context.add(
        Prices,
        Prices.of({ read: Effect.succeed({ table: new Map(), shipped: null, file: null, warning: null }) })
      ),
      Context.add(
        OwnStatus,
        OwnStatus.of({
          watch: () => Effect.succeed(SubscriptionRef.changes(ownStatus).pipe(Stream.filter((it) => it !== null)))
        })
      )
    )
  })
)
