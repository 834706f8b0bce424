import { createDecipheriv, createECDH, createPublicKey, createHash, hkdfSync, verify } from "node:crypto"

/** A browser's side of Web Push: its keys, and what it reads of a push (RFC 8291). */
export const makeBrowser = (privateKey?: Buffer, secret?: Buffer) => {
  const own = createECDH("prime256v1")
  if (privateKey === undefined) own.generateKeys()
  else own.setPrivateKey(privateKey)
  const auth = secret ?? createHash("sha256").update(own.getPublicKey()).digest().subarray(0, 16)
  const keys = { p256dh: own.getPublicKey("base64url"), auth: auth.toString("base64url") }
  const read = (body: Buffer): string => {
    const length = body[20] ?? 0
    const salt = body.subarray(0, 16)
    const sender = body.subarray(21, 21 + length)
    const record = body.subarray(21 + length)
    const derive = (key: Uint8Array, salt: Uint8Array, info: Uint8Array | string, size: number) =>
      new Uint8Array(hkdfSync("sha256", key, salt, info, size))
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), own.getPublicKey(), sender])
    const shared = derive(own.computeSecret(sender), auth, info, 32)
    const cipher = createDecipheriv(
      "aes-128-gcm",
      derive(shared, salt, "Content-Encoding: aes128gcm\0", 16),
      derive(shared, salt, "Content-Encoding: nonce\0", 12)
    )
    cipher.setAuthTag(record.subarray(-16))
    const plain = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
    return plain.subarray(0, plain.lastIndexOf(2)).toString("utf8")
  }
  return { keys, read }
}

/** The claims of a sender's signature (RFC 8292), and whether its own key made it. */
export const signatureOf = (header: string) => {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  const [head = "", claims = "", signature = ""] = token.split(".")
  const point = Buffer.from(key, "base64url")
  const coordinate = (from: number) => point.subarray(from, from + 32).toString("base64url")
  const publicKey = createPublicKey({
    format: "jwk",
    key: { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) }
  })
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString())
  return {
    key,
    head: read(head),
    claims: read(claims) as { readonly aud: string; readonly exp: number; readonly sub: string },
    isGenuine: verify(
      "sha256",
      Buffer.from(`${head}.${claims}`),
      { key: publicKey, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url")
    )
  }
}
