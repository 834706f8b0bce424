import { Effect, Layer } from "effect"
import { AcpServer } from "../../services/AcpServer.ts"

/** The protocol's library, loaded on demand: no other command needs it. */
export const layer: Layer.Layer<AcpServer> = Layer.succeed(AcpServer, {
  serve: (stdio, version, makeAgent) =>
    Effect.flatMap(
      Effect.promise(() => import("./AcpServerSdk.ts")),
      ({ serve }) => serve(stdio, version, makeAgent)
    )
})
