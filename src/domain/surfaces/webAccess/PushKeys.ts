import { Result, Schema } from "effect"

/** The key pair by which push services recognize the sender (RFC 8292), of P-256, in base64url. */
const PushKeys = Schema.Struct({
  schema: Schema.Literal(1),
  /** An uncompressed point. */
  publicKey: Schema.String.check(Schema.isPattern(/^B[\w-]{86}$/)),
  privateKey: Schema.String.check(Schema.isPattern(/^[\w-]{43}$/))
})
export type PushKeys = typeof PushKeys.Type

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(PushKeys))

/** The keys in a file's content. Fails if they cannot be read. */
export const readPushKeys = (content: Uint8Array): Result.Result<PushKeys, string> =>
  Result.mapError(
    decode(new TextDecoder().decode(content)),
    () => "it has no keys for pushes; delete it to make new ones, and turn pushes on anew on each device"
  )

export const pushKeysBytes = (keys: PushKeys): Uint8Array => new TextEncoder().encode(`${JSON.stringify(keys)}\n`)
