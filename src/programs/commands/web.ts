import { Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { isHostName } from "../../domain/surfaces/web/Access.ts"
import { Output } from "../../services/Output.ts"
import { layer as sessionFeed } from "../client/SessionFeed.ts"
import { layer as sessionsSeen } from "../web/SessionsSeen.ts"
import { serveWeb } from "../web/webServer.ts"
import { toggle } from "./toggle.ts"

/** Where it is found again, by a browser's history and by tunnels. */
const usualPort = 7420

export const web = Command.make(
  "web",
  {
    port: Flag.Int("port").pipe(
      Flag.withDescription(`The port on 127.0.0.1 (default ${usualPort}; 0: a free one)`),
      Flag.filter(
        (port) => port >= 0 && port <= 65535,
        () => "expected a port from 0 to 65535"
      ),
      Flag.withDefault(usualPort)
    ),
    names: Flag.String("host").pipe(
      Flag.withDescription("A name under which a tunnel or proxy on this machine passes requests on (may be repeated)"),
      Flag.map((name) => name.toLowerCase()),
      Flag.filter(isHostName, () => "expected a name without scheme, port or path, such as box.example.net"),
      Flag.atLeast(0)
    ),
    readOnly: toggle("read-only", "The page may look and nothing else")
  },
  Effect.fn(
    function* (options) {
      const output = yield* Output
      const address = yield* serveWeb(options)
      yield* output.line(address)
      const { hash } = new URL(address)
      for (const name of options.names) yield* output.note(`through a proxy with TLS: https://${name}/${hash}`)
      yield* output.note("who has this address can type into your sessions; Ctrl+C ends it")
      yield* Effect.never
    },
    Effect.scoped,
    Effect.provide(sessionsSeen.pipe(Layer.provide(sessionFeed)))
  )
).pipe(
  Command.withDescription("All sessions in a browser on this machine: screens, queues, dialogs, a timeline"),
  Command.withShortDescription("The same in a browser, or on a phone")
)
