import { fieldsOf, textOf } from "../../../words/reading/Fields.ts"
import { cutTo } from "../toolPreview.ts"
import { maskReport } from "../Masking.ts"

export interface TransportFault {
  readonly why: string
  readonly retriable: boolean
}

const known: Readonly<Record<string, TransportFault>> = {
  ECONNREFUSED: { why: "the connection was refused; does the server run?", retriable: true },
  ECONNRESET: { why: "the connection was cut", retriable: true },
  EPIPE: { why: "the connection was cut", retriable: true },
  ETIMEDOUT: { why: "the server cannot be reached", retriable: true },
  EHOSTUNREACH: { why: "the server cannot be reached", retriable: true },
  ENETUNREACH: { why: "the network cannot be reached", retriable: true },
  EAI_AGAIN: { why: "the name of the server cannot be resolved at present", retriable: true },
  ENOTFOUND: { why: "there is no server of that name", retriable: false }
}

/** Reads a platform error by its code, else by its message, without secrets. */
export const transportFault = (cause: unknown, values: ReadonlyArray<string>): TransportFault => {
  const fields = fieldsOf(cause)
  const inner = fields["cause"] ?? (Array.isArray(fields["errors"]) ? fields["errors"][0] : undefined)
  const code = textOf(fields["code"]) ?? textOf(fieldsOf(inner)["code"]) ?? ""
  const message = textOf(fields["message"]) ?? textOf(fieldsOf(inner)["message"]) ?? code
  return (
    (Object.hasOwn(known, code) ? known[code] : undefined) ?? {
      why: cutTo(maskReport(message, values), 200),
      retriable: false
    }
  )
}
