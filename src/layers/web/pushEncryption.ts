import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  type ECDH,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign
} from "node:crypto"
import type { PushKeys } from "../../domain/surfaces/webAccess/PushKeys.ts"
import type { PushAddress } from "../../domain/surfaces/webAccess/PushSubscription.ts"

const curve = "prime256v1"
const recordSize = 4096

const bytes = (base64url: string): Buffer => Buffer.from(base64url, "base64url")

const newSender = (): ECDH => {
  const sender = createECDH(curve)
  sender.generateKeys()
  return sender
}

/**
 * A text in one encrypted record (RFC 8188, `aes128gcm`) for the browser with these keys (RFC 8291). Throws if they are
 * no keys.
 */
export const encrypted = (
  text: string,
  { auth, p256dh }: Pick<PushAddress, "auth" | "p256dh">,
  sender: ECDH = newSender(),
  salt: Uint8Array = randomBytes(16)
): Uint8Array => {
  const receiver = bytes(p256dh)
  const own = sender.getPublicKey()
  const derive = (key: Uint8Array, salt: Uint8Array, info: Uint8Array | string, length: number) =>
    new Uint8Array(hkdfSync("sha256", key, salt, info, length))
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, own])
  const shared = derive(sender.computeSecret(receiver), bytes(auth), info, 32)
  const key = derive(shared, salt, "Content-Encoding: aes128gcm\0", 16)
  const nonce = derive(shared, salt, "Content-Encoding: nonce\0", 12)
  const cipher = createCipheriv("aes-128-gcm", key, nonce)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(recordSize)
  head[4] = own.length
  // 2 ends the last record
  const record = [cipher.update(text, "utf8"), cipher.update(Uint8Array.of(2)), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, head, own, ...record])
}

/** A new key pair. */
export const newPushKeys = (): PushKeys => {
  const {
    d = "",
    x = "",
    y = ""
  } = generateKeyPairSync("ec", { namedCurve: curve }).privateKey.export({
    format: "jwk"
  })
  const point = Buffer.concat([Uint8Array.of(4), bytes(x), bytes(y)])
  return { schema: 1, publicKey: point.toString("base64url"), privateKey: d }
}

/** The sender's signature for a push service (RFC 8292): the header's value. `expires`: seconds since the epoch. */
export const vapid = (
  { privateKey, publicKey }: PushKeys,
  claims: { readonly service: string; readonly contact: string; readonly expires: number }
): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")
  const point = bytes(publicKey)
  const coordinate = (from: number): string => point.subarray(from, from + 32).toString("base64url")
  const key = createPrivateKey({
    format: "jwk",
    key: { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33), d: privateKey }
  })
  const { contact, expires, service } = claims
  const signed = `${part({ typ: "JWT", alg: "ES256" })}.${part({ aud: service, exp: expires, sub: contact })}`
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")
  return `vapid t=${signed}.${signature}, k=${publicKey}`
}
