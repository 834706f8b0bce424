import { readFileSync } from "node:fs"
import { join } from "node:path"

/** A certificate and its key. */
interface Certificate {
  readonly key: string
  readonly cert: string
}

const path = (name: string) => join(import.meta.dirname, name)

const certificate = (name: string): Certificate => ({
  key: readFileSync(path(`${name}.key`), "utf8"),
  cert: readFileSync(path(`${name}.pem`), "utf8")
})

/** Certificates for every name under `weather.test`; nobody outside of these tests trusts any of them. */
export const certificates = {
  open: certificate("good"),
  expired: certificate("expired"),
  "self-signed": certificate("self-signed")
}

/** What each CLI has to see to trust the authority that signed the good one, and the expired one. */
export const trust: Readonly<Record<string, string>> = {
  NODE_EXTRA_CA_CERTS: path("ca.pem"),
  SSL_CERT_FILE: path("ca.pem"),
  CODEX_CA_CERTIFICATE: path("ca.pem")
}
