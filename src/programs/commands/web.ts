import { Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type Right, rights } from "../../domain/surfaces/operations/operations.ts"
import { invitationMost, invited, revoked, rightsWords } from "../../domain/surfaces/webAccess/Devices.ts"
import type { PushSubscription } from "../../domain/surfaces/webAccess/PushSubscription.ts"
import { isoTime, localTime } from "../../domain/engine/history/recordTimes.ts"
import { table } from "../../domain/words/wording/StateLine.ts"
import { printable } from "../../domain/words/text/printable.ts"
import { WebListener } from "../../services/WebListener.ts"
import { fail } from "../exit.ts"
import { devicesFile } from "../web/devices.ts"
import { jsonFlag, print, toggle, wordArgument } from "./shared/common.ts"
import { isHostName } from "../../domain/surfaces/webAccess/Access.ts"
import { Output } from "../../services/Output.ts"
import { layer as sessionFeed } from "../client/SessionFeed.ts"
import { layer as sessionsSeen } from "../web/WebSessions.ts"
import { serveWeb } from "../web/webServer.ts"
import { makeWishes } from "./shared/wishes.ts"

const isRight = (word: string): word is Right => rights.some((right) => right === word)

/** A fixed port, so that browser histories and tunnels stay valid. */
const usualPort = 7420

const portFlag = Flag.Int("port").pipe(
  Flag.withDescription(`The port on 127.0.0.1 (default ${usualPort}; 0: a free one)`),
  Flag.filter(
    (port) => port >= 0 && port <= 65535,
    () => "expected a port from 0 to 65535"
  ),
  Flag.withDefault(usualPort)
)
const namesFlag = Flag.String("host").pipe(
  Flag.withDescription("A name under which a tunnel or proxy on this machine passes requests on (may be repeated)"),
  Flag.map((name) => name.toLowerCase()),
  Flag.filter(isHostName, () => "expected a name without scheme, port or path, such as box.example.net"),
  Flag.atLeast(0)
)

const originsFlag = Flag.String("push-origin").pipe(
  Flag.withDescription("A push service that pushes may go to although it is in the local network (may be repeated)"),
  Flag.withMetavar("origin"),
  Flag.filterMap(
    (text) => Option.filter(Option.fromNullishOr(URL.parse(text)?.origin), (origin) => /^https?:/.test(origin)),
    () => "expected an address such as https://push.home.lan"
  ),
  Flag.atLeast(0)
)

/** Prints the page's address; at a terminal also as a QR code, if a phone can reach it. */
const invite = Effect.fnUntraced(function* (address: string, names: ReadonlyArray<string>) {
  const output = yield* Output
  const { hash } = new URL(address)
  yield* output.line(address)
  for (const name of names) {
    const elsewhere = `https://${name}/${hash}`
    yield* output.note(`behind its proxy: ${elsewhere}`)
    if (output.isTerminal) yield* output.note(yield* (yield* WebListener).qrCode(elsewhere))
  }
})

const pushesOf = ({ failure, since }: PushSubscription) => ({
  since: isoTime(since),
  failure: failure === null ? null : { at: isoTime(failure.at), why: failure.why }
})
const pushWords = ({ failure, since }: PushSubscription): string =>
  failure === null
    ? `since ${localTime(since)}`
    : `since ${localTime(since)}; failed ${localTime(failure.at)}: ${printable(failure.why)}`

const listDevices = Effect.fn("web.listDevices")(function* (json: boolean) {
  const all = yield* (yield* devicesFile).read
  const devices = all.devices.map(({ name, push, rights, seen, since }) => ({
    name,
    rights,
    since: isoTime(since),
    seen: isoTime(seen),
    pushes: push === undefined ? null : pushesOf(push)
  }))
  const invitations = all.invitations.map(({ name, rights, until }) => ({ name, rights, until: isoTime(until) }))
  const rows = [
    ...all.devices.map(({ name, push, rights, seen, since }) => [
      printable(name),
      rightsWords(rights),
      localTime(since),
      localTime(seen),
      push === undefined ? "" : pushWords(push)
    ]),
    ...all.invitations.map(({ name, rights, until }) => [
      printable(name ?? "whoever comes"),
      rightsWords(rights),
      `invited until ${localTime(until)}`,
      "",
      ""
    ])
  ]
  yield* print(json, { schema: 1, devices, invitations }, () =>
    rows.length === 0
      ? "no browser may come in: open the address that 'leap web' prints, or 'leap web devices add' for one more"
      : table([["DEVICE", "MAY", "SINCE", "LAST SEEN", "PUSHES"], ...rows])
  )
})

const list = Command.make("list", { json: jsonFlag }, ({ json }) => listDevices(json)).pipe(
  Command.withDescription("Browsers and phones that may come in, and what they may do")
)

const add = Command.make(
  "add",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("What it is called; by default after its browser"),
      Argument.filter(
        (name) => /^[^\p{C}]{1,60}$/u.test(name),
        () => "expected a name of 1 to 60 letters"
      ),
      Argument.optional
    ),
    rights: Flag.String("rights").pipe(
      Flag.withDescription(`What it may do, of ${rights.join(", ")} (default: all)`),
      Flag.withMetavar("right,…"),
      Flag.map((text) => text.split(",").map((word) => word.trim())),
      Flag.filterMap(
        (words) => (words.every(isRight) ? Option.some(words) : Option.none()),
        () => `expected some of ${rights.join(", ")}, with commas between`
      ),
      Flag.optional
    ),
    port: portFlag,
    names: namesFlag
  },
  Effect.fn(function* (options) {
    const { digest, secret } = yield* WebListener
    const token = yield* secret
    const digested = yield* digest(token)
    const asked = Option.getOrElse(options.rights, () => rights)
    const invitation = {
      name: Option.getOrNull(options.name),
      rights: rights.filter((right) => right === "read" || asked.includes(right)),
      token: digested
    }
    yield* (yield* devicesFile).change((all, now) => invited(all, { ...invitation, until: now + invitationMost }, now))
    yield* invite(`http://127.0.0.1:${options.port}/#token=${token}`, options.names)
    yield* (yield* Output).note(
      `it lets one browser in, once, within ${invitationMost / 60_000} minutes, while 'leap web' runs`
    )
  })
).pipe(Command.withDescription("Let one more browser or phone in: prints an address that works once"))

const revoke = Command.make(
  "revoke",
  {
    names: wordArgument("name", "Its name, as listed").pipe(Argument.atLeast(0)),
    all: toggle("all", "Every one of them")
  },
  Effect.fn(function* ({ all, names }) {
    const file = yield* devicesFile
    if (all === names.length > 0) return yield* fail("usage", "name the devices that are revoked, or --all")
    const { devices, invitations } = yield* file.read
    const known = [...devices, ...invitations.filter(({ name }) => name !== null)].map(({ name }) => name ?? "")
    const unknown = names.filter((name) => !known.includes(name))
    if (unknown.length > 0) {
      const which = unknown.map((name) => `'${printable(name)}'`).join(", ")
      return yield* fail("failed", `there is no device ${which}; 'leap web devices' lists them`)
    }
    yield* file.change((before) => revoked(before, all ? null : names))
    const gone = known.filter((name) => all || names.includes(name))
    yield* (yield* Output).line(gone.length === 0 ? "there was none" : `revoked: ${gone.map(printable).join(", ")}`)
  })
).pipe(Command.withDescription("Keep browsers out from now on; an open page of theirs ends within seconds"))

const devices = Command.make("devices", { json: jsonFlag }, ({ json }) => listDevices(json)).pipe(
  Command.withDescription("Browsers and phones that may come in"),
  Command.withSubcommands([list, add, revoke])
)

export const web = Command.make(
  "web",
  {
    port: portFlag,
    names: namesFlag,
    pushOrigins: originsFlag,
    readOnly: toggle("read-only", "The page may look and nothing else")
  },
  Effect.fn(
    function* (options) {
      const output = yield* Output
      const address = yield* serveWeb({ ...options, wishes: yield* makeWishes })
      yield* invite(address, options.names)
      yield* (yield* devicesFile).read.pipe(
        Effect.catchTag("StoreError", ({ message }) => output.note(`leap: ${message}; browsers are not remembered`))
      )
      yield* output.note("who has this address can type into your sessions; Ctrl+C ends it")
      yield* Effect.never
    },
    Effect.scoped,
    Effect.provide(sessionsSeen.pipe(Layer.provideMerge(sessionFeed)))
  )
).pipe(
  Command.withDescription("All sessions in a browser on this machine: screens, queues, dialogs, a timeline"),
  Command.withShortDescription("The same in a browser, or on a phone"),
  Command.withSubcommands([devices])
)
