import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { hostedBy, leftOut, type Manager, type Managers, up } from "./managers.ts"
import { hostEnd, type Screen, terminal } from "./screen.ts"
import { median, quantile, type Row } from "./table.ts"
import { makeWorld, otherBundle, type World } from "./world.ts"

const keys = Number(process.env["LEAP_BENCH_KEYS"] ?? 400)
const floodBytes = Number(process.env["LEAP_BENCH_FLOOD_MB"] ?? 32) * 1024 * 1024
const floods = 5

/** One way from a key to its echo. */
interface Lane {
  readonly name: string
  readonly screen: Screen
  /** Takes the echo away again, where it would be in the way. */
  readonly after?: () => Promise<unknown>
  /** Another program's, which is left out where it fails. */
  readonly optional?: true
  readonly close: () => void
}

/** The stand-in in a terminal of its own. */
const bare = async (world: World, mode: string): Promise<Lane> => {
  const screen = terminal(world, world.standIn, [mode])
  await screen.waitFor(up)
  return { name: "bare", screen, close: screen.close }
}

/** The stand-in hosted by the programs that leap is compared with. */
const others = async (managers: ReadonlyArray<Manager>, world: World, mode: string): Promise<ReadonlyArray<Lane>> =>
  (await hostedBy(managers, world, mode)).map(({ close, name, screen }) => ({ name, screen, close, optional: true }))

/** The least that two processes of Node's cost between a program and its user: what leap adds beyond that is its own. */
const relayed = async (world: World, mode: string): Promise<Lane> => {
  const relay = join(import.meta.dirname, "nodeRelay.mjs")
  const socket = join(world.env["HOME"] ?? "", `${mode}.sock`)
  const host = spawn(process.execPath, [relay, "host", socket, world.standIn, mode], {
    env: { ...world.env },
    stdio: ["ignore", "pipe", "inherit"]
  })
  await once(host.stdout, "data")
  const screen = terminal(world, process.execPath, [relay, "view", socket])
  await screen.waitFor(up)
  const close = () => {
    screen.close()
    host.kill("SIGKILL")
  }
  return { name: "two bare Node processes", screen, close }
}

const hosted = (world: World, tag: string, mode: string): void => {
  world.leap(tag, "--cli", "claude", "--detach", "--", mode)
}

const closing = (world: World, tag: string, screen: Screen) => () => {
  world.leap("stop", tag, "--force")
  screen.close()
}

/** The stand-in hosted by leap, with a viewer attached. */
const attached = async (world: World, name: string, tag: string, mode: string): Promise<Lane> => {
  hosted(world, tag, mode)
  const screen = terminal(world, process.execPath, [world.program, "attach", tag])
  await screen.waitFor(up)
  return { name, screen, close: closing(world, tag, screen) }
}

/** The same, with a message over its screen: what is typed goes there. */
const overlaid = async (world: World, name: string, tag: string): Promise<Lane> => {
  const lane = await attached(world, name, tag, "bench-echo")
  const { screen } = lane
  await screen.type("^^", "Enter queues")
  return { ...lane, after: () => screen.type("\x7f", "Enter queues") }
}

/** The same program's host, with the benchmark itself at the other end of its attach channel. */
const atHost = async (world: World, name: string, tag: string): Promise<Lane> => {
  hosted(world, tag, "bench-echo")
  const screen = await hostEnd(world, tag)
  await screen.waitFor(up)
  return { name, screen, close: closing(world, tag, screen) }
}

const echoLanes = async (world: World, name: string): Promise<ReadonlyArray<Lane>> => [
  await atHost(world, `${name} host`, "bench-host"),
  await attached(world, `${name} attached`, "bench-attached", "bench-echo"),
  await overlaid(world, `${name} overlay`, "bench-over")
]

/** In another order each time. */
const turned = <A>(all: ReadonlyArray<A>, turn: number): ReadonlyArray<A> => [
  ...all.slice(turn % all.length),
  ...all.slice(0, turn % all.length)
]

/** What each lane's figures are, measured alternately. */
const measure = async (
  lanes: ReadonlyArray<Lane>,
  rounds: { readonly warm: number; readonly counted: number },
  one: (lane: Lane, round: number) => Promise<number>
): Promise<ReadonlyMap<string, ReadonlyArray<number>>> => {
  const took = new Map(lanes.map(({ name }) => [name, [] as Array<number>]))
  for (let round = -rounds.warm; round < rounds.counted; round++)
    for (const lane of turned(lanes, round + rounds.warm)) {
      if (!took.has(lane.name)) continue
      try {
        const figure = await one(lane, round)
        await lane.after?.()
        if (round >= 0) took.get(lane.name)?.push(figure)
      } catch (error) {
        if (lane.optional !== true) throw error
        took.delete(lane.name)
        leftOut(lane.name, error)
      }
    }
  return took
}

type Figures = ReadonlyMap<string, ReadonlyArray<number>>

/**
 * Two rows of each of leap's lanes beside the same program elsewhere: what is added to a bare terminal's time is what a
 * person feels.
 */
const rowsOf = (figures: Figures, names: ReadonlyArray<string>): ReadonlyArray<Row> => {
  const late = (values: ReadonlyArray<number>) => quantile(values, 0.99)
  const of = (name: string) => figures.get(name) ?? []
  const kinds = [
    ["median", median],
    ["99 %", late]
  ] as const
  const bareIs = "the same program in a bare PTY"
  return names.flatMap((name) =>
    kinds.flatMap(([kind, value]): ReadonlyArray<Row> => {
      const added = (lane: string) => value(of(lane)) - value(of("bare"))
      return [
        {
          what: `key to echo, ${name}, ${kind}`,
          unit: "ms",
          leap: value(of(name)),
          base: { what: bareIs, value: value(of("bare")) }
        },
        ...(figures.has("tmux") && name !== "tmux"
          ? [
              {
                what: `added to a bare PTY: ${name}, ${kind}`,
                unit: "ms" as const,
                leap: added(name),
                base: { what: "what tmux adds", value: added("tmux") }
              }
            ]
          : [])
      ]
    })
  )
}

/** Measures the time from a key to its echo in all lanes, alternately. */
const benchEcho = async (
  world: World,
  other: World | null,
  managers: ReadonlyArray<Manager>
): Promise<ReadonlyArray<Row>> => {
  const lanes: ReadonlyArray<Lane> = [
    await bare(world, "bench-echo"),
    await relayed(world, "bench-echo"),
    ...(await others(managers, world, "bench-echo")),
    ...(await echoLanes(world, "leap")),
    ...(other === null ? [] : await echoLanes(other, "other"))
  ]
  try {
    // the last letters of the alphabet: neither the rows that are drawn nor control sequences have them
    const letterOf = (key: number) => "QVWXYZ"[(key + 60) % 6] ?? "Q"
    const took = await measure(lanes, { warm: 60, counted: keys }, ({ screen }, key) =>
      screen.type(letterOf(key), letterOf(key))
    )
    return rowsOf(
      took,
      [...took.keys()].filter((name) => name !== "bare")
    )
  } finally {
    for (const lane of lanes) lane.close()
  }
}

/** Measures the throughput of output in all lanes, alternately. */
const benchFlood = async (
  world: World,
  other: World | null,
  managers: ReadonlyArray<Manager>
): Promise<ReadonlyArray<Row>> => {
  const mode = `bench-flood-${floodBytes}`
  const lanes: ReadonlyArray<Lane> = [
    await bare(world, mode),
    await relayed(world, mode),
    ...(await others(managers, world, mode)),
    await attached(world, "leap", "bench-flood", mode),
    ...(other === null ? [] : [await attached(other, "other", "bench-flood", mode)])
  ]
  /** Who lags far behind is drawn the screen instead: so much came through. */
  const shares = new Map<string, Array<number>>()
  try {
    const speed = await measure(lanes, { warm: 1, counted: floods }, async ({ name, screen }) => {
      const before = screen.bytes()
      const ms = await screen.type("f", "end-of-flood")
      const share = Math.min(1, (screen.bytes() - before) / floodBytes)
      shares.set(name, [...(shares.get(name) ?? []), share])
      return floodBytes / 1024 / 1024 / (ms / 1000)
    })
    const shown = (name: string) => `${Math.round(Math.min(...(shares.get(name) ?? [])) * 100)} % of it`
    const base = (what: string, name: string) => ({ what, value: median(speed.get(name) ?? []) })
    return [...speed.keys()]
      .filter((name) => name !== "bare")
      .flatMap((name): ReadonlyArray<Row> => {
        const row = {
          what: `output, ${name}`,
          unit: "MB/s" as const,
          leap: median(speed.get(name) ?? [])
        }
        const besideBare: Row = {
          ...row,
          base: base(`the same program in a bare PTY; at least ${shown(name)} came through`, "bare")
        }
        if (name === "tmux" || !speed.has("tmux")) return [besideBare]
        return [
          besideBare,
          {
            ...row,
            what: `output beside tmux, ${name}`,
            base: base(`the same program under tmux; ${shown("tmux")}`, "tmux")
          }
        ]
      })
  } finally {
    for (const lane of lanes) lane.close()
  }
}

/**
 * Measures the time from a key to its echo, and the throughput of output: in a bare terminal, through
 * two bare Node processes, under tmux and other session managers, at leap's host, in an attached terminal, and in a message over its screen. With `LEAP_BENCH_OTHER` another build of leap is
 * measured in the same rounds.
 */
export const benchTerminal = async (world: World, managers: Managers): Promise<ReadonlyArray<Row>> => {
  const other = otherBundle === null ? null : makeWorld(otherBundle)
  try {
    return [...(await benchEcho(world, other, managers())), ...(await benchFlood(world, other, managers()))]
  } finally {
    other?.close()
  }
}
