/** A webhook's signature by the Standard Webhooks specification, for which many languages have a library. */

/** The headers of a request. `seconds`: when it was sent, since the epoch; `signature`: base64. */
export const signedHeaders = (
  id: string,
  seconds: number,
  signature: string
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> => ({
  "webhook-id": id,
  "webhook-timestamp": String(seconds),
  "webhook-signature": `v1,${signature}`
})

/** The text that HMAC-SHA256 signs. An id contains no dot. */
export const signedContent = (id: string, seconds: number, body: string): string => `${id}.${seconds}.${body}`

/** The fewest bytes of a key: a shorter one could be guessed. */
const fewest = 16
const most = 1_024

const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The key of a secret: the base64 after `whsec_`, else its own characters. `why` quotes nothing of a bad secret. */
export const keyOf = (
  secret: string
): { readonly encoding: "base64" | "ascii"; readonly text: string } | { readonly why: string } => {
  const encoded = secret.startsWith("whsec_") ? secret.slice(6) : null
  if (/[^\u0021-\u007e]/.test(secret)) return { why: "it has other characters than a secret has" }
  if (encoded !== null && !base64.test(encoded)) return { why: "what follows whsec_ is not base64" }
  const size = encoded === null ? secret.length : Math.floor((encoded.replace(/=+$/, "").length * 3) / 4)
  if (size < fewest || size > most) return { why: `it has ${size} bytes: from ${fewest} to ${most} are wanted` }
  return encoded === null ? { encoding: "ascii", text: secret } : { encoding: "base64", text: encoded }
}
