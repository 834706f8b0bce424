import { Result, Schema } from "effect"
import { type Right, rights } from "../operations/operations.ts"
import { PushSubscription } from "./PushSubscription.ts"

/** A browser that is allowed in, with its own secrets. Only the SHA-256 of a secret is stored, in hex. */
const Device = Schema.Struct({
  name: Schema.String,
  rights: Schema.Array(Schema.Literals(rights)),
  cookie: Schema.String,
  key: Schema.String,
  /** Milliseconds since the epoch. */
  since: Schema.Finite,
  seen: Schema.Finite,
  push: Schema.optionalKey(PushSubscription)
})
export type Device = typeof Device.Type

/** An expected browser. Its token is valid once, and until this time. `name`: null takes the browser's own name. */
const Invitation = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  rights: Schema.Array(Schema.Literals(rights)),
  token: Schema.String,
  until: Schema.Finite
})
export type Invitation = typeof Invitation.Type

const Devices = Schema.Struct({
  schema: Schema.Literal(1),
  devices: Schema.Array(Device),
  invitations: Schema.Array(Invitation)
})
export type Devices = typeof Devices.Type

export const noDevices: Devices = { schema: 1, devices: [], invitations: [] }

/** A device that was not seen for this long must be admitted again. Milliseconds. */
const idleMost = 90 * 86_400_000
/** How long an invitation is valid, in milliseconds. */
export const invitationMost = 10 * 60_000
const devicesMost = 64
const invitationsMost = 16
/** The precision of a device's `seen`, in milliseconds: it is saved no more often. */
const seenStep = 3_600_000

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Devices))

/** The devices in a file's content. Fails if it cannot be read. */
export const readDevices = (content: Uint8Array | null): Result.Result<Devices, string> =>
  content === null
    ? Result.succeed(noDevices)
    : Result.mapError(
        decode(new TextDecoder().decode(content)),
        () => "it is no list of devices; delete it to begin anew"
      )

export const devicesBytes = (devices: Devices): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(devices, null, 2)}\n`)

const current = ({ devices, invitations }: Devices, now: number): Devices => ({
  schema: 1,
  devices: devices.filter(({ seen }) => now - seen < idleMost),
  invitations: invitations.filter(({ until }) => now < until)
})

export const deviceOf = (all: Devices, cookie: string, now: number): Device | null =>
  current(all, now).devices.find((device) => device.cookie === cookie) ?? null

export const invited = (all: Devices, invitation: Invitation, now: number): Devices => {
  const { devices, invitations } = current(all, now)
  return { schema: 1, devices, invitations: [...invitations.slice(1 - invitationsMost), invitation] }
}

/** A name that no other device has: `Firefox on Android`, `Firefox on Android 2`. */
const freeName = (name: string, { devices }: Devices): string => {
  for (let n = 1; ; n++) {
    const next = n === 1 ? name : `${name} ${n}`
    if (!devices.some((device) => device.name === next)) return next
  }
}

/** With one more device. If there are too many, the one that was absent for longest is dropped. */
export const admitted = (all: Devices, device: Omit<Device, "since" | "seen">, now: number): Devices => {
  const { devices, invitations } = current(all, now)
  const kept = [...devices].sort((a, b) => b.seen - a.seen).slice(0, devicesMost - 1)
  const name = freeName(device.name, { schema: 1, devices: kept, invitations })
  return { schema: 1, devices: [...kept, { ...device, name, since: now, seen: now }], invitations }
}

/** The device that an invitation's token admits, with the invitation used up; null if the invitation is not valid. */
export const accepted = (
  all: Devices,
  token: string,
  device: Omit<Device, "since" | "seen" | "rights">,
  now: number
): Devices | null => {
  const { devices, invitations } = current(all, now)
  const invitation = invitations.find((one) => one.token === token)
  if (invitation === undefined) return null
  const rest = { schema: 1, devices, invitations: invitations.filter((one) => one !== invitation) } as const
  return admitted(rest, { ...device, name: invitation.name ?? device.name, rights: invitation.rights }, now)
}

/** The devices with a device's present `seen`; null if it is saved already. */
export const withSeen = (all: Devices, cookie: string, now: number): Devices | null => {
  const device = all.devices.find((one) => one.cookie === cookie)
  if (device === undefined || now - device.seen < seenStep) return null
  return { ...all, devices: all.devices.map((one) => (one === device ? { ...one, seen: now } : one)) }
}

/** The devices with a device's subscription to pushes as `edit` returns it; null: without one. */
export const withPush = (
  all: Devices,
  cookie: string,
  edit: (before: PushSubscription | null) => PushSubscription | null
): Devices => ({
  ...all,
  devices: all.devices.map((device) => {
    if (device.cookie !== cookie) return device
    const { push = null, ...rest } = device
    const next = edit(push)
    return next === null ? rest : { ...rest, push: next }
  })
})

export const without = (all: Devices, cookie: string | undefined): Devices => ({
  ...all,
  devices: all.devices.filter((device) => device.cookie !== cookie)
})

/** Without the devices and invitations of these names; null: without any. */
export const revoked = (all: Devices, names: ReadonlyArray<string> | null): Devices => ({
  schema: 1,
  devices: names === null ? [] : all.devices.filter(({ name }) => !names.includes(name)),
  invitations: names === null ? [] : all.invitations.filter(({ name }) => name === null || !names.includes(name))
})

/** Browsers by their user agents. Those that also name others come first. */
const browsers = [
  ["Edg(?:A|iOS)?/", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["(?:Firefox|FxiOS)/", "Firefox"],
  ["(?:Chrome|CriOS|HeadlessChrome)/", "Chrome"],
  ["Safari/", "Safari"]
] as const
const systems = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "Mac"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"]
] as const

export const browserName = (userAgent: string): string => {
  const named = (table: ReadonlyArray<readonly [pattern: string, name: string]>) =>
    table.find(([pattern]) => new RegExp(pattern).test(userAgent))?.[1]
  const system = named(systems)
  return `${named(browsers) ?? "browser"}${system === undefined ? "" : ` on ${system}`}`
}

/** What a device may do, in one word if possible. */
export const rightsWords = (of: ReadonlyArray<Right>): string =>
  rights.every((right) => of.includes(right)) ? "all" : rights.filter((right) => of.includes(right)).join(", ")
