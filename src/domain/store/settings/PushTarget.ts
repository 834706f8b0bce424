import { Schema } from "effect"
import { part } from "./settingKinds.ts"

export const PushTarget = Schema.Struct({
  url: Schema.String.annotate({ description: "Where it is posted to: https://ntfy.sh/TOPIC, or any webhook" }),
  /** `ntfy`: the format of ntfy.sh and compatible servers; `json`: one object with all that is known. */
  format: Schema.Literals(["ntfy", "json"]),
  tokenFile: part("A file with a token, which is sent as Authorization: Bearer", Schema.String),
  headers: part("Sent with each request; $NAME in values is put in", Schema.Record(Schema.String, Schema.String))
})
export type PushTarget = typeof PushTarget.Type
