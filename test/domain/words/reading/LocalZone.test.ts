import { assert, describe, it } from "@effect/vitest"
import { localZone } from "../../../../src/domain/words/reading/LocalZone.ts"

describe("the machine's time zone", () => {
  it("is what TZ says, else what the link leads to", () => {
    for (const [tz, link, zone] of [
      [undefined, "/usr/share/zoneinfo/Europe/Zurich", "Europe/Zurich"],
      ["", "/var/db/timezone/zoneinfo/America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
      [undefined, "/usr/share/zoneinfo.default/Asia/Ust-Nera", "Asia/Ust-Nera"],
      [undefined, "/usr/share/zoneinfo/posix/Etc/GMT+5", "Etc/GMT+5"],
      ["UTC", "/usr/share/zoneinfo/Europe/Zurich", "UTC"],
      ["America/Port-au-Prince", null, "America/Port-au-Prince"]
    ] as const)
      assert.strictEqual(localZone(tz, link), zone)
  })

  it("is not known from what is no name", () => {
    for (const [tz, link] of [
      [undefined, null],
      [undefined, "/etc/localtime"],
      ["CET-1CEST,M3.5.0,M10.5.0/3", "/usr/share/zoneinfo/Europe/Zurich"],
      [":/etc/localtime", "/usr/share/zoneinfo/Europe/Zurich"],
      ["../../etc/passwd", null],
      [undefined, "/usr/share/zoneinfo/posixrules"]
    ] as const)
      assert.isNull(localZone(tz, link))
  })
})
