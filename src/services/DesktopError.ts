import { Schema } from "effect"

/** The desktop, or the machine under it, does not do something for its user. */
export class DesktopError extends Schema.TaggedError<DesktopError>()("DesktopError", {
  what: Schema.Literals(["no picture from the clipboard", "this machine is not kept from sleeping"]),
  why: Schema.String
}) {
  override get message() {
    return `${this.what}: ${this.why}`
  }
}
